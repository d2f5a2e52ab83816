//! Short evidence from what the search found: a nearest way in and a shortest loop.
//!
//! Technique: breadth-first search for the way in. The loop through its end is shortest too: nodes are visited once
//! for each set of conditions met so far. With many conditions it is greedy instead: the nearest edge that meets
//! another one, again and again, then home; and then detours are cut out as long as the loop stays good.
//! A loop that repeats itself is folded, and the end of the way in that already is the loop joins it.
//! Invariant: folding does not change the word, so the evidence shows what the search found.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::fairness::{Conditions, Need};
use super::outcome::{End, Evidence};
use super::paths::Walk;
use super::product::{Cursor, Machine, Move, Node, Numbers};
use super::space::{Space, Trouble};

/// Nodes with the edges out of them.
type Trail = Vec<(Node, Move)>;

/// The search for short evidence may look at this many new states, or as many as are known if that is more: a user
/// waits for it.
const NEW_STATES: u64 = 20_000;
/// An exact search for a loop remembers at most so many sets of conditions, in bits.
const EXACT: usize = 10;
/// And so many nodes with such sets.
const MOST: usize = 2_000_000;

/// Where a search for evidence may go.
#[derive(Clone, Copy)]
enum Realm<'r> {
    /// Anywhere until so many states were expanded.
    Until(u64),
    /// Where the search has been.
    Visited(&'r Numbers),
    /// In a set of nodes.
    Part(&'r FxHashMap<Node, ()>),
}

impl Realm<'_> {
    fn has(&self, node: Node) -> bool {
        match self {
            Realm::Until(_) => true,
            Realm::Visited(numbers) => numbers.get(node) != 0,
            Realm::Part(part) => part.contains_key(&node),
        }
    }

    /// Makes the edges of a node known; whether that is allowed.
    fn expand(&self, space: &mut Space<'_>, node: Node) -> Result<bool, Trouble> {
        if let Realm::Until(most) = self
            && !space.is_expanded(node.0)
            && space.expanded() >= *most
        {
            return Ok(false);
        }
        space.expand(node.0)?;
        Ok(true)
    }
}

/// The evidence for a deadlock in which the word may end.
pub(crate) fn into_deadlock(
    space: &mut Space<'_>,
    machine: &Machine,
    visited: &Numbers,
) -> Option<Evidence> {
    let goal = |space: &Space<'_>, node: Node| {
        space.edges(node.0).is_empty() && machine.may_end(space, node).unwrap_or(false)
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
    let trail_of_loop = shortest_round(space, conditions, entry, part, &set)
        .or_else(|| greedy_round(space, conditions, entry, part, &set))?;
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
fn way(
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
    let most = space.expanded() + space.expanded().max(NEW_STATES);
    // When the search for something shorter meets trouble, what is known is enough.
    match nearest(space, machine, &starts, Realm::Until(most), goal) {
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
    let mut order: Vec<(Node, usize, Option<Move>)> = Vec::new();
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

fn trail_to(order: &[(Node, usize, Option<Move>)], mut at: usize) -> Trail {
    let mut trail = Vec::new();
    while let (_, before, Some(step)) = order[at] {
        trail.push((order[before].0, step));
        at = before;
    }
    trail.reverse();
    trail
}

/// A shortest good loop through a node; `None` when there are too many conditions or nodes.
fn shortest_round(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    entry: Node,
    part: &[Node],
    set: &FxHashMap<Node, ()>,
) -> Option<Trail> {
    let fairness = conditions.fairness;
    if fairness.weak_labels || fairness.strong_labels {
        return None;
    }
    let needs = conditions.needs(space, part);
    let strong: Vec<Need> = fairness
        .strong
        .iter()
        .map(|c| Need::Enabled(c.enabled))
        .collect();
    let taken: Vec<Need> = fairness
        .strong
        .iter()
        .map(|c| Need::Taken(c.taken))
        .collect();
    let always: Vec<Need> = needs
        .into_iter()
        .filter(|need| !matches!(need, Need::Taken(_)))
        .collect();
    let bits = [always.clone(), strong.clone(), taken].concat();
    if bits.len() > EXACT {
        return None;
    }
    let good = |met: u64| {
        let all = (1 << always.len()) - 1;
        let (enabled, taken) = (met >> always.len(), met >> (always.len() + strong.len()));
        met & all == all && enabled & !taken & ((1 << strong.len()) - 1) == 0
    };
    let most = space.expanded() + space.expanded().max(NEW_STATES);
    let realms = [Realm::Until(most), Realm::Part(set)];
    realms
        .into_iter()
        .find_map(|realm| round_within(space, conditions, entry, realm, &bits, &good).ok()?)
}

fn round_within(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    entry: Node,
    realm: Realm<'_>,
    bits: &[Need],
    good: &dyn Fn(u64) -> bool,
) -> Result<Option<Trail>, Trouble> {
    let mut seen: FxHashMap<(Node, u64), ()> = FxHashMap::default();
    let mut order: Vec<(Node, usize, Option<Move>)> = vec![(entry, 0, None)];
    let mut met: Vec<u64> = vec![0];
    let mut at = 0;
    while at < order.len() && order.len() < MOST {
        let node = order[at].0;
        if !realm.expand(space, node)? {
            return Ok(None);
        }
        let mut cursor = Cursor::default();
        while let Some(step) = conditions.machine.next(space, node, &mut cursor)? {
            if !realm.has(step.target) {
                continue;
            }
            let mut now = met[at];
            for (bit, need) in bits.iter().enumerate() {
                now |= u64::from(need.is_met(space, node, &step)) << bit;
            }
            if step.target == entry && good(now) {
                order.push((step.target, at, Some(step)));
                return Ok(Some(trail_to(&order, order.len() - 1)));
            }
            if seen.insert((step.target, now), ()).is_none() {
                order.push((step.target, at, Some(step)));
                met.push(now);
            }
        }
        at += 1;
    }
    Ok(None)
}

/// A good loop through a node and within a part, shortened as far as cutting out detours does it.
fn greedy_round(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    entry: Node,
    part: &[Node],
    set: &FxHashMap<Node, ()>,
) -> Option<Trail> {
    let mut left = conditions.needs(space, part);
    let mut trail: Trail = Vec::new();
    let mut at = entry;
    while !left.is_empty() {
        let found = nearest_edge(space, conditions.machine, at, set, &left)?;
        at = found.last()?.1.target;
        for (node, step) in &found {
            left.retain(|need| !need.is_met(space, *node, step));
        }
        trail.extend(found);
    }
    if at != entry || trail.is_empty() {
        trail.extend(way_back(space, conditions.machine, at, entry, set)?);
    }
    cut_detours(space, conditions, &mut trail);
    Some(trail)
}

/// The way to the nearest edge that meets one of the needs, that edge included.
fn nearest_edge(
    space: &mut Space<'_>,
    machine: &Machine,
    from: Node,
    set: &FxHashMap<Node, ()>,
    needs: &[Need],
) -> Option<Trail> {
    let wanted = |space: &Space<'_>, node: Node, step: &Move| {
        needs.iter().any(|need| need.is_met(space, node, step))
    };
    search_edges(space, machine, from, set, &wanted)
}

/// At least one step, to a node.
fn way_back(
    space: &mut Space<'_>,
    machine: &Machine,
    from: Node,
    to: Node,
    set: &FxHashMap<Node, ()>,
) -> Option<Trail> {
    search_edges(space, machine, from, set, &|_, _, step| step.target == to)
}

fn search_edges(
    space: &mut Space<'_>,
    machine: &Machine,
    from: Node,
    set: &FxHashMap<Node, ()>,
    wanted: &dyn Fn(&Space<'_>, Node, &Move) -> bool,
) -> Option<Trail> {
    let mut before: FxHashMap<Node, Option<(Node, Move)>> = FxHashMap::default();
    before.insert(from, None);
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        let mut cursor = Cursor::default();
        while let Ok(Some(step)) = machine.next(space, node, &mut cursor) {
            if !set.contains_key(&step.target) {
                continue;
            }
            if wanted(space, node, &step) {
                let mut trail = vec![(node, step)];
                let mut at = node;
                while let Some(Some((previous, step))) = before.get(&at) {
                    trail.push((*previous, *step));
                    at = *previous;
                }
                trail.reverse();
                return Some(trail);
            }
            before.entry(step.target).or_insert_with(|| {
                todo.push_back(step.target);
                Some((node, step))
            });
        }
    }
    None
}

/// Leaves out rounds inside the loop as long as it stays good, longest first.
fn cut_detours(space: &Space<'_>, conditions: &Conditions<'_>, trail: &mut Trail) {
    let mut from = 0;
    while from < trail.len() {
        let same = (from + 1..trail.len())
            .rev()
            .filter(|to| trail[*to].0 == trail[from].0);
        let shorter = same.map(|to| [&trail[..from], &trail[to..]].concat());
        let good = shorter
            .into_iter()
            .find(|shorter| conditions.is_good(space, shorter));
        match good {
            Some(shorter) => *trail = shorter,
            None => from += 1,
        }
    }
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
