//! Membership in spaces of relations and of sequences.

use lang_math::{Binder, Op};
use model::{Ty, TyId};

use super::{Space, SymKind};
use crate::cx::{Cx, R};
use crate::trap::Cause;
use crate::value::{Row, V};

impl Cx<'_> {
    /// Whether `relation` is one of `from op to`.
    pub(crate) fn in_space(&mut self, op: Op, ty: TyId, relation: &V, from: &V, to: &V) -> R<bool> {
        let reps = self.reps();
        let kind = Space::of(op);
        if let V::Sym(sym) = relation
            && let SymKind::Identity(set) = &sym.kind
            && let Some(sets) = reps.find(&Ty::Pow(reps.sides(ty).0))
        {
            return Ok(self.subset(sets, set, from)?
                && self.subset(sets, set, to)?
                && (!kind.total || self.subset(sets, from, set)?)
                && (!kind.surjective || self.subset(sets, to, set)?));
        }
        if self.is_infinite(relation)? {
            return self.infinite_in_space(kind, ty, relation, from, to);
        }
        if let Some(row) = relation.row() {
            return self.row_in(kind, row, from, to);
        }
        let pairs = self.elements(relation)?;
        let pair = reps.element(ty);
        let mut previous: Option<V> = None;
        let mut images = Vec::new();
        let mut distinct = 0usize;
        for element in pairs.iter() {
            let (a, b) = reps.split(pair, element);
            if !self.member(&b, to)? {
                return Ok(false);
            }
            if previous.as_ref() == Some(&a) {
                if kind.functional {
                    return Ok(false);
                }
            } else {
                if !self.member(&a, from)? {
                    return Ok(false);
                }
                distinct += 1;
                previous = Some(a);
            }
            if kind.injective || kind.surjective {
                images.push(b);
            }
        }
        if kind.total && !self.has_size(from, distinct)? {
            return Ok(false);
        }
        if kind.injective || kind.surjective {
            let all = images.len();
            images.sort_unstable();
            images.dedup();
            if kind.injective && images.len() != all {
                return Ok(false);
            }
            if kind.surjective && !self.has_size(to, images.len())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a relation that may have no end is one of a space: by form, else on a part of it.
    fn infinite_in_space(
        &mut self,
        kind: Space,
        ty: TyId,
        relation: &V,
        from: &V,
        to: &V,
    ) -> R<bool> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let (left, right) = reps.parts(pair);
        let V::Sym(sym) = relation else {
            return Err(Cause::Undecided.trap());
        };
        if let SymKind::Product(own, values) = &sym.kind {
            return self.product_in_space((kind, ty), (own, values), from, to);
        }
        if kind.surjective {
            return Err(Cause::Undecided.trap());
        }
        let mut by_form = false;
        let mut own = None;
        let mut constant = None;
        match &sym.kind {
            SymKind::Closure(code, env) if code.0.binder == Binder::Lambda => {
                by_form = true;
                own = self.ranges_over(&code.0, env)?;
                if code.0.is_constant
                    && let Some(value) = &code.0.value
                {
                    // Where it has no value, that is found out with a point.
                    constant = match self.in_closure_env(&code.0, env, |cx| value(cx)) {
                        Err(trap) if trap.is_undefined() => None,
                        value => Some(value?),
                    };
                }
            }
            SymKind::Shift(_) | SymKind::Constructor(..) | SymKind::Identity(_) => by_form = true,
            _ => {}
        }
        let from_ty = reps.find(&Ty::Pow(left));
        if !self.is_whole(left, from) {
            let inside = match (&own, from_ty) {
                (Some(own), Some(from_ty)) => self.subset(from_ty, own, from)?,
                _ => self.sample(relation, &mut |cx, element| {
                    let x = cx.reps().left(pair, &element);
                    cx.member(&x, from)
                })?,
            };
            if !inside {
                return Ok(false);
            }
        }
        if kind.total {
            let everywhere = match (&own, from_ty) {
                (Some(own), Some(from_ty)) => self.subset(from_ty, from, own)?,
                _ => self.sample(from, &mut |cx, x| cx.in_domain(ty, &x, relation))?,
            };
            if !everywhere {
                return Ok(false);
            }
        }
        if !self.is_whole(right, to) {
            let inside = match &constant {
                Some(value) if self.member(value, to)? => true,
                _ => self.sample(relation, &mut |cx, element| {
                    let y = cx.reps().right(pair, &element);
                    cx.member(&y, to)
                })?,
            };
            if !inside {
                return Ok(false);
            }
        }
        if kind.functional && !by_form {
            let mut seen = rustc_hash::FxHashSet::default();
            let single = self.sample(relation, &mut |cx, element| {
                Ok(seen.insert(cx.reps().left(pair, &element)))
            })?;
            if !single {
                return Ok(false);
            }
        }
        if kind.injective {
            let mut seen = rustc_hash::FxHashSet::default();
            return self.sample(relation, &mut |cx, element| {
                Ok(seen.insert(cx.reps().right(pair, &element)))
            });
        }
        Ok(true)
    }

    /// Whether all pairs of two sets, neither of them empty, are one of a space.
    fn product_in_space(
        &mut self,
        (kind, ty): (Space, TyId),
        (own, values): (&V, &V),
        from: &V,
        to: &V,
    ) -> R<bool> {
        let (left, right) = self.reps().sides(ty);
        let sets = [left, right].map(|side| self.reps().find(&Ty::Pow(side)));
        let [Some(left), Some(right)] = sets else {
            return Err(Cause::Undecided.trap());
        };
        Ok(self.subset(left, own, from)?
            && self.subset(right, values, to)?
            && (!kind.total || self.subset(left, from, own)?)
            && (!kind.surjective || self.subset(right, to, values)?)
            && (!kind.functional || self.has_size(values, 1)?)
            && (!kind.injective || self.has_size(own, 1)?))
    }

    pub(crate) fn has_size(&mut self, set: &V, size: usize) -> R<bool> {
        match set {
            V::Sym(sym) => {
                if let SymKind::Interval(V::Int(low), V::Int(high)) = &sym.kind {
                    return Ok(i128::from(*high) - i128::from(*low) + 1 == size as i128);
                }
                if let SymKind::Interval(low, high) = &sym.kind {
                    return Ok(high.to_big() - low.to_big() + 1 == size.into());
                }
                if let SymKind::Product(left, right) = &sym.kind
                    && let (Some(left), Some(right)) = (listed_len(left), listed_len(right))
                {
                    return Ok(left.checked_mul(right) == Some(size));
                }
                Ok(!self.is_endless(set)? && self.elements(set)?.len() == size)
            }
            _ => Ok(listed_len(set) == Some(size)),
        }
    }

    /// Whether a relation is a sequence over `of`.
    pub(crate) fn in_sequences(&mut self, op: Op, ty: TyId, relation: &V, of: &V) -> R<bool> {
        let reps = self.reps();
        let pair = reps.element(ty);
        if let V::Sym(sym) = relation
            && let SymKind::Identity(set) = &sym.kind
            && let V::Sym(range) = set
            && let SymKind::Interval(low, _) = &range.kind
            && let Some(sets) = reps.find(&Ty::Pow(reps.sides(ty).0))
        {
            return Ok(*low == V::Int(1)
                && self.subset(sets, set, of)?
                && (op != Op::Permutations || self.subset(sets, of, set)?));
        }
        if matches!(relation, V::Sym(_)) && self.infinity(relation)? == Some(true) {
            return Ok(false);
        }
        let elements = self.elements(relation)?;
        let mut images = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            let (index, value) = reps.split(pair, element);
            if index != V::Int(i as i64 + 1) || !self.member(&value, of)? {
                return Ok(false);
            }
            images.push(value);
        }
        let size = images.len();
        if matches!(op, Op::Sequences1 | Op::InjectiveSequences1) && size == 0 {
            return Ok(false);
        }
        if matches!(
            op,
            Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations
        ) {
            images.sort_unstable();
            images.dedup();
            if images.len() != size {
                return Ok(false);
            }
        }
        if op == Op::Permutations {
            return self.has_size(of, size);
        }
        Ok(true)
    }
}

/// The number of elements of a set that is listed.
fn listed_len(set: &V) -> Option<usize> {
    match set {
        V::Word(_) | V::Wide(_) => Some(set.wide().count_ones() as usize),
        V::Set(elements) => Some(elements.len()),
        V::Row(shape, bits) => Some(Row::from_parts(*shape, *bits).len()),
        _ => None,
    }
}
