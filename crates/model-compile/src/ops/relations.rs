//! Relations as sorted lists of pairs: domain, image, composition, closures.

use lang_math::Op;
use model::TyId;

use super::OpTy;
use crate::cx::{Cx, R};
use crate::rep::{Rep, Reps};
use crate::symbolic::{SymKind, sym};
use crate::trap::Cause;
use crate::value::{Row, V};

impl Cx<'_> {
    /// The components of a listed relation between codes, where a set of either side is a mask.
    fn codes<'r>(
        &self,
        ty: &OpTy,
        relation: &'r V,
    ) -> Option<impl Iterator<Item = (u64, u64)> + use<'r>> {
        let reps = self.reps();
        let info = &reps[reps.element(ty.args[0])];
        let V::Set(pairs) = relation else {
            return None;
        };
        if info.rep != Rep::Word || reps[ty.result].rep != Rep::Word {
            return None;
        }
        let width = info.right.max(1);
        let (mut left, mut from) = (0, 0);
        // Codes are sorted: the left side is mostly that of the pair before or the next one, and need not be found by division.
        Some(pairs.iter().map(move |pair| {
            let code = pair.word();
            if code - from >= width {
                (left, from) = (left + 1, from + width);
            }
            if code - from >= width {
                left = code / width;
                from = left * width;
            }
            (left, code - from)
        }))
    }

    pub(super) fn domain(&mut self, ty: &OpTy, relation: &V) -> R<V> {
        if let Some(side) = self.side(relation, true)? {
            return Ok(side);
        }
        if self.is_infinite(relation)? {
            return Ok(sym(ty.result, SymKind::Domain(relation.clone())));
        }
        let reps = self.reps();
        if let Some(codes) = self.codes(ty, relation) {
            let mask = codes.fold(0, |mask, (left, _)| mask | 1 << left);
            return Ok(V::Word(mask));
        }
        if let Some(row) = relation.row()
            && let Some(side) = side(reps, ty.result, row.left_bits())
        {
            return Ok(side);
        }
        let pair = reps.element(ty.args[0]);
        let elements = self.elements(relation)?;
        let mut lefts: Vec<V> = elements.iter().map(|e| reps.left(pair, e)).collect();
        lefts.dedup();
        Ok(reps.set(ty.result, lefts))
    }

    /// The domain (or range) of what is not listed, where its form has it.
    fn side(&mut self, relation: &V, is_domain: bool) -> R<Option<V>> {
        let V::Sym(sym) = relation else {
            return Ok(None);
        };
        Ok(match &sym.kind {
            SymKind::Product(left, right) => {
                let (side, other) = if is_domain {
                    (left, right)
                } else {
                    (right, left)
                };
                (!self.is_empty_set(other)?).then(|| side.clone())
            }
            SymKind::Identity(of) => Some(of.clone()),
            _ => None,
        })
    }

    pub(super) fn range(&mut self, ty: &OpTy, relation: &V) -> R<V> {
        if let Some(side) = self.side(relation, false)? {
            return Ok(side);
        }
        if self.is_infinite(relation)? {
            return Ok(sym(ty.result, SymKind::Range(relation.clone())));
        }
        let reps = self.reps();
        if let Some(codes) = self.codes(ty, relation) {
            let mask = codes.fold(0, |mask, (_, right)| mask | 1 << right);
            return Ok(V::Word(mask));
        }
        if let Some(bits) = relation.row().and_then(|row| row.right_bits())
            && let Some(side) = side(reps, ty.result, (0, bits))
        {
            return Ok(side);
        }
        let pair = reps.element(ty.args[0]);
        let elements = self.elements(relation)?;
        let rights = elements.iter().map(|e| reps.right(pair, e)).collect();
        Ok(reps.set(ty.result, rights))
    }

    pub(super) fn inverse(&mut self, ty: &OpTy, relation: &V) -> R<V> {
        if let V::Sym(symbolic) = relation {
            match &symbolic.kind {
                SymKind::Shift(by) => return Ok(sym(ty.result, SymKind::Shift(-by))),
                SymKind::Identity(_) => return Ok(relation.clone()),
                SymKind::Inverse(inner, _) => return Ok(inner.clone()),
                SymKind::Constructor(..) => {
                    return Ok(sym(
                        ty.result,
                        SymKind::Inverse(relation.clone(), ty.args[0]),
                    ));
                }
                _ => {}
            }
        }
        if self.is_infinite(relation)? {
            return Ok(sym(
                ty.result,
                SymKind::Inverse(relation.clone(), ty.args[0]),
            ));
        }
        let reps = self.reps();
        let (from, to) = (reps.element(ty.args[0]), reps.element(ty.result));
        let elements = self.elements(relation)?;
        let swapped = elements
            .iter()
            .map(|e| {
                let (a, b) = reps.split(from, e);
                reps.join(to, b, a)
            })
            .collect();
        Ok(reps.set(ty.result, swapped))
    }

    pub(super) fn identity(&mut self, ty: TyId, set: &V) -> R<V> {
        if super::sets::is_large(set) || self.is_infinite(set)? {
            return Ok(sym(ty, SymKind::Identity(set.clone())));
        }
        let reps = self.reps();
        let pair = reps.element(ty);
        let elements = self.elements(set)?;
        let pairs = elements
            .iter()
            .map(|e| reps.join(pair, e.clone(), e.clone()))
            .collect();
        Ok(reps.set(ty, pairs))
    }

    pub(super) fn image(&mut self, ty: &OpTy, relation: &V, set: &V) -> R<V> {
        let reps = self.reps();
        if let V::Word(set) = set
            && let Some(codes) = self.codes(ty, relation)
        {
            let inside = codes.filter(|(left, _)| set >> left & 1 == 1);
            return Ok(V::Word(
                inside.fold(0, |mask, (_, right)| mask | 1 << right),
            ));
        }
        let mut images = Vec::new();
        let is_long = super::sets::is_large(set) && matches!(relation, V::Set(_) | V::Row(..));
        if is_long || self.is_infinite(set)? && !self.is_infinite(relation)? {
            let pair = reps.element(ty.args[0]);
            for element in self.elements(relation)?.iter() {
                let (a, b) = reps.split(pair, element);
                if self.member(&a, set)? {
                    images.push(b);
                }
            }
            return Ok(reps.set(ty.result, images));
        }
        for element in self.elements(set)?.iter() {
            images.extend(self.image_of(ty.args[0], relation, element)?);
        }
        Ok(reps.set(ty.result, images))
    }

    pub(super) fn restrict(&mut self, op: Op, ty: TyId, a: &V, b: &V) -> R<V> {
        let (set, relation) = match op {
            Op::DomainRestriction | Op::DomainSubtraction => (a, b),
            _ => (b, a),
        };
        if self.is_infinite(relation)? {
            let restricted = sym(
                ty,
                SymKind::Restrict {
                    op,
                    set: set.clone(),
                    relation: relation.clone(),
                },
            );
            if self.is_infinite(&restricted)? {
                return Ok(restricted);
            }
            let elements = self.elements(&restricted)?;
            return Ok(self.reps().set(ty, elements.into_vec()));
        }
        if op == Op::DomainRestriction
            && let Some((low, high)) = bounds(set)
            && let Some(within) = within(relation, low, high)
        {
            return Ok(within);
        }
        if let Some(row) = relation.row()
            && let Some(kinds) = row.kinds()
        {
            let is_left = matches!(op, Op::DomainRestriction | Op::DomainSubtraction);
            let wanted = matches!(op, Op::DomainRestriction | Op::RangeRestriction);
            let kept = row.filtered(|left, right| {
                let side = match is_left {
                    true => kinds.component(0, left),
                    false => kinds.component(1, right),
                };
                Ok(self.member(&side, set)? == wanted)
            })?;
            return Ok(V::of_row(kept));
        }
        let pair = self.reps().element(ty);
        let mut kept = Vec::new();
        if let (V::Word(mask), V::Set(pairs)) = (set, relation)
            && self.reps()[pair].rep == Rep::Word
        {
            let width = self.reps()[pair].right.max(1);
            let is_inside = |code: u64| {
                let side = match op {
                    Op::DomainRestriction | Op::DomainSubtraction => code / width,
                    _ => code % width,
                };
                mask >> side & 1 == 1
            };
            let wanted = matches!(op, Op::DomainRestriction | Op::RangeRestriction);
            let pairs = pairs.iter();
            return Ok(V::Set(
                pairs
                    .filter(|element| is_inside(element.word()) == wanted)
                    .cloned()
                    .collect(),
            ));
        }
        for element in self.elements(relation)?.iter() {
            if self.restricted(op, pair, set, element)? {
                kept.push(element.clone());
            }
        }
        Ok(self.reps().set(ty, kept))
    }

    pub(crate) fn overwrite(&mut self, ty: TyId, below: &V, above: &V) -> R<V> {
        if self.is_infinite(below)? || self.is_infinite(above)? {
            return Ok(sym(ty, SymKind::Override(below.clone(), above.clone())));
        }
        if let (Some(low), Some(high)) = (below.row(), above.row())
            && let Some(kinds) = high.kinds()
        {
            let mut pairs = high.numbers();
            let result = pairs.try_fold(low, |row, (left, right)| row.with(kinds, left, right));
            if let Some(row) = result {
                return Ok(row.value());
            }
        }
        let reps = self.reps();
        let pair = reps.element(ty);
        let (low, high) = (self.elements(below)?, self.elements(above)?);
        let mut result = Vec::with_capacity(low.len() + high.len());
        let mut i = 0;
        // Both lists are sorted by their left components.
        for element in low.iter() {
            let left = reps.left(pair, element);
            while i < high.len() && reps.left(pair, &high[i]) < left {
                result.push(high[i].clone());
                i += 1;
            }
            if i >= high.len() || reps.left(pair, &high[i]) != left {
                let hidden = i > 0 && reps.left(pair, &high[i - 1]) == left;
                if !hidden {
                    result.push(element.clone());
                }
            } else {
                while i < high.len() && reps.left(pair, &high[i]) == left {
                    result.push(high[i].clone());
                    i += 1;
                }
            }
        }
        result.extend_from_slice(&high[i..]);
        Ok(reps.set(ty, result))
    }

    pub(super) fn compose(&mut self, ty: TyId, first: (&V, TyId), second: (&V, TyId)) -> R<V> {
        if self.is_infinite(first.0)? {
            return Ok(sym(
                ty,
                SymKind::Compose(first.0.clone(), first.1, second.0.clone(), second.1),
            ));
        }
        let reps = self.reps();
        let (from, to) = (reps.element(first.1), reps.element(ty));
        let mut pairs = Vec::new();
        for element in self.elements(first.0)?.iter() {
            let (a, b) = reps.split(from, element);
            for c in self.image_of(second.1, second.0, &b)? {
                pairs.push(reps.join(to, a.clone(), c));
            }
        }
        Ok(reps.set(ty, pairs))
    }

    pub(super) fn direct_product(&mut self, ty: &OpTy, a: &V, b: &V) -> R<V> {
        let reps = self.reps();
        let pair = reps.element(ty.result);
        let (_, inner) = reps.parts(pair);
        let left = reps.element(ty.args[0]);
        let mut pairs = Vec::new();
        for element in self.elements(a)?.iter() {
            let (x, y) = reps.split(left, element);
            for z in self.image_of(ty.args[1], b, &x)? {
                pairs.push(reps.join(pair, x.clone(), reps.join(inner, y.clone(), z)));
            }
        }
        Ok(reps.set(ty.result, pairs))
    }

    pub(super) fn parallel_product(&mut self, ty: &OpTy, a: &V, b: &V) -> R<V> {
        let reps = self.reps();
        let pair = reps.element(ty.result);
        let (from, to) = reps.parts(pair);
        let (left, right) = (reps.element(ty.args[0]), reps.element(ty.args[1]));
        let (first, second) = (self.elements(a)?, self.elements(b)?);
        if first.len().saturating_mul(second.len()) > self.program.max_set {
            return Err(Cause::TooLarge.trap());
        }
        let mut pairs = Vec::new();
        for e in first.iter() {
            let (x, y) = reps.split(left, e);
            for f in second.iter() {
                let (v, w) = reps.split(right, f);
                pairs.push(reps.join(
                    pair,
                    reps.join(from, x.clone(), v),
                    reps.join(to, y.clone(), w),
                ));
            }
        }
        Ok(reps.set(ty.result, pairs))
    }

    pub(super) fn projection(&mut self, first: bool, ty: TyId, left: &V, right: &V) -> R<V> {
        let function = sym(
            ty,
            SymKind::Projection {
                first,
                left: left.clone(),
                right: right.clone(),
            },
        );
        let small = |cx: &Cx<'_>, set: &V| cx.reps().listed(set).map_or(usize::MAX, |e| e.len());
        if small(self, left).saturating_mul(small(self, right)) > super::EAGER {
            return Ok(function);
        }
        let mut elements = Vec::new();
        self.each(&function, u32::MAX, &mut |_, e| {
            elements.push(e);
            Ok(())
        })?;
        Ok(self.reps().set(ty, elements))
    }

    pub(super) fn iterate(&mut self, ty: TyId, relation: &V, times: &V) -> R<V> {
        if times.cmp_number(&V::Int(0)).is_lt() {
            return Err(Cause::NegativeIteration.trap());
        }
        let Some(times) = times.small().and_then(|n| u32::try_from(n).ok()) else {
            return Err(Cause::TooLarge.trap());
        };
        if times == 0 {
            let empty = self.reps().empty(ty);
            return self.reflexive(ty, &empty);
        }
        let mut result = relation.clone();
        for _ in 1..times {
            self.go_on()?;
            let next = self.compose(ty, (&result, ty), (relation, ty))?;
            if next == result {
                break;
            }
            result = next;
        }
        Ok(result)
    }

    pub(super) fn closure1(&mut self, ty: TyId, relation: &V) -> R<V> {
        if self.is_infinite(relation)? {
            return Ok(sym(ty, SymKind::Closure1(relation.clone())));
        }
        let listed = self.elements(relation)?.into_vec();
        let relation = self.reps().set(ty, listed);
        let mut result = relation.clone();
        let mut new = relation.clone();
        loop {
            self.go_on()?;
            let step = self.compose(ty, (&new, ty), (&relation, ty))?;
            new = self.algebra(Op::SetMinus, ty, &step, &result)?;
            if self.reps().is_empty(&new) {
                return Ok(result);
            }
            result = self.algebra(Op::Union, ty, &result, &new)?;
        }
    }

    /// The image of a set under the closure of a relation.
    pub(crate) fn reached(
        &mut self,
        relation_ty: TyId,
        ty: TyId,
        relation: &V,
        set: &V,
        reflexive: bool,
    ) -> R<V> {
        let mut todo = self.elements(set)?.into_vec();
        let mut seen: rustc_hash::FxHashSet<V> = rustc_hash::FxHashSet::default();
        if reflexive {
            seen.extend(todo.iter().cloned());
        }
        while let Some(next) = todo.pop() {
            self.go_on()?;
            for image in self.image_of(relation_ty, relation, &next)? {
                if seen.len() > self.program.max_set {
                    return Err(Cause::TooLarge.trap());
                }
                if seen.insert(image.clone()) {
                    todo.push(image);
                }
            }
        }
        Ok(self.reps().set(ty, seen.into_iter().collect()))
    }

    /// A relation with the identity of its whole type.
    pub(super) fn reflexive(&mut self, ty: TyId, relation: &V) -> R<V> {
        let reps = self.reps();
        if !reps[ty].finite {
            return Ok(sym(ty, SymKind::Reflexive(relation.clone())));
        }
        let pair = reps.element(ty);
        let mut pairs = self.elements(relation)?.into_vec();
        let limit = self.program.max_set;
        self.each_of_type(reps.parts(pair).0, u32::MAX, &mut |_, x| {
            if pairs.len() > limit {
                return Err(Cause::TooLarge.trap());
            }
            pairs.push(reps.join(pair, x.clone(), x));
            Ok(())
        })?;
        Ok(reps.set(ty, pairs))
    }

    pub(super) fn grouped(&mut self, ty: &OpTy, relation: &V) -> R<V> {
        let reps = self.reps();
        let (from, to) = (reps.element(ty.args[0]), reps.element(ty.result));
        let (_, images) = reps.parts(to);
        let elements = self.elements(relation)?;
        let mut pairs = Vec::new();
        let mut i = 0;
        while i < elements.len() {
            let left = reps.left(from, &elements[i]);
            let mut row = Vec::new();
            while i < elements.len() && reps.left(from, &elements[i]) == left {
                row.push(reps.right(from, &elements[i]));
                i += 1;
            }
            pairs.push(reps.join(to, left, reps.set(images, row)));
        }
        Ok(reps.set(ty.result, pairs))
    }

    pub(super) fn ungrouped(&mut self, ty: &OpTy, function: &V) -> R<V> {
        let reps = self.reps();
        let (from, to) = (reps.element(ty.args[0]), reps.element(ty.result));
        let mut pairs = Vec::new();
        for element in self.elements(function)?.iter() {
            let (left, set) = reps.split(from, element);
            for right in self.elements(&set)?.iter() {
                pairs.push(reps.join(to, left.clone(), right.clone()));
            }
        }
        Ok(reps.set(ty.result, pairs))
    }
}

/// The least and the greatest element of a set of small integers without gaps.
fn bounds(set: &V) -> Option<(i64, i64)> {
    if let Some((low, bits)) = set.row().and_then(|row| row.integer_bits()) {
        let has_no_gaps = bits & bits.wrapping_add(1) == 0;
        return has_no_gaps.then(|| (low, low + i64::from(bits.ilog2())));
    }
    let V::Set(elements) = set else {
        return None;
    };
    match (elements.first()?, elements.last()?) {
        (V::Int(low), V::Int(high))
            if high.checked_sub(*low) == Some(elements.len() as i64 - 1) =>
        {
            Some((*low, *high))
        }
        _ => None,
    }
}

/// A side of a function in place as a set of its type.
fn side(reps: &Reps, ty: TyId, (low, bits): (i64, u128)) -> Option<V> {
    let element = &reps[reps.element(ty)];
    match (element.rep, reps[ty].rep) {
        (Rep::Int, _) => Some(V::of_row(Row::integers(low, bits))),
        (Rep::Word, Rep::Word) => Some(V::Word((bits as u64).checked_shl(low as u32)?)),
        _ => None,
    }
}

/// The pairs of a relation on integers that is no rule whose left sides are between two bounds; pairs are sorted by them.
pub(crate) fn within(relation: &V, low: i64, high: i64) -> Option<V> {
    let pairs = match relation {
        V::Set(pairs) => pairs,
        V::Row(shape, bits) => {
            let row = Row::from_parts(*shape, *bits);
            if row.is_relation() {
                let pairs = row.elements();
                let is_inside =
                    |pair: &V| matches!(pair.left_number(), Some(x) if (low..=high).contains(&x));
                return Some(V::listed(pairs.filter(is_inside).collect()));
            }
            let Ok(kept) = row.filtered(|left, _| {
                Ok::<bool, std::convert::Infallible>((low..=high).contains(&left))
            });
            return Some(V::of_row(kept));
        }
        _ => return None,
    };
    let (low, high) = (V::Int(low), V::Int(high));
    let is_below = |pair: &V, bound: &V, inclusive: bool| {
        pair.with_left(|left| left < bound || inclusive && left == bound)
    };
    let from = pairs.partition_point(|pair| is_below(pair, &low, false));
    let to = pairs.partition_point(|pair| is_below(pair, &high, true));
    Some(match (from, to) {
        (0, to) if to == pairs.len() => V::Set(pairs.clone()),
        (from, to) => V::listed(pairs[from..to.max(from)].to_vec()),
    })
}
