//! Judges formulas on the beginning of a path, whatever follows: three-valued logic.
//!
//! A part is true or false at a position when every continuation makes it so as far as its operators show; otherwise it is
//! unknown. What cannot be undone (`H f` that was false once) is known beyond the prefix too. Shares no code with the search for bad prefixes.

use buchi::Ltl;

/// Three-valued truth of a formula along a prefix whose continuation is unknown.
pub(super) fn unknown_end(formula: &Ltl, letters: &[Vec<Option<bool>>]) -> Vec<Option<bool>> {
    let real = letters.len();
    let mut letters = letters.to_vec();
    let atoms = letters.first().map_or(0, Vec::len);
    // As far as `X` looks beyond the prefix: positions of which nothing is known, not even whether there are any.
    letters.resize(real + nexts(formula), vec![None; atoms]);
    let mut along = judged(formula, &letters, real).along;
    along.truncate(real);
    along
}

/// How deep `X` is nested.
fn nexts(formula: &Ltl) -> usize {
    let parts = formula.parts().into_iter();
    let deepest = parts.map(|part| base::deep::recurse(|| nexts(part))).max();
    deepest.unwrap_or(0) + usize::from(matches!(formula, Ltl::Next(_)))
}

/// The truth of a part.
struct Judged {
    /// At each position of the prefix.
    along: Vec<Truth>,
    /// At every position after it, when it is the same at all of them whatever they are.
    beyond: Truth,
}

impl Judged {
    fn last(&self) -> Truth {
        self.along.last().copied().flatten()
    }

    fn not(mut self) -> Judged {
        self.along
            .iter_mut()
            .for_each(|truth| *truth = negated(*truth));
        self.beyond = negated(self.beyond);
        self
    }

    fn and(mut self, other: &Judged) -> Judged {
        let both = self.along.iter_mut().zip(&other.along);
        both.for_each(|(a, b)| *a = and(*a, *b));
        self.beyond = and(self.beyond, other.beyond);
        self
    }

    /// `self U other`. The path may end with the prefix, so that only what is false helps beyond it.
    fn until(&self, other: &Judged, real: usize) -> Judged {
        let beyond = other.beyond;
        let mut later = beyond;
        let mut along: Vec<Truth> = vec![None; self.along.len()];
        for at in (0..along.len()).rev() {
            let next = later.filter(|truth| at + 1 < real || !truth);
            later = or(other.along[at], and(self.along[at], next));
            along[at] = later;
        }
        Judged { along, beyond }
    }

    /// `self S other`.
    fn since(&self, other: &Judged) -> Judged {
        let mut earlier = Some(false);
        let both = self.along.iter().zip(&other.along);
        let along: Vec<Truth> = both
            .map(|(a, b)| {
                earlier = or(*b, and(*a, earlier));
                earlier
            })
            .collect();
        // From one position to the next it stays what it was, or becomes what cannot be undone.
        let next = or(other.beyond, and(self.beyond, earlier));
        let after = or(other.beyond, and(self.beyond, next));
        let beyond = next.filter(|_| next == after);
        Judged { along, beyond }
    }
}

fn judged(formula: &Ltl, letters: &[Vec<Truth>], real: usize) -> Judged {
    let below = |part: &Ltl| base::deep::recurse(|| judged(part, letters, real));
    let constant = |truth: bool| Judged {
        along: vec![Some(truth); letters.len()],
        beyond: Some(truth),
    };
    match formula {
        Ltl::True => constant(true),
        Ltl::False => constant(false),
        Ltl::Atom(atom) => Judged {
            along: letters.iter().map(|l| l[*atom as usize]).collect(),
            beyond: None,
        },
        Ltl::Not(a) => below(a).not(),
        Ltl::And(all) => {
            let parts = all.iter().map(below);
            parts.fold(constant(true), |whole, part| whole.and(&part))
        }
        Ltl::Or(all) => {
            let parts = all.iter().map(below);
            let none = parts.fold(constant(true), |none, part| none.and(&part.not()));
            none.not()
        }
        Ltl::Next(a) => {
            let mut a = below(a);
            // Beyond the prefix there may be no next position.
            let mut later = a.along.split_off(1.min(a.along.len()));
            later.push(a.beyond);
            for (at, truth) in later.iter_mut().enumerate() {
                *truth = truth.filter(|truth| at + 1 < real || !truth);
            }
            Judged {
                along: later,
                beyond: a.beyond.filter(|truth| !truth),
            }
        }
        Ltl::Until(a, b) => below(a).until(&below(b), real),
        Ltl::Release(a, b) => below(a).not().until(&below(b).not(), real).not(),
        Ltl::Yesterday(a) => {
            let mut a = below(a);
            a.beyond = a.beyond.filter(|_| a.beyond == a.last());
            a.along.insert(0, Some(false));
            a.along.pop();
            a
        }
        Ltl::Since(a, b) => below(a).since(&below(b)),
        Ltl::Trigger(a, b) => below(a).not().since(&below(b).not()).not(),
    }
}

type Truth = Option<bool>;

fn negated(a: Truth) -> Truth {
    a.map(|a| !a)
}

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    negated(and(negated(a), negated(b)))
}

#[cfg(test)]
#[path = "../../../../../lib/buchi/tests/common/mod.rs"]
mod common;

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(truths: &[&[bool]]) -> Vec<Vec<Truth>> {
        truths
            .iter()
            .map(|l| l.iter().map(|t| Some(*t)).collect())
            .collect()
    }

    #[test]
    fn a_prefix_refutes_what_no_continuation_repairs() {
        let word = letters(&[&[true], &[false]]);
        let (p, not_p) = (Ltl::Atom(0), Ltl::not(Ltl::Atom(0)));
        let at_start = |formula: &Ltl| unknown_end(formula, &word)[0];
        assert_eq!(at_start(&Ltl::globally(p.clone())), Some(false));
        assert_eq!(at_start(&Ltl::finally(not_p.clone())), Some(true));
        assert_eq!(at_start(&Ltl::finally(Ltl::False)), Some(false));
        assert_eq!(at_start(&Ltl::finally(p.clone())), Some(true));
        assert_eq!(at_start(&Ltl::next(Ltl::next(p.clone()))), None);
        assert_eq!(at_start(&Ltl::until(p.clone(), Ltl::False)), Some(false));
        assert_eq!(unknown_end(&Ltl::once(p.clone()), &word)[1], Some(true));
        assert_eq!(unknown_end(&Ltl::yesterday(not_p), &word)[1], Some(false));
    }

    #[test]
    fn what_is_known_of_a_prefix_is_so_on_every_short_continuation() {
        let formulas = common::formulas_up_to(4);
        let (words, tails) = (common::words(2), common::words(2));
        let prefixes = words.iter().filter(|word| word.loop_start.is_none());
        let mut known = 0;
        for prefix in prefixes {
            let bit = |letter: &[u64], atom: u32| Some(letter[0] >> atom & 1 == 1);
            let letter = |letter: &Vec<u64>| vec![bit(letter, 0), bit(letter, 1)];
            let letters: Vec<Vec<Truth>> = prefix.letters.iter().map(letter).collect();
            let mut longer = vec![prefix.clone()];
            longer.extend(tails.iter().map(|tail| buchi::Word {
                letters: [&prefix.letters[..], &tail.letters].concat(),
                loop_start: tail.loop_start.map(|start| start + prefix.letters.len()),
            }));
            for formula in formulas.iter().flatten() {
                let Some(truth) = unknown_end(formula, &letters)[0] else {
                    continue;
                };
                known += 1;
                for word in &longer {
                    let found = buchi::holds_on(formula, word);
                    assert_eq!(found, truth, "{formula} on {word:?} after {prefix:?}");
                }
            }
        }
        assert!(known > 10_000, "{known}");
        // What has once been false was not always true, whatever follows.
        let word = letters(&[&[true], &[false]]);
        let before = Ltl::next(Ltl::yesterday(Ltl::yesterday(Ltl::True)));
        assert_eq!(unknown_end(&before, &word[..1])[0], Some(false));
        let never = Ltl::finally(Ltl::historically(Ltl::Atom(0)));
        assert_eq!(unknown_end(&never, &word)[1], Some(false));
    }
}
