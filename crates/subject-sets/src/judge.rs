//! The reference evaluator as a judge.

use std::sync::Arc;

use model::{ExprId, Model, Tys, Value as Inner, VarId};
use model_interp::{Interp, Options, State, Stop, StopKind, Transition};
use pins::{Fault, FaultKind, Halt, LabelId};
use subject::{
    EventId, Happening, Judge, Moment, Possible, Predicate, QuestionId, Step, Value, Wd,
};

use crate::questions::Asked;
use crate::value::{unwrap, unwrap_all, wrap, wrap_all};
use crate::why;

/// The reference evaluator of a model.
pub(crate) struct Referee<'s> {
    pub(crate) model: &'s Model,
    pub(crate) tys: Arc<Tys>,
    pub(crate) labels: &'s [ExprId],
    pub(crate) asked: &'s [Asked],
    pub(crate) interp: Interp<'s>,
    /// The same without the outcomes that fault.
    lenient: Interp<'s>,
}

/// What the reference evaluator does about the undefined.
pub(crate) fn definedness(wd: Wd) -> model_interp::Wd {
    match wd {
        Wd::Default => model_interp::Wd::Default,
        Wd::Strict => model_interp::Wd::Strict,
        Wd::Lenient => model_interp::Wd::Lenient,
    }
}

/// Why there is no answer.
pub(crate) fn fault(stop: Stop) -> Fault {
    Fault {
        kind: match stop.kind {
            StopKind::Undefined => FaultKind::Undefined,
            StopKind::Violated => FaultKind::Violated,
            StopKind::Refinement => FaultKind::Refinement,
            StopKind::Budget => FaultKind::Budget,
            StopKind::Open => FaultKind::Cut,
            StopKind::Unsupported => FaultKind::Unsupported,
        },
        span: stop.span,
        message: stop.reason,
    }
}

impl<'s> Referee<'s> {
    pub(crate) fn new(
        (model, tys): (&'s Model, Arc<Tys>),
        labels: &'s [ExprId],
        asked: &'s [Asked],
        wd: Wd,
        budget: u64,
    ) -> Referee<'s> {
        let interp = |wd: Wd| {
            let options = Options {
                wd: definedness(wd),
                budget,
            };
            Interp::new(model, options)
        };
        Referee {
            model,
            tys,
            labels,
            asked,
            interp: interp(wd),
            lenient: interp(Wd::Lenient),
        }
    }

    fn predicate(&self, predicate: Predicate) -> ExprId {
        match predicate {
            Predicate::Label(label) => self.label(label),
            Predicate::Question(question) => self.asked[question.index()].expr,
        }
    }

    fn label(&self, label: LabelId) -> ExprId {
        self.labels[label.index()]
    }

    fn step(&self, event: EventId, taken: Transition) -> Step {
        let arguments = taken.arguments.into_iter().map(Some).collect();
        Step {
            happening: Happening::Event(event),
            arguments: wrap_all(&self.tys, arguments),
            results: wrap_all(&self.tys, taken.results),
            after: wrap_all(&self.tys, taken.target.values().to_vec()),
        }
    }

    /// The state that a step after the set-up makes, with the rules of its infinite sets; why it does not make this one.
    fn made(&mut self, before: &State, step: &Step, after: &State) -> Result<State, String> {
        let Happening::Event(event) = step.happening else {
            return self.interp.check_initial(before, after);
        };
        let arguments: Vec<Inner> = unwrap_all(&step.arguments).into_iter().flatten().collect();
        let results = unwrap_all(&step.results);
        self.interp
            .check_step_with(event.index(), &arguments, &results, before, after)
    }

    /// Checks a set-up; constants that are infinite sets get their rules.
    fn setup(&mut self, after: &mut Moment) -> Result<(), String> {
        let setup = after.state::<State>();
        let is_partial = self
            .model
            .variables
            .iter()
            .any(|(id, variable)| variable.is_constant && setup.values()[id.index()].is_none());
        if !is_partial {
            return self.interp.check_setup(setup);
        }
        match self.interp.setups_from(setup, 1) {
            Ok(mut found) => match found.pop() {
                Some(full) => {
                    let mut whole = setup.clone();
                    whole.adopt_symbolic(&full);
                    *after = Moment::new(whole);
                    Ok(())
                }
                None => Err("no such constants satisfy the properties".to_owned()),
            },
            Err(stop) => Err(stop.reason),
        }
    }
}

impl Judge for Referee<'_> {
    fn heed(&mut self, halt: &Halt) {
        self.interp.heed(halt.flag());
        self.lenient.heed(halt.flag());
    }

    fn beginning(&self) -> Moment {
        Moment::new(State::empty(self.model))
    }

    fn after(&mut self, before: &Moment, step: &Step) -> Moment {
        let mut values = unwrap_all(&step.after);
        values.resize(self.model.variables.len(), None);
        let mut next = State::new(values);
        let lacks = |(id, variable): (VarId, &model::Variable)| {
            !variable.is_constant && next.values()[id.index()].is_none()
        };
        // A variable without a plain value holds an infinite set: the one that the step gives it.
        if step.happening != Happening::Setup && self.model.variables.iter().any(lacks) {
            let made = self.made(before.state(), step, &next);
            if let Ok(made) = made {
                next.adopt_symbolic(&made);
            }
        } else {
            next.adopt_symbolic(before.state::<State>());
        }
        Moment::new(next)
    }

    fn at(&mut self, values: &[Option<Value>]) -> Moment {
        let mut values = unwrap_all(values);
        values.resize(self.model.variables.len(), None);
        let mut state = State::new(values);
        let lacks = |(id, variable): (VarId, &model::Variable)| {
            variable.is_constant && state.values()[id.index()].is_none()
        };
        if self.model.variables.iter().any(lacks) {
            let mut constants = state.values().to_vec();
            for (id, variable) in self.model.variables.iter() {
                if !variable.is_constant {
                    constants[id.index()] = None;
                }
            }
            let known = State::new(constants);
            if let Ok(Some(full)) = self.interp.setups_from(&known, 1).map(|mut all| all.pop()) {
                state.adopt_symbolic(&full);
            }
        }
        // Which infinite set a variable holds is told by the way to the state only. After a set-up no variable has a value.
        let variables = self.model.variables.iter();
        let variables = variables.filter(|(_, variable)| !variable.is_constant);
        let (known, absent): (Vec<_>, Vec<_>) = variables
            .map(|(id, _)| &state.values()[id.index()])
            .partition(|value| value.is_some());
        if !known.is_empty() && !absent.is_empty() {
            self.interp.hide();
            self.lenient.hide();
        }
        Moment::new(state)
    }

    fn check(&mut self, before: &Moment, step: &Step, after: &mut Moment) -> Result<(), Fault> {
        let answer = match step.happening {
            Happening::Setup => self.setup(after),
            Happening::Event(event) if step.arguments.iter().any(Option::is_none) => {
                let name = self.model.actions[event.index()].name;
                return Err(Fault {
                    kind: FaultKind::Budget,
                    span: None,
                    message: format!("an argument of {name} is an infinite set"),
                });
            }
            _ => self
                .made(before.state(), step, after.state::<State>())
                .map(drop),
        };
        let kind = match self.interp.is_exhausted() {
            true => FaultKind::Budget,
            false => FaultKind::Violated,
        };
        answer.map_err(|message| Fault {
            kind,
            span: None,
            message,
        })
    }

    fn may_overlook(&mut self) -> bool {
        self.interp.has_partial_rules()
    }

    fn truth(&mut self, predicate: Predicate, at: &Moment) -> Result<bool, Fault> {
        let expr = self.predicate(predicate);
        self.interp.holds(expr, at.state()).map_err(fault)
    }

    fn is_makeable(&mut self, at: &Moment) -> Result<bool, Fault> {
        for conjunct in &self.model.assumed {
            let truth = self.interp.holds(conjunct.predicate, at.state());
            if !truth.map_err(fault)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn truth_of(
        &mut self,
        question: QuestionId,
        values: &[Value],
        at: &Moment,
    ) -> Result<bool, Fault> {
        let asked = &self.asked[question.index()];
        let names: Vec<_> = asked
            .names
            .iter()
            .copied()
            .zip(values.iter().map(unwrap))
            .collect();
        let answer = self.interp.eval_where(asked.expr, at.state(), &names);
        match answer.map_err(fault)? {
            Inner::Bool(truth) => Ok(truth),
            _ => Err(Fault {
                kind: FaultKind::Unsupported,
                span: None,
                message: "the formula is no predicate".to_owned(),
            }),
        }
    }

    fn value(&mut self, question: QuestionId, at: &Moment) -> Result<Value, Fault> {
        let expr = self.asked[question.index()].expr;
        let value = self.interp.eval(expr, at.state()).map_err(fault)?;
        Ok(wrap(&self.tys, value))
    }

    fn possible(&mut self, at: &Moment) -> Result<Possible, Fault> {
        let mut possible = Possible::default();
        for event in (0..self.model.actions.len()).map(EventId::new) {
            let mut answer = self.interp.transitions(event.index(), at.state());
            let faulty = match &answer {
                Ok((_, passed)) => passed.clone(),
                Err(stop) => Some(stop.clone()).filter(Stop::is_fault),
            };
            if let Some(stop) = faulty {
                possible.faults.push((event, fault(stop)));
                answer = self.lenient.transitions(event.index(), at.state());
            }
            let (found, _) = answer.map_err(fault)?;
            let found = found.into_iter();
            possible
                .steps
                .extend(found.map(|taken| self.step(event, taken)));
        }
        Ok(possible)
    }

    fn dependences(&mut self, event: EventId, at: &Moment) -> Vec<String> {
        let stop = match self.interp.transitions(event.index(), at.state()) {
            Ok((_, stop)) => stop,
            Err(stop) => Some(stop),
        };
        let values = stop.map_or(Vec::new(), |stop| stop.values).into_iter();
        let lines = values.map(|(name, value)| format!("with {name} = {value}"));
        lines.collect()
    }

    fn steps(&mut self, event: EventId, at: &Moment) -> (Vec<Step>, Option<Fault>) {
        match self.interp.transitions(event.index(), at.state()) {
            Ok((found, stop)) => {
                let found = found.into_iter();
                let steps = found.map(|taken| self.step(event, taken)).collect();
                (steps, stop.map(fault))
            }
            Err(stop) => (Vec::new(), Some(fault(stop))),
        }
    }

    fn setups(&mut self, most: usize) -> Result<Vec<Moment>, Fault> {
        let found = self.interp.setups(most).map_err(fault)?;
        Ok(found.into_iter().map(Moment::new).collect())
    }

    fn initial(&mut self, setup: &Moment, most: usize) -> Result<Vec<Moment>, Fault> {
        let found = self.interp.initial(setup.state(), most).map_err(fault)?;
        Ok(found.into_iter().map(Moment::new).collect())
    }

    fn explain(&mut self, predicate: Predicate, at: &Moment) -> Vec<String> {
        let expr = self.predicate(predicate);
        let mut lines: Vec<String> = Vec::new();
        for part in self.interp.explain(expr, at.state()) {
            let line = why::because(self.model, Some(expr), &part);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        lines
    }

    fn obstacles(
        &mut self,
        event: EventId,
        arguments: &[Option<Value>],
        at: &Moment,
    ) -> Vec<String> {
        let arguments = unwrap_all(arguments);
        let obstacles = self.interp.obstacles(event.index(), &arguments, at.state());
        let mut lines: Vec<String> = Vec::new();
        for obstacle in &obstacles {
            let line = why::obstacle(self.model, obstacle);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        if lines.is_empty() {
            lines.push("because no branch of its body can happen".to_owned());
        }
        lines
    }
}
