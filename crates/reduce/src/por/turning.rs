//! Groups without which nothing comes back to where it was: the cycle condition, decided before the search.
//!
//! Paper: [Kurshan, Levin, Minea, Peled, Yenigün 1998] (static partial order reduction). A slot of which every step of a group tells
//! the word it finds and the words it may leave is a graph. Every cycle of states goes round in one of these graphs, so it
//! holds a step of a *turning* group if some are taken from each cycle of each graph. Where turning groups are taken only
//! from states that are expanded in full, every cycle has such a state, and nothing is left out for ever.
//! Technique: of each cycle that is left the group with the most dependent groups elsewhere is taken, which will seldom be
//! chosen anyway.

use pins::Shape;
use rustc_hash::FxHashMap;

use super::relations::{Relations, asked};
use super::sets::GroupSet;

/// An edge of the graph of a slot: from a word to a word, by a group.
type Edge = (u32, u32, usize);

/// Turning groups; `None` when too little is known, so that the search has to find out.
pub(super) fn turning(shape: &Shape, relations: &Relations) -> Option<GroupSet> {
    let groups = shape.groups.len();
    let mut turning = GroupSet::new(groups);
    let mut slots: Vec<usize> = Vec::new();
    for group in 0..groups {
        let leaves = shape.leaves.get(group).into_iter().flatten();
        let mut certain = leaves.filter(|leaves| leaves.is_certain).peekable();
        if certain.peek().is_none() {
            turning.insert(group);
        }
        slots.extend(certain.map(|leaves| leaves.slot));
    }
    slots.sort_unstable();
    slots.dedup();
    if slots.is_empty() {
        return None;
    }
    let asked = asked(shape);
    for slot in slots {
        let edges = edges(shape, &asked, slot, &mut turning);
        break_cycles(&edges, relations, &mut turning);
    }
    Some(turning)
}

/// The graph of a slot; groups of which it is not known what they find or leave are turning.
fn edges(
    shape: &Shape,
    asked: &[Vec<(usize, u32)>],
    slot: usize,
    turning: &mut GroupSet,
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (group, about) in shape.groups.iter().enumerate() {
        if !about.may_write.contains(slot) {
            continue;
        }
        let mut leaves = shape.leaves.get(group).into_iter().flatten();
        let left = leaves.rfind(|leaves| leaves.slot == slot);
        let mut words = asked[group].iter().filter(|(asked, _)| *asked == slot);
        match (words.next(), left) {
            (Some((_, from)), Some(left)) => {
                edges.extend(left.words.iter().map(|to| (*from, *to, group)));
            }
            _ => {
                turning.insert(group);
            }
        }
    }
    edges
}

fn break_cycles(edges: &[Edge], relations: &Relations, turning: &mut GroupSet) {
    let mut here = GroupSet::new(relations.groups());
    for (_, _, group) in edges {
        here.insert(*group);
    }
    let dependents = |group: usize| {
        let mut elsewhere = relations.dependent.row(group).clone();
        elsewhere.subtract(&here);
        elsewhere.len()
    };
    while let Some(cycle) = cycle(edges, turning) {
        let worst = cycle.into_iter().max_by_key(|group| dependents(*group));
        turning.insert(worst.expect("a cycle has edges"));
    }
}

/// The groups of a cycle without turning groups, if there is one.
fn cycle(edges: &[Edge], turning: &GroupSet) -> Option<Vec<usize>> {
    let mut next: FxHashMap<u32, Vec<(u32, usize)>> = FxHashMap::default();
    for (from, to, group) in edges {
        if !turning.contains(*group) {
            next.entry(*from).or_default().push((*to, *group));
        }
    }
    // Whether a word is still on the way, or was left.
    let mut is_left: FxHashMap<u32, bool> = FxHashMap::default();
    for (start, _, _) in edges {
        if is_left.contains_key(start) {
            continue;
        }
        is_left.insert(*start, false);
        // Words on the way, which of their edges is next, and the group that led there.
        let mut way: Vec<(u32, usize, usize)> = vec![(*start, 0, usize::MAX)];
        while let Some((word, at, _)) = way.last_mut() {
            let word = *word;
            let Some((to, group)) = next.get(&word).and_then(|next| next.get(*at)).copied() else {
                is_left.insert(word, true);
                way.pop();
                continue;
            };
            *at += 1;
            match is_left.get(&to) {
                Some(true) => {}
                Some(false) => {
                    let from = way.iter().position(|(word, _, _)| *word == to)?;
                    let cycle = way[from + 1..].iter().map(|(_, _, group)| *group);
                    return Some(cycle.chain([group]).collect());
                }
                None => {
                    is_left.insert(to, false);
                    way.push((to, 0, group));
                }
            }
        }
    }
    None
}
