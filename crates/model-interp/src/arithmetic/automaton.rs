//! Sets of tuples of integers as automata that read their binary digits, the lowest first.
//!
//! Paper: [Wolper, Boigelot 2000]. The last letter is the sign in two's complement; repeating it changes no number. Differs: states tell by themselves whether the letter before was
//! a good last one, so that every automaton is deterministic and complete.
//! Invariant: what would need too many states or names is not there (`None`), never wrong.

use rustc_hash::{FxHashMap, FxHashSet};

use super::formula::{Name, Sum};

/// An automaton with more states is given up.
const MOST_STATES: usize = 6_000;
/// One letter has a digit of every name.
const MOST_NAMES: usize = 8;

/// A deterministic automaton. State 0 is the first one; it is never a last one, since a word has a sign.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    names: Vec<Name>,
    /// By state and letter.
    next: Vec<Vec<u32>>,
    accepts: Vec<bool>,
}

impl Automaton {
    /// All tuples, or none.
    pub(super) fn constant(all: bool) -> Automaton {
        Automaton {
            names: Vec::new(),
            next: vec![vec![0]],
            accepts: vec![all],
        }
    }

    /// `sum <= 0`, or `sum = 0`.
    pub(super) fn of_sum(sum: &Sum, equal: bool) -> Option<Automaton> {
        let names: Vec<Name> = sum.factors.keys().copied().collect();
        let digits = letters(names.len())?;
        let factors: Vec<i64> = sum.factors.values().copied().collect();
        let value = |letter: usize| {
            let bits = factors.iter().enumerate();
            bits.filter(|(bit, _)| letter >> bit & 1 == 1)
                .try_fold(0_i64, |all, (_, f)| all.checked_add(*f))
        };
        let values = (0..digits).map(value).collect::<Option<Vec<i64>>>()?;
        // What the rest of the digits must come to at most, or exactly; nothing when that is impossible.
        let first = (Some(sum.constant.checked_neg()?), false);
        build(names, first, digits, |(left, _), letter| {
            let Some(left) = left else {
                return Some((None, false));
            };
            let (rest, last) = (
                left.checked_sub(values[letter])?,
                left.checked_add(values[letter])?,
            );
            Some(match equal {
                true if rest % 2 != 0 => (None, false),
                true => (Some(rest / 2), last == 0),
                false => (Some(rest.div_euclid(2)), last >= 0),
            })
        })
        .map(Automaton::smaller)
    }

    /// The opposite.
    pub(super) fn negated(mut self) -> Automaton {
        self.accepts
            .iter_mut()
            .for_each(|accepts| *accepts = !*accepts);
        self
    }

    /// Both, or either.
    pub(super) fn joined(&self, other: &Automaton, both: bool) -> Option<Automaton> {
        let mut names: Vec<Name> = self.names.iter().chain(&other.names).copied().collect();
        names.sort_unstable();
        names.dedup();
        let digits = letters(names.len())?;
        let own = |of: &Automaton| -> Vec<usize> {
            let places = |letter: usize| {
                let bits = of.names.iter().enumerate().map(|(bit, name)| {
                    let at = names.iter().position(|other| other == name).unwrap_or(0);
                    (letter >> at & 1) << bit
                });
                bits.sum()
            };
            (0..digits).map(places).collect()
        };
        let (mine, others) = (own(self), own(other));
        let start = ((0_u32, 0_u32), false);
        let automaton = build(names.clone(), start, digits, |((a, b), _), letter| {
            let a = self.next[*a as usize][mine[letter]];
            let b = other.next[*b as usize][others[letter]];
            let (x, y) = (self.accepts[a as usize], other.accepts[b as usize]);
            Some(((a, b), if both { x && y } else { x || y }))
        })?;
        Some(automaton.smaller())
    }

    /// For some value of a name.
    pub(super) fn for_some(&self, name: Name) -> Option<Automaton> {
        let Some(bit) = self.names.iter().position(|other| *other == name) else {
            return Some(self.clone());
        };
        let mut names = self.names.clone();
        names.remove(bit);
        let digits = letters(names.len())?;
        // A letter without the name, with its digit put back.
        let with = |letter: usize, digit: usize| {
            let low = letter & ((1 << bit) - 1);
            low | digit << bit | (letter >> bit) << (bit + 1)
        };
        // Where the number of the name is longer than the others, these repeat their sign.
        let mut good: Vec<FxHashSet<u32>> = Vec::with_capacity(digits);
        for letter in 0..digits {
            let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.next.len()];
            for (state, next) in self.next.iter().enumerate() {
                for digit in [0, 1] {
                    before[next[with(letter, digit)] as usize].push(state as u32);
                }
            }
            let accepting = (0..self.accepts.len() as u32).filter(|s| self.accepts[*s as usize]);
            let mut found: FxHashSet<u32> = accepting.collect();
            let mut todo: Vec<u32> = found.iter().copied().collect();
            while let Some(state) = todo.pop() {
                for earlier in &before[state as usize] {
                    if found.insert(*earlier) {
                        todo.push(*earlier);
                    }
                }
            }
            good.push(found);
        }
        let start = (vec![0_u32], false);
        let automaton = build(names, start, digits, |(states, _), letter| {
            let targets = states.iter().flat_map(|state| {
                let next = &self.next[*state as usize];
                [next[with(letter, 0)], next[with(letter, 1)]]
            });
            let mut targets: Vec<u32> = targets.collect();
            targets.sort_unstable();
            targets.dedup();
            let accepts = targets.iter().any(|state| good[letter].contains(state));
            Some((targets, accepts))
        })?;
        Some(automaton.smaller())
    }

    /// Whether all tuples are in it, when no name is left.
    pub(super) fn truth(&self) -> Option<bool> {
        self.names
            .is_empty()
            .then(|| self.accepts[self.next[0][0] as usize])
    }

    /// The automaton with states that accept the same words made one.
    fn smaller(self) -> Automaton {
        let count = self.next.len();
        let mut class: Vec<u32> = self
            .accepts
            .iter()
            .map(|accepts| u32::from(*accepts))
            .collect();
        let mut classes = 0;
        loop {
            let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(count);
            for state in 0..count {
                let next = self.next[state]
                    .iter()
                    .map(|target| class[*target as usize]);
                let key = (class[state], next.collect());
                let fresh = numbers.len() as u32;
                refined.push(*numbers.entry(key).or_insert(fresh));
            }
            let found = numbers.len();
            class = refined;
            if found == classes {
                break;
            }
            classes = found;
        }
        // State 0 has number 0: it was looked at first.
        let mut next = vec![Vec::new(); classes];
        let mut accepts = vec![false; classes];
        for state in 0..count {
            let own = class[state] as usize;
            if next[own].is_empty() {
                next[own] = self.next[state]
                    .iter()
                    .map(|target| class[*target as usize])
                    .collect();
                accepts[own] = self.accepts[state];
            }
        }
        Automaton {
            names: self.names,
            next,
            accepts,
        }
    }
}

fn letters(names: usize) -> Option<usize> {
    (names <= MOST_NAMES).then(|| 1 << names)
}

/// The automaton of all states that steps lead to; a state is what is left to read and whether the last letter was good.
fn build<T: Clone + Eq + std::hash::Hash>(
    names: Vec<Name>,
    first: (T, bool),
    letters: usize,
    step: impl Fn(&(T, bool), usize) -> Option<(T, bool)>,
) -> Option<Automaton> {
    let mut numbers: FxHashMap<(T, bool), u32> = FxHashMap::default();
    let mut states = vec![first.clone()];
    numbers.insert(first, 0);
    let mut next = Vec::new();
    let mut at = 0;
    while at < states.len() {
        if states.len() > MOST_STATES {
            return None;
        }
        let state = states[at].clone();
        let mut row = Vec::with_capacity(letters);
        for letter in 0..letters {
            let target = step(&state, letter)?;
            let fresh = states.len() as u32;
            let number = *numbers.entry(target.clone()).or_insert(fresh);
            if number == fresh {
                states.push(target);
            }
            row.push(number);
        }
        next.push(row);
        at += 1;
    }
    let accepts = states.iter().map(|state| state.1).collect();
    Some(Automaton {
        names,
        next,
        accepts,
    })
}
