//! The reduction of one run, as an engine uses it: a choice of groups for each state, and what was measured.
//!
//! Invariant: a choice depends on the state alone, so it does not depend on threads or the order of visits.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pins::{Shape, Worker};

use super::ample::Ample;
use super::deletion::Deletion;
use super::heights::Heights;
use super::necessary::{Place, Tables};
use super::relations::Relations;
use super::sets::GroupSet;
use super::stubborn::Stubborn;
use super::visible::Visibility;

/// How groups are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Ample sets.
    Ample,
    /// Guard-based stubborn sets, closed from below.
    Stubborn,
    /// Guard-based stubborn sets, by taking groups out.
    Deletion,
}

/// A reduction.
#[derive(Debug)]
pub struct Reduction<'s> {
    shape: &'s Shape,
    relations: &'s Relations,
    visibility: Visibility,
    method: Method,
    tables: Tables<'s>,
    may_fault: bool,
    /// What is taken only where all is, so that nothing is left out for ever.
    turning: Turning,
    /// Groups that write something.
    writing: GroupSet,
    measured: Mutex<Measure>,
}

/// What may close a cycle.
#[derive(Debug)]
enum Turning {
    /// The search sees to it, or there is no need to.
    Nothing,
    /// Steps that do not rise.
    Steps(Heights),
    /// These groups.
    Groups(GroupSet),
}

/// What a reduction did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// States that were expanded.
    pub states: u64,
    /// Of these, how many were expanded in part.
    pub reduced: u64,
    /// Of these, how many were expanded in full only because of the proviso.
    pub forced: u64,
    /// Steps that there are in the states that were expanded in part.
    pub steps: u64,
    /// Steps of these that were explored.
    pub explored: u64,
    /// Choices whose time was taken, and their time.
    pub sampled: (u64, Duration),
    /// Choices.
    pub choices: u64,
}

impl Measure {
    fn add(&mut self, other: &Measure) {
        self.states += other.states;
        self.reduced += other.reduced;
        self.forced += other.forced;
        self.steps += other.steps;
        self.explored += other.explored;
        self.sampled.0 += other.sampled.0;
        self.sampled.1 += other.sampled.1;
        self.choices += other.choices;
    }

    /// The time of all choices, as far as the samples tell.
    pub fn time(&self) -> Duration {
        let (samples, time) = self.sampled;
        match samples {
            0 => Duration::ZERO,
            _ => time.mul_f64(self.choices as f64 / samples as f64),
        }
    }
}

impl<'s> Reduction<'s> {
    /// Reduces a system of this shape, when the labels of `visibility` are checked.
    pub fn new(
        shape: &'s Shape,
        relations: &'s Relations,
        visibility: Visibility,
        method: Method,
    ) -> Reduction<'s> {
        let mut writing = GroupSet::new(shape.groups.len());
        for (at, group) in shape.groups.iter().enumerate() {
            if group.may_write.iter().next().is_some() {
                writing.insert(at);
            }
        }
        let may_fault = shape.enabling.is_empty() || shape.enabling.iter().any(|e| e.may_fault);
        let is_needed = may_fault || visibility.is_needed();
        Reduction {
            writing,
            turning: is_needed
                .then(|| Heights::new(shape, relations))
                .flatten()
                .map_or(Turning::Nothing, Turning::Steps),
            shape,
            relations,
            visibility,
            method,
            tables: Tables::new(shape, relations),
            may_fault,
            measured: Mutex::default(),
        }
    }

    /// The same, where the search sees to it that nothing is left out for ever.
    pub fn left_to_the_search(mut self) -> Reduction<'s> {
        self.turning = Turning::Nothing;
        self
    }

    /// The same, where states are permuted before they are seen again: two of them do not tell what a step did.
    pub fn of_permuted(mut self) -> Reduction<'s> {
        if self.knows_cycles() {
            let groups = Heights::turning(self.shape, self.relations);
            self.turning = groups.map_or(Turning::Nothing, Turning::Groups);
        }
        self
    }

    /// Whether it is known before the search which steps may close cycles.
    pub fn knows_cycles(&self) -> bool {
        !matches!(self.turning, Turning::Nothing)
    }

    /// Whether some state must be expanded in full on every cycle: something else than a deadlock is looked for.
    pub fn needs_proviso(&self) -> bool {
        self.may_fault || self.visibility.is_needed()
    }

    /// Chooses for one worker.
    pub fn selector(&self) -> Selector<'_> {
        let groups = self.tables.groups();
        let (relations, visibility, tables) = (self.relations, &self.visibility, &self.tables);
        let ample = || {
            let must_write = self.needs_proviso();
            Ample::new(relations, visibility, &self.writing, must_write)
        };
        Selector {
            reduction: self,
            how: match self.method {
                Method::Ample => How::Ample(ample()),
                Method::Stubborn => {
                    let stubborn = Stubborn::new(relations, visibility, tables, ample());
                    How::Stubborn(Box::new(stubborn))
                }
                Method::Deletion => {
                    How::Deletion(Box::new(Deletion::new(relations, visibility, tables)))
                }
            },
            enabled: GroupSet::new(groups),
            turning: GroupSet::new(groups),
            steps: vec![0; groups],
            measure: Measure::default(),
        }
    }

    /// What was measured by selectors that are gone.
    pub fn measure(&self) -> Measure {
        *self.measured.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Chooses the groups of one state after the other.
pub struct Selector<'r> {
    reduction: &'r Reduction<'r>,
    how: How<'r>,
    enabled: GroupSet,
    /// Groups with a step that does not rise.
    turning: GroupSet,
    steps: Vec<u32>,
    measure: Measure,
}

enum How<'r> {
    Ample(Ample<'r>),
    Stubborn(Box<Stubborn<'r>>),
    Deletion(Box<Deletion<'r>>),
}

/// One choice in so many has its time taken.
const SAMPLE: u64 = 64;

impl Selector<'_> {
    /// Begins a state.
    pub fn begin(&mut self) {
        for group in self.enabled.iter() {
            self.steps[group] = 0;
        }
        self.enabled.clear();
        self.turning.clear();
    }

    /// A group has a fault.
    pub fn faults(&mut self, group: usize) {
        self.enabled.insert(group);
    }

    /// A group has a step from the state that was begun.
    #[inline]
    pub fn happens(&mut self, group: usize, state: &[u32], target: &[u32]) {
        self.enabled.insert(group);
        self.steps[group] += u32::from(state != target);
        let turns = match &self.reduction.turning {
            Turning::Nothing => false,
            Turning::Steps(heights) => !heights.rises(group, state, target),
            Turning::Groups(groups) => groups.contains(group),
        };
        if turns {
            self.turning.insert(group);
        }
    }

    /// The groups to explore; `None` for all.
    pub fn choose(&mut self, state: &[u32], worker: &mut dyn Worker) -> Option<&GroupSet> {
        self.measure.states += 1;
        if self.enabled.len() < 2 {
            return None;
        }
        let begun = self
            .measure
            .choices
            .is_multiple_of(SAMPLE)
            .then(Instant::now);
        self.measure.choices += 1;
        let place = &mut Place {
            state,
            enabled: &self.enabled,
            steps: &self.steps,
            must_change: self.reduction.needs_proviso(),
            turning: &self.turning,
            worker,
        };
        let chosen = match &mut self.how {
            How::Ample(ample) => ample.choose(&self.enabled, &self.turning),
            How::Stubborn(stubborn) => stubborn.choose(place),
            How::Deletion(deletion) => deletion.choose(place),
        };
        if let Some(begun) = begun {
            self.measure.sampled.0 += 1;
            self.measure.sampled.1 += begun.elapsed();
        }
        chosen.filter(|chosen| !chosen.intersects(&self.turning))
    }

    /// The steps of the last choice were explored: so many of so many.
    pub fn explored(&mut self, explored: usize, steps: usize) {
        self.measure.reduced += 1;
        self.measure.explored += explored as u64;
        self.measure.steps += steps as u64;
    }

    /// The proviso had the state of the last choice expanded in full.
    pub fn forced(&mut self) {
        self.measure.forced += 1;
    }

    /// Whether the search has to see to it that nothing is left out for ever.
    pub fn needs_proviso(&self) -> bool {
        self.reduction.needs_proviso() && !self.reduction.knows_cycles()
    }
}

impl Drop for Selector<'_> {
    fn drop(&mut self) {
        let measured = &self.reduction.measured;
        measured
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(&self.measure);
    }
}
