//! Bounds of integers from linear comparisons and equations.
//!
//! Technique: bound consistency on linear forms, once, at compile time: `c*x + rest op k` bounds `x` by what
//! is known of the rest; other open unknowns stand there with their own bounds.
//! Invariant: a conjunct counts as covered only when its bound is exact, that is when nothing else is open.

use lang_math::Op;
use model::{ExprId, Kind};
use num_traits::ToPrimitive as _;

use super::{Candidate, Planning, UNKNOWN_SIZE, flip};
use crate::code::{Form, IntCode, arithmetic, f};
use crate::plan::{Bound, Source, Step, Unknown};
use crate::rep::Rep;
use crate::value::V;

/// Ranges of more integers are worth another look at what bounds them.
const WIDE: f64 = 1000.0;

/// Bounds of one unknown.
#[derive(Default)]
struct Bounds {
    lows: Vec<Bound>,
    highs: Vec<Bound>,
    covers: Vec<usize>,
    /// Whether the bounds found now may be undefined.
    optional: bool,
    /// The place in the text of the conjunct that they come from, and whether an earlier one may be undefined.
    order: (u32, bool),
}

impl Bounds {
    fn low(&mut self, code: IntCode) {
        self.lows.push(self.bound(code));
    }

    fn high(&mut self, code: IntCode) {
        self.highs.push(self.bound(code));
    }

    fn bound(&self, code: IntCode) -> Bound {
        Bound {
            code,
            optional: self.optional,
            order: self.order,
        }
    }
}

/// A sum of multiples of open unknowns and something known.
#[derive(Clone)]
pub(super) struct Linear {
    pub terms: Vec<(Unknown, i64)>,
    pub rest: IntCode,
}

impl Planning<'_, '_> {
    /// The range of an integer from every bound that is known by now.
    pub(super) fn by_bounds(&self, unknown: Unknown) -> Option<Candidate> {
        let mut bounds = self.exact_bounds(unknown);
        if width(&bounds) > WIDE {
            self.loose_bounds(unknown, &mut bounds);
        }
        if bounds.lows.is_empty() && bounds.highs.is_empty() {
            return None;
        }
        let unbounded = bounds.lows.is_empty() || bounds.highs.is_empty();
        let cost = if unbounded { 1e6 } else { width(&bounds) };
        // Where a bound that faults is no bound, another conjunct is the better source of candidates.
        let may_vanish = |ends: &[Bound]| ends.iter().all(|end| end.optional);
        let doubtful =
            !self.manner.relaxed && (may_vanish(&bounds.lows) || may_vanish(&bounds.highs));
        Some(Candidate {
            step: Step::Each(unknown, Source::Range(bounds.lows, bounds.highs)),
            binds: vec![unknown],
            covers: bounds.covers,
            cost,
            space: cost,
            total: true,
            fallback: unbounded || doubtful,
            unbounded,
        })
    }

    /// `c*x + rest = k` with only `x` open.
    pub(super) fn by_linear_equation(&self, i: usize, a: ExprId, b: ExprId) -> Option<Candidate> {
        let unknown = self.only_open(a)?;
        let form = self.linear(a, false)?;
        let [(found, factor)] = form.terms.as_slice() else {
            return None;
        };
        if *found != unknown || *factor == 0 {
            return None;
        }
        let rest = arithmetic(Op::Minus, self.compiler.int(b), form.rest, 0);
        let (factor, rest) = positive(*factor, rest);
        if factor == 1 {
            let value = f(move |cx| rest.value(cx));
            return Some(self.candidate(i, Step::One(unknown, value), vec![unknown], 1.0));
        }
        let end = |up| Bound {
            code: divide(&rest, factor, up),
            optional: false,
            order: (0, false),
        };
        let range = Source::Range(vec![end(true)], vec![end(false)]);
        Some(self.candidate(i, Step::Each(unknown, range), vec![unknown], 1.0))
    }

    /// Bounds that say the same as the conjuncts they come from.
    fn exact_bounds(&self, unknown: Unknown) -> Bounds {
        let mut bounds = Bounds::default();
        // Conjuncts that may be undefined, but are so for all values of the unknown or for none: they bound it.
        let mut steady: Vec<usize> = Vec::new();
        for (i, conjunct) in self.conjuncts.iter().enumerate() {
            let is_first = conjunct.total || self.may_prune(i);
            if conjunct.done || !is_first && !self.may_bound(i, &steady) {
                continue;
            }
            bounds.order = (i as u32, !is_first);
            let Some((op, a, b)) = self.relation(conjunct) else {
                continue;
            };
            bounds.optional = !conjunct.total;
            let added = match op {
                Op::Member if self.open(a) == Some(unknown) => self.set_bounds(b, &mut bounds),
                Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual
                    if self.compiler.rep(a) == Rep::Int =>
                {
                    self.comparison_bounds(op, a, b, unknown, &mut bounds, &[])
                }
                _ => false,
            };
            if added && conjunct.total {
                bounds.covers.push(i);
            }
            if added {
                steady.push(i);
            }
        }
        bounds
    }

    /// Whether all earlier conjuncts are defined if those are.
    fn may_bound(&self, i: usize, steady: &[usize]) -> bool {
        let earlier = self.conjuncts[..i].iter().enumerate();
        earlier
            .filter(|(_, earlier)| !earlier.done && !earlier.total)
            .all(|(at, _)| steady.contains(&at))
    }

    fn set_bounds(&self, set: ExprId, bounds: &mut Bounds) -> bool {
        let model = self.compiler.model;
        let literal = IntCode::literal;
        match self.kind(set) {
            Kind::Op(Op::Interval, ends) if self.known(set) => {
                bounds.low(self.compiler.int(ends[0]));
                bounds.high(self.compiler.int(ends[1]));
            }
            Kind::Op(Op::Naturals, _) => bounds.low(literal(0)),
            Kind::Op(Op::Naturals1, _) => bounds.low(literal(1)),
            Kind::Op(op @ (Op::Int | Op::Nat | Op::Nat1), _) => {
                bounds.low(literal(match op {
                    Op::Int => model.min_int,
                    Op::Nat => 0,
                    _ => 1,
                }));
                bounds.high(literal(model.max_int));
            }
            _ => return false,
        }
        true
    }

    /// Bounds from a comparison; `others` are the bounds of further open unknowns.
    fn comparison_bounds(
        &self,
        op: Op,
        a: ExprId,
        b: ExprId,
        unknown: Unknown,
        bounds: &mut Bounds,
        others: &[(Unknown, Bounds)],
    ) -> bool {
        let partial = bounds.optional;
        let (Some(left), Some(right)) = (self.linear(a, partial), self.linear(b, partial)) else {
            return false;
        };
        // left op right, as: terms op rest.
        let mut terms = left.terms;
        for (other, factor) in right.terms {
            match terms.iter_mut().find(|(known, _)| *known == other) {
                Some((_, sum)) => *sum -= factor,
                None => terms.push((other, -factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        let Some((_, factor)) = terms.iter().find(|(found, _)| *found == unknown) else {
            return false;
        };
        let factor = *factor;
        let rest = arithmetic(Op::Minus, right.rest, left.rest, 0);
        let (op, sign) = if factor < 0 { (flip(op), -1) } else { (op, 1) };
        let mut added = false;
        for (upper, wanted) in [
            (true, matches!(op, Op::Less | Op::LessEqual | Op::Equal)),
            (
                false,
                matches!(op, Op::Greater | Op::GreaterEqual | Op::Equal),
            ),
        ] {
            if !wanted {
                continue;
            }
            // sign*factor*x <= sign*(rest - sum of other terms): the least value of each term is needed.
            let mut code = scale(&rest, sign);
            let mut known = true;
            for (other, times) in terms.iter().filter(|(other, _)| *other != unknown) {
                let times = -times * sign;
                let Some((_, bounds)) = others.iter().find(|(found, _)| found == other) else {
                    known = false;
                    break;
                };
                let greatest = (times > 0) == upper;
                let ends = if greatest {
                    &bounds.highs
                } else {
                    &bounds.lows
                };
                let Some(end) = ends.iter().find(|end| !end.optional) else {
                    known = false;
                    break;
                };
                code = arithmetic(Op::Add, code, scale(&end.code, times), 0);
            }
            if !known {
                continue;
            }
            let strict = matches!(op, Op::Less | Op::Greater);
            if strict {
                code = code.plus(if upper { -1 } else { 1 });
            }
            let code = divide(&code, factor.abs(), !upper);
            if upper {
                bounds.high(code);
            } else {
                bounds.low(code);
            }
            added = true;
        }
        added
    }

    /// Bounds that follow when the other open unknowns are within theirs.
    fn loose_bounds(&self, unknown: Unknown, bounds: &mut Bounds) {
        let others: Vec<(Unknown, Bounds)> = self
            .unknowns
            .iter()
            .filter(|other| **other != unknown && !self.bound.contains(other))
            .map(|other| (*other, self.exact_bounds(*other)))
            .collect();
        let mut found = Bounds::default();
        for conjunct in &self.conjuncts {
            if conjunct.done || !conjunct.total {
                continue;
            }
            match self.relation(conjunct) {
                Some((
                    op @ (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual | Op::Equal),
                    a,
                    b,
                )) if self.compiler.rep(a) == Rep::Int => {
                    self.comparison_bounds(op, a, b, unknown, &mut found, &others);
                    self.square_bounds(op, a, b, unknown, &mut found);
                    self.square_bounds(flip(op), b, a, unknown, &mut found);
                    if op == Op::Equal {
                        self.product_bounds(a, b, unknown, &mut found);
                        self.product_bounds(b, a, unknown, &mut found);
                    }
                }
                Some((Op::Member, a, b)) => {
                    // `x+1 : low..high`, or ends that are open themselves.
                    if let Kind::Op(Op::Interval, ends) = self.kind(b) {
                        let (low, high) = (ends[0], ends[1]);
                        self.comparison_bounds(
                            Op::GreaterEqual,
                            a,
                            low,
                            unknown,
                            &mut found,
                            &others,
                        );
                        self.comparison_bounds(
                            Op::LessEqual,
                            a,
                            high,
                            unknown,
                            &mut found,
                            &others,
                        );
                    }
                }
                _ => {}
            }
        }
        bounds.lows.extend(found.lows);
        bounds.highs.extend(found.highs);
    }

    /// The unknown of which an expression is a power, and which.
    fn power(&self, expr: ExprId) -> Option<(Unknown, u32)> {
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
    fn product_bounds(&self, a: ExprId, b: ExprId, unknown: Unknown, bounds: &mut Bounds) {
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
    fn square_bounds(&self, op: Op, a: ExprId, b: ExprId, unknown: Unknown, bounds: &mut Bounds) {
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

    /// An integer expression as a linear form of open unknowns; with `partial` the known rest may be
    /// undefined.
    pub(super) fn linear(&self, expr: ExprId, partial: bool) -> Option<Linear> {
        if let Some(unknown) = self.open(expr) {
            return Some(Linear {
                terms: vec![(unknown, 1)],
                rest: IntCode::literal(0),
            });
        }
        if self.known(expr) {
            return (partial || self.compiler.facts.of(expr).total).then(|| Linear {
                terms: Vec::new(),
                rest: self.compiler.int(expr),
            });
        }
        let Kind::Op(op, args) = self.kind(expr) else {
            return None;
        };
        match (op, args.as_slice()) {
            (Op::Add | Op::Minus, [a, b]) => {
                let (mut left, right) = (self.linear(*a, partial)?, self.linear(*b, partial)?);
                let sign = if *op == Op::Add { 1 } else { -1 };
                for (unknown, factor) in right.terms {
                    let factor = factor * sign;
                    match left.terms.iter_mut().find(|(known, _)| *known == unknown) {
                        Some((_, sum)) => *sum += factor,
                        None => left.terms.push((unknown, factor)),
                    }
                }
                left.rest = arithmetic(*op, left.rest, right.rest, 0);
                Some(left)
            }
            (Op::Negate, [a]) => Some(self.linear(*a, partial)?.times(-1)),
            (Op::Times, [a, b]) => {
                let (form, factor) = match (self.literal(*a), self.literal(*b)) {
                    (Some(factor), _) => (self.linear(*b, partial)?, factor),
                    (_, Some(factor)) => (self.linear(*a, partial)?, factor),
                    _ => return None,
                };
                Some(form.times(factor))
            }
            _ => None,
        }
    }

    fn literal(&self, expr: ExprId) -> Option<i64> {
        match self.kind(expr) {
            // Small factors only: products of factors must not overflow.
            Kind::Int(value) => value.to_i64().filter(|value| value.abs() < 1 << 20),
            _ => None,
        }
    }
}

impl Linear {
    fn times(mut self, factor: i64) -> Linear {
        for (_, times) in &mut self.terms {
            *times = times.saturating_mul(factor);
        }
        self.rest = scale(&self.rest, factor);
        self
    }
}

/// A guess at how many integers lie between bounds.
fn width(bounds: &Bounds) -> f64 {
    let literals = |bounds: &[Bound]| -> Vec<i64> {
        let forms = bounds.iter().map(|bound| bound.code.form);
        forms
            .filter_map(|form| match form {
                Form::Literal(value) => Some(value),
                _ => None,
            })
            .collect()
    };
    if bounds.lows.is_empty() || bounds.highs.is_empty() {
        return f64::INFINITY;
    }
    match (
        literals(&bounds.lows).into_iter().max(),
        literals(&bounds.highs).into_iter().min(),
    ) {
        (Some(low), Some(high)) => high.saturating_sub(low).saturating_add(1).max(0) as f64,
        _ => UNKNOWN_SIZE,
    }
}

pub(super) fn scale(code: &IntCode, factor: i64) -> IntCode {
    if factor == 1 {
        return code.clone();
    }
    arithmetic(Op::Times, code.clone(), IntCode::literal(factor), 0)
}

/// `factor*x = rest` with a positive factor.
pub(super) fn positive(factor: i64, rest: IntCode) -> (i64, IntCode) {
    if factor < 0 {
        (-factor, scale(&rest, -1))
    } else {
        (factor, rest)
    }
}

/// The quotient by a positive number, rounded up or down.
pub(super) fn divide(code: &IntCode, by: i64, up: bool) -> IntCode {
    if by == 1 {
        return code.clone();
    }
    if let Form::Literal(value) = code.form {
        return IntCode::literal(round(value, by, up));
    }
    let (fast, slow) = (code.fast.clone(), code.slow.clone());
    IntCode {
        fast: f(move |cx| Ok(round(fast(cx)?, by, up))),
        slow: f(move |cx| match slow(cx)? {
            V::Int(value) => Ok(V::Int(round(value, by, up))),
            value => {
                let value = value.to_big();
                let rest = ((&value % by) + by) % by;
                let floor = (&value - &rest) / by;
                let exact = rest == num_bigint::BigInt::from(0);
                Ok(V::big(if up && !exact { floor + 1 } else { floor }))
            }
        }),
        form: Form::Other,
    }
}

fn round(value: i64, by: i64, up: bool) -> i64 {
    let floor = value.div_euclid(by);
    if up && value.rem_euclid(by) != 0 {
        floor + 1
    } else {
        floor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_rounded_both_ways() {
        assert_eq!(round(7, 2, false), 3);
        assert_eq!(round(7, 2, true), 4);
        assert_eq!(round(-7, 2, false), -4);
        assert_eq!(round(-7, 2, true), -3);
        assert_eq!(round(6, 2, true), 3);
    }
}
