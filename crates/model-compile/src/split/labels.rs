//! Takes conjuncts about all elements apart, so that each part of one reads few slots.
//!
//! `!x.(x : S => P)` becomes one predicate for each element; `f : A --> B` one for each left element. A conjunct is
//! false when one of its parts is. It may be undefined where a part is false and another one undefined: whoever
//! reports a part evaluates the conjunct it belongs to.

use base::Span;
use lang_math::{Binder, Op};
use model::{ExprId, Kind, Value};
use num_bigint::BigInt;

use super::Pieces;
use super::fold::all_values;
use super::membership::Truth;
use super::rewrite::Rewriter;

/// A quantifier over more elements stays whole.
const MOST: usize = 512;

impl Rewriter<'_> {
    /// Predicates of the new model that hold together when `predicate` holds.
    pub(super) fn conjuncts(&mut self, predicate: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        self.take_apart(predicate, &mut found);
        found
    }

    fn take_apart(&mut self, predicate: ExprId, found: &mut Vec<ExprId>) {
        let expr = self.model.exprs[predicate].clone();
        let span = expr.span;
        let is_apart = match &expr.kind {
            Kind::Op(Op::And, args) => {
                for arg in args {
                    self.take_apart(*arg, found);
                }
                true
            }
            Kind::Op(Op::Member, args) => self.typed(args[0], args[1], span, found).is_some(),
            Kind::Op(op @ (Op::Subset | Op::Equal), args) => {
                self.compared(*op, args[0], args[1], span, found).is_some()
            }
            Kind::Op(Op::Implies, args) => self.implied(args[0], args[1], span, found).is_some(),
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate: body,
                ..
            } => self.instances(names, *body, found).is_some(),
            _ => false,
        };
        if !is_apart {
            found.push(self.expr(predicate));
        }
    }

    /// `P => (Q & R)`, `P => !x.Q`: the parts of the right side, each under P.
    fn implied(
        &mut self,
        condition: ExprId,
        then: ExprId,
        span: Span,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        let has_parts = matches!(
            &self.model.exprs[then].kind,
            Kind::Op(Op::And, _)
                | Kind::Bind {
                    binder: Binder::Forall,
                    ..
                }
        );
        if !has_parts {
            return None;
        }
        let mut parts = Vec::new();
        self.take_apart(then, &mut parts);
        for part in parts {
            let condition = self.expr(condition);
            found.push(self.op(Op::Implies, &[condition, part], None, span));
        }
        Some(())
    }

    /// One predicate for each value of the quantified names.
    fn instances(
        &mut self,
        names: &[model::LocalId],
        body: ExprId,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        let mut total = 1usize;
        let mut domains = Vec::new();
        for name in names {
            let domain = self.domain(*name, body)?;
            total = total.checked_mul(domain.len())?;
            domains.push(domain);
        }
        if total > MOST {
            return None;
        }
        for number in 0..total {
            let mut left = number;
            for (name, domain) in names.iter().zip(&domains) {
                let value = domain[left % domain.len()].clone();
                left /= domain.len();
                self.known.locals.insert(*name, value);
            }
            self.take_apart(body, found);
        }
        for name in names {
            self.known.locals.remove(name);
        }
        Some(())
    }

    /// The values that a quantified name can have: all of its type, or those of a set that the body begins with.
    fn domain(&self, name: model::LocalId, body: ExprId) -> Option<Vec<Value>> {
        let model = &*self.model;
        if let Some(all) = all_values(model, model.locals[name].ty) {
            return Some(all);
        }
        let Kind::Op(Op::Implies, args) = &model.exprs[body].kind else {
            return None;
        };
        let mut pending = vec![args[0]];
        while let Some(id) = pending.pop() {
            match &model.exprs[id].kind {
                Kind::Op(Op::And, args) => pending.extend(args.iter()),
                Kind::Op(Op::Member, args) if matches!(&model.exprs[args[0]].kind, Kind::Local(l) if *l == name) => {
                    if let Some(Value::Set(values)) = self.known.value(model, args[1]) {
                        return Some(values.to_vec());
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `f : A --> B`, `f : A +-> B`, `f : A <-> B`, `s : POW(A)`.
    fn typed(
        &mut self,
        element: ExprId,
        set: ExprId,
        span: Span,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        let Kind::Op(op, args) = self.model.exprs[set].kind.clone() else {
            return None;
        };
        if op == Op::PowerSet {
            return self.subset(element, args[0], span, found);
        }
        let least = match op {
            Op::TotalFunctions => 1,
            Op::PartialFunctions | Op::Relations => 0,
            _ => return None,
        };
        let (var, pieces) = self.points_of(element)?;
        let Value::Set(domain) = self.known.value(self.model, args[0])? else {
            return None;
        };
        self.points.insert(var);
        let range = self.model.exprs[args[1]].kind.clone();
        let is_all = matches!(
            range,
            Kind::Carrier(_) | Kind::Op(Op::Booleans | Op::Integers, _)
        );
        // Elements of the domain without a key lie in the rest.
        if least == 1 && domain.iter().any(|key| pieces.part(key).is_none()) {
            return None;
        }
        for (key, part) in pieces.keys.iter().zip(&pieces.variables) {
            if !domain.contains(key) {
                found.push(self.compare_empty(Op::Equal, *part, span));
                continue;
            }
            if op != Op::Relations {
                let int = self.model.tys.intern(model::Ty::Int);
                let images = self.var(*part, span);
                let count = self.op(Op::Card, &[images], Some(int), span);
                let one = self.push(Kind::Int(BigInt::from(1)), Some(int), span);
                let compare = match least {
                    1 => Op::Equal,
                    _ => Op::LessEqual,
                };
                found.push(self.op(compare, &[count, one], None, span));
            }
            if !is_all {
                let (images, range) = (self.var(*part, span), self.expr(args[1]));
                found.push(self.op(Op::Subset, &[images, range], None, span));
            }
        }
        self.no_rest(&pieces, span, found);
        Some(())
    }

    /// `s <: t`, `s = t`: one predicate for each element; `ran(f) <: A`, `ran(f) = A`: one for each left element.
    fn compared(
        &mut self,
        op: Op,
        left: ExprId,
        right: ExprId,
        span: Span,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        if op == Op::Subset && self.subset(left, right, span, found).is_some() {
            return Some(());
        }
        if self.range(op, left, right, span, found).is_some() {
            return Some(());
        }
        let (ty, elements) = self.elements(&[left, right])?;
        for element in elements {
            let (a, b) = (
                self.is_in(&element, ty, left),
                self.is_in(&element, ty, right),
            );
            let truth = match op {
                Op::Equal => self.equivalent(a, b, span),
                _ => self.implies(a, b, span),
            };
            if truth != Truth::Known(true) {
                found.push(self.predicate(truth, span));
            }
        }
        Some(())
    }

    /// `ran(f) <: A`, `ran(f) = A` with a known A.
    fn range(
        &mut self,
        op: Op,
        left: ExprId,
        right: ExprId,
        span: Span,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        let Kind::Op(Op::Range, args) = self.model.exprs[left].kind.clone() else {
            return None;
        };
        let (var, pieces) = self.points_of(args[0])?;
        self.known.value(self.model, right)?;
        self.points.insert(var);
        for part in &pieces.variables {
            let (images, right) = (self.var(*part, span), self.expr(right));
            found.push(self.op(Op::Subset, &[images, right], None, span));
        }
        if let Some(rest) = pieces.rest {
            let (rest, other) = (self.var(rest, span), self.expr(right));
            let ty = self.model.exprs[left].ty;
            let images = self.op(Op::Range, &[rest], ty, span);
            found.push(self.op(Op::Subset, &[images, other], None, span));
        }
        if op == Op::Equal {
            let (left, right) = (self.expr(left), self.expr(right));
            found.push(self.op(Op::Subset, &[right, left], None, span));
        }
        Some(())
    }

    /// `s <: A`.
    fn subset(
        &mut self,
        set: ExprId,
        other: ExprId,
        span: Span,
        found: &mut Vec<ExprId>,
    ) -> Option<()> {
        let (var, pieces) = self.bits_of(set)?;
        self.points.insert(var);
        let key_ty = self.key_ty(var);
        let known = self.known.value(self.model, other);
        for (key, part) in pieces.keys.iter().zip(&pieces.variables) {
            let is_out = self.is_bit(*part, false, span);
            match &known {
                Some(Value::Set(elements)) if elements.contains(key) => {}
                Some(_) => found.push(is_out),
                None => {
                    let (key, other) = (self.literal(key, key_ty, span), self.expr(other));
                    let is_member = self.op(Op::Member, &[key, other], None, span);
                    found.push(self.op(Op::Or, &[is_out, is_member], None, span));
                }
            }
        }
        if let Some(rest) = pieces.rest {
            let (rest, other) = (self.var(rest, span), self.expr(other));
            found.push(self.op(Op::Subset, &[rest, other], None, span));
        }
        Some(())
    }

    fn no_rest(&mut self, pieces: &Pieces, span: Span, found: &mut Vec<ExprId>) {
        if let Some(rest) = pieces.rest {
            found.push(self.compare_empty(Op::Equal, rest, span));
        }
    }
}
