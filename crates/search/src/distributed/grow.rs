//! Expands the states of a level, one after the other.
//!
//! Invariant: a state is expanded as a whole or stays to be expanded; what was sent of it before is stored elsewhere and
//! does no harm.

use pins::{Fault, FaultKind, Flow, GroupId};
use rustc_hash::FxHashSet;

use super::delivery::Target;
use super::edge::Source;
use super::node::{Broken, Node};
use crate::explicit::FindingKind;
use crate::explicit::differences;
use crate::explicit::expand::{Expanded, Raw, account, is_over, twin};
use crate::explicit::limits::{Stop, Ticker};

/// What expanding needs from one state to the next.
pub struct Means {
    emitted: Vec<u32>,
    faults: Vec<(GroupId, Fault)>,
    coinciding: FxHashSet<Box<[u32]>>,
    ticker: Ticker,
}

impl Default for Means {
    fn default() -> Means {
        Means {
            emitted: Vec::new(),
            faults: Vec::new(),
            coinciding: FxHashSet::default(),
            ticker: Ticker::new(),
        }
    }
}

impl Node<'_> {
    /// Expands what is left of the level, until the signal says stop.
    pub fn expand_level(&mut self, means: &mut Means) -> Result<(), Broken> {
        while self.level.at < self.level.end
            && self.refusal.is_none()
            && self.may_expand()
            && self.expand(self.level.at, means)
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

    fn expand(&mut self, id: u32, means: &mut Means) -> bool {
        self.delivery.session.load(id, &mut self.state);
        means.emitted.clear();
        self.leads_away = false;
        means.coinciding.clear();
        let is_clean = self.is_clean(id);
        let is_whole = match self.proviso.is_some() {
            true => self.chosen_steps(
                (id, is_clean),
                &mut means.emitted,
                &mut means.faults,
                &mut means.ticker,
            ),
            false => self.all_steps((id, is_clean), means),
        };
        if is_whole {
            let (routing, state) = (&mut self.delivery.routing, &self.state);
            let is_odd = !self.leads_away || !means.faults.is_empty();
            let key = if is_odd { routing.key(state) } else { 0 };
            let depth = self.level.depth;
            let expanded = Expanded {
                state,
                emitted: &means.emitted,
                leads_away: self.leads_away,
                faults: &mut means.faults,
            };
            let (worker, tally) = (&mut *self.worker, &mut self.delivery.tally);
            account(self.run, worker, tally, &mut self.found, expanded, |_| {
                Raw {
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
                }
            });
        } else {
            self.worker.give_up();
        }
        self.check_fresh();
        is_whole
    }

    fn all_steps(&mut self, (number, is_clean): (u32, bool), means: &mut Means) -> bool {
        let run = self.run;
        let (state, changed, delivery) = (&self.state, &mut self.changed, &mut self.delivery);
        let leads_away = &mut self.leads_away;
        let Means {
            emitted,
            faults,
            coinciding,
            ticker,
        } = means;
        let cell = delivery.routing.cell(state);
        let source = Source {
            number,
            is_clean,
            asks: false,
        };
        let needs_changes = delivery.needs_changes();
        let (mut is_whole, mut is_halted) = (true, false);
        faults.clear();
        let mut emit = |group: GroupId, step: pins::Step<'_>| {
            if is_over(run, ticker) {
                is_whole = false;
                return Flow::Stop;
            }
            if let Some(twin) = twin(run, group, &step)
                && !coinciding.insert(twin)
            {
                return Flow::Continue;
            }
            emitted.push(group.index() as u32);
            let differs = match needs_changes {
                true => differences(state, step.target, changed),
                false => state != step.target,
            };
            if !differs {
                return Flow::Continue;
            }
            *leads_away = true;
            let target = Target {
                cell: delivery.routing.next_cell(cell, state, step.target),
                vector: step.target,
                changed,
            };
            is_whole = delivery.deliver(source, target);
            if is_whole { Flow::Continue } else { Flow::Stop }
        };
        self.worker
            .all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
                FaultKind::Halted => is_halted = true,
                _ => faults.push((group, fault)),
            });
        delivery.insert_or_wait() && is_whole && !is_halted
    }
}
