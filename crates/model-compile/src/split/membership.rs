//! Whether one known element is in a set that is put together from others: only what lies at that element is read.
//!
//! `x : (a \/ b) - c` with sets in parts reads three bits. It is told only of sets that always have a value, so that no
//! fault is lost; a set with a part that may be undefined stays as it is.

use base::Span;
use lang_math::Op;
use model::{ExprId, Kind, Ty, TyId, Value};

use super::fold::all_values;
use super::rewrite::Rewriter;
use super::{Parts, accesses};

/// A predicate, or its truth where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Known(bool),
    When(ExprId),
}

impl Rewriter<'_> {
    /// The elements that a set could have, where it can be told of each whether it is in and some variable in parts is
    /// asked for that.
    pub(super) fn elements(&self, sets: &[ExprId]) -> Option<(TyId, Vec<Value>)> {
        let ty = self.model.exprs[*sets.first()?].ty?;
        let Ty::Pow(element) = self.model.tys[ty] else {
            return None;
        };
        let all = all_values(self.model, element)?;
        let mut has_parts = false;
        for set in sets {
            self.model.walk(*set, &mut |expr| {
                has_parts |= matches!(&expr.kind, Kind::Var(var) if self.is_in_parts(*var));
            });
        }
        let is_told = has_parts
            && all.len() <= accesses::MOST_KEYS
            && sets.iter().all(|set| self.is_told_of(*set));
        is_told.then_some((element, all))
    }

    /// Whether it can be told of single elements that they are in a set.
    pub(super) fn is_told_of(&self, set: ExprId) -> bool {
        if matches!(self.known.value(self.model, set), Some(Value::Set(_))) {
            return true;
        }
        match &self.model.exprs[set].kind {
            Kind::Carrier(_) => true,
            Kind::Var(var) => !matches!(self.parts[var.index()], Parts::Points(_)),
            Kind::Op(Op::Union | Op::Intersection | Op::SetMinus, args) => args
                .iter()
                .all(|arg| base::deep::recurse(|| self.is_told_of(*arg))),
            Kind::Op(Op::Domain, args) => self.points_of(args[0]).is_some(),
            Kind::Op(Op::Image, args) => {
                self.inverse(args[0]).is_some()
                    && matches!(self.known.value(self.model, args[1]), Some(Value::Set(_)))
            }
            _ => false,
        }
    }

    /// `f~` of a relation in parts: the relation.
    fn inverse(&self, relation: ExprId) -> Option<ExprId> {
        match &self.model.exprs[relation].kind {
            Kind::Op(Op::Inverse, args) => self.points_of(args[0]).map(|_| args[0]),
            _ => None,
        }
    }

    /// Whether `key` is in a set that it [can be told of](Self::is_told_of).
    pub(super) fn is_in(&mut self, key: &Value, ty: TyId, set: ExprId) -> Truth {
        base::deep::recurse(|| self.find_in(key, ty, set))
    }

    fn find_in(&mut self, key: &Value, ty: TyId, set: ExprId) -> Truth {
        if let Some(Value::Set(elements)) = self.known.value(self.model, set) {
            return Truth::Known(elements.contains(key));
        }
        let span = self.model.exprs[set].span;
        match self.model.exprs[set].kind.clone() {
            Kind::Carrier(_) => Truth::Known(true),
            Kind::Op(op @ (Op::Union | Op::Intersection | Op::SetMinus), args) => {
                let (left, right) = (self.is_in(key, ty, args[0]), self.is_in(key, ty, args[1]));
                match op {
                    Op::Union => self.or(left, right, span),
                    Op::Intersection => self.and(left, right, span),
                    _ => {
                        let right = self.not(right, span);
                        self.and(left, right, span)
                    }
                }
            }
            Kind::Op(Op::Domain, args) => match self.part_at(args[0], key) {
                Some(part) => Truth::When(self.compare_empty(Op::NotEqual, part, span)),
                None => self.ask_whole(key, ty, set),
            },
            Kind::Op(Op::Image, args) => {
                let part = self.inverse(args[0]).and_then(|f| self.part_at(f, key));
                match part {
                    Some(part) => {
                        let ty = self.model.variables[part].ty;
                        let images = self.var(part, span);
                        let asked = self.expr(args[1]);
                        let both = self.op(Op::Intersection, &[images, asked], Some(ty), span);
                        let none = self.op(Op::EmptySet, &[], Some(ty), span);
                        Truth::When(self.op(Op::NotEqual, &[both, none], None, span))
                    }
                    None => self.ask_whole(key, ty, set),
                }
            }
            _ => match self.bits_of(set) {
                Some((var, pieces)) => {
                    self.points.insert(var);
                    match (pieces.part(key), pieces.rest) {
                        (Some(part), _) => Truth::When(self.is_bit(part, true, span)),
                        (None, Some(rest)) => {
                            let (key, rest) = (self.literal(key, ty, span), self.var(rest, span));
                            Truth::When(self.op(Op::Member, &[key, rest], None, span))
                        }
                        (None, None) => Truth::Known(false),
                    }
                }
                None => self.ask_whole(key, ty, set),
            },
        }
    }

    /// The part of a relation at a key.
    fn part_at(&mut self, relation: ExprId, key: &Value) -> Option<model::VarId> {
        let (var, pieces) = self.points_of(relation)?;
        let part = pieces.part(key)?;
        self.points.insert(var);
        Some(part)
    }

    fn ask_whole(&mut self, key: &Value, ty: TyId, set: ExprId) -> Truth {
        let span = self.model.exprs[set].span;
        let (key, set) = (self.literal(key, ty, span), self.expr(set));
        Truth::When(self.op(Op::Member, &[key, set], None, span))
    }

    /// A truth as a predicate.
    pub(super) fn predicate(&mut self, truth: Truth, span: Span) -> ExprId {
        match truth {
            Truth::When(predicate) => predicate,
            Truth::Known(true) => self.op(Op::Truth, &[], None, span),
            Truth::Known(false) => self.op(Op::Falsity, &[], None, span),
        }
    }

    pub(super) fn not(&mut self, truth: Truth, span: Span) -> Truth {
        match truth {
            Truth::Known(known) => Truth::Known(!known),
            Truth::When(predicate) => Truth::When(self.op(Op::Not, &[predicate], None, span)),
        }
    }

    pub(super) fn or(&mut self, left: Truth, right: Truth, span: Span) -> Truth {
        self.joined(Op::Or, true, left, right, span)
    }

    fn and(&mut self, left: Truth, right: Truth, span: Span) -> Truth {
        self.joined(Op::And, false, left, right, span)
    }

    /// `left op right`, where one side that is `ends` decides.
    fn joined(&mut self, op: Op, ends: bool, left: Truth, right: Truth, span: Span) -> Truth {
        match (left, right) {
            (Truth::Known(known), other) | (other, Truth::Known(known)) => match known == ends {
                true => Truth::Known(ends),
                false => other,
            },
            (Truth::When(left), Truth::When(right)) => {
                Truth::When(self.op(op, &[left, right], None, span))
            }
        }
    }

    pub(super) fn implies(&mut self, left: Truth, right: Truth, span: Span) -> Truth {
        let left = self.not(left, span);
        self.or(left, right, span)
    }

    pub(super) fn equivalent(&mut self, left: Truth, right: Truth, span: Span) -> Truth {
        match (left, right) {
            (Truth::Known(true), other) | (other, Truth::Known(true)) => other,
            (Truth::Known(false), other) | (other, Truth::Known(false)) => self.not(other, span),
            (Truth::When(left), Truth::When(right)) => {
                Truth::When(self.op(Op::Equivalent, &[left, right], None, span))
            }
        }
    }
}
