//! Computes once what does not change while a binder enumerates: `{x | x : A & f[x] <: {y | y : B & P(y)}}` builds the
//! inner set for the first `x` only.
//!
//! Technique: loop-invariant code motion, lazily: a part without the binder's names is evaluated where it stands, and
//! its value kept until the binder is done. So nothing is evaluated that was not before, and a fault comes where it came.
//! Invariant: a kept value is dropped when its binder starts again, also in recursion, and code that outlives its
//! binder (a set that is not listed) never refers to one.

use std::ops::Range;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};

use super::{Compiler, f};
use crate::cx::{Cx, F, R};
use crate::rep::Rep;
use crate::value::V;

/// What a binder keeps.
pub(super) struct Kept {
    exprs: Vec<ExprId>,
    places: Range<usize>,
}

impl Compiler<'_> {
    /// Begins to compile a binder: the invariant parts of its formulas are kept from now on.
    pub(super) fn keep(&self, names: &[LocalId], formulas: &[ExprId]) -> Kept {
        let mut exprs = Vec::new();
        for formula in formulas {
            self.invariant_parts(*formula, &mut names.to_vec(), &mut exprs);
        }
        let from = self.memos.get();
        let to = from + exprs.len();
        self.memos.set(to);
        let mut hoisted = self.hoisted.borrow_mut();
        for (place, expr) in (from..to).zip(&exprs) {
            hoisted.insert(*expr, place);
        }
        Kept {
            exprs,
            places: from..to,
        }
    }

    /// Ends what [`Compiler::keep`] began.
    pub(super) fn kept(&self, kept: Kept) -> Range<usize> {
        let mut hoisted = self.hoisted.borrow_mut();
        for expr in &kept.exprs {
            hoisted.remove(expr);
        }
        kept.places
    }

    /// Compiles code that may outlive the binders under way.
    pub(crate) fn without_kept<T>(&self, build: impl FnOnce() -> T) -> T {
        let hoisted = self.hoisted.take();
        let code = build();
        *self.hoisted.borrow_mut() = hoisted;
        code
    }

    /// The code of an expression that may be an invariant part of a binder under way.
    pub(super) fn remembered(&self, expr: ExprId, code: F<V>) -> F<V> {
        let Some(place) = self.hoisted.borrow().get(&expr).copied() else {
            return code;
        };
        f(move |cx| {
            match cx.memo.get(place) {
                None | Some(V::None) => {}
                Some(value) => return Ok(value.clone()),
            }
            let value = code(cx)?;
            if let Some(memo) = cx.memo.get_mut(place) {
                memo.clone_from(&value);
            }
            Ok(value)
        })
    }

    /// The largest parts that are worth keeping and do not mention the names.
    fn invariant_parts(&self, expr: ExprId, names: &mut Vec<LocalId>, found: &mut Vec<ExprId>) {
        if self.hoisted.borrow().contains_key(&expr) {
            return;
        }
        let fact = self.facts.of(expr);
        let depends = names
            .iter()
            .any(|name| fact.locals.binary_search(name).is_ok());
        if !depends && fact.pure && self.is_costly(expr) {
            found.push(expr);
            return;
        }
        base::deep::recurse(|| match &self.model.exprs[expr].kind {
            Kind::Op(_, args) => {
                for arg in args {
                    self.invariant_parts(*arg, names, found);
                }
            }
            Kind::Apply(function, argument) => {
                self.invariant_parts(*function, names, found);
                self.invariant_parts(*argument, names, found);
            }
            Kind::Field(record, _) => self.invariant_parts(*record, names, found),
            Kind::Record(fields) => {
                for (_, field) in fields {
                    self.invariant_parts(*field, names, found);
                }
            }
            Kind::If(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.invariant_parts(*part, names, found);
                }
            }
            Kind::Bind {
                names: inner,
                predicate,
                value,
                ..
            } => {
                let outer = names.len();
                names.extend(inner);
                self.invariant_parts(*predicate, names, found);
                if let Some(value) = value {
                    self.invariant_parts(*value, names, found);
                }
                names.truncate(outer);
            }
            _ => {}
        });
    }

    /// Whether building a value takes more time than looking it up.
    fn is_costly(&self, expr: ExprId) -> bool {
        if self.model.exprs[expr].ty.is_none() || self.rep(expr) != Rep::Tree {
            return false;
        }
        match &self.model.exprs[expr].kind {
            Kind::Bind {
                binder, symbolic, ..
            } => {
                !symbolic
                    && matches!(
                        binder,
                        Binder::Comprehension | Binder::Image | Binder::Union | Binder::Inter
                    )
            }
            // A listed function is as fast as a kept value; a rule is not.
            Kind::Apply(function, _) => !self.program.reps[self.ty(*function)].finite,
            Kind::Op(op, _) => matches!(
                op,
                Op::Union
                    | Op::Intersection
                    | Op::SetMinus
                    | Op::Image
                    | Op::Domain
                    | Op::Range
                    | Op::Inverse
                    | Op::Closure
                    | Op::Closure1
                    | Op::DomainRestriction
                    | Op::DomainSubtraction
                    | Op::RangeRestriction
                    | Op::RangeSubtraction
                    | Op::Overwrite
            ),
            _ => false,
        }
    }
}

/// Code of a binder that keeps values.
pub(super) fn keeping<T: 'static>(places: Range<usize>, code: F<T>) -> F<T> {
    if places.is_empty() {
        return code;
    }
    f(move |cx| cx.keeping(&places, |cx| code(cx)))
}

impl Cx<'_> {
    fn keeping<T>(&mut self, places: &Range<usize>, body: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        if self.memo.len() < places.end {
            self.memo.resize(places.end, V::None);
        }
        let mut outer: smallvec::SmallVec<[V; 2]> = smallvec::SmallVec::new();
        for memo in &mut self.memo[places.clone()] {
            outer.push(std::mem::replace(memo, V::None));
        }
        let result = body(self);
        for (memo, value) in self.memo[places.clone()].iter_mut().zip(outer) {
            *memo = value;
        }
        result
    }
}
