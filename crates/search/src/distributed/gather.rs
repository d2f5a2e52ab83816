//! Puts together what all workers found: counts, findings by depth, and their paths, state by state from owner to owner.
//!
//! Invariant: findings come by depth, then kind, then a hash of the state's values: they do not depend on who was faster.

use pins::{Event, PathStep};
use rustc_hash::FxHashSet;

use super::bytes::read_state;
use super::messages::{Kind, Share, Told, Traffic};
use super::node::{Broken, GLANCE, Node, START};
use crate::explicit::found::Raw;
use crate::explicit::outcome::Finding;
use crate::explicit::paths::{Wanted, follow, setup_step};
use crate::explicit::run::Run;
use crate::explicit::statistics::Distinct;

/// The part of one worker, for the report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The process it belongs to.
    pub process: usize,
    /// States it owned.
    pub states: u64,
    /// Transitions from them.
    pub transitions: u64,
    /// The most bytes it used.
    pub peak_bytes: u64,
    /// What it sent.
    pub traffic: Traffic,
}

/// A finding, and whose it is.
pub struct Owned {
    /// The worker.
    pub owner: usize,
    /// The finding.
    pub raw: Raw,
}

/// The number of a set-up, and the states from the beginning.
type Chain = (u32, Vec<Vec<u32>>);

impl Node<'_> {
    /// What this worker found in all.
    pub fn share(&mut self) -> Share {
        let tick = self.tick();
        let slots = self.state.len();
        let routing = &mut self.delivery.routing;
        let tally = &self.delivery.tally;
        let values = (0..slots).map(|slot| {
            let values = tally.values[slot].iter();
            values.map(|word| routing.common(slot, word)).collect()
        });
        let values = values.collect();
        Share {
            calls: (tally.next_state_calls, tally.label_calls),
            groups: tally.groups.clone(),
            values,
            notes: std::mem::take(&mut self.notes),
            budget: std::mem::take(&mut self.found.budget),
            findings: std::mem::take(&mut self.found.findings),
            memory: (self.run.store.bytes() as u64, self.peak.max(tick.bytes)),
            traffic: self.delivery.traffic(),
            is_undecided: self.is_undecided(),
            tick,
        }
    }

    /// Tells the first worker what was found, and answers its questions until it has no more.
    pub fn serve(&mut self) -> Result<(), Broken> {
        let share = self.share();
        self.port.send(0, Kind::Share.parcel(&share));
        while !self.is_over {
            self.look_up(GLANCE)?;
        }
        Ok(())
    }

    /// Waits for the shares of all others; gives all of them by worker.
    pub fn collect(&mut self) -> Result<Vec<Share>, Broken> {
        let mine = self.share();
        while self.shares.len() + 1 < self.port.peers() {
            self.look_up(GLANCE)?;
        }
        let mut shares = std::mem::take(&mut self.shares);
        shares.push((0, mine));
        shares.sort_by_key(|(worker, _)| *worker);
        Ok(shares.into_iter().map(|(_, share)| share).collect())
    }

    /// A state, wherever it is.
    fn ask(&mut self, owner: usize, number: u32) -> Result<Option<Told>, Broken> {
        if owner == self.me() {
            return Ok(self.state_of(number).ok());
        }
        if owner >= self.port.peers() {
            return Ok(None);
        }
        self.told = None;
        self.port.send(owner, Kind::Ask.parcel(&number));
        while self.told.is_none() {
            self.look_up(GLANCE)?;
        }
        Ok(self.told.take())
    }

    /// The states from the beginning to one, and its set-up; `None` when that is not known.
    fn chain(&mut self, owner: usize, number: u32) -> Result<Option<Chain>, Broken> {
        let mut states = Vec::new();
        let (mut owner, mut number) = (owner, number);
        loop {
            let Some(told) = self.ask(owner, number)? else {
                return Ok(None);
            };
            let vector = told.state.and_then(|bytes| {
                let mut bytes = bytes.as_slice();
                read_state(&*self.run.system, &mut bytes)
            });
            match vector {
                Ok(vector) => states.push(vector),
                Err(problem) => {
                    self.refusal.get_or_insert(problem);
                    return Ok(None);
                }
            }
            if told.link.0 == START {
                states.reverse();
                return Ok(Some((told.link.1, states)));
            }
            (owner, number) = (told.link.0 as usize, told.link.1);
        }
    }

    /// The way to a finding.
    fn path(&mut self, origin: &Run<'_>, found: &Owned) -> Result<Vec<PathStep>, Broken> {
        let Some(state) = found.raw.state else {
            let setup = found.raw.setup;
            return Ok(setup.map_or(Vec::new(), |setup| setup_step(origin, setup)));
        };
        if !self.run.config.keep_paths {
            return Ok(Vec::new());
        }
        let Some((setup, states)) = self.chain(found.owner, state)? else {
            return Ok(Vec::new());
        };
        let mut path = setup_step(origin, setup);
        let mut states = states.into_iter();
        let Some(mut at) = states.next() else {
            return Ok(Vec::new());
        };
        path.push(PathStep {
            event: Event::Initialisation,
            words: Vec::new(),
            state: at.clone(),
        });
        for next in states {
            let wanted = Wanted::Target(next);
            let Some(step) = follow(self.run, &mut *self.worker, &at, &wanted) else {
                return Ok(Vec::new());
            };
            at.clone_from(&step.state);
            path.push(step);
        }
        Ok(path)
    }

    /// Findings with their paths.
    pub fn evidence(
        &mut self,
        origin: &Run<'_>,
        found: Vec<Owned>,
    ) -> Result<Vec<Finding>, Broken> {
        let mut findings = Vec::new();
        for owned in found {
            let path = self.path(origin, &owned)?;
            let raw = owned.raw;
            findings.push(Finding {
                kind: raw.kind,
                label: raw.label,
                event: raw.event,
                fault: raw.fault,
                state: None,
                depth: raw.depth,
                path,
            });
        }
        Ok(findings)
    }
}

/// Counts the values of each slot over all shares.
pub fn distinct(shares: &[Share], slots: usize, most: usize) -> Vec<Distinct> {
    let count = |slot: usize| {
        let values = shares.iter().filter_map(|share| share.values.get(slot));
        let values: FxHashSet<u64> = values.flatten().copied().collect();
        Distinct {
            count: values.len().min(most) as u32,
            is_at_least: values.len() >= most,
        }
    };
    (0..slots).map(count).collect()
}
