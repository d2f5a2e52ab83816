//! Decides equality, inclusion, emptiness, infinity and membership in spaces of relations.

use lang_math::{Binder, Op};
use model::TyId;

use super::{Space, SymKind, sym_of};
use crate::cx::{Cx, R};
use crate::trap::Cause;
use crate::value::V;

impl Cx<'_> {
    /// Whether two values are equal.
    pub(crate) fn equal(&mut self, a: &V, b: &V) -> R<bool> {
        match (a, b) {
            (V::Sym(x), V::Sym(y)) if x == y => Ok(true),
            (V::Sym(_), _) | (_, V::Sym(_)) => self.equal_sets(a, b),
            (V::Pair(x), V::Pair(y)) => Ok(self.equal(&x.0, &y.0)? && self.equal(&x.1, &y.1)?),
            _ => Ok(a == b),
        }
    }

    fn equal_sets(&mut self, a: &V, b: &V) -> R<bool> {
        match (self.is_infinite(a)?, self.is_infinite(b)?) {
            (true, false) | (false, true) => Ok(false),
            (false, false) => {
                let (a, b) = (self.elements(a)?, self.elements(b)?);
                Ok(*a == *b)
            }
            (true, true) => Err(Cause::Undecided.trap()),
        }
    }

    /// Whether every element of `a` is in `b`; both have type `ty`.
    pub(crate) fn subset(&mut self, ty: TyId, a: &V, b: &V) -> R<bool> {
        match (a, b) {
            (V::Word(x), V::Word(y)) => return Ok(x & !y == 0),
            (V::Wide(x), V::Wide(y)) => return Ok(x[0] & !y[0] == 0 && x[1] & !y[1] == 0),
            (_, V::Sym(sym)) if matches!(sym.kind, SymKind::All) => return Ok(true),
            (V::Sym(x), V::Sym(y)) if x == y => return Ok(true),
            (V::Sym(x), V::Sym(y)) => match (&x.kind, &y.kind) {
                (SymKind::AtLeast(low), SymKind::AtLeast(least)) => return Ok(low >= least),
                (SymKind::Interval(low, _), SymKind::AtLeast(least)) => {
                    return Ok(low.cmp_number(&V::Int(*least)).is_ge());
                }
                (SymKind::Power { of: p, some: s, .. }, SymKind::Power { of: q, some: t, .. })
                    if s >= t =>
                {
                    return self.subset(self.reps().element(ty), p, q);
                }
                _ => {}
            },
            _ => {}
        }
        if self.is_infinite(a)? && !self.is_infinite(b)? {
            return Ok(false);
        }
        for element in self.elements(a)?.iter() {
            if !self.member(element, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a set has no element.
    pub(crate) fn is_empty_set(&mut self, set: &V) -> R<bool> {
        let V::Sym(sym) = set else {
            return Ok(self.reps().is_empty(set));
        };
        match &sym.kind {
            SymKind::All | SymKind::AtLeast(_) | SymKind::Shift(_) | SymKind::Reflexive(_) => {
                Ok(false)
            }
            SymKind::Interval(low, high) => Ok(low.cmp_number(high).is_gt()),
            SymKind::Power { some: false, .. } => Ok(false),
            SymKind::Product(a, b) => Ok(self.is_empty_set(a)? || self.is_empty_set(b)?),
            SymKind::Union(a, b) => Ok(self.is_empty_set(a)? && self.is_empty_set(b)?),
            _ => {
                let mut empty = true;
                let result = self.each(set, u32::MAX, &mut |_, _| {
                    empty = false;
                    Err(crate::trap::Trap::Stop)
                });
                match result {
                    Ok(()) | Err(crate::trap::Trap::Stop) => Ok(empty),
                    Err(trap) => Err(trap),
                }
            }
        }
    }

    /// Whether a set is known to be infinite.
    pub(crate) fn is_infinite(&mut self, set: &V) -> R<bool> {
        let V::Sym(sym) = set else {
            return Ok(false);
        };
        let reps = self.reps();
        if reps[sym.ty].finite {
            return Ok(false);
        }
        Ok(match &sym.kind {
            SymKind::All => !reps[reps.element(sym.ty)].finite,
            SymKind::AtLeast(_) | SymKind::Shift(_) => true,
            SymKind::Reflexive(_) => true,
            SymKind::Constructor(free, constructor) => reps
                .argument(*free, *constructor)
                .is_some_and(|ty| !reps[ty].finite),
            SymKind::Interval(..) => false,
            SymKind::Power { of, .. }
            | SymKind::Identity(of)
            | SymKind::Inverse(of, _)
            | SymKind::Domain(of) => self.is_infinite(of)?,
            SymKind::Trees { of, .. } => !self.is_empty_set(of)?,
            SymKind::Sequences { op, of } => match op {
                Op::Sequences | Op::Sequences1 => !self.is_empty_set(of)?,
                _ => self.is_infinite(of)?,
            },
            SymKind::Space { from, to, .. } => {
                (self.is_infinite(from)? && !self.is_empty_set(to)?)
                    || (self.is_infinite(to)? && !self.is_empty_set(from)?)
            }
            SymKind::Struct(sets) => {
                let mut infinite = false;
                for set in sets {
                    infinite |= self.is_infinite(set)?;
                }
                infinite
            }
            SymKind::Product(a, b) => {
                (self.is_infinite(a)? && !self.is_empty_set(b)?)
                    || (self.is_infinite(b)? && !self.is_empty_set(a)?)
            }
            SymKind::Projection { left, right, .. } => {
                self.is_infinite(left)? || self.is_infinite(right)?
            }
            SymKind::Union(a, b) | SymKind::Override(a, b) => {
                self.is_infinite(a)? || self.is_infinite(b)?
            }
            SymKind::Inter(a, b) => self.is_infinite(a)? && self.is_infinite(b)?,
            SymKind::Minus(a, b) => self.is_infinite(a)? && !self.is_infinite(b)?,
            SymKind::Restrict { op, set, relation } => {
                self.is_infinite(relation)?
                    && (*op != Op::DomainRestriction || self.is_infinite(set)?)
            }
            SymKind::Compose(a, ..) => self.is_infinite(a)?,
            SymKind::Range(_) => false,
            SymKind::Closure(code, _) => code.0.plan.unbounded,
        })
    }

    /// Whether `relation` is one of `from op to`.
    pub(crate) fn in_space(&mut self, op: Op, ty: TyId, relation: &V, from: &V, to: &V) -> R<bool> {
        let reps = self.reps();
        let kind = Space::of(op);
        if let V::Sym(sym) = relation {
            // A function that is not listed: decided from its shape where that is possible.
            if let SymKind::Closure(code, _) = &sym.kind
                && code.0.binder == Binder::Lambda
                && !kind.injective
                && !kind.surjective
                && self.is_infinite(relation)?
            {
                return match (&**sym_of(from)?, &**sym_of(to)?) {
                    (from, to)
                        if matches!(from.kind, SymKind::All)
                            && matches!(to.kind, SymKind::All)
                            && (!kind.total || code.0.plan.whole) =>
                    {
                        Ok(true)
                    }
                    _ => Err(Cause::Undecided.trap()),
                };
            }
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

    fn has_size(&mut self, set: &V, size: usize) -> R<bool> {
        match set {
            V::Word(mask) => Ok(mask.count_ones() as usize == size),
            V::Wide(_) => Ok(set.wide().count_ones() as usize == size),
            V::Set(elements) => Ok(elements.len() == size),
            V::Sym(sym) => {
                if let SymKind::Interval(low, high) = &sym.kind {
                    return Ok(high.to_big() - low.to_big() + 1 == size.into());
                }
                Ok(!self.is_infinite(set)? && self.elements(set)?.len() == size)
            }
            _ => Ok(false),
        }
    }

    /// Whether a relation is a sequence over `of`.
    pub(crate) fn in_sequences(&mut self, op: Op, ty: TyId, relation: &V, of: &V) -> R<bool> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let V::Set(elements) = relation else {
            if self.is_infinite(relation)? {
                return Ok(false);
            }
            let listed = self.elements(relation)?;
            let listed = reps.set(ty, listed.into_vec());
            return match listed {
                V::Set(_) => self.in_sequences(op, ty, &listed, of),
                _ => Ok(false),
            };
        };
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
