//! Sets that are not listed: infinite ones, function spaces, products, lambdas over numbers.
//!
//! They answer membership, application and inclusion without being built; [`crate::enumerate`] lists them
//! when they turn out to be finite.
//! Invariant: a closure carries the values of every local and variable it reads, so its meaning does not
//! change with the state; constants are read where they stand.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lang_math::{Binder, Op};
use model::{FreeId, LocalId, TyId};

use crate::cx::{Cx, F, R};
use crate::plan::Plan;
use crate::trap::Cause;
use crate::value::V;

/// A symbolic set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Sym {
    /// Its type, a set type.
    pub ty: TyId,
    pub kind: SymKind,
}

/// What a symbolic set is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SymKind {
    /// Every value of the element type.
    All,
    /// The integers from here on.
    AtLeast(i64),
    /// A large interval.
    Interval(V, V),
    /// Subsets; `some` without the empty one, `finite` only finite ones.
    Power {
        of: V,
        some: bool,
        finite: bool,
    },
    /// Relations or functions.
    Space {
        op: Op,
        from: V,
        to: V,
    },
    /// Sequences.
    Sequences {
        op: Op,
        of: V,
    },
    /// Records with fields from these sets.
    Struct(Vec<V>),
    /// Pairs.
    Product(V, V),
    /// A comprehension or lambda, with the values it captured.
    Closure(Closure, Arc<[V]>),
    Union(V, V),
    Inter(V, V),
    Minus(V, V),
    /// Two relations with their types.
    Compose(V, TyId, V, TyId),
    /// A relation with its type.
    Inverse(V, TyId),
    /// `set <| relation` and its relatives.
    Restrict {
        op: Op,
        set: V,
        relation: V,
    },
    Override(V, V),
    Identity(V),
    /// `succ` and `pred`: add this.
    Shift(i64),
    /// `prj1` or `prj2` of a product.
    Projection {
        first: bool,
        left: V,
        right: V,
    },
    Domain(V),
    Range(V),
    /// The constructor of a free type as a function.
    Constructor(FreeId, u32),
    /// The identity of the whole type and this relation.
    Reflexive(V),
    /// Trees with labels from a set.
    Trees {
        binary: bool,
        of: V,
    },
}

/// The code of a comprehension or lambda.
pub(crate) struct ClosureCode {
    /// Its expression.
    pub id: u32,
    pub binder: Binder,
    pub names: Vec<LocalId>,
    /// The type of the tuple of names.
    pub tuple: TyId,
    pub predicate: F<bool>,
    pub value: Option<F<V>>,
    /// Lists the valuations of the names.
    pub plan: Plan,
    /// Locals and slots whose values are captured, in the order of the captured values.
    pub locals: Vec<LocalId>,
    pub slots: Vec<usize>,
    /// Every local that is bound inside: saved around a call, since functions may be recursive.
    pub inner: Vec<LocalId>,
}

/// Code compared by its expression.
#[derive(Clone)]
pub(crate) struct Closure(pub Arc<ClosureCode>);

impl std::fmt::Debug for Closure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "closure #{}", self.0.id)
    }
}
impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        self.0.id == other.0.id
    }
}
impl Eq for Closure {}
impl PartialOrd for Closure {
    fn partial_cmp(&self, other: &Closure) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Closure {
    fn cmp(&self, other: &Closure) -> Ordering {
        self.0.id.cmp(&other.0.id)
    }
}
impl Hash for Closure {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

/// A symbolic set as a value.
pub(crate) fn sym(ty: TyId, kind: SymKind) -> V {
    V::Sym(Arc::new(Sym { ty, kind }))
}

impl Cx<'_> {
    /// Whether `x` is an element of a set.
    pub(crate) fn member(&mut self, x: &V, set: &V) -> R<bool> {
        match set {
            V::Word(mask) => Ok(mask >> x.word() & 1 == 1),
            V::Wide(_) => Ok(set.wide() >> x.word() & 1 == 1),
            V::Set(elements) => {
                if self.has_symbolic(x) {
                    for element in elements.iter() {
                        if self.equal(x, element)? {
                            return Ok(true);
                        }
                    }
                    return Ok(false);
                }
                Ok(elements.binary_search(x).is_ok())
            }
            V::Sym(sym) => base::deep::recurse(|| self.member_symbolic(sym, x)),
            _ => Ok(false),
        }
    }

    fn has_symbolic(&self, value: &V) -> bool {
        match value {
            V::Sym(_) => true,
            V::Pair(pair) => self.has_symbolic(&pair.0) || self.has_symbolic(&pair.1),
            V::Rec(fields) => fields.iter().any(|field| self.has_symbolic(field)),
            _ => false,
        }
    }

    fn member_symbolic(&mut self, sym: &Sym, x: &V) -> R<bool> {
        let reps = self.reps();
        let element = reps.element(sym.ty);
        Ok(match &sym.kind {
            SymKind::All => true,
            SymKind::AtLeast(least) => x.cmp_number(&V::Int(*least)).is_ge(),
            SymKind::Interval(low, high) => x.cmp_number(low).is_ge() && x.cmp_number(high).is_le(),
            SymKind::Power { of, some, finite } => {
                if *some && self.is_empty_set(x)? {
                    return Ok(false);
                }
                if *finite && self.is_infinite(x)? {
                    return Ok(false);
                }
                self.subset(element, x, of)?
            }
            SymKind::Space { op, from, to } => self.in_space(*op, element, x, from, to)?,
            SymKind::Sequences { op, of } => self.in_sequences(*op, element, x, of)?,
            SymKind::Struct(sets) => {
                let fields = reps.record_fields(element, x);
                for (i, set) in sets.iter().enumerate() {
                    if !self.member(&fields[i], set)? {
                        return Ok(false);
                    }
                }
                true
            }
            SymKind::Product(left, right) => {
                let (a, b) = reps.split(element, x);
                self.member(&a, left)? && self.member(&b, right)?
            }
            SymKind::Closure(code, env) => self.in_closure(sym.ty, code, env, x)?,
            SymKind::Union(a, b) => self.member(x, a)? || self.member(x, b)?,
            SymKind::Inter(a, b) => self.member(x, a)? && self.member(x, b)?,
            SymKind::Minus(a, b) => self.member(x, a)? && !self.member(x, b)?,
            SymKind::Inverse(relation, ty) => {
                let (a, b) = reps.split(element, x);
                let swapped = reps.join(reps.element(*ty), b, a);
                self.member(&swapped, relation)?
            }
            SymKind::Restrict { op, set, relation } => {
                let (a, b) = reps.split(element, x);
                let (side, wanted) = match op {
                    Op::DomainRestriction => (a, true),
                    Op::DomainSubtraction => (a, false),
                    Op::RangeRestriction => (b, true),
                    _ => (b, false),
                };
                self.member(x, relation)? && self.member(&side, set)? == wanted
            }
            SymKind::Override(below, above) => {
                let left = reps.left(element, x);
                if self.in_domain(sym.ty, &left, above)? {
                    self.member(x, above)?
                } else {
                    self.member(x, below)?
                }
            }
            SymKind::Identity(set) => {
                let (a, b) = reps.split(element, x);
                self.equal(&a, &b)? && self.member(&a, set)?
            }
            SymKind::Shift(by) => {
                let (a, b) = reps.split(element, x);
                a.to_big() + by == b.to_big()
            }
            SymKind::Projection { first, left, right } => {
                let (pair, value) = reps.split(element, x);
                let (ty, _) = reps.parts(element);
                let (a, b) = reps.split(ty, &pair);
                self.member(&a, left)?
                    && self.member(&b, right)?
                    && self.equal(&value, if *first { &a } else { &b })?
            }
            SymKind::Domain(relation) => match relation {
                V::Sym(inner) => self.in_domain(inner.ty, x, relation)?,
                _ => false,
            },
            SymKind::Compose(first, first_ty, second, second_ty) => {
                let (a, c) = reps.split(element, x);
                let middle = self.image_of(*first_ty, first, &a)?;
                let pair = reps.element(*second_ty);
                for b in middle {
                    let wanted = reps.join(pair, b, c.clone());
                    if self.member(&wanted, second)? {
                        return Ok(true);
                    }
                }
                false
            }
            SymKind::Constructor(_, constructor) => {
                let (a, b) = reps.split(element, x);
                b == V::Free(*constructor, Some(Arc::new(a)))
            }
            SymKind::Reflexive(relation) => {
                let (a, b) = reps.split(element, x);
                self.equal(&a, &b)? || self.member(x, relation)?
            }
            SymKind::Trees { binary, of } => self.in_trees(element, x, of, *binary)?,
            SymKind::Range(_) => {
                let listed = self.list_symbolic(&V::Sym(Arc::new(sym.clone())))?;
                listed.binary_search(x).is_ok()
            }
        })
    }

    /// Runs `body` where the closure's captured values are in place and its own locals are saved.
    pub(crate) fn in_closure_env<T>(
        &mut self,
        code: &ClosureCode,
        env: &[V],
        body: impl FnOnce(&mut Cx<'_>) -> R<T>,
    ) -> R<T> {
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
        let result = base::deep::recurse(|| body(self));
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

    fn in_closure(&mut self, ty: TyId, code: &Closure, env: &[V], x: &V) -> R<bool> {
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
                let listed = self.list_symbolic(&sym(
                    ty,
                    SymKind::Closure(Closure(Arc::new(code.share())), env.into()),
                ))?;
                Ok(listed.binary_search(x).is_ok())
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
                    Ok(self.member(x, left)? && !self.is_empty_set(right)?)
                }
                SymKind::Projection { left, right, .. } => {
                    let (a, b) = reps.split(reps.parts(pair).0, x);
                    Ok(self.member(&a, left)? && self.member(&b, right)?)
                }
                SymKind::Union(a, b) | SymKind::Override(a, b) => {
                    Ok(self.in_domain(ty, x, a)? || self.in_domain(ty, x, b)?)
                }
                SymKind::Restrict {
                    op: Op::DomainRestriction,
                    set,
                    relation,
                } => Ok(self.member(x, set)? && self.in_domain(ty, x, relation)?),
                SymKind::Restrict {
                    op: Op::DomainSubtraction,
                    set,
                    relation,
                } => Ok(!self.member(x, set)? && self.in_domain(ty, x, relation)?),
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
        if let V::Set(elements) = function {
            let reps = self.reps();
            let pair = reps.element(ty);
            let start = elements.partition_point(|e| reps.is_left_below(pair, e, x));
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
            SymKind::Reflexive(inner) => {
                let mut images = self.image_of(ty, inner, x)?;
                images.push(x.clone());
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
            SymKind::Closure(code, env)
                if code.0.binder == Binder::Comprehension && code.0.names.len() > 1 =>
            {
                return self.closure_images(code, env, x);
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

    /// The values `y` with `(x, y)` in a comprehension: its last name ranges over the candidates that its
    /// plan generates when they can be listed.
    fn closure_images(&mut self, code: &Closure, env: &[V], x: &V) -> R<Vec<V>> {
        let reps = self.reps();
        let code = &*code.0;
        let tuple = code.tuple;
        let mut images = Vec::new();
        self.in_closure_env(code, env, |cx| {
            code.plan.run(cx, &mut |cx| {
                let value = cx.tuple(&code.names, tuple);
                let (left, right) = reps.split(tuple, &value);
                if left == *x {
                    images.push(right);
                }
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
                let start = elements.partition_point(|e| reps.is_left_below(pair, e, x));
                Ok(elements[start..]
                    .iter()
                    .take_while(|e| reps.has_left(pair, e, x))
                    .map(|e| reps.right(pair, e))
                    .collect())
            }
            _ => Ok(Vec::new()),
        }
    }

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
                    && !(*op == Op::DomainRestriction && !self.is_infinite(set)?)
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

impl ClosureCode {
    fn share(&self) -> ClosureCode {
        ClosureCode {
            id: self.id,
            binder: self.binder,
            names: self.names.clone(),
            tuple: self.tuple,
            predicate: self.predicate.clone(),
            value: self.value.clone(),
            plan: self.plan.clone(),
            locals: self.locals.clone(),
            slots: self.slots.clone(),
            inner: self.inner.clone(),
        }
    }
}

/// What the members of a set of relations have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space {
    pub functional: bool,
    pub total: bool,
    pub injective: bool,
    pub surjective: bool,
}

impl Space {
    pub(crate) fn of(op: Op) -> Space {
        use Op::*;
        Space {
            functional: !matches!(
                op,
                Relations | TotalRelations | SurjectiveRelations | TotalSurjectiveRelations
            ),
            total: matches!(
                op,
                TotalRelations
                    | TotalSurjectiveRelations
                    | TotalFunctions
                    | TotalInjections
                    | TotalSurjections
                    | TotalBijections
            ),
            injective: matches!(
                op,
                PartialInjections | TotalInjections | PartialBijections | TotalBijections
            ),
            surjective: matches!(
                op,
                SurjectiveRelations
                    | TotalSurjectiveRelations
                    | PartialSurjections
                    | TotalSurjections
                    | PartialBijections
                    | TotalBijections
            ),
        }
    }
}

fn sym_of(set: &V) -> R<&Arc<Sym>> {
    match set {
        V::Sym(sym) => Ok(sym),
        _ => Err(Cause::Undecided.trap()),
    }
}
