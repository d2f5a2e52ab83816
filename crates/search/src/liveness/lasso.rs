//! Short evidence from what the search found: a nearest way in and a shortest loop.
//!
//! Technique: breadth-first search for the way in, then a shortest loop through its end (`rounds.rs`). Other ways in are
//! tried as long as way and loop together get shorter, short loops first.
//! A loop that repeats itself is folded, and the end of the way in that already is the loop joins it.
//! Invariant: folding does not change the word, so the evidence shows what the search found.

use rustc_hash::FxHashMap;

use super::fairness::Conditions;
use super::outcome::{End, Evidence};
use super::paths::Walk;
use super::product::{Cursor, Machine, Node, Numbers};
use super::rounds::{Found, Realm, Rounds, Trail, trail_to};
use super::space::{Space, Trouble};

/// Edges that may be followed to find a shorter loop: a moment's work.
const EFFORT: usize = 2_000_000;

/// The evidence for a deadlock in which the word may end.
pub(crate) fn into_deadlock(
    space: &mut Space<'_>,
    machine: &Machine,
    visited: &Numbers,
) -> Option<Evidence> {
    let goal = |space: &Space<'_>, node: Node| {
        space.is_end(node.0) && machine.may_end(space, node).unwrap_or(false)
    };
    let (trail, last) = way(space, machine, visited, &goal)?;
    let walk: Walk = trail
        .iter()
        .map(|(node, step)| (node.0, step.edge))
        .collect();
    Some(Evidence {
        path: space.path(last.0, &walk),
        end: End::Deadlock,
        closing: None,
        marks: Vec::new(),
    })
}

/// The evidence for a cycle through a part of the product.
pub(crate) fn round(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    visited: &Numbers,
    part: &[Node],
) -> Option<Evidence> {
    let set: FxHashMap<Node, ()> = part.iter().map(|node| (*node, ())).collect();
    let goal = |_: &Space<'_>, node: Node| set.contains_key(&node);
    let (trail, entry) = way(space, conditions.machine, visited, &goal)?;
    let rounds = Rounds::new(space, conditions, part, &set);
    let trail_of_loop = rounds.through(space, entry)?;
    let (trail, trail_of_loop) = shorter(space, &rounds, (trail, trail_of_loop));
    let flat = |trail: &Trail| {
        trail
            .iter()
            .map(|(node, step)| (node.0, step.edge))
            .collect()
    };
    let (mut before, mut round): (Walk, Walk) = (flat(&trail), flat(&trail_of_loop));
    fold(&mut before, &mut round);
    let start = before.len();
    let walk = [before, round].concat();
    let (last, closing) = (walk.len() - 1, walk[walk.len() - 1]);
    let path = space.path(closing.0, &walk[..last]);
    // Set-up and initialisation come before the first event.
    let start = path.len() - (last - start) - 1;
    Some(Evidence {
        end: End::Lasso { start },
        closing: Some(space.step(closing.0, closing.1)),
        path,
        marks: Vec::new(),
    })
}

/// A shortest way from the beginning to a node that is wanted.
pub(super) fn way(
    space: &mut Space<'_>,
    machine: &Machine,
    visited: &Numbers,
    goal: &dyn Fn(&Space<'_>, Node) -> bool,
) -> Option<(Trail, Node)> {
    let starts: Vec<Node> = space
        .initial
        .iter()
        .flat_map(|(state, _)| machine.initial.iter().map(|q| (*state, *q)))
        .collect();
    // When the search for something shorter meets trouble, what is known is enough.
    match nearest(space, machine, &starts, Realm::nearby(space), goal) {
        Ok(Some(found)) => Some(found),
        _ => nearest(space, machine, &starts, Realm::Visited(visited), goal).unwrap_or(None),
    }
}

/// Breadth-first search from `starts` to the nearest node that is wanted.
fn nearest(
    space: &mut Space<'_>,
    machine: &Machine,
    starts: &[Node],
    realm: Realm<'_>,
    goal: &dyn Fn(&Space<'_>, Node) -> bool,
) -> Result<Option<(Trail, Node)>, Trouble> {
    let mut seen = Numbers::new(machine);
    // Each node with its predecessor in the list and the edge from there.
    let mut order: Vec<Found> = Vec::new();
    for start in starts {
        if realm.has(*start) && seen.get(*start) == 0 {
            seen.set(*start, 1);
            order.push((*start, 0, None));
        }
    }
    let mut at = 0;
    while at < order.len() {
        let node = order[at].0;
        if !realm.expand(space, node)? {
            return Ok(None);
        }
        if goal(space, node) {
            return Ok(Some((trail_to(&order, at), node)));
        }
        let mut cursor = Cursor::default();
        while let Some(step) = machine.next(space, node, &mut cursor)? {
            if realm.has(step.target) && seen.get(step.target) == 0 {
                seen.set(step.target, 1);
                order.push((step.target, at, Some(step)));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// A way in and a loop that are shorter together, if there are such in what is known.
fn shorter(space: &mut Space<'_>, rounds: &Rounds<'_>, first: (Trail, Trail)) -> (Trail, Trail) {
    let machine = rounds.conditions.machine;
    let mut best = first;
    let (order, depths) = known_nodes(space, machine, best.0.len() + best.1.len());
    let (mut most, mut effort) = (1, 0);
    while most < best.1.len() && rounds.is_exact() {
        for (at, depth) in depths.iter().enumerate() {
            let total = best.0.len() + best.1.len();
            let node = order[at].0;
            if depth + 1 >= total {
                break;
            }
            if !rounds.part.contains_key(&node) {
                continue;
            }
            let within = Realm::Part(rounds.part);
            let most = most.min(total - depth - 1);
            let found = rounds.shortest(space, node, within, most, &mut effort);
            if let Ok(Some(round)) = found {
                best = (trail_to(&order, at), round);
            }
            if effort > EFFORT {
                return best;
            }
        }
        most *= 2;
    }
    best
}

/// The nodes of the product that are known, up to a distance from the beginning, with that distance.
fn known_nodes(space: &Space<'_>, machine: &Machine, most: usize) -> (Vec<Found>, Vec<usize>) {
    let mut seen = Numbers::new(machine);
    let (mut order, mut depths): (Vec<Found>, Vec<usize>) = (Vec::new(), Vec::new());
    for (state, _) in &space.initial {
        for q in &machine.initial {
            if seen.get((*state, *q)) == 0 {
                seen.set((*state, *q), 1);
                order.push(((*state, *q), 0, None));
                depths.push(0);
            }
        }
    }
    let mut at = 0;
    while at < order.len() && depths[at] < most && order.len() < EFFORT / 8 {
        let node = order[at].0;
        let mut cursor = Cursor::default();
        while space.is_expanded(node.0)
            && let Ok(Some(step)) = machine.next(space, node, &mut cursor)
        {
            if seen.get(step.target) == 0 {
                seen.set(step.target, 1);
                order.push((step.target, at, Some(step)));
                depths.push(depths[at] + 1);
            }
        }
        at += 1;
    }
    (order, depths)
}

/// Folds a loop that repeats itself, and lets the end of the way in join the loop it already is.
fn fold(before: &mut Walk, round: &mut Walk) {
    let len = round.len();
    let period = (1..=len).filter(|period| len.is_multiple_of(*period));
    let repeats = |period: &usize| (*period..len).all(|at| round[at] == round[at - period]);
    if let Some(period) = period.into_iter().find(repeats) {
        round.truncate(period);
    }
    while before.last().is_some() && before.last() == round.last() {
        before.pop();
        round.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::liveness::space::Edge;

    #[test]
    fn a_loop_is_folded_and_joined_by_its_way_in() {
        let step = |from: u32, target: u32| (from, Edge { target, letter: 0 });
        let mut before = vec![step(0, 1), step(1, 2), step(2, 1)];
        let mut round = vec![step(1, 2), step(2, 1), step(1, 2), step(2, 1)];
        fold(&mut before, &mut round);
        assert_eq!(before, [step(0, 1)]);
        assert_eq!(round, [step(1, 2), step(2, 1)]);
    }
}
