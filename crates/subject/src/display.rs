//! What people see of a model beyond its components: steps taken apart, who moves by itself, charts, listings, automata.
//!
//! Invariant: texts only; whoever draws or lists them knows no language.

use base::Span;

/// One of several things that happen in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The event.
    pub event: String,
    /// Its arguments.
    pub arguments: Vec<(String, String)>,
    /// The state after it.
    pub state: Vec<(String, String)>,
}

/// Somebody who moves by itself, such as a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// Where it is: what it may do next.
    pub at: Vec<String>,
    /// What it holds.
    pub values: Vec<(String, String)>,
}

/// Who sends what to whom along a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    /// Those who take part.
    pub columns: Vec<String>,
    /// What they do, one after the other.
    pub rows: Vec<ChartRow>,
}

/// What one of them does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartRow {
    /// Who.
    pub column: usize,
    /// What.
    pub text: String,
    /// Of a message that is received: the row where it was sent.
    pub from: Option<usize>,
}

/// What a listing of a path tells besides its steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The statements.
    pub statements: bool,
    /// Global values after each step.
    pub globals: bool,
    /// Values of processes after each step.
    pub locals: bool,
    /// Messages that are sent.
    pub sends: bool,
    /// Messages that are received.
    pub receives: bool,
}

/// The graph of a part of the text, such as a kind of process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    /// Its name.
    pub name: String,
    /// Its places.
    pub places: Vec<AutomatonPlace>,
    /// Its edges: from, to, what happens.
    pub edges: Vec<(usize, usize, String)>,
}

/// A place of such a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonPlace {
    /// What it is called.
    pub name: String,
    /// Whether it begins here.
    pub is_start: bool,
    /// What is special about it.
    pub marks: Vec<String>,
}

/// A statement and how often it was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// What it belongs to: `proctype P`.
    pub owner: String,
    /// Where it stands.
    pub span: Span,
    /// The number of its place.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// How often.
    pub count: u64,
    /// Whether somebody came to its place, so that it could be tried.
    pub is_reached: bool,
}
