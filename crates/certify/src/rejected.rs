//! Why a certificate proves nothing.

use std::fmt;

/// Why a certificate was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The file is none, or was changed.
    Damaged(&'static str),
    /// It is about another text, other scopes or other options.
    OtherModel,
    /// What it says does not fit the model.
    Misfit(&'static str),
    /// A value that the model does not have: component and text.
    NoValue(usize, String),
    /// An initial state is not in the set.
    StartOutside,
    /// A step leads out of the set: the number of the state that it starts in.
    StepOutside(u64),
    /// A state has no step: its number.
    Deadlock(u64),
    /// A label does not hold: its number, and that of the state; none in a set-up.
    False(u32, Option<u64>),
    /// There is no set-up, or no initial state.
    NoStart,
    /// The evaluator has no certain answer: why, and the number of the state; none at the start.
    NoAnswer(String, Option<u64>),
    /// The evidence for a formula, by its number, proves nothing: why.
    Formula(usize, String),
    /// It was not looked at to the end: so many states were.
    Stopped(u64),
}

impl Rejected {
    /// The same about a state, unless it is about one already.
    pub(crate) fn in_state(self, number: u64) -> Rejected {
        match self {
            Rejected::False(label, None) => Rejected::False(label, Some(number)),
            Rejected::NoAnswer(why, None) => Rejected::NoAnswer(why, Some(number)),
            Rejected::StartOutside => Rejected::StepOutside(number),
            other => other,
        }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::Damaged(why) => write!(f, "the file is damaged or no certificate: {why}"),
            Rejected::OtherModel => f.write_str(
                "the certificate is about another model: the text, the scopes or the options differ",
            ),
            Rejected::Misfit(what) => write!(f, "the certificate does not fit the model: {what}"),
            Rejected::NoValue(component, text) => {
                write!(f, "component {} has no value {text}", component + 1)
            }
            Rejected::StartOutside => f.write_str("an initial state is not in the set"),
            Rejected::StepOutside(state) => write!(f, "a step of state {state} leads out of the set"),
            Rejected::Deadlock(state) => write!(f, "state {state} has no step"),
            Rejected::False(label, Some(state)) => {
                write!(f, "label {} is false in state {state}", label + 1)
            }
            Rejected::False(label, None) => write!(f, "label {} is false in a set-up", label + 1),
            Rejected::NoStart => f.write_str("the model has no set-up or no initial state"),
            Rejected::NoAnswer(why, Some(state)) => write!(f, "in state {state}: {why}"),
            Rejected::NoAnswer(why, None) => write!(f, "at the start: {why}"),
            Rejected::Formula(at, why) => write!(f, "formula {}: {why}", at + 1),
            Rejected::Stopped(_) => f.write_str("the check of the certificate was stopped"),
        }
    }
}

impl std::error::Error for Rejected {}
