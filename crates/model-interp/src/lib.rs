//! The reference evaluator: slow, obvious, total; the judge of every other evaluator.
//!
//! Every operator is computed as its definition reads, integers are exact, sets may be infinite as long as only
//! membership, application or images are asked of them. Definedness is strict and left to right
//! (`docs/meaning.md`). Enumeration takes candidates from the predicate and then tests every conjunct on every candidate,
//! so a wrong idea about candidates could lose a solution but never invent one.
//! Invariant: this crate shares nothing with `model-compile` but the data of `model`.
//! Invariant: work is counted, not timed; a budget ends what would run on.

mod apply;
mod arithmetic;
mod binder;
mod disabled;
mod doubt;
mod env;
mod equal;
mod eval;
mod expand;
mod explain;
mod facts;
mod host;
mod limit;
mod linear;
mod member;
mod near;
mod number;
mod observe;
mod operate;
mod pattern;
mod relation;
mod run;
mod search;
mod sequence;
mod set;
mod settled;
mod simulate;
mod size;
mod step;
mod stop;
mod total;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{ExprId, LocalId, Model, Target, Value};
use rustc_hash::FxHashMap;

pub use disabled::Obstacle;
pub use env::State;
pub use explain::{Explanation, Term};
pub use step::Transition;
pub use stop::{Notes, Stop, StopKind};

use env::Env;
use set::V;
use stop::Run;

/// What to do with what has no value (`docs/meaning.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wd {
    /// An undefined guard, parameter or choice predicate counts as false and is noted; the rest is a fault.
    #[default]
    Default,
    /// An undefined guard is a fault too.
    Strict,
    /// A fault in an action gives no transition and is noted.
    Lenient,
}

/// How to evaluate.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What to do with what has no value.
    pub wd: Wd,
    /// How many steps one question may take: a step is a formula, an element or a candidate looked at.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            wd: Wd::Default,
            // About a minute of work.
            budget: 100_000_000,
        }
    }
}

/// How deep calls of infinite functions may be nested: recursion that never ends would exhaust memory first.
const MAX_CALLS: u32 = 10_000;

/// Evaluates formulas and statements of a model.
#[derive(Debug)]
pub struct Interp<'m> {
    model: &'m Model,
    options: Options,
    steps: u64,
    calls: u32,
    exhausted: bool,
    notes: Notes,
    mentions: FxHashMap<ExprId, Arc<[Target]>>,
    totals: FxHashMap<ExprId, bool>,
    /// How often a predicate that was cut stayed unknown.
    undecided: FxHashMap<ExprId, u32>,
    carriers: Vec<V>,
    /// Whether a fault in a statement drops the branch: in actions under [`Wd::Lenient`].
    lenient: bool,
    /// The first step of this question that is none of the refined machine.
    unrefined: Option<Stop>,
    /// Why the search under way is not complete, as far as it is known.
    doubt: Option<Stop>,
    /// Why this question has an answer that is not complete: outcomes that are not known, or were not looked for.
    unknown: Option<Stop>,
    /// Whether the undefined must not be passed over: in formulas.
    strict: bool,
    /// Whether a quantifier that was cut takes its second look.
    is_near: bool,
    /// How often conditions of statements were true and false, when somebody wants to know.
    observed: Option<BTreeMap<ExprId, (u64, u64)>>,
    /// The values that a replayed step must reach.
    goal: Vec<(Target, V)>,
    /// Whether a step that was checked may have given a variable one of several infinite sets: it is then not known which.
    hides: bool,
    /// Set when nobody waits for the answer any more.
    halt: Arc<AtomicBool>,
}

/// Whether an enumeration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    Stop,
}

impl<'m> Interp<'m> {
    /// An evaluator of this model.
    pub fn new(model: &'m Model, options: Options) -> Interp<'m> {
        Interp {
            model,
            options,
            steps: 0,
            calls: 0,
            exhausted: false,
            notes: Notes::default(),
            mentions: FxHashMap::default(),
            totals: FxHashMap::default(),
            undecided: FxHashMap::default(),
            carriers: limit::carriers(model),
            lenient: false,
            strict: false,
            is_near: false,
            unrefined: None,
            doubt: None,
            unknown: None,
            observed: None,
            goal: Vec::new(),
            hides: false,
            halt: Arc::default(),
        }
    }

    /// From now on, what would run on ends as if its budget were used up once `halt` is set.
    pub fn heed(&mut self, halt: Arc<AtomicBool>) {
        self.halt = halt;
    }

    /// The value of an expression (of a predicate: its truth) as plain data; `Open` when it is infinite.
    pub fn eval(&mut self, expr: ExprId, state: &State) -> Result<Value, Stop> {
        self.begin();
        let env = Env::of(state);
        let value = self.value(expr, &env)?;
        self.force(&value)
            .map_err(|stop| stop.at(self.model.exprs[expr].span))
    }

    /// The truth of a predicate.
    pub fn holds(&mut self, predicate: ExprId, state: &State) -> Result<bool, Stop> {
        self.begin();
        self.test(predicate, &Env::of(state))
    }

    /// [`Interp::eval`] of an expression in which the caller gives some names their values.
    pub fn eval_where(
        &mut self,
        expr: ExprId,
        state: &State,
        names: &[(LocalId, Value)],
    ) -> Result<Value, Stop> {
        self.begin();
        let mut env = Env::of(state);
        for (name, value) in names {
            env = env.bind_local(*name, Some(value.clone().into()));
        }
        let value = self.value(expr, &env)?;
        self.force(&value)
            .map_err(|stop| stop.at(self.model.exprs[expr].span))
    }

    /// What was noticed so far that a report must tell.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Takes the notes out, leaving none.
    pub fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// Whether the last check failed because a budget ended or a set is infinite, not because of the model.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// The reason of a stop, remembering whether it was for lack of budget.
    fn gave_up(&mut self, stop: Stop) -> String {
        self.exhausted |= matches!(stop.kind, StopKind::Budget | StopKind::Open);
        stop.reason
    }

    /// Starts a new question with a full budget.
    fn begin(&mut self) {
        self.steps = 0;
        self.calls = 0;
        self.exhausted = false;
        self.goal.clear();
        self.strict = false;
        self.is_near = false;
        self.lenient = false;
        self.unrefined = None;
        self.doubt = None;
        self.unknown = None;
    }

    /// Counts a step.
    fn tick(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > self.options.budget {
            return Err(Stop::new(
                StopKind::Budget,
                format!("more than {} steps", self.options.budget),
            ));
        }
        if self.halt.load(Ordering::Relaxed) {
            return Err(Stop::new(StopKind::Budget, "the evaluation was halted"));
        }
        Ok(())
    }

    /// Counts the steps of an operation on so many elements.
    fn spend(&mut self, elements: usize) -> Run<()> {
        self.steps += elements as u64 / 8;
        self.tick()
    }

    /// Runs the body of a closure.
    fn enter<T>(&mut self, body: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        if self.calls >= MAX_CALLS {
            return Err(Stop::new(
                StopKind::Budget,
                format!("more than {MAX_CALLS} nested calls"),
            ));
        }
        self.calls += 1;
        let result = base::deep::recurse(|| body(self));
        self.calls -= 1;
        result
    }

    /// A value for messages.
    fn show(&self, value: &V) -> String {
        match value {
            V::Plain(value) => {
                let mut text = value.told(&self.model.tys);
                if text.chars().count() > 60 {
                    text = text.chars().take(57).chain("...".chars()).collect();
                }
                text
            }
            V::Pair(pair) => format!("({}|->{})", self.show(&pair.0), self.show(&pair.1)),
            _ => "an infinite set".to_owned(),
        }
    }
}
