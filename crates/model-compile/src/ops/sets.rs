//! Set algebra on sorted lists, with symbolic sets where lists would not end.

use std::cmp::Ordering;

use lang_math::Op;
use model::TyId;
use num_bigint::BigInt;

use super::EAGER;
use crate::cx::{Cx, R};
use crate::rep::Rep;
use crate::symbolic::{Space, SymKind, sym};
use crate::trap::Cause;
use crate::value::V;

impl Cx<'_> {
    pub(super) fn extremum(&mut self, greatest: bool, set: &V) -> R<V> {
        if let V::Sym(sym) = set {
            match &sym.kind {
                SymKind::Interval(low, high) => {
                    return Ok(if greatest { high.clone() } else { low.clone() });
                }
                SymKind::AtLeast(least) if !greatest => return Ok(V::Int(*least)),
                SymKind::All | SymKind::AtLeast(_) if self.infinity(set)? == Some(true) => {
                    return Err(Cause::UnboundedExtremum.trap());
                }
                // An infinite set may be bounded on one side.
                _ if self.infinity(set)? == Some(true) => return Err(Cause::Infinite.trap()),
                _ => {}
            }
        }
        if let Some((low, bits)) = set.row().and_then(|row| row.integer_bits()) {
            let last = i64::from(bits.ilog2());
            return Ok(V::Int(if greatest { low + last } else { low }));
        }
        let elements = self.elements(set)?;
        let best = if greatest {
            elements.iter().max_by(|a, b| a.cmp_number(b))
        } else {
            elements.iter().min_by(|a, b| a.cmp_number(b))
        };
        best.cloned().ok_or_else(|| Cause::EmptyExtremum.trap())
    }

    /// Union, intersection and difference.
    pub(crate) fn algebra(&mut self, op: Op, ty: TyId, a: &V, b: &V) -> R<V> {
        match (a, b) {
            (V::Word(x), V::Word(y)) => {
                return Ok(V::Word(match op {
                    Op::Union => x | y,
                    Op::Intersection => x & y,
                    _ => x & !y,
                }));
            }
            (V::Wide(_), V::Wide(_)) => {
                let (x, y) = (a.wide(), b.wide());
                return Ok(V::of_wide(match op {
                    Op::Union => x | y,
                    Op::Intersection => x & y,
                    _ => x & !y,
                }));
            }
            (V::Row(..), V::Row(..)) if let Some(set) = of_rows(op, a, b) => return Ok(set),
            (V::Row(..) | V::Set(_), V::Row(..) | V::Set(_))
                if matches!((a, b), (V::Row(..), _) | (_, V::Row(..))) =>
            {
                let (x, y) = (self.elements(a)?, self.elements(b)?);
                return Ok(V::listed(merge(op, &x, &y)));
            }
            (V::Set(x), V::Set(y)) => {
                if op == Op::Union {
                    if y.is_empty() {
                        return Ok(a.clone());
                    }
                    if x.is_empty() {
                        return Ok(b.clone());
                    }
                }
                if self.has_symbolic(a) || self.has_symbolic(b) {
                    let same = self.alike(&[ty, ty], &[a.clone(), b.clone()], false)?;
                    let (x, y) = (self.elements(&same[0])?, self.elements(&same[1])?);
                    return Ok(self.reps().set(ty, merge(op, &x, &y)));
                }
                return Ok(V::listed(merge(op, x, y)));
            }
            _ => {}
        }
        // At least one side is symbolic.
        if let Some(range) = self.of_ranges(op, ty, a, b) {
            return Ok(range);
        }
        let (left, right) = (self.is_infinite(a)?, self.is_infinite(b)?);
        match op {
            Op::Union if left || right => Ok(sym(ty, SymKind::Union(a.clone(), b.clone()))),
            Op::Intersection if left && right => match self.common_sequences(ty, a, b)? {
                Some(common) => Ok(common),
                None => Ok(sym(ty, SymKind::Inter(a.clone(), b.clone()))),
            },
            Op::SetMinus | Op::Minus if left => Ok(sym(ty, SymKind::Minus(a.clone(), b.clone()))),
            Op::Union if is_large(a) || is_large(b) => {
                Ok(sym(ty, SymKind::Union(a.clone(), b.clone())))
            }
            Op::SetMinus | Op::Minus if is_large(a) => {
                Ok(sym(ty, SymKind::Minus(a.clone(), b.clone())))
            }
            Op::Union => {
                let (x, y) = (self.elements(a)?, self.elements(b)?);
                Ok(self.reps().set(ty, merge(op, &x, &y)))
            }
            Op::Intersection => {
                let (finite, other) = if left || is_large(a) && !right {
                    (b, a)
                } else {
                    (a, b)
                };
                self.keep(ty, finite, other, true)
            }
            _ => self.keep(ty, a, b, false),
        }
    }

    /// The elements of `a` whose membership in `b` is `wanted`.
    fn keep(&mut self, ty: TyId, a: &V, b: &V, wanted: bool) -> R<V> {
        let mut kept = Vec::new();
        for element in self.elements(a)?.iter() {
            if self.member(element, b)? == wanted {
                kept.push(element.clone());
            }
        }
        Ok(self.reps().set(ty, kept))
    }

    pub(super) fn product(&mut self, ty: TyId, a: &V, b: &V) -> R<V> {
        let reps = self.reps();
        let symbolic = || sym(ty, SymKind::Product(a.clone(), b.clone()));
        if self.is_infinite(a)? || self.is_infinite(b)? {
            if self.is_empty_set(a)? || self.is_empty_set(b)? {
                return Ok(reps.empty(ty));
            }
            return Ok(symbolic());
        }
        let (x, y) = (self.elements(a)?, self.elements(b)?);
        if x.len().saturating_mul(y.len()) > EAGER && reps[ty].rep == Rep::Tree {
            return Ok(symbolic());
        }
        let pair = reps.element(ty);
        let mut pairs = Vec::with_capacity(x.len() * y.len());
        for left in x.iter() {
            for right in y.iter() {
                pairs.push(reps.join(pair, left.clone(), right.clone()));
            }
        }
        Ok(reps.set(ty, pairs))
    }

    pub(super) fn power(&mut self, op: Op, ty: TyId, set: &V) -> R<V> {
        let some = matches!(op, Op::PowerSet1 | Op::FiniteSubsets1);
        let finite = matches!(op, Op::FiniteSubsets | Op::FiniteSubsets1);
        let small = match self.reps().listed(set) {
            Some(elements) => elements.len() <= 16,
            None => false,
        };
        if !small {
            return Ok(sym(
                ty,
                SymKind::Power {
                    of: set.clone(),
                    some,
                    finite,
                },
            ));
        }
        let elements = self.elements(set)?;
        let mut subsets = Vec::with_capacity(1 << elements.len());
        self.each_subset(ty, &elements, some, &mut |_, subset| {
            subsets.push(subset);
            Ok(())
        })?;
        Ok(self.reps().set(ty, subsets))
    }

    pub(super) fn general(&mut self, union: bool, ty: TyId, sets: &V) -> R<V> {
        if union
            && let V::Sym(outer) = sets
            && let SymKind::Power { of, .. } = &outer.kind
        {
            return Ok(of.clone());
        }
        let op = if union { Op::Union } else { Op::Intersection };
        let sets = self.elements(sets)?;
        let Some((first, rest)) = sets.split_first() else {
            return if union {
                Ok(self.reps().empty(ty))
            } else {
                Err(Cause::EmptyIntersection.trap())
            };
        };
        let mut result = first.clone();
        for set in rest {
            result = self.algebra(op, ty, &result, set)?;
        }
        Ok(result)
    }

    pub(super) fn space(&mut self, op: Op, ty: TyId, from: &V, to: &V) -> R<V> {
        let reps = self.reps();
        let count = match (reps.listed(from), reps.listed(to)) {
            (Some(from), Some(to)) => {
                let kind = Space::of(op);
                let (n, m) = (from.len() as f64, to.len() as f64);
                if kind.functional {
                    (if kind.total { m } else { m + 1.0 }).powf(n)
                } else {
                    (n * m).exp2()
                }
            }
            _ => f64::INFINITY,
        };
        if count > EAGER as f64 {
            return Ok(sym(
                ty,
                SymKind::Space {
                    op,
                    from: from.clone(),
                    to: to.clone(),
                },
            ));
        }
        let (from, to) = (self.elements(from)?, self.elements(to)?);
        let mut found = Vec::new();
        self.each_relation(op, reps.element(ty), &from, &to, &mut |_, relation| {
            found.push(relation);
            Ok(())
        })?;
        Ok(reps.set(ty, found))
    }

    /// The set of sequences over a set as a rule; permutations are those of a finite set.
    pub(crate) fn rule_of_sequences(&mut self, op: Op, ty: TyId, of: V) -> R<V> {
        if op == Op::Permutations && self.infinity(&of)? == Some(true) {
            return Err(Cause::InfinitePermutations.trap());
        }
        Ok(sym(ty, SymKind::Sequences { op, of }))
    }

    pub(super) fn sequences(&mut self, op: Op, ty: TyId, of: &V) -> R<V> {
        let set = self.rule_of_sequences(op, ty, of.clone())?;
        let size = match self.reps().listed(of) {
            Some(elements) => elements.len(),
            None => return Ok(set),
        };
        let finite = matches!(
            op,
            Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations
        );
        if size == 0 || finite && size <= 7 {
            let elements = self.elements(&set)?;
            return Ok(self.reps().set(ty, elements.into_vec()));
        }
        Ok(set)
    }
}

impl Cx<'_> {
    /// The result on ranges of integers, where it is a range again.
    fn of_ranges(&self, op: Op, ty: TyId, a: &V, b: &V) -> Option<V> {
        let reps = self.reps();
        if reps[reps.element(ty)].rep != Rep::Int {
            return None;
        }
        let x = Range::of(a)?;
        if op != Op::Union
            && op != Op::Intersection
            && let V::Set(_) | V::Row(..) = b
            && let Some(removed) = reps.listed(b)
        {
            // Elements at the ends leave a range.
            let mut x = x;
            for element in removed.iter() {
                if x.low.as_ref() == Some(&element.to_big()) {
                    x.low = x.low.map(|low| low + 1);
                }
            }
            for element in removed.iter().rev() {
                if x.high.as_ref() == Some(&element.to_big()) {
                    x.high = x.high.map(|high| high - 1);
                }
            }
            let inside = removed.iter().any(|element| x.contains(&element.to_big()));
            return if inside { None } else { x.set(self, ty) };
        }
        let y = Range::of(b)?;
        match op {
            Op::Intersection => x.meet(&y).set(self, ty),
            Op::Union => x.join(&y)?.set(self, ty),
            _ => x.without(&y)?.set(self, ty),
        }
    }
}

/// Integers between two ends, either of which may be missing.
#[derive(Clone)]
struct Range {
    low: Option<BigInt>,
    high: Option<BigInt>,
}

impl Range {
    fn of(set: &V) -> Option<Range> {
        let V::Sym(sym) = set else {
            return None;
        };
        let (low, high) = match &sym.kind {
            SymKind::All => (None, None),
            SymKind::AtLeast(low) => (Some(BigInt::from(*low)), None),
            SymKind::Interval(low, high) => (Some(low.to_big()), Some(high.to_big())),
            _ => return None,
        };
        Some(Range { low, high })
    }

    /// The range as a set; `None` when there is no form for it.
    fn set(&self, cx: &Cx<'_>, ty: TyId) -> Option<V> {
        match (&self.low, &self.high) {
            _ if self.is_empty() => Some(cx.reps().empty(ty)),
            (Some(low), Some(high)) => {
                Some(cx.interval(ty, &V::big(low.clone()), &V::big(high.clone())))
            }
            (Some(low), None) => {
                let low = V::big(low.clone()).small()?;
                Some(sym(ty, SymKind::AtLeast(low)))
            }
            (None, None) => Some(sym(ty, SymKind::All)),
            (None, Some(_)) => None,
        }
    }

    fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    fn contains(&self, value: &BigInt) -> bool {
        self.low.as_ref().is_none_or(|low| low <= value)
            && self.high.as_ref().is_none_or(|high| value <= high)
    }

    fn meet(&self, other: &Range) -> Range {
        let low = match (&self.low, &other.low) {
            (Some(a), Some(b)) => Some(a.max(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let high = match (&self.high, &other.high) {
            (Some(a), Some(b)) => Some(a.min(b).clone()),
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        Range { low, high }
    }

    /// The union, if nothing lies between the two.
    fn join(&self, other: &Range) -> Option<Range> {
        if self.is_empty() || other.is_empty() {
            return Some(if self.is_empty() { other } else { self }.clone());
        }
        let apart = |a: &Range, b: &Range| match (&a.high, &b.low) {
            (Some(high), Some(low)) => high + 1 < *low,
            _ => false,
        };
        if apart(self, other) || apart(other, self) {
            return None;
        }
        let low = self.low.as_ref().zip(other.low.as_ref());
        let high = self.high.as_ref().zip(other.high.as_ref());
        Some(Range {
            low: low.map(|(a, b)| a.min(b).clone()),
            high: high.map(|(a, b)| a.max(b).clone()),
        })
    }

    /// The difference, if it is one range.
    fn without(&self, other: &Range) -> Option<Range> {
        if self.is_empty() || self.meet(other).is_empty() {
            return Some(self.clone());
        }
        let covers_low = match (&self.low, &other.low) {
            (_, None) => true,
            (Some(a), Some(b)) => b <= a,
            (None, Some(_)) => false,
        };
        let covers_high = match (&self.high, &other.high) {
            (_, None) => true,
            (Some(a), Some(b)) => b >= a,
            (None, Some(_)) => false,
        };
        match (covers_low, covers_high) {
            (true, true) => Some(Range {
                low: Some(BigInt::from(1)),
                high: Some(BigInt::from(0)),
            }),
            (true, false) => Some(Range {
                low: other.high.as_ref().map(|high| high + 1),
                high: self.high.clone(),
            }),
            (false, true) => Some(Range {
                low: self.low.clone(),
                high: other.low.as_ref().map(|low| low - 1),
            }),
            (false, false) => None,
        }
    }
}

/// Whether a set is an interval that nobody wants to list.
pub(super) fn is_large(set: &V) -> bool {
    let Some(Range {
        low: Some(low),
        high: Some(high),
    }) = Range::of(set)
    else {
        return false;
    };
    high - low > BigInt::from(EAGER)
}

/// Union, intersection or difference of two sets in place; `None` where the result may be none.
fn of_rows(op: Op, a: &V, b: &V) -> Option<V> {
    let (x, y) = (a.row()?, b.row()?);
    let combine = |x: u128, y: u128| match op {
        Op::Union => x | y,
        Op::Intersection => x & y,
        _ => x & !y,
    };
    match x.pair_kinds() {
        Some(_) => x.related(y, combine),
        None => x.combined(y, combine).ok().map(V::of_row),
    }
}

/// Merges two sorted lists by a set operation.
pub(crate) fn merge(op: Op, x: &[V], y: &[V]) -> Vec<V> {
    let (mut i, mut j) = (0, 0);
    let capacity = match op {
        Op::Union => x.len() + y.len(),
        Op::Intersection => x.len().min(y.len()),
        _ => x.len(),
    };
    let mut result = Vec::with_capacity(capacity);
    let (left, right, both) = match op {
        Op::Union => (true, true, true),
        Op::Intersection => (false, false, true),
        _ => (true, false, false),
    };
    while i < x.len() && j < y.len() {
        match x[i].cmp(&y[j]) {
            Ordering::Less => {
                if left {
                    result.push(x[i].clone());
                }
                i += 1;
            }
            Ordering::Greater => {
                if right {
                    result.push(y[j].clone());
                }
                j += 1;
            }
            Ordering::Equal => {
                if both {
                    result.push(x[i].clone());
                }
                i += 1;
                j += 1;
            }
        }
    }
    if left {
        result.extend_from_slice(&x[i..]);
    }
    if right {
        result.extend_from_slice(&y[j..]);
    }
    result
}
