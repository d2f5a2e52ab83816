//! Decides equality, inclusion, emptiness and infinity.
//!
//! Invariant: questions about infinite sets that have no answer by form are answered on what a cut leaves of
//! them: a counterexample is certain, its absence is unknown.

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
            (V::Pair(x), V::Pair(y)) => {
                let first = self.equal(&x.0, &y.0);
                self.and(first, |cx| cx.equal(&x.1, &y.1))
            }
            // Elements that are no data are equal when they have the same elements.
            (V::Set(x), V::Set(y)) if x != y && (self.has_symbolic(a) || self.has_symbolic(b)) => {
                let first = self.all_among(x, b);
                self.and(first, |cx| cx.all_among(y, a))
            }
            (V::Rec(x), V::Rec(y)) if x != y => {
                let mut equal = Ok(true);
                for (x, y) in x.iter().zip(y.iter()) {
                    equal = self.and(equal, |cx| cx.equal(x, y));
                }
                equal
            }
            (V::Free(c, Some(x)), V::Free(d, Some(y))) if c == d => self.equal(x, y),
            _ => Ok(a == b),
        }
    }

    /// Whether all of some elements are in a set.
    fn all_among(&mut self, elements: &[V], set: &V) -> R<bool> {
        let mut inside = Ok(true);
        for element in elements {
            inside = self.and(inside, |cx| cx.member(element, set));
        }
        inside
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
                        self.both_subsets((ty, a, b), (ty, b, a))
                    }
                    (Err(trap), _) | (_, Err(trap)) => Err(trap),
                }
            }
            _ => self.both_subsets((ty, a, b), (ty, b, a)),
        }
    }

    /// Whether both inclusions hold; each is a type and two sets.
    fn both_subsets(&mut self, first: (TyId, &V, &V), second: (TyId, &V, &V)) -> R<bool> {
        let holds = self.subset(first.0, first.1, first.2);
        self.and(holds, |cx| cx.subset(second.0, second.1, second.2))
    }

    /// Whether every element of `a` is in `b`; both have type `ty`. What the forms of infinite sets do not
    /// decide is looked at on the part of `a` that a cut leaves: a counterexample is certain, its absence
    /// is unknown.
    pub(crate) fn subset(&mut self, ty: TyId, a: &V, b: &V) -> R<bool> {
        match (a, b) {
            (V::Word(x), V::Word(y)) => return Ok(x & !y == 0),
            (V::Wide(x), V::Wide(y)) => return Ok(x[0] & !y[0] == 0 && x[1] & !y[1] == 0),
            (V::Row(..), V::Row(..)) if let (Some(x), Some(y)) = (a.row(), b.row()) => {
                return Ok(x.elements().all(|element| y.has(&element)));
            }
            _ => {}
        }
        if let Some(decided) = base::deep::recurse(|| self.subset_by_form(ty, a, b))? {
            return Ok(decided);
        }
        if !matches!(b, V::Sym(_)) && self.reps().is_empty(b) {
            return self.is_empty_set(a);
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
                    return self.both_subsets((ty, p, b), (ty, q, b)).map(Some);
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
            (
                SymKind::Power {
                    of: p,
                    some: s,
                    finite: small,
                },
                SymKind::Power {
                    of: q,
                    some: t,
                    finite,
                },
            ) if s >= t => {
                let mut inside = self.subset(element, p, q);
                if *finite && !small {
                    inside = self.and(inside, |cx| Ok(!cx.is_endless(p)?));
                }
                Some(inside?)
            }
            (SymKind::Product(p, q), SymKind::Product(r, s)) => {
                let (left, right) = self.reps().parts(element);
                match (
                    self.reps().find(&Ty::Pow(left)),
                    self.reps().find(&Ty::Pow(right)),
                ) {
                    (Some(left), Some(right)) => {
                        let both = self.both_subsets((left, p, r), (right, q, s))?;
                        both.then_some(true)
                    }
                    _ => None,
                }
            }
            (SymKind::Sequences { op: p, of: from }, SymKind::Sequences { op: q, of: to })
                if sequences_include(*q, *p) =>
            {
                let (_, member) = self.reps().sides(element);
                match self.reps().find(&Ty::Pow(member)) {
                    Some(members) => self.subset(members, from, to)?.then_some(true),
                    None => None,
                }
            }
            (_, SymKind::Inter(p, q)) => Some(self.both_subsets((ty, a, p), (ty, a, q))?),
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
    pub(super) fn ranges_over(&mut self, code: &ClosureCode, env: &[V]) -> R<Option<V>> {
        match &code.ranges {
            None => Ok(None),
            Some(ranges) => self.in_closure_env(code, env, |cx| ranges(cx)).map(Some),
        }
    }

    /// Whether a set has every value of the element type, as far as its form says so.
    pub(super) fn is_whole(&self, element: TyId, set: &V) -> bool {
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
    pub(super) fn sample(
        &mut self,
        set: &V,
        test: &mut dyn FnMut(&mut Cx<'_>, V) -> R<bool>,
    ) -> R<bool> {
        let place = match set {
            V::Sym(sym) => match &sym.kind {
                SymKind::Closure(code, _) => code.0.id,
                _ => crate::doubt::NOWHERE,
            },
            _ => crate::doubt::NOWHERE,
        };
        let result = self.enumeration(|cx| {
            cx.each(set, place, &mut |cx, element| {
                cx.go_on()?;
                match test(cx, element) {
                    Ok(true) => Ok(()),
                    Ok(false) => Err(Trap::Stop),
                    Err(trap) if trap.is_unknown() => {
                        cx.doubt(trap);
                        Ok(())
                    }
                    Err(trap) => Err(trap),
                }
            })
        });
        match result {
            // A counterexample is one whatever was cut.
            Err(Trap::Stop) => Ok(false),
            result => result.map(|()| true),
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
            SymKind::Power { of, .. } => self.is_empty_set(of),
            SymKind::Sequences { op, of } => match op {
                Op::Sequences1 | Op::InjectiveSequences1 => self.is_empty_set(of),
                _ => Ok(false),
            },
            SymKind::Space { op, from, to } => match op {
                Op::Relations | Op::PartialFunctions | Op::PartialInjections => Ok(false),
                Op::TotalFunctions | Op::TotalRelations => {
                    let no_values = self.is_empty_set(to);
                    self.and(no_values, |cx| cx.is_empty_set(from).map(|empty| !empty))
                }
                _ => self.sample(set, &mut |_, _| Ok(false)),
            },
            SymKind::Domain(of) | SymKind::Range(of) | SymKind::Inverse(of, _) => {
                self.is_empty_set(of)
            }
            SymKind::Product(a, b) => {
                let left = self.is_empty_set(a);
                self.or(left, |cx| cx.is_empty_set(b))
            }
            SymKind::Union(a, b) => {
                let left = self.is_empty_set(a);
                self.and(left, |cx| cx.is_empty_set(b))
            }
            _ => self.sample(set, &mut |_, _| Ok(false)),
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

    /// Whether a set is infinite, by its form or by listing it; unknown where the list is cut.
    pub(crate) fn is_endless(&mut self, set: &V) -> R<bool> {
        match self.infinity(set)? {
            Some(infinite) => Ok(infinite),
            None => self.elements(set).map(|_| false),
        }
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
            | SymKind::Closure1(_)
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
            SymKind::Union(a, b) => {
                self.infinity(a)? == Some(true) || self.infinity(b)? == Some(true)
            }
            SymKind::Product(a, b)
            | SymKind::Projection {
                left: a, right: b, ..
            } => self.is_surely_infinite_product(&[a, b])?,
            SymKind::Struct(sets) => {
                let sets: Vec<&V> = sets.iter().collect();
                self.is_surely_infinite_product(&sets)?
            }
            // Total functions on an infinite set may be one or none.
            SymKind::Space { op, from, to } => match op {
                Op::Relations | Op::PartialFunctions | Op::PartialInjections => {
                    self.is_surely_infinite_product(&[from, to])?
                }
                Op::TotalFunctions | Op::TotalInjections | Op::TotalRelations => {
                    self.infinity(from)? == Some(false)
                        && self.is_surely_infinite_product(&[from, to])?
                }
                _ => false,
            },
            _ => true,
        })
    }

    /// Whether one of these sets is infinite and none is empty, as far as that is known.
    fn is_surely_infinite_product(&mut self, sets: &[&V]) -> R<bool> {
        let mut sure = false;
        for set in sets {
            sure |= self.infinity(set)? == Some(true);
        }
        for set in sets {
            match self.is_empty_set(set) {
                Ok(empty) => sure &= !empty,
                Err(trap) if trap.is_unknown() => sure = false,
                Err(trap) => return Err(trap),
            }
        }
        Ok(sure)
    }

    /// Whether some of these sets is infinite and another one surely empty: nothing can be made of both, whatever a cut
    /// would leave.
    pub(crate) fn is_hollow(&mut self, sets: &[&V]) -> R<bool> {
        let mut endless = false;
        for set in sets {
            endless |= self.is_infinite(set)?;
        }
        if !endless {
            return Ok(false);
        }
        for set in sets {
            match self.is_empty_set(set) {
                Ok(true) => return Ok(true),
                Err(trap) if !trap.is_unknown() => return Err(trap),
                _ => {}
            }
        }
        Ok(false)
    }

    /// Whether the empty relation is in a space between two sets.
    pub(crate) fn has_empty_relation(&mut self, op: Op, from: &V, to: &V) -> R<bool> {
        let space = Space::of(op);
        let fits = match space.total {
            true => self.is_empty_set(from),
            false => Ok(true),
        };
        self.and(fits, |cx| Ok(!space.surjective || cx.is_empty_set(to)?))
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
            SymKind::Reflexive(_) | SymKind::Closure1(_) => true,
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
            SymKind::Minus(a, _) => self.is_infinite(a)?,
            SymKind::Restrict { op, set, relation } => {
                self.is_infinite(relation)?
                    && (*op != Op::DomainRestriction
                        || self.is_infinite(set)?
                        || !is_function(relation))
            }
            SymKind::Compose(a, _, b, _) => {
                self.is_infinite(a)? || (self.is_infinite(b)? && !is_function(b))
            }
            SymKind::Range(_) => false,
            SymKind::Closure(code, _) => code.0.plan.unbounded,
        })
    }
}

/// Whether a relation has at most one value for each argument by its form.
fn is_function(relation: &V) -> bool {
    let V::Sym(sym) = relation else {
        return false;
    };
    match &sym.kind {
        SymKind::Closure(code, _) => code.0.binder == Binder::Lambda,
        SymKind::Shift(_)
        | SymKind::Identity(_)
        | SymKind::Projection { .. }
        | SymKind::Constructor(..) => true,
        SymKind::Restrict { relation, .. } => is_function(relation),
        SymKind::Override(a, b) => is_function(a) && is_function(b),
        SymKind::Compose(a, _, b, _) => is_function(a) && is_function(b),
        _ => false,
    }
}

/// Whether all sequences of one kind are of another one, over the same members.
fn sequences_include(kind: Op, part: Op) -> bool {
    use Op::*;
    match kind {
        Sequences => true,
        Sequences1 => matches!(part, Sequences1 | InjectiveSequences1),
        InjectiveSequences => part != Sequences && part != Sequences1,
        _ => kind == part && kind != Permutations,
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
