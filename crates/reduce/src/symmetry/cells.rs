//! Points sorted by where they stand, and the proof that points of one cell can be exchanged.
//!
//! Technique: a cell is what colours (`words.rs`) do not tell apart. In most words points of one colour can be permuted
//! freely, or in groups that hang together (`canon::Links`): then a state is decided without a search. The groups of all
//! words are joined; a point is sorted by its colour and those of its group; in a word that is tangled the points of a cell
//! must be twins.
//! Invariant: whether a state is decided depends on its orbit only.
//! Invariant: what is decided was compared word by word; that two sums of colours are equal is never believed.

use canon::{Exchanges, Links, join, leader, mix};

use super::orbits::multinomial;
use super::words::Words;

/// The points of a state in cells.
#[derive(Default)]
pub(super) struct Cells {
    /// The points of all classes, each class sorted by key.
    pub(super) sorted: Vec<u32>,
    /// What points are sorted by.
    keys: Vec<u64>,
    /// For each point the least one that it hangs together with.
    leaders: Vec<u32>,
    /// For each leader of a group the keys of its group, added up, and its size.
    groups: Vec<(u64, u32)>,
    /// The points of groups, group by group, each sorted by key; where the group of a leader begins.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// Leaders, those of like groups together.
    kinds: Vec<u32>,
    has_groups: bool,
}

/// Whether points of one cell can be exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Yes, where they hang together with their groups.
    Decided,
    /// No, or not without more.
    Undecided,
    /// It takes finding twins in a word that may never come back.
    Costly,
}

/// The next order of different numbers; the first one, ascending, behind the last.
fn next_permutation(list: &mut [u32]) -> bool {
    let Some(at) = list.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        list.reverse();
        return false;
    };
    let greater = list.iter().rposition(|other| *other > list[at]);
    list.swap(at, greater.unwrap_or(at));
    list[at + 1..].reverse();
    true
}

impl Cells {
    /// Sorts the points of each class by colour.
    pub(super) fn sort(&mut self, classes: &[Vec<u32>], colours: &[u64]) {
        self.has_groups = false;
        self.keys.clear();
        self.keys.extend_from_slice(colours);
        self.sorted.resize(classes.iter().map(Vec::len).sum(), 0);
        let keys = &self.keys;
        let mut at = 0;
        for class in classes {
            let sorted = &mut self.sorted[at..at + class.len()];
            sorted.copy_from_slice(class);
            sorted.sort_unstable_by_key(|point| (keys[*point as usize], *point));
            at += class.len();
        }
    }

    /// Puts the points of cells in their next order; `false` when it is the first one again.
    pub(super) fn permute_ties(&mut self, classes: &[Vec<u32>]) -> bool {
        let mut rest = self.sorted.as_mut_slice();
        for class in classes {
            let (mut sorted, behind) = rest.split_at_mut(class.len());
            rest = behind;
            while let Some(first) = sorted.first() {
                let key = self.keys[*first as usize];
                let same = |point: &&u32| self.keys[**point as usize] == key;
                let (cell, others) = sorted.split_at_mut(sorted.iter().take_while(same).count());
                if next_permutation(cell) {
                    return true;
                }
                sorted = others;
            }
        }
        false
    }

    /// In how many orders the points of cells can be put; as many as can be counted where there are more.
    pub(super) fn ties(&self, classes: &[Vec<u32>]) -> u64 {
        let cells = self.sorted(classes).flat_map(|sorted| self.cells(sorted));
        let orders = cells.flat_map(|cell| 2..=cell.len() as u64);
        orders.fold(1, u64::saturating_mul)
    }

    /// The points of each class, sorted by their keys.
    fn sorted(&self, classes: &[Vec<u32>]) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.sorted.as_slice();
        classes.iter().map(move |class| {
            let (sorted, behind) = rest.split_at(class.len());
            rest = behind;
            sorted
        })
    }

    /// Sorted points, those with equal keys together.
    fn cells<'s>(&self, sorted: &'s [u32]) -> impl Iterator<Item = &'s [u32]> {
        sorted.chunk_by(|a, b| self.keys[*a as usize] == self.keys[*b as usize])
    }

    /// Whether the points of cells can be exchanged in all of these words; sorts them by groups, too. Twins in long
    /// words that were not wanted before are found only with `spares_nothing`.
    pub(super) fn decide(
        &mut self,
        classes: &[Vec<u32>],
        words: &mut Words<'_>,
        entries: &[u32],
        spares_nothing: bool,
    ) -> Decision {
        let mut is_tangled = false;
        for entry in entries {
            match words.links(*entry) {
                Links::None => {}
                Links::Tangled => is_tangled = true,
                Links::Groups(groups) if !self.has_groups => {
                    self.has_groups = true;
                    self.leaders.clear();
                    self.leaders.extend_from_slice(groups);
                }
                Links::Groups(groups) => {
                    for (point, first) in groups.iter().enumerate() {
                        join(&mut self.leaders, point as u32, *first);
                    }
                }
            }
        }
        if is_tangled && !spares_nothing && !words.knows_twins(entries) {
            return Decision::Costly;
        }
        if self.has_groups && !(self.group(classes) && self.has_like_groups(words, entries)) {
            return Decision::Undecided;
        }
        for sorted in self.sorted(classes) {
            for cell in self.cells(sorted) {
                if cell.len() > 1 && !entries.iter().all(|entry| words.allows(*entry, cell)) {
                    return Decision::Undecided;
                }
            }
        }
        Decision::Decided
    }

    /// Sorts by colours and groups; `false` when two points of one group have one key.
    fn group(&mut self, classes: &[Vec<u32>]) -> bool {
        self.groups.clear();
        self.groups.resize(self.keys.len(), (0, 0));
        for point in 0..self.leaders.len() as u32 {
            let first = leader(&self.leaders, point);
            self.leaders[point as usize] = first;
            let (sum, size) = &mut self.groups[first as usize];
            *sum = sum.wrapping_add(mix(self.keys[point as usize], GROUP));
            *size += 1;
        }
        let (groups, leaders) = (&self.groups, &self.leaders);
        for (key, first) in self.keys.iter_mut().zip(leaders) {
            let (sum, size) = groups[*first as usize];
            if size > 1 {
                *key = mix(*key, sum);
            }
        }
        let keys = &self.keys;
        let mut at = 0;
        classes.iter().all(|class| {
            let sorted = &mut self.sorted[at..at + class.len()];
            at += class.len();
            let key = |point: u32| (keys[point as usize], leaders[point as usize]);
            sorted.sort_unstable_by_key(|point| key(*point));
            let mut pairs = sorted.windows(2);
            pairs.all(|pair| key(pair[0]) != key(pair[1]))
        })
    }

    /// Whether groups with one sum have the same keys, and hang together alike in each word.
    fn has_like_groups(&mut self, words: &mut Words<'_>, entries: &[u32]) -> bool {
        let is_grouped = |first: u32| self.groups[first as usize].1 > 1;
        self.starts.clear();
        self.starts.resize(self.keys.len(), 0);
        self.kinds.clear();
        let mut next = 0;
        for first in 0..self.keys.len() as u32 {
            if is_grouped(first) {
                self.starts[first as usize] = next;
                next += self.groups[first as usize].1;
                self.kinds.push(first);
            }
        }
        self.members.clear();
        self.members.resize(next as usize, 0);
        for point in &self.sorted {
            let first = self.leaders[*point as usize];
            if is_grouped(first) {
                let next = &mut self.starts[first as usize];
                self.members[*next as usize] = *point;
                *next += 1;
            }
        }
        for first in &self.kinds {
            self.starts[*first as usize] -= self.groups[*first as usize].1;
        }
        let groups = &self.groups;
        self.kinds
            .sort_unstable_by_key(|first| (groups[*first as usize].0, *first));
        let this = &*self;
        let pairs = || {
            let pairs = this.kinds.windows(2);
            let pairs = pairs.filter(|pair| this.is_like(pair[0], pair[1]));
            pairs.map(|pair| (this.group_of(pair[0]), this.group_of(pair[1])))
        };
        let key = |point: &u32| this.keys[*point as usize];
        if !pairs().all(|(a, b)| a.iter().map(key).eq(b.iter().map(key))) {
            return false;
        }
        entries.iter().all(|entry| match words.links(*entry) {
            Links::Groups(leaders) => {
                let leader = |point: u32| leaders[point as usize];
                pairs().all(|(a, b)| {
                    let place = |group: &[u32], at: usize| {
                        let mut points = group.iter();
                        points.position(|point| leader(*point) == leader(group[at]))
                    };
                    (0..a.len()).all(|at| place(a, at) == place(b, at))
                })
            }
            Links::None | Links::Tangled => true,
        })
    }

    fn is_like(&self, a: u32, b: u32) -> bool {
        self.groups[a as usize] == self.groups[b as usize]
    }

    fn group_of(&self, first: u32) -> &[u32] {
        let start = self.starts[first as usize] as usize;
        &self.members[start..start + self.groups[first as usize].1 as usize]
    }

    fn is_alone(&self, point: u32) -> bool {
        !self.has_groups || self.groups[self.leaders[point as usize] as usize].1 < 2
    }

    /// Where points go: to the places of their class, in order.
    pub(super) fn place(&self, classes: &[Vec<u32>], images: &mut [u32]) {
        for (from, to) in self.sorted.iter().zip(classes.iter().flatten()) {
            images[*from as usize] = *to;
        }
    }

    /// The size of the orbit of a decided state; `None` when it is too large.
    pub(super) fn orbit(&self, classes: &[Vec<u32>]) -> Option<u128> {
        let mut size: u128 = 1;
        for sorted in self.sorted(classes) {
            let cells = self.cells(sorted);
            size = size.checked_mul(multinomial(cells.map(<[u32]>::len))?)?;
        }
        if self.has_groups {
            // The points of a group move together: its ways count once, not for each of its cells.
            for kind in self.kinds.chunk_by(|a, b| self.is_like(*a, *b)) {
                let ways = (1..=kind.len() as u128).try_fold(1u128, u128::checked_mul)?;
                for _ in 1..self.groups[kind[0] as usize].1 {
                    size = size.checked_mul(ways)?;
                }
            }
        }
        Some(size)
    }

    /// What can be exchanged in a decided state.
    pub(super) fn exchanges(&self, classes: &[Vec<u32>], found: &mut Exchanges) {
        for sorted in self.sorted(classes) {
            for cell in self.cells(sorted) {
                if cell.len() > 1 && self.is_alone(cell[0]) {
                    found.add(cell.chunks(1));
                }
            }
        }
        if self.has_groups {
            for kind in self.kinds.chunk_by(|a, b| self.is_like(*a, *b)) {
                if kind.len() > 1 {
                    found.add(kind.iter().map(|first| self.group_of(*first)));
                }
            }
        }
    }
}

/// Tells the keys of a group from colours.
const GROUP: u64 = 0x2545_f491_4f6c_dd1d;
