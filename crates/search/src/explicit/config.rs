//! What a run is asked to do, as plain data.

use std::path::PathBuf;
use std::time::Duration;

use pins::LabelId;
use treetable::Kind;

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Level by level: shortest paths.
    #[default]
    Bfs,
    /// The newest state first, one thread.
    Dfs,
    /// The newest state two times in three, the oldest otherwise, one thread.
    Mixed,
}

/// Everything a run is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The order of visits.
    pub order: Order,
    /// What is kept of a state.
    pub store: Kind,
    /// How many threads explore (breadth-first only; the other orders use one).
    pub threads: usize,
    /// What is checked.
    pub checks: Checks,
    /// Where it ends early.
    pub limits: Limits,
    /// Whether paths will be asked for: four bytes a state.
    pub keep_paths: bool,
    /// Whether the outcome has the states; lossy stores have none to give.
    pub keep_states: bool,
    /// So many findings that differ in their states only are told.
    pub alike: usize,
    /// Whether to write the state of the run to a file.
    pub checkpoint: Option<Checkpoint>,
    /// A file to go on from.
    pub resume: Option<PathBuf>,
    /// What identifies model, scopes and evaluator: a checkpoint fits only the same bytes.
    pub fingerprint: Vec<u8>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            order: Order::default(),
            store: Kind::default(),
            threads: 1,
            checks: Checks::default(),
            limits: Limits::default(),
            keep_paths: true,
            keep_states: false,
            alike: usize::MAX,
            checkpoint: None,
            resume: None,
            fingerprint: Vec::new(),
        }
    }
}

/// What is checked. Faults always are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Checks {
    /// Labels that must hold in every state.
    pub invariants: Vec<LabelId>,
    /// Labels that must hold in every state, reported as assertions.
    pub assertions: Vec<LabelId>,
    /// Of both, labels that no step breaks that starts where all of them hold: they are asked of initial states, and after
    /// states in which something is not as wanted.
    pub kept: Vec<LabelId>,
    /// Labels that must hold in every set-up (asked of set-up vectors), reported as assertions.
    pub setup_labels: Vec<LabelId>,
    /// Whether a state without successors is a finding.
    pub deadlock: bool,
    /// Whether a state all of whose steps lead back to it counts as one without successors.
    pub stuttering: bool,
    /// Labels that make a state without successors a proper end.
    pub ends: Vec<LabelId>,
    /// Labels that must be true in some state: they are asked, and the system notes the ones that are true.
    pub covers: Vec<LabelId>,
    /// A label to look for.
    pub goal: Option<LabelId>,
    /// The run ends when there are so many findings; 0 counts as 1.
    pub stop_after: usize,
}

impl Checks {
    /// Whether the steps that a reduction chooses must lead away: others might, and then the state is no deadlock.
    pub fn must_leave(&self) -> bool {
        self.deadlock && self.stuttering
    }
}

/// Where a run ends early.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// States.
    pub max_states: Option<u64>,
    /// Set-ups.
    pub max_setups: Option<u64>,
    /// Time.
    pub max_time: Option<Duration>,
    /// Bytes of store, links, frontier and the system's own tables.
    pub max_memory: Option<u64>,
    /// Steps from an initial state.
    pub max_depth: Option<u32>,
}

/// A file that a run can be resumed from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The file; it is replaced as a whole.
    pub path: PathBuf,
    /// How often.
    pub every: Duration,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// Transitions found.
    pub transitions: u64,
    /// States found but not expanded.
    pub frontier: u64,
    /// Steps from an initial state.
    pub depth: u32,
    /// States found per second since the last call.
    pub rate: f64,
    /// Bytes in use.
    pub bytes: u64,
    /// Since the start.
    pub elapsed: Duration,
}

/// Watches a run.
pub trait Monitor: Sync {
    /// Called a few times a second.
    fn progress(&self, _progress: &Progress) {}

    /// Called before every state with the number of states found so far.
    fn before_state(&self, _states: u64) {}

    /// Whether the run should end now (a flag that an interrupt sets): asked before every state.
    fn should_stop(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Monitor for Quiet {}
