//! What shows that a branching formula holds or fails in a state of a diagram: a path step by step through the sets that were found.

use ldd::Node;
use pins::{Event, Flow, PathStep};

use super::{Part, Work};
use crate::branching::Ctl;
use crate::branching::evidence::{Ever, Ground, Way, Why};
use crate::liveness::Evidence;

impl Work<'_, '_> {
    pub(super) fn evidence(&mut self, formula: &Ctl, state: Vec<u32>, holds: bool) -> Evidence {
        let why = Why::new(self, formula, state, holds);
        self.steps_of(why)
    }

    pub(super) fn steps_of(&mut self, why: Why<Vec<u32>, PathStep>) -> Evidence {
        let mut path = self.run.beginning(&self.run.to_slots(&why.first));
        let (end, marks) = why.account(path.len() - 1);
        path.extend(why.walk.into_iter().map(|(_, step)| step));
        Evidence {
            path,
            end,
            closing: why.closing.map(|(_, step)| step),
            marks,
        }
    }

    /// The steps out of a state, each with its target as diagrams have it.
    fn steps(&mut self, from: &[u32]) -> Vec<(PathStep, Vec<u32>)> {
        let source = self.run.to_slots(from);
        let order = &self.run.order;
        let mut steps = Vec::new();
        self.run.learner.state().worker.all_successors(
            &source,
            &mut |group, step| {
                let target = order.iter().map(|slot| step.target[*slot]).collect();
                let step = PathStep {
                    event: Event::Group(group),
                    words: step.label.to_vec(),
                    state: step.target.to_vec(),
                };
                steps.push((step, target));
                Flow::Continue
            },
            &mut |_, _| {},
        );
        steps
    }

    fn step_into(
        &mut self,
        from: &[u32],
        by: Option<u32>,
        set: Node,
    ) -> Option<(PathStep, Vec<u32>)> {
        let steps = self.steps(from);
        steps.into_iter().find(|(step, target)| {
            let is_taken = match step.event {
                Event::Group(group) => self.is_taken(group, by),
                _ => false,
            };
            is_taken && self.run.store.contains(set, target)
        })
    }
}

impl Ground for Work<'_, '_> {
    /// As diagrams have it.
    type State = Vec<u32>;
    type Step = PathStep;

    fn is_known(&self, part: usize, state: &Vec<u32>, holds: bool) -> bool {
        let Part { must, may, .. } = &self.parts[part];
        match holds {
            true => self.run.store.contains(*must, state),
            false => !self.run.store.contains(*may, state),
        }
    }

    fn step_to(
        &mut self,
        from: &Vec<u32>,
        by: Option<u32>,
        part: usize,
    ) -> Option<(PathStep, Vec<u32>)> {
        let set = self.parts[part].must;
        self.step_into(from, by, set)
    }

    fn way_to(&mut self, from: &Vec<u32>, part: usize, _: usize) -> Way<Self> {
        let rings = self.parts[part].rings.clone();
        let holds = |ring: &Node| self.run.store.contains(*ring, from);
        let at = rings.iter().position(holds).unwrap_or(0);
        let (mut way, mut state) = (Vec::new(), from.clone());
        for ring in rings[..at].iter().rev() {
            let Some((step, target)) = self.step_into(&state, None, *ring) else {
                break;
            };
            way.push((std::mem::replace(&mut state, target), step));
        }
        (way, state)
    }

    fn way_for_ever(&mut self, from: &Vec<u32>, part: usize) -> Ever<Self> {
        let set = self.parts[part].must;
        let mut seen = rustc_hash::FxHashMap::default();
        let (mut before, mut state) = (Vec::new(), from.clone());
        let mut round = Vec::new();
        loop {
            if let Some(start) = seen.insert(state.clone(), before.len()) {
                round = before.split_off(start);
                break;
            }
            let Some((step, target)) = self.step_into(&state, None, set) else {
                break;
            };
            before.push((std::mem::replace(&mut state, target), step));
            if self.run.store.is_stopping() {
                break;
            }
        }
        Ever { before, round }
    }
}
