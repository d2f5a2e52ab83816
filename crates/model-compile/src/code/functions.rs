//! Functions that are kept as lists of pairs: applied where they lie, changed in one copy, and asked backwards without
//! building an inverse.
//!
//! Invariant: what these forms do not take (rules without end, several images) goes the general way of [`crate::ops`], with the
//! same value and the same fault.

use std::sync::Arc;

use lang_math::Op;
use model::{ExprId, Kind, TyId};
use smallvec::SmallVec;

use super::{Compiler, f};
use crate::cx::{Cx, F, R};
use crate::rep::Rep;
use crate::symbolic::position;
use crate::value::{Row, V};

/// Pairs that a function is overwritten with, one after the other; more are merged as sets.
const MOST_PAIRS: usize = 4;

impl Compiler<'_> {
    /// `f(x)` on values.
    pub(super) fn application(&self, function: ExprId, argument: ExprId, place: u32) -> F<V> {
        let ty = self.ty(function);
        let argument_code = self.value(argument);
        match &self.model.exprs[function].kind {
            Kind::Var(var) if self.rep(function) == Rep::Tree => {
                let slot = var.index();
                return f(move |cx| {
                    let x = argument_code(cx)?;
                    match cx.lying(slot) {
                        Some(function) => cx.applied(ty, function, &x, place),
                        None => {
                            let function = cx.numbered(slot);
                            cx.applied(ty, &function, &x, place)
                        }
                    }
                });
            }
            Kind::Op(Op::Inverse, inner) if self.rep(inner[0]) == Rep::Tree => {
                let types = self.op_ty(function, inner);
                let relation = self.value(inner[0]);
                return f(move |cx| {
                    let relation = relation(cx)?;
                    let x = argument_code(cx)?;
                    if let Some(origin) = cx.only_origin(types.args[0], &relation, &x) {
                        return Ok(origin);
                    }
                    let inverse = cx.op(Op::Inverse, &types, &[relation])?;
                    cx.applied(ty, &inverse, &x, place)
                });
            }
            _ => {}
        }
        // A lambda that is applied on the spot or a set that need not be built is kept as it is.
        let function = self.lazy(function);
        f(move |cx| {
            let function = function(cx)?;
            let x = argument_code(cx)?;
            cx.applied(ty, &function, &x, place)
        })
    }

    /// `r~[S]`: the pairs of `r` whose right sides are in `S`.
    pub(super) fn image_of_inverse(&self, expr: ExprId, args: &[ExprId]) -> Option<F<V>> {
        let Kind::Op(Op::Inverse, inner) = &self.model.exprs[args[0]].kind else {
            return None;
        };
        if self.rep(inner[0]) != Rep::Tree || self.recalled.borrow().contains_key(&args[0]) {
            return None;
        }
        let place = expr.index() as u32;
        let (types, inverse_types) = (self.op_ty(expr, args), self.op_ty(args[0], inner));
        let (relation, set) = (self.value(inner[0]), self.value(args[1]));
        Some(f(move |cx| {
            let relation = relation(cx)?;
            let set = set(cx)?;
            if let V::Set(_) | V::Row(..) = &relation {
                return cx.origins_in((types.result, inverse_types.args[0]), &relation, &set);
            }
            let inverse = cx
                .op(Op::Inverse, &inverse_types, &[relation])
                .map_err(|trap| trap.at(place))?;
            cx.op(Op::Image, &types, &[inverse, set])
                .map_err(|trap| trap.at(place))
        }))
    }

    /// Whether a relation is a few pairs that are listed.
    pub(super) fn changes_points(&self, above: ExprId) -> bool {
        matches!(&self.model.exprs[above].kind, Kind::Op(Op::SetExtension, pairs) if pairs.len() <= MOST_PAIRS)
    }

    /// `f <+ {x |-> y, …}`: one copy of the list.
    pub(super) fn overwriting(&self, expr: ExprId, args: &[ExprId]) -> Option<F<V>> {
        let Kind::Op(Op::SetExtension, listed) = &self.model.exprs[args[1]].kind else {
            return None;
        };
        if self.rep(expr) != Rep::Tree || !self.changes_points(args[1]) {
            return None;
        }
        let place = expr.index() as u32;
        let (ty, above_ty) = (self.ty(expr), self.ty(args[1]));
        let code = self.value(args[0]);
        let below = code.clone();
        let pairs: Vec<F<V>> = listed.iter().map(|pair| self.value(*pair)).collect();
        let general = f(move |cx| {
            let mut result = below(cx)?;
            let mut above: SmallVec<[V; MOST_PAIRS]> = SmallVec::new();
            for pair in &pairs {
                above.push(pair(cx)?);
            }
            if matches!(result, V::Set(_) | V::Row(..)) && cx.are_apart(ty, &above) {
                for pair in above {
                    result = cx.with_pair(ty, result, pair);
                }
                return Ok(result);
            }
            let above = cx.reps().set(above_ty, above.into_vec());
            cx.overwrite(ty, &result, &above)
                .map_err(|trap| trap.at(place))
        });
        Some(self.row_overwriting(&code, listed, general, expr))
    }
}

impl Cx<'_> {
    /// `f(x)`, with the values that it failed on.
    #[inline]
    fn applied(&mut self, ty: TyId, function: &V, x: &V, place: u32) -> R<V> {
        match self.apply(ty, function, x) {
            Ok(value) => Ok(value),
            Err(trap) => Err(self.blame(trap, place, ty, function, x)),
        }
    }

    /// What a listed relation relates to `y`, if it is one thing.
    fn only_origin(&self, ty: TyId, relation: &V, y: &V) -> Option<V> {
        if let Some(row) = relation.row() {
            let (kinds, y) = (row.kinds()?, y.number()?);
            let mut found = row.numbers().filter(|(_, right)| *right == y);
            return match (found.next(), found.next()) {
                (Some((left, _)), None) => Some(kinds.component(0, left)),
                _ => None,
            };
        }
        let V::Set(pairs) = relation else {
            return None;
        };
        let reps = self.reps();
        let pair = reps.element(ty);
        let mut found = pairs.iter().filter(|e| reps.has_right(pair, e, y));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(reps.left(pair, only)),
            _ => None,
        }
    }

    /// What a listed relation relates to something in a set.
    fn origins_in(&mut self, (ty, relation_ty): (TyId, TyId), relation: &V, set: &V) -> R<V> {
        let reps = self.reps();
        let pair = reps.element(relation_ty);
        let mut origins = Vec::new();
        for element in self.elements(relation)?.iter() {
            let right = reps.right(pair, element);
            if self.member(&right, set)? {
                origins.push(reps.left(pair, element));
            }
        }
        Ok(reps.set(ty, origins))
    }

    /// Whether no two pairs have the same left side.
    fn are_apart(&self, ty: TyId, pairs: &[V]) -> bool {
        let reps = self.reps();
        let pair = reps.element(ty);
        let mut pairs = pairs.iter().enumerate().map(|(i, a)| (a, &pairs[i + 1..]));
        pairs.all(|(a, others)| {
            let left = reps.left(pair, a);
            !others.iter().any(|b| reps.has_left(pair, b, &left))
        })
    }

    /// A listed relation in which a pair takes the place of those with its left side.
    fn with_pair(&self, ty: TyId, relation: V, new: V) -> V {
        if let Some(row) = relation.row() {
            if let V::Duo(kinds, [left, right]) = new
                && let Some(row) = row.with(kinds, left, right)
            {
                return row.value();
            }
            let listed = V::Set(row.elements().collect());
            return self.with_pair(ty, listed, new);
        }
        let V::Set(mut pairs) = relation else {
            return relation;
        };
        let reps = self.reps();
        let pair = reps.element(ty);
        let left = reps.left(pair, &new);
        let from = position(reps, pair, &pairs, &left);
        let old = pairs[from..].iter();
        let old = old.take_while(|e| reps.has_left(pair, e, &left)).count();
        if old == 1 {
            // Nobody else has what an earlier pair changed.
            if pairs[from] != new {
                Arc::make_mut(&mut pairs)[from] = new;
            }
            // A row may have come of it.
            return match Row::of(&pairs) {
                Some(row) => row.value(),
                None => V::Set(pairs),
            };
        }
        let (before, after) = (&pairs[..from], &pairs[from + old..]);
        let mut list = Vec::with_capacity(before.len() + 1 + after.len());
        list.extend_from_slice(before);
        list.push(new);
        list.extend_from_slice(after);
        V::listed(list)
    }
}
