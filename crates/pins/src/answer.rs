//! The answer to one question about successors, kept as data so that laws can be checked on it.
//!
//! Technique: a group is asked with a mark in every slot it does not read; where the mark comes through, the
//! slot was left alone, everything else was written. The result is a [`Template`] that predicts the answer for
//! every state with the same read slots.

use crate::shape::{Group, GroupId};
use crate::system::{Fault, Flow, Step, Worker};

/// What a worker said about one state and one group.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    /// Label words and target of each step, in order.
    pub steps: Vec<(Vec<u32>, Vec<u32>)>,
    /// The fault that ended the enumeration.
    pub fault: Option<Fault>,
}

/// An [`Answer`] without the state: for each step its label and, slot by slot, what it wrote.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template {
    steps: Vec<(Vec<u32>, Vec<Option<u32>>)>,
    fault: Option<Fault>,
}

/// Asks for all successors of one group.
pub(crate) fn ask(worker: &mut dyn Worker, state: &[u32], group: GroupId) -> Answer {
    let mut steps = Vec::new();
    let mut emit = |step: Step<'_>| {
        steps.push((step.label.to_vec(), step.target.to_vec()));
        Flow::Continue
    };
    let fault = worker.successors(state, group, &mut emit).err();
    Answer { steps, fault }
}

/// Two marks: a value that only looks like the first one does not look like the second one too.
const MARKS: [u32; 2] = [0xffff_fff1, 0xa5c3_9e71];

/// Asks with marks in the slots that are not read; an error when the two marks get different answers.
pub(crate) fn template(
    worker: &mut dyn Worker,
    state: &[u32],
    id: GroupId,
    group: &Group,
) -> Result<Template, String> {
    let [first, second] = MARKS.map(|mark| {
        let marked: Vec<u32> = (0..state.len())
            .map(|slot| {
                if group.reads.contains(slot) {
                    state[slot]
                } else {
                    mark
                }
            })
            .collect();
        ask(worker, &marked, id)
    });
    if first.fault != second.fault || first.steps.len() != second.steps.len() {
        return Err("the steps depend on a slot that is not read".to_string());
    }
    let mut steps = Vec::new();
    for ((label, one), (other_label, other)) in first.steps.into_iter().zip(second.steps) {
        if label != other_label {
            return Err("a label depends on a slot that is not read".to_string());
        }
        let mut writes = Vec::new();
        for slot in 0..state.len() {
            writes.push(if group.reads.contains(slot) || one[slot] == other[slot] {
                Some(one[slot])
            } else if (one[slot], other[slot]) == (MARKS[0], MARKS[1]) {
                None
            } else {
                return Err(format!(
                    "slot {slot} gets a value that depends on a slot that is not read"
                ));
            });
        }
        steps.push((label, writes));
    }
    Ok(Template {
        steps,
        fault: first.fault,
    })
}

impl Template {
    /// The answer for a state with the same read slots; what coincides is given once.
    pub(crate) fn at(&self, state: &[u32]) -> Answer {
        let mut steps: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        for (label, writes) in &self.steps {
            let target = writes.iter().zip(state);
            let target = target.map(|(write, old)| write.unwrap_or(*old));
            let step = (label.clone(), target.collect());
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        Answer {
            steps,
            fault: self.fault.clone(),
        }
    }

    /// A slot that some step leaves alone although the group always writes it.
    pub(crate) fn missed_must_write(&self, group: &Group) -> Option<usize> {
        let mut slots = group.must_write.iter();
        slots.find(|slot| self.steps.iter().any(|(_, writes)| writes[*slot].is_none()))
    }
}

/// A slot that `answer` changes although `group` may not write it, or that repeats a step: the broken law.
pub(crate) fn broken_by(
    answer: &Answer,
    state: &[u32],
    group: &Group,
    is_constant: impl Fn(usize) -> bool,
) -> Option<(u8, String)> {
    for (at, (label, target)) in answer.steps.iter().enumerate() {
        if target.len() != state.len() {
            return Some((3, format!("a target has {} slots", target.len())));
        }
        for slot in (0..state.len()).filter(|slot| state[*slot] != target[*slot]) {
            if is_constant(slot) {
                return Some((6, format!("slot {slot} is constant and changes")));
            }
            if !group.may_write.contains(slot) {
                return Some((3, format!("slot {slot} changes but is not in may_write")));
            }
        }
        if answer.steps[..at]
            .iter()
            .any(|step| step.0 == *label && step.1 == *target)
        {
            return Some((5, "a step is given twice".to_string()));
        }
    }
    None
}
