//! Numbers of sets that may be infinite: how many elements they have, and the least one.

use std::fmt;

use super::formulas::{Brute, Random, Set, Term, and, is_finite, not};

/// What is said of a set.
pub enum Count {
    /// `S : FIN(INTEGER) & card(S) = k`
    Card(Set, i64),
    /// `S <: NATURAL & S /= {} & min(S) = t`
    Least(Set, Term),
}

impl Count {
    pub fn random(random: &mut Random, names: usize) -> Count {
        let set = Set::random(random, 1, names);
        match random.below(2) {
            0 => Count::Card(set, random.from(0, 6)),
            _ => Count::Least(set, Term::random(random, 1, names)),
        }
    }

    pub fn truth(&self, brute: &Brute, names: &mut Vec<i64>) -> Option<bool> {
        match self {
            Count::Card(set, count) => {
                let all = Brute::range().map(|value| brute.member(value, set, names));
                let all: Option<Vec<bool>> = all.collect();
                let found = all.map(|all| all.iter().filter(|inside| **inside).count() as i64);
                let is_whole = brute.is_within(set, names);
                let same = match found {
                    Some(found) if found > *count => Some(false),
                    Some(found) if is_whole => Some(found == *count),
                    _ => None,
                };
                and(is_finite(set), || same)
            }
            Count::Least(set, term) => {
                let least = brute.term(term, names);
                let negative = brute.some(set, names, &mut |_, names| {
                    Some(names.last().is_some_and(|value| *value < 0))
                });
                let smaller = brute.some(set, names, &mut |_, names| {
                    Some(names.last().is_some_and(|value| *value < least))
                });
                let inside = brute.member(least, set, names);
                and(not(negative), || and(inside, || not(smaller)))
            }
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Count::Card(set, count) => write!(f, "({set} : FIN(INTEGER) & card({set}) = {count})"),
            Count::Least(set, term) => {
                write!(
                    f,
                    "({set} <: NATURAL & {set} /= {{}} & min({set}) = {term})"
                )
            }
        }
    }
}
