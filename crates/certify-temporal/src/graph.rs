//! The steps between the states of a closed set, as the reference evaluator told them.

use std::collections::BTreeMap;
use std::sync::Arc;

use certify::Seen;

use crate::formula::Atom;

/// A step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Bit `a` says whether the atom `a` about steps holds.
    pub marks: u64,
    /// The state of the set that it leads to, or that stands for where it leads.
    pub target: u32,
    /// The number of its name; 0 where nobody asks for names.
    pub name: u32,
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
    /// The numbers of the names of steps.
    pub names: BTreeMap<Arc<str>, u32>,
}

impl Graph {
    /// Adds what was seen of a state, with the truth of these labels.
    pub(crate) fn add(&mut self, state: usize, labels: &[u32], seen: Seen) {
        let count = self.steps.len().max(state + 1);
        self.steps.resize(count, Vec::new());
        for (label, truth) in labels.iter().zip(seen.labels) {
            let truths = self.labels.entry(*label).or_default();
            truths.resize(count, false);
            truths[state] = truth;
        }
        let names = &mut self.names;
        let mut number = |name: Arc<str>| {
            let next = names.len() as u32;
            *names.entry(name).or_insert(next)
        };
        let steps = seen.steps.into_iter().map(|step| Step {
            marks: step.told.marks,
            target: step.target,
            name: step.told.name.map_or(0, &mut number),
            stays: step.stays,
        });
        self.steps[state] = steps.collect();
    }

    /// Numbers names by their order, so that it does not matter in which order states were seen.
    pub(crate) fn order_names(&mut self) {
        let mut numbers = vec![0; self.names.len().max(1)];
        for (next, number) in (0..).zip(self.names.values_mut()) {
            numbers[*number as usize] = next;
            *number = next;
        }
        let steps = self.steps.iter_mut().flatten();
        steps.for_each(|step| step.name = numbers[step.name as usize]);
    }

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

    /// Whether a step with a name is possible in a state.
    pub fn enables(&self, state: usize, name: u32) -> bool {
        self.steps[state].iter().any(|step| step.name == name)
    }
}
