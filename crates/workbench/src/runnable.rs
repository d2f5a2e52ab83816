//! A model that can be stepped through: loaded, lowered, compiled, its numbers read back as values.
//!
//! What `animate`, `replay`, `export` and `coverage` stand on. A place is where a path can be: before the
//! constants have values, after that, or in a state; moves lead from place to place.
//! Invariant: moves come in the order of the compiled system, so the same question gets the same answer.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Severity, Sources};
use model::{ExprId, Model, Value};
use model_compile::Compiled;
use model_interp::{Interp, State};
use pins::{Fault, Flow, GroupId, LabelId, LabelKind, System, Truth};
use reduce::symmetry::{Method, Quotient};
use verdict::{Event, SYMBOLIC, Step, UNASSIGNED};

use crate::Setting;
use crate::check::{compiled, labels};
use crate::choice::{Solver, Wd};
use crate::codes;
use crate::lint::{Lint, load};
use crate::loaded::Loaded;

/// How many steps the reference evaluator may take for one explanation: a moment.
pub(crate) const EXPLAIN_BUDGET: u64 = 2_000_000;

/// A model that can be stepped through.
pub struct Runnable {
    lint: Lint,
    checked: Loaded,
    model: Model,
    compiled: Compiled,
    setting: Setting,
    /// Whether one state stands for its orbit.
    is_reduced: bool,
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
    pub event: Event,
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
    pub faults: Vec<(Option<Event>, Fault)>,
}

/// A predicate of the invariant or an assertion, and its truth in a state.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What it is.
    pub kind: LabelKind,
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Its text.
    pub text: String,
    /// The predicate.
    pub predicate: ExprId,
    /// Its truth; `None` when it has none.
    pub truth: Option<bool>,
}

impl Runnable {
    /// Opens the model in a file. One that cannot be run is returned as its lint.
    pub fn open(path: &Path, setting: &Setting) -> Result<Runnable, Box<Lint>> {
        let (mut lint, checked) = load(path);
        let Some(checked) = checked.filter(|_| !lint.diagnostics.has_errors()) else {
            return Err(Box::new(lint));
        };
        let built = checked
            .lower(&setting.wanted(), &setting.scopes)
            .and_then(|model| {
                let system = compiled::compile(&model, None, setting.wd, Solver::default())?.system;
                Ok((model, system))
            });
        match built {
            Ok((model, compiled)) => Ok(Runnable {
                lint,
                checked,
                model,
                compiled,
                setting: setting.clone(),
                is_reduced: false,
            }),
            Err(diagnostics) => {
                lint.diagnostics.extend(diagnostics);
                Err(Box::new(lint))
            }
        }
    }

    /// The same model, with one state for each orbit.
    pub(crate) fn reduced(self) -> Runnable {
        let sorts = model::sorts::analyse(&self.model, None);
        Runnable {
            compiled: self.compiled.with_symmetry(&self.model, &sorts),
            is_reduced: true,
            ..self
        }
    }

    /// The reduction, if there is one.
    fn quotient(&self) -> Option<Quotient<'_>> {
        match self.is_reduced {
            true => Quotient::new(&self.compiled, Method::Exact),
            false => None,
        }
    }

    fn system<'s>(&'s self, quotient: Option<&'s Quotient<'s>>) -> &'s dyn System {
        match quotient {
            Some(quotient) => quotient,
            None => &self.compiled,
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

    /// The model, with the formulas that were added.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model, to add formulas to.
    pub(crate) fn model_mut(&mut self) -> &mut Model {
        &mut self.model
    }

    /// The texts that spans point into.
    pub fn sources(&self) -> &Sources {
        &self.lint.sources
    }

    /// The static picture of the system.
    pub(crate) fn shape(&self) -> &pins::Shape {
        self.compiled.shape()
    }

    /// The components that the model is made of and how they refer to each other, the main one first.
    pub(crate) fn hierarchy(&self) -> (Vec<String>, Vec<(usize, usize, String)>) {
        self.checked.hierarchy()
    }

    /// What can happen at a place.
    pub fn moves(&self, place: &Place) -> Moves {
        match place {
            Place::Root => self.setups(),
            Place::Setup(vector) => self.initial(vector),
            Place::State(vector) => self.successors(vector, None),
        }
    }

    /// The moves of one action from a state.
    pub fn moves_of(&self, action: usize, vector: &[u32]) -> Moves {
        self.successors(vector, Some(action))
    }

    fn setups(&self) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.system(quotient.as_ref()).worker();
        let mut found = Moves::default();
        let mut vectors: Vec<Box<[u32]>> = Vec::new();
        let answer = worker.setups(&mut |vector| {
            vectors.push(vector.into());
            Flow::Continue
        });
        if let Err(fault) = answer {
            found.faults.push((Some(Event::Setup), fault));
        }
        for vector in vectors {
            if self.model.has_setup {
                found.moves.push(Move {
                    event: Event::Setup,
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

    fn initial(&self, setup: &[u32]) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.system(quotient.as_ref()).worker();
        let mut found = Moves::default();
        let answer = worker.initial(setup, &mut |vector| {
            found.moves.push(Move {
                event: Event::Initialisation,
                arguments: Vec::new(),
                results: Vec::new(),
                to: Place::State(vector.into()),
            });
            Flow::Continue
        });
        if let Err(fault) = answer {
            found.faults.push((Some(Event::Initialisation), fault));
        }
        found
    }

    fn successors(&self, state: &[u32], only: Option<usize>) -> Moves {
        let quotient = self.quotient();
        let mut worker = self.system(quotient.as_ref()).worker();
        let groups = match only {
            Some(action) => action..action + 1,
            None => 0..self.model.actions.len(),
        };
        let mut found = Moves::default();
        for action in groups {
            let group = GroupId::new(action);
            let answer = worker.successors(state, group, &mut |step| {
                let (arguments, results) = self.compiled.arguments(group, step.label);
                found.moves.push(Move {
                    event: Event::Action(action),
                    arguments,
                    results,
                    to: Place::State(step.target.into()),
                });
                Flow::Continue
            });
            if let Err(fault) = answer {
                found.faults.push((Some(Event::Action(action)), fault));
            }
        }
        found
    }

    /// The components of a place in the order of the model.
    pub fn values(&self, place: &Place) -> Vec<Option<Value>> {
        match place {
            Place::Root => vec![None; self.model.variables.len()],
            Place::Setup(vector) => compiled::constants(&self.model, &self.compiled, vector),
            Place::State(vector) => compiled::values(&self.model, &self.compiled, vector),
        }
    }

    /// A move as a step of a trace.
    pub fn step(&self, taken: &Move) -> Step {
        Step {
            event: taken.event,
            arguments: taken.arguments.clone(),
            results: taken.results.clone(),
            after: self.values(&taken.to),
        }
    }

    /// The predicates that every state must satisfy, with their truth in a state.
    pub fn judge(&self, vector: &[u32]) -> Vec<Judged> {
        let mut worker = self.compiled.worker();
        labels::all(&self.model, None)
            .iter()
            .enumerate()
            .map(|(at, asked)| Judged {
                kind: asked.kind,
                label: asked.label(),
                text: asked.text(),
                predicate: asked.predicate,
                truth: match worker.label(vector, LabelId::new(at)) {
                    Truth::True => Some(true),
                    Truth::False => Some(false),
                    Truth::Undefined(_) => None,
                },
            })
            .collect()
    }

    /// The predicates that every state must satisfy: their texts and themselves.
    pub(crate) fn judged(&self) -> Vec<(String, ExprId)> {
        let labels = labels::all(&self.model, None);
        let labels = labels.iter();
        labels
            .map(|asked| (asked.text(), asked.predicate))
            .collect()
    }

    /// Whether some conjunct of the invariant does not hold in a state.
    pub fn breaks_invariant(&self, vector: &[u32]) -> bool {
        let mut worker = self.compiled.worker();
        let labels = labels::all(&self.model, None);
        let mut invariants = labels.iter().enumerate();
        invariants.any(|(at, asked)| {
            asked.kind == LabelKind::Invariant
                && worker.label(vector, LabelId::new(at)) != Truth::True
        })
    }

    /// Adds a formula to the model; an error is one line.
    pub fn formula(&mut self, text: &str) -> Result<model::Formula, String> {
        let sources = &mut self.lint.sources;
        self.checked
            .formula(&self.setting.wanted(), &mut self.model, text, sources)
            .map_err(|diagnostics| first_error(&diagnostics))
    }

    /// The value of a formula that was added, at a place; an error is one line.
    pub fn eval(&self, expr: ExprId, place: &Place) -> Result<Value, String> {
        let vector: &[u32] = match place {
            Place::State(vector) => vector,
            Place::Root | Place::Setup(_) => {
                let mut interp = self.interp(EXPLAIN_BUDGET);
                let answer = interp.eval(expr, &self.state(place));
                return answer.map_err(|stop| stop.reason);
            }
        };
        let (value, notes) = self.compiled.eval(&self.model, expr, vector);
        match (value, notes.cuts.first()) {
            (Ok(_), Some((_, cut))) => Err(cut.clone()),
            (Ok(value), None) => Ok(value),
            (Err(fault), _) => Err(fault.message),
        }
    }

    /// A place as the reference evaluator sees it; infinite constants get their rules.
    pub fn state(&self, place: &Place) -> State {
        let mut state = State::new(self.values(place));
        let lacks = |(id, variable): (model::VarId, &model::Variable)| {
            variable.is_constant && state.values()[id.index()].is_none()
        };
        if *place != Place::Root && self.model.variables.iter().any(lacks) {
            let mut known = state.clone();
            for (id, variable) in self.model.variables.iter() {
                if !variable.is_constant {
                    known = forget(&known, id);
                }
            }
            let mut interp = self.interp(EXPLAIN_BUDGET);
            if let Ok(Some(full)) = interp.setups_from(&known, 1).map(|mut all| all.pop()) {
                state.adopt_symbolic(&full);
            }
        }
        state
    }

    /// The reference evaluator of the model.
    pub fn interp(&self, budget: u64) -> Interp<'_> {
        let wd = match self.setting.wd {
            Wd::Default => model_interp::Wd::Default,
            Wd::Strict => model_interp::Wd::Strict,
            Wd::Lenient => model_interp::Wd::Lenient,
        };
        Interp::new(&self.model, model_interp::Options { wd, budget })
    }

    /// Why an action cannot happen at a place, line by line.
    pub fn why_not(
        &self,
        action: usize,
        arguments: &[Option<Value>],
        place: &Place,
    ) -> Vec<String> {
        let state = self.state(place);
        let obstacles = self
            .interp(EXPLAIN_BUDGET)
            .obstacles(action, arguments, &state);
        let mut lines: Vec<String> = Vec::new();
        for obstacle in &obstacles {
            let line = verdict::why::obstacle(&self.model, obstacle);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        if lines.is_empty() {
            lines.push("because no branch of its body can happen".to_owned());
        }
        lines
    }

    /// The action of this name.
    pub fn action(&self, name: &str) -> Option<usize> {
        let mut actions = self.model.actions.iter();
        actions.position(|action| action.name.as_str() == name)
    }
}

/// The same without the value of one component.
fn forget(state: &State, id: model::VarId) -> State {
    let mut values = state.values().to_vec();
    values[id.index()] = None;
    State::new(values)
}

/// A value for people; one that cannot be listed is said to be so.
pub(crate) fn show(model: &Model, value: Option<&Value>) -> String {
    match value {
        Some(value) => value.told(&model.tys),
        None => SYMBOLIC.to_owned(),
    }
}

/// A result for people.
pub(crate) fn show_result(model: &Model, value: Option<&Value>) -> String {
    match value {
        Some(value) => value.told(&model.tys),
        None => UNASSIGNED.to_owned(),
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
