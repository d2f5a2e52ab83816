//! Holds any [`System`] to the numbered laws of the trait, on states it really reaches: one line in a test.
//!
//! Invariant: a system that passes with `n` samples passes with fewer; the choice of samples is deterministic.

use std::collections::{HashSet, VecDeque};
use std::fmt;

use base::Id;

use crate::answer::{Answer, ask, broken_by, template};
use crate::shape::{GroupId, LabelId};
use crate::system::{Fault, FaultKind, Flow, Halt, System, Truth, Worker};

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// Its number in the documentation of [`System`].
    pub law: u8,
    /// Where and how.
    pub message: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law {} is broken: {}", self.law, self.message)
    }
}

impl std::error::Error for Broken {}

/// Checks all laws on the first `samples` states in breadth-first order; how many there were.
pub fn check_laws(system: &dyn System, samples: usize) -> Result<usize, Broken> {
    let mut check = Check {
        system,
        worker: system.worker(),
        other: system.worker(),
        states: Vec::new(),
    };
    check.start(samples)?;
    check.steps(samples)?;
    check.bits()?;
    check.reads()?;
    check.halting()?;
    Ok(check.states.len())
}

/// Perturbed copies of a state that each question is asked again with.
const PERTURBATIONS: usize = 3;

struct Check<'a> {
    system: &'a dyn System,
    worker: Box<dyn Worker + 'a>,
    other: Box<dyn Worker + 'a>,
    states: Vec<Vec<u32>>,
}

type Vectors = (Vec<Vec<u32>>, Option<Fault>);

impl Check<'_> {
    /// Laws 1 and 6 on set-ups and initial states.
    fn start(&mut self, samples: usize) -> Result<(), Broken> {
        let setups = collect(samples, |emit| self.worker.setups(emit));
        if setups != collect(samples, |emit| self.other.setups(emit)) {
            return broken(1, "two workers give different set-ups");
        }
        if !self.system.shape().has_setup && setups.0.len() > 1 {
            return broken(1, "without a set-up step there is more than one set-up");
        }
        for setup in setups.0 {
            let initial = collect(samples, |emit| self.worker.initial(&setup, emit));
            if initial != collect(samples, |emit| self.other.initial(&setup, emit)) {
                return broken(1, "two workers give different initial states");
            }
            for state in initial.0 {
                let slots = self.system.shape().slots.iter().enumerate();
                let mut constants = slots.filter(|(_, slot)| slot.is_constant);
                if let Some((slot, _)) = constants.find(|(slot, _)| state[*slot] != setup[*slot]) {
                    return broken(
                        6,
                        &format!("constant {slot} of {setup:?} is lost in {state:?}"),
                    );
                }
                if self.states.len() < samples && !self.states.contains(&state) {
                    self.states.push(state);
                }
            }
        }
        Ok(())
    }

    /// Laws 1, 3, 5, 6 and 7, while states are collected.
    fn steps(&mut self, samples: usize) -> Result<(), Broken> {
        let system = self.system;
        let shape = system.shape();
        let mut seen: HashSet<Vec<u32>> = self.states.iter().cloned().collect();
        let mut queue: VecDeque<usize> = (0..self.states.len()).collect();
        while let Some(at) = queue.pop_front() {
            let state = self.states[at].clone();
            let together = all(&mut *self.worker, &state, shape.groups.len());
            for (index, group) in shape.groups.iter().enumerate() {
                let id = GroupId::new(index);
                let at = format!("group {} in {state:?}", group.name);
                let answer = ask(&mut *self.worker, &state, id);
                if answer != ask(&mut *self.other, &state, id)
                    || answer != ask(&mut *self.worker, &state, id)
                {
                    return broken(1, &format!("{at} gets different answers"));
                }
                if answer != together[index] {
                    return broken(7, &format!("{at} is answered otherwise with all groups"));
                }
                let is_constant = |slot: usize| shape.slots[slot].is_constant;
                if let Some((law, how)) = broken_by(&answer, &state, group, is_constant) {
                    return broken(law, &format!("{at}: {how}"));
                }
                for (_, target) in answer.steps {
                    if self.states.len() < samples && seen.insert(target.clone()) {
                        queue.push_back(self.states.len());
                        self.states.push(target);
                    }
                }
            }
        }
        Ok(())
    }

    /// Law 13 on all states.
    fn bits(&self) -> Result<(), Broken> {
        let bits = &self.system.shape().bits;
        let is_wide = |(word, bits): (&u32, &u8)| u64::from(*word) >> *bits != 0;
        let is_broken = |state: &&Vec<u32>| state.iter().zip(bits).any(is_wide);
        match self.states.iter().find(is_broken) {
            Some(state) => broken(13, &format!("{state:?} does not fit {bits:?}")),
            None => Ok(()),
        }
    }

    /// Laws 2 and 4: slots that are not read are replaced by marks and by values seen elsewhere.
    fn reads(&mut self) -> Result<(), Broken> {
        let shape = self.system.shape();
        for at in 0..self.states.len() {
            let state = self.states[at].clone();
            for (index, group) in shape.groups.iter().enumerate() {
                let id = GroupId::new(index);
                let place = format!("group {} in {state:?}", group.name);
                let template = match template(&mut *self.worker, &state, id, group) {
                    Ok(template) => template,
                    Err(how) => return broken(2, &format!("{place}: {how}")),
                };
                self.guard(at, id)?;
                self.enabling(at, id)?;
                if let Some(slot) = template.missed_must_write(group) {
                    return broken(4, &format!("{place} does not always write slot {slot}"));
                }
                for base in self.perturbed(at, |slot| group.reads.contains(slot)) {
                    let (expected, answer) =
                        (template.at(&base), ask(&mut *self.worker, &base, id));
                    if expected != answer {
                        return broken(
                            2,
                            &format!(
                                "{place}, asked in {base:?}: {expected:?} expected, {answer:?} given"
                            ),
                        );
                    }
                }
            }
            for (index, label) in shape.labels.iter().enumerate() {
                let id: LabelId = Id::new(index);
                let truth = self.worker.label(&state, id);
                if truth != self.other.label(&state, id) {
                    return broken(1, &format!("label {} in {state:?}", label.name));
                }
                for base in self.perturbed(at, |slot| label.reads.contains(slot)) {
                    let other: Truth = self.worker.label(&base, id);
                    if other != truth {
                        return broken(
                            2,
                            &format!(
                                "label {} in {state:?} is {truth:?}, in {base:?} {other:?}",
                                label.name
                            ),
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// Law 8: whole answers or none.
    fn halting(&mut self) -> Result<(), Broken> {
        let (halt, shape) = (Halt::default(), self.system.shape());
        let mut halted = self.system.worker();
        halted.heed(halt.clone());
        halt.set();
        let none = Answer {
            steps: Vec::new(),
            fault: Some(Halt::fault()),
        };
        for state in &self.states {
            for (index, group) in shape.groups.iter().enumerate() {
                let id = GroupId::new(index);
                let answer = ask(&mut *halted, state, id);
                if answer != none && answer != ask(&mut *self.worker, state, id) {
                    return broken(8, &format!("group {} in {state:?}", group.name));
                }
            }
            for (index, label) in shape.labels.iter().enumerate() {
                let id = LabelId::new(index);
                let truth = halted.label(state, id);
                if truth != Truth::Unknown(Halt::fault()) && truth != self.worker.label(state, id) {
                    return broken(8, &format!("label {} in {state:?}", label.name));
                }
            }
        }
        Ok(())
    }

    /// Law 9: a guard that is false keeps the group from happening, whatever the other slots hold.
    fn guard(&mut self, at: usize, id: GroupId) -> Result<(), Broken> {
        let reads = self.system.shape().guard_reads.get(id.index());
        let Some(reads) = reads else { return Ok(()) };
        let state = self.states[at].clone();
        let may_happen = self.worker.may_happen(&state, id);
        let answer = ask(&mut *self.worker, &state, id);
        if !may_happen && answer != Answer::default() {
            return broken(9, &format!("group {id:?} happens in {state:?}"));
        }
        for base in self.perturbed(at, |slot| reads.contains(slot)) {
            if self.worker.may_happen(&base, id) != may_happen {
                return broken(
                    9,
                    &format!("the guard of {id:?} differs in {state:?} and {base:?}"),
                );
            }
        }
        Ok(())
    }

    /// Law 10: guards, and what decides whether a group happens.
    fn enabling(&mut self, at: usize, id: GroupId) -> Result<(), Broken> {
        let shape = self.system.shape();
        let state = self.states[at].clone();
        let answer = ask(&mut *self.worker, &state, id);
        let guards = shape.guards.iter().enumerate();
        for (number, guard) in guards.filter(|(_, guard)| guard.group == id) {
            let may_hold = self.worker.guard(&state, number);
            if !may_hold && answer != Answer::default() {
                return broken(10, &format!("guard {number} is false in {state:?}"));
            }
            for base in self.perturbed(at, |slot| guard.reads.contains(slot)) {
                if self.worker.guard(&base, number) != may_hold {
                    let how = format!("guard {number} differs in {state:?} and {base:?}");
                    return broken(10, &how);
                }
            }
        }
        let Some(enabling) = shape.enabling.get(id.index()) else {
            return Ok(());
        };
        let is_finding =
            |fault: &Fault| !fault.kind.leaves_open() && fault.kind != FaultKind::Unsupported;
        if !enabling.may_fault && answer.fault.as_ref().is_some_and(is_finding) {
            return broken(10, &format!("group {id:?} faults in {state:?}"));
        }
        for base in self.perturbed(at, |slot| enabling.reads.contains(slot)) {
            let other = ask(&mut *self.worker, &base, id);
            if (other == Answer::default()) != (answer == Answer::default()) {
                let how = format!("group {id:?} happens in one of {state:?} and {base:?}");
                return broken(10, &how);
            }
        }
        Ok(())
    }

    /// The state itself, and copies whose unread slots come from other states.
    fn perturbed(&self, at: usize, is_read: impl Fn(usize) -> bool) -> Vec<Vec<u32>> {
        let mut copies = vec![self.states[at].clone()];
        for i in 1..=PERTURBATIONS {
            let mut copy = self.states[at].clone();
            for (slot, value) in copy.iter_mut().enumerate() {
                if !is_read(slot) {
                    // Each slot takes its value from another state: combinations that are never reached.
                    let from = (at * 7 + i * 13 + slot * 5) % self.states.len();
                    *value = self.states[from][slot];
                }
            }
            copies.push(copy);
        }
        copies
    }
}

fn all(worker: &mut dyn Worker, state: &[u32], groups: usize) -> Vec<Answer> {
    let mut answers = vec![Answer::default(); groups];
    let mut faults = Vec::new();
    worker.all_successors(
        state,
        &mut |group, step| {
            let step = (step.label.to_vec(), step.target.to_vec());
            answers[group.index()].steps.push(step);
            Flow::Continue
        },
        &mut |group, fault| faults.push((group, fault)),
    );
    for (group, fault) in faults {
        answers[group.index()].fault = Some(fault);
    }
    answers
}

fn collect(
    most: usize,
    ask: impl FnOnce(&mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault>,
) -> Vectors {
    let mut vectors = Vec::new();
    let fault = ask(&mut |vector| {
        vectors.push(vector.to_vec());
        if vectors.len() < most {
            Flow::Continue
        } else {
            Flow::Stop
        }
    })
    .err();
    (vectors, fault)
}

fn broken<T>(law: u8, message: &str) -> Result<T, Broken> {
    Err(Broken {
        law,
        message: message.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;
    use crate::shape::{Group, LabelKind};
    use crate::system::Flow;
    use crate::toy::{Toy, counters, group, label, toy};

    /// Two slots that count to 4; `step` is the one group.
    fn with_step(reads: &[usize], writes: &[usize], step: fn(&[u32], &mut Vec<Vec<u32>>)) -> Toy {
        let step =
            move |state: &[u32], _, _: &mut Vec<u32>, emit: &mut crate::toy::EmitStep<'_>| {
                let mut targets = Vec::new();
                step(state, &mut targets);
                for target in targets {
                    if emit(&[], &target) == Flow::Stop {
                        break;
                    }
                }
                Ok(())
            };
        toy(
            2,
            vec![0, 0],
            vec![group("step", reads, writes), free()],
            Box::new({
                move |state, index, target, emit| {
                    if index == 0 {
                        return step(state, index, target, emit);
                    }
                    if state[1] < 4 {
                        emit(&[], &[state[0], state[1] + 1]);
                    }
                    Ok(())
                }
            }),
        )
    }

    fn free() -> Group {
        group("free", &[1], &[1])
    }

    fn law_of(system: &dyn System) -> u8 {
        check_laws(system, 100).expect_err("a law is broken").law
    }

    #[test]
    fn law_1_wants_the_same_answers_again() {
        let calls = AtomicU32::new(0);
        let mut system = counters(1, 50);
        system.successors = Box::new(move |_, _, _, emit| {
            emit(&[], &[calls.fetch_add(1, Relaxed)]);
            Ok(())
        });
        assert_eq!(law_of(&system), 1);
    }

    #[test]
    fn law_2_finds_reads_that_are_not_declared() {
        let step = |state: &[u32], out: &mut Vec<Vec<u32>>| {
            if state[0] < 4 && state[1] != 2 {
                out.push(vec![state[0] + 1, state[1]]);
            }
        };
        assert_eq!(law_of(&with_step(&[0], &[0], step)), 2);
        check_laws(&with_step(&[0, 1], &[0], step), 100).unwrap();
        let mut labelled = counters(2, 3);
        labelled.shape.labels = vec![label(LabelKind::Invariant, "sum", &[0])];
        labelled.truth = Box::new(|state, _| {
            if state[0] + state[1] < 4 {
                Truth::True
            } else {
                Truth::False
            }
        });
        assert_eq!(law_of(&labelled), 2);
    }

    #[test]
    fn law_3_finds_writes_that_are_not_declared() {
        let step = |state: &[u32], out: &mut Vec<Vec<u32>>| {
            if state[0] < 4 {
                out.push(vec![state[0] + 1, 0]);
            }
        };
        assert_eq!(law_of(&with_step(&[0], &[0], step)), 3);
    }

    #[test]
    fn law_4_finds_must_writes_that_only_may() {
        let step = |state: &[u32], out: &mut Vec<Vec<u32>>| {
            if state[0] < 4 {
                let second = if state[0] == 3 { 0 } else { state[1] };
                out.push(vec![state[0] + 1, second]);
            }
        };
        let mut system = with_step(&[0], &[0, 1], step);
        assert_eq!(law_of(&system), 4);
        system.shape.groups[0].must_write = group("", &[], &[0]).must_write;
        check_laws(&system, 100).unwrap();
    }

    #[test]
    fn law_5_finds_repeated_steps() {
        let step = |state: &[u32], out: &mut Vec<Vec<u32>>| {
            for _ in 0..2 {
                out.push(vec![(state[0] + 1) % 4, state[1]]);
            }
        };
        assert_eq!(law_of(&with_step(&[0], &[0], step)), 5);
    }

    #[test]
    fn law_13_finds_words_that_are_too_wide() {
        let mut system = counters(2, 3);
        system.shape.bits = vec![2, 2];
        check_laws(&system, 100).unwrap();
        system.shape.bits = vec![2, 1];
        assert_eq!(law_of(&system), 13);
    }

    #[test]
    fn law_8_finds_guards_that_read_more() {
        let mut system = counters(2, 3);
        system.shape.guard_reads = vec![slots(&[0]), slots(&[1]), slots(&[0, 1])];
        check_laws(&system, 100).unwrap();
    }

    fn slots(slots: &[usize]) -> crate::SlotSet {
        group("", slots, &[]).reads
    }

    #[test]
    fn law_6_finds_constants_that_change() {
        let mut system = counters(2, 3);
        system.shape.slots[0].is_constant = true;
        assert_eq!(law_of(&system), 6);
    }
}
