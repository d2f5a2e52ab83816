//! What a run says at its end.

use std::fmt;
use std::sync::Arc;

use pins::{Event, Fault, LabelId, Notes, Path};

use treetable::Store;

use super::statistics::Statistics;

/// The end of a run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What was found, by depth, then kind, then order of discovery.
    pub findings: Vec<Finding>,
    /// The counts.
    pub statistics: Statistics,
    /// What the system noticed on the way.
    pub notes: Notes,
    /// Whether every reachable state was found and expanded, and nothing says otherwise.
    pub is_complete: bool,
    /// Why the run proves less than it could; empty for a complete run, and for one that ended because enough
    /// was found.
    pub open: Vec<Open>,
    /// What the user should know but what changes no verdict (a checkpoint that could not be written).
    pub warnings: Vec<String>,
    /// The states that were found, if they were to be kept.
    pub states: Kept,
}

/// States that outlive their run.
#[derive(Clone, Default)]
pub struct Kept(pub(super) Vec<Arc<Store>>);

impl Kept {
    /// Shows every state once.
    pub fn each(&self, mut show: impl FnMut(&[u32])) {
        for store in &self.0 {
            let mut session = store.session();
            let mut vector = vec![0; store.slots()];
            for number in 0..store.len() as u32 {
                session.load(number, &mut vector);
                show(&vector);
            }
        }
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: usize = self.0.iter().map(|store| store.len()).sum();
        write!(f, "{states} states")
    }
}

/// What kind of finding; the order is the order at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingKind {
    /// A conjunct of the invariant is false.
    Invariant,
    /// An assertion is false.
    Assertion,
    /// Something has no value, or a condition in the model's text does not hold.
    Fault,
    /// The goal.
    Goal,
    /// A state without successors.
    Deadlock,
    /// There is no set-up, or no initial state.
    Setup,
}

/// Something worth reporting.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// The label that is false, undefined or reached.
    pub label: Option<LabelId>,
    /// The event whose evaluation faulted; it is not part of the path.
    pub event: Option<Event>,
    /// The fault.
    pub fault: Option<Fault>,
    /// The number of the state in the order of discovery; with an exact store the same for any number of threads.
    pub state: Option<u32>,
    /// Events after the initialisation, the faulting one included.
    pub depth: u32,
    /// The way there: set-up (if there are set-ups), initialisation, events.
    pub path: Path,
}

/// Why a run is not exhaustive.
#[derive(Clone, Debug, PartialEq)]
pub enum Open {
    /// The limit on states.
    MaxStates,
    /// The limit on set-ups.
    MaxSetups,
    /// The limit on time.
    MaxTime,
    /// The limit on memory.
    MaxMemory,
    /// The limit on depth.
    MaxDepth,
    /// The monitor asked to stop.
    Interrupted,
    /// The store may take two states for one.
    LossyStore,
    /// An enumeration was cut; the notes say where.
    Cut,
    /// The evaluator's budget did not suffice; so many times, and the first.
    Budget(u64, Fault),
    /// Faulting branches were dropped; the notes say how many.
    Dropped,
    /// States could not be written to files or read from them: why.
    Disk(String),
    /// A process of a distributed run was lost: which one, and why.
    Lost(String),
}

/// Why nothing was explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}
