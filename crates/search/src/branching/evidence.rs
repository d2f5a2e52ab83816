//! One path that shows why a branching formula holds or fails in a state, as far as one path can.
//!
//! What says "some path" is shown by that path, and what denies "every path" too; a conjunction that fails by the
//! part that fails. What says "every path", or denies "some path", is not shown by any single one.

use super::fixed_points::{Sets, step_counts};
use super::formula::Ctl;
use crate::liveness::paths::Walk;
use crate::liveness::space::{Edge, Space};
use crate::liveness::{End, Evidence, Mark};

/// A path with the parts of the formula that it shows.
pub(super) struct Why {
    first: u32,
    walk: Walk,
    end: Option<(usize, End)>,
    /// Position, part, whether it holds, whether the path shows it.
    marks: Vec<(usize, usize, bool, bool)>,
    closing: Option<(u32, Edge)>,
}

impl Why {
    /// Why a formula holds, or fails, in a state.
    pub(super) fn new(
        space: &Space<'_>,
        sets: &Sets,
        formula: &Ctl,
        state: u32,
        holds: bool,
    ) -> Why {
        let mut why = Why {
            first: state,
            walk: Vec::new(),
            end: None,
            marks: Vec::new(),
            closing: None,
        };
        why.show(space, sets, formula, 0, state, holds);
        why
    }

    /// Whether it is more than the state itself.
    pub(super) fn is_telling(&self) -> bool {
        !self.walk.is_empty() || self.closing.is_some()
    }

    /// The path as steps.
    pub(super) fn evidence(self, space: &mut Space<'_>) -> Evidence {
        let path = space.path(self.first, &self.walk);
        // Set-up and initialisation come before the first event.
        let before = path.len() - self.walk.len() - 1;
        let mark = |(at, part, holds, is_explained)| Mark {
            step: before + at,
            part,
            holds,
            is_explained,
        };
        let end = match self.end {
            Some((at, End::Lasso { .. })) => End::Lasso { start: before + at },
            Some((_, end)) => end,
            None => End::BadPrefix,
        };
        Evidence {
            path,
            end,
            closing: self.closing.map(|(from, edge)| space.step(from, edge)),
            marks: self.marks.into_iter().map(mark).collect(),
        }
    }

    fn show(
        &mut self,
        space: &Space<'_>,
        sets: &Sets,
        formula: &Ctl,
        at: usize,
        state: u32,
        holds: bool,
    ) {
        let parts = formula.numbered_parts(at);
        let is_shown = match (formula, holds) {
            (Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsGlobally(_), false) => false,
            (Ctl::And(_), true) | (Ctl::Or(_), false) => {
                parts.iter().filter(|(_, part)| is_temporal(part)).count() <= 1
            }
            _ => true,
        };
        self.marks.push((self.walk.len(), at, holds, is_shown));
        if !is_shown {
            return;
        }
        match formula {
            Ctl::True | Ctl::False | Ctl::Atom(_) => {}
            Ctl::Not(a) => self.show(space, sets, a, at + 1, state, !holds),
            Ctl::And(_) | Ctl::Or(_) => {
                let decides = matches!(formula, Ctl::Or(_)) == holds;
                let mut parts = parts.into_iter();
                let next = match decides {
                    // One part is enough; one that is about this state alone is shown best.
                    true => {
                        let known =
                            |(number, _): &(usize, &Ctl)| sets.is_known(*number, state, holds);
                        let mut known: Vec<(usize, &Ctl)> = parts.filter(known).collect();
                        known.sort_by_key(|(_, part)| is_temporal(part));
                        known.into_iter().next()
                    }
                    false => parts.find(|(_, part)| is_temporal(part)),
                };
                if let Some((number, part)) = next {
                    self.show(space, sets, part, number, state, holds);
                }
            }
            Ctl::ExistsNext(step, a) => {
                let mut edges = space.edges(state).iter();
                let leads = |edge: &&Edge| {
                    step_counts(space, edge, *step) && sets.must_hold(at + 1, edge.target)
                };
                if let Some(edge) = edges.find(leads) {
                    self.walk.push((state, *edge));
                    self.show(space, sets, a, at + 1, edge.target, true);
                }
            }
            Ctl::ExistsUntil(..) => {
                let (second, b) = parts[1];
                let inside = |state: u32| sets.must_hold(at, state);
                let goal = |state: u32| sets.must_hold(second, state);
                let way = walk_to(space, state, &inside, &goal).unwrap_or_default();
                let last = way.last().map_or(state, |(_, edge)| edge.target);
                self.walk.extend(way);
                self.show(space, sets, b, second, last, true);
            }
            Ctl::ExistsGlobally(_) => self.go_round(space, state, &|s| sets.must_hold(at, s)),
        }
    }

    /// A path that stays in a set for ever, or to a deadlock. All states of the set have one.
    fn go_round(&mut self, space: &Space<'_>, state: u32, inside: &dyn Fn(u32) -> bool) {
        let (nodes, is_on_cycle) = cycles(space, state, inside);
        let goal = |state: u32| {
            space.edges(state).is_empty()
                || nodes
                    .get(&state)
                    .is_some_and(|at| is_on_cycle[*at as usize])
        };
        let way = walk_to(space, state, inside, &goal).unwrap_or_default();
        let entry = way.last().map_or(state, |(_, edge)| edge.target);
        self.walk.extend(way);
        let start = self.walk.len();
        if space.edges(entry).is_empty() {
            self.end = Some((start, End::Deadlock));
            return;
        }
        // A step out of the entry, then the shortest way back.
        let mut best: Option<Walk> = None;
        for edge in space.edges(entry).iter().filter(|edge| inside(edge.target)) {
            let back = walk_to(space, edge.target, inside, &|state| state == entry);
            if let Some(back) = back
                && best.as_ref().is_none_or(|best| back.len() + 1 < best.len())
            {
                best = Some([vec![(entry, *edge)], back].concat());
            }
        }
        let mut round = best.unwrap_or_default();
        self.closing = round.pop();
        self.walk.extend(round);
        self.end = Some((start, End::Lasso { start: 0 }));
    }
}

/// Whether a formula is about more than one state.
fn is_temporal(formula: &Ctl) -> bool {
    let own = matches!(
        formula,
        Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsGlobally(_)
    );
    own || formula.parts().into_iter().any(is_temporal)
}

/// A shortest walk within a set to a state that is wanted; empty when it begins there.
fn walk_to(
    space: &Space<'_>,
    from: u32,
    inside: &dyn Fn(u32) -> bool,
    goal: &dyn Fn(u32) -> bool,
) -> Option<Walk> {
    let mut before: rustc_hash::FxHashMap<u32, Option<(u32, Edge)>> = Default::default();
    before.insert(from, None);
    let mut order = vec![from];
    let mut at = 0;
    while at < order.len() {
        let state = order[at];
        at += 1;
        if goal(state) {
            let (mut walk, mut at) = (Vec::new(), state);
            while let Some(Some((source, edge))) = before.get(&at) {
                walk.push((*source, *edge));
                at = *source;
            }
            walk.reverse();
            return Some(walk);
        }
        for edge in space.edges(state).iter().filter(|edge| inside(edge.target)) {
            before.entry(edge.target).or_insert_with(|| {
                order.push(edge.target);
                Some((state, *edge))
            });
        }
    }
    None
}

/// The states that are reached within a set, numbered, and whether each lies on a cycle within it.
fn cycles(
    space: &Space<'_>,
    from: u32,
    inside: &dyn Fn(u32) -> bool,
) -> (rustc_hash::FxHashMap<u32, u32>, Vec<bool>) {
    let mut nodes: rustc_hash::FxHashMap<u32, u32> = Default::default();
    nodes.insert(from, 0);
    let mut order = vec![from];
    let mut at = 0;
    while at < order.len() {
        for edge in space
            .edges(order[at])
            .iter()
            .filter(|edge| inside(edge.target))
        {
            nodes.entry(edge.target).or_insert_with(|| {
                order.push(edge.target);
                order.len() as u32 - 1
            });
        }
        at += 1;
    }
    let targets = |at: usize| {
        let edges = space.edges(order[at]).iter();
        edges
            .filter_map(|edge| nodes.get(&edge.target).copied())
            .collect::<Vec<u32>>()
    };
    let (component, count) = buchi::components(order.len(), targets);
    let mut has_edge = vec![false; count];
    for at in 0..order.len() {
        let own = component[at];
        has_edge[own as usize] |= targets(at).iter().any(|to| component[*to as usize] == own);
    }
    let is_on_cycle = component
        .iter()
        .map(|own| has_edge[*own as usize])
        .collect();
    (nodes, is_on_cycle)
}
