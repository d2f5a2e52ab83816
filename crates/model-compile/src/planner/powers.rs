//! Bounds of integers from their powers and products, and roots.

use lang_math::Op;
use model::{ExprId, Kind};

use super::bounds::{Bounds, divide, positive, scale};
use super::{Candidate, Planning};
use crate::code::{IntCode, f};
use crate::plan::{Source, Step, Unknown};
use crate::value::V;
impl Planning<'_, '_> {
    /// The unknown of which an expression is a power, and which.
    pub(super) fn power(&self, expr: ExprId) -> Option<(Unknown, u32)> {
        if let Some(unknown) = self.open(expr) {
            return Some((unknown, 1));
        }
        match self.kind(expr) {
            Kind::Op(Op::Times, args) => {
                let (left, right) = (self.power(args[0])?, self.power(args[1])?);
                (left.0 == right.0).then(|| (left.0, left.1.saturating_add(right.1)))
            }
            Kind::Op(Op::Power, args) => {
                let (unknown, degree) = self.power(args[0])?;
                let times = u32::try_from(self.literal(args[1])?).ok()?;
                Some((unknown, degree.saturating_mul(times)))
            }
            _ => None,
        }
        .filter(|(_, degree)| (1..=64).contains(degree))
    }

    /// `x*x = k`, `x**3 = k`: the roots of `k`.
    pub(super) fn by_root(&self, i: usize, a: ExprId, b: ExprId) -> Option<Candidate> {
        let (unknown, degree) = self.power(a)?;
        let power = self.compiler.int(b);
        let roots = f(move |cx| {
            let power = power.value(cx)?.to_big();
            let mut roots = Vec::new();
            if power >= num_bigint::BigInt::from(0) || degree % 2 == 1 {
                let root = power.nth_root(degree);
                if root.pow(degree) == power {
                    if degree % 2 == 0 {
                        roots.push(V::big(-&root));
                    }
                    roots.push(V::big(root));
                }
            }
            roots.sort_unstable();
            roots.dedup();
            Ok(V::listed(roots))
        });
        let step = Step::Each(unknown, Source::Set(roots));
        Some(self.candidate(i, step, vec![unknown], 2.0))
    }

    /// `p*q = k` with a number `k` that is not 0: no factor is larger than `k`.
    pub(super) fn product_bounds(
        &self,
        a: ExprId,
        b: ExprId,
        unknown: Unknown,
        bounds: &mut Bounds,
    ) {
        let (Kind::Op(Op::Times, factors), Some(product)) = (self.kind(a), self.literal(b)) else {
            return;
        };
        if product == 0 {
            return;
        }
        for factor in factors {
            let Some(form) = self.linear(*factor, false) else {
                continue;
            };
            let [(found, times)] = form.terms.as_slice() else {
                continue;
            };
            if *found == unknown && *times != 0 {
                let (times, rest) = positive(*times, scale(&form.rest, -1));
                bounds.low(divide(&rest.plus(-product.abs()), times, true));
                bounds.high(divide(&rest.plus(product.abs()), times, false));
            }
        }
    }

    /// `x*x <= k` bounds `x` by the root of `k`.
    pub(super) fn square_bounds(
        &self,
        op: Op,
        a: ExprId,
        b: ExprId,
        unknown: Unknown,
        bounds: &mut Bounds,
    ) {
        if self.power(a) != Some((unknown, 2))
            || !matches!(op, Op::Less | Op::LessEqual | Op::Equal)
            || !self.known(b)
            || !self.compiler.facts.of(b).total
        {
            return;
        }
        let square = self.compiler.int(b);
        let root = IntCode::of_values(f(move |cx| {
            let square = square.value(cx)?.to_big();
            // No number has a negative square.
            let none = square < num_bigint::BigInt::from(0);
            Ok(if none {
                V::Int(-1)
            } else {
                V::big(square.sqrt())
            })
        }));
        bounds.low(scale(&root, -1));
        bounds.high(root);
    }
}
