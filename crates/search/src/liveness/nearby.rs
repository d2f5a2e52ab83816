//! Looks for a violation near the beginning, once it is known that there is one: depth-first search finds it anywhere.
//!
//! Technique: the first nodes in breadth-first order, then twice as many and so on, up to a bound; the component of
//! that part of the product which begins nearest and in which a cycle is accepted and fair.
//! Invariant: answers nothing rather than search for long; what is found is as good a violation as the first one.

use buchi::components;
use rustc_hash::FxHashMap;

use super::fairness::Conditions;
use super::product::{Cursor, Node, Numbers};
use super::space::{Space, Trouble};

/// The first part has so many nodes,
const FIRST: usize = 64;
/// and the last one at most so many: a moment's work.
const LAST: usize = 1 << 15;

/// A strongly connected set of nodes near the beginning in which a cycle through all edges is accepted and fair.
pub(crate) fn part(space: &mut Space<'_>, conditions: &Conditions<'_>) -> Option<Vec<Node>> {
    let mut most = FIRST;
    while most <= LAST {
        // Trouble beyond what the search has seen is no trouble: it has found a violation.
        let nodes = first_nodes(space, conditions, most).ok()?;
        let is_all = nodes.len() < most;
        if let Some(part) = nearest_good(space, conditions, &nodes) {
            return Some(part);
        }
        if is_all {
            return None;
        }
        most *= 8;
    }
    None
}

/// The nodes nearest to the beginning, in breadth-first order, all of them expanded.
fn first_nodes(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    most: usize,
) -> Result<Vec<Node>, Trouble> {
    let machine = conditions.machine;
    let mut seen = Numbers::new(machine);
    let starts: Vec<Node> = space
        .initial
        .iter()
        .flat_map(|(state, _)| machine.initial.iter().map(|q| (*state, *q)))
        .take(most)
        .collect();
    let mut order = Vec::new();
    for start in starts {
        if seen.get(start) == 0 {
            seen.set(start, 1);
            order.push(start);
        }
    }
    let mut at = 0;
    while at < order.len() {
        let node = order[at];
        space.expand(node.0)?;
        let mut cursor = Cursor::default();
        while order.len() < most
            && let Some(step) = machine.next(space, node, &mut cursor)?
        {
            if seen.get(step.target) == 0 {
                seen.set(step.target, 1);
                order.push(step.target);
            }
        }
        at += 1;
    }
    Ok(order)
}

/// The good component that holds the earliest node.
fn nearest_good(
    space: &Space<'_>,
    conditions: &Conditions<'_>,
    nodes: &[Node],
) -> Option<Vec<Node>> {
    let index: FxHashMap<Node, u32> = (0..).zip(nodes).map(|(at, node)| (*node, at)).collect();
    let targets = |at: usize| {
        let mut targets = Vec::new();
        let mut cursor = Cursor::default();
        while let Ok(Some(step)) = conditions.machine.next(space, nodes[at], &mut cursor) {
            targets.extend(index.get(&step.target));
        }
        targets
    };
    let (component, count) = components(nodes.len(), targets);
    let mut parts: Vec<Vec<Node>> = vec![Vec::new(); count];
    for (at, node) in nodes.iter().enumerate() {
        parts[component[at] as usize].push(*node);
    }
    // By their earliest nodes.
    parts.sort_by_key(|part| index[&part[0]]);
    let good = |part: Vec<Node>| conditions.fair_part(space, part, None).ok().flatten();
    parts.into_iter().find_map(good)
}
