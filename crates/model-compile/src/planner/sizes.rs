//! Guesses at how many elements a set has, from its form.
//!
//! Invariant: a guess decides in which order things are tried, never whether.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};

use super::{ENDLESS, UNKNOWN_SIZE};
use crate::code::{Compiler, Form};

impl Compiler<'_> {
    /// Whether a set expression has no end by its form.
    pub(super) fn is_endless(&self, set: ExprId) -> bool {
        use Op::*;
        match &self.model.exprs[set].kind {
            Kind::FreeSet(_) => true,
            Kind::Op(op, args) => match op {
                Integers | Naturals | Naturals1 | Strings | Reals | Floats | Sequences
                | Sequences1 | Successor | Predecessor | Trees | BinaryTrees => true,
                PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1 | Identity
                | InjectiveSequences | InjectiveSequences1 | Permutations => {
                    self.is_endless(args[0])
                }
                Intersection => args.iter().all(|arg| self.is_endless(*arg)),
                SetMinus | Minus | Domain | Range | Inverse => self.is_endless(args[0]),
                op if matches!(op, Union | Cartesian) || op.is_arrow() => {
                    args.iter().any(|arg| self.is_endless(*arg))
                }
                _ => false,
            },
            Kind::Struct(fields) => fields.iter().any(|(_, set)| self.is_endless(*set)),
            Kind::Bind {
                binder: Binder::Comprehension | Binder::Lambda,
                names,
                predicate,
                symbolic,
                ..
            } => *symbolic || names.iter().any(|name| self.is_free(*name, *predicate)),
            Kind::Bind { symbolic, .. } => *symbolic,
            _ => false,
        }
    }

    /// Whether all that is said of a name is that it is in a set without end.
    pub(super) fn is_free(&self, name: LocalId, predicate: ExprId) -> bool {
        let mut about = self.chain(Op::And, predicate);
        about.retain(|conjunct| self.facts.of(*conjunct).locals.contains(&name));
        let is_free = |conjunct: &ExprId| match &self.model.exprs[*conjunct].kind {
            Kind::Op(Op::Member, args) => {
                matches!(self.model.exprs[args[0]].kind, Kind::Local(local) if local == name)
                    && self.is_endless(args[1])
            }
            _ => false,
        };
        !about.is_empty() && about.iter().all(is_free)
    }

    /// A guess at the number of elements of a set.
    pub(super) fn guess(&self, set: ExprId) -> f64 {
        self.estimate(set, false)
    }

    /// The same, rather too high than too low: how many functions or subsets there may be.
    pub(super) fn most(&self, set: ExprId) -> f64 {
        self.estimate(set, true)
    }

    pub(super) fn estimate(&self, set: ExprId, high: bool) -> f64 {
        let reps = &self.program.reps;
        let set = self.defined_as(set);
        if self.is_endless(set) {
            return ENDLESS;
        }
        match &self.model.exprs[set].kind {
            Kind::Op(Op::SetExtension | Op::SequenceExtension, args) => args.len() as f64,
            Kind::Op(Op::Interval, args) => {
                match (self.int_literal(args[0]), self.int_literal(args[1])) {
                    (Some(low), Some(high)) => (high - low + 1).max(0) as f64,
                    _ => UNKNOWN_SIZE,
                }
            }
            Kind::Op(Op::Int | Op::Nat | Op::Nat1, _) => {
                (self.model.max_int - self.model.min_int) as f64
            }
            Kind::Op(Op::Cartesian, args) => {
                self.estimate(args[0], high) * self.estimate(args[1], high)
            }
            Kind::Op(
                Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1,
                args,
            ) => self.estimate(args[0], high).min(60.0).exp2(),
            Kind::Carrier(sort) => self.model.tys.sorts[*sort].elements.len() as f64,
            Kind::Op(
                Op::TotalFunctions
                | Op::TotalInjections
                | Op::TotalSurjections
                | Op::TotalBijections,
                args,
            ) => self
                .estimate(args[1], high)
                .powf(self.estimate(args[0], high).min(60.0)),
            Kind::Op(
                Op::PartialFunctions
                | Op::PartialInjections
                | Op::PartialSurjections
                | Op::PartialBijections,
                args,
            ) => (1.0 + self.estimate(args[1], high)).powf(self.estimate(args[0], high).min(60.0)),
            Kind::Op(
                Op::Relations
                | Op::TotalRelations
                | Op::SurjectiveRelations
                | Op::TotalSurjectiveRelations,
                args,
            ) => (self.estimate(args[1], high) * self.estimate(args[0], high))
                .min(60.0)
                .exp2(),
            Kind::Op(Op::Permutations | Op::InjectiveSequences | Op::InjectiveSequences1, args) => {
                let of = self.estimate(args[0], high).min(60.0);
                // About n! by Stirling's formula.
                (of / std::f64::consts::E).max(1.0).powf(of)
            }
            _ => {
                let info = &reps[self.ty(set)];
                if info.bits > 0 && high {
                    f64::from(info.bits)
                } else if info.bits > 0 {
                    f64::from(info.bits) / 2.0 + 1.0
                } else {
                    UNKNOWN_SIZE
                }
            }
        }
    }

    pub(super) fn int_literal(&self, expr: ExprId) -> Option<i64> {
        match self.int(expr).form {
            Form::Literal(value) => Some(value),
            _ => None,
        }
    }
}
