//! Rewrites expressions: where one element is meant, its part; elsewhere the whole, put together.

use base::Span;
use lang_math::Op;
use model::{Expr, ExprId, Kind, Model, Ty, TyId, Value, VarId};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::fold::Known;
use super::{Parts, Pieces};
use crate::facts::Facts;

/// Rewrites into the model it reads from: old expressions stay, new ones are added.
pub(super) struct Rewriter<'r> {
    pub(super) model: &'r mut Model,
    pub(super) parts: &'r [Parts],
    /// What is known of expressions of the old model.
    pub(super) facts: &'r Facts<'r>,
    pub(super) known: Known<'r>,
    /// Variables that were read or written as a whole.
    pub(super) wholes: FxHashSet<VarId>,
    /// Variables of which a part was enough.
    pub(super) points: FxHashSet<VarId>,
    /// Variables of the new model that were read or written.
    pub(super) used: FxHashSet<VarId>,
}

impl Rewriter<'_> {
    /// An expression or predicate of the old model in the new one.
    pub(super) fn expr(&mut self, id: ExprId) -> ExprId {
        base::deep::recurse(|| self.rewrite(id))
    }

    fn rewrite(&mut self, id: ExprId) -> ExprId {
        let Expr { kind, ty, span } = self.model.exprs[id].clone();
        if let Some(narrow) = self.narrow(&kind, ty, span) {
            return narrow;
        }
        let kind = match kind {
            Kind::Local(local) => match self.known.locals.get(&local).cloned() {
                Some(value) => return self.literal(&value, self.model.locals[local].ty, span),
                None => Kind::Local(local),
            },
            Kind::Var(var) => match &self.parts[var.index()] {
                Parts::Whole(new) => return self.var(*new, span),
                _ => return self.whole(var, span),
            },
            kind => kind.map_children(|child| self.expr(child)),
        };
        self.push(kind, ty, span)
    }

    /// What one part answers.
    fn narrow(&mut self, kind: &Kind, ty: Option<TyId>, span: Span) -> Option<ExprId> {
        match kind {
            Kind::Apply(function, argument) => {
                let (var, pieces) = self.points_of(*function)?;
                let key = self.known.value(self.model, *argument)?;
                self.points.insert(var);
                let key_ty = self.model.exprs[*argument].ty?;
                let function_ty = self.model.exprs[*function].ty?;
                let literal = self.literal(&key, key_ty, span);
                let function = match pieces.part(&key) {
                    Some(part) => {
                        let images = self.var(part, span);
                        let single = self.singleton(literal, key_ty, span);
                        self.op(Op::Cartesian, &[single, images], Some(function_ty), span)
                    }
                    None => self.var(pieces.rest?, span),
                };
                Some(self.push(Kind::Apply(function, literal), ty, span))
            }
            Kind::Op(op @ (Op::Member | Op::NotMember), args) => {
                self.member(*op, args[0], args[1], span)
            }
            Kind::Op(Op::Image, args) => {
                let (var, pieces) = self.points_of(args[0])?;
                let Value::Set(keys) = self.known.value(self.model, args[1])? else {
                    return None;
                };
                let [key] = &keys[..] else { return None };
                let part = pieces.part(key)?;
                self.points.insert(var);
                Some(self.var(part, span))
            }
            _ => None,
        }
    }

    fn member(&mut self, op: Op, element: ExprId, set: ExprId, span: Span) -> Option<ExprId> {
        let is_in = op == Op::Member;
        // x : (s \/ t) - dom(f)
        if self.is_told_of(set)
            && let Some(key @ (Value::Int(_) | Value::Element(..) | Value::Bool(_))) =
                self.known.value(self.model, element)
        {
            let ty = self.model.exprs[element].ty?;
            let truth = self.is_in(&key, ty, set);
            let truth = if is_in { truth } else { self.not(truth, span) };
            return Some(self.predicate(truth, span));
        }
        // x |-> y : f
        if let Some((var, pieces)) = self.points_of(set)
            && let Kind::Op(Op::Maplet, pair) = self.model.exprs[element].kind.clone()
        {
            let key = self.known.value(self.model, pair[0])?;
            let part = pieces.part(&key)?;
            self.points.insert(var);
            let (image, part) = (self.expr(pair[1]), self.var(part, span));
            return Some(self.op(op, &[image, part], None, span));
        }
        None
    }

    /// The whole value of a variable that lies in parts.
    pub(super) fn whole(&mut self, var: VarId, span: Span) -> ExprId {
        self.wholes.insert(var);
        let (pieces, is_bits) = match self.parts[var.index()].clone() {
            Parts::Whole(new) => return self.var(new, span),
            Parts::Bits(pieces) => (pieces, true),
            Parts::Points(pieces) => (pieces, false),
        };
        let ty = self.old_ty(var);
        let key_ty = self.key_ty(var);
        let mut sum = pieces.rest.map(|rest| self.var(rest, span));
        for (key, part) in pieces.keys.iter().zip(&pieces.variables) {
            let key = self.literal(key, key_ty, span);
            let single = self.singleton(key, key_ty, span);
            let piece = if is_bits {
                let is_in = self.is_bit(*part, true, span);
                let none = self.op(Op::EmptySet, &[], Some(ty), span);
                self.push(Kind::If(is_in, single, none), Some(ty), span)
            } else {
                let images = self.var(*part, span);
                self.op(Op::Cartesian, &[single, images], Some(ty), span)
            };
            sum = Some(match sum {
                None => piece,
                Some(sum) => self.op(Op::Union, &[sum, piece], Some(ty), span),
            });
        }
        sum.unwrap_or_else(|| self.op(Op::EmptySet, &[], Some(ty), span))
    }

    /// The type of a variable of the old model: that of a relation or set.
    pub(super) fn old_ty(&mut self, var: VarId) -> TyId {
        let (key, image) = (self.key_ty(var), self.image_ty(var));
        let element = match image {
            Some(image) => self.model.tys.intern(Ty::Prod(key, image)),
            None => key,
        };
        self.model.tys.intern(Ty::Pow(element))
    }

    /// The type of the keys of a variable in parts.
    pub(super) fn key_ty(&mut self, var: VarId) -> TyId {
        let key = match &self.parts[var.index()] {
            Parts::Bits(pieces) | Parts::Points(pieces) => pieces.keys.first().cloned(),
            Parts::Whole(_) => None,
        };
        let ty = match key {
            Some(Value::Element(sort, _)) => Ty::Sort(sort),
            Some(Value::Bool(_)) => Ty::Bool,
            Some(Value::Int(_)) => Ty::Int,
            other => {
                unreachable!("a variable in parts has keys that are single things, not {other:?}")
            }
        };
        self.model.tys.intern(ty)
    }

    fn image_ty(&self, var: VarId) -> Option<TyId> {
        match &self.parts[var.index()] {
            Parts::Points(pieces) => {
                let ty = self.model.variables[pieces.variables[0]].ty;
                match &self.model.tys[ty] {
                    Ty::Pow(image) => Some(*image),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a variable of the old model lies in parts.
    pub(super) fn is_in_parts(&self, var: VarId) -> bool {
        !matches!(self.parts[var.index()], Parts::Whole(_))
    }

    /// The pieces of a variable that is a relation in parts, if the expression is one.
    pub(super) fn points_of(&self, id: ExprId) -> Option<(VarId, Pieces)> {
        let Kind::Var(var) = &self.model.exprs[id].kind else {
            return None;
        };
        match &self.parts[var.index()] {
            Parts::Points(pieces) => Some((*var, pieces.clone())),
            _ => None,
        }
    }

    /// The same for a set.
    pub(super) fn bits_of(&self, id: ExprId) -> Option<(VarId, Pieces)> {
        let Kind::Var(var) = &self.model.exprs[id].kind else {
            return None;
        };
        match &self.parts[var.index()] {
            Parts::Bits(pieces) => Some((*var, pieces.clone())),
            _ => None,
        }
    }

    pub(super) fn is_bit(&mut self, part: VarId, is_in: bool, span: Span) -> ExprId {
        let part = self.var(part, span);
        let truth = self.truth(is_in, span);
        self.op(Op::Equal, &[part, truth], None, span)
    }

    /// Compares a part with the empty set.
    pub(super) fn compare_empty(&mut self, op: Op, part: VarId, span: Span) -> ExprId {
        let ty = self.model.variables[part].ty;
        let part = self.var(part, span);
        let none = self.op(Op::EmptySet, &[], Some(ty), span);
        self.op(op, &[part, none], None, span)
    }

    pub(super) fn truth(&mut self, truth: bool, span: Span) -> ExprId {
        let ty = self.model.tys.intern(Ty::Bool);
        let op = if truth { Op::True } else { Op::False };
        self.op(op, &[], Some(ty), span)
    }

    pub(super) fn var(&mut self, var: VarId, span: Span) -> ExprId {
        self.used.insert(var);
        let ty = self.model.variables[var].ty;
        self.push(Kind::Var(var), Some(ty), span)
    }

    pub(super) fn singleton(&mut self, element: ExprId, ty: TyId, span: Span) -> ExprId {
        let set = self.model.tys.intern(Ty::Pow(ty));
        self.op(Op::SetExtension, &[element], Some(set), span)
    }

    pub(super) fn op(&mut self, op: Op, args: &[ExprId], ty: Option<TyId>, span: Span) -> ExprId {
        self.push(Kind::Op(op, SmallVec::from_slice(args)), ty, span)
    }

    pub(super) fn push(&mut self, kind: Kind, ty: Option<TyId>, span: Span) -> ExprId {
        self.model.exprs.push(Expr { kind, ty, span })
    }

    /// A key as an expression.
    pub(super) fn literal(&mut self, value: &Value, ty: TyId, span: Span) -> ExprId {
        let kind = match value {
            Value::Int(value) => Kind::Int(value.to_big()),
            Value::Element(sort, at) => Kind::Element(*sort, *at),
            Value::Bool(true) => Kind::Op(Op::True, smallvec![]),
            Value::Bool(false) => Kind::Op(Op::False, smallvec![]),
            other => unreachable!("keys are single things, not {other:?}"),
        };
        self.push(kind, Some(ty), span)
    }
}
