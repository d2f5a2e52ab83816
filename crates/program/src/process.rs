//! Processes: graphs of locations and edges, channels, and the observer of channel events.

use base::{Arena, Id, Name, Span};

use crate::{ExprId, Pattern, StmtId, TyId, Variable};

/// Names a kind of process.
pub type ProctypeId = Id<Proctype>;
/// Names a location of one graph.
pub type LocationId = Id<Location>;
/// Names an edge of one graph.
pub type EdgeId = Id<Edge>;
/// Names a kind of channel.
pub type ChannelId = Id<Channel>;

/// A kind of process.
#[derive(Clone, Debug)]
pub struct Proctype {
    /// Its name.
    pub name: Name,
    /// How many of its variables, from the first on, are parameters.
    pub parameters: usize,
    /// Gives its variables their first values when a process is created: after each got 0 and the parameters their
    /// arguments.
    pub prologue: Option<StmtId>,
    /// What it does.
    pub graph: Graph,
    /// A condition on each of its steps.
    pub provided: Option<ExprId>,
    /// Whether it must never have two possible steps.
    pub is_deterministic: bool,
    /// Channels that it alone uses at one end (`xs`, `xr`).
    pub promises: Vec<Promise>,
    /// Where it is declared.
    pub span: Span,
}

/// While a process lives, nobody else uses one end of the channel that it has in an expression. Whoever does faults, if
/// [`crate::Semantics::tests_promises`] says so.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// Which end.
    pub direction: Direction,
    /// The channel, as the process that promises sees it.
    pub channel: ExprId,
}

/// Locations and edges, with the variables of whoever walks along them.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The variables of each process, parameters first.
    pub variables: Arena<Variable>,
    /// The locations.
    pub locations: Arena<Location>,
    /// The edges.
    pub edges: Arena<Edge>,
    /// Where it starts.
    pub start: Option<LocationId>,
    /// Where it ends: the location before the death of a process, or where a claim or observer has run to its end.
    pub end: Option<LocationId>,
}

/// A control point.
#[derive(Clone, Debug)]
pub struct Location {
    /// The edges from here. Of the levels only the first with a possible edge counts: escapes of `unless` come first, the
    /// most important foremost; the last level is the statement itself.
    pub levels: Vec<Vec<EdgeId>>,
    /// The labels in the text.
    pub labels: Vec<Name>,
    /// What the labels mean.
    pub marks: Marks,
    /// The number that `pc_value` gives.
    pub number: u32,
    /// Where it stands.
    pub span: Span,
}

/// What the labels of a location mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks {
    /// A process may rest here for ever. The location before the death of a process is always marked.
    pub is_end: bool,
    /// Passing here again and again is accepted.
    pub is_accepting: bool,
    /// Passing here is progress.
    pub is_progress: bool,
}

/// A step of a process from one location to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: LocationId,
    /// Where it ends; without meaning for [`Act::End`].
    pub to: LocationId,
    /// What it does.
    pub act: Act,
    /// Who goes on.
    pub then: Then,
    /// The statement as people read it.
    pub text: Name,
    /// Where it stands.
    pub span: Span,
}

/// Who goes on after an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// Anybody: the state is one of the state space.
    Anybody,
    /// This process while it can; when it cannot, anybody, and the state is one of the state space.
    Same,
    /// This process by its first possible edge, in the order of levels and edges; when there is none it is a fault
    /// (`d_step`).
    First,
}

/// What an edge does and when it can.
#[derive(Clone, Debug)]
pub enum Act {
    /// Possible when the value is not 0. It may hold a `run`.
    Guard(ExprId),
    /// Always possible.
    Do(StmtId),
    /// Sends a message. With a buffer: possible while it is not full. Without: possible together with a matching receive
    /// of another process; then that process goes on as its edge says.
    Send {
        /// The channel.
        channel: ExprId,
        /// One value for each field, cut to its type when it is stored (a sorted send compares it before).
        values: Vec<ExprId>,
        /// Whether it goes before the first greater message instead of behind the last.
        is_sorted: bool,
    },
    /// Receives a message: possible when one matches.
    Receive {
        /// The channel.
        channel: ExprId,
        /// One for each field.
        patterns: Vec<Pattern>,
        /// Which message.
        take: Take,
    },
    /// Possible when no edge before it in its location is. (Escapes are looked at before.)
    Else,
    /// The process dies: possible when it is the youngest that lives.
    End,
    /// An event of an observer: a send to or a receive from the channel in a global variable, by anybody. Only in
    /// observers.
    Observe(Event),
}

/// Which message is received and what becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Take {
    /// The first that matches instead of the first.
    pub is_any: bool,
    /// It stays in the channel.
    pub is_copy: bool,
}

/// An event on a channel.
#[derive(Clone, Debug)]
pub struct Event {
    /// Send or receive.
    pub direction: Direction,
    /// The channel: an expression over global variables.
    pub channel: ExprId,
    /// What the message must look like; nothing is stored.
    pub patterns: Vec<Pattern>,
}

/// Send or receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// A message is sent.
    Send,
    /// A message is received.
    Receive,
}

impl Direction {
    /// Both ends of a channel.
    pub const BOTH: &'static [Direction] = &[Direction::Send, Direction::Receive];
}

/// A kind of channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The variable it was declared with.
    pub name: Name,
    /// How many messages it holds; 0 hands them over.
    pub capacity: u32,
    /// The types of the fields, all simple.
    pub fields: Vec<TyId>,
    /// Where it is declared.
    pub span: Span,
}

/// A process that exists from the start.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// Of which kind; parameters are 0.
    pub proctype: ProctypeId,
    /// Its priority.
    pub priority: u8,
}

/// An automaton that sees all channel events: its location is part of the state.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Its name.
    pub name: Name,
    /// Whether it must not come to its end (`notrace`); else it must allow every event in its scope (`trace`).
    pub is_forbidden: bool,
    /// Edges are events, `Else`, guards or statements without effect on the program.
    pub graph: Graph,
    /// Channels and directions that it mentions: other events are not seen.
    pub scope: Vec<(Direction, ExprId)>,
    /// Where it stands.
    pub span: Span,
}
