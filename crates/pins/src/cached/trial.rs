//! Decides, group by group, whether remembering pays.
//!
//! Technique: some states are asked directly under the clock, some through all tables with misses under the
//! clock; a table stays on if hits save more than lookups cost, and only if the whole is faster than asking the
//! system for all groups at once (which may have an index that skips most of them).
//! Invariant: decides about time only, never about answers.

use std::time::Instant;

use super::table::{Table, Tally};
use crate::shape::GroupId;
use crate::system::{Fault, Flow, Step, Worker};

/// How the next state is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The system for all groups at once.
    Direct,
    /// The same, under the clock.
    Baseline,
    /// Every table that may be used, with misses under the clock.
    Tables,
    /// The tables that are on, the system for the other groups.
    Mixed,
}

/// The course of the trials.
pub struct Trial {
    phase: Phase,
    is_forced: bool,
    states: u64,
    next: u64,
    left: u32,
    baseline: u64,
    clock: u64,
}

/// The first trial comes soon, for systems where every state is expensive.
const FIRST: u64 = 32;
/// States under the clock for the baseline.
const BASELINE: u32 = 32;
/// States through the tables; the first half only fills them.
const TABLES: u32 = 128;
/// After a trial that finds nothing the next one comes at eight times as many states.
const RARER: u64 = 8;
/// How often tables in use are looked at again.
const RECONSIDER: u64 = 1 << 14;

impl Trial {
    /// Starts in a phase; `Mixed` for ever if it starts there.
    pub fn new(phase: Phase) -> Trial {
        Trial {
            phase,
            is_forced: phase == Phase::Mixed,
            states: 0,
            next: FIRST,
            left: 0,
            baseline: 0,
            clock: 0,
        }
    }

    /// How to ask the next state.
    pub fn next_phase(&mut self, tables: &mut [Table]) -> Phase {
        self.states += 1;
        match self.phase {
            Phase::Direct if self.states >= self.next => {
                (self.left, self.baseline, self.clock) = (BASELINE, 0, cost_of_clock());
                self.phase = Phase::Baseline;
            }
            Phase::Baseline if self.left == 0 => {
                for table in tables.iter_mut() {
                    table.is_on = table.is_cacheable;
                    table.tally = Tally::default();
                }
                self.left = TABLES;
                self.phase = Phase::Tables;
            }
            Phase::Tables if self.left == TABLES / 2 => {
                for table in tables.iter_mut() {
                    // Times of misses stay: there may be few of them later.
                    (table.tally.calls, table.tally.hits) = (0, 0);
                }
            }
            Phase::Tables if self.left == 0 => self.decide(tables),
            _ => {}
        }
        self.left = self.left.saturating_sub(1);
        self.phase
    }

    /// Measures one state of the baseline.
    pub fn time(&mut self, ask: impl FnOnce()) {
        let start = Instant::now();
        ask();
        let nanoseconds = start.elapsed().as_nanos() as u64;
        self.baseline += nanoseconds.saturating_sub(self.clock);
    }

    fn decide(&mut self, tables: &mut [Table]) {
        let mut expected = 0.0;
        for table in tables.iter_mut() {
            let direct = table.cost_of_asking(self.clock);
            let reusing = table.cost_of_reusing(direct);
            table.is_on &= reusing * 1.3 < direct;
            expected += if table.is_on { reusing } else { direct };
        }
        let baseline = self.baseline as f64 / f64::from(BASELINE);
        let pays = tables.iter().any(|table| table.is_on) && expected * 1.2 < baseline;
        if pays {
            self.phase = Phase::Mixed;
        } else {
            self.go_direct();
        }
        for table in tables {
            table.is_on &= pays;
            if !table.is_on {
                table.clear();
            }
            table.tally = Tally::default();
        }
    }

    /// Gives up for a while.
    pub fn go_direct(&mut self) {
        self.phase = Phase::Direct;
        self.next = self.states.saturating_mul(RARER);
    }

    /// Whether tables in use should be looked at again.
    pub fn is_time_to_reconsider(&self) -> bool {
        self.phase == Phase::Mixed && !self.is_forced && self.states.is_multiple_of(RECONSIDER)
    }
}

impl Table {
    fn cost_of_asking(&self, clock: u64) -> f64 {
        let misses = (self.learnt() as f64).max(1.0);
        (self.tally.nanoseconds as f64 / misses - clock as f64).max(0.0)
    }

    /// Measured on a machine of 2020: a lookup is a hash of the key and a cache miss or two; a miss allocates.
    fn cost_of_reusing(&self, direct: f64) -> f64 {
        let hits = self.tally.hits as f64 / (self.tally.calls as f64).max(1.0);
        let lookup = 30.0 + 3.0 * self.key_len() as f64;
        lookup + (1.0 - hits) * (direct + 300.0)
    }

    /// Turns itself off when it no longer answers one question in five.
    pub fn reconsider(&mut self) {
        if self.tally.hits * 5 < self.tally.calls {
            self.is_on = false;
            self.clear();
        }
        self.tally = Tally::default();
    }
}

/// What reading the clock twice costs.
fn cost_of_clock() -> u64 {
    let start = Instant::now();
    for _ in 0..15 {
        std::hint::black_box(Instant::now());
    }
    start.elapsed().as_nanos() as u64 / 8
}

/// Steps kept until the clock has been read.
#[derive(Default)]
pub struct Steps {
    steps: Vec<(GroupId, Vec<u32>, Vec<u32>)>,
    faults: Vec<(usize, GroupId, Fault)>,
}

impl Steps {
    /// Asks for all groups.
    pub fn fill(&mut self, worker: &mut dyn Worker, state: &[u32]) {
        self.steps.clear();
        self.faults.clear();
        let (steps, faults) = (&mut self.steps, &mut self.faults);
        let count = std::cell::Cell::new(0);
        worker.all_successors(
            state,
            &mut |group, step| {
                steps.push((group, step.label.to_vec(), step.target.to_vec()));
                count.set(count.get() + 1);
                Flow::Continue
            },
            &mut |group, fault| faults.push((count.get(), group, fault)),
        );
    }

    /// Passes on what was kept, in the same order.
    pub fn give(
        &mut self,
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let mut faults = self.faults.drain(..).peekable();
        for (at, (group, label, target)) in self.steps.iter().enumerate() {
            while let Some((_, group, found)) = faults.next_if(|(after, ..)| *after <= at) {
                fault(group, found);
            }
            if emit(*group, Step { label, target }) == Flow::Stop {
                return;
            }
        }
        for (_, group, found) in faults {
            fault(group, found);
        }
    }
}
