//! Integers of expressions as sums, with the names that quotients and function values need.

use lang_math::Op;
use model::{ExprId, Kind, Value};

use super::formula::{Formula, Name, Sum};
use super::read::{Reader, Said};
use crate::env::Env;
use crate::set::V;

/// Integers, about new names for which something is true; their values are determined by it.
pub(super) struct Terms {
    pub sums: Vec<Sum>,
    names: Vec<Name>,
    where_: Vec<Formula>,
    defined: Vec<Formula>,
}

impl Terms {
    fn plain(sums: Vec<Sum>) -> Terms {
        Terms {
            sums,
            names: Vec::new(),
            where_: Vec::new(),
            defined: Vec::new(),
        }
    }

    pub(super) fn with(mut self, other: Terms) -> Terms {
        self.sums.extend(other.sums);
        self.names.extend(other.names);
        self.where_.extend(other.where_);
        self.defined.extend(other.defined);
        self
    }

    /// What is said about the integers.
    pub(super) fn say(self, said: Said) -> Said {
        let mut holds = self.where_;
        holds.push(said.holds);
        let mut defined = self.defined;
        defined.push(said.defined);
        Said {
            holds: Formula::some(self.names, Formula::and(holds)),
            defined: Formula::and(defined),
        }
    }

    /// A condition on the integers, for all that they may be.
    fn demand(&mut self, condition: Formula) {
        let whole = Formula::and(self.where_.clone()).implies(condition);
        self.defined.push(Formula::all(self.names.clone(), whole));
    }
}

impl Reader<'_, '_> {
    /// The integers of an expression.
    pub(super) fn terms(&mut self, expr: ExprId, env: &Env) -> Option<Terms> {
        let width = self.width_of(expr)?;
        if self.is_known(expr) {
            let mut found = Vec::new();
            match self.interp.value(expr, env).ok()? {
                V::Plain(value) => integers(&value, &mut found)?,
                _ => return None,
            }
            return Some(Terms::plain(found));
        }
        base::deep::recurse(|| self.terms_of(expr, width, env))
    }

    // Long: one arm for each kind of expression.
    fn terms_of(&mut self, expr: ExprId, width: usize, env: &Env) -> Option<Terms> {
        let model = self.interp.model;
        match &model.exprs[expr].kind {
            Kind::Local(name) => {
                let bound = self.scope.iter().rev().find(|(other, _)| other == name)?;
                Some(Terms::plain(bound.1.clone()))
            }
            Kind::Apply(function, argument) if width == 1 => {
                let mut terms = self.terms(*argument, env)?;
                let [value, other] = self.fresh(2)?[..] else {
                    return None;
                };
                let at = |name: Name| [terms.sums.as_slice(), &[Sum::name(name)]].concat();
                let (value_at, other_at) = (at(value), at(other));
                let inside = self.among(&value_at, *function, env)?;
                let again = self.among(&other_at, *function, env)?.holds;
                let two = Formula::and(vec![inside.holds.clone(), again]);
                let one = two.implies(Formula::equal(&Sum::name(value), &Sum::name(other))?);
                terms.demand(Formula::and(vec![
                    inside.defined,
                    Formula::some(vec![value], inside.holds.clone()),
                    Formula::all(vec![value, other], one),
                ]));
                terms.names.push(value);
                terms.where_.push(inside.holds);
                terms.sums = vec![Sum::name(value)];
                Some(terms)
            }
            Kind::Op(Op::Maplet, sides) => {
                Some(self.terms(sides[0], env)?.with(self.terms(sides[1], env)?))
            }
            Kind::Op(op @ (Op::Component1 | Op::Component2), sides) => {
                let mut terms = self.terms(sides[0], env)?;
                let from = terms.sums.len() - width;
                match op {
                    Op::Component1 => terms.sums.truncate(width),
                    _ => drop(terms.sums.drain(..from)),
                }
                Some(terms)
            }
            Kind::Op(Op::Negate, sides) => {
                let mut terms = self.terms(sides[0], env)?;
                terms.sums = vec![Sum::default().add(terms.sums.first()?, -1)?];
                Some(terms)
            }
            Kind::Op(op, sides) if sides.len() == 2 => {
                let mut terms = self.terms(sides[0], env)?.with(self.terms(sides[1], env)?);
                let [a, b] = terms.sums.as_slice() else {
                    return None;
                };
                let (a, b) = (a.clone(), b.clone());
                let sum = match op {
                    Op::Add => a.add(&b, 1)?,
                    Op::Minus => a.add(&b, -1)?,
                    Op::Times => match (a.as_number(), b.as_number()) {
                        (Some(factor), _) => Sum::default().add(&b, factor)?,
                        (_, Some(factor)) => Sum::default().add(&a, factor)?,
                        _ => return None,
                    },
                    Op::Divide | Op::Modulo => {
                        let by = b.as_number().filter(|by| *by > 0)?;
                        let quotient = self.fresh(1)?[0];
                        // A negative dividend is left to the evaluator.
                        terms.demand(Formula::at_most(&Sum::number(0), &a)?);
                        let rest = a.add(&Sum::name(quotient), by.checked_neg()?)?;
                        terms.names.push(quotient);
                        terms.where_.push(Formula::at_most(&Sum::number(0), &rest)?);
                        terms
                            .where_
                            .push(Formula::at_most(&rest, &Sum::number(by - 1))?);
                        match op {
                            Op::Divide => Sum::name(quotient),
                            _ => rest,
                        }
                    }
                    _ => return None,
                };
                terms.sums = vec![sum];
                Some(terms)
            }
            _ => None,
        }
    }
}

/// The integers of a tuple.
pub(super) fn integers(value: &Value, found: &mut Vec<Sum>) -> Option<()> {
    match value {
        Value::Int(model::Int::Small(number)) => found.push(Sum::number(*number)),
        Value::Pair(pair) => {
            integers(&pair.0, found)?;
            integers(&pair.1, found)?;
        }
        _ => return None,
    }
    Some(())
}
