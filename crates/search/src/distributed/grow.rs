//! Expands the states of a level, one after the other.
//!
//! Invariant: a state is expanded as a whole or stays to be expanded; what was sent of it before is stored elsewhere and
//! does no harm.

use super::delivery::Target;
use super::edge::Source;
use super::node::{Broken, Node};
use crate::explicit::FindingKind;
use crate::explicit::found::Raw;
use crate::explicit::limits::Stop;
use crate::explicit::slots::differences;
use crate::explicit::steps::{Steps, Taken, account};

impl Node<'_> {
    /// Expands what is left of the level, until the signal says stop.
    pub fn expand_level(&mut self, steps: &mut Steps) -> Result<(), Broken> {
        while self.level.at < self.level.end
            && self.refusal.is_none()
            && self.may_expand()
            && self.expand(self.level.at, steps)
        {
            self.level.at += 1;
            self.expanded += 1;
            self.after_state()?;
        }
        if let Some(problem) = self.delivery.problem() {
            self.refusal.get_or_insert(problem);
        }
        self.notes.merge(self.worker.take_notes());
        Ok(())
    }

    /// Whether nobody wants to stop; the monitor is asked when the clock is looked at.
    fn may_expand(&self) -> bool {
        self.run.monitor.before_state(self.run.states());
        self.run.signal.get() == Stop::No
    }

    /// Whether all labels are known to be as wanted in a state of the level.
    pub fn is_clean(&self, id: u32) -> bool {
        id >= self.known_from && !self.unclean.0.contains(&id)
    }

    fn expand(&mut self, id: u32, steps: &mut Steps) -> bool {
        self.delivery.session.load(id, &mut self.state);
        steps.begin();
        let is_clean = self.is_clean(id);
        let is_whole = match self.proviso.is_some() {
            true => self.chosen_steps((id, is_clean), steps),
            false => self.all_steps((id, is_clean), steps),
        };
        if is_whole {
            let (routing, state) = (&mut self.delivery.routing, &self.state);
            let is_odd = !steps.leads_away || !steps.faults.is_empty();
            let key = if is_odd { routing.key(state) } else { 0 };
            let depth = self.level.depth;
            let (worker, tally) = (&mut *self.worker, &mut self.delivery.tally);
            let found = &mut self.found;
            account(self.run, worker, tally, found, (state, steps), |_| Raw {
                kind: FindingKind::Fault,
                label: None,
                event: None,
                fault: None,
                state: Some(id),
                setup: None,
                number: None,
                depth,
                key,
                is_new: false,
            });
        } else {
            self.worker.give_up();
        }
        self.check_fresh();
        is_whole
    }

    fn all_steps(&mut self, (number, is_clean): (u32, bool), steps: &mut Steps) -> bool {
        let run = self.run;
        let (state, changed, delivery) = (&self.state, &mut self.changed, &mut self.delivery);
        let cell = delivery.routing.cell(state);
        let source = Source {
            number,
            is_clean,
            asks: false,
        };
        let needs_changes = delivery.needs_changes();
        let is_whole = steps.each(run, &mut *self.worker, state, |_, step| {
            let differs = match needs_changes {
                true => differences(state, step.target, changed),
                false => state != step.target,
            };
            if !differs {
                return Taken::Stays;
            }
            let known = needs_changes.then_some(&**changed);
            let target = Target {
                owner: delivery.owner(cell, (state, step.target), known),
                vector: step.target,
                changed,
            };
            match delivery.deliver(source, target) {
                true => Taken::Leads,
                false => Taken::NoRoom,
            }
        });
        delivery.insert_or_wait() && is_whole
    }
}
