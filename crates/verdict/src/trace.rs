//! A path as values: what the engine's vectors mean in the model.

use model::{Model, Value};

/// What happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The constants got their values.
    Setup,
    /// The variables got their first values.
    Initialisation,
    /// The action at this position happened.
    Action(usize),
}

impl Event {
    /// The name in reports.
    pub fn name(self, model: &Model) -> &'static str {
        match self {
            Event::Setup => "SETUP_CONSTANTS",
            Event::Initialisation => "INITIALISATION",
            Event::Action(action) => model.actions[action].name.as_str(),
        }
    }
}

/// A step and the state after it.
#[derive(Clone, Debug)]
pub struct Step {
    /// What happened.
    pub event: Event,
    /// The values of the parameters.
    pub arguments: Vec<Option<Value>>,
    /// The values of the results; `None` for one that was not assigned.
    pub results: Vec<Option<Value>>,
    /// The components of the state in the order of the model: after a set-up only the constants. `None`
    /// stands for an infinite set that is only known by its rule.
    pub after: Vec<Option<Value>>,
}

/// A path from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Its steps: a set-up if the model has one, the initialisation, actions.
    pub steps: Vec<Step>,
    /// For an infinite path: the step that follows the last one.
    pub loop_start: Option<usize>,
}
