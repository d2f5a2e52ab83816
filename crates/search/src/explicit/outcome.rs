//! What a run says at its end.

use std::fmt;

use pins::{Event, Fault, LabelId, Notes, Path};

use super::statistics::Statistics;

/// The end of a run.
#[derive(Clone, Debug)]
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
