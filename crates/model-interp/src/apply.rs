//! Application and images, of listed relations and of rules alike.

mod image;

use std::sync::Arc;

use lang_math::Op;
use model::Value;

use crate::member::{bind_tuple, parts};
use crate::relation;
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
