//! Turns states of the graph back into steps that a user can follow.
//!
//! Invariant: every step of a path is a step that the system gives for the state before it.

use pins::{Fault, Flow, System};

use super::outcome::Verdict;
use super::space::{Edge, Space};
use crate::explicit::Open;
use pins::{Event, PathStep};

/// A path through the graph: each state with the step out of it.
pub(crate) type Walk = Vec<(u32, Edge)>;

impl Space<'_> {
    /// Set-up (if there are set-ups) and initialisation of an initial state.
    pub(crate) fn beginning(&mut self, state: u32) -> Vec<PathStep> {
        let setup = self.initial.iter().find(|initial| initial.0 == state);
        let mut path = match setup {
            Some((_, setup)) => self.setup_step(*setup),
            None => Vec::new(),
        };
        path.push(PathStep {
            event: Event::Initialisation,
            words: Vec::new(),
            state: self.load(state),
        });
        path
    }

    /// The step that chooses a set-up, when the system has that step.
    pub(crate) fn setup_step(&self, setup: u32) -> Vec<PathStep> {
        if !self.system.shape().has_setup {
            return Vec::new();
        }
        vec![PathStep {
            event: Event::Setup,
            words: Vec::new(),
            state: self.setups[setup as usize].to_vec(),
        }]
    }

    /// The path that begins with the initial state of a walk (`state` when there is no step) and takes its steps.
    pub(crate) fn path(&mut self, state: u32, walk: &[(u32, Edge)]) -> Vec<PathStep> {
        let first = walk.first().map_or(state, |(first, _)| *first);
        let mut path = self.beginning(first);
        for (from, edge) in walk {
            path.push(self.step(*from, *edge));
        }
        path
    }

    /// What an edge of the graph stands for.
    pub(crate) fn step(&mut self, from: u32, edge: Edge) -> PathStep {
        let (source, target) = (self.load(from), self.load(edge.target));
        let mut candidates = steps_to(self.system, &source, &target);
        // Several steps to one state are told apart by their letters.
        if candidates.len() > 1 && self.stepper.ask(&source, self.watch).is_ok() {
            let letters = self.stepper.letters_of_steps.iter().enumerate();
            let fitting = letters.filter(|(_, letter)| **letter == edge.letter);
            let mut fitting = fitting.map(|(at, _)| self.stepper.steps.get(at));
            if let Some(step) = fitting.find(|step| step.target == target) {
                return PathStep {
                    event: Event::Group(step.group),
                    words: step.label.to_vec(),
                    state: target,
                };
            }
        }
        assert!(
            !candidates.is_empty(),
            "a step of the graph is a step of the system"
        );
        candidates.swap_remove(0)
    }

    /// A shortest way to a state through what is known of the graph.
    pub(crate) fn way_to(&self, state: u32) -> Walk {
        let mut before: Vec<Option<(u32, Edge)>> = vec![None; self.len()];
        let mut is_seen = vec![false; self.len()];
        let mut order: Vec<u32> = self.initial.iter().map(|(state, _)| *state).collect();
        order
            .iter()
            .for_each(|state| is_seen[*state as usize] = true);
        let mut at = 0;
        while at < order.len() && !is_seen[state as usize] {
            let from = order[at];
            at += 1;
            if !self.is_expanded(from) {
                continue;
            }
            for edge in self.edges(from) {
                if !std::mem::replace(&mut is_seen[edge.target as usize], true) {
                    before[edge.target as usize] = Some((from, *edge));
                    order.push(edge.target);
                }
            }
        }
        let (mut walk, mut at) = (Vec::new(), state);
        while let Some((from, edge)) = before[at as usize] {
            walk.push((from, edge));
            at = from;
        }
        walk.reverse();
        walk
    }

    /// Evaluating the steps out of a state faulted.
    pub(crate) fn event_fault(&mut self, state: u32) -> Verdict {
        let Some((group, fault)) = self.fault(state).cloned() else {
            return Verdict::Open(self.stopped());
        };
        let walk = self.way_to(state);
        Verdict::Fault {
            fault,
            atom: None,
            event: Some(Event::Group(group)),
            path: self.path(state, &walk),
        }
    }

    /// An atom that matters has no value, in a state or in a step out of it.
    pub(crate) fn atom_fault(&mut self, state: u32, edge: Option<Edge>, atom: u32) -> Verdict {
        let mut walk = self.way_to(state);
        walk.extend(edge.map(|edge| (state, edge)));
        let fault = self.undefined_atom(state, edge, atom);
        match fault {
            None => Verdict::Open(self.stopped()),
            Some(fault) if fault.kind.leaves_open() => {
                let mut open = self.reasons();
                open.push(Open::Budget(1, fault));
                Verdict::Open(open)
            }
            Some(fault) => Verdict::Fault {
                fault,
                atom: Some(atom),
                event: None,
                path: self.path(state, &walk),
            },
        }
    }

    /// Asks again why an atom has no value; `None` when the answer was halted.
    fn undefined_atom(&mut self, state: u32, edge: Option<Edge>, atom: u32) -> Option<Fault> {
        let source = self.load(state);
        let target = edge.map(|edge| self.load(edge.target));
        self.stepper.ask(&source, self.watch).ok()?;
        let is_it = |at: Option<usize>| match (at, edge, &target) {
            (None, None, _) => true,
            (Some(at), Some(edge), Some(target)) => {
                self.stepper.letters_of_steps[at] == edge.letter
                    && self.stepper.steps.get(at).target == target
            }
            _ => false,
        };
        let mut undefined = self.stepper.undefined.iter();
        let found = undefined.find(|(at, which, _)| *which == atom && is_it(*at));
        found.map(|(_, _, fault)| fault.clone())
    }
}

fn steps_to(system: &dyn System, source: &[u32], target: &[u32]) -> Vec<PathStep> {
    let mut found = Vec::new();
    let mut worker = system.worker();
    worker.go_past_faults();
    worker.all_successors(
        source,
        &mut |group, step| {
            if step.target == target {
                found.push(PathStep {
                    event: Event::Group(group),
                    words: step.label.to_vec(),
                    state: target.to_vec(),
                });
            }
            Flow::Continue
        },
        &mut |_, _| {},
    );
    found
}
