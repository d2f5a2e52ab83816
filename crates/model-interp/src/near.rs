//! A second look at a quantifier over numbers that was cut: numbers near those that its formula is about.
//!
//! The numbers are the literals of the formula, those in the values that it reads, two far ones, and the neighbours of all
//! of these. A witness or counterexample among them decides. Where the formula says nothing new beyond some number
//! ([`crate::settled`]), all numbers up to there decide; otherwise the quantifier stays unknown.
//! Invariant: the second look is taken by the outermost quantifier only, so that it costs little.

use std::collections::BTreeSet;

use model::{ExprId, Int, Kind, LocalId, Target, Ty, Value};
use num_traits::ToPrimitive as _;

use crate::Interp;
use crate::env::Env;
use crate::set::V;

/// Of more numbers so many smallest and so many largest are taken.
const MOST: usize = 24;
/// So many steps may be taken: a large number may make an inner range large.
const BUDGET: u64 = 500_000;

impl Interp<'_> {
    /// The truth of a quantifier that was cut, if numbers near those that its formula is about decide it: the formula is
    /// `decisive` for one of them, or for none that there is.
    pub(crate) fn decided_near(
        &mut self,
        names: &[LocalId],
        formula: ExprId,
        decisive: bool,
        env: &Env,
    ) -> Option<bool> {
        let [name] = *names else { return None };
        let ty = &self.model.tys[self.model.locals[name].ty];
        if self.is_near || !matches!(ty, Ty::Int | Ty::Real) {
            return None;
        }
        let mut numbers = BTreeSet::from([-1_000_000, 1_000_000]);
        self.model.walk(formula, &mut |part| {
            if let Kind::Int(value) = &part.kind {
                numbers.extend(value.to_i64());
            }
        });
        for target in self.mentions(formula).iter() {
            if *target == Target::Local(name) {
                continue;
            }
            if let Some(V::Plain(value)) = env.get(*target) {
                numbers_in(value, &mut numbers);
            }
        }
        let last = numbers.iter().rev().take(MOST);
        let chosen: BTreeSet<i64> = last.chain(numbers.iter().take(MOST)).copied().collect();
        let outer = (self.doubt.take(), self.notes.clone());
        let budget = self.options.budget;
        self.options.budget = budget.min(self.steps.saturating_add(BUDGET));
        self.is_near = true;
        let is_int = matches!(ty, Ty::Int);
        let is_decided = chosen.into_iter().any(|number| {
            [-1, 0, 1].into_iter().any(|beside| {
                let number = number.saturating_add(beside);
                let value = match ty {
                    Ty::Real => Value::Real(number as f64),
                    _ => Value::Int(Int::Small(number)),
                };
                let env = env.bind_local(name, Some(V::Plain(value)));
                matches!(self.test(formula, &env), Ok(truth) if truth == decisive)
            })
        });
        let truth = match is_decided {
            true => Some(decisive),
            false if is_int => self.decided_by_all(name, formula, decisive, env),
            false => None,
        };
        self.is_near = false;
        self.options.budget = budget;
        (self.doubt, self.notes) = outer;
        truth
    }

    /// The truth of the quantifier by all numbers up to where everything repeats; nothing when one of them has none.
    fn decided_by_all(
        &mut self,
        name: LocalId,
        formula: ExprId,
        decisive: bool,
        env: &Env,
    ) -> Option<bool> {
        let settled = self.settled(name, formula, env)?;
        let end = settled.end()?;
        let mut is_known = true;
        for number in -end..=end {
            let env = env.bind_local(name, Some(V::Plain(Value::Int(Int::Small(number)))));
            match self.test(formula, &env) {
                Ok(truth) if truth == decisive => return Some(truth),
                Ok(_) => {}
                Err(_) => is_known = false,
            }
        }
        is_known.then_some(!decisive)
    }
}

fn numbers_in(value: &Value, found: &mut BTreeSet<i64>) {
    match value {
        Value::Int(Int::Small(number)) => {
            found.insert(*number);
        }
        Value::Real(number) => {
            found.insert(*number as i64);
        }
        Value::Pair(pair) => {
            numbers_in(&pair.0, found);
            numbers_in(&pair.1, found);
        }
        Value::Set(elements) => elements.iter().for_each(|part| numbers_in(part, found)),
        Value::Record(fields) => fields.iter().for_each(|(_, part)| numbers_in(part, found)),
        Value::Free(_, _, Some(argument)) => numbers_in(argument, found),
        _ => {}
    }
}
