//! How high a state is, so that nothing comes back to where it was by rising: the cycle condition, decided by a step alone.
//!
//! Paper: [Kurshan, Levin, Minea, Peled, Yenigün 1998] (static partial order reduction). A slot of which groups tell the word
//! they find and the words they leave (where a process is) is a graph, and its words are put in an order. Differs: a loop that
//! counts does not come back before its counter did, so the value of the counter comes before the order within the loop; and
//! what is asked is whether a step *rises*, not which groups close cycles.
//! A step rises if it takes everybody higher who certainly moves in it and nobody lower who may. Steps that do not rise
//! are taken only from states that are expanded in full. Then every cycle has such a state: take the first slot in
//! which somebody certainly moves on it. Whoever is there was not created on the cycle, since somebody before would have
//! moved, and did not die on it; so he only rises and does not come back. Creating others and dying need not rise.
//! Technique: loops without a counter are cut at the group with the most dependent groups elsewhere, which will seldom be
//! chosen anyway.

use std::cmp::Ordering;

use pins::{Counts, Shape};
use rustc_hash::FxHashMap;

use super::relations::{Relations, asked};
use super::sets::GroupSet;

/// An edge of the graph of a slot: from a word to a word, by a group.
type Edge = (u32, u32, usize);

/// The heights of all slots.
#[derive(Debug)]
pub(super) struct Heights {
    walks: Vec<Walk>,
    /// For each group the slots (positions in `walks`) in which somebody certainly moves.
    certain: Vec<Vec<u32>>,
    /// For each group the slots in which somebody may.
    others: Vec<Vec<u32>>,
    absent: Option<u32>,
}

/// A slot and the heights of its words.
#[derive(Debug)]
struct Walk {
    slot: usize,
    /// From the outermost loop inwards.
    levels: FxHashMap<u32, Vec<Level>>,
}

/// The place of a word among those of one loop, and the counter of the loop within.
#[derive(Clone, Copy, Debug)]
struct Level {
    order: u32,
    counter: Option<Counts>,
}

impl Heights {
    /// The heights of the states of a shape, by words and by what is counted; `None` when too little is known, so that the search
    /// has to find out.
    pub(super) fn new(shape: &Shape, relations: &Relations) -> Option<Heights> {
        Heights::with(shape, relations, &shape.counts)
    }

    /// The groups that may have a step that does not rise, by words alone: all that can be said where states are permuted before
    /// they are seen again.
    pub(super) fn turning(shape: &Shape, relations: &Relations) -> Option<GroupSet> {
        let heights = Heights::with(shape, relations, &[])?;
        let asked = asked(shape);
        let mut turning = GroupSet::new(shape.groups.len());
        for (group, certain) in heights.certain.iter().enumerate() {
            let rises = |walk: &u32| {
                let walk = &heights.walks[*walk as usize];
                let mut words = asked[group].iter().filter(|(slot, _)| *slot == walk.slot);
                let mut leaves = shape.leaves[group].iter();
                let left = leaves.find(|leaves| leaves.slot == walk.slot);
                let (Some((_, from)), Some(left)) = (words.next(), left) else {
                    return false;
                };
                left.words.iter().all(|to| walk.is_higher(*to, *from))
            };
            let rises = !certain.is_empty()
                && heights.others[group].is_empty()
                && certain.iter().all(rises);
            if !rises {
                turning.insert(group);
            }
        }
        Some(turning)
    }

    fn with(shape: &Shape, relations: &Relations, counts: &[Vec<Counts>]) -> Option<Heights> {
        let mut slots: Vec<usize> = Vec::new();
        for leaves in shape.leaves.iter().flatten() {
            slots.extend(leaves.is_certain.then_some(leaves.slot));
        }
        slots.sort_unstable();
        slots.dedup();
        if slots.is_empty() {
            return None;
        }
        let asked = asked(shape);
        let walks = slots.iter().map(|slot| Walk {
            slot: *slot,
            levels: levels((shape, counts), relations, &asked, *slot),
        });
        let walks: Vec<Walk> = walks.collect();
        let (mut certain, mut others) = (Vec::new(), Vec::new());
        for (at, group) in shape.groups.iter().enumerate() {
            let moves = |walk: &Walk| {
                let mut leaves = shape.leaves.get(at).into_iter().flatten();
                leaves.any(|leaves| leaves.is_certain && leaves.slot == walk.slot)
            };
            let numbered = || walks.iter().enumerate();
            let of = |(at, _): (usize, &Walk)| at as u32;
            certain.push(numbered().filter(|(_, walk)| moves(walk)).map(of).collect());
            let touched = numbered().filter(|(_, walk)| {
                !moves(walk) && walk.slots().any(|slot| group.may_write.contains(slot))
            });
            others.push(touched.map(of).collect());
        }
        Some(Heights {
            walks,
            certain,
            others,
            absent: shape.absent,
        })
    }

    /// Whether a step of a group rises.
    pub(super) fn rises(&self, group: usize, from: &[u32], to: &[u32]) -> bool {
        let is_absent = |state: &[u32], walk: &Walk| Some(state[walk.slot]) == self.absent;
        let all = |walks: &[u32], rises: fn(Ordering) -> bool| {
            let mut walks = walks.iter().map(|walk| &self.walks[*walk as usize]);
            walks.all(|walk| {
                is_absent(from, walk)
                    || is_absent(to, walk)
                    || walk.compare(to, from).is_some_and(rises)
            })
        };
        !self.certain[group].is_empty()
            && all(&self.certain[group], Ordering::is_gt)
            && all(&self.others[group], Ordering::is_ge)
    }
}

impl Walk {
    /// Its slot and its counters.
    fn slots(&self) -> impl Iterator<Item = usize> {
        let levels = self.levels.values().flatten();
        let counters = levels.filter_map(|level| Some(level.counter?.slot));
        counters.chain([self.slot])
    }

    /// Whether a word is higher than another one, whatever is counted.
    fn is_higher(&self, word: u32, than: u32) -> bool {
        let order = |word| self.levels.get(&word).and_then(|levels| levels.first());
        let (Some(word), Some(than)) = (order(word), order(than)) else {
            return false;
        };
        word.order > than.order
    }

    /// Which of two states is higher; `None` when a word is not known.
    fn compare(&self, a: &[u32], b: &[u32]) -> Option<Ordering> {
        let (higher, lower) = (
            self.levels.get(&a[self.slot])?,
            self.levels.get(&b[self.slot])?,
        );
        for (level, other) in higher.iter().zip(lower) {
            let mut order = level.order.cmp(&other.order);
            if let (Ordering::Equal, Some(counter)) = (order, level.counter) {
                let (value, other) = (a[counter.slot], b[counter.slot]);
                order = match counter.is_up {
                    true => value.cmp(&other),
                    false => other.cmp(&value),
                };
            }
            if order != Ordering::Equal {
                return Some(order);
            }
        }
        // Words with equal places among those of all loops are the same.
        Some(Ordering::Equal)
    }
}

/// The heights of the words of a slot.
fn levels(
    (shape, counts): (&Shape, &[Vec<Counts>]),
    relations: &Relations,
    asked: &[Vec<(usize, u32)>],
    slot: usize,
) -> FxHashMap<u32, Vec<Level>> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut here = GroupSet::new(relations.groups());
    for group in 0..shape.groups.len() {
        let mut leaves = shape.leaves.get(group).into_iter().flatten();
        let left = leaves.rfind(|leaves| leaves.slot == slot);
        let mut words = asked[group].iter().filter(|(asked, _)| *asked == slot);
        if let (Some((_, from)), Some(left)) = (words.next(), left) {
            let words = left.words.iter();
            let words = words.filter(|word| Some(**word) != shape.absent);
            edges.extend(words.map(|to| (*from, *to, group)));
            here.insert(group);
        }
    }
    let dependents = |group: usize| {
        let mut elsewhere = relations.dependent.row(group).clone();
        elsewhere.subtract(&here);
        elsewhere.len()
    };
    let mut sorting = Sorting {
        shape,
        counts,
        dependents: &dependents,
        levels: FxHashMap::default(),
    };
    sorting.sort(edges);
    sorting.levels
}

/// Puts the words of a slot in order.
struct Sorting<'s> {
    shape: &'s Shape,
    counts: &'s [Vec<Counts>],
    /// How many groups elsewhere depend on one.
    dependents: &'s dyn Fn(usize) -> usize,
    levels: FxHashMap<u32, Vec<Level>>,
}

impl Sorting<'_> {
    /// Adds a level to all words of these edges, and further ones to those in loops.
    fn sort(&mut self, mut edges: Vec<Edge>) {
        let mut words: Vec<u32> = edges.iter().flat_map(|(a, b, _)| [*a, *b]).collect();
        words.sort_unstable();
        words.dedup();
        // Cuts loops that do not count, until all that are left do.
        let (order, loops) = loop {
            let order = order(&words, &edges);
            let mut loops: FxHashMap<u32, Vec<Edge>> = FxHashMap::default();
            for edge in &edges {
                if order[&edge.0] == order[&edge.1] {
                    loops.entry(order[&edge.0]).or_default().push(*edge);
                }
            }
            let without = loops.values().filter(|edges| self.counter(edges).is_none());
            let cut: Vec<usize> = without.filter_map(|edges| self.worst(edges)).collect();
            if cut.is_empty() {
                break (order, loops);
            }
            edges.retain(|(_, _, group)| !cut.contains(group));
        };
        for word in words {
            let order = order[&word];
            let counter = loops.get(&order).and_then(|edges| self.counter(edges));
            let level = Level { order, counter };
            self.levels.entry(word).or_default().push(level);
        }
        for edges in loops.into_values() {
            let Some(counter) = self.counter(&edges) else {
                continue;
            };
            let rest = edges.iter().filter(|edge| !self.counts(edge.2, counter));
            self.sort(rest.copied().collect());
        }
    }

    /// Whether a group counts.
    fn counts(&self, group: usize, counter: Counts) -> bool {
        let mut counts = self.counts.get(group).into_iter().flatten();
        counts.any(|counts| *counts == counter)
    }

    /// What a loop counts: who changes it in the loop counts, and always in the same direction.
    fn counter(&self, edges: &[Edge]) -> Option<Counts> {
        let groups = edges.iter().map(|(_, _, group)| *group);
        let counts = |group: usize| self.counts.get(group).into_iter().flatten();
        let found = groups.clone().flat_map(counts).filter(|counter| {
            let mut groups = groups.clone();
            groups.all(|group| {
                let writes = &self.shape.groups[group].may_write;
                !writes.contains(counter.slot) || self.counts(group, **counter)
            })
        });
        found.min().copied()
    }

    /// The group of a loop that the most groups elsewhere depend on.
    fn worst(&self, edges: &[Edge]) -> Option<usize> {
        let groups = edges.iter().map(|(_, _, group)| *group);
        groups.max_by_key(|group| (self.dependents)(*group))
    }
}

/// Numbers for words, the same for words that lead to each other, and smaller for those that lead to others: depth first, the
/// words of a loop are left together [Tarjan 1972].
fn order(words: &[u32], edges: &[Edge]) -> FxHashMap<u32, u32> {
    let mut next: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (from, to, _) in edges {
        next.entry(*from).or_default().push(*to);
    }
    let mut order: FxHashMap<u32, u32> = FxHashMap::default();
    // When a word was met, and the earliest one still waiting that it leads to.
    let mut met: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
    let (mut waiting, mut number) = (Vec::new(), words.len() as u32);
    for start in words {
        let mut way: Vec<(u32, usize)> = Vec::new();
        if !met.contains_key(start) {
            met.insert(*start, (met.len(), met.len()));
            waiting.push(*start);
            way.push((*start, 0));
        }
        while let Some((word, at)) = way.last_mut() {
            let word = *word;
            if let Some(to) = next.get(&word).and_then(|next| next.get(*at)).copied() {
                *at += 1;
                match met.get(&to).copied() {
                    None => {
                        met.insert(to, (met.len(), met.len()));
                        waiting.push(to);
                        way.push((to, 0));
                    }
                    Some((when, _)) if !order.contains_key(&to) => {
                        let low = &mut met.get_mut(&word).expect("it was met").1;
                        *low = when.min(*low);
                    }
                    Some(_) => {}
                }
                continue;
            }
            way.pop();
            let (when, low) = met[&word];
            if let Some((before, _)) = way.last() {
                let before = &mut met.get_mut(before).expect("it was met").1;
                *before = low.min(*before);
            }
            if low == when {
                number -= 1;
                while let Some(member) = waiting.pop() {
                    order.insert(member, number);
                    if member == word {
                        break;
                    }
                }
            }
        }
    }
    order
}
