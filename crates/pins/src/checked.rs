//! Verifies at run time that a system keeps to the reads and writes it declares.
//!
//! Technique: LTSmin's run-time dependency checker. Writes are compared on every step; reads are checked by
//! asking again with marks in the slots that are not read and comparing with what that predicts.
//! Invariant: answers pass unchanged; the first broken law is kept for the caller, who decides what it means.

use std::sync::{Mutex, PoisonError};

use crate::answer::{Answer, ask, broken_by, template};
use crate::laws::Broken;
use crate::shape::{GroupId, LabelId};
use crate::system::{Fault, FaultKind, Flow, Step, System, Truth, Worker, group_by_group};

/// A system under observation.
pub struct Checked<'a> {
    system: &'a dyn System,
    broken: Mutex<Option<Broken>>,
}

impl<'a> Checked<'a> {
    /// Observes `system`.
    pub fn new(system: &'a dyn System) -> Checked<'a> {
        Checked {
            system,
            broken: Mutex::new(None),
        }
    }

    /// The first law that was broken.
    pub fn broken(&self) -> Option<Broken> {
        let broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.clone()
    }

    fn report(&self, law: u8, message: String) {
        let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.get_or_insert(Broken { law, message });
    }

    fn check(&self, again: &mut dyn Worker, state: &[u32], id: GroupId, answer: &Answer) {
        let shape = self.system.shape();
        let group = &shape.groups[id.index()];
        let place = || format!("group {} in {state:?}", group.name);
        let is_constant = |slot: usize| shape.slots[slot].is_constant;
        if let Some((law, how)) = broken_by(answer, state, group, is_constant) {
            self.report(law, format!("{}: {how}", place()));
        }
        // An impure group may answer otherwise at any time.
        if !group.is_pure {
            return;
        }
        match template(again, state, id, group) {
            Err(how) => self.report(2, format!("{}: {how}", place())),
            Ok(template) => {
                if let Some(slot) = template.missed_must_write(group) {
                    self.report(4, format!("{} does not always write slot {slot}", place()));
                }
                if template.at(state) != *answer {
                    self.report(2, format!("{} depends on a slot that is not read", place()));
                }
            }
        }
    }
}

impl System for Checked<'_> {
    crate::forward_system!(self.system: shape, save, restore, bytes, values, symmetry);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(CheckedWorker {
            checked: self,
            inner: self.system.worker(),
            again: self.system.worker(),
            last: None,
        })
    }
}

struct CheckedWorker<'a> {
    checked: &'a Checked<'a>,
    inner: Box<dyn Worker + 'a>,
    /// Asks again, so that the notes of `inner` are those of the answers given.
    again: Box<dyn Worker + 'a>,
    /// The state asked last: where unread slots of labels get other values from.
    last: Option<Vec<u32>>,
}

impl CheckedWorker<'_> {
    fn answer(&mut self, state: &[u32], group: GroupId) -> Answer {
        let answer = ask(&mut *self.inner, state, group);
        if answer
            .fault
            .as_ref()
            .is_some_and(|fault| fault.kind == FaultKind::Halted)
        {
            return answer;
        }
        self.checked.check(&mut *self.again, state, group, &answer);
        answer
    }
}

impl Worker for CheckedWorker<'_> {
    crate::forward!(self.inner: setups, initial, may_happen, guard, take_notes, give_up, heed);

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let answer = self.answer(state, group);
        for (label, target) in &answer.steps {
            if emit(Step { label, target }) == Flow::Stop {
                return Ok(());
            }
        }
        answer.fault.map_or(Ok(()), Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.checked.system.shape().groups.len();
        let ask =
            |group, emit: &mut dyn FnMut(Step<'_>) -> Flow| self.successors(state, group, emit);
        group_by_group(groups, ask, emit, fault);
        self.last = Some(state.to_vec());
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let truth = self.inner.label(state, label);
        let declared = &self.checked.system.shape().labels[label.index()];
        if let Some(last) = &self.last {
            let mixed: Vec<u32> = (0..state.len())
                .map(|slot| {
                    if declared.reads.contains(slot) {
                        state[slot]
                    } else {
                        last[slot]
                    }
                })
                .collect();
            if self.again.label(&mixed, label) != truth {
                let message = format!("label {} in {state:?} and {mixed:?}", declared.name);
                self.checked.report(2, message);
            }
        }
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::check_laws;
    use crate::toy::{Sparse, counters, group, philosophers, sparse};

    #[test]
    fn honest_systems_pass_unchanged() {
        let graph = Sparse {
            nodes: 60,
            groups: 4,
            setups: 2,
            fault_in: 9,
            violation_in: 5,
            seed: 3,
        };
        for system in [counters(3, 3), philosophers(3), sparse(graph)] {
            let checked = Checked::new(&system);
            let states = check_laws(&checked, 100).unwrap();
            assert_eq!(states, check_laws(&system, 100).unwrap());
            assert_eq!(checked.broken(), None);
        }
    }

    #[test]
    fn undeclared_reads_and_writes_are_noticed() {
        let mut reads = counters(2, 3);
        reads.shape.groups[2] = group("reset", &[0], &[0, 1]);
        let mut writes = counters(2, 3);
        writes.shape.groups[0] = group("count0", &[0], &[1]);
        for (system, law) in [(reads, 2), (writes, 3)] {
            let checked = Checked::new(&system);
            let _ = check_laws(&checked, 100);
            assert_eq!(checked.broken().map(|broken| broken.law), Some(law));
        }
    }
}
