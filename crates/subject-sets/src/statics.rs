//! Finds the constants by which ProB's static symmetry detection thins out set-ups (`--symmetry static`).
//!
//! A set is used once: by the first total bijection to or from it, else by its scalar constants, those that are
//! known to be different first, else by the first partition of it into constants.
//! A bijection with a set whose elements can be listed is given its value before constants are solved: it would have
//! as many solutions as its set has permutations.
//! Invariant: rules are about different sets, so together they keep one set-up of every orbit at least.

use std::sync::Arc;

use base::Span;
use lang_math::Op;
use model::sorts::SortSymmetry;
use model::{Conjunct, Expr, ExprId, Kind, Model, SortId, SortOrigin, Ty, TyId, VarId};
use reduce::symmetry::Rule;
use subject::symmetry::Statics;

/// Bijections that get their values: the constant, and what it maps to what.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pins(Vec<(VarId, Vec<(Literal, Literal)>)>);

/// A value that can be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Literal {
    Int(i64),
    Bool(bool),
    Element(SortId, u32),
    Pair(Box<Literal>, Box<Literal>),
    Set(Vec<Literal>),
}

/// Sets with more elements are not listed.
const MOST_LISTED: usize = 4096;

impl Pins {
    /// The model with the values that bijections get, where there are any.
    pub(crate) fn pinned(&self, model: &Model) -> Option<Model> {
        if self.0.is_empty() {
            return None;
        }
        let mut model = model.clone();
        for (constant, pairs) in &self.0 {
            let declared = &model.variables[*constant];
            let (ty, span) = (declared.ty, declared.span);
            let Ty::Pow(pair) = model.tys[ty] else {
                continue;
            };
            let Ty::Prod(left_ty, right_ty) = model.tys[pair] else {
                continue;
            };
            let mut listed = Vec::new();
            for (left, right) in pairs {
                let left = left.expr(&mut model, left_ty, span);
                let right = right.expr(&mut model, right_ty, span);
                let kind = Kind::Op(Op::Maplet, [left, right].into());
                listed.push(model.exprs.push(Expr {
                    kind,
                    ty: Some(pair),
                    span,
                }));
            }
            let mut add = |kind: Kind, ty: Option<TyId>| model.exprs.push(Expr { kind, ty, span });
            let graph = add(Kind::Op(Op::SetExtension, listed.into()), Some(ty));
            let constant = add(Kind::Var(*constant), Some(ty));
            let predicate = add(Kind::Op(Op::Equal, [constant, graph].into()), None);
            model.properties.push(Conjunct {
                predicate,
                label: None,
                span,
            });
        }
        Some(model)
    }
}

impl Literal {
    fn expr(&self, model: &mut Model, ty: TyId, span: Span) -> ExprId {
        let kind = match (self, &model.tys[ty]) {
            (Literal::Int(value), _) => Kind::Int((*value).into()),
            (Literal::Bool(true), _) => Kind::Op(Op::True, [].into_iter().collect()),
            (Literal::Bool(false), _) => Kind::Op(Op::False, [].into_iter().collect()),
            (Literal::Element(sort, at), _) => Kind::Element(*sort, *at),
            (Literal::Pair(left, right), Ty::Prod(left_ty, right_ty)) => {
                let (left_ty, right_ty) = (*left_ty, *right_ty);
                let left = left.expr(model, left_ty, span);
                let right = right.expr(model, right_ty, span);
                Kind::Op(Op::Maplet, [left, right].into())
            }
            (Literal::Set(elements), Ty::Pow(element)) if !elements.is_empty() => {
                let element = *element;
                let all = elements.iter().map(|e| e.expr(model, element, span));
                Kind::Op(Op::SetExtension, all.collect())
            }
            (Literal::Pair(..) | Literal::Set(_), _) => {
                Kind::Op(Op::EmptySet, [].into_iter().collect())
            }
        };
        model.exprs.push(Expr {
            kind,
            ty: Some(ty),
            span,
        })
    }
}

/// The rules for a model.
pub(crate) fn rules(model: &Model, sorts: &[SortSymmetry]) -> Statics {
    let mut conjuncts = Vec::new();
    for conjunct in &model.properties {
        split(model, conjunct.predicate, &mut conjuncts);
    }
    let mut finder = Finder {
        model,
        // Only sets without a list of their elements, all of which are interchangeable, and none has a name.
        fresh: sorts
            .iter()
            .zip(model.tys.sorts.iter())
            .map(|(sort, (_, declared))| {
                let is_listed = !matches!(
                    declared.origin,
                    SortOrigin::Deferred | SortOrigin::Parameter
                );
                let is_free = sort.interchangeable() == sort.classes.len();
                !is_listed && (sort.classes.len() == 1 || is_free)
            })
            .collect(),
        rules: Vec::new(),
        pins: Vec::new(),
    };
    for conjunct in &conjuncts {
        finder.bijection(*conjunct);
    }
    let has_no_setup = finder.scalars(&conjuncts);
    for conjunct in &conjuncts {
        finder.partition(*conjunct, &conjuncts);
    }
    Statics {
        rules: finder.rules,
        has_no_setup,
        found: Arc::new(Pins(finder.pins)),
    }
}

struct Finder<'m> {
    model: &'m Model,
    /// Sets that no rule uses yet.
    fresh: Vec<bool>,
    rules: Vec<Rule>,
    pins: Vec<(VarId, Vec<(Literal, Literal)>)>,
}

impl Finder<'_> {
    /// `f : S >->> T`
    fn bijection(&mut self, conjunct: ExprId) {
        let Some((Op::Member, [constant, space])) = self.op(conjunct) else {
            return;
        };
        let (Some(constant), Some((Op::TotalBijections, [left, right]))) =
            (self.constant(constant), self.op(space))
        else {
            return;
        };
        let sides = [left, right].map(|side| self.carrier(side));
        // The other side is the same in every set-up.
        let listed = [left, right].map(|side| self.listed(side));
        let is_known = |side: ExprId| {
            let is_listed = listed[usize::from(side == right)].is_some();
            is_listed || matches!(self.op(side), Some((Op::Interval, _)))
        };
        if !is_known(left) || !is_known(right) {
            return;
        }
        // A permutation of one set cannot be straightened: renaming moves both sides.
        if sides[0] == sides[1] {
            return;
        }
        let is_fresh = |side: Option<SortId>| side.is_some_and(|sort| self.fresh[sort.index()]);
        let is_right = is_fresh(sides[1]);
        if !is_right && !is_fresh(sides[0]) {
            return;
        }
        for sort in sides.into_iter().flatten() {
            self.fresh[sort.index()] = false;
        }
        match listed {
            [Some(left), Some(right)] if left.len() == right.len() => {
                let pairs = left.into_iter().zip(right).collect();
                self.pins.push((constant, pairs));
            }
            _ => self.rules.push(Rule::Bijection {
                slot: constant.index(),
                is_right,
            }),
        }
    }

    /// The elements of a set that are the same in every set-up, if they are not too many.
    fn listed(&self, set: ExprId) -> Option<Vec<Literal>> {
        let model = self.model;
        let all: Vec<Literal> = match &model.exprs[set].kind {
            Kind::Carrier(sort) => {
                let size = u32::try_from(model.tys.sorts[*sort].elements.len()).ok()?;
                (0..size).map(|at| Literal::Element(*sort, at)).collect()
            }
            Kind::Op(Op::Booleans, _) => vec![Literal::Bool(false), Literal::Bool(true)],
            Kind::Op(Op::Interval, args) => {
                let (first, last) = (self.integer(args[0])?, self.integer(args[1])?);
                if last.checked_sub(first)? > MOST_LISTED as i64 {
                    return None;
                }
                (first..=last).map(Literal::Int).collect()
            }
            Kind::Op(Op::Cartesian, args) => {
                let left = base::deep::recurse(|| self.listed(args[0]))?;
                let right = base::deep::recurse(|| self.listed(args[1]))?;
                if left.len().saturating_mul(right.len()) > MOST_LISTED {
                    return None;
                }
                let pair =
                    |l: &Literal, r: &Literal| Literal::Pair(l.clone().into(), r.clone().into());
                let lefts = left.iter();
                lefts
                    .flat_map(|l| right.iter().map(move |r| pair(l, r)))
                    .collect()
            }
            Kind::Op(Op::PowerSet, args) => {
                let elements = base::deep::recurse(|| self.listed(args[0]))?;
                if elements.len() >= MOST_LISTED.ilog2() as usize {
                    return None;
                }
                let chosen = |bits: usize| {
                    let picked = elements.iter().enumerate();
                    let picked = picked.filter(|(at, _)| bits >> at & 1 == 1);
                    Literal::Set(picked.map(|(_, element)| element.clone()).collect())
                };
                (0..1usize << elements.len()).map(chosen).collect()
            }
            _ => return None,
        };
        (all.len() <= MOST_LISTED).then_some(all)
    }

    /// The value of an integer that is the same in every set-up.
    fn integer(&self, id: ExprId) -> Option<i64> {
        match &self.model.exprs[id].kind {
            Kind::Int(value) => i64::try_from(value).ok(),
            Kind::Op(Op::Negate, args) => self.integer(args[0])?.checked_neg(),
            Kind::Op(Op::Card, args) => {
                let sort = self.carrier(args[0])?;
                i64::try_from(self.model.tys.sorts[sort].elements.len()).ok()
            }
            Kind::Op(Op::Add, args) => {
                let left = self.integer(args[0])?;
                left.checked_add(self.integer(args[1])?)
            }
            Kind::Op(Op::Minus, args) => {
                let left = self.integer(args[0])?;
                left.checked_sub(self.integer(args[1])?)
            }
            _ => None,
        }
    }

    /// `A \/ B = S` with `A /\ B = {}`, or `partition(S, A, B, …)`
    fn partition(&mut self, conjunct: ExprId, all: &[ExprId]) {
        let (sort, parts) = match &self.model.exprs[conjunct].kind {
            Kind::Op(Op::Partition, args) => {
                let parts: Option<Vec<VarId>> =
                    args[1..].iter().map(|arg| self.constant(*arg)).collect();
                (self.carrier(args[0]), parts)
            }
            Kind::Op(Op::Equal, args) => {
                let (a, b) = (args[0], args[1]);
                let (union, whole) = if self.carrier(b).is_some() {
                    (a, b)
                } else {
                    (b, a)
                };
                let Some((Op::Union, parts)) = self.op(union) else {
                    return;
                };
                let parts = [self.constant(parts[0]), self.constant(parts[1])];
                let [Some(a), Some(b)] = parts else { return };
                if !all.iter().any(|conjunct| self.is_disjoint(*conjunct, a, b)) {
                    return;
                }
                (self.carrier(whole), Some(vec![a, b]))
            }
            _ => return,
        };
        let (Some(sort), Some(parts)) = (sort, parts) else {
            return;
        };
        if std::mem::take(&mut self.fresh[sort.index()]) {
            let slots = parts.iter().map(|part| part.index());
            self.rules.push(Rule::Partition(slots.collect()));
        }
    }

    /// `a /\ b = {}`
    fn is_disjoint(&self, conjunct: ExprId, a: VarId, b: VarId) -> bool {
        let Some((Op::Equal, [left, right])) = self.op(conjunct) else {
            return false;
        };
        [(left, right), (right, left)].iter().any(|(meet, empty)| {
            let is_empty = matches!(self.model.exprs[*empty].kind, Kind::Op(Op::EmptySet, _));
            let Some((Op::Intersection, [x, y])) = self.op(*meet) else {
                return false;
            };
            let both = (self.constant(x), self.constant(y));
            is_empty && (both == (Some(a), Some(b)) || both == (Some(b), Some(a)))
        })
    }

    /// Scalar constants; whether there are no others, and nothing is said of them but what they are.
    fn scalars(&mut self, conjuncts: &[ExprId]) -> bool {
        let model = self.model;
        let mut named: Vec<VarId> = Vec::new();
        let mut used: Vec<SortId> = Vec::new();
        for (sort, declared) in model.tys.sorts.iter() {
            if !self.fresh[sort.index()] {
                continue;
            }
            let constants = model.variables.iter();
            let scalars: Vec<VarId> = constants
                .filter(|(_, v)| v.is_constant && model.tys[v.ty] == Ty::Sort(sort))
                .map(|(id, _)| id)
                .collect();
            let mut known: Vec<VarId> = Vec::new();
            for scalar in &scalars {
                let differs = |other: &VarId| {
                    let mut all = conjuncts.iter();
                    all.any(|conjunct| self.is_different(*conjunct, *scalar, *other))
                };
                if known.iter().all(differs) {
                    known.push(*scalar);
                }
            }
            // Parameters of a machine are no names.
            if declared.origin != SortOrigin::Parameter {
                named.extend(&known);
            }
            let rest = scalars.iter().filter(|scalar| !known.contains(scalar));
            let slots: Vec<usize> = known.iter().chain(rest).map(|id| id.index()).collect();
            if !slots.is_empty() {
                self.rules.push(Rule::Scalars(slots));
                used.push(sort);
            }
        }
        for sort in used {
            self.fresh[sort.index()] = false;
        }
        let mut constants = model.variables.iter().filter(|(_, v)| v.is_constant);
        let says_nothing = |conjunct: &ExprId| match self.op(*conjunct) {
            Some((Op::Member, [constant, set])) => {
                self.constant(constant).is_some() && self.carrier(set).is_some()
            }
            Some((Op::NotEqual, [a, b])) => {
                self.constant(a).is_some() && self.constant(b).is_some()
            }
            // ProB keeps the step where a partition names elements.
            Some((Op::Partition, _)) => false,
            _ => model.only_names(*conjunct),
        };
        !named.is_empty()
            && constants.all(|(id, _)| named.contains(&id))
            && conjuncts.iter().all(says_nothing)
    }

    /// `a /= b`
    fn is_different(&self, conjunct: ExprId, a: VarId, b: VarId) -> bool {
        let Some((Op::NotEqual, [x, y])) = self.op(conjunct) else {
            return false;
        };
        let both = (self.constant(x), self.constant(y));
        both == (Some(a), Some(b)) || both == (Some(b), Some(a))
    }

    /// A binary operator with its operands.
    fn op(&self, id: ExprId) -> Option<(Op, [ExprId; 2])> {
        match &self.model.exprs[id].kind {
            Kind::Op(op, args) => Some((*op, [*args.first()?, *args.get(1)?])),
            _ => None,
        }
    }

    fn constant(&self, id: ExprId) -> Option<VarId> {
        match self.model.exprs[id].kind {
            Kind::Var(var) if self.model.variables[var].is_constant => Some(var),
            _ => None,
        }
    }

    fn carrier(&self, id: ExprId) -> Option<SortId> {
        match self.model.exprs[id].kind {
            Kind::Carrier(sort) => Some(sort),
            _ => None,
        }
    }
}

/// The conjuncts of a predicate.
fn split(model: &Model, id: ExprId, found: &mut Vec<ExprId>) {
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        match &model.exprs[id].kind {
            Kind::Op(Op::And, args) => pending.extend(args.iter().rev()),
            _ => found.push(id),
        }
    }
}
