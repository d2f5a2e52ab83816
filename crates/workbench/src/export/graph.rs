//! A graph as data: what every format is written from.

use crate::choice::ExportWhat;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Before anything has a value.
    Root,
    /// The constants have values.
    Setup,
    /// A state that the initialisation leads to.
    Initial,
    /// Any other state, or a class of states.
    State,
    /// A state in which nothing can happen.
    Deadlock,
    /// A state in which the invariant does not hold.
    Broken,
    /// An event.
    Event,
    /// A constant or variable.
    Variable,
    /// A machine.
    Machine,
}

impl Role {
    /// The word in files.
    pub fn word(self) -> &'static str {
        match self {
            Role::Root => "root",
            Role::Setup => "setup",
            Role::Initial => "initial",
            Role::State => "state",
            Role::Deadlock => "deadlock",
            Role::Broken => "broken",
            Role::Event => "event",
            Role::Variable => "variable",
            Role::Machine => "machine",
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub role: Role,
    /// What to write on it, when it has no values.
    pub label: String,
    /// Names with values.
    pub values: Vec<(String, String)>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The event, or what it means.
    pub event: String,
    /// The event with its values.
    pub label: String,
    /// Whether it is there only sometimes, or takes something away.
    pub is_weak: bool,
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The model.
    pub model: String,
    /// What it shows.
    pub kind: ExportWhat,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// Why it is not whole, if it is not.
    pub cut: Option<String>,
    /// The names of values in tables.
    pub columns: Vec<String>,
}

impl Node {
    /// What to write on it: a value in each line; an event by its name, since its values are on its edges.
    pub fn lines(&self) -> Vec<String> {
        if self.values.is_empty() || self.role == Role::Event {
            return self.label.lines().map(str::to_owned).collect();
        }
        let values = self.values.iter();
        values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect()
    }
}

impl Graph {
    /// How many nodes have this role or count as states.
    pub fn states(&self) -> usize {
        let is_state = |node: &&Node| {
            matches!(
                node.role,
                Role::Initial | Role::State | Role::Deadlock | Role::Broken
            )
        };
        self.nodes.iter().filter(is_state).count()
    }

    /// How many edges lead from state to state.
    pub fn transitions(&self) -> usize {
        let starts = |edge: &&Edge| !matches!(self.nodes[edge.from].role, Role::Root | Role::Setup);
        self.edges.iter().filter(starts).count()
    }
}
