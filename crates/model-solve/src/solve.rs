//! Stacks the layers: shapes, flattening, cliques, propagation and search, SAT.

use std::cell::RefCell;
use std::collections::BTreeSet;

use model::{ExprId, Kind, Model, Value};

use crate::decode::{Numbers, decode, variables};
use crate::flat::{Problem, Var};
use crate::prepared::{Bounded, Cut, Prepared, flat, prepare};
use crate::propagate::Engine;
use crate::sat::Encoding;
use crate::search::{End, Watcher, search};
use crate::store::Store;
use crate::sym::Sym;
use crate::{Answer, Ground, Unknown};

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
    /// How much work is allowed, in units of some nanoseconds (a look at a constraint, at a term of a sum); then the
    /// outcome is [`Outcome::GaveUp`] and the SAT solver is not asked. No limit when absent.
    pub work: Option<u64>,
    /// Whether integers without bounds may be unknowns, in the hope that the others give them their values. When they do not,
    /// the question is refused, maybe after solutions were given.
    pub wide: bool,
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
    /// Whether a valuation for which a conjunct is undefined is no solution.
    pub strict: bool,
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
    /// The question is not one for this crate, for this reason. Nothing was given, but after [`Ground::provisional`].
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
    match prepare(task, ground, options) {
        Ok(Some(prepared)) => run(task, prepared, ground, options),
        Ok(None) => (Outcome::Complete, Layer::Propagation),
        Err(giveup) => {
            let reason = giveup.reason(task.model);
            (Outcome::Refused(reason), Layer::Propagation)
        }
    }
}

/// Clauses that have no solution, with the proof: clauses each of which follows from those before by unit propagation, the
/// empty one last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    /// The clauses of the question.
    pub clauses: Vec<Vec<i32>>,
    /// The proof.
    pub steps: Vec<Vec<i32>>,
}

/// Shows by clauses that a task has no solution, if it has none; conjuncts that only an evaluator understands are left out.
/// `None` when it has one, or when that was not found out.
pub fn refute(task: &Task<'_>, ground: &mut dyn Ground, options: Options) -> Option<Refutation> {
    let Some(prepared) = flat(task, ground, options).ok()? else {
        // Contradicted while it was written down.
        return Some(Refutation {
            clauses: vec![Vec::new()],
            steps: vec![Vec::new()],
        });
    };
    let clauses = Encoding::<Vec<Vec<i32>>>::new(&prepared.problem)
        .ok()?
        .solver;
    let steps = crate::refute::refute(&clauses)?;
    Some(Refutation { clauses, steps })
}

/// Solutions that are remembered so that the back ends can take turns; with more of them propagation goes on.
const MOST_BLOCKED: usize = 5_000;

/// Dead ends, and units of work (a look at a constraint, at a term of a sum, at an edge of a matching), before SAT
/// is tried: about a tenth of a second.
const PATIENCE: u64 = 2_000;
/// See [`PATIENCE`].
const WORK: u64 = 20_000_000;
/// Conflicts of the SAT solver without a new solution before propagation is tried again: about a second.
const CONFLICTS: u64 = 20_000;
/// How much more of both is allowed at every turn.
const GROWTH: u64 = 4;
/// What both back ends need of the task.
struct Session<'t, 'g> {
    task: &'t Task<'t>,
    values: Vec<Sym>,
    ground: RefCell<&'g mut dyn Ground>,
    /// The solutions so far, where one may come several times.
    given: RefCell<Option<BTreeSet<Vec<Value>>>>,
    /// The most values that fitted together.
    best: RefCell<Vec<(Unknown, Value)>>,
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
            Answer::Undefined => !self.task.strict,
            Answer::Unlisted => true,
        }
    }

    fn give(&self, numbers: &dyn Numbers) -> bool {
        let solution: Vec<Value> = self.values.iter().map(|sym| decode(sym, numbers)).collect();
        if let Some(given) = self.given.borrow_mut().as_mut()
            && !given.insert(solution.clone())
        {
            return true;
        }
        self.ground.borrow_mut().solution(&solution)
    }

    fn stop(&self) -> bool {
        let stops = self.ground.borrow_mut().stop();
        if stops {
            self.halted();
        }
        stops
    }

    /// Remembers the unknowns that have values.
    fn advance(&self, store: &Store) {
        let mut best = Vec::new();
        for (unknown, sym) in self.task.unknowns.iter().zip(&self.values) {
            let mut vars = Vec::new();
            variables(sym, &mut vars);
            if vars.iter().all(|x| store.fixed(*x).is_some()) {
                best.push((*unknown, decode(sym, store)));
            }
        }
        if best.len() >= self.best.borrow().len() {
            *self.best.borrow_mut() = best;
        }
    }

    fn halted(&self) {
        let best = self.best.borrow();
        let model = self.task.model;
        let is_left = |conjunct: ExprId| {
            let mut is_left = false;
            model.walk(conjunct, &mut |expr| {
                let unknown = match expr.kind {
                    Kind::Var(var) => Unknown::Var(var),
                    Kind::Local(local) => Unknown::Local(local),
                    _ => return,
                };
                is_left |= self.task.unknowns.contains(&unknown)
                    && !best.iter().any(|(known, _)| *known == unknown);
            });
            is_left
        };
        let left: Vec<usize> = (0..self.task.conjuncts.len())
            .filter(|i| is_left(self.task.conjuncts[*i].0))
            .collect();
        self.ground.borrow_mut().halted(&best, &left);
    }
}

/// Propagation first; then the back ends take turns, each time with more work allowed.
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
        cuts,
        repeats,
    } = prepared;
    let takes_turns = options.solver == Solver::Auto && options.work.is_none();
    if problem.wide {
        ground.provisional();
    }
    let session = Session {
        task,
        values,
        ground: RefCell::new(ground),
        given: RefCell::new((repeats || takes_turns).then(BTreeSet::new)),
        best: RefCell::default(),
    };
    if options.solver == Solver::Sat
        && options.work.is_none()
        && let Ok(mut encoding) = Encoding::new(&problem)
    {
        let end = by_sat(&session, &mut encoding, &decided, u64::MAX);
        return (outcome(end), Layer::Sat);
    }
    let mut engine = Engine::new(&problem);
    let mut propagating = Propagating {
        session: &session,
        problem: &problem,
        decided: &decided,
        cuts: &cuts,
        cutting: None,
        patience: match options.work {
            Some(work) => Patience::Brief(work),
            None if takes_turns => Patience::Turns(PATIENCE, WORK),
            None => Patience::Endless,
        },
        repeats,
        blocked: Vec::new(),
        encoding: None,
    };
    let mut conflicts = CONFLICTS;
    loop {
        let end = search(&mut engine, &decided, &mut propagating);
        if end != End::Budget {
            return (outcome(end), Layer::Propagation);
        }
        let Some(encoding) = &mut propagating.encoding else {
            return (Outcome::GaveUp, Layer::Propagation);
        };
        for values in propagating.blocked.drain(..) {
            encoding.block(&values);
        }
        let end = by_sat(&session, encoding, &decided, conflicts);
        if end != End::Budget {
            return (outcome(end), Layer::Sat);
        }
        conflicts = conflicts.saturating_mul(GROWTH);
        propagating.patience = propagating.patience.more(engine.steps);
    }
}

/// How long propagation goes on.
#[derive(Clone, Copy, Debug)]
enum Patience {
    /// Until it is done.
    Endless,
    /// So much work, looks at variables included; then nobody else is asked.
    Brief(u64),
    /// So many dead ends and so much work; then it is the turn of the SAT solver.
    Turns(u64, u64),
}

impl Patience {
    /// For the next turn, after so much work in all.
    fn more(self, done: u64) -> Patience {
        match self {
            Patience::Turns(failures, _) => {
                let failures = failures.saturating_mul(GROWTH);
                let work = done.saturating_mul(GROWTH).max(WORK);
                Patience::Turns(failures, done.saturating_add(work))
            }
            other => other,
        }
    }
}

/// What the search by propagation tells.
struct Propagating<'s, 't, 'g> {
    session: &'s Session<'t, 'g>,
    problem: &'s Problem,
    decided: &'s [Var],
    cuts: &'s [Cut],
    /// The unknown that was cut last.
    cutting: Option<Unknown>,
    patience: Patience,
    /// Whether a solution may come several times.
    repeats: bool,
    /// The solutions of this turn, for the SAT solver not to find them again.
    blocked: Vec<Vec<(Var, i64)>>,
    encoding: Option<Encoding>,
}

impl Propagating<'_, '_, '_> {
    /// Where the caller cuts.
    fn end(&self, (cut, low, high): Bounded) -> Option<(Var, i64, i64)> {
        let mut ground = self.session.ground.borrow_mut();
        let (low, high) = ground.cut(cut.unknown, low, high)?;
        Some((cut.var, low, high))
    }
}

impl Watcher for Propagating<'_, '_, '_> {
    fn check(&mut self, conjunct: usize, store: &Store) -> bool {
        self.session.check(conjunct, store)
    }

    fn give(&mut self, store: &Store) -> bool {
        if matches!(self.patience, Patience::Turns(..)) {
            let values = self.decided.iter().map(|x| (*x, store.lo(*x)));
            self.blocked.push(values.collect());
            if self.blocked.len() > MOST_BLOCKED && self.encoding.is_none() {
                self.patience = Patience::Endless;
                self.blocked = Vec::new();
                if !self.repeats {
                    *self.session.given.borrow_mut() = None;
                }
            }
        }
        self.session.give(store)
    }

    fn stop(&mut self) -> bool {
        self.session.stop()
    }

    fn advance(&mut self, store: &Store) {
        // Of a brief search nobody asks how far it came.
        if !matches!(self.patience, Patience::Brief(_)) {
            self.session.advance(store);
        }
    }

    fn is_over(&self, work: u64) -> bool {
        matches!(self.patience, Patience::Brief(most) if work >= most)
    }

    fn is_spent(&self, failures: u64, steps: u64) -> bool {
        match self.patience {
            Patience::Endless => false,
            Patience::Brief(work) => steps >= work,
            Patience::Turns(most, work) => failures >= most && steps >= work,
        }
    }

    fn cut(&mut self, store: &Store) -> Option<(Var, i64, i64)> {
        let cut = Cut::next(self.cuts, store, None)?;
        self.cutting = Some(cut.0.unknown);
        self.end(cut)
    }

    fn cut_more(&mut self, store: &Store) -> Option<(Var, i64, i64)> {
        let cut = Cut::next(self.cuts, store, self.cutting)?;
        self.end(cut)
    }

    fn give_up(&mut self) -> bool {
        if matches!(self.patience, Patience::Brief(_)) || self.encoding.is_some() {
            return true;
        }
        self.encoding = Encoding::new(self.problem).ok();
        if self.encoding.is_none() {
            self.patience = Patience::Endless;
        }
        self.encoding.is_some()
    }
}

fn by_sat(
    session: &Session<'_, '_>,
    encoding: &mut Encoding,
    decided: &[Var],
    conflicts: u64,
) -> End {
    let probe = session.ground.borrow().probe();
    encoding.search(
        (decided, conflicts),
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
        End::Endless => Outcome::Refused("an integer has no bounds".to_owned()),
    }
}
