//! What a formula mentions, and whether it always has a value.
//!
//! Both decide what enumeration may do early: a conjunct is looked at when all its names are known, and only a
//! conjunct that always has a value may be looked at before others (`docs/meaning.md`).
//! Invariant: `is_total` never says yes to a formula that can be undefined; it says no when in doubt.

use std::sync::Arc;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, Model, Target, Ty};
use num_bigint::Sign;

use crate::Interp;

/// The size up to which a type is known to be finite here; `Tys::size` wants a number.
const FINITE: u128 = 1 << 100;

impl Interp<'_> {
    /// The free names of a formula.
    pub(crate) fn mentions(&mut self, id: ExprId) -> Arc<[Target]> {
        if let Some(known) = self.mentions.get(&id) {
            return Arc::clone(known);
        }
        let found: Arc<[Target]> = base::deep::recurse(|| self.find_mentions(id)).into();
        self.mentions.insert(id, Arc::clone(&found));
        found
    }

    fn find_mentions(&mut self, id: ExprId) -> Vec<Target> {
        let model = self.model;
        let mut found = Vec::new();
        match &model.exprs[id].kind {
            Kind::Var(variable) => found.push(Target::Var(*variable)),
            Kind::Local(local) => found.push(Target::Local(*local)),
            kind => {
                for child in children(kind) {
                    for target in self.mentions(child).iter() {
                        if !found.contains(target) {
                            found.push(*target);
                        }
                    }
                }
                match kind {
                    Kind::Bind { names, .. } => {
                        found.retain(|target| {
                            !names.iter().any(|name| *target == Target::Local(*name))
                        });
                    }
                    Kind::Let(name, value, _) => {
                        let outside = self.mentions(*value);
                        let name = Target::Local(*name);
                        if !outside.contains(&name) {
                            found.retain(|target| *target != name);
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Whether a formula mentions none of these names.
    pub(crate) fn is_known(&mut self, id: ExprId, unknown: &[Target]) -> bool {
        unknown.is_empty() || {
            let mentions = self.mentions(id);
            !unknown.iter().any(|target| mentions.contains(target))
        }
    }

    /// Whether a formula has a value whatever its names stand for.
    pub(crate) fn is_total(&mut self, id: ExprId) -> bool {
        if let Some(known) = self.totals.get(&id) {
            return *known;
        }
        let total = base::deep::recurse(|| self.find_total(id));
        self.totals.insert(id, total);
        total
    }

    /// Whether some rule of the model ranges over infinitely many values and may have no value for some of them: which
    /// of them are looked at depends on what is asked.
    pub fn has_partial_rules(&mut self) -> bool {
        let model = self.model;
        let mut rules = model.exprs.iter().filter(|(_, expr)| match &expr.kind {
            Kind::Bind { names, .. } => names
                .iter()
                .any(|name| model.tys.size(model.locals[*name].ty, FINITE).is_none()),
            _ => false,
        });
        rules.any(|(id, _)| !self.is_total(id))
    }

    fn find_total(&mut self, id: ExprId) -> bool {
        let model = self.model;
        let kind = &model.exprs[id].kind;
        let itself = match kind {
            Kind::Op(op, operands) => is_total_op(model, *op, operands),
            Kind::Apply(function, _) => {
                matches!(model.exprs[*function].kind, Kind::Constructor(..))
            }
            Kind::External(..) => false,
            Kind::Bind { binder, .. } => *binder != Binder::Inter,
            _ => true,
        };
        itself && children(kind).into_iter().all(|child| self.is_total(child))
    }
}

/// Whether an operator has a value for all values of its operands.
fn is_total_op(model: &Model, op: Op, operands: &[ExprId]) -> bool {
    let kind = |i: usize| operands.get(i).map(|id| &model.exprs[*id].kind);
    match op {
        Op::Divide | Op::FloorDivide | Op::FloorModulo => match kind(1) {
            Some(Kind::Int(divisor)) => divisor.sign() != Sign::NoSign,
            Some(Kind::Real(divisor)) => *divisor != 0.0,
            _ => false,
        },
        Op::Power | Op::Iterate => {
            matches!(kind(1), Some(Kind::Int(exponent)) if exponent.sign() != Sign::Minus)
        }
        Op::Card | Op::Permutations => operands.iter().all(|id| {
            model.exprs[*id].ty.is_some_and(
                |ty| matches!(model.tys[ty], Ty::Pow(of) if model.tys.size(of, FINITE).is_some()),
            )
        }),
        Op::Modulo
        | Op::Max
        | Op::Min
        | Op::GeneralIntersection
        | Op::Size
        | Op::First
        | Op::Last
        | Op::Front
        | Op::Tail
        | Op::Reverse
        | Op::Flatten
        | Op::Concat
        | Op::InsertFront
        | Op::InsertTail
        | Op::TakeFirst
        | Op::DropFirst
        | Op::Floor
        | Op::Ceiling
        | Op::TreeNode
        | Op::TreeTop
        | Op::TreeSons
        | Op::TreePrefix
        | Op::TreePostfix
        | Op::TreeSize
        | Op::TreeMirror
        | Op::TreeRank
        | Op::TreeFather
        | Op::TreeSon
        | Op::Subtree
        | Op::TreeArity
        | Op::BinaryNode
        | Op::BinaryLeft
        | Op::BinaryRight
        | Op::TreeInfix => false,
        _ => true,
    }
}

/// The direct parts of an expression, left to right.
pub(crate) fn children(kind: &Kind) -> Vec<ExprId> {
    let mut found = Vec::new();
    kind.for_each_child(|child| found.push(child));
    found
}

/// The conjuncts of a predicate, left to right.
pub(crate) fn conjuncts(model: &Model, id: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match &model.exprs[id].kind {
            Kind::Op(Op::And, operands) => pending.extend(operands.iter().rev()),
            Kind::Op(Op::Truth, _) => {}
            _ => found.push(id),
        }
    }
    found
}
