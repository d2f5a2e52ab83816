//! Inclusion and equality: by form where that decides, else element by element.
//!
//! Questions about infinite sets that have no answer by form are answered on what a cut leaves of them: a
//! counterexample is certain, its absence is unknown.

use lang_math::Op;
use model::{Target, Value};

use crate::doubt::and;
use crate::relation;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, StopKind};
use crate::{Flow, Interp};

impl Interp<'_> {
    /// `a <: b`
    pub(crate) fn subset(&mut self, a: &V, b: &V) -> Run<bool> {
        if let (Some(a), Some(b)) = (a.listed(), b.listed()) {
            return Ok(relation::is_subset(a, b));
        }
        if let Some(decided) = self.subset_by_form(a, b)? {
            return Ok(decided);
        }
        let mut doubt = None;
        let flow = self.sample(a, "inclusion", &mut |interp, element| {
            match interp.member(&element, b) {
                Ok(false) => return Ok(Flow::Stop),
                Err(stop) if stop.is_open() => doubt = doubt.take().or(Some(stop)),
                included => {
                    included?;
                }
            }
            Ok(Flow::Continue)
        })?;
        match (flow, doubt) {
            (Flow::Continue, Some(stop)) => Err(stop),
            (flow, _) => Ok(flow == Flow::Continue),
        }
    }

    /// `a <<: b`
    pub(crate) fn strict_subset(&mut self, a: &V, b: &V) -> Run<bool> {
        let included = self.subset(a, b);
        and(included, || self.equal(a, b).map(|equal| !equal))
    }

    /// `a <: c & b <: d`
    fn both_subsets(&mut self, a: &V, c: &V, b: &V, d: &V) -> Run<bool> {
        let first = self.subset(a, c);
        and(first, || self.subset(b, d))
    }

    fn subset_by_form(&mut self, a: &V, b: &V) -> Run<Option<bool>> {
        if self.is_whole(b) || self.is_empty(a)? == Some(true) {
            return Ok(Some(true));
        }
        if b.is_empty_list() {
            return self.is_empty(a);
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
                return self
                    .both_subsets(&operands[0], b, &operands[1], b)
                    .map(Some);
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
            // A value that is the same for all names is the only element, if there is one.
            Rule::Closure(closure) if closure.form == Form::Image => {
                let names: Vec<Target> = closure.names.iter().map(|n| Target::Local(*n)).collect();
                if let Some(value) = closure.value
                    && self.is_known(value, &names)
                    && self.is_total(value)
                {
                    let value = self.value(value, &closure.env)?;
                    if self.member(&value, b)? {
                        return Ok(Some(true));
                    }
                }
            }
            _ => {}
        }
        let V::Rule(right) = b else {
            return Ok(None);
        };
        self.subset_of_rules((a, &**left), (b, &**right))
    }

    /// The same of two sets that are kept as rules.
    fn subset_of_rules(
        &mut self,
        (a, left): (&V, &Rule),
        (b, right): (&V, &Rule),
    ) -> Run<Option<bool>> {
        Ok(match (left, right) {
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
                Some(self.both_subsets(a, &operands[0], a, &operands[1])?)
            }
            (Rule::Made(op, left), Rule::Made(other, right))
                if (op == other
                    && matches!(
                        op,
                        Op::PowerSet
                            | Op::FiniteSubsets
                            | Op::Sequences
                            | Op::Sequences1
                            | Op::PowerSet1
                            | Op::FiniteSubsets1
                    ))
                    || (*op == Op::FiniteSubsets && *other == Op::PowerSet)
                    || (*op == Op::FiniteSubsets1
                        && matches!(other, Op::PowerSet1 | Op::FiniteSubsets | Op::PowerSet))
                    || (*op == Op::PowerSet1 && *other == Op::PowerSet) =>
            {
                Some(self.subset(&left[0], &right[0])?)
            }
            // An infinite set is no finite part of itself.
            (
                Rule::Made(Op::PowerSet | Op::PowerSet1, left),
                Rule::Made(Op::FiniteSubsets | Op::FiniteSubsets1, _),
            ) if self.is_finite(&left[0])? == Some(false) => Some(false),
            (
                Rule::Made(Op::Sequences1 | Op::InjectiveSequences, left),
                Rule::Made(Op::Sequences, right),
            )
            | (
                Rule::Made(Op::InjectiveSequences1, left),
                Rule::Made(Op::Sequences | Op::Sequences1 | Op::InjectiveSequences, right),
            ) => self.subset(&left[0], &right[0])?.then_some(true),
            (Rule::Made(op, left), Rule::Made(other, right))
                if op == other
                    && matches!(op, Op::Cartesian | Op::Relations | Op::PartialFunctions) =>
            {
                self.both_subsets(&left[0], &right[0], &left[1], &right[1])?
                    .then_some(true)
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
            let first = self.equal(&a1, &b1);
            return and(first, || self.equal(&a2, &b2));
        }
        if let (Some((a, x)), Some((b, y))) = (a.built(), b.built()) {
            return Ok(a == b
                && match (x, y) {
                    (Some(x), Some(y)) => self.equal(&x, &y)?,
                    _ => true,
                });
        }
        if let (V::Record(fields), _) | (_, V::Record(fields)) = (a, b) {
            let mut truth = Ok(true);
            for (name, _) in fields.iter() {
                let (Some(x), Some(y)) = (a.field(*name), b.field(*name)) else {
                    return Ok(false);
                };
                truth = and(truth, || self.equal(&x, &y));
            }
            return truth;
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
            _ => self.both_subsets(a, b, b, a),
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
}
