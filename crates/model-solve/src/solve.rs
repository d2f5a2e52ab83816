//! Stacks the layers: shapes, flattening, cliques, propagation and search, SAT.

use std::cell::RefCell;
use std::collections::BTreeSet;

use model::{ExprId, Model, Value};

use crate::decode::{Numbers, decode, variables};
use crate::flat::{Con, Lit, Problem, Var};
use crate::flatten::{Flatten, Giveup};
use crate::propagate::Engine;
use crate::sat::Encoding;
use crate::search::{End, Watcher, search};
use crate::store::Store;
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
    /// Whether to give up after a few thousand dead ends instead of asking the SAT solver.
    pub is_brief: bool,
}

/// What to solve.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The model that the formulas belong to.
    pub model: &'a Model,
    /// What is looked for.
    pub unknowns: &'a [Unknown],
    /// What it satisfies; the negation of those marked.
    pub conjuncts: &'a [(ExprId, bool)],
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
    /// The dead ends allowed were met before all solutions were found.
    GaveUp,
    /// Nothing was given: the question is not one for this crate, for this reason.
    Refused(String),
}

/// Who gave the last solution, or found out that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Propagation and search.
    Propagation,
    /// The SAT solver.
    Sat,
}

/// Gives the solutions of a task to `ground`.
pub fn solve(task: &Task<'_>, ground: &mut dyn Ground, options: Options) -> (Outcome, Layer) {
    match prepare(task, ground) {
        Ok(Some(prepared)) => run(task, prepared, ground, options),
        Ok(None) => (Outcome::Complete, Layer::Propagation),
        Err(giveup) => {
            let reason = reason(task.model, &giveup);
            (Outcome::Refused(reason), Layer::Propagation)
        }
    }
}

struct Prepared {
    problem: Problem,
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
    let positive: Vec<ExprId> = task
        .conjuncts
        .iter()
        .filter(|(_, negated)| !negated)
        .map(|(expr, _)| *expr)
        .collect();
    let made = shapes::assign(&mut flatten, task.model, task.unknowns, &positive)?;
    let mut decided = Vec::new();
    for unknown in &made {
        if let Some(sym) = flatten.unknown(*unknown) {
            variables(sym, &mut decided);
        }
    }
    decided.sort_unstable();
    decided.dedup();
    let mut reached = Lit::True;
    for (i, (conjunct, negated)) in task.conjuncts.iter().enumerate() {
        match flatten.add(*conjunct, *negated, reached) {
            Ok(_) if task.relaxed => {}
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
    let mut engine = Engine::new(&problem);
    // What is not decided by propagation alone is asked later.
    if engine.propagate(&mut |_, _| true).is_err() {
        return Ok(None);
    }
    engine.store.write_back(&mut problem.domains);
    Ok(Some(Prepared {
        problem,
        values,
        decided,
        repeats,
    }))
}

/// Solutions that are blocked one by one when SAT takes over; with more of them propagation goes on.
const MOST_BLOCKED: usize = 5_000;

/// Dead ends, and constraints looked at, before SAT is tried: some tenths of a second.
const PATIENCE: u64 = 3_000;
/// See [`PATIENCE`].
const WORK: u64 = 5_000_000;
/// Dead ends before a brief search gives up.
const BRIEF: u64 = 500;

/// What both back ends need of the task.
struct Session<'t, 'g> {
    task: &'t Task<'t>,
    values: Vec<Sym>,
    ground: RefCell<&'g mut dyn Ground>,
    /// The solutions so far, where one may come several times.
    given: Option<RefCell<BTreeSet<Vec<Value>>>>,
}

impl Session<'_, '_> {
    fn check(&self, number: usize, numbers: &dyn Numbers) -> bool {
        let (conjunct, negated) = self.task.conjuncts[number];
        let bound: Vec<(Unknown, Value)> = self
            .task
            .unknowns
            .iter()
            .zip(&self.values)
            .map(|(unknown, sym)| (*unknown, decode(sym, numbers)))
            .collect();
        // What is undefined is not false: the caller finds out.
        match self.ground.borrow_mut().answer(conjunct, &bound) {
            Answer::Known(truth) => truth == Value::Bool(!negated),
            Answer::Undefined | Answer::Unlisted => true,
        }
    }

    fn give(&self, numbers: &dyn Numbers) -> bool {
        let solution: Vec<Value> = self.values.iter().map(|sym| decode(sym, numbers)).collect();
        if let Some(given) = &self.given
            && !given.borrow_mut().insert(solution.clone())
        {
            return true;
        }
        self.ground.borrow_mut().solution(&solution)
    }

    fn stop(&self) -> bool {
        self.ground.borrow_mut().stop()
    }
}

fn run(
    task: &Task<'_>,
    prepared: Prepared,
    ground: &mut dyn Ground,
    options: Options,
) -> (Outcome, Layer) {
    let Prepared {
        problem,
        values,
        decided,
        repeats,
    } = prepared;
    let session = Session {
        task,
        values,
        ground: RefCell::new(ground),
        given: repeats.then(RefCell::default),
    };
    if options.solver == Solver::Sat
        && !options.is_brief
        && let Ok(mut encoding) = Encoding::new(&problem)
    {
        let end = by_sat(&session, &mut encoding, &decided);
        return (outcome(end), Layer::Sat);
    }
    let mut engine = Engine::new(&problem);
    let mut propagating = Propagating {
        session: &session,
        problem: &problem,
        decided: &decided,
        may_give_up: options.solver == Solver::Auto || options.is_brief,
        is_brief: options.is_brief,
        blocked: Vec::new(),
        encoding: None,
    };
    let end = search(&mut engine, &decided, &mut propagating);
    let blocked = propagating.blocked;
    match (end, propagating.encoding) {
        (End::Budget, Some(mut encoding)) => {
            for values in &blocked {
                encoding.block(values);
            }
            let end = by_sat(&session, &mut encoding, &decided);
            (outcome(end), Layer::Sat)
        }
        _ => (outcome(end), Layer::Propagation),
    }
}

/// What the search by propagation tells.
struct Propagating<'s, 't, 'g> {
    session: &'s Session<'t, 'g>,
    problem: &'s Problem,
    decided: &'s [Var],
    may_give_up: bool,
    is_brief: bool,
    /// The first solutions, for the SAT solver not to find them again.
    blocked: Vec<Vec<(Var, i64)>>,
    encoding: Option<Encoding>,
}

impl Watcher for Propagating<'_, '_, '_> {
    fn check(&mut self, conjunct: usize, store: &Store) -> bool {
        self.session.check(conjunct, store)
    }

    fn give(&mut self, store: &Store) -> bool {
        if self.may_give_up && self.blocked.len() <= MOST_BLOCKED {
            let values = self.decided.iter().map(|x| (*x, store.lo(*x)));
            self.blocked.push(values.collect());
        }
        self.session.give(store)
    }

    fn stop(&mut self) -> bool {
        self.session.stop()
    }

    fn is_spent(&self, failures: u64, steps: u64) -> bool {
        if self.is_brief {
            return failures >= BRIEF;
        }
        failures >= PATIENCE && steps >= WORK
    }

    fn give_up(&mut self) -> bool {
        if !self.may_give_up || self.blocked.len() > MOST_BLOCKED {
            return false;
        }
        if self.is_brief {
            return true;
        }
        self.encoding = Encoding::new(self.problem).ok();
        self.encoding.is_some()
    }
}

fn by_sat(session: &Session<'_, '_>, encoding: &mut Encoding, decided: &[Var]) -> End {
    let probe = session.ground.borrow().probe();
    encoding.search(
        decided,
        probe,
        &mut |number, numbers| session.check(number, numbers),
        &mut || session.stop(),
        &mut |numbers| session.give(numbers),
    )
}

fn outcome(end: End) -> Outcome {
    match end {
        End::Exhausted => Outcome::Complete,
        End::Stopped => Outcome::Stopped,
        End::Budget => Outcome::GaveUp,
    }
}
