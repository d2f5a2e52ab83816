//! Transition-based generalised Büchi automata over letters, for words that may end.
//!
//! An infinite word is accepted by a run that takes edges of every accepting set infinitely often. A finite word is
//! accepted by a run on all letters but the last whose last state may end on the last letter.

use crate::Word;
use crate::reduce::components;

/// An automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The states.
    pub states: Vec<State>,
    /// Where runs begin.
    pub initial: Vec<u32>,
    /// How many accepting sets there are, at most 64.
    pub sets: u32,
    /// One more than the largest atom in a guard.
    pub atoms: u32,
}

/// A state of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Where it goes on when the letter is not the last.
    pub edges: Vec<Edge>,
    /// The last letters on which a word may end here.
    pub ends: Vec<Cube>,
}

/// An edge of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Which letters it reads.
    pub guard: Cube,
    /// Where it leads.
    pub target: u32,
    /// The accepting sets it belongs to, a bit each.
    pub accepting: u64,
}

/// A conjunction of literals: the letters with all atoms of one set and none of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Atoms that must be in the letter, a bit each; no trailing zeros.
    pub with: Vec<u64>,
    /// Atoms that must not be; no trailing zeros.
    pub without: Vec<u64>,
}

impl Automaton {
    /// All accepting sets.
    pub fn all_sets(&self) -> u64 {
        if self.sets == 64 {
            u64::MAX
        } else {
            (1 << self.sets) - 1
        }
    }

    /// Whether a state accepts every word.
    pub fn is_universal(&self, state: u32) -> bool {
        let all = self.all_sets();
        let State { edges, ends } = &self.states[state as usize];
        let stays = |edge: &Edge| {
            edge.guard.is_true() && edge.target == state && edge.accepting & all == all
        };
        edges.iter().any(stays) && ends.iter().any(Cube::is_true)
    }

    /// Whether it accepts a word.
    pub fn accepts(&self, word: &Word) -> bool {
        let (len, count) = (word.letters.len(), self.states.len());
        let place = |at: usize, state: u32| at * count + state as usize;
        let edges = |node: usize| {
            let (at, state) = (node / count, node % count);
            let next = if at + 1 < len {
                Some(at + 1)
            } else {
                word.loop_start
            };
            let edges = self.states[state].edges.iter();
            let edges = edges.filter(move |edge| edge.guard.admits(&word.letters[at]));
            edges.filter_map(move |edge| Some((place(next?, edge.target), edge.accepting)))
        };
        let mut is_reached = vec![false; len * count];
        let mut todo: Vec<usize> = Vec::new();
        if len > 0 {
            todo.extend(self.initial.iter().map(|state| place(0, *state)));
        }
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut is_reached[node], true) {
                todo.extend(edges(node).map(|(target, _)| target));
            }
        }
        if word.loop_start.is_none() {
            let ends = |state: &State| {
                state
                    .ends
                    .iter()
                    .any(|cube| cube.admits(&word.letters[len - 1]))
            };
            let last = |state: &usize| is_reached[(len - 1) * count + state];
            return len > 0 && (0..count).filter(last).any(|at| ends(&self.states[at]));
        }
        let (component, sizes) = components(len * count, |node| {
            edges(node).map(|(target, _)| target as u32).collect()
        });
        let mut sets = vec![None; sizes];
        for node in (0..len * count).filter(|node| is_reached[*node]) {
            for (target, accepting) in edges(node) {
                if component[node] == component[target] {
                    *sets[component[node] as usize].get_or_insert(0) |= accepting;
                }
            }
        }
        let all = self.all_sets();
        sets.into_iter()
            .flatten()
            .any(|sets: u64| sets & all == all)
    }
}

impl Cube {
    /// Whether it has no literals.
    pub fn is_true(&self) -> bool {
        self.with.is_empty() && self.without.is_empty()
    }

    /// Whether a letter satisfies all literals.
    pub fn admits(&self, letter: &[u64]) -> bool {
        let word = |at: usize| letter.get(at).copied().unwrap_or(0);
        let missing = |(at, with): (usize, &u64)| with & !word(at) != 0;
        let present = |(at, without): (usize, &u64)| without & word(at) != 0;
        !self.with.iter().enumerate().any(missing) && !self.without.iter().enumerate().any(present)
    }

    /// Adds a literal; `false` when its opposite is there.
    pub fn add(&mut self, atom: u32, sign: bool) -> bool {
        let (mine, other) = match sign {
            true => (&mut self.with, &self.without),
            false => (&mut self.without, &self.with),
        };
        let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
        if other.get(word).is_some_and(|other| other & bit != 0) {
            return false;
        }
        if mine.len() <= word {
            mine.resize(word + 1, 0);
        }
        mine[word] |= bit;
        true
    }

    /// The letters of both; `None` when there are none.
    pub fn meet(&self, other: &Cube) -> Option<Cube> {
        let clash = |a: &[u64], b: &[u64]| a.iter().zip(b).any(|(a, b)| a & b != 0);
        if clash(&self.with, &other.without) || clash(&self.without, &other.with) {
            return None;
        }
        Some(Cube {
            with: union(&self.with, &other.with),
            without: union(&self.without, &other.without),
        })
    }

    /// Whether it has all letters of `other`.
    pub fn contains(&self, other: &Cube) -> bool {
        is_subset(&self.with, &other.with) && is_subset(&self.without, &other.without)
    }

    /// The atom in which two cubes differ, if they are the same but for its sign.
    pub fn opposite(&self, other: &Cube) -> Option<Cube> {
        let both = |cube: &Cube| union(&cube.with, &cube.without);
        if both(self) != both(other) {
            return None;
        }
        let len = self.with.len().max(other.with.len());
        let word = |words: &[u64], at: usize| words.get(at).copied().unwrap_or(0);
        let differs = (0..len).map(|at| word(&self.with, at) ^ word(&other.with, at));
        let differs: Vec<u64> = differs.collect();
        if differs.iter().map(|word| word.count_ones()).sum::<u32>() != 1 {
            return None;
        }
        let without = |words: &[u64]| {
            let words = words.iter().enumerate();
            trim(words.map(|(at, w)| w & !word(&differs, at)).collect())
        };
        Some(Cube {
            with: without(&self.with),
            without: without(&self.without),
        })
    }

    /// The literals: atoms and signs, ascending.
    pub fn literals(&self) -> Vec<(u32, bool)> {
        let bits = |words: &[u64], sign: bool| {
            let atoms = (0..words.len() as u32 * 64)
                .filter(|atom| words[*atom as usize / 64] >> (atom % 64) & 1 == 1);
            atoms.map(|atom| (atom, sign)).collect::<Vec<_>>()
        };
        let mut all = [bits(&self.with, true), bits(&self.without, false)].concat();
        all.sort_unstable();
        all
    }
}

fn union(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut words = long.to_vec();
    for (word, more) in words.iter_mut().zip(short) {
        *word |= more;
    }
    words
}

fn is_subset(a: &[u64], b: &[u64]) -> bool {
    let word = |at: usize| b.get(at).copied().unwrap_or(0);
    !a.iter().enumerate().any(|(at, a)| a & !word(at) != 0)
}

fn trim(mut words: Vec<u64>) -> Vec<u64> {
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}
