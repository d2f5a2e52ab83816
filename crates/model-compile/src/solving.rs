//! Asks the solver for the values of an enumeration, and answers what it asks with compiled code.
//!
//! Invariant: every solution is tested by compiled code before it counts, conjunct by conjunct in the order of the
//! text; so the undefined is noticed here as in any other enumeration.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use model::{ExprId, LocalId, Model, TyId, Value, VarId};
use model_solve::{Answer, Ground, Layer, Options, Outcome, Refutation, Task};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Compiler;
use crate::cx::{Cx, F, K, NO_TRIAL, R, Trial};
use crate::plan::{Plan, Unknown};
use crate::planner::Undefined;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// Candidates from which on the solver is tried where an enumeration runs in every state: flattening a problem
/// costs about as much as looking at so many.
pub(crate) const OFTEN: f64 = 3e5;
/// The same where it runs once, for the constants.
pub(crate) const ONCE: f64 = 1e4;

/// Candidates that are looked at before the solver is asked: a millisecond or two.
pub(crate) const FUEL: u64 = 20_000;

/// The same where it happens once: some tens of milliseconds.
pub(crate) const MUCH_FUEL: u64 = 300_000;
/// Where one candidate in so many is a solution, all of them are enumerated.
const RICH: u64 = 100;
/// The work allowed where only a quick answer counts, in units of the solver.
pub(crate) const BRIEF: u64 = 1_000_000;
/// What looking at a candidate costs in such units.
pub(crate) const WORK_OF_A_CANDIDATE: u64 = 100;

/// Bits of the layers that found values.
pub(crate) const PROPAGATION: u8 = 1;
/// See [`PROPAGATION`].
pub(crate) const SAT: u8 = 2;
/// See [`PROPAGATION`].
pub(crate) const ENUMERATION: u8 = 4;

/// Whether the solver is given integers without bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endless {
    /// No: the question is asked often, and rarely has an answer.
    Never,
    /// Where nothing else bounds them.
    Allowed,
    /// Before any candidates are looked at: these would be cut.
    First,
}

/// What the solver is asked.
pub(crate) struct Search {
    pub model: Arc<Model>,
    pub assigned: FxHashSet<LocalId>,
    /// What is looked for: all other unknowns of the enumeration have values.
    pub everything: Vec<Unknown>,
    /// The same with types.
    pub unknowns: Vec<(Unknown, TyId)>,
    pub conjuncts: Vec<(ExprId, bool)>,
    /// The conjuncts as code.
    pub tests: Vec<F<bool>>,
    pub relaxed: bool,
    /// How many candidates are looked at before the solver is asked.
    pub trial: Option<u64>,
    /// Whether integers without bounds may be given to the solver, and whether some unknown ranges over what has no end.
    pub endless: Endless,
    /// The enumeration to run when the solver does not take the question.
    pub otherwise: Plan,
}

impl Search {
    /// Enumerates, if that is done soon: the guess at the number of candidates may be far too high or too low.
    fn tried(&self, cx: &mut Cx<'_>, k: K<'_>) -> Tried {
        if cx.program.solver != model_solve::Solver::Auto || self.otherwise.unbounded {
            return Tried::Unfinished(BTreeSet::new());
        }
        let Some(fuel) = self.trial.filter(|_| self.endless != Endless::First) else {
            return Tried::Unfinished(BTreeSet::new());
        };
        let mut given: BTreeSet<Vec<V>> = BTreeSet::new();
        let result = cx.streaming_trial(fuel, |cx, k| self.otherwise.go_on(cx, 0, k), &mut |cx| {
            given.insert(self.values(cx));
            k(cx)
        });
        match result {
            // A set that is too large to be built is one for the solver.
            Trial::Failed(trap) if !trap.is_undefined() => Tried::Unfinished(given),
            Trial::Failed(trap) => Tried::Finished(Err(trap)),
            Trial::Done(result) => Tried::Finished(result),
            // Where solutions are frequent nobody finds them faster.
            Trial::Unfinished if given.len() as u64 >= fuel / RICH => {
                Tried::Finished(self.enumerate(cx, &given, k))
            }
            Trial::Unfinished => Tried::Unfinished(given),
        }
    }

    /// The values of the unknowns.
    fn values(&self, cx: &Cx<'_>) -> Vec<V> {
        self.everything.iter().map(|u| u.value(cx)).collect()
    }

    /// Enumerates what was not given yet.
    fn enumerate(&self, cx: &mut Cx<'_>, given: &BTreeSet<Vec<V>>, k: K<'_>) -> R<()> {
        if given.is_empty() {
            return self.otherwise.go_on(cx, 0, k);
        }
        self.otherwise.go_on(cx, 0, &mut |cx| {
            if given.contains(&self.values(cx)) {
                return Ok(());
            }
            k(cx)
        })
    }

    /// Gives every solution to `k`, with the unknowns bound.
    pub(crate) fn run(&self, cx: &mut Cx<'_>, plan: &Plan, k: K<'_>) -> R<()> {
        // A part of a function is no function: what is undefined on it may be defined later.
        if cx.pruning {
            return self.otherwise.go_on(cx, 0, k);
        }
        // Inside a trial there is no time for the solver.
        if cx.fuel != NO_TRIAL {
            return self.otherwise.go_on(cx, 0, k);
        }
        let mut given = BTreeSet::new();
        if cx.decisive.is_none() {
            match self.tried(cx, k) {
                Tried::Finished(result) => return result,
                Tried::Unfinished(found) => given = found,
            }
        }
        let (outcome, undefined) = self.ask(cx, plan, (false, &mut given), k)?;
        // Where the undefined is false one such valuation is noted, and the rest are not looked for.
        let outcome = if undefined {
            self.ask(cx, plan, (true, &mut given), k)?.0
        } else {
            outcome
        };
        match outcome {
            Outcome::Complete | Outcome::Stopped => Ok(()),
            Outcome::GaveUp => Err(Cause::Undecided.trap().at(plan.place)),
            Outcome::Refused(_) => match cx.decisive {
                Some(work) => cx
                    .trial(work.div_ceil(WORK_OF_A_CANDIDATE), |cx| {
                        self.otherwise.go_on(cx, 0, k)
                    })
                    .unwrap_or(Err(Cause::Undecided.trap().at(plan.place))),
                None => self.enumerate(cx, &given, k),
            },
        }
    }

    /// Asks the solver, which leaves out what was given already; also whether it was ended by an undefined conjunct.
    fn ask(
        &self,
        cx: &mut Cx<'_>,
        plan: &Plan,
        (strict, given): (bool, &mut BTreeSet<Vec<V>>),
        k: K<'_>,
    ) -> R<(Outcome, bool)> {
        let program = cx.program;
        let mut compiler = Compiler::new(&self.model, program);
        compiler.assigned.clone_from(&self.assigned);
        let unknowns: Vec<model_solve::Unknown> =
            self.unknowns.iter().map(|(u, _)| outer(*u)).collect();
        let task = Task {
            model: &self.model,
            unknowns: &unknowns,
            conjuncts: &self.conjuncts,
            relaxed: self.relaxed,
            strict,
        };
        let options = Options {
            solver: program.solver,
            work: cx.decisive,
            wide: cx.decisive.is_none() && self.endless != Endless::Never,
        };
        let mut asking = Asking {
            search: self,
            plan,
            evaluating: Evaluating {
                compiler,
                codes: FxHashMap::default(),
            },
            // Nothing is remembered where nobody will have to know.
            remembers: !strict && plan.undefined != Undefined::Fault,
            undefined: false,
            provisional: false,
            given,
            cx,
            k,
            result: Ok(()),
        };
        let (outcome, layer) = model_solve::solve(&task, &mut asking, options);
        let (undefined, result) = (asking.undefined, asking.result);
        let bit = match (&outcome, layer) {
            (Outcome::Refused(_), _) => ENUMERATION,
            (_, Layer::Propagation) => PROPAGATION,
            (_, Layer::Sat) => SAT,
        };
        program.layers.fetch_or(bit, Ordering::Relaxed);
        result?;
        cx.go_on()?;
        Ok((outcome, undefined))
    }
}

/// How a first look ended.
enum Tried {
    /// Everything was given, or the search ended for another reason.
    Finished(R<()>),
    /// These were given.
    Unfinished(BTreeSet<Vec<V>>),
}

fn outer(unknown: Unknown) -> model_solve::Unknown {
    match unknown {
        Unknown::Local(local) => model_solve::Unknown::Local(local),
        Unknown::Slot(slot) => model_solve::Unknown::Var(VarId::new(slot)),
    }
}

/// The unknown of the outside in the terms of plans.
pub(crate) fn inner(unknown: model_solve::Unknown) -> Unknown {
    match unknown {
        model_solve::Unknown::Local(local) => Unknown::Local(local),
        model_solve::Unknown::Var(var) => Unknown::Slot(var.index()),
    }
}

struct Asking<'q, 'c, 'k> {
    search: &'q Search,
    plan: &'q Plan,
    evaluating: Evaluating<'q>,
    /// Whether solutions are remembered, and the search ends at the first undefined conjunct.
    remembers: bool,
    undefined: bool,
    /// Whether what is given may be enumerated again.
    provisional: bool,
    given: &'q mut BTreeSet<Vec<V>>,
    cx: &'q mut Cx<'c>,
    k: K<'k>,
    result: R<()>,
}

/// Evaluates what the solver asks.
struct Evaluating<'q> {
    compiler: Compiler<'q>,
    codes: FxHashMap<ExprId, F<V>>,
}

impl Evaluating<'_> {
    fn answer(
        &mut self,
        cx: &mut Cx<'_>,
        expr: ExprId,
        bound: &[(model_solve::Unknown, Value)],
    ) -> Answer {
        let model = self.compiler.model;
        for (unknown, value) in bound {
            match *unknown {
                model_solve::Unknown::Local(local) => {
                    let value = cx.reps().of_value(model.locals[local].ty, value);
                    cx.bind(local, value);
                }
                model_solve::Unknown::Var(var) => {
                    let value = cx.reps().of_value(model.variables[var].ty, value);
                    cx.set_slot(var.index(), value);
                }
            }
        }
        let code = match self.codes.entry(expr) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(self.compiler.value(expr)).clone(),
        };
        let ty = model.exprs[expr].ty;
        let answer = cx.quietly(|cx| {
            let value = code(cx)?;
            let value = cx.canonical(value)?;
            Ok(match ty {
                None => Some(Value::Bool(value.word() != 0)),
                Some(ty) => cx.reps().to_value(ty, &value),
            })
        });
        match answer {
            Ok(Some(value)) => Answer::Known(value),
            Ok(None) => Answer::Unlisted,
            Err(trap @ Trap::Fault { .. }) if trap.is_undefined() => Answer::Undefined,
            Err(_) => Answer::Unlisted,
        }
    }
}

/// Shows by clauses that some conjuncts have no solution, undefined ones included where `strict` is not said.
pub(crate) fn refutation(
    (model, assigned): (&Model, &FxHashSet<LocalId>),
    cx: &mut Cx<'_>,
    unknowns: &[Unknown],
    conjuncts: &[(ExprId, bool)],
    (strict, work): (bool, u64),
) -> Option<Refutation> {
    struct Refuting<'q, 'c, 'x>(Evaluating<'q>, &'x mut Cx<'c>);
    impl Ground for Refuting<'_, '_, '_> {
        fn answer(&mut self, expr: ExprId, bound: &[(model_solve::Unknown, Value)]) -> Answer {
            self.0.answer(self.1, expr, bound)
        }

        fn solution(&mut self, _values: &[Value]) -> bool {
            false
        }
    }
    let mut compiler = Compiler::new(model, cx.program);
    compiler.assigned.clone_from(assigned);
    let unknowns: Vec<model_solve::Unknown> = unknowns.iter().map(|u| outer(*u)).collect();
    let task = Task {
        model,
        unknowns: &unknowns,
        conjuncts,
        relaxed: true,
        strict,
    };
    let options = Options {
        work: Some(work),
        ..Options::default()
    };
    let evaluating = Evaluating {
        compiler,
        codes: FxHashMap::default(),
    };
    model_solve::refute(&task, &mut Refuting(evaluating, cx), options)
}

impl Ground for Asking<'_, '_, '_> {
    fn answer(&mut self, expr: ExprId, bound: &[(model_solve::Unknown, Value)]) -> Answer {
        self.evaluating.answer(self.cx, expr, bound)
    }

    fn solution(&mut self, values: &[Value]) -> bool {
        for ((unknown, ty), value) in self.search.unknowns.iter().zip(values) {
            let value = self.cx.reps().of_value(*ty, value);
            unknown.bind(self.cx, value);
        }
        for test in &self.search.tests {
            match test(self.cx) {
                Ok(true) => {}
                Ok(false) => return true,
                Err(trap) => {
                    self.result = self.plan.undefined(self.cx, trap);
                    self.undefined = self.remembers && self.result.is_ok();
                    return self.result.is_ok() && !self.undefined;
                }
            }
        }
        if self.remembers || self.provisional {
            if !self.given.insert(self.search.values(self.cx)) {
                return true;
            }
        } else if !self.given.is_empty() && self.given.contains(&self.search.values(self.cx)) {
            return true;
        }
        self.result = (self.k)(self.cx);
        self.result.is_ok()
    }

    fn provisional(&mut self) {
        self.provisional = true;
    }

    fn cut(
        &mut self,
        unknown: model_solve::Unknown,
        low: Option<i64>,
        high: Option<i64>,
    ) -> Option<(i64, i64)> {
        let (min, max) = self.cx.program.cut;
        let (low, high, ends) = match (low, high) {
            (Some(low), None) => (low, max.max(low), format!("at {max}")),
            (None, Some(high)) => (min.min(high), high, format!("at {min}")),
            _ => (min, max, format!("to {min}..{max}")),
        };
        let model = &self.search.model;
        let name = match unknown {
            model_solve::Unknown::Var(var) => model.variables[var].name,
            model_solve::Unknown::Local(local) => model.locals[local].name,
        };
        let cut = self.cx.cut(self.plan.place, || {
            format!("integers without bounds in `{name}` were cut {ends}")
        });
        self.result = cut;
        self.result.is_ok().then_some((low, high))
    }

    fn halted(&mut self, best: &[(model_solve::Unknown, Value)], left: &[usize]) {
        if self.cx.notes.unsolved.is_some() || !self.cx.halt.is_set() {
            return;
        }
        let model = &self.search.model;
        let best = best.iter().map(|(unknown, value)| {
            let name = match unknown {
                model_solve::Unknown::Var(var) => model.variables[*var].name,
                model_solve::Unknown::Local(local) => model.locals[*local].name,
            };
            (name.to_string(), value.show(&model.tys))
        });
        let left = left.iter().map(|i| self.search.conjuncts[*i].0);
        self.cx.notes.unsolved = Some(pins::Unsolved {
            best: best.collect(),
            left: left.map(|conjunct| model.exprs[conjunct].span).collect(),
        });
    }

    fn stop(&mut self) -> bool {
        self.cx.go_on().is_err()
    }

    fn probe(&self) -> Box<dyn Fn() -> bool> {
        let halt = self.cx.halt.clone();
        Box::new(move || halt.is_set())
    }
}
