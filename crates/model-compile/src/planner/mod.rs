//! Orders the conjuncts of a predicate into generators and tests, at compile time.
//!
//! Technique: greedy join ordering. At every point each unknown that some conjunct can enumerate (an
//! equation, a membership in a set that is known by then, bounds of an integer, a pattern of pairs) is a
//! candidate; the cheapest is taken, then every test that can be decided by then. Enumerating a whole type,
//! or something without end, is the last resort.
//! Invariant: unless the manner is relaxed, a conjunct that may be undefined is evaluated after those before
//! it, and no test moves before it; generators that are total may come first, since they only narrow the
//! candidates.

mod applied;
mod bounds;
mod cases;
mod domains;
mod elimination;
mod generators;
mod sequences;
mod solutions;
mod solver;
mod spaces;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, TyId, VarId};
use rustc_hash::FxHashSet;

use crate::Wd;
use crate::code::Compiler;
use crate::guarded::Guarded;
use crate::plan::{Plan, Source, Step, Unknown};
use crate::profile::{Planned, Watched};
use crate::solving::{FUEL, MUCH_FUEL, ONCE};

/// What an undefined conjunct is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// A fault.
    Fault,
    /// False, and noted as an undefined guard.
    Guard,
    /// False, and noted as a fault that was dropped.
    Dropped,
}

impl Undefined {
    /// In guards and choices.
    pub(crate) fn in_guards(wd: Wd) -> Undefined {
        match wd {
            Wd::Strict => Undefined::Fault,
            Wd::Default | Wd::Lenient => Undefined::Guard,
        }
    }
}

/// How an enumeration treats the undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// What an undefined conjunct is.
    pub undefined: Undefined,
    /// Whether solutions are choices: those that were found count although others were not looked for.
    pub chooses: bool,
    /// Conjuncts may move before others that may be undefined.
    pub relaxed: bool,
    /// Names the place.
    pub place: u32,
}

#[derive(Clone)]
struct Conjunct {
    expr: ExprId,
    /// Whether its negation is meant.
    negated: bool,
    /// Which unknowns it mentions.
    unknowns: Vec<Unknown>,
    total: bool,
    done: bool,
}

/// A way to enumerate an unknown.
struct Candidate {
    step: Step,
    binds: Vec<Unknown>,
    /// Conjuncts that hold by construction.
    covers: Vec<usize>,
    cost: f64,
    /// A guess at how many candidates there are without pruning.
    space: f64,
    total: bool,
    /// Whether to use it only when nothing else is left.
    fallback: bool,
    unbounded: bool,
}

/// With more candidates than this, branches that give the values are worth a look.
const FEW: f64 = 8.0;
/// The cost of what cannot be estimated.
const UNKNOWN_SIZE: f64 = 16.0;
/// The cost of what has no end.
const ENDLESS: f64 = 1e9;

struct Planning<'c, 'm> {
    compiler: &'c Compiler<'m>,
    unknowns: Vec<Unknown>,
    definitions: Vec<(Unknown, ExprId)>,
    bound: FxHashSet<Unknown>,
    /// Unknowns that the text says to range over their whole, coded type.
    declared: FxHashSet<Unknown>,
    conjuncts: Vec<Conjunct>,
    manner: Manner,
    /// Whether candidates come only from what always has a value.
    careful: bool,
    steps: Vec<Step>,
    /// What each of them is for.
    planned: Vec<Planned>,
    total: bool,
    unbounded: bool,
    may_be_endless: bool,
    cost: f64,
    space: f64,
}

impl Compiler<'_> {
    /// The enumeration of all valuations of the unknowns that satisfy the conjuncts.
    pub(crate) fn plan(&self, unknowns: &[Unknown], conjuncts: &[ExprId], manner: Manner) -> Plan {
        self.plan_with(unknowns, &[], conjuncts, manner)
    }

    /// Like [`Compiler::plan`], with further unknowns that have definitions.
    pub(crate) fn plan_with(
        &self,
        unknowns: &[Unknown],
        definitions: &[(Unknown, ExprId)],
        conjuncts: &[ExprId],
        manner: Manner,
    ) -> Plan {
        let signed: Vec<(ExprId, bool)> = conjuncts.iter().map(|expr| (*expr, false)).collect();
        self.plan_signed(unknowns, definitions, &signed, manner)
    }

    /// Like [`Compiler::plan_with`], of conjuncts some of which are negated.
    pub(crate) fn plan_signed(
        &self,
        unknowns: &[Unknown],
        definitions: &[(Unknown, ExprId)],
        conjuncts: &[(ExprId, bool)],
        manner: Manner,
    ) -> Plan {
        if definitions.is_empty()
            && let Some(plan) = self.plan_applied(unknowns, conjuncts, manner)
        {
            return plan;
        }
        // What is compiled on the way may run often.
        let is_once = self.is_once.replace(false);
        let is_watched = self.is_watched.replace(false);
        let defined = definitions.iter().map(|(unknown, _)| *unknown);
        let unknowns_and_defined = unknowns.iter().copied().chain(defined).collect();
        let mut planning = Planning::new(self, unknowns_and_defined, manner);
        planning.definitions = definitions.to_vec();
        planning.take(conjuncts);
        let whole = planning.conjuncts.iter().all(|conjunct| conjunct.done);
        planning.tests();
        planning.finish();
        let space = planning.space;
        if is_watched {
            let planned = std::mem::take(&mut planning.planned);
            let (watched, woven) = Watched::weave(planned, std::mem::take(&mut planning.steps));
            planning.steps = woven;
            self.watched.replace(Some(watched));
        }
        let plan = Plan {
            whole,
            ..planning.plan()
        };
        let patience = match is_once {
            true => self.patience.get().min(ONCE),
            false => self.patience.get(),
        };
        if definitions.is_empty() && space >= patience {
            let trial = (!is_once).then_some(FUEL);
            return self.with_solver(unknowns, conjuncts, manner, (plan, trial));
        }
        plan
    }

    /// Like [`Compiler::plan`], for what is enumerated once: the solver takes over when the guess at the number of
    /// candidates was far too low.
    pub(crate) fn plan_once(
        &self,
        unknowns: &[Unknown],
        conjuncts: &[ExprId],
        manner: Manner,
    ) -> Plan {
        self.is_once.set(true);
        let plan = self.plan(unknowns, conjuncts, manner);
        if plan.asks_solver() {
            return plan;
        }
        let signed: Vec<(ExprId, bool)> = conjuncts.iter().map(|expr| (*expr, false)).collect();
        self.with_solver(unknowns, &signed, manner, (plan, Some(MUCH_FUEL)))
    }

    /// Whether a set expression has no end by its form.
    fn is_endless(&self, set: ExprId) -> bool {
        use Op::*;
        match &self.model.exprs[set].kind {
            Kind::FreeSet(_) => true,
            Kind::Op(op, args) => match op {
                Integers | Naturals | Naturals1 | Strings | Reals | Floats | Sequences
                | Sequences1 | Successor | Predecessor | Trees | BinaryTrees => true,
                PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1 | Identity
                | InjectiveSequences | InjectiveSequences1 | Permutations => {
                    self.is_endless(args[0])
                }
                Intersection => args.iter().all(|arg| self.is_endless(*arg)),
                SetMinus | Minus | Domain | Range | Inverse => self.is_endless(args[0]),
                op if matches!(op, Union | Cartesian) || op.is_arrow() => {
                    args.iter().any(|arg| self.is_endless(*arg))
                }
                _ => false,
            },
            Kind::Struct(fields) => fields.iter().any(|(_, set)| self.is_endless(*set)),
            Kind::Bind {
                binder: Binder::Comprehension | Binder::Lambda,
                names,
                predicate,
                symbolic,
                ..
            } => *symbolic || names.iter().any(|name| self.is_free(*name, *predicate)),
            Kind::Bind { symbolic, .. } => *symbolic,
            _ => false,
        }
    }

    /// Whether all that is said of a name is that it is in a set without end.
    fn is_free(&self, name: LocalId, predicate: ExprId) -> bool {
        let mut about = self.chain(Op::And, predicate);
        about.retain(|conjunct| self.facts.of(*conjunct).locals.contains(&name));
        let is_free = |conjunct: &ExprId| match &self.model.exprs[*conjunct].kind {
            Kind::Op(Op::Member, args) => {
                matches!(self.model.exprs[args[0]].kind, Kind::Local(local) if local == name)
                    && self.is_endless(args[1])
            }
            _ => false,
        };
        !about.is_empty() && about.iter().all(is_free)
    }

    /// A guess at the number of elements of a set.
    fn guess(&self, set: ExprId) -> f64 {
        self.estimate(set, false)
    }

    /// The same, rather too high than too low: how many functions or subsets there may be.
    fn most(&self, set: ExprId) -> f64 {
        self.estimate(set, true)
    }

    fn estimate(&self, set: ExprId, high: bool) -> f64 {
        let reps = &self.program.reps;
        let set = self.defined_as(set);
        if self.is_endless(set) {
            return ENDLESS;
        }
        match &self.model.exprs[set].kind {
            Kind::Op(Op::SetExtension | Op::SequenceExtension, args) => args.len() as f64,
            Kind::Op(Op::Interval, args) => {
                match (self.int_literal(args[0]), self.int_literal(args[1])) {
                    (Some(low), Some(high)) => (high - low + 1).max(0) as f64,
                    _ => UNKNOWN_SIZE,
                }
            }
            Kind::Op(Op::Int | Op::Nat | Op::Nat1, _) => {
                (self.model.max_int - self.model.min_int) as f64
            }
            Kind::Op(Op::Cartesian, args) => {
                self.estimate(args[0], high) * self.estimate(args[1], high)
            }
            Kind::Op(
                Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1,
                args,
            ) => self.estimate(args[0], high).min(60.0).exp2(),
            Kind::Carrier(sort) => self.model.tys.sorts[*sort].elements.len() as f64,
            Kind::Op(
                Op::TotalFunctions
                | Op::TotalInjections
                | Op::TotalSurjections
                | Op::TotalBijections,
                args,
            ) => self
                .estimate(args[1], high)
                .powf(self.estimate(args[0], high).min(60.0)),
            Kind::Op(
                Op::PartialFunctions
                | Op::PartialInjections
                | Op::PartialSurjections
                | Op::PartialBijections,
                args,
            ) => (1.0 + self.estimate(args[1], high)).powf(self.estimate(args[0], high).min(60.0)),
            Kind::Op(
                Op::Relations
                | Op::TotalRelations
                | Op::SurjectiveRelations
                | Op::TotalSurjectiveRelations,
                args,
            ) => (self.estimate(args[1], high) * self.estimate(args[0], high))
                .min(60.0)
                .exp2(),
            Kind::Op(Op::Permutations | Op::InjectiveSequences | Op::InjectiveSequences1, args) => {
                let of = self.estimate(args[0], high).min(60.0);
                // About n! by Stirling's formula.
                (of / std::f64::consts::E).max(1.0).powf(of)
            }
            _ => {
                let info = &reps[self.ty(set)];
                if info.bits > 0 && high {
                    f64::from(info.bits)
                } else if info.bits > 0 {
                    f64::from(info.bits) / 2.0 + 1.0
                } else {
                    UNKNOWN_SIZE
                }
            }
        }
    }

    fn int_literal(&self, expr: ExprId) -> Option<i64> {
        match self.int(expr).form {
            crate::code::Form::Literal(value) => Some(value),
            _ => None,
        }
    }
}

impl<'c, 'm> Planning<'c, 'm> {
    fn new(compiler: &'c Compiler<'m>, unknowns: Vec<Unknown>, manner: Manner) -> Planning<'c, 'm> {
        Planning {
            compiler,
            unknowns,
            definitions: Vec::new(),
            bound: FxHashSet::default(),
            declared: FxHashSet::default(),
            conjuncts: Vec::new(),
            manner,
            careful: false,
            steps: Vec::new(),
            planned: Vec::new(),
            total: true,
            unbounded: false,
            may_be_endless: false,
            cost: 1.0,
            space: 1.0,
        }
    }

    /// Chooses until every unknown is bound.
    fn finish(&mut self) {
        while self.bound.len() < self.unknowns.len() {
            let candidate = self.choose();
            self.advance(candidate);
        }
    }

    /// What was planned.
    fn plan(self) -> Plan {
        Plan {
            steps: self.steps.into(),
            total: self.total,
            unbounded: self.unbounded,
            may_be_endless: self.may_be_endless,
            cost: self.cost,
            whole: false,
            undefined: self.manner.undefined,
            chooses: self.manner.chooses,
            place: self.manner.place,
        }
    }

    /// The plan from here on without a candidate that may be undefined, where others could leave nothing to try.
    fn without(&self, candidate: &Candidate) -> Option<Plan> {
        if candidate.total || self.manner.relaxed {
            return None;
        }
        let narrows = |conjunct: &Conjunct| {
            let mut unknowns = conjunct.unknowns.iter();
            unknowns.any(|unknown| candidate.binds.contains(unknown))
        };
        let others = self.conjuncts.iter().enumerate();
        let mut others = others.filter(|(i, other)| !other.done && !candidate.covers.contains(i));
        if !others.any(|(_, other)| narrows(other)) {
            return None;
        }
        let mut rest = Planning {
            unknowns: self.unknowns.clone(),
            definitions: self.definitions.clone(),
            bound: self.bound.clone(),
            declared: self.declared.clone(),
            conjuncts: self.conjuncts.clone(),
            careful: true,
            ..Planning::new(self.compiler, Vec::new(), self.manner)
        };
        rest.finish();
        // Of something without end some candidate always gets as far.
        (!rest.unbounded).then(|| rest.plan())
    }

    /// Takes a candidate as the next step.
    fn advance(&mut self, candidate: Candidate) {
        let otherwise = self.without(&candidate);
        self.space *= candidate.space.max(1.0);
        self.planned.push(Planned {
            binds: candidate.binds.clone(),
            conjuncts: candidate
                .covers
                .iter()
                .map(|covered| self.conjuncts[*covered].expr)
                .collect(),
        });
        for covered in candidate.covers {
            self.conjuncts[covered].done = true;
        }
        self.bound.extend(candidate.binds);
        self.total &= candidate.total;
        self.unbounded |= candidate.unbounded;
        self.may_be_endless |= self.is_open_ended(&candidate.step);
        self.cost *= candidate.cost.max(1.0);
        self.steps.push(match otherwise {
            Some(plan) => Step::Careful(Box::new((candidate.step, plan))),
            None => candidate.step,
        });
        self.tests();
    }

    fn kind(&self, expr: ExprId) -> &Kind {
        &self.compiler.model.exprs[expr].kind
    }

    /// Takes the conjuncts in.
    fn take(&mut self, conjuncts: &[(ExprId, bool)]) {
        for (expr, negated) in self.flatten(conjuncts) {
            let trivial = !negated && self.is_trivial(expr);
            if trivial && let Some(unknown) = self.typed(expr) {
                self.declared.insert(unknown);
            }
            let fact = self.compiler.facts.of(expr);
            let unknowns = self.mentioned(expr);
            self.conjuncts.push(Conjunct {
                expr,
                negated,
                unknowns,
                total: fact.total,
                done: trivial && fact.total,
            });
        }
    }

    /// Conjuncts with negations pushed inwards as far as they stay conjunctions.
    fn flatten(&self, conjuncts: &[(ExprId, bool)]) -> Vec<(ExprId, bool)> {
        let mut flat = Vec::new();
        let mut todo: Vec<(ExprId, bool)> = conjuncts.iter().rev().copied().collect();
        while let Some((expr, negated)) = todo.pop() {
            match (self.kind(expr), negated) {
                (Kind::Op(Op::And, args), false) | (Kind::Op(Op::Or, args), true) => {
                    todo.extend(args.iter().rev().map(|arg| (*arg, negated)));
                }
                (Kind::Op(Op::Not, args), _) => todo.push((args[0], !negated)),
                (Kind::Op(Op::Implies, args), true) => {
                    todo.push((args[1], true));
                    todo.push((args[0], false));
                }
                _ => flat.push((expr, negated)),
            }
        }
        flat
    }

    /// The operator and operands of a conjunct, with its negation taken into the operator.
    fn relation(&self, conjunct: &Conjunct) -> Option<(Op, ExprId, ExprId)> {
        let Kind::Op(op, args) = self.kind(conjunct.expr) else {
            return None;
        };
        let [a, b] = args.as_slice() else {
            return None;
        };
        let op = if conjunct.negated {
            opposite(*op)?
        } else {
            *op
        };
        // Opposites of opposites: `x /: S` is never a generator, its negation is.
        Some((op, *a, *b))
    }

    /// The unknowns that an expression mentions.
    fn mentioned(&self, expr: ExprId) -> Vec<Unknown> {
        let fact = self.compiler.facts.of(expr);
        self.unknowns
            .iter()
            .filter(|unknown| match unknown {
                Unknown::Local(local) => fact.locals.binary_search(local).is_ok(),
                Unknown::Slot(slot) => {
                    let read = |var: &VarId| var.index() == *slot;
                    fact.vars
                        .iter()
                        .any(|var| read(var) || self.compiler.spaces.reads(*var).iter().any(read))
                }
            })
            .copied()
            .collect()
    }

    /// Whether everything that an expression mentions is bound.
    fn known(&self, expr: ExprId) -> bool {
        let fact = self.compiler.facts.of(expr);
        let is_open =
            |unknown: Unknown| self.unknowns.contains(&unknown) && !self.bound.contains(&unknown);
        let is_open_slot = |var: &VarId| is_open(Unknown::Slot(var.index()));
        let reads_open = |var: &VarId| self.compiler.spaces.reads(*var).iter().any(is_open_slot);
        !fact
            .locals
            .iter()
            .any(|local| is_open(Unknown::Local(*local)))
            && !fact
                .vars
                .iter()
                .any(|var| is_open_slot(var) || reads_open(var))
    }

    /// The unknown that an expression is, if it is not bound yet.
    fn open(&self, expr: ExprId) -> Option<Unknown> {
        let unknown = match self.kind(expr) {
            Kind::Local(local) => Unknown::Local(*local),
            Kind::Var(var) => Unknown::Slot(var.index()),
            _ => return None,
        };
        (self.unknowns.contains(&unknown) && !self.bound.contains(&unknown)).then_some(unknown)
    }

    fn ty_of(&self, unknown: Unknown) -> TyId {
        match unknown {
            Unknown::Local(local) => self.compiler.model.locals[local].ty,
            Unknown::Slot(slot) => self.compiler.program.slots[slot],
        }
    }

    /// Whether a conjunct holds by typing.
    fn is_trivial(&self, conjunct: ExprId) -> bool {
        match self.kind(conjunct) {
            Kind::Op(Op::Truth, _) => true,
            Kind::Op(Op::Member, args) => {
                let element = self.open(args[0]).is_some();
                element
                    && matches!(
                        self.kind(args[1]),
                        Kind::Carrier(_)
                            | Kind::Op(
                                Op::Integers | Op::Strings | Op::Reals | Op::Floats | Op::Booleans,
                                _
                            )
                    )
            }
            _ => false,
        }
    }

    /// The unknown of a conjunct that only says its type.
    fn typed(&self, conjunct: ExprId) -> Option<Unknown> {
        match self.kind(conjunct) {
            Kind::Op(Op::Member, args) => self.open(args[0]),
            _ => None,
        }
    }

    /// Whether a step enumerates a set that may turn out to have no end.
    fn is_open_ended(&self, step: &Step) -> bool {
        match step {
            Step::Each(unknown, source) | Step::Cases(unknown, _, source) => {
                matches!(
                    source,
                    Source::Set(_)
                        | Source::Subsets(..)
                        | Source::Chosen { .. }
                        | Source::Pointwise(_)
                ) && !self.compiler.program.reps[self.ty_of(*unknown)].finite
            }
            Step::Match(_, source) => matches!(source, Source::Set(_) | Source::Image(..)),
            Step::Solve(plans, _) => plans.iter().any(|plan| plan.may_be_endless),
            Step::Test(_)
            | Step::One(..)
            | Step::Split { .. }
            | Step::Search(_)
            | Step::Apart(_)
            | Step::Careful(_) => false,
        }
    }

    /// Adds the tests that can be decided now.
    fn tests(&mut self) {
        let mut partial_waits = false;
        let mut waiting: Vec<usize> = Vec::new();
        for i in 0..self.conjuncts.len() {
            let conjunct = &self.conjuncts[i];
            if conjunct.done {
                continue;
            }
            let ready = conjunct
                .unknowns
                .iter()
                .all(|unknown| self.bound.contains(unknown));
            let allowed = if self.manner.relaxed {
                conjunct.total
                    || !waiting.iter().any(|w| {
                        self.conjuncts[*w]
                            .unknowns
                            .iter()
                            .any(|unknown| conjunct.unknowns.contains(unknown))
                    })
            } else if conjunct.total {
                !partial_waits
            } else {
                waiting.is_empty()
            };
            if ready && allowed {
                let test = self.compiler.signed(conjunct.expr, conjunct.negated);
                self.total &= self.surely_has_value(i);
                self.planned.push(Planned {
                    binds: Vec::new(),
                    conjuncts: vec![conjunct.expr],
                });
                self.conjuncts[i].done = true;
                self.steps.push(Step::Test(test));
            } else {
                partial_waits |= !conjunct.total;
                waiting.push(i);
            }
        }
    }

    /// Whether a conjunct has a value whenever those that are done are true.
    fn surely_has_value(&self, i: usize) -> bool {
        let conjunct = &self.conjuncts[i];
        if conjunct.total || self.manner.relaxed {
            return conjunct.total;
        }
        let mut known = Guarded::new(self.compiler);
        for earlier in self.conjuncts[..i].iter().filter(|earlier| earlier.done) {
            known.assume(earlier.expr, earlier.negated);
        }
        known.has_value(conjunct.expr)
    }

    /// Whether a conjunct that may be undefined can generate these unknowns now.
    fn may_generate(&self, i: usize, binds: &[Unknown]) -> bool {
        self.conjuncts[i].total
            || self.manner.relaxed
            || !self.careful
                && self.conjuncts[..i].iter().all(|earlier| {
                    // What mentions the new unknown is tested right after it is bound.
                    earlier.done
                        || earlier
                            .unknowns
                            .iter()
                            .any(|unknown| binds.contains(unknown))
                            && earlier.unknowns.iter().all(|unknown| {
                                self.bound.contains(unknown) || binds.contains(unknown)
                            })
                })
    }

    fn choose(&self) -> Candidate {
        let mut best: Option<Candidate> = None;
        for i in 0..self.conjuncts.len() {
            if self.conjuncts[i].done {
                continue;
            }
            for candidate in self.by_conjunct(i) {
                if self.may_generate(i, &candidate.binds) {
                    better(&mut best, self.with_cases(candidate));
                }
            }
        }
        if best.as_ref().is_none_or(|best| best.fallback)
            && let Some(candidate) = self.by_elimination()
        {
            better(&mut best, candidate);
        }
        if best
            .as_ref()
            .is_none_or(|best| best.fallback || best.cost > FEW)
        {
            for i in 0..self.conjuncts.len() {
                let candidates = self.by_solutions(i).into_iter().chain(self.by_domain(i));
                for candidate in candidates {
                    if self.may_generate(i, &candidate.binds) {
                        better(&mut best, candidate);
                    }
                }
            }
        }
        for (unknown, value) in &self.definitions {
            if !self.bound.contains(unknown) && self.known(*value) {
                let candidate = Candidate {
                    step: Step::One(*unknown, self.compiler.value(*value)),
                    binds: vec![*unknown],
                    covers: Vec::new(),
                    cost: 0.0,
                    space: 0.0,
                    total: self.compiler.facts.of(*value).total,
                    fallback: false,
                    unbounded: false,
                };
                better(&mut best, candidate);
            }
        }
        for unknown in &self.unknowns {
            if !self.bound.contains(unknown) {
                better(&mut best, self.with_cases(self.by_type(*unknown)));
            }
        }
        best.unwrap_or_else(|| self.by_type(self.unknowns[0]))
    }
}

/// Keeps the better candidate.
fn better(best: &mut Option<Candidate>, candidate: Candidate) {
    let wins = best
        .as_ref()
        .is_none_or(|best| (candidate.fallback, candidate.cost) < (best.fallback, best.cost));
    if wins {
        *best = Some(candidate);
    }
}

/// The operator of the negation.
fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Equal => Op::NotEqual,
        Op::NotEqual => Op::Equal,
        Op::Member => Op::NotMember,
        Op::NotMember => Op::Member,
        Op::Subset => Op::NotSubset,
        Op::NotSubset => Op::Subset,
        Op::Less => Op::GreaterEqual,
        Op::GreaterEqual => Op::Less,
        Op::Greater => Op::LessEqual,
        Op::LessEqual => Op::Greater,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
fn flip(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}
