//! What a term with a name in it says about the name when the term's value, or a set it is in, is known.
//!
//! Patterns are pairs, records, lists, sums with known numbers, `bool(…)`, unions and applications.
//! Invariant: as for all facts, no value is excluded that the name can have.

use lang_math::Op;
use model::{ExprId, Int, Kind, Target, Value};

use crate::Interp;
use crate::env::Env;
use crate::facts::Facts;
use crate::number;
use crate::relation;
use crate::sequence;
use crate::set::{Form, Rule, V};
use crate::stop::{Run, Stop, StopKind};
use crate::total::conjuncts;

/// Relations with more pairs than this are not searched for matches of a pattern.
const MATCHED: f64 = 100_000.0;

impl Interp<'_> {
    /// A term equals a known value: what is the name in it?
    // Long: one arm for each kind of term.
    pub(crate) fn matched(
        &mut self,
        target: Target,
        pattern: ExprId,
        value: &V,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        if self.is_name(pattern, target) {
            return Ok(Facts::within(self.listed(vec![value.clone()])?));
        }
        let model = self.model;
        match &model.exprs[pattern].kind {
            Kind::Op(Op::Maplet, sides) => {
                let Some((left, right)) = value.parts() else {
                    return Ok(Facts::default());
                };
                let left = self.in_side(target, sides[0], &left, env, unknown)?;
                Ok(left.meet(self.in_side(target, sides[1], &right, env, unknown)?))
            }
            Kind::Op(Op::ToBool, inner) => match value {
                V::Plain(Value::Bool(truth)) => {
                    self.facts_of(target, inner[0], *truth, env, unknown)
                }
                _ => Ok(Facts::default()),
            },
            Kind::Op(op, _) if is_arithmetic(*op) => {
                match self.solved_for(target, pattern, value, env, unknown)? {
                    Some(facts) => Ok(facts),
                    None => self.solved(target, pattern, value, env, unknown),
                }
            }
            Kind::Op(Op::SetExtension, elements) => {
                let named = elements
                    .iter()
                    .any(|element| self.mentions(*element).contains(&target));
                if named && self.is_finite(value)? == Some(true) {
                    for element in elements {
                        if self.mentions(*element).contains(&target) {
                            return self.contained(target, *element, value, env, unknown);
                        }
                    }
                }
                Ok(Facts::default())
            }
            Kind::Op(Op::SequenceExtension, members) => {
                let mut facts = Facts::default();
                for (position, member) in (1..).zip(members) {
                    if self.mentions(*member).contains(&target) {
                        let images = self.image_of_point(value, &V::int(Int::Small(position)))?;
                        facts = facts.meet(self.contained(target, *member, &images, env, unknown)?);
                    }
                }
                Ok(facts)
            }
            Kind::Op(Op::Size | Op::Card, of) if self.is_name(of[0], target) => Ok(match value {
                V::Plain(Value::Int(length)) => Facts::at_most_elements(length.clone()),
                _ => Facts::default(),
            }),
            Kind::Op(Op::Concat | Op::InsertFront | Op::InsertTail, _) => {
                self.part_of_sequence(target, pattern, value)
            }
            Kind::Op(Op::Union, _) => {
                let whole = self.settle(value.clone())?;
                Ok(self.part_of(target, pattern, &whole).unwrap_or_default())
            }
            Kind::Op(Op::Inverse, inner) if self.is_name(inner[0], target) => {
                let inverse = V::made(Op::Inverse, [value.clone()]);
                let inverse = self.settle(inverse)?;
                Ok(Facts::within(self.listed(vec![inverse])?))
            }
            Kind::Record(fields) => {
                let mut facts = Facts::default();
                for (name, field) in fields {
                    if let Some(value) = value.field(*name) {
                        facts = facts.meet(self.in_side(target, *field, &value, env, unknown)?);
                    }
                }
                Ok(facts)
            }
            Kind::Apply(function, argument) => {
                // The argument is one of those with this value, unless others make the term undefined.
                if self.strict && !self.is_total(pattern) || !self.is_known(*function, unknown) {
                    return Ok(Facts::default());
                }
                let function = self.value(*function, env)?;
                let origins = match self.origins_of(&function, value) {
                    Ok(origins) => origins,
                    Err(stop) if stop.kind == StopKind::Budget => return Err(stop),
                    Err(_) => return Ok(Facts::default()),
                };
                self.contained(target, *argument, &origins, env, unknown)
            }
            _ => Ok(Facts::default()),
        }
    }

    /// A name that is a part of a known sequence is one of its segments; one that is an element, one of its
    /// elements.
    fn part_of_sequence(&mut self, target: Target, pattern: ExprId, value: &V) -> Run<Facts> {
        let value = self.force(value)?;
        let Some(members) = sequence::members_of(&value) else {
            return Ok(Facts::default());
        };
        let model = self.model;
        let mut pending = vec![pattern];
        while let Some(part) = pending.pop() {
            let (parts, elements): (&[ExprId], &[ExprId]) = match &model.exprs[part].kind {
                Kind::Op(Op::Concat, sides) => (sides, &[]),
                Kind::Op(Op::InsertFront, sides) => (&sides[1..], &sides[..1]),
                Kind::Op(Op::InsertTail, sides) => (&sides[..1], &sides[1..]),
                Kind::Op(Op::SequenceExtension, elements) => (&[], elements),
                _ => (&[], &[]),
            };
            pending.extend_from_slice(parts);
            if parts.iter().any(|part| self.is_name(*part, target)) {
                let mut segments = Vec::new();
                for start in 0..=members.len() {
                    self.spend(members.len())?;
                    for end in start..=members.len() {
                        segments.push(sequence::from_members(members[start..end].to_vec()));
                    }
                }
                return Ok(Facts::within(Value::set(segments).into()));
            }
            if elements
                .iter()
                .any(|element| self.is_name(*element, target))
            {
                return Ok(Facts::within(Value::set(members).into()));
            }
        }
        Ok(Facts::default())
    }

    fn origins_of(&mut self, function: &V, value: &V) -> Run<V> {
        if let V::Rule(rule) = function
            && let Rule::Closure(_) = &**rule
        {
            return Err(Stop::open("the function is a rule"));
        }
        let inverse = V::made(Op::Inverse, [function.clone()]);
        self.image_of_point(&inverse, value)
    }

    fn in_side(
        &mut self,
        target: Target,
        side: ExprId,
        value: &V,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        if self.mentions(side).contains(&target) {
            self.matched(target, side, value, env, unknown)
        } else {
            Ok(Facts::default())
        }
    }

    /// `x + c = v` and the like.
    fn solved(
        &mut self,
        target: Target,
        pattern: ExprId,
        value: &V,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        let model = self.model;
        let (V::Plain(Value::Int(value)), Kind::Op(op, sides)) =
            (value, &model.exprs[pattern].kind)
        else {
            return Ok(Facts::default());
        };
        let (inner, rest) = match (op, sides.as_slice()) {
            (Op::Negate, [inner]) => (*inner, number::negate(value)),
            (Op::Add | Op::Minus, [left, right]) => {
                let left_known = self.is_known(*left, unknown);
                if !left_known && !self.is_known(*right, unknown) {
                    return Ok(Facts::default());
                }
                let known = self.value(if left_known { *left } else { *right }, env)?;
                let known = self.integer(&known)?;
                let rest = match (op, left_known) {
                    (Op::Add, _) => number::subtract(value, &known),
                    (_, true) => number::subtract(&known, value),
                    (_, false) => number::add(value, &known),
                };
                (if left_known { *right } else { *left }, rest)
            }
            _ => return Ok(Facts::default()),
        };
        self.in_side(target, inner, &V::int(rest), env, unknown)
    }

    /// A term is in a known set: what can the name in it be?
    pub(crate) fn contained(
        &mut self,
        target: Target,
        pattern: ExprId,
        set: &V,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        if !self.mentions(pattern).contains(&target) {
            return Ok(Facts::default());
        }
        if self.is_name(pattern, target) {
            if let Some(facts) = self.described(set) {
                return Ok(facts);
            }
            let set = self.settle(set.clone())?;
            return Ok(Facts::within(set));
        }
        let model = self.model;
        let kind = &model.exprs[pattern].kind;
        if let (Kind::Op(Op::Maplet, sides), V::Rule(rule)) = (kind, set)
            && let Rule::Made(Op::Cartesian, factors) = &**rule
        {
            let left = self.contained(target, sides[0], &factors[0], env, unknown)?;
            return Ok(left.meet(self.contained(target, sides[1], &factors[1], env, unknown)?));
        }
        if let (Kind::Record(fields), V::Rule(rule)) = (kind, set)
            && let Rule::Struct(sets) = &**rule
        {
            let mut facts = Facts::default();
            for ((_, field), (_, set)) in fields.iter().zip(sets) {
                facts = facts.meet(self.contained(target, *field, set, env, unknown)?);
            }
            return Ok(facts);
        }
        if let Kind::Op(Op::Maplet, sides) = kind {
            // With one side known, only its row or column counts.
            if self.is_known(sides[0], unknown) {
                let point = self.value(sides[0], env)?;
                let images = match self.image_of_point(set, &point) {
                    Ok(images) => images,
                    Err(stop) if stop.kind == StopKind::Budget => return Err(stop),
                    Err(_) => return Ok(Facts::default()),
                };
                return self.contained(target, sides[1], &images, env, unknown);
            }
        }
        if self.hint(set) > MATCHED || self.is_finite(set)? != Some(true) {
            return Ok(Facts::default());
        }
        let elements = self.elements(set)?;
        if let (Kind::Op(Op::Maplet, sides), [Value::Pair(_), ..]) = (kind, &elements[..]) {
            // Only the side with the name in it matters, unless the other one is known.
            let left = self.mentions(sides[0]).contains(&target);
            let part = if self.is_known(sides[1], unknown) {
                let point = self.value(sides[1], env)?;
                let point = self.force(&point)?;
                let Value::Set(inverse) = relation::inverse(&elements) else {
                    return Ok(Facts::default());
                };
                relation::image_of_point(&inverse, &point)
            } else if left {
                relation::domain(&elements)
            } else {
                relation::range(&elements)
            };
            let side = if left { sides[0] } else { sides[1] };
            return self.contained(target, side, &part.into(), env, unknown);
        }
        self.one_of(target, pattern, &elements, env, unknown)
    }

    /// A term is one of these: what can the name in it be?
    fn one_of(
        &mut self,
        target: Target,
        pattern: ExprId,
        elements: &[Value],
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        let mut found = Vec::new();
        for element in elements {
            let facts = self.matched(target, pattern, &element.clone().into(), env, unknown)?;
            match self.smallest(facts) {
                Some(values) if self.is_finite(&values)? == Some(true) => {
                    found.extend(self.elements(&values)?.iter().cloned());
                }
                _ => return Ok(Facts::default()),
            }
        }
        Ok(Facts::within(Value::set(found).into()))
    }

    /// A comprehension says about its element what its predicate says about its name.
    fn described(&mut self, set: &V) -> Option<Facts> {
        let V::Rule(rule) = set else { return None };
        let Rule::Closure(closure) = &**rule else {
            return None;
        };
        let [name] = closure.names.as_slice() else {
            return None;
        };
        if closure.form != Form::Tuples {
            return None;
        }
        let name = Target::Local(*name);
        let mut facts = Facts::default();
        for conjunct in conjuncts(self.model, closure.predicate) {
            if let Ok(more) = self.facts_of(name, conjunct, true, &closure.env, &[name]) {
                facts = facts.meet(more);
            }
        }
        facts.sets.push(set.clone());
        Some(facts)
    }
}

/// Whether an operator computes a number that an equation can be solved for.
fn is_arithmetic(op: Op) -> bool {
    matches!(op, Op::Add | Op::Minus | Op::Negate | Op::Times | Op::Power)
}
