//! Integers of a template as terms, with the names that quotients and function values need.

use presburger::{Formula, Linear, Name};

use super::Num;
use super::ground::{Ground, Said, and, implies, same, terms};
use crate::value::V;

/// An integer: a term, about names that these constraints determine.
pub(super) struct Value {
    pub(super) term: Linear,
    names: Vec<Name>,
    constraints: Vec<Formula>,
    defined: Formula,
}

impl Value {
    fn of(term: Linear) -> Value {
        Value {
            term,
            names: Vec::new(),
            constraints: Vec::new(),
            defined: Formula::True,
        }
    }
}

impl Ground<'_, '_> {
    pub(super) fn nums(&mut self, nums: &[Num]) -> Option<Vec<Value>> {
        nums.iter().map(|num| self.num(num)).collect()
    }

    pub(super) fn num(&mut self, num: &Num) -> Option<Value> {
        let number = |value: &V| value.small().map(|value| Linear::number(value.into()));
        Some(match num {
            Num::Known(code) => Value::of(number(&code(self.cx).ok()?)?),
            Num::Part(code, at) => {
                let value = code(self.cx).ok()?;
                let mut parts = Vec::new();
                super::values::integers(&value, &mut parts)?;
                Value::of(Linear::number((*parts.get(*at)?).into()))
            }
            Num::Name(name, at) => {
                let bound = self.scope.iter().rev().find(|bound| bound.0 == *name)?;
                Value::of(Linear::name(*bound.1.get(*at)?))
            }
            Num::Negate(a) => {
                let a = self.num(a)?;
                Value {
                    term: a.term.times(-1)?,
                    ..a
                }
            }
            Num::Add(a, b) => self.both(a, b, |a, b| a.plus(b))?,
            Num::Minus(a, b) => self.both(a, b, |a, b| a.minus(b))?,
            Num::Times(a, b) => self.both(a, b, |a, b| match (a.as_number(), b.as_number()) {
                (Some(a), _) => b.times(a),
                (_, Some(b)) => a.times(b),
                _ => None,
            })?,
            Num::Divide(a, b) => self.quotient(a, b)?.0,
            Num::Modulo(a, b) => {
                let (quotient, dividend, by) = self.quotient(a, b)?;
                Value {
                    term: dividend.minus(&quotient.term.times(by)?)?,
                    ..quotient
                }
            }
            Num::Applied(function, arguments) => {
                let arguments = self.nums(arguments)?;
                let given: Vec<Linear> = arguments.iter().map(|v| v.term.clone()).collect();
                let (value, other) = (self.fresh(1)?, self.fresh(1)?);
                let at = |names: &[Name]| [given.as_slice(), &terms(names)].concat();
                let inside = self.member(&at(&value), function)?;
                let again = self.member(&at(&other), function)?.holds;
                let one = implies(&and(inside.holds.clone(), again), same(&value, &other)?);
                let mut defined = vec![
                    inside.defined,
                    Formula::exists(&value, inside.holds.clone()),
                    Formula::forall(&[value[0], other[0]], one),
                ];
                let mut result = Value::of(Linear::name(value[0]));
                for argument in arguments {
                    result.names.extend(&argument.names);
                    result.constraints.extend(argument.constraints);
                    result.defined = and(result.defined, argument.defined);
                }
                if !result.names.is_empty() {
                    let whole = implies(
                        &Formula::and(result.constraints.clone()),
                        Formula::and(defined),
                    );
                    defined = vec![Formula::forall(&result.names, whole)];
                }
                result.defined = and(result.defined, Formula::and(defined));
                result.names.push(value[0]);
                result.constraints.push(inside.holds);
                result
            }
        })
    }

    fn both(
        &mut self,
        a: &Num,
        b: &Num,
        combine: impl FnOnce(&Linear, &Linear) -> Option<Linear>,
    ) -> Option<Value> {
        let (mut a, b) = (self.num(a)?, self.num(b)?);
        a.term = combine(&a.term, &b.term)?;
        a.names.extend(b.names);
        a.constraints.extend(b.constraints);
        a.defined = and(a.defined, b.defined);
        Some(a)
    }

    /// `a / b` with a positive number b, the dividend and b.
    fn quotient(&mut self, a: &Num, b: &Num) -> Option<(Value, Linear, i128)> {
        let (mut a, b) = (self.num(a)?, self.num(b)?);
        let by = b.term.as_number().filter(|by| *by > 0)?;
        let name = self.fresh(1)?[0];
        let dividend = a.term.clone();
        let rest = dividend.minus(&Linear::name(name).times(by)?)?;
        let negative = Formula::less(&dividend, &Linear::number(0))?;
        let mut natural = negative.negated();
        if !a.names.is_empty() {
            let whole = implies(&Formula::and(a.constraints.clone()), natural);
            natural = Formula::forall(&a.names, whole);
        }
        a.defined = Formula::and(vec![a.defined, b.defined, natural]);
        a.constraints
            .push(Formula::less(&rest, &Linear::number(0))?.negated());
        a.constraints
            .push(Formula::less(&rest, &Linear::number(by))?);
        a.names.push(name);
        a.term = Linear::name(name);
        Some((a, dividend, by))
    }
}

/// What is said about values, which their constraints determine.
pub(super) fn about(values: Vec<Value>, said: Said) -> Said {
    let (mut names, mut constraints) = (Vec::new(), Vec::new());
    let mut defined = Vec::new();
    for value in values {
        names.extend(value.names);
        constraints.extend(value.constraints);
        defined.push(value.defined);
    }
    defined.push(said.defined);
    constraints.push(said.holds);
    Said {
        holds: Formula::exists(&names, Formula::and(constraints)),
        defined: Formula::and(defined),
    }
}
