//! Stacks the layers: shapes, flattening, cliques, propagation and search, SAT.

use model::{ExprId, Model, Value};
use rustc_hash::FxHashSet;

use crate::decode::{decode, variables};
use crate::flat::{Con, Lit, Var};
use crate::flatten::{Flatten, Giveup};
use crate::propagate::Engine;
use crate::search::{Effort, End, search};
use crate::sym::Sym;
use crate::{Answer, Ground, Unknown, cliques, shapes};

/// Which back end solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Solver {
    /// Propagation, and SAT after too many dead ends.
    #[default]
    Auto,
    /// Propagation only.
    Propagate,
    /// SAT only.
    Sat,
}

/// How to solve.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Which back end.
    pub solver: Solver,
}

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The model that the formulas belong to.
    pub model: &'a Model,
    /// What is looked for.
    pub unknowns: &'a [Unknown],
    /// What it satisfies.
    pub conjuncts: &'a [ExprId],
    /// Whether a conjunct that is false excludes a valuation even when an earlier one is undefined there.
    pub relaxed: bool,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All solutions were given.
    Complete,
    /// The caller wanted no more.
    Stopped,
    /// Nothing was given: the question is not one for this crate, for this reason.
    Refused(String),
}

/// Gives the solutions of a task to `ground`.
pub fn solve(task: &Task<'_>, ground: &mut dyn Ground, options: Options) -> Outcome {
    let prepared = match prepare(task, ground) {
        Ok(prepared) => prepared,
        Err(giveup) => return Outcome::Refused(reason(task.model, &giveup)),
    };
    let Some(prepared) = prepared else {
        return Outcome::Complete;
    };
    run(task, prepared, ground, options)
}

struct Prepared {
    problem: crate::flat::Problem,
    values: Vec<Sym>,
    decided: Vec<Var>,
    repeats: bool,
}

fn reason(model: &Model, giveup: &Giveup) -> String {
    match giveup {
        Giveup::Unknown(expr) => {
            let span = model.exprs[*expr].span;
            format!("the solver does not know the expression at {span:?}")
        }
        Giveup::TooLarge => "the problem is too large for the solver".to_owned(),
        Giveup::Doubtful => "the solver cannot tell where a formula is defined".to_owned(),
        Giveup::Endless(name) => format!("`{name}` has no bounds"),
    }
}

/// The flat problem; `None` when it has no solution at all.
fn prepare(task: &Task<'_>, ground: &mut dyn Ground) -> Result<Option<Prepared>, Giveup> {
    let mut flatten = Flatten::new(task.model, ground, task.unknowns);
    let made = shapes::assign(&mut flatten, task.model, task.unknowns, task.conjuncts)?;
    let mut decided = Vec::new();
    for unknown in &made {
        if let Some(sym) = flatten.unknown(*unknown) {
            variables(sym, &mut decided);
        }
    }
    decided.sort_unstable();
    decided.dedup();
    let mut reached = Lit::True;
    for (i, conjunct) in task.conjuncts.iter().enumerate() {
        match flatten.add(*conjunct, reached) {
            Ok(def) if task.relaxed => {
                let _ = def;
            }
            Ok(def) => reached = flatten.problem.and([reached, def]),
            Err(Giveup::TooLarge) if flatten.is_spent() => return Err(Giveup::TooLarge),
            Err(_) => {
                let mut vars = Vec::new();
                for unknown in flatten.mentioned(*conjunct) {
                    if let Some(sym) = flatten.unknown(unknown) {
                        variables(sym, &mut vars);
                    }
                }
                vars.sort_unstable();
                vars.dedup();
                flatten.problem.constraints.push(Con::Check(i, vars));
            }
        }
        if flatten.problem.failed {
            return Ok(None);
        }
    }
    if flatten.problem.failed {
        return Ok(None);
    }
    let values = task
        .unknowns
        .iter()
        .filter_map(|unknown| flatten.unknown(*unknown).cloned())
        .collect();
    let repeats = flatten.repeats;
    let mut problem = std::mem::take(&mut flatten.problem);
    cliques::add(&mut problem);
    Ok(Some(Prepared {
        problem,
        values,
        decided,
        repeats,
    }))
}

/// Dead ends before SAT is tried.
const PATIENCE: u64 = 20_000;

fn run(task: &Task<'_>, prepared: Prepared, ground: &mut dyn Ground, options: Options) -> Outcome {
    let Prepared {
        problem,
        values,
        decided,
        repeats,
    } = prepared;
    let mut engine = Engine::new(&problem);
    let ground = std::cell::RefCell::new(ground);
    let mut seen: FxHashSet<Vec<String>> = FxHashSet::default();
    let _ = &mut seen;
    let mut given: std::collections::BTreeSet<Vec<Value>> = std::collections::BTreeSet::new();
    let effort = Effort {
        failures: match options.solver {
            Solver::Auto => PATIENCE,
            _ => u64::MAX,
        },
        restart: 200,
    };
    let end = search(
        &mut engine,
        &decided,
        effort,
        &mut |number, store| {
            let conjunct = task.conjuncts[number];
            let bound: Vec<(Unknown, Value)> = task
                .unknowns
                .iter()
                .zip(&values)
                .map(|(unknown, sym)| (*unknown, decode(sym, store)))
                .collect();
            // What is undefined is not false: the caller finds out.
            !matches!(
                ground.borrow_mut().answer(conjunct, &bound),
                Answer::Known(Value::Bool(false))
            )
        },
        &mut || ground.borrow_mut().stop(),
        &mut |store| {
            let solution: Vec<Value> = values.iter().map(|sym| decode(sym, store)).collect();
            if repeats && !given.insert(solution.clone()) {
                return true;
            }
            ground.borrow_mut().solution(&solution)
        },
    );
    match end {
        End::Exhausted => Outcome::Complete,
        End::Stopped => Outcome::Stopped,
        End::Budget => Outcome::Stopped,
    }
}
