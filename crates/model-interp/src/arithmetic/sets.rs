//! Membership of a tuple of integers in a set, as a formula: by the text of the set, or by its value where that is known.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::formula::{Formula, Sum};
use super::read::{Reader, Said, same, sums};
use super::terms::integers;
use crate::env::Env;
use crate::set::{Form, Rule, V};

/// Longer lists are not written out.
const LISTED: usize = 64;

impl Reader<'_, '_> {
    /// Whether a tuple is in a set; where the set is defined does not depend on the tuple.
    pub(super) fn among(&mut self, tuple: &[Sum], set: ExprId, env: &Env) -> Option<Said> {
        self.element_width(set)
            .filter(|width| *width == tuple.len())?;
        if let Some(said) = base::deep::recurse(|| self.in_text(tuple, set, env)) {
            return Some(said);
        }
        if !self.is_known(set) {
            return None;
        }
        let value = self.interp.value(set, env).ok()?;
        self.in_value(tuple, &value)
    }

    fn in_text(&mut self, tuple: &[Sum], set: ExprId, env: &Env) -> Option<Said> {
        let model = self.interp.model;
        match &model.exprs[set].kind {
            Kind::Op(op, sides) => self.in_operator(tuple, set, *op, sides, env),
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                ..
            } => match (binder, value) {
                (Binder::Union | Binder::Inter, Some(value)) => {
                    let (names, (body, inside)) = self.under(names, |reader| {
                        let body = reader.predicate(*predicate, env)?;
                        Some((body, reader.among(tuple, *value, env)?))
                    })?;
                    let part = body.holds.clone().implies(inside.defined);
                    let mut defined =
                        Formula::all(names.clone(), Formula::and(vec![body.defined, part]));
                    let holds = match binder {
                        Binder::Union => {
                            let both = Formula::and(vec![body.holds, inside.holds]);
                            Formula::some(names, both)
                        }
                        _ => {
                            let some = Formula::some(names.clone(), body.holds.clone());
                            defined = Formula::and(vec![defined, some]);
                            Formula::all(names, body.holds.implies(inside.holds))
                        }
                    };
                    Some(Said { holds, defined })
                }
                (Binder::Comprehension, None) => {
                    self.in_rule(tuple, (Form::Tuples, names, *predicate, None), env)
                }
                (Binder::Lambda, value) => {
                    self.in_rule(tuple, (Form::Lambda, names, *predicate, *value), env)
                }
                (Binder::Image, value) => {
                    self.in_rule(tuple, (Form::Image, names, *predicate, *value), env)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a tuple is in a comprehension.
    fn in_rule(
        &mut self,
        tuple: &[Sum],
        rule: (Form, &[model::LocalId], ExprId, Option<ExprId>),
        env: &Env,
    ) -> Option<Said> {
        let (form, names, predicate, value) = rule;
        // Where it is defined is asked for all values of its names.
        let (all, whole) = self.under(names, |reader| {
            let body = reader.predicate(predicate, env)?;
            let Some(value) = value else {
                return Some(body);
            };
            let value = reader
                .terms(value, env)?
                .say(Said::defined(Formula::Constant(true)));
            let part = body.holds.clone().implies(value.defined);
            Some(Said {
                holds: body.holds,
                defined: Formula::and(vec![body.defined, part]),
            })
        })?;
        let defined = Formula::all(all.clone(), whole.defined);
        let holds = match (form, value) {
            (Form::Tuples, _) | (_, None) => {
                self.standing(names, tuple, |reader| reader.predicate(predicate, env))?
                    .holds
            }
            (Form::Lambda, Some(value)) => {
                let (arguments, result) = tuple.split_at(all.len());
                self.standing(names, arguments, |reader| {
                    let body = reader.predicate(predicate, env)?.holds;
                    let terms = reader.terms(value, env)?;
                    let equal = same(&terms.sums, result)?;
                    let value = terms.say(Said::defined(equal)).holds;
                    Some(Formula::and(vec![body, value]))
                })?
            }
            (Form::Image, Some(value)) => {
                let (names, body) = self.under(names, |reader| {
                    let body = reader.predicate(predicate, env)?.holds;
                    let terms = reader.terms(value, env)?;
                    let equal = same(&terms.sums, tuple)?;
                    let value = terms.say(Said::defined(equal)).holds;
                    Some(Formula::and(vec![body, value]))
                })?;
                Formula::some(names, body)
            }
        };
        Some(Said { holds, defined })
    }

    fn in_operator(
        &mut self,
        tuple: &[Sum],
        set: ExprId,
        op: Op,
        sides: &[ExprId],
        env: &Env,
    ) -> Option<Said> {
        match (op, sides) {
            (Op::SetExtension, _) => {
                let mut listed = Said::defined(Formula::Constant(false));
                for side in sides {
                    let terms = self.terms(*side, env)?;
                    let equal = same(&terms.sums, tuple)?;
                    let one = terms.say(Said::defined(equal));
                    listed = Said {
                        holds: Formula::Or(vec![listed.holds, one.holds]),
                        defined: Formula::and(vec![listed.defined, one.defined]),
                    };
                }
                Some(listed)
            }
            (Op::Interval, [low, high]) => {
                let (low, high) = (self.terms(*low, env)?, self.terms(*high, env)?);
                let from = Formula::at_most(low.sums.first()?, &tuple[0])?;
                let to = Formula::at_most(&tuple[0], high.sums.first()?)?;
                Some(
                    low.say(Said::defined(from))
                        .both(high.say(Said::defined(to))),
                )
            }
            (Op::Domain | Op::Range, [relation]) => {
                let (left, right) = self.pair_widths(*relation)?;
                let width = if op == Op::Domain { right } else { left };
                let made = self.made_pair(tuple, op, width)?;
                let pair = self.among(&made.1, *relation, env)?;
                Some(some(made.0, pair))
            }
            (Op::Image, [relation, of]) => {
                let (left, _) = self.pair_widths(*relation)?;
                let names = self.fresh(left)?;
                let source = sums(&names);
                let pair = self.among(&[source.as_slice(), tuple].concat(), *relation, env)?;
                Some(some(names, pair.both(self.among(&source, *of, env)?)))
            }
            (Op::Composition, [first, second]) => {
                let (left, middle) = self.pair_widths(*first)?;
                let names = self.fresh(middle)?;
                let between = sums(&names);
                let (a, b) = tuple.split_at(left);
                let pair = self.among(&[a, &between].concat(), *first, env)?;
                let next = self.among(&[between.as_slice(), b].concat(), *second, env)?;
                Some(some(names, pair.both(next)))
            }
            (Op::Overwrite, [below, above]) => {
                let (left, right) = self.pair_widths(set)?;
                let names = self.fresh(right)?;
                let other = [&tuple[..left], &sums(&names)].concat();
                let hidden = some(names, self.among(&other, *above, env)?);
                let low = self.among(tuple, *below, env)?.both(hidden.not());
                Some(either(self.among(tuple, *above, env)?, low))
            }
            _ => {
                let mut parts = Vec::new();
                let left = match op {
                    Op::Union | Op::Intersection | Op::SetMinus => tuple.len(),
                    _ => self.pair_widths(set)?.0,
                };
                for (part, tuple) in parts_of(op, tuple, left)?.into_iter().enumerate() {
                    parts.push(self.among(&tuple, *sides.get(part)?, env)?);
                }
                connected(op, parts, &tuple[..left], &tuple[left..])
            }
        }
    }

    /// A pair with new names for the lost side.
    fn made_pair(
        &mut self,
        tuple: &[Sum],
        op: Op,
        width: usize,
    ) -> Option<(Vec<super::formula::Name>, Vec<Sum>)> {
        let names = self.fresh(width)?;
        let lost = sums(&names);
        let pair = match op {
            Op::Domain => [tuple, &lost].concat(),
            _ => [lost.as_slice(), tuple].concat(),
        };
        Some((names, pair))
    }

    /// Whether a tuple is in a set that is a value.
    fn in_value(&mut self, tuple: &[Sum], set: &V) -> Option<Said> {
        if let Some(elements) = set.listed() {
            if elements.len() > LISTED {
                return None;
            }
            let mut some = Vec::new();
            for element in elements.iter() {
                let mut numbers = Vec::new();
                integers(element, &mut numbers)?;
                some.push(same(&numbers, tuple)?);
            }
            return Some(Said::defined(Formula::Or(some)));
        }
        let V::Rule(rule) = set else {
            return None;
        };
        let number = |number: &model::Int| match number {
            model::Int::Small(number) => Some(Sum::number(*number)),
            _ => None,
        };
        Some(match &**rule {
            Rule::Integers => Said::defined(Formula::Constant(true)),
            Rule::From(low) => Said::defined(Formula::at_most(&number(low)?, &tuple[0])?),
            Rule::Interval(low, high) => Said::defined(Formula::and(vec![
                Formula::at_most(&number(low)?, &tuple[0])?,
                Formula::at_most(&tuple[0], &number(high)?)?,
            ])),
            Rule::Shift(by) => {
                let next = tuple[0].add(&Sum::number(*by), 1)?;
                Said::defined(Formula::equal(&tuple[1], &next)?)
            }
            Rule::Closure(closure) => {
                // Its names are its own: nothing that is bound here stands in it.
                let scope = std::mem::take(&mut self.scope);
                let rule = (
                    closure.form,
                    &closure.names[..],
                    closure.predicate,
                    closure.value,
                );
                let said = self.in_rule(tuple, rule, &closure.env);
                self.scope = scope;
                said?
            }
            Rule::Made(op, operands) => {
                let left = match op {
                    Op::Union | Op::Intersection | Op::SetMinus => tuple.len(),
                    Op::Identity | Op::Cartesian | Op::Inverse if tuple.len() == 2 => 1,
                    Op::DomainRestriction
                    | Op::DomainSubtraction
                    | Op::RangeRestriction
                    | Op::RangeSubtraction
                        if tuple.len() == 2 =>
                    {
                        1
                    }
                    _ => return None,
                };
                let mut parts = Vec::new();
                for (part, tuple) in parts_of(*op, tuple, left)?.into_iter().enumerate() {
                    parts.push(base::deep::recurse(|| {
                        self.in_value(&tuple, operands.get(part)?)
                    })?);
                }
                connected(*op, parts, &tuple[..left], &tuple[left..])?
            }
            _ => return None,
        })
    }
}

/// Which parts of a tuple are asked of the operands.
fn parts_of(op: Op, tuple: &[Sum], left: usize) -> Option<Vec<Vec<Sum>>> {
    let whole = || tuple.to_vec();
    let (a, b) = (tuple[..left].to_vec(), tuple[left..].to_vec());
    Some(match op {
        Op::Union | Op::Intersection | Op::SetMinus => vec![whole(), whole()],
        Op::Cartesian => vec![a, b],
        Op::Identity => vec![a],
        Op::Inverse => vec![[b, a].concat()],
        Op::DomainRestriction | Op::DomainSubtraction => vec![a, whole()],
        Op::RangeRestriction | Op::RangeSubtraction => vec![whole(), b],
        _ => return None,
    })
}

fn connected(op: Op, parts: Vec<Said>, left: &[Sum], right: &[Sum]) -> Option<Said> {
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    Some(match op {
        Op::Union => either(first, parts.next()?),
        Op::SetMinus | Op::RangeSubtraction => first.both(parts.next()?.not()),
        Op::DomainSubtraction => first.not().both(parts.next()?),
        Op::Identity => first.both(Said::defined(same(left, right)?)),
        Op::Inverse => first,
        _ => first.both(parts.next()?),
    })
}

fn either(a: Said, b: Said) -> Said {
    Said {
        holds: Formula::Or(vec![a.holds, b.holds]),
        defined: Formula::and(vec![a.defined, b.defined]),
    }
}

fn some(names: Vec<super::formula::Name>, said: Said) -> Said {
    Said {
        holds: Formula::some(names, said.holds),
        defined: said.defined,
    }
}
