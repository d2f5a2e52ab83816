//! Evaluates formulas, one after the other, in the first initialised state of a file.
//!
//! Answers are those of `eval --batch` (`docs/meaning.md`, Values): a value in canonical notation, TRUE or FALSE, or `!` with the
//! kind and reason of what prevented one. Definedness is strict here, whatever a check would tolerate.
//! Invariant: an answer is one line; a value found by an enumeration that had to be cut is no answer.

use std::path::Path;
use std::sync::Arc;

use base::{Class, Diagnostic, Diagnostics, Severity};
use pins::{Fault, FaultKind, Flow, Halt, System};
use subject::{
    Evaluator, Form, Ground, Judge, Knowledge, Moment, Question, Recognised, Setting, Solver,
    Subject, Wanted, Wd,
};

use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::runnable::{truth_text, whole};
use crate::solve::Task;

/// How many steps the judge may take for one formula: about a minute of work.
const BUDGET: u64 = 100_000_000;

/// A model and a state in which formulas are evaluated.
pub struct Session {
    pub(crate) lint: Lint,
    pub(crate) subject: Box<dyn Subject>,
    pub(crate) place: Place,
    wd: Wd,
    warning: Option<String>,
}

/// The state in which formulas are evaluated, and by whom.
pub(crate) enum Place {
    Reference(Moment),
    Compiled(Arc<dyn Ground>, Vec<u32>),
}

impl Session {
    /// Reads a file and initialises it; without one, formulas stand for themselves. A file with errors is
    /// returned as its lint.
    pub fn open(
        bench: &Workbench,
        path: Option<&Path>,
        setting: &Setting,
        evaluator: Evaluator,
    ) -> Result<Session, Box<Lint>> {
        let opened = match path {
            Some(path) => bench.open(path, setting)?,
            None => nothing(bench, setting)?,
        };
        let Opened { mut lint, subject } = opened;
        let (place, warning) = match evaluator {
            Evaluator::Reference => {
                let mut judge = subject.judge(setting.wd, BUDGET);
                let (moment, warning) = first_moment(&mut *judge);
                (Place::Reference(moment), warning)
            }
            Evaluator::Compiled => match whole(&*subject, &form(setting.wd)) {
                Ok(ground) => {
                    let (state, warning) = first_state(ground.system());
                    (Place::Compiled(ground, state), warning)
                }
                Err(diagnostics) => {
                    lint.diagnostics.extend(diagnostics);
                    return Err(Box::new(lint));
                }
            },
        };
        Ok(Session {
            lint,
            subject,
            place,
            wd: setting.wd,
            warning,
        })
    }

    /// The names of a predicate that mean nothing in the file.
    pub(crate) fn unknowns(&mut self, predicate: &str) -> Vec<String> {
        match self.subject.solving() {
            Some(solving) => solving.unknowns(predicate, &mut self.lint.sources),
            None => Vec::new(),
        }
    }

    /// The file with what is wrong with a formula.
    pub(crate) fn refused(self, diagnostics: &Diagnostics) -> Lint {
        let mut lint = self.lint;
        lint.diagnostics = Diagnostics::new();
        lint.diagnostics.extend(diagnostics.iter().cloned());
        lint
    }

    /// The answer at a prompt: a predicate with free names is solved for them.
    pub fn reply(&mut self, formula: &str) -> String {
        if self.unknowns(formula).is_empty() {
            return self.answer(formula);
        }
        let mut first = None;
        let task = Task {
            predicate: formula,
            solver: Solver::Auto,
            most: 1,
        };
        let solved = self.solve(&task, &Halt::default(), &mut |solution| {
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
        let question = Question {
            text: formula,
            span: None,
            wanted: Wanted::Formula,
            scope: &[],
        };
        let question = match self.subject.ask(&question, &mut self.lint.sources) {
            Ok(question) => question,
            Err(diagnostics) => return refusal_line(&diagnostics),
        };
        match &self.place {
            Place::Reference(moment) => {
                let mut judge = self.subject.judge(self.wd, BUDGET);
                match judge.value(question, moment) {
                    Ok(value) => value.text(),
                    Err(fault) => faulted(&fault),
                }
            }
            Place::Compiled(ground, state) => {
                match self.subject.value_at(question, &**ground, state) {
                    Knowledge::Truth(truth) => truth_text(truth).to_owned(),
                    Knowledge::Value(value) => value.text(),
                    Knowledge::Unknown(cut) => format!("!open {cut}"),
                    Knowledge::Undefined(fault) => faulted(&fault),
                }
            }
        }
    }
}

/// The whole model, as undefined expressions mean.
fn form(wd: Wd) -> Form<'static> {
    Form {
        wd,
        ..Form::default()
    }
}

/// A context in which formulas stand for themselves.
fn nothing(bench: &Workbench, setting: &Setting) -> Result<Opened, Box<Lint>> {
    let mut lint = Lint::new(bench, Path::new("<nothing>"));
    for language in bench.languages.read {
        if let Some(read) = language.nothing(&mut lint.sources) {
            lint.language = Some(Recognised::Read(*language));
            lint.diagnostics = read.diagnostics;
            return bench.open_text(lint, read.text, setting);
        }
    }
    let message = "formulas need a file: no language gives them a meaning without one";
    let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
    lint.diagnostics.push(error);
    Err(Box::new(lint))
}

/// The first initialised state of a system; what could be valued when there is none.
fn first_state(system: &dyn System) -> (Vec<u32>, Option<String>) {
    let mut worker = system.worker();
    let mut setup = None;
    let found = worker.setups(&mut |vector| {
        setup = Some(vector.to_vec());
        Flow::Stop
    });
    let Some(setup) = setup else {
        let slots = system.shape().slots.len();
        return (vec![0; slots], Some(no_setup(found.err())));
    };
    let mut state = None;
    let found = worker.initial(&setup, &mut |vector| {
        state = Some(vector.to_vec());
        Flow::Stop
    });
    match state {
        Some(state) => (state, None),
        None => (setup, Some(no_start(found.err()))),
    }
}

/// The first initialised state for a judge; what could be valued when there is none.
fn first_moment(judge: &mut dyn Judge) -> (Moment, Option<String>) {
    let found = judge.setups(1);
    let setup = match found {
        Ok(mut setups) if !setups.is_empty() => setups.swap_remove(0),
        found => return (judge.beginning(), Some(no_setup(found.err()))),
    };
    match judge.initial(&setup, 1) {
        Ok(mut initial) if !initial.is_empty() => (initial.swap_remove(0), None),
        found => (setup, Some(no_start(found.err()))),
    }
}

/// Why the constants have no values.
fn no_setup(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => format!("the constants have no values: {}", fault.message),
        None => "no values of the constants satisfy the properties".to_owned(),
    }
}

/// Why there is no initial state.
fn no_start(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => format!("the initialisation fails: {}", fault.message),
        None => "the initialisation has no outcome".to_owned(),
    }
}

fn faulted(fault: &Fault) -> String {
    let kind = match fault.kind {
        FaultKind::Undefined
        | FaultKind::Violated
        | FaultKind::Assertion
        | FaultKind::Observed
        | FaultKind::Refinement => "undefined",
        FaultKind::Budget | FaultKind::Cut | FaultKind::Halted => "open",
        FaultKind::Unsupported => "unsupported",
    };
    format!("!{kind} {}", fault.message)
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
