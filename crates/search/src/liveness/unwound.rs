//! A fair cycle of the unreduced system that a part of a quotient stands for.
//!
//! Papers: [Emerson, Sistla 1997], [Gyuris, Sistla 1999]: the annotated quotient is unwound along its permutations.
//! Technique: a walk through the part from one node back to it, along which every item is followed as on a path of the unreduced
//! system: where one still has to rest or to be taken, the nearest place of its thread where that happens is gone to. The end of the
//! walk is a permutation of its beginning. Walked again and again, with names as they have come to be, it closes after as many rounds as
//! that permutation needs to come back.
//! Why it is fair: an item that a later round enables is the permutation of one that the first round enables, and is taken, or
//! rests, where that is.
//! Invariant: each step is a permutation of an annotated step, so it is one of the unreduced system; the last one leads back to the
//! first state.

use std::collections::VecDeque;

use pins::{Event, GroupId, PathStep};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fairness::{Conditions, Need, index, labels_of};
use super::lasso;
use super::outcome::Unwound;
use super::paths::Walk;
use super::product::{Move, Node, Numbers};
use super::space::Space;
use super::threads::{Items, Pairs, Threads};

/// A longer walk is no evidence that anybody would read.
const MOST_WALKED: usize = 20_000;
/// Neither are so many steps in all rounds.
const MOST_UNWOUND: usize = 100_000;

/// An edge of the part, as one step with its permutation.
struct Out {
    target: usize,
    step: Move,
    label: u32,
    images: u32,
    group: GroupId,
}

/// Items of one kind.
struct Kind<'w> {
    items: Items,
    is_strong: bool,
    pairs: Pairs<'w>,
    /// For each node what it enables.
    enabled: Vec<FxHashSet<u32>>,
}

/// An item on the way, as the node of now names it.
struct Followed {
    kind: usize,
    item: u32,
    is_met: bool,
}

/// A walk through a part, from its first node.
struct Walking<'w> {
    threads: &'w Threads<'w>,
    nodes: Vec<Node>,
    edges: Vec<Vec<Out>>,
    kinds: Vec<Kind<'w>>,
    followed: Vec<Followed>,
    at: usize,
    walk: Vec<(usize, usize)>,
}

/// The cycle that a fair part stands for; `None` where it is too long.
pub(super) fn unwound(
    space: &mut Space<'_>,
    conditions: &Conditions<'_>,
    visited: &Numbers,
    part: &[Node],
) -> Option<Unwound> {
    let set: FxHashSet<Node> = part.iter().copied().collect();
    let goal = |_: &Space<'_>, node: Node| set.contains(&node);
    let (trail, entry) = lasso::way(space, conditions.machine, visited, &goal)?;
    let mut nodes = part.to_vec();
    let first = nodes.iter().position(|node| *node == entry)?;
    nodes.swap(0, first);
    let threads = conditions.threads(space, &nodes)?;
    let needs = conditions.needs(space, &nodes);
    let mut walking = Walking::new(space, conditions, &threads, nodes);
    walking.go_round(space, needs)?;
    let round = walking.unwind(space)?;
    let walk: Walk = trail
        .iter()
        .map(|(node, step)| (node.0, step.edge))
        .collect();
    Some(Unwound {
        path: space.path(entry.0, &walk),
        round,
    })
}

impl<'w> Walking<'w> {
    fn new(
        space: &Space<'_>,
        conditions: &Conditions<'_>,
        threads: &'w Threads<'w>,
        nodes: Vec<Node>,
    ) -> Walking<'w> {
        let numbers = index(&nodes);
        let edges = nodes.iter().map(|node| {
            let mut out = Vec::new();
            conditions.inside(space, *node, &numbers, |target, step| {
                let label = space.stepper.step_letters.label(step.edge.letter);
                for (images, group) in threads.between(node.0, label, step.target.0) {
                    out.push(Out {
                        target: target as usize,
                        step: *step,
                        label,
                        images: *images,
                        group: *group,
                    });
                }
            });
            out
        });
        let edges = edges.collect();
        let fairness = conditions.fairness;
        let kinds = [
            (Items::Labels, fairness.weak_labels, fairness.strong_labels),
            (Items::Actors, fairness.weak_actors, fairness.strong_actors),
        ];
        let kinds = kinds
            .into_iter()
            .filter(|(_, weak, strong)| *weak || *strong);
        let kinds = kinds.map(|(items, _, is_strong)| {
            let enabled = nodes.iter().map(|(state, _)| {
                labels_of(space, *state)
                    .flat_map(|label| threads.items_of(items, label))
                    .collect()
            });
            Kind {
                items,
                is_strong,
                pairs: threads.pairs(items),
                enabled: enabled.collect(),
            }
        });
        let kinds = kinds.collect();
        let mut walking = Walking {
            threads,
            nodes,
            edges,
            kinds,
            followed: Vec::new(),
            at: 0,
            walk: Vec::new(),
        };
        walking.meet(|_| true);
        walking
    }

    /// Walks until nothing is left that a fair and accepted cycle has to pass, and back to the first node.
    fn go_round(&mut self, space: &Space<'_>, mut needs: Vec<Need>) -> Option<()> {
        // Items are followed, not counted by their labels.
        needs.retain(|need| !matches!(need, Need::LabelRests(_) | Need::LabelTaken(_)));
        loop {
            let way = if let Some(need) = needs.pop() {
                let meets = |(at, edge): (usize, usize)| {
                    let out = &self.edges[at][edge];
                    need.is_met(space, self.nodes[at], &out.step)
                };
                match self.walk.iter().any(|passed| meets(*passed)) {
                    true => continue,
                    false => self.way(|at, edge| meets((at, edge)))?,
                }
            } else if let Some(open) = self.followed.iter().position(|known| !known.is_met) {
                self.way_for(open)?
            } else if self.at != 0 || self.walk.is_empty() {
                self.way(|at, edge| self.edges[at][edge].target == 0)?
            } else {
                return Some(());
            };
            way.into_iter().for_each(|edge| self.take(edge));
            if self.walk.len() > MOST_WALKED || space.watch.go_on().is_err() {
                return None;
            }
        }
    }

    /// Takes an edge out of the node of now.
    fn take(&mut self, edge: usize) {
        let out = &self.edges[self.at][edge];
        for known in &mut self.followed {
            let kind = &mut self.kinds[known.kind];
            known.is_met |= self.threads.takes(kind.items, out.label, known.item);
            known.item = kind.pairs.permuted(known.item, out.images);
        }
        self.walk.push((self.at, edge));
        self.at = out.target;
        self.meet(|kind| kind.is_strong);
    }

    /// Looks at what the node of now enables: weak items that it does not enable rest; items of these kinds are followed from here on.
    fn meet(&mut self, is_begun: impl Fn(&Kind<'_>) -> bool) {
        let at = self.at;
        for (number, kind) in self.kinds.iter().enumerate() {
            let own = self
                .followed
                .iter_mut()
                .filter(|known| known.kind == number);
            let mut items = FxHashSet::default();
            for known in own {
                items.insert(known.item);
                known.is_met |= !kind.is_strong && !kind.enabled[at].contains(&known.item);
            }
            if !is_begun(kind) {
                continue;
            }
            let mut fresh: Vec<u32> = kind.enabled[at].difference(&items).copied().collect();
            fresh.sort_unstable();
            self.followed.extend(fresh.into_iter().map(|item| Followed {
                kind: number,
                item,
                is_met: false,
            }));
        }
    }

    /// The way to the nearest edge that is wanted, that edge included.
    fn way(&self, is_wanted: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
        let mut before: Before<usize> = FxHashMap::default();
        before.insert(self.at, None);
        let mut todo = VecDeque::from([self.at]);
        while let Some(at) = todo.pop_front() {
            for (edge, out) in self.edges[at].iter().enumerate() {
                if is_wanted(at, edge) {
                    return Some(traced(&before, at, Some(edge)));
                }
                before.entry(out.target).or_insert_with(|| {
                    todo.push_back(out.target);
                    Some((at, edge))
                });
            }
        }
        None
    }

    /// The way to the nearest place where an item is taken or, if that is enough, is not enabled.
    fn way_for(&mut self, open: usize) -> Option<Vec<usize>> {
        let Followed { kind, item, .. } = self.followed[open];
        let kind = &mut self.kinds[kind];
        let start = (self.at, item);
        let mut before: Before<(usize, u32)> = FxHashMap::default();
        before.insert(start, None);
        let mut todo = VecDeque::from([start]);
        while let Some((at, item)) = todo.pop_front() {
            if !kind.is_strong && !kind.enabled[at].contains(&item) {
                return Some(traced(&before, (at, item), None));
            }
            for (edge, out) in self.edges[at].iter().enumerate() {
                if self.threads.takes(kind.items, out.label, item) {
                    return Some(traced(&before, (at, item), Some(edge)));
                }
                let next = (out.target, kind.pairs.permuted(item, out.images));
                before.entry(next).or_insert_with(|| {
                    todo.push_back(next);
                    Some(((at, item), edge))
                });
            }
        }
        None
    }

    /// The walk as steps of the unreduced system, as often as it takes to come back to the state of its first node.
    fn unwind(&self, space: &mut Space<'_>) -> Option<Vec<PathStep>> {
        let states: Vec<Vec<u32>> = self.nodes.iter().map(|node| space.load(node.0)).collect();
        let points = self.threads.images.first()?.len() as u32;
        let annotated = self.threads.annotated;
        // The point of the unreduced state for each point of the representative.
        let mut names: Vec<u32> = (0..points).collect();
        let mut round: Vec<PathStep> = Vec::new();
        while round.len() + self.walk.len() <= MOST_UNWOUND {
            for (at, edge) in &self.walk {
                let out = &self.edges[*at][*edge];
                let label = &self.threads.labels[out.label as usize].1;
                let (group, words) = annotated.permute_label(out.group, &label[1..], &names);
                let mut next = names.clone();
                for (point, image) in self.threads.images[out.images as usize].iter().enumerate() {
                    next[*image as usize] = names[point];
                }
                names = next;
                round.push(PathStep {
                    event: Event::Group(group),
                    words,
                    state: annotated.permute_state(&states[out.target], &names),
                });
            }
            if round.last()?.state == states[0] {
                return Some(round);
            }
        }
        None
    }
}

/// For each place that a search found the one before it, with the edge from there.
type Before<P> = FxHashMap<P, Option<(P, usize)>>;

/// The edges to a place that a search found, and one more.
fn traced<P: Copy + Eq + std::hash::Hash>(
    before: &Before<P>,
    mut at: P,
    last: Option<usize>,
) -> Vec<usize> {
    let mut edges: Vec<usize> = last.into_iter().collect();
    while let Some(Some((previous, edge))) = before.get(&at) {
        edges.push(*edge);
        at = *previous;
    }
    edges.reverse();
    edges
}
