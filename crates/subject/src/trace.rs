//! A path as values: what the numbers of an engine mean in the model.

use crate::describe::{Description, EventId};
use crate::value::Value;

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Happening {
    /// The constants got their values.
    Setup,
    /// The variables got their first values.
    Initialisation,
    /// An event.
    Event(EventId),
}

impl Happening {
    /// What a set-up is called in reports and files.
    pub const SETUP: &'static str = "SETUP_CONSTANTS";
    /// What an initialisation is called there.
    pub const INITIALISATION: &'static str = "INITIALISATION";

    /// The name in reports.
    pub fn name(self, description: &Description) -> &str {
        match self {
            Happening::Setup => Happening::SETUP,
            Happening::Initialisation => Happening::INITIALISATION,
            Happening::Event(event) => description.event(event).name.as_str(),
        }
    }

    /// What has a name.
    pub fn named(description: &Description, name: &str) -> Option<Happening> {
        match name {
            Happening::SETUP => Some(Happening::Setup),
            Happening::INITIALISATION => Some(Happening::Initialisation),
            name => description.event_named(name).map(Happening::Event),
        }
    }
}

/// A step and the state after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happened.
    pub happening: Happening,
    /// The values of the parameters.
    pub arguments: Vec<Option<Value>>,
    /// The values of the results; `None` for one that was not assigned.
    pub results: Vec<Option<Value>>,
    /// The components of the state in their order: after a set-up only the constants. `None` for one without plain value.
    pub after: Vec<Option<Value>>,
}

/// A path from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Its steps: a set-up if the model has one, the initialisation, events.
    pub steps: Vec<Step>,
    /// For an infinite path: the step that follows the last one.
    pub loop_start: Option<usize>,
}
