//! What a symbolic run is asked to do, as plain data.

use crate::explicit::{Checks, Limits};

use super::order::Reorder;

/// In which order the fixed point is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// All groups on the states of one level, then the next level: least depths.
    Bfs,
    /// Each group on what the groups before it found.
    Chaining,
    /// From the last slot up: local fixed points first; where that takes very long, chaining from what it found.
    Saturation,
    /// Saturation for a while; where that does not suffice, chaining from what it found.
    #[default]
    Auto,
}

/// How symmetric states are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Representatives {
    /// Columns are sorted: one state for each orbit where columns do not hold each other.
    Dynamic,
    /// The least column goes to the front: several states for each orbit, at less cost for each image.
    Multiple,
}

/// Everything a run is told.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The order of the fixed point.
    pub order: Order,
    /// The order of slots in diagrams.
    pub reorder: Reorder,
    /// How many threads compute.
    pub threads: usize,
    /// What is checked.
    pub checks: Checks,
    /// Where it ends early. A limit on depth needs [`Order::Bfs`].
    pub limits: Limits,
    /// Whether transitions are counted.
    pub count_transitions: bool,
    /// How long the search may take, in steps that do not depend on the machine.
    pub patience: Patience,
    /// Whether it goes on to the last state whatever it finds: then the first finding has least depth with every order.
    pub finds_all: bool,
    /// Whether symmetric states are represented by some of them. Saturation has no place for that and is replaced by
    /// [`Order::Chaining`]; transitions are not counted.
    pub symmetry: Option<Representatives>,
    /// Whether the outcome has the set of all states.
    pub keep_states: bool,
    /// Whether garbage is collected before every operation, so that a test sees when something is not kept.
    pub collects_always: bool,
}

/// How long a search may take: so many looks at the watcher. There is one after some thousand operations on diagrams, and one
/// after a thousand questions to the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For saturation with [`Order::Auto`]; then chaining goes on.
    pub saturation: u64,
    /// For everything after that; without an end if this is missing.
    pub rest: Option<u64>,
}

impl Default for Patience {
    /// Saturation for about a second, chaining for ever.
    fn default() -> Patience {
        Patience {
            saturation: 400,
            rest: None,
        }
    }
}
