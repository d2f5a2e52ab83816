//! Applies functions, and finds images, without listing what is symbolic.

use std::sync::Arc;

use lang_math::{Binder, Op};
use model::{LocalId, TyId};

use super::{Closure, ClosureCode, Sym, SymKind, sym};
use crate::cx::{Cx, R};
use crate::plan::Plan;
use crate::rep::Reps;
use crate::trap::Cause;
use crate::value::{Row, V};

/// Closures are asked inside one another at most so deep.
const MOST_CALLS: u32 = 20_000;

/// Where the pairs with left component `x` begin in a sorted list. Numbers and codes without gaps are their own index, and so are
/// pairs of numbers that fill a box.
pub(crate) fn position(reps: &Reps, pair: TyId, pairs: &[V], x: &V) -> usize {
    if let Some(at) = expected(reps, pair, pairs, x)
        && let Some(element) = pairs.get(at)
        && reps.has_left(pair, element, x)
        && (at == 0 || !reps.has_left(pair, &pairs[at - 1], x))
    {
        return at;
    }
    pairs.partition_point(|e| reps.is_left_below(pair, e, x))
}

/// The pair with left component `x`, where it stands where it does without gaps and is the only one.
#[inline]
fn only<'p>(reps: &Reps, pair: TyId, pairs: &'p [V], x: &V) -> Option<&'p V> {
    let at = expected(reps, pair, pairs, x)?;
    let has = |at: usize| {
        let element = pairs.get(at);
        element.filter(|element| reps.has_left(pair, element, x))
    };
    let found = has(at)?;
    let is_only = (at == 0 || has(at - 1).is_none()) && has(at + 1).is_none();
    is_only.then_some(found)
}

/// Where a left component stands when there are no gaps.
#[inline]
fn expected(reps: &Reps, pair: TyId, pairs: &[V], x: &V) -> Option<usize> {
    let [first, .., last] = pairs else {
        return Some(0);
    };
    let from_low = match (first, x) {
        (V::Word(code), V::Word(x)) => i64::try_from(*x - (code / reps[pair].right.max(1)).min(*x)),
        (V::Trio(_, [low, from, _]), V::Duo(_, [x, y])) => {
            let V::Trio(_, [_, to, _]) = last else {
                return None;
            };
            let width = i64::from(*to) - i64::from(*from) + 1;
            let row = x.checked_sub(i64::from(*low))?;
            let column = y.checked_sub(i64::from(*from))?;
            Ok(row.checked_mul(width)?.checked_add(column)?)
        }
        _ => Ok(x.number()?.checked_sub(first.left_number()?)?),
    };
    usize::try_from(from_low.ok()?).ok()
}

impl Cx<'_> {
    /// Runs `body` where the closure's captured values are in place and its own locals are saved. A function that calls
    /// itself without end must not take all the memory there is.
    pub(crate) fn in_closure_env<T>(
        &mut self,
        code: &ClosureCode,
        env: &[V],
        body: impl FnOnce(&mut Cx<'_>) -> R<T>,
    ) -> R<T> {
        if self.calls == MOST_CALLS {
            return Err(Cause::TooDeep.trap());
        }
        let saved: Vec<V> = code
            .inner
            .iter()
            .chain(&code.locals)
            .map(|local| std::mem::replace(&mut self.frame[local.index()], V::None))
            .collect();
        let mut values = env.iter().cloned();
        for (local, value) in code.locals.iter().zip(&mut values) {
            self.frame[local.index()] = value;
        }
        let mut olds = Vec::with_capacity(code.slots.len());
        for (slot, value) in code.slots.iter().zip(&mut values) {
            olds.push(self.set_slot(*slot, value));
        }
        self.calls += 1;
        let result = base::deep::recurse(|| body(self));
        self.calls -= 1;
        for (slot, old) in code.slots.iter().zip(olds) {
            self.restore_slot(*slot, old);
        }
        for (local, value) in code.inner.iter().chain(&code.locals).zip(saved) {
            self.frame[local.index()] = value;
        }
        result
    }

    /// Gives the names of a binder the components of a left-nested tuple.
    pub(crate) fn bind_tuple(&mut self, names: &[LocalId], tuple: TyId, value: &V) {
        match names {
            [] => {}
            [name] => self.bind(*name, value.clone()),
            [first @ .., last] => {
                let reps = self.reps();
                let (left, right) = reps.split(tuple, value);
                self.bind(*last, right);
                self.bind_tuple(first, reps.parts(tuple).0, &left);
            }
        }
    }

    pub(super) fn in_closure(&mut self, ty: TyId, code: &Closure, env: &[V], x: &V) -> R<bool> {
        let reps = self.reps();
        let code = &*code.0;
        match (code.binder, &code.value) {
            (Binder::Comprehension, _) => self.in_closure_env(code, env, |cx| {
                cx.bind_tuple(&code.names, code.tuple, x);
                (code.predicate)(cx)
            }),
            (Binder::Lambda, Some(value)) => {
                let (argument, result) = reps.split(reps.element(ty), x);
                self.in_closure_env(code, env, |cx| {
                    cx.bind_tuple(&code.names, code.tuple, &argument);
                    if !(code.predicate)(cx)? {
                        return Ok(false);
                    }
                    let value = value(cx)?;
                    cx.equal(&value, &result)
                })
            }
            _ => {
                if let Some(answer) = self.has_value(code, env, x) {
                    return answer;
                }
                let set = sym(
                    ty,
                    SymKind::Closure(Closure(Arc::new(code.share())), env.into()),
                );
                Ok(!self.sample(&set, &mut |cx, y| Ok(!cx.equal(x, &y)?))?)
            }
        }
    }

    /// Whether `x` is in the domain of a relation.
    pub(crate) fn in_domain(&mut self, ty: TyId, x: &V, relation: &V) -> R<bool> {
        let reps = self.reps();
        let pair = reps.element(ty);
        match relation {
            V::Sym(sym) => match &sym.kind {
                SymKind::Closure(code, env) if code.0.binder == Binder::Lambda => {
                    let code = &*code.0;
                    self.in_closure_env(code, env, |cx| {
                        cx.bind_tuple(&code.names, code.tuple, x);
                        (code.predicate)(cx)
                    })
                }
                SymKind::Shift(_) | SymKind::Constructor(..) | SymKind::Reflexive(_) => Ok(true),
                SymKind::Identity(set) => self.member(x, set),
                SymKind::Product(left, right) => {
                    let inside = self.member(x, left);
                    self.and(inside, |cx| Ok(!cx.is_empty_set(right)?))
                }
                SymKind::Projection { left, right, .. } => {
                    let (a, b) = reps.split(reps.parts(pair).0, x);
                    Ok(self.member(&a, left)? && self.member(&b, right)?)
                }
                SymKind::Union(a, b) | SymKind::Override(a, b) => {
                    let inside = self.in_domain(ty, x, a);
                    self.or(inside, |cx| cx.in_domain(ty, x, b))
                }
                SymKind::Restrict {
                    op: Op::DomainRestriction,
                    set,
                    relation,
                } => {
                    let inside = self.member(x, set);
                    self.and(inside, |cx| cx.in_domain(ty, x, relation))
                }
                SymKind::Restrict {
                    op: Op::DomainSubtraction,
                    set,
                    relation,
                } => {
                    let outside = self.member(x, set).map(|inside| !inside);
                    self.and(outside, |cx| cx.in_domain(ty, x, relation))
                }
                _ => Ok(!self.image_of(ty, relation, x)?.is_empty()),
            },
            _ => Ok(!self.rows(ty, relation, x)?.is_empty()),
        }
    }

    /// `f(x)`.
    pub(crate) fn apply(&mut self, ty: TyId, function: &V, x: &V) -> R<V> {
        if let V::Sym(sym) = function {
            return base::deep::recurse(|| self.apply_symbolic(sym, x));
        }
        if let Some(row) = function.row()
            && !row.is_relation()
        {
            return row.apply(x).ok_or_else(|| Cause::OutsideDomain.trap());
        }
        if let V::Set(elements) = function {
            let reps = self.reps();
            let pair = reps.element(ty);
            if let Some(only) = only(reps, pair, elements, x) {
                return Ok(reps.right(pair, only));
            }
            let start = position(reps, pair, elements, x);
            let found = |i: usize| {
                elements
                    .get(i)
                    .filter(|element| reps.has_left(pair, element, x))
            };
            return match (found(start), found(start + 1)) {
                (None, _) => Err(Cause::OutsideDomain.trap()),
                (Some(element), None) => Ok(reps.right(pair, element)),
                _ => Err(Cause::SeveralImages.trap()),
            };
        }
        let images = self.rows(ty, function, x)?;
        match images.as_slice() {
            [] => Err(Cause::OutsideDomain.trap()),
            [value] => Ok(value.clone()),
            _ => Err(Cause::SeveralImages.trap()),
        }
    }

    fn apply_symbolic(&mut self, sym: &Arc<Sym>, x: &V) -> R<V> {
        let reps = self.reps();
        let ty = sym.ty;
        match &sym.kind {
            SymKind::Closure(code, env) if code.0.binder == Binder::Lambda => {
                let code = &*code.0;
                let Some(value) = &code.value else {
                    return Err(Cause::OutsideDomain.trap());
                };
                self.in_closure_env(code, env, |cx| {
                    cx.bind_tuple(&code.names, code.tuple, x);
                    if (code.predicate)(cx)? {
                        value(cx)
                    } else {
                        Err(Cause::OutsideDomain.trap())
                    }
                })
            }
            SymKind::Shift(by) => Ok(V::big(x.to_big() + by)),
            SymKind::Constructor(_, constructor) => {
                Ok(V::Free(*constructor, Some(Arc::new(x.clone()))))
            }
            SymKind::Identity(set) => {
                if self.member(x, set)? {
                    Ok(x.clone())
                } else {
                    Err(Cause::OutsideDomain.trap())
                }
            }
            SymKind::Projection { first, .. } => {
                if !self.in_domain(ty, x, &V::Sym(sym.clone()))? {
                    return Err(Cause::OutsideDomain.trap());
                }
                let (a, b) = reps.split(reps.sides(ty).0, x);
                Ok(if *first { a } else { b })
            }
            SymKind::Override(below, above) => {
                if self.in_domain(ty, x, above)? {
                    self.apply(ty, above, x)
                } else {
                    self.apply(ty, below, x)
                }
            }
            SymKind::Restrict { op, set, relation }
                if matches!(op, Op::DomainRestriction | Op::DomainSubtraction) =>
            {
                if self.member(x, set)? == (*op == Op::DomainRestriction) {
                    self.apply(ty, relation, x)
                } else {
                    Err(Cause::OutsideDomain.trap())
                }
            }
            _ => {
                let images = self.image_of(ty, &V::Sym(sym.clone()), x)?;
                match images.as_slice() {
                    [] => Err(Cause::OutsideDomain.trap()),
                    [value] => Ok(value.clone()),
                    _ => Err(Cause::SeveralImages.trap()),
                }
            }
        }
    }

    /// The values that a relation gives `x`, sorted.
    pub(crate) fn image_of(&mut self, ty: TyId, relation: &V, x: &V) -> R<Vec<V>> {
        let reps = self.reps();
        let V::Sym(sym) = relation else {
            return self.rows(ty, relation, x);
        };
        let mut images = match &sym.kind {
            SymKind::Closure(code, _) if code.0.binder == Binder::Lambda => {
                if self.in_domain(ty, x, relation)? {
                    vec![self.apply(ty, relation, x)?]
                } else {
                    Vec::new()
                }
            }
            SymKind::Shift(_)
            | SymKind::Constructor(..)
            | SymKind::Identity(_)
            | SymKind::Projection { .. } => {
                if self.in_domain(ty, x, relation)? {
                    vec![self.apply(ty, relation, x)?]
                } else {
                    Vec::new()
                }
            }
            SymKind::Product(left, right) => {
                if self.member(x, left)? {
                    self.elements(right)?.into_vec()
                } else {
                    Vec::new()
                }
            }
            SymKind::Union(a, b) => {
                let mut images = self.image_of(ty, a, x)?;
                images.extend(self.image_of(ty, b, x)?);
                images
            }
            SymKind::Override(below, above) => {
                if self.in_domain(ty, x, above)? {
                    self.image_of(ty, above, x)?
                } else {
                    self.image_of(ty, below, x)?
                }
            }
            SymKind::Restrict { op, set, relation } => {
                let mut images = match op {
                    Op::DomainRestriction | Op::DomainSubtraction => {
                        if self.member(x, set)? == (*op == Op::DomainRestriction) {
                            self.image_of(ty, relation, x)?
                        } else {
                            Vec::new()
                        }
                    }
                    _ => self.image_of(ty, relation, x)?,
                };
                if matches!(op, Op::RangeRestriction | Op::RangeSubtraction) {
                    let mut kept = Vec::new();
                    for image in images {
                        if self.member(&image, set)? == (*op == Op::RangeRestriction) {
                            kept.push(image);
                        }
                    }
                    images = kept;
                }
                images
            }
            SymKind::Compose(first, first_ty, second, second_ty) => {
                let mut images = Vec::new();
                for middle in self.image_of(*first_ty, first, x)? {
                    images.extend(self.image_of(*second_ty, second, &middle)?);
                }
                images
            }
            SymKind::Inverse(inner, _)
                if let V::Sym(inner) = inner
                    && let SymKind::Constructor(_, wanted) = &inner.kind =>
            {
                match x {
                    V::Free(constructor, Some(argument)) if constructor == wanted => {
                        vec![(**argument).clone()]
                    }
                    _ => Vec::new(),
                }
            }
            SymKind::Inverse(inner, _) if let Some(origins) = self.origins_of(inner, x)? => origins,
            SymKind::Reflexive(inner) => {
                let mut images = self.image_of(ty, inner, x)?;
                images.push(x.clone());
                images
            }
            SymKind::Closure1(inner) => {
                let mut images = self.image_of(ty, inner, x)?;
                let mut todo = images.clone();
                while let Some(next) = todo.pop() {
                    self.go_on()?;
                    for image in self.image_of(ty, inner, &next)? {
                        if images.len() > self.program.max_set {
                            return Err(Cause::TooLarge.trap());
                        }
                        if !images.contains(&image) {
                            images.push(image.clone());
                            todo.push(image);
                        }
                    }
                }
                images
            }
            SymKind::Minus(a, b) => {
                let pair = reps.element(ty);
                let mut kept = Vec::new();
                for image in self.image_of(ty, a, x)? {
                    let wanted = reps.join(pair, x.clone(), image.clone());
                    if !self.member(&wanted, b)? {
                        kept.push(image);
                    }
                }
                kept
            }
            SymKind::Closure(code, env) if let Some(images) = &code.0.images => {
                return self.closure_images(&code.0, images, env, x);
            }
            _ => return self.listed_images(ty, relation, x),
        };
        images.sort_unstable();
        images.dedup();
        Ok(images)
    }

    fn listed_images(&mut self, ty: TyId, relation: &V, x: &V) -> R<Vec<V>> {
        let listed = self.list_symbolic(relation)?;
        let pair = self.reps().element(ty);
        Ok(listed
            .iter()
            .filter(|element| self.reps().left(pair, element) == *x)
            .map(|element| self.reps().right(pair, element))
            .collect())
    }

    /// The values `y` with `(x, y)` in a comprehension: only its last name is enumerated.
    fn closure_images(&mut self, code: &ClosureCode, plan: &Plan, env: &[V], x: &V) -> R<Vec<V>> {
        let Some((last, first)) = code.names.split_last() else {
            return Ok(Vec::new());
        };
        let left = self.reps().parts(code.tuple).0;
        let mut images = Vec::new();
        self.in_closure_env(code, env, |cx| {
            cx.bind_tuple(first, left, x);
            plan.run(cx, &mut |cx| {
                images.push(cx.frame[last.index()].clone());
                Ok(())
            })
        })?;
        images.sort_unstable();
        images.dedup();
        Ok(images)
    }

    /// The tuple of the values of names.
    pub(crate) fn tuple(&self, names: &[LocalId], tuple: TyId) -> V {
        match names {
            [] => V::None,
            [name] => self.frame[name.index()].clone(),
            [first @ .., last] => {
                let reps = self.reps();
                let left = self.tuple(first, reps.parts(tuple).0);
                reps.join(tuple, left, self.frame[last.index()].clone())
            }
        }
    }

    /// The right components of the pairs with this left one, in a listed relation.
    pub(crate) fn rows(&mut self, ty: TyId, relation: &V, x: &V) -> R<Vec<V>> {
        let reps = self.reps();
        let pair = reps.element(ty);
        match relation {
            V::Word(_) | V::Wide(_) => {
                let width = reps[pair].right;
                let shift = x.word() * width;
                let row = relation.wide() >> shift & ((1u128 << width) - 1);
                Ok(crate::value::bits(row).map(V::Word).collect())
            }
            V::Set(elements) => {
                let start = position(reps, pair, elements, x);
                Ok(elements[start..]
                    .iter()
                    .take_while(|e| reps.has_left(pair, e, x))
                    .map(|e| reps.right(pair, e))
                    .collect())
            }
            V::Row(shape, bits) => {
                let row = Row::from_parts(*shape, *bits);
                if row.is_relation() {
                    return Ok(row.images(x));
                }
                Ok(row.apply(x).into_iter().collect())
            }
            _ => Ok(Vec::new()),
        }
    }
}
