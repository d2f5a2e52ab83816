//! What formulas are about: the question that only the caller can answer, and letters, which are the answers.
//!
//! Invariant: an atom without a value is no answer. It is kept beside the letter and becomes a fault only where the
//! verdict depends on it.

use pins::{Fault, GroupId, Halt};

/// Says which atoms hold. One numbering serves all formulas of a run, so that states are asked about once.
///
/// Laws: the same question gets the same answer; an atom is about states or about steps, never both; a constraint
/// of fairness is taken by a step only where it is enabled, and enabled only where some step takes it.
pub trait Atoms: Send {
    /// One more than the largest atom.
    fn count(&self) -> u32;

    /// The atoms about a state; `successors` are all steps out of it.
    fn state(&mut self, state: &[u32], successors: &Successors<'_>, letter: &mut Letter<'_>);

    /// The atoms about a step out of a state.
    fn step(&mut self, state: &[u32], step: Successor<'_>, letter: &mut Letter<'_>);

    /// Whether an atom is about steps.
    fn is_of_steps(&self, atom: u32) -> bool;

    /// From now on, looks at `halt` in the midst of long evaluations.
    fn heed(&mut self, _halt: Halt) {}
}

/// Where the answers are written.
pub struct Letter<'a> {
    pub(super) holds: &'a mut [u64],
    pub(super) undefined: &'a mut [u64],
    pub(super) faults: &'a mut Vec<(u32, Fault)>,
}

impl Letter<'_> {
    /// The atom holds.
    pub fn set(&mut self, atom: u32) {
        self.holds[atom as usize / 64] |= 1 << (atom % 64);
    }

    /// The atom has no truth value.
    pub fn undefined(&mut self, atom: u32, fault: Fault) {
        self.undefined[atom as usize / 64] |= 1 << (atom % 64);
        self.faults.push((atom, fault));
    }
}

/// A step out of a state.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a> {
    /// Whose step it is.
    pub group: GroupId,
    /// Arguments, then results.
    pub label: &'a [u32],
    /// The state after it.
    pub target: &'a [u32],
}

/// All steps out of a state, in the order in which the system gives them.
#[derive(Clone, Copy, Debug)]
pub struct Successors<'a> {
    pub(super) steps: &'a Steps,
    pub(super) missing: &'a [(GroupId, Fault)],
}

impl<'a> Successors<'a> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.steps.groups.len()
    }

    /// Whether there are none; the state is deadlocked then, unless a step is missing.
    pub fn is_empty(&self) -> bool {
        self.steps.groups.is_empty()
    }

    /// A group of which a step is missing because it faulted, with the fault; of one group, or of any.
    pub fn missing(&self, group: Option<GroupId>) -> Option<&'a Fault> {
        let mut missing = self.missing.iter();
        let found = missing.find(|(faulty, _)| group.is_none_or(|group| group == *faulty));
        found.map(|(_, fault)| fault)
    }

    /// The steps.
    pub fn iter(&self) -> impl Iterator<Item = Successor<'a>> {
        let steps = self.steps;
        (0..steps.groups.len()).map(|at| steps.get(at))
    }
}

/// The steps out of one state, in flat lists.
#[derive(Debug, Default)]
pub(super) struct Steps {
    slots: usize,
    pub(super) groups: Vec<GroupId>,
    label_ends: Vec<usize>,
    labels: Vec<u32>,
    targets: Vec<u32>,
}

impl Steps {
    pub(super) fn new(slots: usize) -> Steps {
        Steps {
            slots,
            ..Steps::default()
        }
    }

    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.label_ends.clear();
        self.labels.clear();
        self.targets.clear();
    }

    pub(super) fn push(&mut self, group: GroupId, step: pins::Step<'_>) {
        self.groups.push(group);
        self.labels.extend_from_slice(step.label);
        self.label_ends.push(self.labels.len());
        self.targets.extend_from_slice(step.target);
    }

    pub(super) fn get(&self, at: usize) -> Successor<'_> {
        let from = at
            .checked_sub(1)
            .map_or(0, |before| self.label_ends[before]);
        Successor {
            group: self.groups[at],
            label: &self.labels[from..self.label_ends[at]],
            target: &self.targets[at * self.slots..(at + 1) * self.slots],
        }
    }
}
