//! Answers questions about the rules of a program.
//!
//! A state is unpacked into memory once; every instance that fires works there, gives its target and leaves memory as it
//! was. Only the slots that an instance may write are packed again.

mod firing;

use pins::{Fault, FaultKind, Flow, GroupId, Halt, LabelId, Notes, Step, Truth, Worker};
use program::Reason;

use super::changes::Changes;
use super::code::{Run, Stop};
use super::compile::Instance;
use super::generate::{self, FRAMES};
use super::hot::Heat;
use super::renumbered::Renumbered;
use super::run::Machine;
use super::system::Rules;
use firing::Answer;

/// A worker.
pub(super) struct Answering<'s> {
    rules: &'s Rules,
    machine: Machine<'s>,
    /// The slots of the state at hand.
    state: Vec<u32>,
    /// Whether each of its slots stands for its words. Not so before start states, and where a slot is not asked for.
    is_state: bool,
    /// Its words.
    before: Vec<u32>,
    /// The slots of a target while it is given, of the state otherwise.
    target: Vec<u32>,
    candidates: Vec<u64>,
    /// Those among them whose guard has no value.
    faulty: Vec<u64>,
    label: Vec<u32>,
    /// Covers of states that were met.
    covered: Vec<u32>,
    /// What was tried how often, and what machine code computes with.
    heat: Heat,
    /// The frame of an instance before its body, where something is bound in it.
    kept: Vec<u32>,
    /// Whether a step of the state at hand leads to another state, or to one that is left out.
    leads_away: bool,
    changes: Changes,
    renumbered: Renumbered,
}

impl<'s> Answering<'s> {
    /// A worker with memory for the largest frame.
    pub(super) fn new(rules: &'s Rules) -> Answering<'s> {
        let conditions = rules
            .labels
            .iter()
            .chain(&rules.assumptions)
            .flat_map(|(_, instances)| instances);
        let all = rules
            .starts
            .iter()
            .chain(&rules.instances)
            .chain(conditions);
        let (frame, counters) = all.fold((0, 0), |(frame, counters), instance| {
            (instance.frame.max(frame), instance.counters.max(counters))
        });
        let words = rules.layout.words as usize;
        Answering {
            rules,
            machine: Machine {
                code: &rules.code,
                memory: vec![0; words + frame.max(FRAMES + rules.slots.list.len() as u32) as usize],
                counters: vec![0; counters as usize],
                frame: words,
                counter: 0,
                depth: 0,
                rounds: 0,
                loop_limit: rules.program.semantics.loop_limit,
                assertions: rules.program.semantics.assertions_stop,
                halt: None,
                covered: Vec::new(),
                returned: 0,
            },
            state: vec![0; rules.slots.list.len()],
            is_state: false,
            before: vec![0; words],
            target: vec![0; rules.slots.list.len()],
            candidates: vec![0; rules.index.words],
            faulty: vec![0; rules.index.words],
            label: Vec::new(),
            covered: Vec::new(),
            heat: Heat::new(rules.instances.len(), counters, rules.hot.when()),
            kept: Vec::new(),
            leads_away: false,
            changes: Changes::default(),
            renumbered: Renumbered::default(),
        }
    }
}

impl<'s> Answering<'s> {
    fn words(&self) -> usize {
        self.rules.layout.words as usize
    }

    fn load(&mut self, state: &[u32]) {
        let words = self.words();
        // A new state is asked about its labels, then about its steps.
        if !self.is_state || self.state != state {
            self.unpack(state);
            if self.heat.note_state() {
                self.rules.hot.make(self.rules, &mut self.heat);
            }
        } else if self.rules.looking_writes {
            self.reset();
        }
        self.machine.rounds = 0;
        self.machine.frame = words;
    }

    /// A state is at hand: its words are in memory.
    fn unpack(&mut self, state: &[u32]) {
        let words = self.words();
        if let Some(entry) = self.rules.hot.unpack() {
            let first = generate::packed_at(words as u32, 0) as usize;
            let memory = &mut self.machine.memory;
            memory[first..first + state.len()].copy_from_slice(state);
            if self.heat.run(entry, memory, &[]) == generate::YES {
                self.before.copy_from_slice(&memory[..words]);
                self.take(state);
                return;
            }
        }
        // Of the state that was at hand much may still be right.
        let mut is_state = true;
        for (slot, word) in state.iter().enumerate() {
            if !self.is_state || self.state[slot] != *word {
                is_state &= self.rules.slots.load(slot, *word, &mut self.before);
            }
        }
        self.take(state);
        self.is_state = is_state;
        self.reset();
    }

    /// Takes the slots of a state.
    fn take(&mut self, state: &[u32]) {
        self.state.copy_from_slice(state);
        self.target.copy_from_slice(state);
        self.is_state = true;
    }

    /// Memory holds the state at hand again.
    fn reset(&mut self) {
        let words = self.words();
        self.machine.memory[..words].copy_from_slice(&self.before);
    }

    /// Whether the state in memory meets a cover for some value of its parameters, which is noted.
    fn is_covered(&mut self, number: usize, instances: &'s [Instance]) -> Run<bool> {
        let mut is_met = false;
        for instance in instances {
            is_met |= self.holds_somehow(instance)?;
        }
        let number = number as u32;
        if is_met && !self.covered.contains(&number) {
            self.covered.push(number);
        }
        Ok(is_met)
    }

    /// Whether the state in memory satisfies all assumptions.
    fn is_assumed(&mut self) -> Run<bool> {
        let rules = self.rules;
        for (at, (_, instances)) in rules.assumptions.iter().enumerate() {
            if !self.holds(instances, rules.labels.len() + at)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a condition, of labels and assumptions, holds for all its instances in the state in memory.
    fn holds(&mut self, instances: &'s [Instance], at: usize) -> Run<bool> {
        if let Some(entry) = self.rules.hot.condition(at) {
            // Nothing is bound before conditions that have code.
            match self.heat.run(entry, &mut self.machine.memory, &[]) {
                generate::NO => return Ok(false),
                generate::YES => return Ok(true),
                _ => {}
            }
        }
        for instance in instances {
            let Some(condition) = instance.guard else {
                continue;
            };
            if instance.prelude.is_empty() {
                if !self.machine.is_true(condition)? {
                    return Ok(false);
                }
                continue;
            }
            self.label.clear();
            self.label.extend_from_slice(&instance.label);
            let flow = self.bind(instance, 0, &mut |worker| {
                Ok(if worker.machine.is_true(condition)? {
                    Flow::Continue
                } else {
                    Flow::Stop
                })
            })?;
            if flow == Flow::Stop {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Fires the candidates, all or those with one number. Of a group the first fault is told.
    fn fire_all(
        &mut self,
        state: &[u32],
        priority: Option<i64>,
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let rules = self.rules;
        let mut faulted = None;
        for word in 0..rules.index.words {
            let mut bits = self.candidates[word];
            while bits != 0 {
                let at = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let instance = &rules.instances[at];
                if priority.is_some_and(|number| rules.priority(instance) != number) {
                    continue;
                }
                let group = rules.groups[at];
                let flow = self.fire(instance, Some(at), &mut |answer| match answer {
                    Answer::Step(label, target) => emit(group, Step { label, target }),
                    // The rule was fired and counts; nothing else comes of it.
                    Answer::LeftOut(label) => emit(
                        group,
                        Step {
                            label,
                            target: state,
                        },
                    ),
                    Answer::Stopped(stop) => {
                        if faulted != Some(group) {
                            faulted = Some(group);
                            fault(group, to_fault(stop));
                        }
                        Flow::Continue
                    }
                });
                if flow == Flow::Stop {
                    return;
                }
            }
        }
    }

    /// The least number of a rule that may happen in the state in memory.
    fn least_number(&mut self) -> Option<i64> {
        let rules = self.rules;
        for number in &rules.priorities {
            for instance in rules
                .instances
                .iter()
                .filter(|instance| rules.priority(instance) == *number)
            {
                // A guard without a value is a finding of its number.
                if !matches!(self.holds_somehow(instance), Ok(false)) {
                    return Some(*number);
                }
            }
        }
        None
    }

    /// Whether the guard of an instance is true in the state in memory, for some way to bind what stands around it.
    fn holds_somehow(&mut self, instance: &'s Instance) -> Run<bool> {
        self.label.clear();
        self.label.extend_from_slice(&instance.label);
        let found = self.bind(instance, 0, &mut |worker| {
            let holds = instance
                .guard
                .map_or(Ok(true), |guard| worker.machine.is_true(guard))?;
            Ok(if holds { Flow::Stop } else { Flow::Continue })
        });
        found.map(|flow| flow == Flow::Stop)
    }
}

impl Worker for Answering<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.rules.slots.list.len()]);
        Ok(())
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let rules = self.rules;
        let mut fault = None;
        for start in &rules.starts {
            // Everything starts undefined, whatever number a family of undefined words has.
            self.load(setup);
            self.before.fill(0);
            self.is_state = false;
            self.reset();
            let flow = self.fire(start, None, &mut |answer| match answer {
                Answer::Step(_, target) => emit(target),
                Answer::LeftOut(_) => Flow::Continue,
                Answer::Stopped(stop) => {
                    fault.get_or_insert_with(|| to_fault(stop));
                    Flow::Continue
                }
            });
            if flow == Flow::Stop {
                break;
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let rules = self.rules;
        self.load(state);
        if rules.priorities.len() > 1 {
            let least = self.least_number();
            let own = rules.of_group[group.index()]
                .clone()
                .next()
                .map(|at| rules.priority(&rules.instances[at]));
            if least != own {
                return Ok(());
            }
        }
        let mut fault = None;
        for at in rules.of_group[group.index()].clone() {
            let flow = self.fire(&rules.instances[at], Some(at), &mut |answer| match answer {
                Answer::Step(label, target) => emit(Step { label, target }),
                Answer::LeftOut(label) => emit(Step {
                    label,
                    target: state,
                }),
                Answer::Stopped(stop) => {
                    fault.get_or_insert_with(|| to_fault(stop));
                    Flow::Continue
                }
            });
            if flow == Flow::Stop {
                break;
            }
        }
        fault.map_or(Ok(()), Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let rules = self.rules;
        if self.machine.halt.as_ref().is_some_and(Halt::is_set) {
            fault(GroupId::new(0), Halt::fault());
            return;
        }
        self.load(state);
        rules
            .index
            .candidates(&self.before, &mut self.candidates, &mut self.faulty);
        if rules.priorities.len() <= 1 {
            self.fire_all(state, None, emit, fault);
            return;
        }
        if let Some(least) = self.least_number() {
            self.fire_all(state, Some(least), emit, fault);
        }
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let rules = self.rules;
        self.load(state);
        let (number, instances) = &rules.labels[label.index()];
        let answer = match rules.is_cover(label) {
            true => self.is_covered(*number, instances),
            false => self.holds(instances, label.index()),
        };
        match answer {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(stop) => Truth::Undefined(to_fault(*stop)),
        }
    }

    fn take_notes(&mut self) -> Notes {
        let mut covered = self.covered.clone();
        covered.extend_from_slice(&self.machine.covered);
        Notes {
            covered,
            ..Notes::default()
        }
    }

    fn stutters(&mut self, state: &[u32]) -> bool {
        self.leads_away = false;
        let mut leads_away = false;
        self.all_successors(
            state,
            &mut |_, step| {
                leads_away |= step.target != state;
                Flow::Continue
            },
            &mut |_, _| {},
        );
        !leads_away && !self.leads_away
    }

    fn heed(&mut self, halt: Halt) {
        self.machine.halt = Some(halt);
    }

    fn go_past_faults(&mut self) -> bool {
        true
    }
}

/// Why a computation ended, for engines.
fn to_fault(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(reason, span) => {
            let kind = match reason {
                Reason::Assertion(_) | Reason::Error(_) => FaultKind::Assertion,
                _ => FaultKind::Undefined,
            };
            Fault {
                kind,
                span: Some(span),
                message: reason.sentence(),
            }
        }
        Stop::Discarded => unreachable!("a step that does not exist is no fault"),
        Stop::Halted => Halt::fault(),
        Stop::Budget(span) => Fault {
            kind: FaultKind::Budget,
            span: Some(span),
            message: "a step takes more rounds of loops than the limit".to_string(),
        },
    }
}
