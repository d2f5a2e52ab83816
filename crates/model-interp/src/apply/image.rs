//! Images of points and where points come from, under relations that are given by operators.

use std::sync::Arc;

use lang_math::Op;
use model::{Int, Kind, Target, Value};

use super::tuple;
use crate::member::{bind_tuple, parts};
use crate::number;
use crate::relation;
use crate::search::Cut;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::{Flow, Interp};

impl Interp<'_> {
    /// `relation[{point}]`
    pub(crate) fn image_of_point(&mut self, relation: &V, point: &V) -> Run<V> {
        self.tick()?;
        let rule = match relation {
            V::Plain(Value::Set(pairs)) => {
                if let V::Plain(point) = point {
                    return Ok(relation::image_of_point(pairs, point).into());
                }
                let all: Vec<V> = pairs.iter().cloned().map(V::Plain).collect();
                return self.select_images(&all, point);
            }
            V::Rule(rule) => Arc::clone(rule),
            _ => return Err(Stop::unsupported("a relation was expected")),
        };
        match &*rule {
            Rule::Shift(by) => {
                let shifted = number::add(&self.integer(point)?, &Int::Small(*by));
                self.listed(vec![V::int(shifted)])
            }
            Rule::Constructor(free, constructor) => {
                self.listed(vec![V::free(*free, *constructor, point.clone())])
            }
            Rule::Listed(pairs) => self.select_images(pairs, point),
            Rule::Closure(closure) => self.closure_image(closure, point),
            Rule::Made(op, operands) => {
                base::deep::recurse(|| self.made_image(*op, operands, point))
            }
            _ => {
                let pairs = V::Plain(self.force(relation)?);
                self.image_of_point(&pairs, point)
            }
        }
    }

    fn select_images(&mut self, pairs: &[V], point: &V) -> Run<V> {
        let mut found = Vec::new();
        for pair in pairs {
            let (left, right) = parts(pair)?;
            if self.equal(&left, point)? {
                found.push(right);
            }
        }
        self.listed(found)
    }

    fn closure_image(&mut self, closure: &Closure, point: &V) -> Run<V> {
        match (closure.form, closure.value) {
            (Form::Lambda, _) => match self.call(closure, point)? {
                Some(value) => self.listed(vec![value]),
                None => Ok(V::empty()),
            },
            (Form::Tuples, _) if closure.names.len() > 1 => {
                let (names, last) = (
                    &closure.names[..closure.names.len() - 1],
                    closure.names.len() - 1,
                );
                let last = closure.names[last];
                let env = bind_tuple(closure, names, point)?;
                let mut found = Vec::new();
                self.enter(|interp| {
                    interp.solve(
                        &[Target::Local(last)],
                        closure.predicate,
                        &env,
                        crate::search::Plan::FORMULA,
                        &mut |_, env| {
                            found.extend(env.local(last).cloned());
                            Ok(Flow::Continue)
                        },
                    )
                })?;
                self.listed(found)
            }
            (Form::Image, Some(value)) => {
                let model = self.model;
                match &model.exprs[value].kind {
                    Kind::Op(Op::Maplet, sides) => {
                        let mut found = Vec::new();
                        self.closure_search(
                            closure,
                            &[(sides[0], point.clone())],
                            &mut |interp, env| {
                                found.push(interp.value(sides[1], env)?);
                                Ok(Flow::Continue)
                            },
                        )?;
                        self.listed(found)
                    }
                    _ => {
                        let listed = self.closure_elements(closure, Cut::Unknown)?;
                        self.image_of_point(&listed, point)
                    }
                }
            }
            _ => {
                let listed = self.closure_elements(closure, Cut::Unknown)?;
                self.image_of_point(&listed, point)
            }
        }
    }

    // Long: one arm for each operator that makes a relation.
    fn made_image(&mut self, op: Op, operands: &[V], point: &V) -> Run<V> {
        let first = &operands[0];
        match op {
            Op::Identity => {
                if self.member(point, first)? {
                    self.listed(vec![point.clone()])
                } else {
                    Ok(V::empty())
                }
            }
            Op::Prj1 | Op::Prj2 => {
                let (left, right) = parts(point)?;
                if self.member(&left, first)? && self.member(&right, &operands[1])? {
                    self.listed(vec![if op == Op::Prj1 { left } else { right }])
                } else {
                    Ok(V::empty())
                }
            }
            Op::Cartesian => Ok(if self.member(point, first)? {
                operands[1].clone()
            } else {
                V::empty()
            }),
            Op::Union | Op::Intersection | Op::SetMinus => {
                let left = self.image_of_point(first, point)?;
                let right = self.image_of_point(&operands[1], point)?;
                self.combine(op, left, right)
            }
            Op::DomainRestriction | Op::DomainSubtraction => {
                if self.member(point, first)? == (op == Op::DomainRestriction) {
                    self.image_of_point(&operands[1], point)
                } else {
                    Ok(V::empty())
                }
            }
            Op::RangeRestriction | Op::RangeSubtraction => {
                let images = self.image_of_point(first, point)?;
                let op = if op == Op::RangeRestriction {
                    Op::Intersection
                } else {
                    Op::SetMinus
                };
                self.combine(op, images, operands[1].clone())
            }
            Op::Overwrite => {
                let images = self.image_of_point(&operands[1], point)?;
                if self.is_certainly_empty(&images)? {
                    self.image_of_point(first, point)
                } else {
                    Ok(images)
                }
            }
            Op::Composition => {
                let middle = self.image_of_point(first, point)?;
                self.image(&operands[1], &middle)
            }
            Op::DirectProduct => {
                let left = self.image_of_point(first, point)?;
                let right = self.image_of_point(&operands[1], point)?;
                self.settle(V::made(Op::Cartesian, [left, right]))
            }
            Op::ParallelProduct => {
                let (x, v) = parts(point)?;
                let left = self.image_of_point(first, &x)?;
                let right = self.image_of_point(&operands[1], &v)?;
                self.settle(V::made(Op::Cartesian, [left, right]))
            }
            Op::Closure1 => {
                let mut reached: Vec<Value> = Vec::new();
                let mut pending = vec![point.clone()];
                while let Some(at) = pending.pop() {
                    let next = self.image_of_point(first, &at)?;
                    for value in self.elements(&next)?.iter() {
                        self.tick()?;
                        if let Err(place) = reached.binary_search(value) {
                            reached.insert(place, value.clone());
                            pending.push(value.clone().into());
                        }
                    }
                }
                Ok(Value::set(reached).into())
            }
            Op::Iterate => {
                let times = self.integer(&operands[1])?;
                let mut images = self.listed(vec![point.clone()])?;
                let mut done = Int::Small(0);
                while done < times {
                    self.tick()?;
                    images = self.image(first, &images)?;
                    done = number::add(&done, &Int::Small(1));
                }
                Ok(images)
            }
            Op::Inverse => self.origins(first, point),
            _ => {
                let listed = V::Plain(self.force(&V::made(op, operands))?);
                self.image_of_point(&listed, point)
            }
        }
    }

    /// `relation~[{point}]`
    // Long: one arm for each operator that makes a relation.
    fn origins(&mut self, relation: &V, point: &V) -> Run<V> {
        let V::Rule(rule) = relation else {
            let Some(pairs) = relation.listed() else {
                return Err(Stop::unsupported("a relation was expected"));
            };
            let inverse = V::Plain(relation::inverse(pairs));
            return self.image_of_point(&inverse, point);
        };
        match &**rule {
            Rule::Shift(by) => {
                let shifted = number::add(&self.integer(point)?, &Int::Small(-by));
                self.listed(vec![V::int(shifted)])
            }
            Rule::Constructor(_, constructor) => match point.built() {
                Some((built, Some(argument))) if built == *constructor => {
                    self.listed(vec![argument])
                }
                _ => Ok(V::empty()),
            },
            Rule::Closure(closure) => {
                let mut found = Vec::new();
                match (closure.form, closure.value) {
                    (Form::Lambda, Some(value)) => {
                        self.closure_search(closure, &[(value, point.clone())], &mut |_, env| {
                            found.extend(tuple(
                                closure.names.iter().map(|name| env.local(*name).cloned()),
                            ));
                            Ok(Flow::Continue)
                        })?;
                    }
                    (Form::Tuples, _) if closure.names.len() > 1 => {
                        let (names, last) = closure.names.split_at(closure.names.len() - 1);
                        let env = closure.env.bind_local(last[0], Some(point.clone()));
                        let unknown: Vec<Target> =
                            names.iter().map(|name| Target::Local(*name)).collect();
                        self.enter(|interp| {
                            interp.solve(
                                &unknown,
                                closure.predicate,
                                &env,
                                crate::search::Plan::FORMULA,
                                &mut |_, env| {
                                    found.extend(tuple(
                                        names.iter().map(|name| env.local(*name).cloned()),
                                    ));
                                    Ok(Flow::Continue)
                                },
                            )
                        })?;
                    }
                    _ => {
                        let listed = self.closure_elements(closure, Cut::Unknown)?;
                        return self.origins(&listed, point);
                    }
                }
                self.listed(found)
            }
            Rule::Made(op, operands) => {
                let inverse = |operand: &V| V::made(Op::Inverse, [operand.clone()]);
                let (op, turned) = match (op, operands.as_slice()) {
                    (Op::Inverse, [inner]) => return self.image_of_point(inner, point),
                    (Op::Identity, [set]) => (Op::Identity, vec![set.clone()]),
                    (Op::Cartesian, [a, b]) => (Op::Cartesian, vec![b.clone(), a.clone()]),
                    (Op::Union | Op::Intersection | Op::SetMinus, [a, b]) => {
                        (*op, vec![inverse(a), inverse(b)])
                    }
                    (Op::Composition, [a, b]) => (Op::Composition, vec![inverse(b), inverse(a)]),
                    (Op::ParallelProduct, [a, b]) => {
                        (Op::ParallelProduct, vec![inverse(a), inverse(b)])
                    }
                    (Op::DomainRestriction, [s, r]) => {
                        (Op::RangeRestriction, vec![inverse(r), s.clone()])
                    }
                    (Op::DomainSubtraction, [s, r]) => {
                        (Op::RangeSubtraction, vec![inverse(r), s.clone()])
                    }
                    (Op::RangeRestriction, [r, s]) => {
                        (Op::DomainRestriction, vec![s.clone(), inverse(r)])
                    }
                    (Op::RangeSubtraction, [r, s]) => {
                        (Op::DomainSubtraction, vec![s.clone(), inverse(r)])
                    }
                    (Op::Closure1, [r]) => (Op::Closure1, vec![inverse(r)]),
                    (Op::Iterate, [r, n]) => (Op::Iterate, vec![inverse(r), n.clone()]),
                    _ => {
                        let listed = V::Plain(self.force(relation)?);
                        return self.origins(&listed, point);
                    }
                };
                self.made_image(op, &turned, point)
            }
            _ => {
                let listed = V::Plain(self.force(relation)?);
                self.origins(&listed, point)
            }
        }
    }
}
