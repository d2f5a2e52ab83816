//! Safety formulas: breadth-first search for the shortest path that no continuation can repair.
//!
//! The automaton of a negated safety formula reaches a state that accepts everything, or the path ends in a deadlock
//! that it accepts. Fairness changes nothing: every finite path can be continued fairly, because what is enabled can
//! be taken; so a premise is not looked at.
//! Invariant: the path found has the least number of steps.

use super::outcome::{Effort, End, Evidence};
use super::paths::Walk;
use super::product::{Cursor, Machine, Node, Numbers};
use super::space::{Edge, Space, Trouble};

/// Between two accounts of memory.
const ACCOUNT: usize = 4096;

/// Searches from all initial states.
pub(crate) fn search(
    space: &mut Space<'_>,
    machine: &Machine,
    effort: &mut Effort,
) -> Result<Option<Evidence>, Trouble> {
    let mut seen = Numbers::new(machine);
    // Each node with its predecessor in the list and the edge from there.
    let mut order: Vec<(Node, u32, Option<Edge>)> = Vec::new();
    let starts: Vec<u32> = space.initial.iter().map(|(state, _)| *state).collect();
    for state in starts {
        for q in &machine.initial {
            if seen.get((state, *q)) == 0 {
                seen.set((state, *q), 1);
                order.push(((state, *q), 0, None));
            }
        }
    }
    let mut at = 0;
    while at < order.len() {
        let node = order[at].0;
        effort.product_states += 1;
        if at.is_multiple_of(ACCOUNT) {
            space.busy_bytes = (order.capacity() * 20 + seen.bytes()) as u64;
            space.account()?;
            space.watch.go_on()?;
        }
        space.expand(node.0)?;
        let is_deadlocked = space.is_end(node.0);
        let is_faulty = space.is_faulty(node.0) || space.is_incomplete(node.0);
        effort.faults += u64::from(machine.misses_step(space, node));
        if machine.is_universal[node.1 as usize] {
            return Ok(Some(evidence(space, &order, at, End::BadPrefix)));
        }
        let may_end = machine.may_end(space, node)?;
        if may_end && is_deadlocked {
            return Ok(Some(evidence(space, &order, at, End::Deadlock)));
        }
        let mut cursor = Cursor::default();
        let (mut lost, mut last) = (0, None);
        while let Some(step) = machine.next(space, node, &mut cursor)? {
            effort.product_edges += 1;
            if machine.is_universal[step.target.1 as usize] && last != Some(step.edge) {
                last = Some(step.edge);
                lost += 1;
            }
            if seen.get(step.target) == 0 {
                seen.set(step.target, 1);
                order.push((step.target, at as u32, Some(step.edge)));
            }
        }
        // Whatever happens next is too late, and so is nothing.
        if may_end && !is_faulty && lost == space.edges(node.0).len() {
            return Ok(Some(evidence(space, &order, at, End::BadPrefix)));
        }
        at += 1;
    }
    Ok(None)
}

fn evidence(
    space: &mut Space<'_>,
    order: &[(Node, u32, Option<Edge>)],
    mut at: usize,
    end: End,
) -> Evidence {
    let last = order[at].0;
    let mut walk: Walk = Vec::new();
    while let (_, before, Some(edge)) = order[at] {
        at = before as usize;
        walk.push((order[at].0.0, edge));
    }
    walk.reverse();
    Evidence {
        path: space.path(last.0, &walk),
        end,
        closing: None,
        marks: Vec::new(),
    }
}
