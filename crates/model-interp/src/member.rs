//! Membership, by a rule for each way a set can be made.
//!
//! Invariant: membership never lists its right side.

use lang_math::Op;
use model::{Int, Value};

use crate::doubt::{and, or};
use crate::expand::Arrow;
use crate::number;
use crate::relation;
use crate::sequence;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::{Flow, Interp};

impl Interp<'_> {
    /// `element : set`
    pub(crate) fn member(&mut self, element: &V, set: &V) -> Run<bool> {
        self.tick()?;
        let rule = match (element, set) {
            (V::Plain(element), V::Plain(Value::Set(elements))) => {
                return Ok(relation::contains(elements, element));
            }
            (_, V::Plain(Value::Set(elements))) => {
                return self.any(elements.iter(), |interp, known| {
                    interp.equal(element, &known.clone().into())
                });
            }
            (_, V::Rule(rule)) => rule,
            _ => return Err(Stop::unsupported("a set was expected")),
        };
        match &**rule {
            Rule::Integers | Rule::Strings | Rule::Reals | Rule::Free(_) => Ok(true),
            Rule::From(low) => Ok(self.integer(element)? >= *low),
            Rule::Interval(low, high) => {
                let number = self.integer(element)?;
                Ok(*low <= number && number <= *high)
            }
            Rule::Constructor(free, constructor) => {
                let (argument, value) = parts(element)?;
                let built = V::free(*free, *constructor, argument);
                self.equal(&built, &value)
            }
            Rule::Shift(by) => {
                let (from, to) = parts(element)?;
                let shifted = number::add(&self.integer(&from)?, &Int::Small(*by));
                Ok(self.integer(&to)? == shifted)
            }
            Rule::Listed(elements) => {
                self.any(elements, |interp, known| interp.equal(element, known))
            }
            Rule::Struct(fields) => {
                let mut truth = Ok(true);
                for (name, set) in fields {
                    let value = element
                        .field(*name)
                        .ok_or_else(|| Stop::unsupported("a record was expected"))?;
                    truth = and(truth, || self.member(&value, set));
                }
                truth
            }
            Rule::Short(op, of, length) => {
                let operands = [of.clone()];
                if !self.member_made(element, *op, &operands)? {
                    return Ok(false);
                }
                Ok(self.elements(element)?.len() <= *length)
            }
            Rule::Closure(closure) => self.member_closure(element, closure),
            Rule::Made(op, operands) => {
                base::deep::recurse(|| self.member_made(element, *op, operands))
            }
        }
    }

    fn member_closure(&mut self, element: &V, closure: &Closure) -> Run<bool> {
        match closure.form {
            Form::Tuples => {
                let env = bind_tuple(closure, &closure.names, element)?;
                self.enter(|interp| interp.test(closure.predicate, &env))
            }
            Form::Lambda => {
                let (argument, result) = parts(element)?;
                match self.call(closure, &argument)? {
                    Some(value) => self.equal(&value, &result),
                    None => Ok(false),
                }
            }
            Form::Image => {
                let Some(value) = closure.value else {
                    return Ok(false);
                };
                let mut found = false;
                self.closure_search(closure, &[(value, element.clone())], &mut |_, _| {
                    found = true;
                    Ok(Flow::Stop)
                })?;
                Ok(found)
            }
        }
    }

    // Long: one arm for each operator that makes a set.
    fn member_made(&mut self, element: &V, op: Op, operands: &[V]) -> Run<bool> {
        if let Some(arrow) = Arrow::of(op) {
            return self.member_arrow(element, arrow, &operands[0], &operands[1]);
        }
        let first = &operands[0];
        match op {
            Op::PowerSet => self.subset(element, first),
            Op::PowerSet1 => {
                let some = self.is_certainly_empty(element).map(|empty| !empty);
                and(some, || self.subset(element, first))
            }
            Op::FiniteSubsets | Op::FiniteSubsets1 => {
                let some = match op {
                    Op::FiniteSubsets => Ok(true),
                    _ => self.is_certainly_empty(element).map(|empty| !empty),
                };
                let finite = and(some, || self.finite(element));
                and(finite, || self.subset(element, first))
            }
            Op::Sequences
            | Op::Sequences1
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations => self.member_sequences(element, op, first),
            Op::Trees | Op::BinaryTrees => self.member_trees(element, op, first),
            Op::Cartesian => {
                let (left, right) = parts(element)?;
                self.both_members(&left, first, &right, &operands[1])
            }
            Op::Identity => {
                let (left, right) = parts(element)?;
                let inside = self.member(&left, first);
                and(inside, || self.equal(&left, &right))
            }
            Op::Prj1 | Op::Prj2 => {
                let (argument, result) = parts(element)?;
                let (left, right) = parts(&argument)?;
                let part = if op == Op::Prj1 { &left } else { &right };
                let equal = self.equal(part, &result);
                and(equal, || {
                    self.both_members(&left, first, &right, &operands[1])
                })
            }
            Op::Union => {
                let inside = self.member(element, first);
                or(inside, || self.member(element, &operands[1]))
            }
            Op::Intersection => self.both_members(element, first, element, &operands[1]),
            Op::SetMinus => {
                let inside = self.member(element, first);
                and(inside, || {
                    self.member(element, &operands[1]).map(|inside| !inside)
                })
            }
            Op::Inverse => {
                let (left, right) = parts(element)?;
                self.member(&V::pair(right, left), first)
            }
            Op::DomainRestriction | Op::DomainSubtraction => {
                let (left, _) = parts(element)?;
                let kept = self.member(&left, first);
                let kept = kept.map(|inside| inside == (op == Op::DomainRestriction));
                and(kept, || self.member(element, &operands[1]))
            }
            Op::RangeRestriction | Op::RangeSubtraction => {
                let (_, right) = parts(element)?;
                let kept = self.member(&right, &operands[1]);
                let kept = kept.map(|inside| inside == (op == Op::RangeRestriction));
                and(kept, || self.member(element, first))
            }
            Op::Overwrite => {
                let above = self.member(element, &operands[1]);
                or(above, || {
                    let (left, _) = parts(element)?;
                    let images = self.image_of_point(&operands[1], &left)?;
                    let free = self.is_certainly_empty(&images);
                    and(free, || self.member(element, first))
                })
            }
            Op::DirectProduct => {
                let (point, both) = parts(element)?;
                let (left, right) = parts(&both)?;
                let (left, right) = (V::pair(point.clone(), left), V::pair(point, right));
                self.both_members(&left, first, &right, &operands[1])
            }
            Op::ParallelProduct => {
                let (points, images) = parts(element)?;
                let ((x, v), (y, w)) = (parts(&points)?, parts(&images)?);
                self.both_members(&V::pair(x, y), first, &V::pair(v, w), &operands[1])
            }
            Op::Composition | Op::Closure1 | Op::Iterate => {
                let (left, right) = parts(element)?;
                let images = self.image_of_point(&V::made(op, operands), &left)?;
                self.member(&right, &images)
            }
            Op::Domain => {
                let images = self.image_of_point(first, element)?;
                Ok(!self.is_certainly_empty(&images)?)
            }
            Op::Range => {
                let origins =
                    self.image_of_point(&V::made(Op::Inverse, [first.clone()]), element)?;
                Ok(!self.is_certainly_empty(&origins)?)
            }
            Op::Image => {
                let origins =
                    self.image_of_point(&V::made(Op::Inverse, [first.clone()]), element)?;
                let set = &operands[1];
                self.finds(&origins, &mut |interp, origin| interp.member(&origin, set))
            }
            _ => Err(Stop::unsupported(format!(
                "membership in {} is not decided",
                op.ascii()
            ))),
        }
    }

    fn member_trees(&mut self, element: &V, op: Op, first: &V) -> Run<bool> {
        let Some(nodes) = sequence::tree_of(&self.force(element)?) else {
            return Ok(false);
        };
        for (_, label) in &nodes {
            if !self.member(&label.clone().into(), first)? {
                return Ok(false);
            }
        }
        Ok(op == Op::Trees || sequence::is_binary(&nodes))
    }

    fn member_sequences(&mut self, element: &V, op: Op, of: &V) -> Run<bool> {
        if self.is_finite(element)? == Some(false) {
            return Ok(false);
        }
        let value = self.force(element)?;
        let Some(members) = sequence::members_of(&value) else {
            return Ok(false);
        };
        for member in &members {
            if !self.member(&member.clone().into(), of)? {
                return Ok(false);
            }
        }
        let injective = sequence::is_injective(&members);
        Ok(match op {
            Op::Sequences1 => !members.is_empty(),
            Op::InjectiveSequences => injective,
            Op::InjectiveSequences1 => injective && !members.is_empty(),
            Op::Permutations => {
                let count = Int::Small(i64::try_from(members.len()).unwrap_or(i64::MAX));
                injective && self.is_finite(of)? != Some(false) && self.card(of)? == count
            }
            _ => true,
        })
    }

    fn member_arrow(&mut self, element: &V, arrow: Arrow, domain: &V, range: &V) -> Run<bool> {
        let relation = self.settle(element.clone())?;
        if let Some(pairs) = relation.listed() {
            for (left, right) in relation::pairs(pairs) {
                if !self.member(&left.clone().into(), domain)?
                    || !self.member(&right.clone().into(), range)?
                {
                    return Ok(false);
                }
            }
            let Value::Set(inverse) = relation::inverse(pairs) else {
                return Ok(false);
            };
            let (own_domain, own_range) = (relation::domain(pairs), relation::range(pairs));
            let single = (!arrow.functional || relation::is_functional(pairs))
                && (!arrow.injective || relation::is_functional(&inverse));
            let total = and(Ok(single), || {
                Ok(!arrow.total || self.subset(domain, &own_domain.into())?)
            });
            return and(total, || {
                Ok(!arrow.surjective || self.subset(range, &own_range.into())?)
            });
        }
        // A relation with infinitely many pairs, or with infinite sets in them.
        let own_domain = self.domain_of(&relation)?;
        let own_range = self.range_of(&relation)?;
        let mut truth = self.subset(&own_domain, domain);
        truth = and(truth, || self.subset(&own_range, range));
        if arrow.total {
            truth = and(truth, || self.subset(domain, &own_domain));
        }
        if arrow.surjective {
            truth = and(truth, || self.subset(range, &own_range));
        }
        if arrow.functional && !self.is_function_by_form(&relation) {
            truth = and(truth, || self.rows_are_single(&relation));
        }
        if arrow.injective {
            let inverse = V::made(Op::Inverse, [relation]);
            truth = and(truth, || self.rows_are_single(&inverse));
        }
        truth
    }

    /// `x : a & y : b`
    fn both_members(&mut self, x: &V, a: &V, y: &V, b: &V) -> Run<bool> {
        let first = self.member(x, a);
        and(first, || self.member(y, b))
    }

    /// Whether an element of a set passes a test.
    fn finds(&mut self, set: &V, test: &mut dyn FnMut(&mut Self, V) -> Run<bool>) -> Run<bool> {
        let mut doubt = None;
        let flow = self.sample(set, "a search", &mut |interp, element| {
            match test(interp, element) {
                Ok(true) => return Ok(Flow::Stop),
                Err(stop) if stop.is_open() => doubt = doubt.take().or(Some(stop)),
                found => {
                    found?;
                }
            }
            Ok(Flow::Continue)
        })?;
        match (flow, doubt) {
            (Flow::Continue, Some(stop)) => Err(stop),
            (flow, _) => Ok(flow == Flow::Stop),
        }
    }

    /// Whether a rule relates each point to at most one value, as far as its form says so.
    pub(crate) fn is_function_by_form(&self, relation: &V) -> bool {
        match relation {
            V::Rule(rule) => match &**rule {
                Rule::Shift(_) | Rule::Constructor(..) => true,
                Rule::Closure(closure) => closure.form == Form::Lambda,
                Rule::Made(op, operands) => match op {
                    Op::Identity | Op::Prj1 | Op::Prj2 => true,
                    Op::Cartesian => operands[1].listed().is_some_and(|set| set.len() <= 1),
                    Op::Overwrite | Op::Composition | Op::DirectProduct | Op::ParallelProduct => {
                        operands
                            .iter()
                            .all(|operand| self.is_function_by_form(operand))
                    }
                    Op::DomainRestriction | Op::DomainSubtraction => {
                        self.is_function_by_form(&operands[1])
                    }
                    Op::RangeRestriction | Op::RangeSubtraction | Op::SetMinus => {
                        self.is_function_by_form(&operands[0])
                    }
                    _ => false,
                },
                _ => false,
            },
            V::Plain(Value::Set(pairs)) => relation::is_functional(pairs),
            _ => false,
        }
    }

    /// Whether no point has two images, looking at the points that a cut leaves.
    fn rows_are_single(&mut self, relation: &V) -> Run<bool> {
        let points = self.domain_of(relation)?;
        let several = self.finds(&points, &mut |interp, point| {
            let images = interp.image_of_point(relation, &point)?;
            let mut count = 0;
            interp.for_each(&images, &mut |_, _| {
                count += 1;
                Ok(if count > 1 {
                    Flow::Stop
                } else {
                    Flow::Continue
                })
            })?;
            Ok(count > 1)
        })?;
        Ok(!several)
    }

    /// Visits the elements of a set, or of what a cut leaves of it; `Open` after a full visit of the latter.
    pub(crate) fn sample(
        &mut self,
        set: &V,
        what: &str,
        visit: &mut dyn FnMut(&mut Self, V) -> Run<Flow>,
    ) -> Run<Flow> {
        if self.is_finite(set)? == Some(true) {
            return self.for_each(set, visit);
        }
        let limited = self.limit(set)?;
        if self.same_rule(&limited, set)? {
            return self.for_each(set, visit);
        }
        let flow = self.for_each(&limited, &mut |interp, element| {
            // The cut may leave more than the set has.
            match interp.member(&element, set) {
                Ok(true) => visit(interp, element),
                Err(stop) if !stop.is_open() => Err(stop),
                _ => Ok(Flow::Continue),
            }
        })?;
        if flow == Flow::Continue {
            let text = format!("{what} on an infinite set looked at a part of it only");
            return Err(Stop::open(text));
        }
        Ok(flow)
    }

    /// `@finite(set)`
    pub(crate) fn finite(&mut self, set: &V) -> Run<bool> {
        match self.is_finite(set)? {
            Some(finite) => Ok(finite),
            None => match self.force(set) {
                Ok(_) => Ok(true),
                Err(stop) => Err(stop),
            },
        }
    }

    /// Whether a set is empty, looking for an element if its form does not say.
    pub(crate) fn is_certainly_empty(&mut self, set: &V) -> Run<bool> {
        if let Some(empty) = self.is_empty(set)? {
            return Ok(empty);
        }
        let flow = self.sample(set, "a search for an element", &mut |_, _| Ok(Flow::Stop))?;
        Ok(flow == Flow::Continue)
    }

    pub(crate) fn integer(&self, value: &V) -> Run<Int> {
        match value {
            V::Plain(Value::Int(value)) => Ok(value.clone()),
            _ => Err(Stop::unsupported("an integer was expected")),
        }
    }
}

/// The parts of a pair.
pub(crate) fn parts(value: &V) -> Run<(V, V)> {
    value
        .parts()
        .ok_or_else(|| Stop::unsupported("a pair was expected"))
}

/// The environment of a closure with its names bound to a left-nested tuple.
pub(crate) fn bind_tuple(
    closure: &Closure,
    names: &[model::LocalId],
    value: &V,
) -> Run<crate::env::Env> {
    let mut env = closure.env.clone();
    let mut rest = value.clone();
    for (i, name) in names.iter().enumerate().rev() {
        if i == 0 {
            env = env.bind_local(*name, Some(rest.clone()));
        } else {
            let (left, right) = parts(&rest)?;
            env = env.bind_local(*name, Some(right));
            rest = left;
        }
    }
    Ok(env)
}
