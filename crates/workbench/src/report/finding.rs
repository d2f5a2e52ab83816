//! Findings: what is wrong, how it is reached and why.

use pins::LabelId;
use serde::Serialize;
use subject::display::Chart;
use subject::{Claim, Trace};
use verdict::{Shown, ShownStep};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// The invariant is false.
    Invariant,
    /// Nothing can happen.
    Deadlock,
    /// An assertion is false.
    Assertion,
    /// The goal was reached and is an error.
    Goal,
    /// Something has no value, or a condition that must hold does not.
    Fault,
    /// A step of a refinement is none of the machine it refines.
    Refinement,
    /// There is no set-up, or no initial state.
    Setup,
    /// A formula of linear time is false on some path.
    Ltl,
    /// A formula of branching time is false in some initial state.
    Ctl,
    /// A condition that some state was to meet is met in none.
    Cover,
    /// An event that the model's own observer of events does not allow.
    Trace,
    /// A path that a claim of the model forbids.
    Never,
    /// A cycle through places that are marked as accepting.
    Acceptance,
    /// A cycle that passes no place that is marked as progress.
    NonProgress,
}

impl FindingKind {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Invariant => "invariant",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Assertion => "assertion",
            FindingKind::Goal => "goal",
            FindingKind::Fault => "fault",
            FindingKind::Refinement => "refinement",
            FindingKind::Setup => "setup",
            FindingKind::Ltl => "ltl",
            FindingKind::Ctl => "ctl",
            FindingKind::Cover => "cover",
            FindingKind::Trace => "trace",
            FindingKind::Never => "never",
            FindingKind::Acceptance => "acceptance",
            FindingKind::NonProgress => "non-progress",
        }
    }

    /// The exit code of a run whose first finding is of this kind.
    pub fn exit(self) -> u8 {
        match self {
            FindingKind::Setup => 10,
            FindingKind::Deadlock => 11,
            FindingKind::Invariant
            | FindingKind::Assertion
            | FindingKind::Goal
            | FindingKind::Refinement
            | FindingKind::Cover
            | FindingKind::Trace => 12,
            FindingKind::Ltl
            | FindingKind::Ctl
            | FindingKind::Never
            | FindingKind::Acceptance
            | FindingKind::NonProgress => 13,
            FindingKind::Fault => 75,
        }
    }
}

impl Finding {
    /// A finding about the whole search, which no path shows.
    pub fn without_path(kind: FindingKind, name: String, message: String) -> Finding {
        Finding {
            kind,
            name: Some(name),
            message,
            why: Vec::new(),
            place: None,
            path: Vec::new(),
            loop_start: None,
            along: Vec::new(),
            last_changed: None,
            found_in: None,
            evidence: None,
            label: None,
            chart: None,
        }
    }
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The name of what is violated: a label or the text of the conjunct, an operation.
    pub name: Option<String>,
    /// One sentence.
    pub message: String,
    /// Why, line by line: the smallest false part and the values in it.
    pub why: Vec<String>,
    /// Where the violated conjunct or the fault stands: `file:line:column`.
    pub place: Option<String>,
    /// How it is reached.
    pub path: Vec<ShownStep>,
    /// For an infinite path: the step that follows the last one.
    pub loop_start: Option<usize>,
    /// Of a temporal formula: where its parts hold along the path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<Along>,
    /// Which event changed each variable of the false predicate last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_changed: Option<String>,
    /// How many steps the path had when it was found, when it was shortened since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_in: Option<usize>,
    /// The path as values and what was confirmed about its end.
    #[serde(skip)]
    pub(crate) evidence: Option<(Trace, Claim)>,
    /// The label that is false at its end.
    #[serde(skip)]
    pub(crate) label: Option<LabelId>,
    /// Who sends what to whom along the path, where that was asked for.
    #[serde(skip)]
    pub chart: Option<Chart>,
}

/// Where a part of a temporal formula holds along a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Along {
    /// The part.
    pub part: String,
    /// The steps of the path, from 0, in whose state it holds.
    pub holds_after: Vec<usize>,
}

impl Finding {
    /// The path as a whole.
    pub fn shown(&self) -> Shown {
        Shown {
            steps: self.path.clone(),
            loop_start: self.loop_start,
        }
    }
}
