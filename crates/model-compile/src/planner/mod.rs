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
mod conjuncts;
mod cuts;
mod domains;
mod elimination;
mod generators;
mod instead;
mod powers;
mod rules;
mod sequences;
mod sizes;
mod solutions;
mod solver;
mod spaces;

use conjuncts::{flip, opposite};
use lang_math::Op;
use model::{ExprId, Kind};
use rustc_hash::FxHashSet;

use crate::Wd;
use crate::code::Compiler;
use crate::guarded::Guarded;
use crate::plan::{Plan, Step, Unknown};
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
    /// Conjuncts whose sets are infinite: they give no candidates.
    avoided: Vec<usize>,
    /// Whether this is the plan for such a case.
    is_instead: bool,
    /// Whether this runs once, for constants.
    is_once: bool,
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
        planning.is_once = is_once;
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

    /// Conjuncts with negations pushed inwards as far as they stay conjunctions.
    pub(crate) fn split_signed(&self, conjuncts: &[(ExprId, bool)]) -> Vec<(ExprId, bool)> {
        let mut flat = Vec::new();
        let mut todo: Vec<(ExprId, bool)> = conjuncts.iter().rev().copied().collect();
        while let Some((expr, negated)) = todo.pop() {
            match (&self.model.exprs[expr].kind, negated) {
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
            avoided: Vec::new(),
            is_instead: false,
            is_once: false,
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

    /// Takes a candidate as the next step.
    fn advance(&mut self, candidate: Candidate) {
        let otherwise = self.without(&candidate);
        let instead = self.instead_of(&candidate);
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
        self.steps.push(match (otherwise, instead) {
            (Some(plan), _) => Step::Careful(Box::new((candidate.step, plan))),
            (None, Some(plan)) => Step::Finite(Box::new((candidate.step, plan))),
            (None, None) => candidate.step,
        });
        self.tests();
    }

    /// Takes the conjuncts in.
    fn take(&mut self, conjuncts: &[(ExprId, bool)]) {
        for (expr, negated) in self.compiler.split_signed(conjuncts) {
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
            if self.conjuncts[i].done || self.avoided.contains(&i) {
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
        let best = best.unwrap_or_else(|| self.by_type(self.unknowns[0]));
        self.in_order_of_cuts(best)
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
