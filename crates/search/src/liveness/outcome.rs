//! What the check of a formula says at its end.

use pins::Fault;

use crate::explicit::Open;
use pins::{Event, PathStep};

/// The answer for one formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was found.
    pub verdict: Verdict,
    /// What it took.
    pub effort: Effort,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every path satisfies the formula. A branching formula that asks for a path has one as a witness.
    Holds(Option<Evidence>),
    /// Some path does not.
    Violated(Evidence),
    /// Some path of the unreduced system does not: a fair cycle of representatives was found, which is not a cycle of states. The
    /// path is given if it is not too long.
    Somewhere(Option<Box<Unwound>>),
    /// Something that the verdict depends on has no value.
    Fault {
        /// What has none.
        fault: Fault,
        /// The atom, when it is one.
        atom: Option<u32>,
        /// The event whose evaluation faulted, when it is one; it is not part of the path.
        event: Option<Event>,
        /// The way there; for an atom about a step that step is the last one.
        path: Vec<PathStep>,
    },
    /// There is no set-up, or no initial state.
    NoInitialState(Event),
    /// Nothing was found, and not everything was searched.
    Open(Vec<Open>),
    /// The automaton of the formula would be too large.
    TooLarge(String),
    /// The method cannot decide this formula with its premise.
    Refused(String),
}

/// A path that shows why.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// Set-up (if there are set-ups), initialisation, events.
    pub path: Vec<PathStep>,
    /// How it goes on after that.
    pub end: End,
    /// For a lasso the step from the last state of `path` back to the first state of the loop.
    pub closing: Option<PathStep>,
    /// Which parts of a branching formula hold along the path.
    pub marks: Vec<Mark>,
}

/// A cycle of the unreduced system, and a way of representatives to its first state.
#[derive(Clone, Debug, PartialEq)]
pub struct Unwound {
    /// Set-up (if there are set-ups), initialisation, events of the quotient.
    pub path: Vec<PathStep>,
    /// The steps of the unreduced system from the last state of `path` back to it.
    pub round: Vec<PathStep>,
}

impl Unwound {
    /// Whether somebody may read it from one end to the other.
    pub fn is_short(&self) -> bool {
        self.path.len() + self.round.len() <= SHORT
    }
}

/// Longer paths are shown only where no shorter one is known.
const SHORT: usize = 100;

/// How a path goes on after its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// For ever round a loop that begins at this step of the path.
    Lasso {
        /// The index of the step that leads to the first state of the loop.
        start: usize,
    },
    /// Not at all: its last state has no successor.
    Deadlock,
    /// However it likes: no continuation changes the answer.
    BadPrefix,
}

/// A part of a branching formula at a position of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The index of the step that leads to the state.
    pub step: usize,
    /// The number of the part: the formula itself is 0, its parts follow, leftmost first, each before its own parts.
    pub part: usize,
    /// Whether it holds there.
    pub holds: bool,
    /// Whether the rest of the path, or the next mark, shows why; otherwise no single path could.
    pub is_explained: bool,
}

/// What a check took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// States of the automaton.
    pub automaton_states: u64,
    /// Its accepting sets.
    pub accepting_sets: u64,
    /// Pairs of a state of the system and one of the automaton that were visited.
    pub product_states: u64,
    /// Edges between them that were followed.
    pub product_edges: u64,
    /// Pairs in whose state a step faulted that might have mattered; only the other steps were followed.
    pub faults: u64,
    /// Whether the formula was searched breadth-first for a bad prefix.
    pub is_safety: bool,
}
