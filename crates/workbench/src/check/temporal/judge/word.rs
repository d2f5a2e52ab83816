//! What a judged path says of formulas and of fairness: the word of its letters, by definition.
//!
//! Invariant: what is not known makes a formula neither true nor false.

use buchi::{Ltl, Word};
use search::liveness::Fairness;

use super::{End, Judged, Label, labels};
use crate::check::temporal::prefix::unknown_end;

impl Judged {
    /// Whether the path may go on after its last step.
    pub(in crate::check::temporal) fn may_go_on(&self) -> bool {
        self.end == End::Prefix
    }

    /// The word, with what is not defined taken for `undefined`.
    pub(in crate::check::temporal) fn word(&self, undefined: bool) -> Word {
        let letters = self.letters.iter().map(|letter| {
            let mut words = vec![0_u64; letter.len().div_ceil(64)];
            for (atom, truth) in letter.iter().enumerate() {
                if truth.unwrap_or(undefined) {
                    words[atom / 64] |= 1 << (atom % 64);
                }
            }
            words
        });
        Word {
            letters: letters.collect(),
            loop_start: self.loop_start,
        }
    }

    /// The truth of a formula at each position; `None` where it depends on what is not known.
    pub(in crate::check::temporal) fn values(&self, formula: &Ltl) -> Vec<Option<bool>> {
        if self.end == End::Prefix {
            return unknown_end(formula, &self.letters);
        }
        let low = buchi::values_on(formula, &self.word(false));
        let high = buchi::values_on(formula, &self.word(true));
        let both = low.into_iter().zip(high);
        both.map(|(a, b)| (a == b).then_some(a)).collect()
    }

    /// Whether the path refutes the formula; a prefix does when every step that may follow does.
    pub(in crate::check::temporal) fn refutes(&self, formula: &Ltl) -> bool {
        let is_false = |values: Vec<Option<bool>>| values.first() == Some(&Some(false));
        if is_false(self.values(formula)) {
            return true;
        }
        let mut letters = self.letters.clone();
        !self.cases.is_empty()
            && self.cases.iter().all(|case| {
                if let Some(last) = letters.last_mut() {
                    last.clone_from(case);
                }
                is_false(unknown_end(formula, &letters))
            })
    }

    /// Whether the path satisfies one of the assumptions.
    pub(in crate::check::temporal) fn is_fair(&self, alternatives: &[Fairness]) -> bool {
        alternatives.is_empty() || alternatives.iter().any(|fairness| self.satisfies(fairness))
    }

    fn satisfies(&self, fairness: &Fairness) -> bool {
        let Some(start) = self.loop_start else {
            return true;
        };
        let on_loop = || start..self.letters.len();
        let holds =
            |atom: u32, position: usize| self.letters[position][atom as usize] == Some(true);
        let taken = |atom: u32| on_loop().any(|position| holds(atom, position));
        let weak = fairness.weak.iter().all(|constraint| {
            let always = on_loop().all(|position| holds(constraint.enabled, position));
            !always || taken(constraint.taken)
        });
        let strong = fairness.strong.iter().all(|constraint| {
            let often = on_loop().any(|position| holds(constraint.enabled, position));
            !often || taken(constraint.taken)
        });
        weak && strong
            && (!fairness.weak_labels || self.labels(start, true))
            && (!fairness.strong_labels || self.labels(start, false))
    }

    /// Whether every label that is possible always (`weak`), or again and again, on the loop is taken on it.
    fn labels(&self, start: usize, weak: bool) -> bool {
        let on_loop = start..self.letters.len();
        let mut all: Vec<Label<'_>> = Vec::new();
        for position in on_loop.clone() {
            let Some(possible) = &self.enabled[position] else {
                return true;
            };
            for label in labels(possible) {
                if !all.contains(&label) {
                    all.push(label);
                }
            }
        }
        all.iter().all(|label| {
            let is_taken = on_loop.clone().any(|position| {
                let step = self.steps[position].as_ref();
                step.is_some_and(|step| step.label() == *label)
            });
            let is_always = on_loop.clone().all(|position| {
                let possible = self.enabled[position].as_ref();
                possible.is_some_and(|possible| labels(possible).any(|known| known == *label))
            });
            is_taken || weak && !is_always
        })
    }
}
