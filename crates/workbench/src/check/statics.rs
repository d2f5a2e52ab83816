//! Finds the constants by which ProB's static symmetry detection thins out set-ups (`--symmetry static`).
//!
//! A set is used once: by the first total bijection to or from it, else by the first partition of it into
//! constants, else by its scalar constants, those that are known to be different first.
//! Invariant: rules are about different sets, so together they keep one set-up of every orbit at least.

use lang_math::Op;
use model::sorts::SortSymmetry;
use model::{ExprId, Kind, Model, SortId, SortOrigin, Ty, VarId};
use reduce::symmetry::Rule;

/// What is done about set-ups.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statics {
    /// Which set-ups are kept.
    pub(super) rules: Vec<Rule>,
    /// Whether all constants have become names of elements: then ProB has no set-up step.
    pub(super) has_no_setup: bool,
}

/// The rules for a model.
pub(super) fn rules(model: &Model, sorts: &[SortSymmetry]) -> Statics {
    let mut conjuncts = Vec::new();
    for conjunct in &model.properties {
        split(model, conjunct.predicate, &mut conjuncts);
    }
    let mut finder = Finder {
        model,
        // Only sets all of whose elements are interchangeable.
        fresh: sorts
            .iter()
            .map(|sort| sort.classes.len() == 1 || sort.interchangeable() == sort.classes.len())
            .collect(),
        rules: Vec::new(),
    };
    for conjunct in &conjuncts {
        finder.bijection(*conjunct);
    }
    for conjunct in &conjuncts {
        finder.partition(*conjunct, &conjuncts);
    }
    let has_no_setup = finder.scalars(&conjuncts);
    Statics {
        rules: finder.rules,
        has_no_setup,
    }
}

struct Finder<'m> {
    model: &'m Model,
    /// Sets that no rule uses yet.
    fresh: Vec<bool>,
    rules: Vec<Rule>,
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
        let is_known = |side: ExprId| {
            self.carrier(side).is_some() || matches!(self.op(side), Some((Op::Interval, _)))
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
        self.rules.push(Rule::Bijection {
            slot: constant.index(),
            is_right,
        });
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
            }
        }
        let mut constants = model.variables.iter().filter(|(_, v)| v.is_constant);
        let says_nothing = |conjunct: &ExprId| match self.op(*conjunct) {
            Some((Op::Member, [constant, set])) => {
                self.constant(constant).is_some() && self.carrier(set).is_some()
            }
            Some((Op::NotEqual, [a, b])) => {
                self.constant(a).is_some() && self.constant(b).is_some()
            }
            _ => false,
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
