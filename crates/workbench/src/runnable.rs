//! A model that can be stepped through: its numbers read back as values, its places and moves.
//!
//! What `animate`, `replay`, `export` and `coverage` stand on. A place is where a path can be: before the
//! constants have values, after that, or in a state; moves lead from place to place.
//! Invariant: moves come in the order of the system, so the same question gets the same answer.

use std::path::Path;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics, Severity, Sources};
use pins::{Fault, Flow, GroupId, Halt, LabelId, LabelKind, System, Truth, Worker};
use reduce::symmetry::{Forms, Method, Quotient};
use subject::{
    Description, EventId, Form, FormulaKind, Ground, Happening, Judge, Knowledge, Moment,
    Predicate, Question, QuestionId, Setting, Step, Subject, Value, Wanted, Wd,
};

use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};

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

/// A model and its ground, to look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The model.
    pub(crate) subject: &'a dyn Subject,
    /// Its system as a whole.
    pub(crate) ground: &'a dyn Ground,
    /// What undefined expressions mean.
    pub(crate) wd: Wd,
    /// Whether one state stands for its orbit.
    pub(crate) is_reduced: bool,
    /// Ends what takes long, where somebody may ask for it.
    halt: Option<&'a Halt>,
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
    /// Its truth; `None` when it has none.
    pub truth: Option<bool>,
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

impl<'a> View<'a> {
    /// A model and its system as a whole, unreduced.
    pub(crate) fn new(subject: &'a dyn Subject, ground: &'a dyn Ground, wd: Wd) -> View<'a> {
        View {
            subject,
            ground,
            wd,
            is_reduced: false,
            halt: None,
        }
    }

    /// Whether somebody asked for an end.
    pub(crate) fn is_halted(self) -> bool {
        self.halt.is_some_and(Halt::is_set)
    }

    /// What answers for a system, and heeds whoever asks for an end.
    fn worker<'s>(self, system: &'s dyn System) -> Box<dyn Worker + 's> {
        let mut worker = system.worker();
        if let Some(halt) = self.halt {
            worker.heed(halt.clone());
        }
        worker
    }

    /// A judge with a budget for explanations, that heeds whoever asks for an end.
    pub(crate) fn referee(self) -> Box<dyn Judge + 'a> {
        let mut judge = self.subject.judge(self.wd, EXPLAIN_BUDGET);
        if let Some(halt) = self.halt {
            judge.heed(halt);
        }
        judge
    }

    /// What the model consists of.
    pub fn description(self) -> &'a Description {
        self.subject.description()
    }

    /// The reduction, if there is one.
    fn quotient(self) -> Option<Quotient<'a>> {
        match self.is_reduced {
            true => Quotient::along_paths(self.ground.system(), Method::Exact),
            false => None,
        }
    }

    /// The places that stand for these: themselves, or what the reduction explores instead of them.
    ///
    /// # Errors
    /// Where the reduction has no form for a single state.
    pub(crate) fn formed(self, places: Vec<Place>) -> Result<Vec<Place>, String> {
        let Some(quotient) = self.quotient() else {
            return Ok(places);
        };
        let forms = Forms::new(&quotient);
        let mut forms = forms.ok_or("a path of whole processes is not shown by its classes")?;
        let formed = places.into_iter().map(|place| match place {
            Place::State(vector) => Place::State(forms.form(&vector).1.into()),
            other => other,
        });
        Ok(formed.collect())
    }

    fn system<'s>(&'s self, quotient: Option<&'s Quotient<'s>>) -> &'s dyn System {
        match quotient {
            Some(quotient) => quotient,
            None => self.ground.system(),
        }
    }

    /// What can happen at a place.
    pub fn moves(self, place: &Place) -> Moves {
        match place {
            Place::Root => self.setups(),
            Place::Setup(vector) => self.initial(vector),
            Place::State(vector) => self.successors(vector, None),
        }
    }

    /// The moves of one event from a state.
    pub fn moves_of(self, event: EventId, vector: &[u32]) -> Moves {
        self.successors(vector, Some(event))
    }

    fn setups(self) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Moves::default();
        let mut vectors: Vec<Box<[u32]>> = Vec::new();
        let answer = worker.setups(&mut |vector| {
            vectors.push(vector.into());
            Flow::Continue
        });
        if let Err(fault) = answer {
            found.faults.push((Happening::Setup, fault));
        }
        for vector in vectors {
            if self.description().has_setup {
                found.moves.push(Move {
                    happening: Happening::Setup,
                    arguments: Vec::new(),
                    results: Vec::new(),
                    to: Place::Setup(vector),
                });
            } else {
                let more = self.initial(&vector);
                found.moves.extend(more.moves);
                found.faults.extend(more.faults);
            }
        }
        found
    }

    fn initial(self, setup: &[u32]) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Moves::default();
        let answer = worker.initial(setup, &mut |vector| {
            found.moves.push(Move {
                happening: Happening::Initialisation,
                arguments: Vec::new(),
                results: Vec::new(),
                to: Place::State(vector.into()),
            });
            Flow::Continue
        });
        if let Err(fault) = answer {
            found.faults.push((Happening::Initialisation, fault));
        }
        found
    }

    fn successors(self, state: &[u32], only: Option<EventId>) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.worker(self.system(quotient.as_ref()));
        let mut found = Moves::default();
        let groups = self.ground.system().shape().groups.len();
        for group in (0..groups).map(GroupId::new) {
            let event = self.ground.event(group);
            if only.is_some_and(|only| only != event) {
                continue;
            }
            let answer = worker.successors(state, group, &mut |step| {
                let (arguments, results) = self.ground.words(group, step.label);
                found.moves.push(Move {
                    happening: Happening::Event(event),
                    arguments,
                    results,
                    to: Place::State(step.target.into()),
                });
                Flow::Continue
            });
            if let Err(fault) = answer {
                found.faults.push((Happening::Event(event), fault));
            }
        }
        found
    }

    /// The components of a place in their order.
    pub fn values(self, place: &Place) -> Vec<Option<Value>> {
        match place {
            Place::Root => vec![None; self.description().components.len()],
            Place::Setup(vector) => self.ground.constants(vector),
            Place::State(vector) => self.ground.values(vector),
        }
    }

    /// A move as a step of a trace.
    pub fn step(self, taken: &Move) -> Step {
        Step {
            happening: taken.happening,
            arguments: taken.arguments.clone(),
            results: taken.results.clone(),
            after: self.values(&taken.to),
        }
    }

    /// The predicates that every state must satisfy, with their truth in a state.
    pub fn judge(self, vector: &[u32]) -> Vec<Judged> {
        let mut worker = self.worker(self.ground.system());
        let labels = self.description().labels.iter().enumerate();
        labels
            .filter(|(_, label)| matches!(label.kind, LabelKind::Invariant | LabelKind::Assertion))
            .map(|(at, label)| Judged {
                id: LabelId::new(at),
                kind: label.kind,
                label: label.label.map(|label| label.to_string()),
                text: label.text.clone(),
                truth: match worker.label(vector, LabelId::new(at)) {
                    Truth::True => Some(true),
                    Truth::False => Some(false),
                    Truth::Undefined(_) | Truth::Unknown(_) => None,
                },
            })
            .collect()
    }

    /// Whether some conjunct of the invariant is false or undefined in a state.
    pub fn breaks_invariant(self, vector: &[u32]) -> bool {
        let mut worker = self.worker(self.ground.system());
        let mut labels = self.description().labels.iter().enumerate();
        labels.any(|(at, label)| {
            label.kind == LabelKind::Invariant
                && matches!(
                    worker.label(vector, LabelId::new(at)),
                    Truth::False | Truth::Undefined(_)
                )
        })
    }

    /// What a formula that was asked is at a place; an error is one line.
    pub fn eval(self, formula: Formula, place: &Place) -> Result<Answer, String> {
        let vector: &[u32] = match place {
            Place::State(vector) => vector,
            Place::Root | Place::Setup(_) => {
                let mut judge = self.referee();
                let at = self.moment(&mut *judge, place);
                let answer = match formula.is_predicate {
                    true => {
                        let truth = judge.truth(Predicate::Question(formula.id), &at);
                        truth.map(Answer::Truth)
                    }
                    false => judge.value(formula.id, &at).map(Answer::Value),
                };
                return answer.map_err(|fault| fault.message);
            }
        };
        let halt = self.halt.cloned().unwrap_or_default();
        match self
            .subject
            .value_at(formula.id, self.ground, vector, &halt)
        {
            Knowledge::Truth(truth) => Ok(Answer::Truth(truth)),
            Knowledge::Value(value) => Ok(Answer::Value(value)),
            Knowledge::Unknown(cut) => Err(cut),
            Knowledge::Undefined(fault) => Err(fault.message),
        }
    }

    /// A place as a judge sees it.
    pub(crate) fn moment(self, judge: &mut dyn Judge, place: &Place) -> Moment {
        match place {
            Place::Root => judge.beginning(),
            Place::Setup(_) | Place::State(_) => judge.at(&self.values(place)),
        }
    }

    /// Why a predicate is false or undefined at a place, line by line.
    pub fn explain(self, predicate: Predicate, place: &Place) -> Vec<String> {
        let mut judge = self.referee();
        let at = self.moment(&mut *judge, place);
        judge.explain(predicate, &at)
    }

    /// Why an event cannot happen at a place, line by line.
    pub fn why_not(
        self,
        event: EventId,
        arguments: &[Option<Value>],
        place: &Place,
    ) -> Vec<String> {
        let mut judge = self.referee();
        let at = self.moment(&mut *judge, place);
        judge.obstacles(event, arguments, &at)
    }

    /// The event of this name.
    pub fn event(self, name: &str) -> Option<EventId> {
        self.description().event_named(name)
    }
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
