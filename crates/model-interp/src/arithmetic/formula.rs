//! Formulas about sums of integers, and whether they are true.

use std::collections::BTreeMap;

use super::automaton::Automaton;

/// A bound name of a formula.
pub(super) type Name = u32;

/// `f1*x1 + … + constant`; no factor is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub factors: BTreeMap<Name, i64>,
    pub constant: i64,
}

impl Sum {
    pub(super) fn number(constant: i64) -> Sum {
        Sum {
            factors: BTreeMap::new(),
            constant,
        }
    }

    pub(super) fn name(name: Name) -> Sum {
        Sum {
            factors: BTreeMap::from([(name, 1)]),
            constant: 0,
        }
    }

    pub(super) fn as_number(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    pub(super) fn add(&self, other: &Sum, factor: i64) -> Option<Sum> {
        let mut sum = self.clone();
        sum.constant = sum
            .constant
            .checked_add(other.constant.checked_mul(factor)?)?;
        for (name, own) in &other.factors {
            let entry = sum.factors.entry(*name).or_insert(0);
            *entry = entry.checked_add(own.checked_mul(factor)?)?;
        }
        sum.factors.retain(|_, factor| *factor != 0);
        Some(sum)
    }
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Constant(bool),
    /// `sum <= 0`
    AtMost(Sum),
    /// `sum = 0`
    Zero(Sum),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    /// For some values of the names.
    Some(Vec<Name>, Box<Formula>),
}

impl Formula {
    /// `a <= b`
    pub(super) fn at_most(a: &Sum, b: &Sum) -> Option<Formula> {
        Some(Formula::AtMost(a.add(b, -1)?))
    }

    /// `a = b`
    pub(super) fn equal(a: &Sum, b: &Sum) -> Option<Formula> {
        Some(Formula::Zero(a.add(b, -1)?))
    }

    pub(super) fn not(self) -> Formula {
        match self {
            Formula::Constant(truth) => Formula::Constant(!truth),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    pub(super) fn and(parts: Vec<Formula>) -> Formula {
        Formula::And(parts)
    }

    pub(super) fn implies(self, other: Formula) -> Formula {
        Formula::Or(vec![self.not(), other])
    }

    pub(super) fn some(names: Vec<Name>, body: Formula) -> Formula {
        match (names.is_empty(), body) {
            (_, Formula::Constant(truth)) => Formula::Constant(truth),
            (true, body) => body,
            (false, body) => Formula::Some(names, Box::new(body)),
        }
    }

    pub(super) fn all(names: Vec<Name>, body: Formula) -> Formula {
        Formula::some(names, body.not()).not()
    }

    /// Whether a formula whose names are all bound is true.
    pub(super) fn decide(&self) -> Option<bool> {
        self.automaton()?.truth()
    }

    fn automaton(&self) -> Option<Automaton> {
        base::deep::recurse(|| match self {
            Formula::Constant(truth) => Some(Automaton::constant(*truth)),
            Formula::AtMost(sum) if let Some(number) = sum.as_number() => {
                Some(Automaton::constant(number <= 0))
            }
            Formula::Zero(sum) if let Some(number) = sum.as_number() => {
                Some(Automaton::constant(number == 0))
            }
            Formula::AtMost(sum) => Automaton::of_sum(sum, false),
            Formula::Zero(sum) => Automaton::of_sum(sum, true),
            Formula::Not(inner) => Some(inner.automaton()?.negated()),
            Formula::And(parts) => joined(parts, true),
            Formula::Or(parts) => joined(parts, false),
            Formula::Some(names, body) => {
                let mut automaton = body.automaton()?;
                for name in names {
                    automaton = automaton.for_some(*name)?;
                }
                Some(automaton)
            }
        })
    }
}

fn joined(parts: &[Formula], both: bool) -> Option<Automaton> {
    let mut all = Automaton::constant(both);
    for part in parts {
        all = all.joined(&part.automaton()?, both)?;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use base::Random;

    use super::*;

    /// The truth of a formula with names in a range.
    fn brute(formula: &Formula, values: &mut Vec<i64>) -> bool {
        let sum = |sum: &Sum, values: &[i64]| {
            let terms = sum
                .factors
                .iter()
                .map(|(name, f)| f * values[*name as usize]);
            terms.sum::<i64>() + sum.constant
        };
        match formula {
            Formula::Constant(truth) => *truth,
            Formula::AtMost(of) => sum(of, values) <= 0,
            Formula::Zero(of) => sum(of, values) == 0,
            Formula::Not(inner) => !brute(inner, values),
            Formula::And(parts) => parts.iter().all(|part| brute(part, values)),
            Formula::Or(parts) => parts.iter().any(|part| brute(part, values)),
            Formula::Some(names, body) => {
                let range = if values.is_empty() { 30 } else { 130 };
                assert_eq!(names, &[values.len() as Name]);
                (-range..=range).any(|value| {
                    values.push(value);
                    let truth = brute(body, values);
                    values.pop();
                    truth
                })
            }
        }
    }

    fn any_formula(random: &mut Random, depth: u32) -> Formula {
        if depth == 0 || random.below(4) == 0 {
            let mut sum = Sum::number(random.below(11) as i64 - 5);
            for name in 0..2 {
                let factor = random.below(5) as i64 - 2;
                sum = sum.add(&Sum::name(name), factor).unwrap();
            }
            return match random.below(2) {
                0 => Formula::AtMost(sum),
                _ => Formula::Zero(sum),
            };
        }
        match random.below(3) {
            0 => any_formula(random, depth - 1).not(),
            1 => Formula::And(vec![
                any_formula(random, depth - 1),
                any_formula(random, depth - 1),
            ]),
            _ => Formula::Or(vec![
                any_formula(random, depth - 1),
                any_formula(random, depth - 1),
            ]),
        }
    }

    #[test]
    fn automata_say_what_brute_force_finds() {
        for seed in 1..=1500_u64 {
            let mut random = Random::new(seed);
            let body = any_formula(&mut random, 3);
            let quantify = |name: Name, body: Formula, all: bool| match all {
                true => Formula::all(vec![name], body),
                false => Formula::some(vec![name], body),
            };
            let inner = quantify(1, body, random.below(2) == 0);
            let whole = quantify(0, inner, random.below(2) == 0);
            let truth = whole.decide();
            assert_eq!(
                truth,
                Some(brute(&whole, &mut Vec::new())),
                "seed {seed}: {whole:?}"
            );
        }
    }

    #[test]
    fn numbers_may_be_longer_than_those_that_are_left() {
        // #y.(y = 100*x) for all x
        let y = Sum::name(1).add(&Sum::name(0), -100).unwrap();
        let whole = Formula::all(vec![0], Formula::some(vec![1], Formula::Zero(y)));
        assert_eq!(whole.decide(), Some(true));
    }
}
