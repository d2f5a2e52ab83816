//! How much there was.

use serde::Serialize;

use super::{Count, count};

/// How much there was.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Statistics {
    /// Distinct states of the initialised machine.
    pub states: Count,
    /// Solutions of the constants.
    #[serde(serialize_with = "count")]
    pub setups: u64,
    /// `states + setups + 1`
    pub nodes: Count,
    /// Distinct transitions between states; a symbolic run counts them on request.
    pub transitions: Option<Count>,
    /// The same with set-up and initialisation edges.
    pub edges: Option<Count>,
    /// Guards that were undefined and counted as false.
    #[serde(serialize_with = "count")]
    pub undefined_guards: u64,
    /// Branches that a fault took away (`--wd lenient`).
    #[serde(serialize_with = "count")]
    pub dropped_faults: u64,
    /// Questions "successors of this state for this group".
    #[serde(serialize_with = "count")]
    pub next_state_calls: u64,
    /// Questions for the truth of a predicate.
    #[serde(serialize_with = "count")]
    pub label_calls: u64,
    /// Steps from an initial state to the deepest state, in the order of exploration.
    #[serde(serialize_with = "count")]
    pub depth: u64,
    /// Seconds.
    pub wall_s: f64,
    /// The most memory the process had.
    pub peak_memory_bytes: u64,
    /// What the store of states needed.
    pub store_bytes: u64,
    /// The most that files of states took at once, with `--store disk`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_bytes: Option<u64>,
    /// What only diagrams have.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<Symbolic>,
}

/// The effort of a symbolic run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Symbolic {
    /// Nodes of the diagram of all states.
    pub ldd_nodes: u64,
    /// The most nodes in the table, garbage included.
    pub peak_ldd_nodes: u64,
    /// The most bytes of tables of diagrams.
    pub peak_ldd_bytes: u64,
    /// Collections of garbage.
    pub collections: u64,
    /// Rounds of the fixed point.
    pub levels: u64,
    /// The part of operations that the cache answered.
    pub cache_hit_rate: f64,
}

/// An operation and how often it happened.
#[derive(Clone, Debug, Serialize)]
pub struct OperationCount {
    /// The operation.
    pub name: String,
    /// Its transitions; a symbolic run counts them on request.
    pub transitions: Option<Count>,
    /// Whether it happened at all.
    #[serde(skip)]
    pub happens: bool,
    /// Where it stands.
    #[serde(skip)]
    pub place: Option<String>,
    /// How often its guard held and nothing followed.
    #[serde(skip)]
    pub blocked: u64,
    /// Whether it was found to go wrong: it happens, but leads to no state.
    #[serde(skip)]
    pub goes_wrong: bool,
}

/// A variable and how many values it took.
#[derive(Clone, Debug, Serialize)]
pub struct VariableCount {
    /// The variable.
    pub name: String,
    /// Distinct values in all states; a lower bound when `at_least` is set.
    #[serde(serialize_with = "count")]
    pub values: u64,
    /// Whether counting ended early.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}
