//! What workers notice on the way, before it has a path.

use pins::{Event, Fault, FaultKind, LabelId};

use super::labels::Noticed;
use super::outcome::FindingKind;

/// What workers noticed.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of discovery.
    pub findings: Vec<Raw>,
    /// How often a budget of the evaluator did not suffice, and the first time.
    pub budget: (u64, Option<Fault>),
    /// States in which some label is not as wanted.
    pub unclean: Vec<u32>,
}

/// A finding before its path is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    pub kind: FindingKind,
    pub label: Option<LabelId>,
    pub event: Option<Event>,
    pub fault: Option<Fault>,
    /// The number in the store.
    pub state: Option<u32>,
    /// The set-up, when there is no state.
    pub setup: Option<u32>,
    /// The number in breadth-first order.
    pub number: Option<u32>,
    pub depth: u32,
    /// Position of the parent in its level, then of the step.
    pub key: u64,
    /// Whether the state is one of the next level.
    pub is_new: bool,
}

impl Found {
    /// Whether nothing was noticed.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.budget.0 == 0 && self.unclean.is_empty()
    }

    /// States of the next level have got other numbers.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for raw in self.findings.iter_mut().filter(|raw| raw.is_new) {
            raw.state = raw.state.map(&number);
        }
        for state in &mut self.unclean {
            *state = number(*state);
        }
    }

    /// A fault is a finding, unless it says nothing about the model.
    pub fn fault(&mut self, raw: Raw) {
        match raw.fault {
            Some(fault) if fault.kind.leaves_open() => leave_open(&mut self.budget, fault),
            _ => self.findings.push(raw),
        }
    }

    /// A label that is not as wanted in a new state: number, depth and key.
    pub fn notice(&mut self, noticed: Noticed, (state, depth, key): (u32, u32, u64)) {
        if self.unclean.last() != Some(&state) {
            self.unclean.push(state);
        }
        self.fault(Raw {
            kind: noticed.kind,
            label: Some(noticed.label),
            event: None,
            fault: noticed.fault,
            state: Some(state),
            setup: None,
            number: None,
            depth,
            key,
            is_new: true,
        });
    }
}

/// What a fault of a step is told as.
pub(super) fn kind_of(fault: &Fault) -> FindingKind {
    match fault.kind {
        FaultKind::Assertion | FaultKind::Observed => FindingKind::Assertion,
        _ => FindingKind::Fault,
    }
}

/// An answer that is not known: a budget that did not suffice is counted; the notes tell what was cut, and the signal why
/// an evaluation was halted.
pub(crate) fn leave_open(budget: &mut (u64, Option<Fault>), fault: Fault) {
    if fault.kind == FaultKind::Budget {
        budget.0 += 1;
        budget.1.get_or_insert(fault);
    }
}
