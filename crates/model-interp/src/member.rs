//! Membership, inclusion and equality, without listing more than needed.
//!
//! Invariant: membership never lists its right side. Questions about infinite sets that have no answer by form
//! are answered on what a cut leaves of them: a counterexample is certain, its absence is a cut in the notes.

use lang_math::Op;
use model::{Int, Target, Value};

use crate::expand::Arrow;
use crate::number;
use crate::relation;
use crate::sequence;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop, StopKind};
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
                for known in elements.iter() {
                    if self.equal(element, &known.clone().into())? {
                        return Ok(true);
                    }
                }
                return Ok(false);
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
                for known in elements {
                    if self.equal(element, known)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Rule::Struct(fields) => {
                for (name, set) in fields {
                    let value = element
                        .field(*name)
                        .ok_or_else(|| Stop::unsupported("a record was expected"))?;
                    if !self.member(&value, set)? {
                        return Ok(false);
                    }
                }
                Ok(true)
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

    fn member_made(&mut self, element: &V, op: Op, operands: &[V]) -> Run<bool> {
        if let Some(arrow) = Arrow::of(op) {
            return self.member_arrow(element, arrow, &operands[0], &operands[1]);
        }
        let first = &operands[0];
        match op {
            Op::PowerSet => self.subset(element, first),
            Op::PowerSet1 => Ok(!self.is_certainly_empty(element)? && self.subset(element, first)?),
            Op::FiniteSubsets | Op::FiniteSubsets1 => {
                let nonempty = op == Op::FiniteSubsets || !self.is_certainly_empty(element)?;
                Ok(nonempty && self.finite(element)? && self.subset(element, first)?)
            }
            Op::Sequences
            | Op::Sequences1
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations => self.member_sequences(element, op, first),
            Op::Trees | Op::BinaryTrees => {
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
            Op::Cartesian => {
                let (left, right) = parts(element)?;
                Ok(self.member(&left, first)? && self.member(&right, &operands[1])?)
            }
            Op::Identity => {
                let (left, right) = parts(element)?;
                Ok(self.member(&left, first)? && self.equal(&left, &right)?)
            }
            Op::Prj1 | Op::Prj2 => {
                let (argument, result) = parts(element)?;
                let (left, right) = parts(&argument)?;
                let part = if op == Op::Prj1 { &left } else { &right };
                Ok(self.equal(part, &result)?
                    && self.member(&left, first)?
                    && self.member(&right, &operands[1])?)
            }
            Op::Union => Ok(self.member(element, first)? || self.member(element, &operands[1])?),
            Op::Intersection => {
                Ok(self.member(element, first)? && self.member(element, &operands[1])?)
            }
            Op::SetMinus => {
                Ok(self.member(element, first)? && !self.member(element, &operands[1])?)
            }
            Op::Inverse => {
                let (left, right) = parts(element)?;
                self.member(&V::pair(right, left), first)
            }
            Op::DomainRestriction | Op::DomainSubtraction => {
                let (left, _) = parts(element)?;
                Ok(self.member(&left, first)? == (op == Op::DomainRestriction)
                    && self.member(element, &operands[1])?)
            }
            Op::RangeRestriction | Op::RangeSubtraction => {
                let (_, right) = parts(element)?;
                Ok(
                    self.member(&right, &operands[1])? == (op == Op::RangeRestriction)
                        && self.member(element, first)?,
                )
            }
            Op::Overwrite => {
                if self.member(element, &operands[1])? {
                    return Ok(true);
                }
                let (left, _) = parts(element)?;
                let images = self.image_of_point(&operands[1], &left)?;
                Ok(self.is_certainly_empty(&images)? && self.member(element, first)?)
            }
            Op::DirectProduct => {
                let (point, both) = parts(element)?;
                let (left, right) = parts(&both)?;
                Ok(self.member(&V::pair(point.clone(), left), first)?
                    && self.member(&V::pair(point, right), &operands[1])?)
            }
            Op::ParallelProduct => {
                let (points, images) = parts(element)?;
                let ((x, v), (y, w)) = (parts(&points)?, parts(&images)?);
                Ok(self.member(&V::pair(x, y), first)?
                    && self.member(&V::pair(v, w), &operands[1])?)
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
                let mut found = false;
                self.for_each(&origins, &mut |interp, origin| {
                    found = interp.member(&origin, &operands[1])?;
                    Ok(if found { Flow::Stop } else { Flow::Continue })
                })?;
                Ok(found)
            }
            _ => Err(Stop::unsupported(format!(
                "membership in {} is not decided",
                op.ascii()
            ))),
        }
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
            return Ok((!arrow.functional || relation::is_functional(pairs))
                && (!arrow.injective || relation::is_functional(&inverse))
                && (!arrow.total || self.subset(domain, &relation::domain(pairs).into())?)
                && (!arrow.surjective || self.subset(range, &relation::range(pairs).into())?));
        }
        // A relation with infinitely many pairs, or with infinite sets in them.
        let own_domain = self.domain_of(&relation)?;
        let own_range = self.range_of(&relation)?;
        if !self.subset(&own_domain, domain)? || !self.subset(&own_range, range)? {
            return Ok(false);
        }
        if arrow.total && !self.subset(domain, &own_domain)? {
            return Ok(false);
        }
        if arrow.surjective && !self.subset(range, &own_range)? {
            return Ok(false);
        }
        if arrow.functional
            && !self.is_function_by_form(&relation)
            && !self.rows_are_single(&relation)?
        {
            return Ok(false);
        }
        if arrow.injective {
            let inverse = V::made(Op::Inverse, [relation]);
            return self.rows_are_single(&inverse);
        }
        Ok(true)
    }

    /// Whether a rule relates each point to at most one value, as far as its form says so.
    fn is_function_by_form(&self, relation: &V) -> bool {
        match relation {
            V::Rule(rule) => match &**rule {
                Rule::Shift(_) | Rule::Constructor(..) => true,
                Rule::Closure(closure) => closure.form == Form::Lambda,
                Rule::Made(op, operands) => match op {
                    Op::Identity | Op::Prj1 | Op::Prj2 => true,
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
        let mut single = true;
        self.sample(&points, "a function", &mut |interp, point| {
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
            single = count <= 1;
            Ok(if single { Flow::Continue } else { Flow::Stop })
        })?;
        Ok(single)
    }

    /// Visits the elements of a set, or of what a cut leaves of it; a full visit of the latter is noted.
    fn sample(
        &mut self,
        set: &V,
        what: &str,
        visit: &mut dyn FnMut(&mut Self, V) -> Run<Flow>,
    ) -> Run<()> {
        let finite = self.is_finite(set)?;
        let limited = if finite == Some(true) {
            set.clone()
        } else {
            self.limit(set)?
        };
        let flow = self.for_each(&limited, &mut |interp, element| {
            // The cut may leave more than the set has.
            if finite != Some(true) && !interp.member(&element, set)? {
                return Ok(Flow::Continue);
            }
            visit(interp, element)
        })?;
        if finite == Some(false) && flow == Flow::Continue {
            let text = format!("{what} on an infinite set was looked at in part only");
            self.notes.cut(None, text);
        }
        Ok(())
    }

    /// `a <: b`
    pub(crate) fn subset(&mut self, a: &V, b: &V) -> Run<bool> {
        if let (Some(a), Some(b)) = (a.listed(), b.listed()) {
            return Ok(relation::is_subset(a, b));
        }
        if let Some(decided) = self.subset_by_form(a, b)? {
            return Ok(decided);
        }
        let mut included = true;
        self.sample(a, "inclusion", &mut |interp, element| {
            included = interp.member(&element, b)?;
            Ok(if included { Flow::Continue } else { Flow::Stop })
        })?;
        Ok(included)
    }

    fn subset_by_form(&mut self, a: &V, b: &V) -> Run<Option<bool>> {
        if self.is_whole(b) || self.is_empty(a)? == Some(true) {
            return Ok(Some(true));
        }
        let finite = self.is_finite(a)?;
        if finite == Some(false) && self.is_finite(b)? == Some(true) {
            return Ok(Some(false));
        }
        let V::Rule(left) = a else {
            return Ok(None);
        };
        if let Rule::Made(Op::Intersection, operands) = &**left {
            for operand in operands {
                if self.subset_by_form(operand, b)? == Some(true) {
                    return Ok(Some(true));
                }
            }
        }
        match &**left {
            Rule::Made(Op::Union, operands) => {
                return Ok(Some(
                    self.subset(&operands[0], b)? && self.subset(&operands[1], b)?,
                ));
            }
            Rule::Made(Op::SetMinus, operands)
                if self.subset_by_form(&operands[0], b)? == Some(true) =>
            {
                return Ok(Some(true));
            }
            Rule::Closure(closure) if closure.form == Form::Tuples && closure.names.len() == 1 => {
                if let Some(sets) = self.simple_sets(closure)? {
                    return Ok(Some(self.subset(&sets[0], b)?));
                }
            }
            _ => {}
        }
        let V::Rule(right) = b else {
            return Ok(None);
        };
        Ok(match (&**left, &**right) {
            (Rule::Integers, Rule::From(_)) => Some(false),
            (Rule::From(low), Rule::From(least)) => Some(low >= least),
            (Rule::Interval(low, _), Rule::From(least)) => Some(low >= least),
            (Rule::Interval(low, high), Rule::Interval(least, most)) => {
                Some(low >= least && high <= most)
            }
            (_, Rule::Closure(closure))
                if closure.form == Form::Tuples && closure.names.len() == 1 =>
            {
                match self.simple_sets(closure)? {
                    Some(sets) => Some(self.subset(a, &sets[0])?),
                    None => self.same_rule(a, b)?.then_some(true),
                }
            }
            (_, Rule::Made(Op::Intersection, operands)) => {
                Some(self.subset(a, &operands[0])? && self.subset(a, &operands[1])?)
            }
            (Rule::Made(op, left), Rule::Made(other, right))
                if op == other
                    && matches!(
                        op,
                        Op::PowerSet
                            | Op::FiniteSubsets
                            | Op::Sequences
                            | Op::Sequences1
                            | Op::PowerSet1
                            | Op::FiniteSubsets1
                    ) =>
            {
                Some(self.subset(&left[0], &right[0])?)
            }
            (Rule::Made(op, left), Rule::Made(other, right))
                if op == other
                    && matches!(op, Op::Cartesian | Op::Relations | Op::PartialFunctions) =>
            {
                let both = self.subset(&left[0], &right[0])? && self.subset(&left[1], &right[1])?;
                both.then_some(true)
            }
            _ => self.same_rule(a, b)?.then_some(true),
        })
    }

    /// Whether a set has all values of its type, as far as its form says so.
    pub(crate) fn is_whole(&self, set: &V) -> bool {
        match set {
            V::Rule(rule) => match &**rule {
                Rule::Integers | Rule::Strings | Rule::Reals | Rule::Free(_) => true,
                Rule::Made(Op::PowerSet | Op::Cartesian | Op::Relations, operands) => {
                    operands.iter().all(|operand| self.is_whole(operand))
                }
                Rule::Struct(fields) => fields.iter().all(|(_, set)| self.is_whole(set)),
                _ => false,
            },
            V::Plain(Value::Set(elements)) => match elements.first() {
                Some(Value::Element(sort, _)) => {
                    elements.len() == self.model.tys.sorts[*sort].elements.len()
                }
                Some(Value::Bool(_)) => elements.len() == 2,
                _ => false,
            },
            _ => false,
        }
    }

    /// `a = b`
    pub(crate) fn equal(&mut self, a: &V, b: &V) -> Run<bool> {
        self.tick()?;
        if let (V::Plain(a), V::Plain(b)) = (a, b) {
            return Ok(a == b);
        }
        if let (Some((a1, a2)), Some((b1, b2))) = (a.parts(), b.parts()) {
            return Ok(self.equal(&a1, &b1)? && self.equal(&a2, &b2)?);
        }
        if let (Some((a, x)), Some((b, y))) = (a.built(), b.built()) {
            return Ok(a == b
                && match (x, y) {
                    (Some(x), Some(y)) => self.equal(&x, &y)?,
                    _ => true,
                });
        }
        if let (V::Record(fields), _) | (_, V::Record(fields)) = (a, b) {
            for (name, _) in fields.iter() {
                let (Some(x), Some(y)) = (a.field(*name), b.field(*name)) else {
                    return Ok(false);
                };
                if !self.equal(&x, &y)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if self.same_rule(a, b)? {
            return Ok(true);
        }
        match (self.is_finite(a)?, self.is_finite(b)?) {
            (Some(x), Some(y)) if x != y => Ok(false),
            (Some(true), Some(true)) => {
                match (self.force(a), self.force(b)) {
                    (Ok(a), Ok(b)) => Ok(a == b),
                    // Elements that are infinite sets: compare as sets.
                    (Err(stop), _) | (_, Err(stop)) if stop.kind != StopKind::Open => Err(stop),
                    _ => Ok(self.card(a)? == self.card(b)? && self.subset(a, b)?),
                }
            }
            _ => Ok(self.subset(a, b)? && self.subset(b, a)?),
        }
    }

    /// Whether two sets are made in the same way.
    pub(crate) fn same_rule(&mut self, a: &V, b: &V) -> Run<bool> {
        if let (V::Plain(a), V::Plain(b)) = (a, b) {
            return Ok(a == b);
        }
        let (V::Rule(left), V::Rule(right)) = (a, b) else {
            return Ok(false);
        };
        if std::sync::Arc::ptr_eq(left, right) {
            return Ok(true);
        }
        Ok(match (&**left, &**right) {
            (Rule::Integers, Rule::Integers)
            | (Rule::Strings, Rule::Strings)
            | (Rule::Reals, Rule::Reals) => true,
            (Rule::From(a), Rule::From(b)) => a == b,
            (Rule::Interval(a, x), Rule::Interval(b, y)) => a == b && x == y,
            (Rule::Free(a), Rule::Free(b)) => a == b,
            (Rule::Constructor(a, x), Rule::Constructor(b, y)) => a == b && x == y,
            (Rule::Shift(a), Rule::Shift(b)) => a == b,
            (Rule::Made(op, xs), Rule::Made(other, ys)) if op == other && xs.len() == ys.len() => {
                for (x, y) in xs.iter().zip(ys) {
                    if !self.same_rule(x, y)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Rule::Struct(xs), Rule::Struct(ys)) if xs.len() == ys.len() => {
                for ((a, x), (b, y)) in xs.iter().zip(ys) {
                    if a != b || !self.same_rule(x, y)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Rule::Closure(a), Rule::Closure(b)) => self.same_closure(a, b)?,
            _ => false,
        })
    }

    /// Whether two closures come from the same text with the same values in it.
    fn same_closure(&mut self, a: &Closure, b: &Closure) -> Run<bool> {
        if a.form != b.form || a.predicate != b.predicate || a.value != b.value {
            return Ok(false);
        }
        let mut free: Vec<Target> = self.mentions(a.predicate).to_vec();
        if let Some(value) = a.value {
            free.extend(self.mentions(value).iter());
        }
        free.retain(|target| !a.names.iter().any(|name| *target == Target::Local(*name)));
        for target in free {
            let same = match (a.env.get(target), b.env.get(target)) {
                (Some(x), Some(y)) => {
                    let (x, y) = (x.clone(), y.clone());
                    self.same_rule(&x, &y)?
                }
                // A constant under definition, read by itself.
                (None, _) | (_, None) => true,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
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
        let mut empty = true;
        self.for_each(set, &mut |_, _| {
            empty = false;
            Ok(Flow::Stop)
        })?;
        Ok(empty)
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
