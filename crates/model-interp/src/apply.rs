//! Application and images, of listed relations and of rules alike.

use std::sync::Arc;

use lang_math::Op;
use model::{Int, Kind, Target, Value};

use crate::member::{bind_tuple, parts};
use crate::number;
use crate::relation;
use crate::search::Cut;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::{Flow, Interp};

/// Domains of so many elements are shown in messages.
const SHORT: usize = 8;

impl Interp<'_> {
    /// `function(argument)`
    pub(crate) fn apply(&mut self, function: &V, argument: &V) -> Run<V> {
        self.tick()?;
        let images = self.image_of_point(function, argument)?;
        let mut found: Vec<V> = Vec::new();
        self.for_each(&images, &mut |_, image| {
            found.push(image);
            Ok(if found.len() > 1 {
                Flow::Stop
            } else {
                Flow::Continue
            })
        })?;
        match (found.pop(), found.is_empty()) {
            (Some(value), true) => Ok(value),
            (None, _) => {
                let domain = self.short_domain(function);
                let domain = domain.map(|domain| format!("; the domain is {domain}"));
                Err(Stop::undefined(format!(
                    "the function is applied outside its domain, to {}{}",
                    self.show(argument),
                    domain.unwrap_or_default()
                )))
            }
            (Some(_), false) => Err(Stop::undefined(format!(
                "the relation has several values for {}",
                self.show(argument)
            ))),
        }
    }

    /// The domain of a function for messages, when it is listed and short.
    fn short_domain(&self, function: &V) -> Option<String> {
        let domain: V = relation::domain(function.listed()?).into();
        if domain.listed()?.len() > SHORT {
            return None;
        }
        let text = self.show(&domain);
        (!text.ends_with("...")).then_some(text)
    }

    /// What a closure `%x.(P|E)` gives for an argument; nothing outside its domain.
    pub(crate) fn call(&mut self, closure: &Closure, argument: &V) -> Run<Option<V>> {
        let env = bind_tuple(closure, &closure.names, argument)?;
        self.enter(|interp| {
            if !interp.test(closure.predicate, &env)? {
                return Ok(None);
            }
            match closure.value {
                Some(value) => interp.value(value, &env).map(Some),
                None => Ok(None),
            }
        })
    }

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

    /// `relation[set]`
    pub(crate) fn image(&mut self, relation: &V, set: &V) -> Run<V> {
        if let (Some(pairs), Some(points)) = (relation.listed(), set.listed()) {
            self.spend(pairs.len())?;
            return Ok(relation::image(pairs, points).into());
        }
        if self.is_finite(set)? == Some(true) && relation.listed().is_none() {
            let mut found = V::empty();
            self.for_each(set, &mut |interp, point| {
                let images = interp.image_of_point(relation, &point)?;
                found = interp.combine(Op::Union, found.clone(), images)?;
                Ok(Flow::Continue)
            })?;
            return Ok(found);
        }
        if self.is_finite(relation)? == Some(true) {
            let mut found = Vec::new();
            self.for_each(relation, &mut |interp, pair| {
                let (left, right) = parts(&pair)?;
                if interp.member(&left, set)? {
                    found.push(right);
                }
                Ok(Flow::Continue)
            })?;
            return self.listed(found);
        }
        Ok(V::made(Op::Image, [relation.clone(), set.clone()]))
    }

    /// `dom(relation)`
    pub(crate) fn domain_of(&mut self, relation: &V) -> Run<V> {
        self.projected(relation, true)
    }

    /// `ran(relation)`
    pub(crate) fn range_of(&mut self, relation: &V) -> Run<V> {
        self.projected(relation, false)
    }

    fn projected(&mut self, relation: &V, left: bool) -> Run<V> {
        let relation = self.settle(relation.clone())?;
        let whole = |op| V::made(op, [relation.clone()]);
        let rule = match &relation {
            V::Plain(Value::Set(pairs)) => {
                let projected = if left {
                    relation::domain(pairs)
                } else {
                    relation::range(pairs)
                };
                return Ok(projected.into());
            }
            V::Rule(rule) => Arc::clone(rule),
            _ => return Err(Stop::unsupported("a relation was expected")),
        };
        match &*rule {
            Rule::Shift(_) => Ok(V::rule(Rule::Integers)),
            Rule::Listed(pairs) => {
                let mut found = Vec::new();
                for pair in pairs {
                    let (a, b) = parts(pair)?;
                    found.push(if left { a } else { b });
                }
                self.listed(found)
            }
            Rule::Closure(closure) if closure.form == Form::Lambda => {
                let (form, value) = if left {
                    (Form::Tuples, None)
                } else {
                    (Form::Image, closure.value)
                };
                Ok(V::rule(Rule::Closure(Closure {
                    form,
                    value,
                    ..closure.clone()
                })))
            }
            Rule::Constructor(free, constructor) if left => {
                let ty = self.model.tys.free[*free].constructors[*constructor as usize].1;
                Ok(ty.map_or_else(V::empty, |ty| self.type_set(ty)))
            }
            Rule::Made(op, operands) => match (op, operands.as_slice()) {
                (Op::Identity, [set]) => Ok(set.clone()),
                (Op::Inverse, [inner]) => self.projected(inner, !left),
                (Op::Cartesian, [a, b]) => match (self.is_empty(a)?, self.is_empty(b)?) {
                    (Some(false), Some(false)) => Ok(if left { a.clone() } else { b.clone() }),
                    _ => Ok(whole(if left { Op::Domain } else { Op::Range })),
                },
                (Op::Prj1 | Op::Prj2, [a, b]) if left => {
                    Ok(V::made(Op::Cartesian, [a.clone(), b.clone()]))
                }
                (Op::Union, [a, b]) => {
                    let (a, b) = (self.projected(a, left)?, self.projected(b, left)?);
                    self.combine(Op::Union, a, b)
                }
                (Op::Overwrite, [a, b]) if left => {
                    let (a, b) = (self.projected(a, left)?, self.projected(b, left)?);
                    self.combine(Op::Union, a, b)
                }
                (Op::DomainRestriction, [set, r]) if left => {
                    let domain = self.projected(r, left)?;
                    self.combine(Op::Intersection, domain, set.clone())
                }
                (Op::DomainSubtraction, [set, r]) if left => {
                    let domain = self.projected(r, left)?;
                    self.combine(Op::SetMinus, domain, set.clone())
                }
                (Op::RangeRestriction, [r, set]) if !left => {
                    let range = self.projected(r, left)?;
                    self.combine(Op::Intersection, range, set.clone())
                }
                _ => Ok(whole(if left { Op::Domain } else { Op::Range })),
            },
            _ => Ok(whole(if left { Op::Domain } else { Op::Range })),
        }
    }

    /// Union, intersection or difference of two sets.
    pub(crate) fn combine(&mut self, op: Op, left: V, right: V) -> Run<V> {
        if let (Some(a), Some(b)) = (left.listed(), right.listed()) {
            self.spend(a.len() + b.len())?;
            return Ok(match op {
                Op::Union => relation::union(a, b),
                Op::Intersection => relation::intersection(a, b),
                _ => relation::difference(a, b),
            }
            .into());
        }
        match op {
            Op::Union if left.is_empty_list() => return Ok(right),
            Op::Union | Op::SetMinus if right.is_empty_list() => return Ok(left),
            Op::Intersection if self.is_whole(&right) => return Ok(left),
            Op::Intersection if self.is_whole(&left) => return Ok(right),
            Op::Union if self.is_whole(&left) || self.is_whole(&right) => {
                return Ok(if self.is_whole(&left) { left } else { right });
            }
            _ => {}
        }
        if let (V::Rule(a), V::Rule(b)) = (&left, &right) {
            match (op, &**a, &**b) {
                (Op::Union, Rule::Listed(a), Rule::Listed(b)) => {
                    return self.listed(a.iter().chain(b).cloned().collect());
                }
                (Op::Intersection, Rule::Interval(a, b), Rule::Interval(c, d)) => {
                    return Ok(V::interval(a.max(c).clone(), b.min(d).clone()));
                }
                (Op::Intersection, Rule::From(low), Rule::Interval(c, d))
                | (Op::Intersection, Rule::Interval(c, d), Rule::From(low)) => {
                    return Ok(V::interval(low.max(c).clone(), d.clone()));
                }
                (Op::Intersection, Rule::From(a), Rule::From(b)) => {
                    return Ok(V::rule(Rule::From(a.max(b).clone())));
                }
                _ => {}
            }
        }
        match (op, &left, &right) {
            (Op::Union, V::Rule(rule), V::Plain(Value::Set(plain)))
            | (Op::Union, V::Plain(Value::Set(plain)), V::Rule(rule)) => {
                if let Rule::Listed(elements) = &**rule {
                    let plain = plain.iter().cloned().map(V::Plain);
                    return self.listed(elements.iter().cloned().chain(plain).collect());
                }
            }
            _ => {}
        }
        self.settle(V::made(op, [left, right]))
    }
}

/// The left-nested tuple of these values, if all are there.
pub(crate) fn tuple(values: impl Iterator<Item = Option<V>>) -> Option<V> {
    let mut whole: Option<V> = None;
    for value in values {
        let value = value?;
        whole = Some(match whole {
            None => value,
            Some(left) => V::pair(left, value),
        });
    }
    whole
}
