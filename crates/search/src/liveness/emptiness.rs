//! Looks for a path of the product that is accepted: into a deadlock, or for ever round a cycle.
//!
//! Technique: depth-first search that joins cycles as they are found [Couvreur 1999], [Geldenhuys, Valmari 2004]: the
//! accepting sets of a partial component are known at once, so a violation is reported as soon as the edges that
//! make it are seen. Premises that accepting sets cannot say are decided when a component is complete.
//! Invariant: no recursion; the depth of the graph is a list.

use super::fairness::Conditions;
use super::outcome::Effort;
use super::product::{Cursor, Node, Numbers};
use super::space::{Space, Trouble};

/// What was found.
pub(crate) enum Hit {
    /// A deadlocked state in which the word may end.
    Deadlock,
    /// A strongly connected set of representatives that a fair path goes through for ever.
    Somewhere(Vec<Node>),
    /// A strongly connected set of nodes in which a cycle through all edges is accepted and fair.
    Cycle(Vec<Node>),
}

/// A finished search: its answer, and the nodes it visited.
pub(crate) struct Searched {
    pub(crate) hit: Option<Hit>,
    pub(crate) visited: Numbers,
}

/// A node whose edges are being followed.
struct Frame {
    node: Node,
    cursor: Cursor,
}

/// The first node of a partial component.
struct Root {
    number: u32,
    /// Sets of the edges inside, and of the edge that leads to it.
    inside: u64,
    before: u64,
}

/// The number of nodes that lie in finished components.
const DONE: u32 = u32::MAX;

/// Between two accounts of memory.
const ACCOUNT: u64 = 4096;

/// Searches from all initial states.
pub(crate) fn search(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    effort: &mut Effort,
) -> Result<Searched, Trouble> {
    let machine = conditions.machine;
    let mut visited = Numbers::new(machine);
    let is_light = conditions.fairness.is_light(machine.all.count_ones());
    let all = if is_light { conditions.all_sets() } else { 0 };
    let (mut frames, mut roots): (Vec<Frame>, Vec<Root>) = (Vec::new(), Vec::new());
    let mut open: Vec<Node> = Vec::new();
    let starts: Vec<u32> = space.initial.iter().map(|(state, _)| *state).collect();
    let starts = starts
        .iter()
        .flat_map(|s| machine.initial.iter().map(move |q| (*s, *q)));
    for start in starts {
        if visited.get(start) != 0 {
            continue;
        }
        let mut enter = Some((start, 0));
        loop {
            if let Some((node, before)) = enter.take() {
                space.expand(node.0)?;
                open.push(node);
                visited.set(node, open.len() as u32);
                roots.push(Root {
                    number: open.len() as u32,
                    inside: 0,
                    before,
                });
                frames.push(Frame {
                    node,
                    cursor: Cursor::default(),
                });
                effort.product_states += 1;
                effort.faults += u64::from(machine.misses_step(space, node));
                if space.is_end(node.0) && machine.may_end(space, node)? {
                    let hit = Some(Hit::Deadlock);
                    return Ok(Searched { hit, visited });
                }
                if effort.product_states.is_multiple_of(ACCOUNT) {
                    let lists =
                        frames.capacity() * 16 + roots.capacity() * 24 + open.capacity() * 8;
                    space.busy_bytes = (lists + visited.bytes()) as u64;
                    space.account()?;
                    space.watch.go_on()?;
                }
            }
            let Some(frame) = frames.last_mut() else {
                break;
            };
            let node = frame.node;
            if let Some(step) = machine.next(space, node, &mut frame.cursor)? {
                effort.product_edges += 1;
                let sets = if is_light {
                    conditions.sets(space, node, &step)?
                } else {
                    0
                };
                match visited.get(step.target) {
                    0 => enter = Some((step.target, sets)),
                    DONE => {}
                    number => {
                        join(&mut roots, number, sets);
                        let inside = roots.last().map_or(0, |root| root.inside);
                        if is_light && inside & all == all {
                            let from = roots.last().map_or(0, |root| root.number as usize - 1);
                            let hit = Some(Hit::Cycle(open.split_off(from)));
                            return Ok(Searched { hit, visited });
                        }
                    }
                }
                continue;
            }
            frames.pop();
            let number = visited.get(node);
            if roots.last().is_some_and(|root| root.number == number) {
                roots.pop();
                let component = open.split_off(number as usize - 1);
                for node in &component {
                    visited.set(*node, DONE);
                }
                if is_light {
                    continue;
                }
                let threads = conditions.threads(space, &component);
                if let Some(part) = conditions.fair_part(space, component, threads.as_ref())? {
                    let hit = Some(match threads {
                        Some(_) => Hit::Somewhere(part),
                        None => Hit::Cycle(part),
                    });
                    return Ok(Searched { hit, visited });
                }
            }
        }
    }
    Ok(Searched { hit: None, visited })
}

/// An edge leads back: everything since its target is one component.
fn join(roots: &mut Vec<Root>, number: u32, mut sets: u64) {
    while let Some(root) = roots.last_mut() {
        if root.number <= number {
            root.inside |= sets;
            return;
        }
        sets |= root.inside | root.before;
        roots.pop();
    }
}
