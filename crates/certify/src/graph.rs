//! The steps between the states of a closed set, as the reference evaluator told them.

use std::collections::BTreeMap;

use crate::formula::Atom;

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Bit `a` says whether the atom `a` about steps holds.
    pub marks: u64,
    /// The state of the set that it leads to, or that stands for where it leads.
    pub target: u32,
    /// Whether it changes nothing.
    pub stays: bool,
}

/// All steps of a closed set.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The initial states.
    pub starts: Vec<u32>,
    /// The steps of each state.
    pub steps: Vec<Vec<Step>>,
    /// For each label that formulas ask about, in which states it holds.
    pub labels: BTreeMap<u32, Vec<bool>>,
}

impl Graph {
    /// Whether an atom holds in a state that is left by a step, or at the end of a path.
    pub fn holds(&self, atom: Atom, state: usize, step: Option<&Step>) -> bool {
        let has = |step: &Step, mark: u32| step.marks >> mark & 1 == 1;
        let steps = &self.steps[state];
        match atom {
            Atom::Label(label) => self.labels[&label][state],
            Atom::Step(mark) => step.is_some_and(|step| has(step, mark)),
            Atom::Enabled(mark) => steps.iter().any(|step| has(step, mark)),
            Atom::Deadlock => steps.is_empty(),
            Atom::Sink => steps.iter().all(|step| step.stays),
        }
    }
}
