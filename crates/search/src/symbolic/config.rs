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
    /// From the last slot up: local fixed points first.
    Saturation,
    /// Saturation for a while; where that does not suffice, chaining from what it found.
    #[default]
    Auto,
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
}
