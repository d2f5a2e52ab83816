//! Fires an instance: its names are bound in all ways, its guard is asked, its body runs in memory, and the target is packed.
//!
//! Invariant: memory holds the state at hand before and after.

use pins::Flow;

use super::super::code::{Rounds, Run, Stop};
use super::super::compile::{Instance, Prelude};
use super::super::layout::Bag;
use super::super::{generate, hot};
use super::Answering;

/// What an instance led to.
pub(super) enum Answer<'a> {
    /// A label and a target.
    Step(&'a [u32], &'a [u32]),
    /// A label; the target is left out by an assumption.
    LeftOut(&'a [u32]),
    /// No target, and why.
    Stopped(Stop),
}

/// Takes what instances lead to.
pub(super) type Emit<'e> = &'e mut dyn FnMut(Answer<'_>) -> Flow;

impl<'s> Answering<'s> {
    /// All ways to fire an instance, which has a number unless it is a start. Memory holds the state before and after.
    pub(super) fn fire(
        &mut self,
        instance: &'s Instance,
        number: Option<usize>,
        emit: Emit<'_>,
    ) -> Flow {
        if let Some(number) = number {
            self.heat.tries[number] = self.heat.tries[number].saturating_add(1);
        }
        if instance.prelude.is_empty() {
            return self.choose(instance, number, emit);
        }
        self.label.clear();
        self.label.extend_from_slice(&instance.label);
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
    pub(super) fn choose(
        &mut self,
        instance: &'s Instance,
        number: Option<usize>,
        emit: Emit<'_>,
    ) -> Flow {
        let entry = number.and_then(|number| self.rules.hot.step(number));
        if let Some(entry) = entry {
            self.keep_frame(instance);
            let (memory, counters) = (&mut self.machine.memory, &self.machine.counters);
            // Where nothing is bound before, counters are set before they are read.
            let bound = match instance.prelude.is_empty() {
                true => &[][..],
                false => counters,
            };
            match self.heat.run(entry, memory, bound) {
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
    pub(super) fn stopped(&mut self, stop: Stop, emit: Emit<'_>) -> Flow {
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
    pub(super) fn bind(
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
    pub(super) fn finish(&mut self, instance: &'s Instance, emit: Emit<'_>) -> Flow {
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
    pub(super) fn settle(&mut self, instance: &Instance) -> Run<bool> {
        for (at, bag) in &instance.bags {
            self.machine.settle(*at, *bag);
        }
        self.is_assumed()
    }

    /// Gives the step whose state is in memory; the state is as before afterwards.
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
                self.pack(instance, by_code);
                let flow = emit(Answer::Step(self.label_of(instance), &self.target));
                for slot in &instance.stores {
                    self.target[*slot as usize] = self.state[*slot as usize];
                }
                flow
            }
            Ok(false) => {
                self.leads_away = true;
                emit(Answer::LeftOut(self.label_of(instance)))
            }
            Err(stop) if matches!(*stop, Stop::Discarded) => Flow::Continue,
            Err(stop) => self.stopped(*stop, emit),
        };
        self.restore(instance);
        flow
    }

    /// Puts into the target what a step may have changed, of which code has packed what it can.
    #[inline]
    fn pack(&mut self, instance: &Instance, by_code: bool) {
        let (rules, memory) = (self.rules, &self.machine.memory);
        let first = generate::packed_at(rules.layout.words, 0) as usize;
        let packed = &memory[first..first + self.target.len()];
        // Assumptions that the machine was asked for may have used the words behind frames.
        let by_code = by_code && rules.assumptions.is_empty();
        if by_code && hot::packs_all(instance) {
            for slot in &instance.stores {
                self.target[*slot as usize] = packed[*slot as usize];
            }
            return;
        }
        for slot in &instance.stores {
            let is_there = by_code && hot::packs(&rules.slots, instance, *slot);
            let slot = *slot as usize;
            self.target[slot] = match is_there {
                true => packed[slot],
                false => rules.slots.store(slot, memory),
            };
        }
    }

    /// The words of its parameters, as they are bound now.
    #[inline]
    fn label_of<'a>(&'a self, instance: &'a Instance) -> &'a [u32] {
        match instance.prelude.is_empty() {
            true => &instance.label,
            false => &self.label,
        }
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
        let flow = emit(Answer::Step(self.label_of(instance), &self.target));
        for (slot, word) in &self.changes.words {
            self.target[*slot as usize] = self.state[*slot as usize];
            self.machine.memory[*word] = self.before[*word];
        }
        self.restore_frame(instance);
        flow
    }
}
