//! Membership, inclusion and partition as `bool` closures.
//!
//! Membership never builds its right side: masks are tested bit by bit, spaces of functions by looking at
//! the relation, infinite sets by their form.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::integers::Form;
use super::predicates::exactly;
use super::{Compiler, IntCode, Mask, compare, f, fixed};
use crate::cx::F;
use crate::rep::Rep;
use crate::symbolic::{Space, SymKind, sym};
use crate::value::{Held, V};

impl Compiler<'_> {
    /// `x : S`.
    pub(crate) fn membership(&self, element: ExprId, set: ExprId, place: u32) -> F<bool> {
        use Op::*;
        let fast = match &self.model.exprs[set].kind {
            Kind::Op(op, args) => match (*op, args.as_slice()) {
                (Interval, [low, high]) => {
                    Some(self.between(self.int(element), self.int(*low), self.int(*high)))
                }
                (Naturals, _) => Some(compare(
                    GreaterEqual,
                    &self.int(element),
                    &IntCode::literal(0),
                )),
                (Naturals1, _) => Some(compare(
                    GreaterEqual,
                    &self.int(element),
                    &IntCode::literal(1),
                )),
                (Int, _) => Some(self.between_literals(element, self.model.min_int)),
                (Nat, _) => Some(self.between_literals(element, 0)),
                (Nat1, _) => Some(self.between_literals(element, 1)),
                (Integers | Strings | Reals | Floats | Booleans, _) => Some(self.only(element)),
                (Union | Intersection | SetMinus, [a, b])
                    if self.rep(set) == Rep::Tree
                        && self.facts.of(element).total
                        && self.facts.of(set).total =>
                {
                    let (a, b) = (
                        self.membership(element, *a, place),
                        self.membership(element, *b, place),
                    );
                    Some(match op {
                        Union => f(move |cx| {
                            let inside = a(cx);
                            cx.or(inside, |cx| b(cx))
                        }),
                        Intersection => f(move |cx| {
                            let inside = a(cx);
                            cx.and(inside, |cx| b(cx))
                        }),
                        _ => f(move |cx| {
                            let inside = a(cx);
                            cx.and(inside, |cx| Ok(!b(cx)?))
                        }),
                    })
                }
                (PowerSet | FiniteSubsets, [of])
                    if matches!(self.rep(element), Rep::Word | Rep::Wide) =>
                {
                    Some(self.inclusion(element, *of, false))
                }
                (arrow, [from, to]) if arrow.is_arrow() => match self.rep(element) {
                    Rep::Word => self.space_test::<u64>(*op, element, *from, *to),
                    Rep::Wide => self.space_test::<u128>(*op, element, *from, *to),
                    _ => None,
                },
                _ => None,
            },
            Kind::Carrier(_) | Kind::FreeSet(_) => Some(self.only(element)),
            _ => None,
        };
        if let Some(fast) = fast.or_else(|| self.in_union(element, set, place)) {
            return fast;
        }
        match self.rep(set) {
            Rep::Word => self.bit_test::<u64>(element, set),
            Rep::Wide => self.bit_test::<u128>(element, set),
            _ => {
                let code = self.value(element);
                let (element, tested) = (code.clone(), self.tested(set));
                let general = f(move |cx| {
                    let element = element(cx)?;
                    let set = tested(cx)?;
                    cx.member(&element, &set).map_err(|trap| trap.at(place))
                });
                self.row_membership(&code, (set, place), general)
            }
        }
    }

    /// `x : UNION(y).(P|E)` where the union has no end: some `y` has an `E` with `x` in it.
    fn in_union(&self, element: ExprId, set: ExprId, place: u32) -> Option<F<bool>> {
        let Kind::Bind {
            binder: Binder::Union,
            names,
            predicate,
            ..
        } = &self.model.exprs[set].kind
        else {
            return None;
        };
        if self.rep(set) != Rep::Tree || !self.binder_plan(set, names, *predicate).unbounded {
            return None;
        }
        let origins = self.origins(set, Op::Member)?;
        let element = self.value(element);
        Some(f(move |cx| {
            let element = element(cx)?;
            origins.exist(cx, &element).map_err(|trap| trap.at(place))
        }))
    }

    /// A set that is only tested for membership: a comprehension that cannot fault is not built.
    pub(super) fn tested(&self, set: ExprId) -> F<V> {
        if let Kind::Bind {
            binder: Binder::Comprehension,
            ..
        } = &self.model.exprs[set].kind
            && self.facts.of(set).total
        {
            return self.closure(set);
        }
        // Of the second side of a space of functions only the values of the function are asked.
        if let Kind::Op(op, sides) = &self.model.exprs[set].kind
            && let (op, [from, to]) = (*op, sides.as_slice())
            && op.is_arrow()
            && !Space::of(op).surjective
            && self.rep(set) == Rep::Tree
        {
            let ty = self.ty(set);
            let (from, to) = (self.lazy(*from), self.tested(*to));
            return f(move |cx| {
                let from = from(cx)?;
                let to = to(cx)?;
                Ok(sym(ty, SymKind::Space { op, from, to }))
            });
        }
        self.lazy(set)
    }

    fn bit_test<M: Mask>(&self, element: ExprId, set: ExprId) -> F<bool> {
        let (element, set) = (self.word(element), M::code(self, set));
        f(move |cx| {
            let element = element(cx)?;
            Ok(set(cx)?.test(element))
        })
    }

    /// Evaluates an expression whose value is surely in the set.
    fn only(&self, element: ExprId) -> F<bool> {
        if self.facts.of(element).total {
            return fixed(true);
        }
        let element = self.value(element);
        f(move |cx| {
            element(cx)?;
            Ok(true)
        })
    }

    fn between_literals(&self, element: ExprId, low: i64) -> F<bool> {
        self.between(
            self.int(element),
            IntCode::literal(low),
            IntCode::literal(self.model.max_int),
        )
    }

    fn between(&self, x: IntCode, low: IntCode, high: IntCode) -> F<bool> {
        let (slow_x, slow_low, slow_high) = (x.slow.clone(), low.slow.clone(), high.slow.clone());
        let exact = f(move |cx| {
            let x = slow_x(cx)?;
            let low = slow_low(cx)?;
            let high = slow_high(cx)?;
            Ok(x.cmp_number(&low).is_ge() && x.cmp_number(&high).is_le())
        });
        let fast: F<bool> = match (low.form, high.form) {
            (Form::Literal(low), Form::Literal(high)) => {
                f(move |cx| Ok((low..=high).contains(&(x.fast)(cx)?)))
            }
            _ => f(move |cx| {
                let x = (x.fast)(cx)?;
                let low = (low.fast)(cx)?;
                let high = (high.fast)(cx)?;
                Ok(low <= x && x <= high)
            }),
        };
        exactly(fast, exact)
    }

    fn space_test<M: Mask>(
        &self,
        op: Op,
        relation: ExprId,
        from: ExprId,
        to: ExprId,
    ) -> Option<F<bool>> {
        let m = self.matrix(self.ty(relation))?;
        let space = Space::of(op);
        let relation = M::code(self, relation);
        let (from, to) = (self.word(from), self.word(to));
        Some(f(move |cx| {
            let relation = relation(cx)?;
            let from = from(cx)?;
            let to = to(cx)?;
            Ok(m.in_space(space, relation, from, to))
        }))
    }

    pub(crate) fn inclusion(&self, a: ExprId, b: ExprId, strict: bool) -> F<bool> {
        match self.rep(a) {
            Rep::Word => self.mask_inclusion::<u64>(a, b, strict),
            Rep::Wide => self.mask_inclusion::<u128>(a, b, strict),
            _ => {
                let ty = self.ty(a);
                let place = a.index() as u32;
                let (code, of) = (self.lazy(a), b);
                let (a, b) = (code.clone(), self.lazy(b));
                let general = f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    let holds = cx.subset(ty, &a, &b);
                    let holds = cx.and(holds, |cx| Ok(!strict || !cx.equal(&a, &b)?));
                    holds.map_err(|trap| trap.at(place))
                });
                match self.program.reps[ty].held {
                    Some(Held::Integers) if !strict => {
                        self.row_inclusion(&code, of, place, general)
                    }
                    _ => general,
                }
            }
        }
    }

    fn mask_inclusion<M: Mask>(&self, a: ExprId, b: ExprId, strict: bool) -> F<bool> {
        let (a, b) = (M::code(self, a), M::code(self, b));
        f(move |cx| {
            let a = a(cx)?;
            let b = b(cx)?;
            Ok(a & !b == M::ZERO && (!strict || a != b))
        })
    }

    pub(super) fn partition(&self, args: &[ExprId]) -> F<bool> {
        let Some((whole, parts)) = args.split_first() else {
            return fixed(true);
        };
        let ty = self.ty(*whole);
        let whole = self.value(*whole);
        let parts: Vec<F<V>> = parts.iter().map(|part| self.value(*part)).collect();
        f(move |cx| {
            let whole = whole(cx)?;
            let mut values = Vec::with_capacity(parts.len());
            for part in &parts {
                values.push(part(cx)?);
            }
            let mut union = cx.reps().empty(ty);
            let mut apart = Ok(true);
            for value in &values {
                let common = cx.algebra(Op::Intersection, ty, &union, value)?;
                apart = cx.and(apart, |cx| cx.is_empty_set(&common));
                union = cx.algebra(Op::Union, ty, &union, value)?;
            }
            cx.and(apart, |cx| cx.equal(&union, &whole))
        })
    }
}
