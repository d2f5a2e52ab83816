//! Sets that are not listed: infinite ones, function spaces, products, lambdas over numbers.
//!
//! They answer membership, application and inclusion without being built; [`crate::enumerate`] lists them
//! when they turn out to be finite.
//! Invariant: a closure carries the values of every local and variable it reads, so its meaning does not
//! change with the state; constants are read where they stand.

mod alike;
mod apply;
mod decide;
mod origins;
mod spaces;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use lang_math::{Binder, Op};
use model::{FreeId, LocalId, TyId};

use crate::cx::{Cx, F, R};
use crate::plan::Plan;
use crate::value::{Row, V};
pub(crate) use apply::position;
pub(crate) use origins::Origins;

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
    /// The transitive closure of a relation that is not listed.
    Closure1(V),
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
    /// Whether the value is the same for all valuations of the names.
    pub is_constant: bool,
    /// Lists the valuations of the names.
    pub plan: Plan,
    /// Lists the values of the last name of a comprehension when the others are known.
    pub images: Option<Plan>,
    /// Finds valuations of the names by the value part.
    pub origins: Option<Arc<Origins>>,
    /// Its tuples, when they are integers that linear arithmetic tells of.
    pub tuples: Option<Arc<crate::arithmetic::Among>>,
    /// The set that the names range over, when the predicate says nothing else.
    pub ranges: Option<F<V>>,
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
                    let mut found = Ok(false);
                    for element in elements.iter() {
                        found = self.or(found, |cx| cx.equal(x, element));
                    }
                    return found;
                }
                Ok(elements.binary_search(x).is_ok())
            }
            V::Row(shape, bits) => Ok(Row::from_parts(*shape, *bits).has(x)),
            V::Sym(sym) => match (&sym.kind, x) {
                (SymKind::Interval(V::Int(low), V::Int(high)), V::Int(x)) => {
                    Ok(low <= x && x <= high)
                }
                _ => base::deep::recurse(|| self.member_symbolic(sym, x)),
            },
            _ => Ok(false),
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
                if *finite && self.is_endless(x)? {
                    return Ok(false);
                }
                self.subset(element, x, of)?
            }
            SymKind::Space { op, from, to } => self.in_space(*op, element, x, from, to)?,
            SymKind::Sequences { op, of } => self.in_sequences(*op, element, x, of)?,
            SymKind::Struct(sets) => {
                let fields = reps.record_fields(element, x);
                let mut inside = Ok(true);
                for (i, set) in sets.iter().enumerate() {
                    inside = self.and(inside, |cx| cx.member(&fields[i], set));
                }
                inside?
            }
            SymKind::Product(left, right) => {
                let (a, b) = reps.split(element, x);
                self.both_members((&a, left), (&b, right))?
            }
            SymKind::Closure(code, env) => self.in_closure(sym.ty, code, env, x)?,
            SymKind::Union(a, b) => {
                let inside = self.member(x, a);
                self.or(inside, |cx| cx.member(x, b))?
            }
            SymKind::Inter(a, b) => self.both_members((x, a), (x, b))?,
            SymKind::Minus(a, b) => {
                let inside = self.member(x, a);
                self.and(inside, |cx| Ok(!cx.member(x, b)?))?
            }
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
                let inside = self.member(x, relation);
                self.and(inside, |cx| Ok(cx.member(&side, set)? == wanted))?
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
                let equal = self.equal(&a, &b);
                self.and(equal, |cx| cx.member(&a, set))?
            }
            SymKind::Shift(by) => {
                let (a, b) = reps.split(element, x);
                a.to_big() + by == b.to_big()
            }
            SymKind::Projection { first, left, right } => {
                let (pair, value) = reps.split(element, x);
                let (ty, _) = reps.parts(element);
                let (a, b) = reps.split(ty, &pair);
                let inside = self.both_members((&a, left), (&b, right));
                self.and(inside, |cx| cx.equal(&value, if *first { &a } else { &b }))?
            }
            SymKind::Domain(relation) => match relation {
                V::Sym(inner) => self.in_domain(inner.ty, x, relation)?,
                _ => false,
            },
            SymKind::Compose(first, first_ty, second, second_ty) => {
                let (a, c) = reps.split(element, x);
                let middle = self.image_of(*first_ty, first, &a)?;
                let pair = reps.element(*second_ty);
                let mut found = Ok(false);
                for b in middle {
                    let wanted = reps.join(pair, b, c.clone());
                    found = self.or(found, |cx| cx.member(&wanted, second));
                }
                found?
            }
            SymKind::Constructor(_, constructor) => {
                let (a, b) = reps.split(element, x);
                b == V::Free(*constructor, Some(Arc::new(a)))
            }
            SymKind::Reflexive(relation) => {
                let (a, b) = reps.split(element, x);
                let equal = self.equal(&a, &b);
                self.or(equal, |cx| cx.member(x, relation))?
            }
            SymKind::Closure1(_) => {
                let (a, b) = reps.split(element, x);
                let relation = V::Sym(Arc::new(sym.clone()));
                self.image_of(sym.ty, &relation, &a)?.contains(&b)
            }
            SymKind::Trees { binary, of } => self.in_trees(element, x, of, *binary)?,
            SymKind::Range(V::Sym(inner)) if let SymKind::Constructor(_, wanted) = inner.kind => {
                matches!(x, V::Free(found, Some(_)) if *found == wanted)
            }
            SymKind::Range(relation @ V::Sym(inner))
                if let SymKind::Restrict {
                    relation: whole, ..
                } = &inner.kind
                    && matches!(whole, V::Sym(whole) if matches!(whole.kind, SymKind::Constructor(..))) =>
            {
                let pair = reps.element(inner.ty);
                let mut found = Ok(false);
                for argument in self.arguments_for(inner.ty, whole, x)? {
                    let wanted = reps.join(pair, argument, x.clone());
                    found = self.or(found, |cx| cx.member(&wanted, relation));
                }
                found?
            }
            SymKind::Range(V::Sym(inner))
                if let SymKind::Closure(code, env) = &inner.kind
                    && code.0.origins.is_some()
                    && let Some(answer) = self.has_value(&code.0, env, x) =>
            {
                answer?
            }
            SymKind::Range(_) => {
                let set = V::Sym(Arc::new(sym.clone()));
                !self.sample(&set, &mut |cx, y| Ok(!cx.equal(x, &y)?))?
            }
        })
    }

    fn both_members(&mut self, first: (&V, &V), second: (&V, &V)) -> R<bool> {
        let inside = self.member(first.0, first.1);
        self.and(inside, |cx| cx.member(second.0, second.1))
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
            is_constant: self.is_constant,
            plan: self.plan.clone(),
            images: self.images.clone(),
            origins: self.origins.clone(),
            tuples: self.tuples.clone(),
            ranges: self.ranges.clone(),
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
    /// Whether no relation between parts of two sets is between the sets: of one that is cut every element is needed.
    pub(crate) fn needs_whole(self, from_is_cut: bool, to_is_cut: bool) -> bool {
        self.total && from_is_cut || self.surjective && to_is_cut
    }

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
