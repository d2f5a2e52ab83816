//! Sets that are only tested or enumerated: products, powers, spaces and intervals are kept as rules and not listed.
//!
//! Invariant: the rule has the elements of the set that the general code lists.

use lang_math::Op;
use model::{ExprId, Kind, TyId};

use super::{Compiler, f};
use crate::cx::{Cx, F, R};
use crate::rep::Rep;
use crate::symbolic::{SymKind, sym};
use crate::trap::Trap;
use crate::value::V;

impl Compiler<'_> {
    /// A set that is only tested or enumerated: products, powers, spaces and intervals are not listed.
    pub(crate) fn lazy(&self, expr: ExprId) -> F<V> {
        use Op::*;
        let ty = self.ty(expr);
        if self.rep(expr) != Rep::Tree {
            return self.value(expr);
        }
        let (op, args) = match &self.model.exprs[expr].kind {
            Kind::Op(op, args) => (op, args),
            Kind::Struct(fields) => return self.records(ty, fields),
            _ => return self.value(expr),
        };
        let op = *op;
        match (op, args.as_slice()) {
            (Interval, [a, b]) => {
                let (a, b) = (self.int(*a), self.int(*b));
                f(move |cx| {
                    let a = a.value(cx)?;
                    let b = b.value(cx)?;
                    if a.cmp_number(&b).is_gt() {
                        return Ok(cx.reps().empty(ty));
                    }
                    Ok(sym(ty, SymKind::Interval(a, b)))
                })
            }
            (PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1, [set]) => {
                let of = self.lazy(*set);
                let some = matches!(op, PowerSet1 | FiniteSubsets1);
                let finite = matches!(op, FiniteSubsets | FiniteSubsets1);
                f(move |cx| {
                    let of = of(cx)?;
                    Ok(sym(ty, SymKind::Power { of, some, finite }))
                })
            }
            (arrow, [a, b]) if arrow.is_arrow() => {
                let (a, b) = (self.lazy(*a), self.lazy(*b));
                f(move |cx| {
                    let from = a(cx)?;
                    let to = b(cx)?;
                    Ok(sym(ty, SymKind::Space { op, from, to }))
                })
            }
            (Cartesian, [a, b]) => {
                let (a, b) = (self.lazy(*a), self.lazy(*b));
                f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    Ok(sym(ty, SymKind::Product(a, b)))
                })
            }
            (
                Sequences | Sequences1 | InjectiveSequences | InjectiveSequences1 | Permutations,
                [set],
            ) => {
                let of = self.lazy(*set);
                f(move |cx| {
                    let of = of(cx)?;
                    cx.rule_of_sequences(op, ty, of)
                })
            }
            _ => self.value(expr),
        }
    }

    /// The set of records with fields from these sets.
    pub(super) fn records(&self, ty: TyId, fields: &[(base::Name, ExprId)]) -> F<V> {
        let fields: Vec<F<V>> = fields.iter().map(|(_, e)| self.lazy(*e)).collect();
        f(move |cx| {
            let mut sets = Vec::with_capacity(fields.len());
            for field in &fields {
                sets.push(field(cx)?);
            }
            Ok(sym(ty, SymKind::Struct(sets)))
        })
    }
}

impl Cx<'_> {
    /// A symbolic set, listed when that is cheap.
    pub(crate) fn settle(&mut self, ty: TyId, set: V) -> R<V> {
        if self.reps()[ty].rep == Rep::Tree && self.is_infinite(&set)? {
            return Ok(set);
        }
        let mut elements = Vec::new();
        let listed = self.enumeration(|cx| {
            cx.each(&set, u32::MAX, &mut |_, element| {
                elements.push(element);
                if elements.len() > crate::ops::EAGER {
                    return Err(Trap::Stop);
                }
                Ok(())
            })
        });
        match listed {
            Ok(()) => Ok(self.reps().set(ty, elements)),
            Err(Trap::Stop) => Ok(set),
            Err(Trap::Fault { cause, .. }) if cause.kind() == pins::FaultKind::Budget => Ok(set),
            Err(trap) => Err(trap),
        }
    }
}
