//! Evaluates the labels to be checked, and leaves out those whose truth cannot have changed.
//!
//! Technique: an invariant by difference: a label that had the wanted truth in the parent, and none of whose
//! slots (constants included) differs in the successor, has it still. So has one that every step is known to keep.
//! Invariant: nothing is left out for initial states, after a parent in which any label was not as wanted or
//! faulted, or when the parent's truth is not known because the run was resumed.

use pins::{Fault, FaultKind, LabelId, Shape, Truth, Worker};

use super::config::Checks;
use super::outcome::FindingKind;

/// The labels of a run, in the order of reports.
#[derive(Debug)]
pub struct Labels {
    list: Vec<Checked>,
    words: usize,
}

#[derive(Debug)]
struct Checked {
    id: LabelId,
    /// What it is a finding of; a cover is none, true or false.
    kind: Option<FindingKind>,
    reads: Vec<u64>,
    /// Whether no step leads from a state in which all labels are as wanted to one in which this one is not.
    is_kept: bool,
}

/// A label that is not as wanted.
#[derive(Debug)]
pub struct Noticed {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The label.
    pub label: LabelId,
    /// Its fault, if it is undefined.
    pub fault: Option<Fault>,
}

impl Noticed {
    /// Whether it is only not known because the evaluation was halted.
    pub fn is_halted(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.kind == FaultKind::Halted)
    }
}

impl Labels {
    /// The labels that `checks` names.
    pub fn new(checks: &Checks, shape: &Shape) -> Labels {
        let words = shape.slots.len().div_ceil(64).max(1);
        let kinds = [
            (Some(FindingKind::Invariant), checks.invariants.as_slice()),
            (Some(FindingKind::Assertion), checks.assertions.as_slice()),
            (Some(FindingKind::Goal), checks.goal.as_slice()),
            (None, checks.covers.as_slice()),
        ];
        let list = kinds.iter().flat_map(|(kind, labels)| {
            labels.iter().map(|id| {
                let mut reads = vec![0; words];
                for slot in shape.labels[id.index()].reads.iter() {
                    reads[slot / 64] |= 1 << (slot % 64);
                }
                Checked {
                    id: *id,
                    kind: *kind,
                    reads,
                    is_kept: checks.kept.contains(id),
                }
            })
        });
        Labels {
            list: list.collect(),
            words,
        }
    }

    /// Whether there is nothing to check.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Words of a set of slots.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Evaluates the labels on a state; only those that read a slot in `changed`, if that is given. Returns how
    /// many were asked.
    pub fn check(
        &self,
        worker: &mut dyn Worker,
        state: &[u32],
        changed: Option<&[u64]>,
        mut notice: impl FnMut(Noticed),
    ) -> u64 {
        let mut asked = 0;
        for label in &self.list {
            if let Some(changed) = changed
                && (label.is_kept || label.reads.iter().zip(changed).all(|(a, b)| a & b == 0))
            {
                continue;
            }
            asked += 1;
            let is_goal = label.kind == Some(FindingKind::Goal);
            let (kind, fault) = match worker.label(state, label.id) {
                Truth::True if !is_goal => continue,
                Truth::False if is_goal => continue,
                Truth::True | Truth::False => (label.kind, None),
                Truth::Undefined(fault) | Truth::Unknown(fault) => {
                    (Some(FindingKind::Fault), Some(fault))
                }
            };
            if let Some(kind) = kind {
                notice(Noticed {
                    kind,
                    label: label.id,
                    fault,
                });
            }
        }
        asked
    }
}
