//! Turns predicates over unknowns into a flat problem, by evaluating them on values that are not known yet.
//!
//! Technique: partial evaluation. What has no unknowns is computed (by the caller's evaluator), quantifiers over
//! ranges that are known are expanded, and every operator has a version on [`Sym`].
//! Invariant: an expression gives a value for every valuation of the unknowns, and a literal that says whether it
//! is defined there; what this crate has no version for is given up, never approximated.

mod apply;
mod binders;
mod equality;
mod evaluate;
mod member;
mod predicates;
pub(crate) mod ranges;
mod relations;
mod select;
mod sets;
mod shape;
mod sources;

use std::rc::Rc;

use model::{ExprId, Kind, LocalId, Model, Ty, TyId, Value, VarId};
use rustc_hash::FxHashMap;

use crate::flat::{Lit, Problem};
use crate::sym::Sym;
use crate::{Answer, Ground, Unknown};

/// Why a formula was not flattened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Giveup {
    /// There is no version of this for unknown values.
    Unknown(ExprId),
    /// The result would be too large.
    TooLarge,
    /// Whether a quantified formula is defined is not certain: it has to be flattened with more care.
    Doubtful,
    /// Something ranges over values without end.
    Endless(String),
}

impl Giveup {
    /// In words.
    pub fn reason(&self, model: &Model) -> String {
        match self {
            Giveup::Unknown(expr) => {
                let span = model.exprs[*expr].span;
                format!("the solver does not know the expression at {span:?}")
            }
            Giveup::TooLarge => "the problem is too large for the solver".to_owned(),
            Giveup::Doubtful => "the solver cannot tell where a formula is defined".to_owned(),
            Giveup::Endless(name) => format!("`{name}` has no bounds"),
        }
    }
}

/// The result of flattening.
pub type Res<T> = Result<T, Giveup>;

/// The truth of a predicate and whether it has one.
#[derive(Clone, Copy, Debug)]
pub struct Pred {
    /// Whether it holds, where it is defined.
    pub truth: Lit,
    /// Whether it is defined.
    pub def: Lit,
}

impl Pred {
    fn total(truth: Lit) -> Pred {
        Pred {
            truth,
            def: Lit::True,
        }
    }
}

/// What an expression reads.
#[derive(Debug, Default)]
struct Free {
    locals: Vec<LocalId>,
    vars: Vec<VarId>,
}

/// The most literals and constraints that are built for one problem.
const MOST: usize = 3_000_000;

/// The most elements of a set whose elements are considered one by one.
const MOST_ELEMENTS: usize = 200_000;

/// Builds a problem.
pub struct Flatten<'a> {
    model: &'a Model,
    ground: &'a mut dyn Ground,
    /// The problem built so far.
    pub problem: Problem,
    locals: FxHashMap<LocalId, Sym>,
    vars: FxHashMap<VarId, Sym>,
    unknowns: Vec<Unknown>,
    free: FxHashMap<ExprId, Rc<Free>>,
    closed: FxHashMap<ExprId, Answer>,
    closed_vars: FxHashMap<VarId, Answer>,
    /// Conditions under which what was evaluated so far is defined.
    defs: Vec<Lit>,
    /// Whether quantified formulas are never required instance by instance.
    careful: bool,
    /// Whether what proposes values may be undefined.
    pub(crate) is_doubtful: bool,
    /// Whether a solution may come several times.
    pub repeats: bool,
    /// Whether new integers may have no bounds.
    pub(crate) makes_wide: bool,
    work: usize,
    /// How much of it is allowed.
    most: usize,
}

impl<'a> Flatten<'a> {
    /// Nothing built yet.
    pub fn new(model: &'a Model, ground: &'a mut dyn Ground, unknowns: &[Unknown]) -> Flatten<'a> {
        Flatten {
            model,
            ground,
            problem: Problem::default(),
            locals: FxHashMap::default(),
            vars: FxHashMap::default(),
            unknowns: unknowns.to_vec(),
            free: FxHashMap::default(),
            closed: FxHashMap::default(),
            closed_vars: FxHashMap::default(),
            defs: Vec::new(),
            careful: false,
            is_doubtful: false,
            repeats: false,
            makes_wide: false,
            work: 0,
            most: MOST,
        }
    }

    /// Allows so much work instead of the usual amount, if it is less.
    pub fn allow(&mut self, work: u64) {
        self.most = usize::try_from(work).map_or(MOST, |work| work.min(MOST));
    }

    /// The value of an unknown.
    pub fn unknown(&self, unknown: Unknown) -> Option<&Sym> {
        match unknown {
            Unknown::Var(var) => self.vars.get(&var),
            Unknown::Local(local) => self.locals.get(&local),
        }
    }

    /// Gives an unknown its value.
    pub fn bind(&mut self, unknown: Unknown, value: Sym) {
        match unknown {
            Unknown::Var(var) => self.vars.insert(var, value),
            Unknown::Local(local) => self.locals.insert(local, value),
        };
    }

    /// The unknowns that an expression mentions.
    pub fn mentioned(&mut self, expr: ExprId) -> Vec<Unknown> {
        let free = self.free(expr);
        let unknowns = self.unknowns.iter();
        unknowns
            .filter(|unknown| match unknown {
                Unknown::Var(var) => free.vars.contains(var),
                Unknown::Local(local) => free.locals.contains(local),
            })
            .copied()
            .collect()
    }

    /// Adds a conjunct: when `half` holds it is not false. Gives back where it is defined; after an error nothing
    /// of it is in the problem.
    pub fn add(&mut self, conjunct: ExprId, negated: bool, half: Lit) -> Res<Lit> {
        let mark = self.problem.mark();
        let mut result = self.require_signed(conjunct, negated, half);
        if result == Err(Giveup::Doubtful) {
            self.problem.roll_back(mark);
            self.defs.clear();
            let mark = self.problem.mark();
            self.careful = true;
            result = self.require_signed(conjunct, negated, half);
            self.careful = false;
            if result.is_err() {
                self.problem.roll_back(mark);
            }
        } else if result.is_err() {
            self.problem.roll_back(mark);
        }
        self.problem.forget();
        self.defs.clear();
        result
    }

    fn require_signed(&mut self, conjunct: ExprId, negated: bool, half: Lit) -> Res<Lit> {
        if !negated {
            return self.require(conjunct, half);
        }
        let test = self.predicate(conjunct)?;
        self.problem.clause([!half, !test.def, !test.truth]);
        Ok(test.def)
    }

    /// The value of an expression that is defined for every valuation; `None` for others.
    pub fn total_value(&mut self, expr: ExprId) -> Res<Option<Sym>> {
        let mark = self.problem.mark();
        let value = self.with_defs(|this| this.eval(expr));
        match value {
            Ok((value, Lit::True)) => {
                self.problem.forget();
                Ok(Some(value))
            }
            Ok(_) | Err(Giveup::Unknown(_) | Giveup::Endless(_) | Giveup::Doubtful) => {
                self.problem.roll_back(mark);
                Ok(None)
            }
            Err(giveup) => {
                self.problem.roll_back(mark);
                Err(giveup)
            }
        }
    }

    /// Whether the work allowed was done.
    pub fn is_spent(&self) -> bool {
        self.work > self.most
    }

    fn kind(&self, expr: ExprId) -> &'a Kind {
        let model: &'a Model = self.model;
        &model.exprs[expr].kind
    }

    fn ty(&self, expr: ExprId) -> TyId {
        // Predicates have no type and are never asked for one.
        self.model.exprs[expr].ty.unwrap_or_else(|| TyId::new(0))
    }

    fn element_ty(&self, set: TyId) -> TyId {
        match &self.model.tys[set] {
            Ty::Pow(element) => *element,
            _ => set,
        }
    }

    fn tick(&mut self, amount: usize) -> Res<()> {
        self.work += amount;
        if self.work > self.most || self.problem.constraints.len() > self.most || self.ground.stop()
        {
            return Err(Giveup::TooLarge);
        }
        Ok(())
    }

    fn free(&mut self, expr: ExprId) -> Rc<Free> {
        if let Some(known) = self.free.get(&expr) {
            return known.clone();
        }
        let mut free = Free::default();
        match self.kind(expr) {
            Kind::Var(var) => free.vars.push(*var),
            Kind::Local(local) => free.locals.push(*local),
            kind => {
                let mut children = Vec::new();
                kind.for_each_child(|child| children.push(child));
                for child in children {
                    let part = base::deep::recurse(|| self.free(child));
                    free.locals.extend(&part.locals);
                    free.vars.extend(&part.vars);
                }
                match kind {
                    Kind::Bind { names, .. } => free.locals.retain(|local| !names.contains(local)),
                    // The value is outside the scope of the name, but names are unique.
                    Kind::Let(name, ..) => free.locals.retain(|local| local != name),
                    _ => {}
                }
                free.locals.sort_unstable();
                free.locals.dedup();
                free.vars.sort_unstable();
                free.vars.dedup();
            }
        }
        let free = Rc::new(free);
        self.free.insert(expr, free.clone());
        free
    }

    /// Whether an expression depends on no unknown, with the names bound now.
    fn is_ground(&mut self, expr: ExprId) -> bool {
        let free = self.free(expr);
        free.vars.iter().all(|var| {
            self.vars
                .get(var)
                .map_or(!self.unknowns.contains(&Unknown::Var(*var)), |sym| {
                    sym.known().is_some()
                })
        }) && free.locals.iter().all(|local| {
            self.locals
                .get(local)
                .map_or(!self.unknowns.contains(&Unknown::Local(*local)), |sym| {
                    sym.known().is_some()
                })
        })
    }

    /// Asks the caller's evaluator; unknowns that are known meanwhile are passed on.
    fn ask(&mut self, expr: ExprId) -> Answer {
        let free = self.free(expr);
        let mut bound: Vec<(Unknown, Value)> = Vec::new();
        for local in &free.locals {
            if let Some(Sym::Known(value)) = self.locals.get(local) {
                bound.push((Unknown::Local(*local), value.clone()));
            }
        }
        for var in &free.vars {
            if let Some(Sym::Known(value)) = self.vars.get(var) {
                bound.push((Unknown::Var(*var), value.clone()));
            }
        }
        if !bound.is_empty() {
            return self.ground.answer(expr, &bound);
        }
        if let Kind::Var(var) = self.kind(expr) {
            if let Some(known) = self.closed_vars.get(var) {
                return known.clone();
            }
            let answer = self.ground.answer(expr, &[]);
            self.closed_vars.insert(*var, answer.clone());
            return answer;
        }
        if let Some(known) = self.closed.get(&expr) {
            return known.clone();
        }
        let answer = self.ground.answer(expr, &[]);
        self.closed.insert(expr, answer.clone());
        answer
    }

    /// The value of an expression without unknowns; `None` when it is a set that cannot be listed.
    fn listed(&mut self, expr: ExprId) -> Res<Option<Sym>> {
        match self.ask(expr) {
            Answer::Known(value) => Ok(Some(Sym::Known(value))),
            Answer::Unlisted => Ok(None),
            Answer::Undefined => {
                self.defs.push(Lit::False);
                let ty = self.ty(expr);
                Ok(Some(Sym::Known(self.any(ty).ok_or(Giveup::Unknown(expr))?)))
            }
        }
    }

    /// Some value of a type, for what is undefined anyway.
    fn any(&self, ty: TyId) -> Option<Value> {
        Some(match &self.model.tys[ty] {
            Ty::Bool => Value::Bool(false),
            Ty::Int => Value::int(0),
            Ty::Real => Value::Real(0.0),
            Ty::Str => Value::Str("".into()),
            Ty::Sort(sort) => Value::Element(*sort, 0),
            Ty::Pow(_) => Value::Set([].into()),
            Ty::Prod(left, right) => Value::pair(self.any(*left)?, self.any(*right)?),
            Ty::Record(fields) => {
                let fields: Option<Vec<_>> = fields
                    .iter()
                    .map(|(name, ty)| Some((*name, self.any(*ty)?)))
                    .collect();
                Value::Record(fields?.into())
            }
            Ty::Free(_) => return None,
        })
    }

    /// Every value of a type, when it is finite and small.
    fn all_of_type(&self, ty: TyId) -> Option<Vec<Value>> {
        self.model.tys.size(ty, MOST_ELEMENTS as u128)?;
        Some(match &self.model.tys[ty] {
            Ty::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Ty::Sort(sort) => (0..self.model.tys.sorts[*sort].elements.len() as u32)
                .map(|i| Value::Element(*sort, i))
                .collect(),
            Ty::Prod(left, right) => {
                let rights = self.all_of_type(*right)?;
                let mut all = Vec::new();
                for a in self.all_of_type(*left)? {
                    for b in &rights {
                        all.push(Value::pair(a.clone(), b.clone()));
                    }
                }
                all
            }
            Ty::Pow(element) => {
                let elements = self.all_of_type(*element)?;
                subsets(&elements)
            }
            Ty::Record(fields) => {
                let mut all = vec![Vec::new()];
                for (name, ty) in fields {
                    all = with_field(&all, *name, &self.all_of_type(*ty)?);
                }
                records(all)
            }
            _ => return None,
        })
    }
}

/// All subsets of a short list of sorted values, sorted.
fn subsets(elements: &[Value]) -> Vec<Value> {
    let mut all = Vec::with_capacity(1 << elements.len());
    for mask in 0u64..1 << elements.len() {
        let chosen: Vec<Value> = elements
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1)
            .map(|(_, value)| value.clone())
            .collect();
        all.push(Value::Set(chosen.into()));
    }
    all.sort();
    all
}

/// The fields of a record so far.
type Fields = Vec<(base::Name, Value)>;

/// Every record so far with every value of one more field.
fn with_field(records: &[Fields], name: base::Name, values: &[Value]) -> Vec<Fields> {
    let mut all = Vec::with_capacity(records.len() * values.len());
    for record in records {
        for value in values {
            let mut record = record.clone();
            record.push((name, value.clone()));
            all.push(record);
        }
    }
    all
}

/// Records with all their fields, as values.
fn records(all: Vec<Fields>) -> Vec<Value> {
    let values = all.into_iter();
    values.map(|fields| Value::Record(fields.into())).collect()
}
