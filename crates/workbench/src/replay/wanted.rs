//! What a file says about a step, in terms of the model, and compared with what the model does.

use subject::{Description, EventId, Happening, Holder, Parameter, Step, Subject, Tree, Value};
use verdict::format::{Recorded, RecordedStep, Wanted};
use verdict::tell_result;

use super::walk::Walk;
use crate::runnable::{Answer, Formula, Place, Runnable, View};

/// A name and the value that is said of it.
pub(crate) type Named = (String, Wanted);

/// What a step is said to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Nothing is said.
    Anything,
    /// This.
    Known(Happening),
    /// Something that the model does not have.
    Unknown(String),
}

/// A step as it is said: whatever is not said may be anything.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    /// What happens.
    pub(super) what: What,
    /// Values of parameters.
    pub(super) args: Vec<Named>,
    /// Values of results.
    pub(super) results: Vec<Named>,
    /// Values of constants and variables after it.
    pub(super) state: Vec<Named>,
    /// Predicates that must hold after it; `None` for what is no predicate of the model.
    pub(super) holds: Vec<(String, Option<Formula>)>,
    /// Events that must be possible after it, or must not.
    pub(super) enabled: Vec<(String, Option<EventId>, bool)>,
}

impl Said {
    /// A step of a trace by its event and arguments; the beginning by its state too.
    pub(crate) fn of_step(description: &Description, step: &Step) -> Said {
        let value = |value: &Option<Value>| match value {
            Some(value) => Wanted::Value(value.clone()),
            None => Wanted::Text(tell_result(None)),
        };
        let mut said = Said {
            what: What::Known(step.happening),
            args: Vec::new(),
            results: Vec::new(),
            state: Vec::new(),
            holds: Vec::new(),
            enabled: Vec::new(),
        };
        match step.happening {
            Happening::Event(event) => {
                let names = description.event(event).parameters.iter();
                let args = names.zip(&step.arguments);
                said.args = args
                    .map(|(known, argument)| (known.name.to_string(), value(argument)))
                    .collect();
            }
            Happening::Setup | Happening::Initialisation => {
                let is_setup = step.happening == Happening::Setup;
                let components = description.components.iter().zip(&step.after);
                said.state = components
                    .filter(|(known, value)| known.is_constant == is_setup && value.is_some())
                    .map(|(known, after)| (known.name.to_string(), value(after)))
                    .collect();
            }
        }
        said
    }
}

/// Reads a path once: its events, its values in the canonical notation or as formulas of the model. Warnings tell what
/// the file asks for and nobody looks at.
pub(super) fn resolve(runnable: &mut Runnable, recorded: &Recorded) -> (Vec<Said>, Vec<String>) {
    let mut warnings = Vec::new();
    let steps = (1..).zip(&recorded.steps).map(|(number, step)| {
        let ignored = step.ignored.iter();
        warnings.extend(ignored.map(|what| format!("step {number}: {what} is not looked at")));
        let mut said = said(runnable, step);
        let name = step.event.as_deref().unwrap_or_default();
        let mut beginnings = runnable.description().beginnings.iter();
        if number == 1 && beginnings.any(|known| known.as_str() == name) {
            said.what = What::Known(Happening::Initialisation);
            // The state says which of its instances it was.
            said.args.clear();
        }
        said
    });
    let steps = steps.collect();
    (steps, warnings)
}

fn said(runnable: &mut Runnable, step: &RecordedStep) -> Said {
    let holds = step.holds.iter().map(|text| {
        let formula = runnable.formula(text).ok();
        (text.clone(), formula.filter(|formula| formula.is_predicate))
    });
    let holds = holds.collect();
    let description = runnable.description();
    let what = match step.event.as_deref() {
        None => What::Anything,
        Some(name) => match Happening::named(description, name) {
            Some(happening) => What::Known(happening),
            None => What::Unknown(name.to_owned()),
        },
    };
    let enabled = step.enabled.iter();
    let enabled = enabled.map(|(name, can)| (name.clone(), description.event_named(name), *can));
    let enabled = enabled.collect();
    let named = |runnable: &mut Runnable,
                 list: &[(String, Wanted)],
                 holder: &dyn Fn(&Description, &str) -> Option<Holder>| {
        let list = list.iter().map(|(name, wanted)| {
            let holder = holder(runnable.description(), name);
            (name.clone(), value(runnable, holder, wanted))
        });
        list.collect::<Vec<Named>>()
    };
    let event = match what {
        What::Known(Happening::Event(event)) => Some(event),
        _ => None,
    };
    Said {
        args: named(runnable, &step.args, &|description, name| {
            let at = position(&description.event(event?).parameters, name)?;
            Some(Holder::Parameter(event?, at))
        }),
        results: named(runnable, &step.results, &|description, name| {
            let at = position(&description.event(event?).results, name)?;
            Some(Holder::Result(event?, at))
        }),
        state: named(runnable, &step.state, &|description, name| {
            description.component_named(name).map(Holder::Component)
        }),
        what,
        holds,
        enabled,
    }
}

/// The position of a parameter or result.
pub(super) fn position(known: &[Parameter], name: &str) -> Option<usize> {
    let mut known = known.iter();
    known.position(|known| known.name.as_str() == name)
}

fn value(runnable: &mut Runnable, holder: Option<Holder>, wanted: &Wanted) -> Wanted {
    let (Some(holder), Wanted::Text(text)) = (holder, wanted) else {
        return wanted.clone();
    };
    let written = Tree::Written(text.clone());
    let mut value = runnable.subject().read_value(holder, &written);
    if value.is_none()
        && let Ok(formula) = runnable.formula(text)
        && let Ok(answer) = runnable.view().eval(formula, &Place::Root)
    {
        value = answer.value(runnable.subject(), holder);
    }
    value.map_or_else(|| wanted.clone(), Wanted::Value)
}

impl Answer {
    /// The answer as a value of what holds it.
    pub(crate) fn value(self, subject: &dyn Subject, holder: Holder) -> Option<Value> {
        match self {
            Answer::Truth(truth) => subject.read_value(holder, &Tree::Bool(truth)),
            Answer::Value(value) => Some(value),
        }
    }
}

/// Whether a value is the one that is meant.
pub(super) fn agrees(view: View<'_>, wanted: &Wanted, actual: Option<&Value>) -> bool {
    match (wanted, actual) {
        (Wanted::Value(wanted), Some(actual)) => wanted == actual,
        (Wanted::Value(_), None) => false,
        (Wanted::Text(text), actual) => {
            *text == view.subject.tell(actual) || *text == tell_result(actual)
        }
    }
}

/// Where a place is not what a step says: `level = 2, not 3`.
pub(super) fn differences(view: View<'_>, step: &Said, place: &Place) -> Vec<String> {
    let mut values = None;
    let mut found = Vec::new();
    if !step.state.is_empty()
        && let Some(told) = view.subject.tell_state(&view.values(place))
    {
        for (name, wanted) in &step.state {
            let (wanted, actual) = (wanted.show(), told.iter().find(|(known, _)| known == name));
            match actual {
                None => found.push(format!("there is no {name}")),
                Some((_, actual)) if *actual != wanted => {
                    found.push(format!("{name} = {actual}, not {wanted}"));
                }
                Some(_) => {}
            }
        }
        return found;
    }
    for (name, wanted) in &step.state {
        let Some(id) = view.description().component_named(name) else {
            found.push(format!("the model has no constant or variable {name}"));
            continue;
        };
        let values = values.get_or_insert_with(|| view.values(place));
        let actual = values[id.index()].as_ref();
        if !agrees(view, wanted, actual) {
            let wanted = wanted.show();
            found.push(format!(
                "{name} = {}, not {wanted}",
                view.subject.tell(actual)
            ));
        }
    }
    found
}

impl Walk<'_> {
    /// What a step wants to be so after it and is not.
    pub(super) fn broken_conditions(&self, step: &Said, place: &Place) -> Vec<String> {
        let mut found = Vec::new();
        let Place::State(vector) = place else {
            return found;
        };
        for (name, event, is_enabled) in &step.enabled {
            let moves = event.map(|event| self.view.moves_of(event, vector).moves);
            if moves.is_some_and(|moves| !moves.is_empty()) != *is_enabled {
                let can = if *is_enabled { "cannot" } else { "can" };
                found.push(format!("{name} {can} happen"));
            }
        }
        for (text, formula) in &step.holds {
            let truth = formula.map(|formula| self.view.eval(formula, place));
            match truth {
                Some(Ok(Answer::Truth(true))) => {}
                Some(Ok(_)) => found.push(format!("{text} is false")),
                Some(Err(reason)) => found.push(format!("{text} has no truth value: {reason}")),
                None => found.push(format!("{text} is no predicate of the model")),
            }
        }
        found
    }
}
