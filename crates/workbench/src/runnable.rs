//! A model that can be stepped through: its numbers read back as values, its places and moves.
//!
//! What `animate`, `replay`, `export` and `coverage` stand on. A place is where a path can be: before the
//! constants have values, after that, or in a state; moves lead from place to place.
//! Invariant: moves come in the order of the system, so the same question gets the same answer.

mod view;

use std::path::Path;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Severity, Sources};
use pins::{Fault, Halt, LabelId, LabelKind, Truth};
use subject::{
    Description, EventId, Form, FormulaKind, Ground, Happening, Question, QuestionId, Setting,
    Subject, Value, Wanted, Wd,
};

use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};

pub use view::View;

/// How many steps the judge may take for one explanation: a moment.
pub(crate) const EXPLAIN_BUDGET: u64 = 2_000_000;

/// A model that can be stepped through.
pub struct Runnable {
    lint: Lint,
    subject: Box<dyn Subject>,
    ground: Arc<dyn Ground>,
    wd: Wd,
    /// Whether one state stands for its orbit.
    is_reduced: bool,
    /// Ends what takes long.
    halt: Halt,
}

/// Where a path can be.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Before anything has a value.
    Root,
    /// The constants have values.
    Setup(Box<[u32]>),
    /// A state.
    State(Box<[u32]>),
}

/// A way from one place to another.
#[derive(Clone, Debug)]
pub struct Move {
    /// What happens.
    pub happening: Happening,
    /// The values of the parameters.
    pub arguments: Vec<Option<Value>>,
    /// The values of the results.
    pub results: Vec<Option<Value>>,
    /// Where it leads.
    pub to: Place,
}

/// What can happen at a place.
#[derive(Clone, Debug, Default)]
pub struct Moves {
    /// The moves.
    pub moves: Vec<Move>,
    /// What has no value, and where it was met.
    pub faults: Vec<(Happening, Fault)>,
    /// What is not known, and why: there may be further moves.
    pub unknown: Vec<(Happening, Fault)>,
}

impl Moves {
    /// Files what kept an answer from being complete: nothing is wrong with the model where it is only not known.
    fn stopped(&mut self, happening: Happening, fault: Fault) {
        match fault.kind.leaves_open() {
            true => self.unknown.push((happening, fault)),
            false => self.faults.push((happening, fault)),
        }
    }

    /// Whether an event cannot happen.
    pub fn is_disabled(&self, event: EventId) -> bool {
        let is = |happening: &Happening| *happening == Happening::Event(event);
        !self.moves.iter().any(|taken| is(&taken.happening))
            && !self.unknown.iter().any(|(happening, _)| is(happening))
    }

    /// Whether nothing can happen, as far as is known for certain.
    pub fn is_stuck(&self) -> bool {
        self.moves.is_empty() && self.faults.is_empty() && self.unknown.is_empty()
    }
}

/// A predicate of the invariant or an assertion, and its truth in a state.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Which.
    pub id: LabelId,
    /// What it is.
    pub kind: LabelKind,
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Its text.
    pub text: String,
    /// Its truth.
    pub truth: Truth,
}

/// A formula that was asked.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// The question.
    pub id: QuestionId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
}

/// What a formula is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The truth of a predicate.
    Truth(bool),
    /// The value of an expression.
    Value(Value),
}

impl Answer {
    /// The answer in the canonical notation.
    pub fn text(&self) -> String {
        match self {
            Answer::Truth(truth) => truth_text(*truth).to_owned(),
            Answer::Value(value) => value.text(),
        }
    }
}

/// A truth value in answers.
pub(crate) fn truth_text(truth: bool) -> &'static str {
    if truth { "TRUE" } else { "FALSE" }
}

impl Runnable {
    /// Opens the model in a file. One that cannot be run is returned as its lint.
    pub fn open(bench: &Workbench, path: &Path, setting: &Setting) -> Result<Runnable, Box<Lint>> {
        let Opened { mut lint, subject } = bench.open(path, setting)?;
        let form = Form {
            wd: setting.wd,
            ..Form::default()
        };
        match whole(&*subject, &form) {
            Ok(ground) => Ok(Runnable {
                lint,
                subject,
                ground,
                wd: setting.wd,
                is_reduced: false,
                halt: bench.halt.clone(),
            }),
            Err(diagnostics) => {
                lint.diagnostics.extend(diagnostics);
                Err(Box::new(lint))
            }
        }
    }

    /// The same model, with one state for each orbit.
    pub(crate) fn reduced(mut self) -> Result<Runnable, Box<Lint>> {
        let symmetry = self.subject.symmetry(&[]);
        let form = Form {
            wd: self.wd,
            symmetry: Some(&symmetry),
            ..Form::default()
        };
        match whole(&*self.subject, &form) {
            Ok(ground) => Ok(Runnable {
                ground,
                is_reduced: true,
                ..self
            }),
            Err(diagnostics) => {
                self.lint.diagnostics.extend(diagnostics);
                Err(Box::new(self.lint))
            }
        }
    }

    /// Makes the system anew when a walk met more than it has room for; whether it did, so that places of the old one mean
    /// nothing any more.
    pub(crate) fn make_room(&mut self) -> bool {
        if !self.subject.make_room() {
            return false;
        }
        let symmetry = self.is_reduced.then(|| self.subject.symmetry(&[]));
        let form = Form {
            wd: self.wd,
            symmetry: symmetry.as_ref(),
            ..Form::default()
        };
        // What could be compiled with less room can be with more.
        whole(&*self.subject, &form).is_ok_and(|ground| {
            self.ground = ground;
            true
        })
    }

    /// Does something with every state for itself, on the system of the reduction.
    pub(crate) fn unreduced<T>(&mut self, work: impl FnOnce(&mut Runnable) -> T) -> T {
        let is_reduced = std::mem::replace(&mut self.is_reduced, false);
        let done = work(self);
        self.is_reduced = is_reduced;
        done
    }

    /// From now on, questions end without an answer once `halt` is set.
    pub(crate) fn heed(&mut self, halt: Halt) {
        self.halt = halt;
    }

    /// The model and its ground, to look at.
    pub fn view(&self) -> View<'_> {
        View {
            subject: &*self.subject,
            ground: &*self.ground,
            wd: self.wd,
            is_reduced: self.is_reduced,
            halt: Some(&self.halt),
        }
    }

    /// What was found about the file.
    pub fn lint(&self) -> &Lint {
        &self.lint
    }

    /// Gives back what was found about the file, with an error added.
    pub(crate) fn refused(mut self, message: String) -> Lint {
        let error = Diagnostic::global(&codes::TRACE, message);
        self.lint.diagnostics.push(error);
        self.lint
    }

    /// Gives back what was found about the file.
    pub(crate) fn into_lint(self) -> Lint {
        self.lint
    }

    /// What the model consists of.
    pub fn description(&self) -> &Description {
        self.subject.description()
    }

    /// The model.
    pub fn subject(&self) -> &dyn Subject {
        &*self.subject
    }

    /// The model, to ask of it what changes it.
    pub(crate) fn subject_mut(&mut self) -> &mut dyn Subject {
        &mut *self.subject
    }

    /// Its system, which outlives questions that change the model.
    pub(crate) fn ground(&self) -> Arc<dyn Ground> {
        Arc::clone(&self.ground)
    }

    /// What ends questions.
    pub(crate) fn halt(&self) -> Halt {
        self.halt.clone()
    }

    /// What undefined expressions mean.
    pub(crate) fn wd(&self) -> Wd {
        self.wd
    }

    /// The texts that spans point into.
    pub fn sources(&self) -> &Sources {
        &self.lint.sources
    }

    /// Asks a formula; an error is one line.
    pub fn formula(&mut self, text: &str) -> Result<Formula, String> {
        let question = Question {
            text,
            span: None,
            wanted: Wanted::Formula,
            scope: &[],
        };
        let id = self.subject.ask(&question, &mut self.lint.sources);
        let id = id.map_err(|diagnostics| first_error(&diagnostics))?;
        Ok(Formula {
            id,
            is_predicate: self.subject.kind(id) == FormulaKind::Predicate,
        })
    }
}

/// The system of a model as a whole.
///
/// # Panics
/// If there is none, which is a bug of its language.
pub(crate) fn whole(
    subject: &dyn Subject,
    form: &Form<'_>,
) -> Result<Arc<dyn Ground>, Diagnostics> {
    let ground = subject.ground(form)?;
    Ok(ground.expect("a model as a whole always has a system"))
}

/// The first error in one line.
fn first_error(diagnostics: &Diagnostics) -> String {
    let mut errors = diagnostics.iter();
    let error = errors.find(|diagnostic| diagnostic.severity == Severity::Error);
    match error {
        Some(error) => error.message.replace(['\n', '\r'], " "),
        None => "the formula cannot be evaluated".to_owned(),
    }
}
