//! Ways through the explicit graph that show why a branching formula holds or fails.

use rustc_hash::FxHashMap;

use super::evidence::{Ever, Ground, Way, Why};
use super::fixed_points::{Sets, step_counts};
use crate::liveness::Evidence;
use crate::liveness::paths::Walk;
use crate::liveness::space::{Edge, Space};

/// The graph with the sets of states where parts hold.
pub(super) struct InGraph<'g, 's> {
    pub(super) space: &'g Space<'s>,
    pub(super) sets: &'g Sets,
}

impl Ground for InGraph<'_, '_> {
    type State = u32;
    type Step = Edge;

    fn is_known(&self, part: usize, state: &u32, holds: bool) -> bool {
        match holds {
            true => self.sets.must_hold(part, *state),
            false => !self.sets.may_hold(part, *state),
        }
    }

    fn step_to(&mut self, from: &u32, by: Option<u32>, part: usize) -> Option<(Edge, u32)> {
        let mut edges = self.space.edges(*from).iter();
        let leads = |edge: &&Edge| {
            step_counts(self.space, edge, by) && self.sets.must_hold(part, edge.target)
        };
        edges.find(leads).map(|edge| (*edge, edge.target))
    }

    fn way_to(&mut self, from: &u32, part: usize, goal: usize) -> Way<Self> {
        let inside = |state: u32| self.sets.must_hold(part, state);
        let goal = |state: u32| self.sets.must_hold(goal, state);
        let way = walk_to(self.space, *from, &inside, &goal).unwrap_or_default();
        let last = way.last().map_or(*from, |(_, edge)| edge.target);
        (way, last)
    }

    fn way_for_ever(&mut self, from: &u32, part: usize) -> Ever<Self> {
        let inside = |state: u32| self.sets.must_hold(part, state);
        let (nodes, is_on_cycle) = cycles(self.space, *from, &inside);
        let goal = |state: u32| {
            self.space.is_end(state)
                || nodes
                    .get(&state)
                    .is_some_and(|at| is_on_cycle[*at as usize])
        };
        let before = walk_to(self.space, *from, &inside, &goal).unwrap_or_default();
        let entry = before.last().map_or(*from, |(_, edge)| edge.target);
        // A step out of the entry, then the shortest way back.
        let mut best: Option<Walk> = None;
        let edges = self.space.edges(entry).iter();
        for edge in edges.filter(|edge| inside(edge.target)) {
            let back = walk_to(self.space, edge.target, &inside, &|state| state == entry);
            if let Some(back) = back
                && best.as_ref().is_none_or(|best| back.len() + 1 < best.len())
            {
                best = Some([vec![(entry, *edge)], back].concat());
            }
        }
        let round = best.unwrap_or_default();
        Ever { before, round }
    }
}

impl Why<u32, Edge> {
    /// The path as steps.
    pub(super) fn evidence(self, space: &mut Space<'_>) -> Evidence {
        let path = space.path(self.first, &self.walk);
        // Set-up and initialisation come before the first event.
        let (end, marks) = self.account(path.len() - self.walk.len() - 1);
        Evidence {
            path,
            end,
            closing: self.closing.map(|(from, edge)| space.step(from, edge)),
            marks,
        }
    }
}

/// A shortest walk within a set to a state that is wanted; empty when it begins there.
fn walk_to(
    space: &Space<'_>,
    from: u32,
    inside: &dyn Fn(u32) -> bool,
    goal: &dyn Fn(u32) -> bool,
) -> Option<Walk> {
    let mut before: FxHashMap<u32, Option<(u32, Edge)>> = FxHashMap::default();
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
        let edges = space.edges(state).iter();
        for edge in edges.filter(|edge| inside(edge.target)) {
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
) -> (FxHashMap<u32, u32>, Vec<bool>) {
    let mut nodes: FxHashMap<u32, u32> = FxHashMap::default();
    nodes.insert(from, 0);
    let mut order = vec![from];
    let mut at = 0;
    while at < order.len() {
        let edges = space.edges(order[at]).iter();
        for edge in edges.filter(|edge| inside(edge.target)) {
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
