//! Decides equality, inclusion, emptiness, infinity and membership in spaces of relations.

use lang_math::{Binder, Op};
use model::{Ty, TyId};

use super::{ClosureCode, Space, SymKind};
use crate::cx::{Cx, R};
use crate::rep::Rep;
use crate::trap::{Cause, Trap};
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
        let ((V::Sym(sym), _) | (_, V::Sym(sym))) = (a, b) else {
            return Ok(a == b);
        };
        let ty = sym.ty;
        match (self.infinity(a)?, self.infinity(b)?) {
            (Some(a), Some(b)) if a != b => Ok(false),
            (Some(false), Some(false)) => {
                if let (Some(a), Some(b)) = (ends(a), ends(b)) {
                    return Ok(a == b);
                }
                match (self.elements(a), self.elements(b)) {
                    (Ok(a), Ok(b)) => Ok(*a == *b),
                    // Too large to be listed, but not to be looked through.
                    (Err(Trap::Fault { cause, .. }), _) | (_, Err(Trap::Fault { cause, .. }))
                        if cause == Cause::TooLarge =>
                    {
                        Ok(self.subset(ty, a, b)? && self.subset(ty, b, a)?)
                    }
                    (Err(trap), _) | (_, Err(trap)) => Err(trap),
                }
            }
            _ => Ok(self.subset(ty, a, b)? && self.subset(ty, b, a)?),
        }
    }

    /// Whether every element of `a` is in `b`; both have type `ty`. What the forms of infinite sets do not
    /// decide is looked at on the part of `a` that a cut leaves: a counterexample is certain, its absence
    /// leaves a note.
    pub(crate) fn subset(&mut self, ty: TyId, a: &V, b: &V) -> R<bool> {
        match (a, b) {
            (V::Word(x), V::Word(y)) => return Ok(x & !y == 0),
            (V::Wide(x), V::Wide(y)) => return Ok(x[0] & !y[0] == 0 && x[1] & !y[1] == 0),
            _ => {}
        }
        if let Some(decided) = base::deep::recurse(|| self.subset_by_form(ty, a, b))? {
            return Ok(decided);
        }
        if self.infinity(a)? == Some(true) && self.infinity(b)? == Some(false) {
            return Ok(false);
        }
        self.sample(a, &mut |cx, element| cx.member(&element, b))
    }

    /// What the forms of two sets say about inclusion.
    fn subset_by_form(&mut self, ty: TyId, a: &V, b: &V) -> R<Option<bool>> {
        let element = self.reps().element(ty);
        if self.is_whole(element, b) {
            return Ok(Some(true));
        }
        if let V::Sym(x) = a {
            match &x.kind {
                SymKind::Union(p, q) => {
                    return Ok(Some(self.subset(ty, p, b)? && self.subset(ty, q, b)?));
                }
                SymKind::Minus(p, _) if self.subset_by_form(ty, p, b)? == Some(true) => {
                    return Ok(Some(true));
                }
                SymKind::Inter(p, q) => {
                    for part in [p, q] {
                        if self.subset_by_form(ty, part, b)? == Some(true) {
                            return Ok(Some(true));
                        }
                    }
                }
                SymKind::Closure(code, env) if code.0.binder == Binder::Comprehension => {
                    if let Some(set) = self.ranges_over(&code.0, env)? {
                        return self.subset(ty, &set, b).map(Some);
                    }
                }
                _ => {}
            }
        }
        let (V::Sym(x), V::Sym(y)) = (a, b) else {
            return Ok(None);
        };
        if x == y {
            return Ok(Some(true));
        }
        Ok(match (&x.kind, &y.kind) {
            (SymKind::All, SymKind::AtLeast(_)) => Some(false),
            (SymKind::AtLeast(low), SymKind::AtLeast(least)) => Some(low >= least),
            (SymKind::Interval(low, _), SymKind::AtLeast(least)) => {
                Some(low.cmp_number(&V::Int(*least)).is_ge())
            }
            (SymKind::Interval(low, high), SymKind::Interval(least, most)) => {
                Some(low.cmp_number(least).is_ge() && high.cmp_number(most).is_le())
            }
            (SymKind::Power { of: p, some: s, .. }, SymKind::Power { of: q, some: t, .. })
                if s >= t =>
            {
                Some(self.subset(element, p, q)?)
            }
            (_, SymKind::Inter(p, q)) => Some(self.subset(ty, a, p)? && self.subset(ty, a, q)?),
            (_, SymKind::Closure(code, env)) if code.0.binder == Binder::Comprehension => {
                match self.ranges_over(&code.0, env)? {
                    Some(set) => Some(self.subset(ty, a, &set)?),
                    None => None,
                }
            }
            _ => None,
        })
    }

    /// The set that the names of a closure range over, when its predicate says nothing else.
    fn ranges_over(&mut self, code: &ClosureCode, env: &[V]) -> R<Option<V>> {
        match &code.ranges {
            None => Ok(None),
            Some(ranges) => self.in_closure_env(code, env, |cx| ranges(cx)).map(Some),
        }
    }

    /// Whether a set has every value of the element type, as far as its form says so.
    fn is_whole(&self, element: TyId, set: &V) -> bool {
        let reps = self.reps();
        let full = |bits: u32| reps[element].rep == Rep::Word && reps[element].size == bits.into();
        match set {
            V::Word(mask) => full(mask.count_ones()),
            V::Wide(_) => full(set.wide().count_ones()),
            V::Sym(sym) => match (&sym.kind, &reps[element].ty) {
                (SymKind::All, _) => true,
                (SymKind::Product(a, b), Ty::Prod(left, right)) => {
                    self.is_whole(*left, a) && self.is_whole(*right, b)
                }
                (SymKind::Struct(sets), Ty::Record(fields)) => sets
                    .iter()
                    .zip(fields)
                    .all(|(set, (_, ty))| self.is_whole(*ty, set)),
                (
                    SymKind::Power {
                        of,
                        some: false,
                        finite,
                    },
                    Ty::Pow(inner),
                ) => (!finite || reps[*inner].finite) && self.is_whole(*inner, of),
                (SymKind::Space { op, from, to }, Ty::Pow(pair)) => {
                    let (left, right) = reps.parts(*pair);
                    *op == Op::Relations && self.is_whole(left, from) && self.is_whole(right, to)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Gives the elements of a set, or of what a cut leaves of it, to a test until it is false.
    fn sample(&mut self, set: &V, test: &mut dyn FnMut(&mut Cx<'_>, V) -> R<bool>) -> R<bool> {
        let place = match set {
            V::Sym(sym) => match &sym.kind {
                SymKind::Closure(code, _) => code.0.id,
                _ => u32::MAX,
            },
            _ => u32::MAX,
        };
        let before = self.cuts_so_far();
        let mut holds = true;
        let result = self.each(set, place, &mut |cx, element| {
            holds = test(cx, element)?;
            if holds { Ok(()) } else { Err(Trap::Stop) }
        });
        match result {
            // A counterexample is one whatever was cut.
            Err(Trap::Stop) if !holds => {
                self.forget_cuts(before);
                Ok(false)
            }
            Err(trap) => Err(trap),
            Ok(()) => Ok(true),
        }
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
                    Err(Trap::Stop)
                });
                match result {
                    Ok(()) | Err(Trap::Stop) => Ok(empty),
                    Err(trap) => Err(trap),
                }
            }
        }
    }

    /// Whether a set is infinite; `None` when its form does not say.
    pub(crate) fn infinity(&mut self, set: &V) -> R<Option<bool>> {
        if !self.is_infinite(set)? {
            let open = matches!(set, V::Sym(sym) if matches!(sym.kind, SymKind::Range(_)));
            return Ok(if open { None } else { Some(false) });
        }
        Ok(self.is_surely_infinite(set)?.then_some(true))
    }

    /// Of a set that may be infinite: whether it is, as far as its form says so.
    fn is_surely_infinite(&mut self, set: &V) -> R<bool> {
        let V::Sym(sym) = set else {
            return Ok(false);
        };
        Ok(match &sym.kind {
            SymKind::Closure(code, env) => {
                code.0.plan.whole
                    || match self.ranges_over(&code.0, env)? {
                        Some(set) => self.infinity(&set)? == Some(true),
                        None => false,
                    }
            }
            SymKind::Inter(..)
            | SymKind::Range(_)
            | SymKind::Restrict { .. }
            | SymKind::Override(..)
            | SymKind::Compose(..) => false,
            SymKind::Domain(of) => match of {
                V::Sym(inner) => match &inner.kind {
                    SymKind::Closure(code, _) if code.0.binder == Binder::Lambda => {
                        self.infinity(of)? == Some(true)
                    }
                    SymKind::Shift(_) | SymKind::Reflexive(_) => true,
                    _ => false,
                },
                _ => false,
            },
            SymKind::Minus(a, b) => {
                self.infinity(a)? == Some(true) && self.infinity(b)? == Some(false)
            }
            SymKind::Power { of, .. } | SymKind::Identity(of) | SymKind::Inverse(of, _) => {
                self.infinity(of)? == Some(true)
            }
            SymKind::Product(a, b)
            | SymKind::Union(a, b)
            | SymKind::Projection {
                left: a, right: b, ..
            }
            | SymKind::Space { from: a, to: b, .. } => {
                self.infinity(a)? == Some(true) || self.infinity(b)? == Some(true)
            }
            SymKind::Struct(sets) => {
                let mut sure = false;
                for set in sets {
                    sure |= self.infinity(set)? == Some(true);
                }
                sure
            }
            _ => true,
        })
    }

    /// Whether a set may be infinite: false only for one that is finite by its form.
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
        if self.is_infinite(relation)? {
            return self.infinite_in_space(kind, ty, relation, from, to);
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
        if kind.surjective {
            return Err(Cause::Undecided.trap());
        }
        let mut by_form = false;
        let mut own = None;
        match &sym.kind {
            SymKind::Closure(code, env) if code.0.binder == Binder::Lambda => {
                by_form = true;
                own = self.ranges_over(&code.0, env)?;
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
            let inside = self.sample(relation, &mut |cx, element| {
                let y = cx.reps().right(pair, &element);
                cx.member(&y, to)
            })?;
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

/// The ends of an interval.
fn ends(set: &V) -> Option<(&V, &V)> {
    match set {
        V::Sym(sym) => match &sym.kind {
            SymKind::Interval(low, high) => Some((low, high)),
            _ => None,
        },
        _ => None,
    }
}
