//! What a symbolic run says at its end.

use ldd::Count;

use crate::explicit;

/// The end of a run: what every engine says, and what only diagrams have.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Findings, notes and reasons. Its counts end at the largest machine number; transitions are 0.
    pub common: explicit::Outcome,
    /// Exact counts, and the effort.
    pub statistics: Statistics,
    /// All states, if they were to be kept.
    pub set: Option<Diagram>,
}

/// A set of states as a diagram.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagram {
    /// The slot of each level.
    pub order: Vec<usize>,
    /// For each node its values, ascending, each with the number of a node before it, counted from 1; 0 is the end. The last
    /// one is the root.
    pub nodes: Vec<Vec<(u32, u32)>>,
}

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states.
    pub states: Count,
    /// What was done about symmetric states, if there are any.
    pub symmetry: Option<Represented>,
    /// Distinct (source, event, arguments, results, target), if they were to be counted.
    pub transitions: Option<Count>,
    /// The same for each group.
    pub group_transitions: Option<Vec<Count>>,
    /// Whether each group has a transition from some state.
    pub is_enabled: Vec<bool>,
    /// Rounds of the fixed point: with breadth-first search the levels.
    pub levels: u64,
    /// Whether these are all states that can be reached.
    pub is_exhausted: bool,
    /// Whether the run ended because its patience did, and for no other reason.
    pub gave_up: bool,
    /// Nodes of the diagram of all states.
    pub ldd_nodes: u64,
    /// The most nodes there ever were in the table, garbage included.
    pub peak_ldd_nodes: u64,
    /// The most bytes that tables of diagrams took.
    pub peak_ldd_bytes: u64,
    /// Collections of garbage.
    pub collections: u64,
    /// Questions to the cache of operations, and those it answered.
    pub cache: (u64, u64),
}

/// What representatives stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Represented {
    /// Whether each orbit has one of them.
    pub is_precise: bool,
    /// The states that they stand for, where that is known.
    pub states: Option<Count>,
    /// A slot in which a word may hide points: there the run ended, since states with such words cannot be permuted.
    pub hidden: Option<usize>,
}
