//! The graph of a body that SPIN analyses: every element is a state, choices and blocks included.

use std::collections::hash_map::Entry;

use lang_promela::syntax::VarId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Lowering;
use crate::flow::{ElementId, Flow, Node, SequenceId};

/// The graph; the edges of a state stand in SPIN's order, the one added last foremost.
#[derive(Debug, Default)]
pub(super) struct Automaton {
    pub(super) edges: FxHashMap<ElementId, Vec<Way>>,
    /// States in the order SPIN goes through them.
    pub(super) order: Vec<ElementId>,
}

/// An edge.
#[derive(Debug)]
pub(super) struct Way {
    pub(super) to: Option<ElementId>,
    /// The step; `None` for the way into an escape.
    pub(super) step: Option<ElementId>,
    pub(super) reads: Vec<VarId>,
    pub(super) writes: Vec<VarId>,
}

impl Lowering<'_> {
    pub(super) fn automaton(&self, flow: &Flow<'_>) -> Automaton {
        let mut automaton = Automaton::default();
        let mut done = FxHashSet::default();
        if let Some(top) = flow.top {
            self.follow(flow, top, &mut done, &mut automaton);
        }
        automaton.order.reverse();
        automaton
    }

    fn follow(
        &self,
        flow: &Flow<'_>,
        id: SequenceId,
        done: &mut FxHashSet<ElementId>,
        automaton: &mut Automaton,
    ) {
        let mut at = flow.sequences[id].first;
        while let Some(from) = at {
            if done.insert(from) {
                base::deep::recurse(|| self.element_ways(flow, from, done, automaton));
            }
            at = if Some(from) == flow.sequences[id].last {
                None
            } else {
                flow.elements[from].next
            };
        }
    }

    fn element_ways(
        &self,
        flow: &Flow<'_>,
        from: ElementId,
        done: &mut FxHashSet<ElementId>,
        automaton: &mut Automaton,
    ) {
        let element = &flow.elements[from];
        let beginning =
            |id: SequenceId| flow.sequences[id].first.map(|first| flow.beginning(first));
        match element.node {
            Node::Unless => self.follow(flow, element.sub[0], done, automaton),
            Node::If | Node::Do => {
                for sub in &element.sub {
                    if let Some(to) = beginning(*sub).filter(|to| !flow.is_never(*to)) {
                        self.way(flow, automaton, from, Some(to), Some(from));
                    }
                }
                for sub in &element.sub {
                    self.follow(flow, *sub, done, automaton);
                }
            }
            Node::Atomic(inner) | Node::DStep(inner) | Node::Block(inner) => {
                self.way(flow, automaton, from, beginning(inner), Some(from));
                self.follow(flow, inner, done, automaton);
            }
            node => {
                let next = match node {
                    Node::Goto(target) => Some(flow.target(target)),
                    _ => element.next,
                };
                let to = next.map(|next| flow.rest(next, element.is_atomic));
                self.way(flow, automaton, from, to, Some(from));
                if !matches!(node, Node::Goto(_) | Node::Dot) {
                    for escape in &element.escapes {
                        self.way(flow, automaton, from, beginning(*escape), None);
                        self.follow(flow, *escape, done, automaton);
                    }
                }
            }
        }
    }

    fn way(
        &self,
        flow: &Flow<'_>,
        automaton: &mut Automaton,
        from: ElementId,
        to: Option<ElementId>,
        step: Option<ElementId>,
    ) {
        let (reads, writes) = match step {
            Some(step) => self.uses(flow, step),
            None => (Vec::new(), Vec::new()),
        };
        for state in [Some(from), to].into_iter().flatten() {
            if let Entry::Vacant(entry) = automaton.edges.entry(state) {
                entry.insert(Vec::new());
                automaton.order.push(state);
            }
        }
        let way = Way {
            to,
            step,
            reads,
            writes,
        };
        if let Some(ways) = automaton.edges.get_mut(&from) {
            ways.insert(0, way);
        }
    }
}
