//! What is said about the last state of a path, for a judge to confirm.

use pins::LabelId;

use crate::describe::EventId;
use crate::question::QuestionId;

/// Something that is true or false in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Predicate {
    /// A label of the subject.
    Label(LabelId),
    /// A question that is a predicate.
    Question(QuestionId),
}

/// What is said about the last state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The predicate is false.
    False(Predicate),
    /// The predicate is true.
    True(Predicate),
    /// The predicate has no truth value.
    Undefined(Predicate),
    /// No event can happen, and that must not be so here.
    Deadlock,
    /// No event can happen.
    Stops,
    /// No event leads to another state.
    Stutters,
    /// The path leads there.
    Reached,
    /// The event has no value, or a condition in it does not hold.
    FaultInEvent(EventId),
    /// The initialisation has no value, or a condition in it does not hold.
    FaultInInitialisation,
    /// The properties have no truth value.
    FaultInSetup,
    /// The constants have no values.
    NoSetup,
    /// There is no initial state.
    NoInitialState,
}
