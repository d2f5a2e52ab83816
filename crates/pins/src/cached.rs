//! Remembers what a group does for the slots it reads, so that an expensive operation is evaluated once for
//! each short vector and not once for each state.
//!
//! Paper: [LTSmin-ProB 2016], section 3.3 (next-state calls on projected vectors); ProB calls it operation reuse.
//! Differs: a slot that may be written, but need not be and is not read, is kept as "written" or "untouched",
//! found by asking with marks in such slots; so it need not be part of the key.
//! Invariant: an entry is the complete answer for its key (steps in order, the fault, the notes), or it is not
//! there. Impure groups are never remembered.
//! Invariant: answers, their order and their notes do not depend on what is remembered; only time does. That is
//! why the trial that decides whether remembering pays may look at the clock.

mod table;
mod trial;

use crate::shape::GroupId;
use crate::system::{Fault, Flow, Notes, Step, System, Worker, group_by_group};
use table::{Learnt, Table};
use trial::{Phase, Steps, Trial};

/// A system that remembers.
pub struct Cached<'a> {
    system: &'a dyn System,
    budget: usize,
    policy: Policy,
}

/// When to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Where a short trial shows that it pays.
    Auto,
    /// For every pure group (tests and measurements).
    Always,
}

impl<'a> Cached<'a> {
    /// Remembers answers of `system` where that pays, with at most about `budget` bytes for each worker.
    pub fn new(system: &'a dyn System, budget: usize, policy: Policy) -> Cached<'a> {
        Cached {
            system,
            budget,
            policy,
        }
    }
}

impl System for Cached<'_> {
    crate::forward_system!(self.system: shape, save, restore, bytes, values, symmetry);

    fn worker(&self) -> Box<dyn Worker + '_> {
        let shape = self.system.shape();
        let slots = shape.slots.len();
        let tables = shape.groups.iter().map(|group| Table::new(group, slots));
        let phase = match self.policy {
            Policy::Auto => Phase::Direct,
            Policy::Always => Phase::Mixed,
        };
        let mut worker = CachedWorker {
            inner: self.system.worker(),
            tables: tables.collect(),
            budget: self.budget,
            trial: Trial::new(phase),
            notes: Notes::default(),
            steps: Steps::default(),
        };
        if self.policy == Policy::Always {
            for table in &mut worker.tables {
                table.is_on = table.is_cacheable;
            }
        }
        Box::new(worker)
    }
}

struct CachedWorker<'a> {
    inner: Box<dyn Worker + 'a>,
    tables: Vec<Table>,
    budget: usize,
    trial: Trial,
    notes: Notes,
    steps: Steps,
}

impl CachedWorker<'_> {
    /// One group through its table.
    fn reuse(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let table = &mut self.tables[group.index()];
        if let Some(entry) = table.find(state) {
            return table.replay(entry, state, &mut self.notes, emit);
        }
        // The notes so far are not the entry's.
        self.notes.merge(self.inner.take_notes());
        let entry = match table.learn(state, group, &mut *self.inner, self.budget / 8) {
            Learnt::Entry(entry) => entry,
            Learnt::Halted(fault) => return Err(fault),
            Learnt::Nothing => return self.inner.successors(state, group, emit),
        };
        let answer = table.replay(entry, state, &mut self.notes, emit);
        self.shrink();
        answer
    }

    /// Keeps to the budget: tables forget entries that were not used since the last time.
    fn shrink(&mut self) {
        let bytes: usize = self.tables.iter().map(|table| table.bytes).sum();
        if bytes > self.budget {
            for table in &mut self.tables {
                table.forget_unused();
            }
        }
    }

    fn one_by_one(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.tables.len();
        let ask = |group: GroupId, emit: &mut dyn FnMut(Step<'_>) -> Flow| {
            self.successors(state, group, emit)
        };
        group_by_group(groups, ask, emit, fault);
        if self.trial.is_time_to_reconsider() {
            for table in &mut self.tables {
                table.reconsider();
            }
            if !self.tables.iter().any(|table| table.is_on) {
                self.trial.go_direct();
            }
        }
    }
}

impl Worker for CachedWorker<'_> {
    crate::forward!(self.inner: setups, initial, may_happen, guard, label, give_up, heed);

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        if self.tables[group.index()].is_on {
            self.reuse(state, group, emit)
        } else {
            self.inner.successors(state, group, emit)
        }
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        match self.trial.next_phase(&mut self.tables) {
            Phase::Direct => self.inner.all_successors(state, emit, fault),
            Phase::Tables | Phase::Mixed => self.one_by_one(state, emit, fault),
            Phase::Baseline => {
                // Steps are kept until the clock has been read: what the engine does with them is not ours.
                let (inner, steps) = (&mut self.inner, &mut self.steps);
                self.trial.time(|| steps.fill(&mut **inner, state));
                self.steps.give(emit, fault);
            }
        }
    }

    fn take_notes(&mut self) -> Notes {
        let mut notes = std::mem::take(&mut self.notes);
        notes.merge(self.inner.take_notes());
        notes
    }
}

#[cfg(test)]
mod tests;
