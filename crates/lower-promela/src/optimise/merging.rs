//! Steps that are merged with the step before them.
//!
//! A step that always can happen and that no other process notices (or that stands in an atomic sequence) is eligible. Chains of
//! eligible steps become one; a guard, a receive or a send into a buffer can only start one.

use lang_promela::syntax::{Initialiser, StmtKind};
use rustc_hash::FxHashMap;

use super::Optimised;
use super::automaton::Automaton;
use crate::Lowering;
use crate::flow::{ElementId, Flow, Node};

/// What is known of chains so far.
#[derive(Default)]
struct Chains {
    /// Where the chain that begins with a step leads.
    merge: FxHashMap<ElementId, ElementId>,
    /// Where an eligible step leads that stands alone.
    single: FxHashMap<ElementId, ElementId>,
    /// Where the chain behind a starting step leads.
    start: FxHashMap<ElementId, ElementId>,
}

impl Lowering<'_> {
    pub(super) fn merging(&self, flow: &Flow<'_>, automaton: &Automaton, out: &mut Optimised) {
        let mut chains = Chains::default();
        for state in &automaton.order {
            for way in &automaton.edges[state] {
                let Some(step) = way.step else {
                    continue;
                };
                if chains.merge.contains_key(&step) || !self.is_eligible(flow, automaton, *state) {
                    continue;
                }
                match way.to {
                    Some(to) if self.is_eligible(flow, automaton, to) => {
                        self.chain(flow, automaton, *state, &mut chains, &mut Vec::new());
                    }
                    Some(to) => {
                        chains.single.insert(step, to);
                    }
                    None => {}
                }
            }
        }
        self.starts(flow, automaton, &mut chains);
        out.followers = chains.single;
        out.followers
            .extend(chains.merge.iter().map(|(step, to)| (*step, *to)));
        out.merged = chains.merge;
        out.merged.extend(chains.start);
    }

    /// Guards, receives and sends that can start a chain.
    fn starts(&self, flow: &Flow<'_>, automaton: &Automaton, chains: &mut Chains) {
        let rendezvous = self.has_rendezvous();
        for state in &automaton.order {
            for way in &automaton.edges[state] {
                let Some(step) = way.step.filter(|step| !chains.merge.contains_key(step)) else {
                    continue;
                };
                let starts = match flow.elements[step].node {
                    Node::Until(..) | Node::AtMost(..) | Node::Skip => true,
                    Node::Statement(id) => match &self.syntax.stmts[id].kind {
                        StmtKind::Expression(value) => !self.has_run(*value),
                        StmtKind::Receive { .. } => true,
                        StmtKind::Send { .. } => !rendezvous,
                        _ => false,
                    },
                    _ => false,
                };
                if !starts || !self.can_start(flow, automaton, *state, step) {
                    continue;
                }
                let next = way
                    .to
                    .and_then(|to| automaton.edges.get(&to))
                    .and_then(|ways| ways.first());
                let Some(next) = next.and_then(|way| way.step) else {
                    continue;
                };
                if let Some(to) = chains.merge.get(&next).or(chains.single.get(&next)) {
                    let to = *to;
                    chains.start.insert(step, to);
                }
            }
        }
    }

    /// Where the chain that begins at a state leads.
    fn chain(
        &self,
        flow: &Flow<'_>,
        automaton: &Automaton,
        state: ElementId,
        chains: &mut Chains,
        open: &mut Vec<ElementId>,
    ) -> Option<ElementId> {
        let way = automaton.edges.get(&state)?.first()?;
        let step = way.step?;
        if let Some(known) = chains.merge.get(&step) {
            return Some(*known);
        }
        if !self.is_eligible(flow, automaton, state) || open.contains(&step) {
            return None;
        }
        open.push(step);
        let to = way.to?;
        let further = base::deep::recurse(|| self.chain(flow, automaton, to, chains, open));
        open.pop();
        let end = further.unwrap_or(to);
        chains.merge.insert(step, end);
        Some(end)
    }

    /// Whether the only step of a state can follow others in one step.
    fn is_eligible(&self, flow: &Flow<'_>, automaton: &Automaton, state: ElementId) -> bool {
        let Some([way]) = automaton.edges.get(&state).map(|ways| &ways[..]) else {
            return false;
        };
        let Some(step) = way.step else {
            return false;
        };
        let element = &flow.elements[step];
        let kind = match element.node {
            Node::Set(..) | Node::SetNumber(..) | Node::Next(_) | Node::Declared(_) => true,
            // The end of a loop carries the label that `break` jumps to, so it is never merged.
            Node::Goto(_) | Node::Dot => true,
            Node::Rotate(kind, ..) => {
                use crate::flow::Rotate;
                matches!(kind, Rotate::Start | Rotate::Count)
            }
            Node::Statement(id) => matches!(
                self.syntax.stmts[id].kind,
                StmtKind::Assign(..)
                    | StmtKind::Increment(_)
                    | StmtKind::Decrement(_)
                    | StmtKind::Assert(_)
                    | StmtKind::Print { .. }
                    | StmtKind::PrintMtype(_)
            ),
            _ => false,
        };
        kind && element.escapes.is_empty()
            && element.labels.is_empty()
            && (element.is_atomic || element.ends_atomic || !self.is_shared(element.node))
    }

    /// Whether a blocking step can start a chain.
    fn can_start(
        &self,
        flow: &Flow<'_>,
        automaton: &Automaton,
        state: ElementId,
        step: ElementId,
    ) -> bool {
        let element = &flow.elements[step];
        automaton.edges[&state].len() == 1
            && element.escapes.is_empty()
            && !element.is_asked
            && (element.is_atomic || element.ends_atomic || !self.is_shared(element.node))
    }

    fn has_rendezvous(&self) -> bool {
        self.syntax
            .vars
            .iter()
            .any(|(_, variable)| match &variable.init {
                Some(Initialiser::Channel { capacity, .. }) => {
                    self.facts.constants.get(capacity) == Some(&0)
                }
                _ => false,
            })
    }
}
