//! Replays a path step by step on the reference evaluator, then the claim about its last state.
//!
//! The set-up must satisfy the properties, the initialisation must lead to the first state, every step must be
//! one of its action with these arguments and results, and in the last state the claim must be true.
//! Invariant: a difference is a [`Mismatch`], which is a bug of ours and never a result. Only where the
//! reference evaluator gives up (its budget is counted, not timed) is a claim shown with a doubt.

use model::{ExprId, Model, Value};
use model_interp::{Interp, Options, State, Stop, StopKind};

use crate::trace::{Event, Trace};
use crate::why;

pub use model_interp::Wd as Definedness;

/// How many steps the reference evaluator may take for one question: some seconds of work.
const BUDGET: u64 = 10_000_000;
/// The same for "there is no set-up": all candidates would have to be looked at, which is what the solver avoids.
const BRIEF: u64 = 300_000;

/// What is said about the last state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The predicate is false.
    False(ExprId),
    /// The predicate is true.
    True(ExprId),
    /// The predicate has no truth value.
    Undefined(ExprId),
    /// No action can happen.
    Deadlock,
    /// The path leads there.
    Reached,
    /// The action has no value, or a condition in it does not hold.
    FaultInAction(usize),
    /// The initialisation has no value, or a condition in it does not hold.
    FaultInInitialisation,
    /// The properties have no truth value.
    FaultInSetup,
    /// The constants have no values.
    NoSetup,
    /// There is no initial state.
    NoInitialState,
}

/// A claim that was confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Why it is so, line by line.
    pub why: Vec<String>,
    /// What the reference evaluator could not decide, if anything.
    pub doubt: Option<String>,
}

/// The two evaluators differ: this is a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(pub String);

/// Replays a path and confirms a claim about its last state.
pub fn replay(
    model: &Model,
    trace: &Trace,
    claim: Claim,
    wd: Definedness,
) -> Result<Evidence, Mismatch> {
    let budget = match claim {
        Claim::NoSetup => BRIEF,
        _ => BUDGET,
    };
    let interp = |wd: Definedness| Interp::new(model, Options { wd, budget });
    let mut replay = Replay {
        model,
        interp: interp(wd),
        // A step is one whatever other outcomes do.
        steps: interp(match wd {
            Definedness::Default => Definedness::Lenient,
            wd => wd,
        }),
        evidence: Evidence::default(),
    };
    let state = replay.path(trace)?;
    replay.claim(claim, &state)?;
    Ok(replay.evidence)
}

struct Replay<'m> {
    model: &'m Model,
    interp: Interp<'m>,
    steps: Interp<'m>,
    evidence: Evidence,
}

impl Replay<'_> {
    /// Walks the path and returns its last state.
    fn path(&mut self, trace: &Trace) -> Result<State, Mismatch> {
        let mut state = State::empty(self.model);
        for (number, step) in trace.steps.iter().enumerate() {
            let mut values = step.after.clone();
            values.resize(self.model.variables.len(), None);
            let mut next = State::new(values);
            let answer = match step.event {
                Event::Setup => self.setup(&mut next),
                Event::Initialisation => {
                    next.adopt_symbolic(&state);
                    self.interp.check_initial(&state, &next)
                }
                Event::Action(action) => {
                    next.adopt_symbolic(&state);
                    let arguments: Option<Vec<Value>> = step.arguments.iter().cloned().collect();
                    match arguments {
                        Some(arguments) => self.steps.check_step_with(
                            action,
                            &arguments,
                            &step.results,
                            &state,
                            &next,
                        ),
                        None => {
                            let name = step.event.name(self.model);
                            let doubt = format!("an argument of {name} is an infinite set");
                            self.evidence.doubt.get_or_insert(doubt);
                            Ok(())
                        }
                    }
                }
            };
            if let Err(reason) = answer {
                let event = step.event.name(self.model);
                let what = format!("step {} ({event}): {reason}", number + 1);
                if !self.interp.is_exhausted() && !self.steps.is_exhausted() {
                    self.differs(&what)?;
                }
                self.evidence.doubt.get_or_insert(what);
            }
            state = next;
        }
        Ok(state)
    }

    /// Checks a set-up; constants that are infinite sets get their rules.
    fn setup(&mut self, setup: &mut State) -> Result<(), String> {
        let model = self.model;
        let is_partial = model
            .variables
            .iter()
            .any(|(id, variable)| variable.is_constant && setup.values()[id.index()].is_none());
        if !is_partial {
            return self.interp.check_setup(setup);
        }
        match self.interp.setups_from(setup, 1) {
            Ok(mut found) => match found.pop() {
                Some(full) => {
                    setup.adopt_symbolic(&full);
                    Ok(())
                }
                None => Err("no such constants satisfy the properties".to_owned()),
            },
            Err(stop) => Err(stop.reason),
        }
    }

    fn claim(&mut self, claim: Claim, state: &State) -> Result<(), Mismatch> {
        match claim {
            Claim::False(predicate) => match self.interp.holds(predicate, state) {
                Ok(false) => {
                    self.explain(predicate, state);
                    Ok(())
                }
                Ok(true) => self.differs("the predicate is true"),
                Err(stop) => self.stopped(stop, false),
            },
            Claim::True(predicate) => match self.interp.holds(predicate, state) {
                Ok(true) => Ok(()),
                Ok(false) => self.differs("the predicate is false"),
                Err(stop) => self.stopped(stop, false),
            },
            Claim::Undefined(predicate) => match self.interp.holds(predicate, state) {
                Ok(_) => self.differs("the predicate has a truth value"),
                Err(stop) => {
                    self.explain(predicate, state);
                    self.stopped(stop, true)
                }
            },
            Claim::Deadlock => self.deadlock(state),
            Claim::Reached => Ok(()),
            Claim::FaultInAction(action) => {
                let answer = self.interp.successors(action, state);
                self.fault(answer.map(|_| ()))
            }
            Claim::FaultInInitialisation => {
                let answer = self.interp.initial(state, usize::MAX);
                self.fault(answer.map(|_| ()))
            }
            Claim::FaultInSetup => match self.interp.setups(usize::MAX) {
                // Another property is false: whether the fault or that one is met first depends on the order
                // in which constants are looked for.
                Ok(found) if found.is_empty() => {
                    let doubt = "no values of the constants satisfy the properties".to_owned();
                    self.evidence.doubt.get_or_insert(doubt);
                    Ok(())
                }
                answer => self.fault(answer.map(|_| ())),
            },
            Claim::NoSetup => {
                let answer = self.interp.setups(1);
                self.nothing("there is a set-up", answer.map(|found| found.len()))
            }
            Claim::NoInitialState => {
                let answer = self.interp.initial(state, 1);
                self.nothing("there is an initial state", answer.map(|found| found.len()))
            }
        }
    }

    fn deadlock(&mut self, state: &State) -> Result<(), Mismatch> {
        for action in 0..self.model.actions.len() {
            let answer = self.interp.transitions(action, state);
            let name = self.model.actions[action].name;
            let what = format!("{name} can happen");
            self.nothing(&what, answer.map(|(found, _)| found.len()))?;
        }
        Ok(())
    }

    fn nothing(&mut self, otherwise: &str, answer: Result<usize, Stop>) -> Result<(), Mismatch> {
        match answer {
            Ok(0) => Ok(()),
            Ok(_) => self.differs(otherwise),
            Err(stop) => self.stopped(stop, false),
        }
    }

    fn fault(&mut self, answer: Result<(), Stop>) -> Result<(), Mismatch> {
        match answer {
            Ok(()) => self.differs("everything has a value"),
            Err(stop) => self.stopped(stop, true),
        }
    }

    /// The reference evaluator has no answer: expected of a fault, a doubt where it gave up.
    fn stopped(&mut self, stop: Stop, expected: bool) -> Result<(), Mismatch> {
        match stop.kind {
            StopKind::Budget | StopKind::Open => {
                self.evidence.doubt.get_or_insert(stop.reason);
                Ok(())
            }
            StopKind::Undefined | StopKind::Violated | StopKind::Refinement if expected => {
                if self.evidence.why.is_empty() {
                    self.evidence.why.push(format!("because {}", stop.reason));
                }
                Ok(())
            }
            _ => self.differs(&format!("the last state: {}", stop.reason)),
        }
    }

    fn differs(&self, what: &str) -> Result<(), Mismatch> {
        Err(Mismatch(format!(
            "the reference evaluator disagrees with the compiled one: {what}"
        )))
    }

    fn explain(&mut self, predicate: ExprId, state: &State) {
        for part in self.interp.explain(predicate, state) {
            let line = why::because(self.model, Some(predicate), &part);
            if !self.evidence.why.contains(&line) {
                self.evidence.why.push(line);
            }
        }
    }
}
