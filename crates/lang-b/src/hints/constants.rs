//! Evaluates what is the same in every state.
//!
//! Invariant: an answer is given only when it holds in every state, for every value of the constants and
//! under every setting (`MAXINT` has no value here); `None` means "it depends, or is hard to say".

use base::{Name, deep};
use lang_math::{Binder, ExprId, ExprKind, Op};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Model;
use crate::check::{DeclId, DeclKind};

/// Larger integers are left alone, so that a product of long literals costs nothing.
const MAX_BITS: u64 = 4096;

/// A value that is the same in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Int(BigInt),
    Bool(bool),
    Str(Name),
    Element(DeclId),
}

impl Model<'_> {
    /// The smallest part of a predicate that makes it false in every state.
    pub(super) fn falsity(&self, id: ExprId) -> Option<ExprId> {
        deep::recurse(|| match self.tree().exprs.kind(id) {
            ExprKind::Op(Op::And, _) => {
                let conjuncts = self.tree().exprs.conjuncts(id);
                conjuncts
                    .iter()
                    .find_map(|conjunct| self.falsity(*conjunct))
                    .or_else(|| self.contradiction(&conjuncts))
            }
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.falsity(*inner),
            _ => (self.truth(id) == Some(false)).then_some(id),
        })
    }

    /// A conjunct `x = 2` behind `x = 1`.
    fn contradiction(&self, conjuncts: &[ExprId]) -> Option<ExprId> {
        let mut known: FxHashMap<DeclId, Value> = FxHashMap::default();
        for conjunct in conjuncts {
            let ExprKind::Op(Op::Equal, args) = self.tree().exprs.kind(*conjunct) else {
                continue;
            };
            let sides = [(args[0], args[1]), (args[1], args[0])];
            for (name, value) in sides {
                if let (Some(decl), Some(value)) = (self.meaning(name), self.literal(value))
                    && self.literal(name).is_none()
                    && *known.entry(decl).or_insert_with(|| value.clone()) != value
                {
                    return Some(*conjunct);
                }
            }
        }
        None
    }

    /// The value of a literal or element. Not of `bool(P)`, which would be evaluated once more at every
    /// level of nesting.
    fn literal(&self, id: ExprId) -> Option<Value> {
        match self.tree().exprs.kind(id) {
            ExprKind::Op(Op::True | Op::False, _)
            | ExprKind::Int(_)
            | ExprKind::Str(_)
            | ExprKind::Name(_) => self.value(id),
            _ => None,
        }
    }

    /// Whether a predicate is true, or false, in every state.
    fn truth(&self, id: ExprId) -> Option<bool> {
        deep::recurse(|| self.truth_here(id))
    }

    fn truth_here(&self, id: ExprId) -> Option<bool> {
        match self.tree().exprs.kind(id) {
            ExprKind::Op(op, args) => self.operator(*op, args),
            ExprKind::Bind {
                binder: Binder::Exists,
                predicate,
                ..
            } => self.falsity(*predicate).map(|_| false),
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.truth(*inner),
            _ => None,
        }
    }

    fn operator(&self, op: Op, args: &[ExprId]) -> Option<bool> {
        match op {
            Op::Truth => Some(true),
            Op::Falsity => Some(false),
            Op::Not => self.truth(*args.first()?).map(|truth| !truth),
            Op::And => match (self.truth(args[0]), self.truth(args[1])) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Op::Or => match (self.truth(args[0]), self.truth(args[1])) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Op::Implies => match (self.truth(args[0]), self.truth(args[1])) {
                (Some(false), _) | (_, Some(true)) => Some(true),
                (Some(true), Some(false)) => Some(false),
                _ => None,
            },
            Op::Equivalent => Some(self.truth(args[0])? == self.truth(args[1])?),
            Op::Equal => self.equal(args[0], args[1]),
            Op::NotEqual => self.equal(args[0], args[1]).map(|equal| !equal),
            Op::Less => self.compare(args, |order| order.is_lt()),
            Op::LessEqual => self.compare(args, |order| order.is_le()),
            Op::Greater => self.compare(args, |order| order.is_gt()),
            Op::GreaterEqual => self.compare(args, |order| order.is_ge()),
            Op::Member => self.member(args[0], args[1]),
            Op::NotMember => self.member(args[0], args[1]).map(|member| !member),
            _ => None,
        }
    }

    fn equal(&self, left: ExprId, right: ExprId) -> Option<bool> {
        if self.same_name(left, right) {
            return Some(true);
        }
        Some(self.value(left)? == self.value(right)?)
    }

    fn compare(&self, args: &[ExprId], holds: fn(std::cmp::Ordering) -> bool) -> Option<bool> {
        if self.same_name(args[0], args[1]) {
            return Some(holds(std::cmp::Ordering::Equal));
        }
        match (self.value(args[0])?, self.value(args[1])?) {
            (Value::Int(left), Value::Int(right)) => Some(holds(left.cmp(&right))),
            _ => None,
        }
    }

    fn same_name(&self, left: ExprId, right: ExprId) -> bool {
        let exprs = &self.tree().exprs;
        matches!(
            (exprs.kind(left), exprs.kind(right)),
            (ExprKind::Name(_), ExprKind::Name(_))
        ) && self.meaning(left).is_some()
            && self.meaning(left) == self.meaning(right)
    }

    fn member(&self, element: ExprId, set: ExprId) -> Option<bool> {
        let exprs = &self.tree().exprs;
        if self.is_empty(set) {
            return Some(false);
        }
        let int = |id| match self.value(id)? {
            Value::Int(value) => Some(value),
            _ => None,
        };
        match exprs.kind(set) {
            ExprKind::Op(Op::Interval, bounds) => {
                let value = int(element)?;
                match (int(bounds[0]), int(bounds[1])) {
                    (Some(low), Some(high)) => Some(low <= value && value <= high),
                    (Some(low), None) if value < low => Some(false),
                    (None, Some(high)) if value > high => Some(false),
                    _ => None,
                }
            }
            ExprKind::Op(Op::Naturals, _) => Some(int(element)? >= BigInt::ZERO),
            ExprKind::Op(Op::Naturals1, _) => Some(int(element)? > BigInt::ZERO),
            // How far NAT reaches is a setting, but it starts at 0.
            ExprKind::Op(Op::Nat, _) => (int(element)? < BigInt::ZERO).then_some(false),
            ExprKind::Op(Op::Nat1, _) => (int(element)? <= BigInt::ZERO).then_some(false),
            ExprKind::Op(Op::SetExtension, members) => {
                let value = self.value(element)?;
                let mut all_known = true;
                for member in members {
                    match self.value(*member) {
                        Some(member) if member == value => return Some(true),
                        Some(_) => {}
                        None => all_known = false,
                    }
                }
                all_known.then_some(false)
            }
            _ => None,
        }
    }

    /// Whether a set has no elements in any state.
    pub(super) fn is_empty(&self, set: ExprId) -> bool {
        match self.tree().exprs.kind(set) {
            ExprKind::Op(Op::EmptySet | Op::EmptySequence, _) => true,
            ExprKind::Op(Op::Interval, bounds) => {
                match (self.value(bounds[0]), self.value(bounds[1])) {
                    (Some(Value::Int(low)), Some(Value::Int(high))) => low > high,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn value(&self, id: ExprId) -> Option<Value> {
        deep::recurse(|| self.value_here(id))
    }

    fn value_here(&self, id: ExprId) -> Option<Value> {
        let int = |id| match self.value(id)? {
            Value::Int(value) if value.bits() <= MAX_BITS => Some(value),
            _ => None,
        };
        Some(match self.tree().exprs.kind(id) {
            ExprKind::Int(value) => Value::Int(value.clone()),
            ExprKind::Str(text) => Value::Str(*text),
            ExprKind::Name(_) => {
                let mut decl = self.meaning(id)?;
                // The same element may be visible through several references.
                while let Some(origin) = self.world.decls[decl].instance_of {
                    decl = origin;
                }
                if self.world.decls[decl].kind != DeclKind::Element {
                    return None;
                }
                Value::Element(decl)
            }
            ExprKind::Op(op, args) => match op {
                Op::True => Value::Bool(true),
                Op::False => Value::Bool(false),
                Op::ToBool => Value::Bool(self.truth(*args.first()?)?),
                Op::Negate => Value::Int(-int(*args.first()?)?),
                Op::Add => Value::Int(int(args[0])? + int(args[1])?),
                Op::Minus => Value::Int(int(args[0])? - int(args[1])?),
                Op::Times => Value::Int(int(args[0])? * int(args[1])?),
                _ => return None,
            },
            _ => return None,
        })
    }
}
