//! Questions about all states that satisfy the invariant, reachable or not, and about short paths.

use crate::{EventId, Value};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inquiry {
    /// Can this event lead from a state that satisfies the invariant to one that does not?
    Breaks(EventId),
    /// Is there a state that satisfies the invariant and in which nothing can happen?
    Deadlock,
    /// Is there a state that satisfies the invariant and not the assertion of this number?
    Refutes(usize),
    /// Can this event happen in a state that satisfies the invariant?
    Happens(EventId),
    /// Is there a state that satisfies the invariant, with arguments for which everything holds that this event says of
    /// the state before, and yet it cannot happen with them?
    Cut(EventId),
    /// Can these events happen one after the other, from an initial state?
    Path(Vec<EventId>),
    /// Does a path of so many steps from an initial state end where the invariant is false?
    Base(usize),
    /// Does a path of so many steps through states that satisfy the invariant, from any of them, end where it is false?
    Step(usize),
}

/// What is said of a question.
#[derive(Clone, Debug)]
pub enum Finding {
    /// No, nowhere.
    No,
    /// Yes, for example so.
    Yes(Example),
    /// It is not known, and why.
    Open(String),
}

/// An example.
#[derive(Clone, Debug)]
pub struct Example {
    /// The components before the first step; only constants have a value where it starts with an initialisation.
    pub before: Vec<Option<Value>>,
    /// Whether it starts with an initialisation.
    pub is_start: bool,
    /// What happens, with arguments.
    pub steps: Vec<(EventId, Vec<Option<Value>>)>,
    /// The conjunct of the invariant, by its number among the labels, that is false at the end.
    pub label: Option<usize>,
}

/// Somebody who answers.
pub trait Constraining {
    /// Whether the model says of every state what is not checked, because nothing leads to another one. Then an event can
    /// fail to happen where its own conditions hold.
    fn prunes(&self) -> bool;

    /// The answer to a question. "No" is certain, "yes" has an example.
    fn ask(&mut self, inquiry: &Inquiry) -> Finding;
}
