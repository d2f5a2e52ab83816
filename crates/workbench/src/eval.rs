//! Evaluates formulas, one after the other, in the first initialised state of a file.
//!
//! Answers are those of `eval --batch` (`contract`): a value in canonical notation, TRUE or FALSE, or `!` with the
//! kind and reason of what prevented one. Definedness is strict here, whatever a check would tolerate.
//! Invariant: an answer is one line; a value found by an enumeration that had to be cut is no answer.

use std::path::Path;

use base::{Class, Diagnostic, Diagnostics, Severity};
use lang_b::check::check_text;
use model::scope::Scopes;
use model::{ExprId, Model, Value};
use model_compile::Compiled;
use model_interp::{Interp, Options, State, Stop, StopKind};
use pins::{Fault, FaultKind, Flow, Halt, Notes, System as _};

use crate::check::compiled;
use crate::choice::{Evaluator, Solver};
use crate::codes;
use crate::free::free_names;
use crate::lint::{Lint, load};
use crate::loaded::{Loaded, Wanted};
use crate::solve::Question;

/// A model and a state in which formulas are evaluated.
pub struct Session {
    lint: Lint,
    checked: Loaded,
    model: Model,
    place: Place,
    warning: Option<String>,
}

/// The state in which formulas are evaluated, and by whom.
enum Place {
    Reference(State),
    Compiled(Box<Compiled>, Vec<u32>),
}

/// The context of formulas when no file is given.
const NOTHING: &str = "MACHINE Nothing END";

impl Session {
    /// Reads a file and initialises it; without one, formulas stand for themselves. A file with errors is
    /// returned as its lint.
    pub fn open(
        path: Option<&Path>,
        scopes: &Scopes,
        evaluator: Evaluator,
    ) -> Result<Session, Box<Lint>> {
        let (mut lint, checked) = match path {
            Some(path) => load(path),
            None => {
                let path = Path::new("Nothing.mch");
                let mut lint = Lint::new(path);
                let mut checked = check_text(path, NOTHING.to_owned(), &mut lint.sources);
                lint.diagnostics = std::mem::take(&mut checked.diagnostics);
                (lint, Some(Loaded::B(Box::new(checked))))
            }
        };
        let Some(checked) = checked.filter(|_| !lint.diagnostics.has_errors()) else {
            return Err(Box::new(lint));
        };
        let model = match checked.lower(&Wanted::default(), scopes) {
            Ok(model) => model,
            Err(diagnostics) => {
                lint.diagnostics.extend(diagnostics.iter().cloned());
                return Err(Box::new(lint));
            }
        };
        let (place, warning) = match evaluator {
            Evaluator::Reference => {
                let (state, warning) = first_state(&model);
                (Place::Reference(state), warning)
            }
            Evaluator::Compiled => {
                match model_compile::compile(&model, &model_compile::Options::default()) {
                    Ok(compiled) => {
                        let (state, warning) = first_vector(&compiled);
                        (Place::Compiled(Box::new(compiled), state), warning)
                    }
                    Err(unsupported) => {
                        for one in unsupported {
                            let message = format!("{} cannot be run", one.what);
                            lint.diagnostics.push(match one.span {
                                Some(span) => {
                                    Diagnostic::error(&codes::NOT_EXECUTABLE, span, message)
                                }
                                None => Diagnostic::global(&codes::NOT_EXECUTABLE, message),
                            });
                        }
                        return Err(Box::new(lint));
                    }
                }
            }
        };
        Ok(Session {
            lint,
            checked,
            model,
            place,
            warning,
        })
    }

    /// The names of a predicate that mean nothing in the file.
    pub(crate) fn unknowns(&mut self, predicate: &str) -> Vec<String> {
        let names = free_names(&mut self.checked, predicate, &mut self.lint.sources);
        names.iter().map(ToString::to_string).collect()
    }

    /// The set of the valuations of names for which a predicate holds, in the notation of the file.
    pub(crate) fn comprehension(&self, names: &[String], predicate: &str) -> String {
        let list = names.join(",");
        match &self.checked {
            Loaded::B(_) => format!("{{{list}|({predicate}\n)}}"),
            // Its comprehensions say what they collect, and in brackets a comment may end the line.
            Loaded::EventB(_) => {
                format!("{{{list}·({predicate}\n)∣{}}}", names.join("↦"))
            }
        }
    }

    /// A formula, lowered.
    pub(crate) fn lowered(&mut self, formula: &str) -> Result<ExprId, Diagnostics> {
        let wanted = Wanted::default();
        let sources = &mut self.lint.sources;
        let lowered = self
            .checked
            .formula(&wanted, &mut self.model, formula, sources)?;
        Ok(lowered.expr)
    }

    /// The model, with all formulas so far.
    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// The file with what is wrong with a formula.
    pub(crate) fn refused(self, diagnostics: &Diagnostics) -> Lint {
        let mut lint = self.lint;
        lint.diagnostics = Diagnostics::new();
        lint.diagnostics.extend(diagnostics.iter().cloned());
        lint
    }

    /// Gives the solutions of a comprehension in the state of the session.
    pub(crate) fn solutions(
        &self,
        comprehension: ExprId,
        solver: Solver,
        halt: &Halt,
        give: &mut dyn FnMut(&[Option<Value>]) -> Flow,
    ) -> (Result<(), Fault>, Notes) {
        let solver = compiled::back_end(solver);
        match &self.place {
            Place::Compiled(compiled, state) => {
                compiled.solutions(&self.model, comprehension, (state, solver, halt), give)
            }
            Place::Reference(state) => {
                let options = model_compile::Options::default();
                let Ok(compiled) = model_compile::compile(&self.model, &options) else {
                    return (Ok(()), Notes::default());
                };
                let any = Value::Bool(false);
                let values: Vec<Value> = state
                    .values()
                    .iter()
                    .map(|value| value.clone().unwrap_or_else(|| any.clone()))
                    .collect();
                let state = compiled.encode(&values);
                compiled.solutions(&self.model, comprehension, (&state, solver, halt), give)
            }
        }
    }

    /// The answer at a prompt: a predicate with free names is solved for them.
    pub fn reply(&mut self, formula: &str) -> String {
        if self.unknowns(formula).is_empty() {
            return self.answer(formula);
        }
        let mut first = None;
        let question = Question {
            file: None,
            predicate: formula,
            scopes: &Scopes::default(),
            solver: Solver::Auto,
            most: 1,
        };
        let solved = self.solve(&question, &Halt::default(), &mut |solution| {
            first = Some(solution.text());
            true
        });
        match (solved, first) {
            // Not a predicate, or not one that can be solved: the usual answer says what is wrong.
            (Err(_), _) => self.answer(formula),
            (Ok(_), Some(solution)) => format!("TRUE: {solution}"),
            (Ok(solved), None) => match (solved.undefined, solved.is_complete) {
                (Some(reason), _) => format!("!undefined {reason}"),
                (None, true) => "FALSE: no solution".to_owned(),
                (None, false) => {
                    let reason = solved.open_because.first();
                    format!(
                        "!open {}",
                        reason.map_or("no solution was found", String::as_str)
                    )
                }
            },
        }
    }

    /// What is wrong with the state, when the file could not be initialised.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The answer to one formula.
    pub fn answer(&mut self, formula: &str) -> String {
        let answer = self.evaluate(formula);
        answer.replace(['\n', '\r'], " ")
    }

    fn evaluate(&mut self, formula: &str) -> String {
        let lowered = self.checked.formula(
            &Wanted::default(),
            &mut self.model,
            formula,
            &mut self.lint.sources,
        );
        let formula = match lowered {
            Ok(formula) => formula,
            Err(diagnostics) => return refusal_line(&diagnostics),
        };
        let tys = &self.model.tys;
        match &self.place {
            Place::Reference(state) => {
                let mut interp = Interp::new(&self.model, Options::default());
                match interp.eval(formula.expr, state) {
                    Ok(value) => value.show(tys),
                    Err(stop) => stopped(&stop),
                }
            }
            Place::Compiled(compiled, state) => {
                match compiled.eval(&self.model, formula.expr, state).0 {
                    Ok(value) => value.show(tys),
                    Err(fault) => faulted(&fault),
                }
            }
        }
    }
}

/// The first initialised state of a compiled model; what could be valued when there is none.
fn first_vector(compiled: &Compiled) -> (Vec<u32>, Option<String>) {
    let mut worker = compiled.worker();
    let mut setup = None;
    let found = worker.setups(&mut |vector| {
        setup = Some(vector.to_vec());
        Flow::Stop
    });
    let Some(setup) = setup else {
        let text = match found {
            Err(fault) => format!("the constants have no values: {}", fault.message),
            Ok(()) => "no values of the constants satisfy the properties".to_owned(),
        };
        return (vec![0; compiled.shape().slots.len()], Some(text));
    };
    let mut state = None;
    let found = worker.initial(&setup, &mut |vector| {
        state = Some(vector.to_vec());
        Flow::Stop
    });
    match (state, found) {
        (Some(state), _) => (state, None),
        (None, Ok(())) => (setup, Some("the initialisation has no outcome".to_owned())),
        (None, Err(fault)) => {
            let text = format!("the initialisation fails: {}", fault.message);
            (setup, Some(text))
        }
    }
}

fn faulted(fault: &Fault) -> String {
    let kind = match fault.kind {
        FaultKind::Undefined | FaultKind::Violated | FaultKind::Refinement => "undefined",
        FaultKind::Budget | FaultKind::Cut | FaultKind::Halted => "open",
        FaultKind::Unsupported => "unsupported",
    };
    format!("!{kind} {}", fault.message)
}

/// The first initialised state; what could be valued when there is none.
fn first_state(model: &Model) -> (State, Option<String>) {
    let mut interp = Interp::new(model, Options::default());
    let setup = match interp.setups(1) {
        Ok(mut setups) if !setups.is_empty() => setups.swap_remove(0),
        Ok(_) => {
            let text = "no values of the constants satisfy the properties".to_owned();
            return (State::empty(model), Some(text));
        }
        Err(stop) => {
            let text = format!("the constants have no values: {}", stop.reason);
            return (State::empty(model), Some(text));
        }
    };
    match interp.initial(&setup, 1) {
        Ok(mut initial) if !initial.is_empty() => (initial.swap_remove(0), None),
        Ok(_) => (setup, Some("the initialisation has no outcome".to_owned())),
        Err(stop) => {
            let text = format!("the initialisation fails: {}", stop.reason);
            (setup, Some(text))
        }
    }
}

fn refusal_line(diagnostics: &Diagnostics) -> String {
    let error = diagnostics
        .iter()
        .find(|diagnostic| diagnostic.severity == Severity::Error);
    match error {
        Some(error) => {
            let kind = match error.code.class {
                Class::Syntax => "syntax",
                Class::Type => "type",
                Class::Unsupported | Class::Usage => "unsupported",
            };
            format!("!{kind} {}", error.message)
        }
        None => "!unsupported the formula cannot be evaluated".to_owned(),
    }
}

fn stopped(stop: &Stop) -> String {
    let kind = match stop.kind {
        StopKind::Undefined | StopKind::Violated | StopKind::Refinement => "undefined",
        StopKind::Budget | StopKind::Open => "open",
        StopKind::Unsupported => "unsupported",
    };
    format!("!{kind} {}", stop.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(formulas: &[(&str, &str)]) {
        let Ok(mut session) = Session::open(None, &Scopes::default(), Evaluator::Reference) else {
            panic!("the empty machine has no errors");
        };
        for (formula, expected) in formulas {
            let answer = session.answer(formula);
            let fits = match expected.strip_suffix('*') {
                Some(beginning) => answer.starts_with(beginning),
                None => answer == *expected,
            };
            assert!(fits, "{formula} gives {answer}, not {expected}");
        }
    }

    #[test]
    fn answers_are_values_truths_or_reasons() {
        answers(&[
            ("1+1", "2"),
            ("{3,1,2}", "{1,2,3}"),
            ("1<2", "TRUE"),
            ("1/0", "!undefined division by zero"),
            ("1+TRUE", "!type *"),
            ("1+", "!syntax *"),
            ("NATURAL", "!open *"),
            ("#x.(x:INTEGER & x*x=-4)", "!open *"),
            ("#x.(x:INTEGER & x*x=4)", "TRUE"),
        ]);
    }
}
