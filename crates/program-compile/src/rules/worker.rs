//! Answers questions about the rules of a program.
//!
//! A state is unpacked into memory once; every instance that fires works there, gives its target and leaves memory as it
//! was. Only the slots that an instance may write are packed again.

use pins::{Fault, FaultKind, Flow, GroupId, Halt, LabelId, Notes, Step, Truth, Worker};
use program::Reason;

use super::changes::Changes;
use super::code::{Rounds, Run, Stop};
use super::compile::{Instance, Prelude};
use super::generate::{self, FRAMES};
use super::hot::{self, Heat};
use super::layout::Bag;
use super::renumbered::Renumbered;
use super::run::Machine;
use super::system::Rules;

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

/// What an instance led to.
enum Answer<'a> {
    /// A label and a target.
    Step(&'a [u32], &'a [u32]),
    /// A label; the target is left out by an assumption.
    LeftOut(&'a [u32]),
    /// No target, and why.
    Stopped(Stop),
}

/// Takes what instances lead to.
type Emit<'e> = &'e mut dyn FnMut(Answer<'_>) -> Flow;

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

    /// All ways to fire an instance, which has a number unless it is a start. Memory holds the state before and after.
    fn fire(&mut self, instance: &'s Instance, number: Option<usize>, emit: Emit<'_>) -> Flow {
        self.label.clear();
        self.label.extend_from_slice(&instance.label);
        if let Some(number) = number {
            self.heat.tries[number] = self.heat.tries[number].saturating_add(1);
        }
        if instance.prelude.is_empty() {
            return self.choose(instance, number, emit);
        }
        let words = self.words();
        self.machine.memory[words..words + instance.frame as usize].fill(0);
        let bound = self.bind(instance, 0, &mut |worker| {
            Ok(worker.choose(instance, number, emit))
        });
        match bound {
            Ok(flow) => flow,
            Err(stop) => self.stopped(*stop, emit),
        }
    }

    /// Fires an instance whose names are bound.
    fn choose(&mut self, instance: &'s Instance, number: Option<usize>, emit: Emit<'_>) -> Flow {
        let entry = number.and_then(|number| self.rules.hot.step(number));
        if let Some(entry) = entry {
            self.keep_frame(instance);
            let (memory, counters) = (&mut self.machine.memory, &self.machine.counters);
            match self.heat.run(entry, memory, counters) {
                generate::NO => return Flow::Continue,
                generate::YES => {
                    let done = self.settle(instance);
                    return self.conclude(instance, (done, true), emit);
                }
                generate::DISCARDED => {
                    self.restore(instance);
                    return Flow::Continue;
                }
                _ => {
                    self.restore(instance);
                    self.reset();
                }
            }
        }
        if let Some(guard) = instance.guard {
            match self.machine.is_true(guard) {
                Ok(true) => {}
                Ok(false) => return Flow::Continue,
                Err(stop) => return self.stopped(*stop, emit),
            }
        }
        self.finish(instance, emit)
    }

    /// A computation did not come to its end.
    fn stopped(&mut self, stop: Stop, emit: Emit<'_>) -> Flow {
        self.reset();
        self.machine.frame = self.words();
        self.machine.counter = 0;
        self.machine.depth = 0;
        let halted = matches!(stop, Stop::Halted);
        match emit(Answer::Stopped(stop)) {
            Flow::Continue if !halted => Flow::Continue,
            _ => Flow::Stop,
        }
    }

    /// Binds what stands around an instance from position `at` on, in all ways.
    fn bind(
        &mut self,
        instance: &'s Instance,
        at: usize,
        then: &mut dyn FnMut(&mut Self) -> Run<Flow>,
    ) -> Run<Flow> {
        match instance.prelude.get(at) {
            None => then(self),
            Some(Prelude::Bind(op)) => {
                self.machine.exec(*op)?;
                self.bind(instance, at + 1, then)
            }
            Some(Prelude::Each(rounds, target, position, bias)) => {
                for value in self.machine.values(rounds)? {
                    self.machine.set(*target, value);
                    match rounds {
                        Rounds::Places(multiset, bag) => {
                            self.note_element(*multiset, *bag, value as u32, *position)?
                        }
                        _ => self.label[*position] = (value - bias) as u32,
                    }
                    if self.bind(instance, at + 1, then)? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
        }
    }

    /// Puts the chosen element into the label, and how many equal ones come before it.
    fn note_element(&mut self, multiset: u32, bag: Bag, place: u32, position: usize) -> Run<()> {
        let base = self.machine.at(multiset)?;
        let words = |place: u32| {
            let start = (base + place * bag.stride) as usize;
            start..start + bag.stride as usize
        };
        let memory = &self.machine.memory;
        let chosen = &memory[words(place)];
        let before = (0..place)
            .filter(|other| &memory[words(*other)] == chosen)
            .count();
        let more = bag.stride as usize - 1;
        self.label[position..position + more].copy_from_slice(&chosen[1..]);
        self.label[position + more] = before as u32;
        Ok(())
    }

    /// Keeps what is bound in the frame: the next way to bind the rest finds it as it is.
    fn keep_frame(&mut self, instance: &Instance) {
        if !instance.prelude.is_empty() {
            let words = self.words();
            self.kept.clear();
            let frame = words..words + instance.frame as usize;
            self.kept.extend_from_slice(&self.machine.memory[frame]);
        }
    }

    /// Memory is as before the step.
    fn restore(&mut self, instance: &Instance) {
        for range in &instance.changes {
            let words = &self.before[range.clone()];
            self.machine.memory[range.clone()].copy_from_slice(words);
        }
        self.restore_frame(instance);
    }

    fn restore_frame(&mut self, instance: &Instance) {
        if !instance.prelude.is_empty() {
            let words = self.words();
            let frame = words..words + instance.frame as usize;
            self.machine.memory[frame].copy_from_slice(&self.kept);
        }
    }

    /// Runs the body and gives the step; the state is as before afterwards.
    fn finish(&mut self, instance: &'s Instance, emit: Emit<'_>) -> Flow {
        self.keep_frame(instance);
        if instance.prelude.is_empty() {
            let words = self.words();
            self.machine.memory[words..words + instance.frame as usize].fill(0);
        }
        let done = match self.machine.exec(instance.body) {
            Ok(_) => self.settle(instance),
            Err(stop) => Err(stop),
        };
        self.conclude(instance, (done, false), emit)
    }

    /// Puts multisets in order; whether the state in memory is one that is assumed.
    fn settle(&mut self, instance: &Instance) -> Run<bool> {
        for (at, bag) in &instance.bags {
            self.machine.settle(*at, *bag);
        }
        self.is_assumed()
    }

    /// Gives the step whose state is in memory, of which code has packed what it can; the state is as before afterwards.
    fn conclude(
        &mut self,
        instance: &'s Instance,
        (done, by_code): (Run<bool>, bool),
        emit: Emit<'_>,
    ) -> Flow {
        let flow = match done {
            Ok(true) if instance.is_wide && self.is_state => {
                return self.give_changes(instance, emit);
            }
            Ok(true) => {
                let slots = &self.rules.slots;
                let packed = generate::packed_at(self.rules.layout.words, 0) as usize;
                // Assumptions that the machine was asked for may have used the words behind frames.
                let by_code = by_code && self.rules.assumptions.is_empty();
                for slot in &instance.stores {
                    let is_there = by_code && hot::packs(slots, instance, *slot);
                    let (slot, memory) = (*slot as usize, &self.machine.memory);
                    self.target[slot] = match is_there {
                        true => memory[packed + slot],
                        false => slots.store(slot, memory),
                    };
                }
                let flow = emit(Answer::Step(&self.label, &self.target));
                for slot in &instance.stores {
                    self.target[*slot as usize] = self.state[*slot as usize];
                }
                flow
            }
            Ok(false) => {
                self.leads_away = true;
                emit(Answer::LeftOut(&self.label))
            }
            Err(stop) if matches!(*stop, Stop::Discarded) => Flow::Continue,
            Err(stop) => self.stopped(*stop, emit),
        };
        self.restore(instance);
        flow
    }

    /// The same where only what differs is packed and put back.
    fn give_changes(&mut self, instance: &Instance, emit: Emit<'_>) -> Flow {
        let (slots, memory) = (&self.rules.slots, &self.machine.memory);
        self.changes
            .find(&instance.changes, &self.before, memory, &slots.of_word);
        for changed in self.changes.slots() {
            let (slot, word) = changed[0];
            let slot = slot as usize;
            let store = || slots.store(slot, memory);
            self.target[slot] = match changed.len() == 1 && slots.is_in_table(slot) {
                true => self
                    .renumbered
                    .number((self.state[slot], word), memory[word], store),
                false => store(),
            };
        }
        let flow = emit(Answer::Step(&self.label, &self.target));
        for (slot, word) in &self.changes.words {
            self.target[*slot as usize] = self.state[*slot as usize];
            self.machine.memory[*word] = self.before[*word];
        }
        self.restore_frame(instance);
        flow
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
            let (memory, counters) = (&mut self.machine.memory, &self.machine.counters);
            match self.heat.run(entry, memory, counters) {
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
