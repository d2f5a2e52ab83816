//! Judges one word by the definition: the evaluator that automata and counterexamples are checked against.
//!
//! Technique: the loop of a lasso is written out once more for each nested past operator; after that many rounds
//! the past repeats itself too (Laroussinie, Markey, Schnoebelen 2002). Each part of the formula then has one
//! truth value for each position: past operators in one pass forwards, future ones in two passes backwards.
//! Invariant: shares no code with the translation.

use crate::Ltl;

/// An infinite word that repeats itself from some position on, or a finite one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// For each position the atoms that hold there: atom `a` is bit `a % 64` of word `a / 64`.
    pub letters: Vec<Vec<u64>>,
    /// Where the word goes on after the last letter; `None` for a finite word, which ends there.
    pub loop_start: Option<usize>,
}

/// Whether a formula holds at the first position. There is one: a word without letters satisfies nothing.
pub fn holds_on(formula: &Ltl, word: &Word) -> bool {
    values_on(formula, word).first().copied().unwrap_or(false)
}

/// Whether a formula holds, for each position of the word as it is written (the first round of its loop).
pub fn values_on(formula: &Ltl, word: &Word) -> Vec<bool> {
    let given = word.letters.len();
    let line = Line::new(word, past_depth(formula));
    let mut values = line.values(formula);
    values.truncate(given);
    values
}

/// A word with its loop written out as often as the past needs.
struct Line<'w> {
    letters: Vec<&'w [u64]>,
    /// Where the last position leads.
    back: Option<usize>,
}

impl<'w> Line<'w> {
    fn new(word: &'w Word, past_depth: usize) -> Line<'w> {
        let mut letters: Vec<&[u64]> = word.letters.iter().map(Vec::as_slice).collect();
        let Some(start) = word.loop_start else {
            return Line {
                letters,
                back: None,
            };
        };
        let mut back = start;
        for _ in 0..past_depth {
            back = letters.len();
            letters.extend(word.letters[start..].iter().map(Vec::as_slice));
        }
        Line {
            letters,
            back: Some(back),
        }
    }

    fn values(&self, formula: &Ltl) -> Vec<bool> {
        let len = self.letters.len();
        match formula {
            Ltl::True => vec![true; len],
            Ltl::False => vec![false; len],
            Ltl::Atom(atom) => self.letters.iter().map(|l| contains(l, *atom)).collect(),
            Ltl::Not(a) => self.values(a).into_iter().map(|value| !value).collect(),
            Ltl::And(all) => self.combine(all, true, |a, b| a && b),
            Ltl::Or(all) => self.combine(all, false, |a, b| a || b),
            Ltl::Next(a) => {
                let a = self.values(a);
                let next = |at| self.next(at).is_some_and(|next| a[next]);
                (0..len).map(next).collect()
            }
            Ltl::Until(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                // What is not known yet is false: least fixed point.
                self.backwards(false, |at, later| b[at] || (a[at] && later == Some(true)))
            }
            Ltl::Release(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                self.backwards(true, |at, later| b[at] && (a[at] || later != Some(false)))
            }
            Ltl::Yesterday(a) => {
                let a = self.values(a);
                (0..len).map(|at| at > 0 && a[at - 1]).collect()
            }
            Ltl::Since(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                let mut before = false;
                let now = |at: usize| {
                    before = b[at] || (a[at] && before);
                    before
                };
                (0..len).map(now).collect()
            }
            Ltl::Trigger(a, b) => {
                let (a, b) = (self.values(a), self.values(b));
                let mut before = true;
                let now = |at: usize| {
                    before = b[at] && (a[at] || before);
                    before
                };
                (0..len).map(now).collect()
            }
        }
    }

    fn combine(&self, all: &[Ltl], start: bool, with: impl Fn(bool, bool) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.letters.len()];
        for part in all {
            let part = self.values(part);
            for (value, part) in values.iter_mut().zip(part) {
                *value = with(*value, part);
            }
        }
        values
    }

    /// Two passes from the end, the second with what the first found at the start of the loop.
    fn backwards(&self, start: bool, now: impl Fn(usize, Option<bool>) -> bool) -> Vec<bool> {
        let mut values = vec![start; self.letters.len()];
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                let later = self.next(at).map(|next| values[next]);
                values[at] = now(at, later);
            }
        }
        values
    }

    fn next(&self, at: usize) -> Option<usize> {
        if at + 1 < self.letters.len() {
            Some(at + 1)
        } else {
            self.back
        }
    }
}

/// Whether an atom is in a letter.
pub(crate) fn contains(letter: &[u64], atom: u32) -> bool {
    let word = letter.get(atom as usize / 64);
    word.is_some_and(|word| word >> (atom % 64) & 1 == 1)
}

/// How many past operators are nested.
fn past_depth(formula: &Ltl) -> usize {
    let own = match formula {
        Ltl::Yesterday(_) | Ltl::Since(..) | Ltl::Trigger(..) => 1,
        _ => 0,
    };
    let parts = formula.parts().into_iter().map(past_depth);
    own + parts.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(letters: &[u64], loop_start: Option<usize>) -> Word {
        Word {
            letters: letters.iter().map(|letter| vec![*letter]).collect(),
            loop_start,
        }
    }

    #[test]
    fn next_is_false_at_the_end_and_its_negation_is_not_the_next_of_a_negation() {
        let p = || Ltl::Atom(0);
        let end = word(&[0], None);
        assert!(!holds_on(&Ltl::next(Ltl::True), &end));
        assert!(holds_on(&Ltl::not(Ltl::next(p())), &end));
        assert!(!holds_on(&Ltl::next(Ltl::not(p())), &end));
        assert!(holds_on(&Ltl::globally(Ltl::not(p())), &end));
        assert!(!holds_on(&Ltl::finally(p()), &end));
    }

    #[test]
    fn the_past_of_a_loop_is_that_of_its_later_rounds_too() {
        // p holds once before the loop: in the loop "p happened" is always true, "p just happened" never again.
        let lasso = word(&[1, 0], Some(1));
        let p = || Ltl::Atom(0);
        let recurs = |a| Ltl::globally(Ltl::finally(a));
        assert!(holds_on(&recurs(Ltl::once(p())), &lasso));
        assert!(!holds_on(&recurs(Ltl::yesterday(p())), &lasso));
        assert!(holds_on(&Ltl::next(Ltl::yesterday(p())), &lasso));
        // Three rounds are needed to see that "before the last but one" is not p.
        let twice = Ltl::yesterday(Ltl::yesterday(p()));
        assert!(!holds_on(&recurs(twice.clone()), &lasso));
        assert!(holds_on(&Ltl::finally(twice), &lasso));
    }

    #[test]
    fn at_the_first_position_the_past_is_empty() {
        let start = word(&[1], Some(0));
        let p = || Ltl::Atom(0);
        assert!(!holds_on(&Ltl::yesterday(Ltl::True), &start));
        assert!(holds_on(&Ltl::historically(p()), &start));
        assert!(holds_on(&Ltl::trigger(Ltl::False, p()), &start));
        assert!(!holds_on(&Ltl::since(p(), Ltl::not(p())), &start));
    }
}
