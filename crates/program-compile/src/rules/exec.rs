//! The machine that runs code: operations.

use program::Reason;

use super::code::{Added, Op, OpId, Rounds, Run, Stop, Target};
use super::layout::Bag;
use super::run::Machine;

impl Machine<'_> {
    /// Runs an operation; whether it returned.
    pub fn exec(&mut self, id: OpId) -> Run<bool> {
        let code = self.code;
        match code.ops[id as usize] {
            Op::Set(at, word) => self.memory[at as usize] = word,
            Op::Move(to, from) => self.memory[to as usize] = self.memory[from as usize],
            Op::StoreFixed(at, node, store) => {
                let value = self.eval(node)?;
                self.memory[at as usize] = self.encode(value, store, node)?;
            }
            Op::Block(start, count) => {
                for op in &code.lists[start as usize..(start + count) as usize] {
                    if self.exec(*op)? {
                        return Ok(true);
                    }
                }
            }
            Op::If(start, count, otherwise) => {
                for arm in code.lists[start as usize..(start + count) as usize].chunks_exact(2) {
                    if self.is_true(arm[0])? {
                        return self.exec(arm[1]);
                    }
                }
                return self.exec(otherwise);
            }
            Op::Store(address, node, store) => {
                let at = self.at(address)?;
                let value = self.eval(node)?;
                self.memory[at as usize] = self.encode(value, store, node)?;
            }
            Op::StoreCounter(counter, node) => {
                let value = self.eval(node)?;
                self.counters[self.counter + counter as usize] = value;
            }
            Op::StoreBlock(address, block, words) => {
                let at = self.at(address)? as usize;
                let from = self.block(block)? as usize;
                self.memory.copy_within(from..from + words as usize, at);
            }
            Op::Fill(address, start, count) => {
                let at = self.at(address)? as usize;
                let words = &code.words[start as usize..(start + count) as usize];
                self.memory[at..at + words.len()].copy_from_slice(words);
            }
            Op::Bind(slot, address) => {
                let at = self.at(address)?;
                let frame = self.frame;
                self.memory[frame + slot as usize] = at;
            }
            Op::Return => return Ok(true),
            Op::ReturnValue(node, store) => {
                let value = self.eval(node)?;
                self.encode(value, store, node)?;
                self.returned = value;
                return Ok(true);
            }
            _ => return self.exec_rare(id),
        }
        Ok(false)
    }

    /// Operations that are not met in every rule.
    // Long: one arm for each kind of operation.
    fn exec_rare(&mut self, id: OpId) -> Run<bool> {
        let code = self.code;
        let span = code.op_spans[id as usize];
        match code.ops[id as usize] {
            Op::Switch(at) => {
                let switch = &code.switches[at as usize];
                let value = self.eval(switch.value)?;
                for (candidates, body) in &switch.arms {
                    for candidate in candidates {
                        if self.eval(*candidate)? == value {
                            return self.exec(*body);
                        }
                    }
                }
                return self.exec(switch.otherwise);
            }
            Op::For(at) => {
                let found = &code.loops[at as usize];
                let body = found.body;
                let mut returned = false;
                self.each(&found.rounds, found.target, span, &mut |machine| {
                    returned = machine.exec(body)?;
                    Ok(!returned)
                })?;
                return Ok(returned);
            }
            Op::While(condition, body) => {
                let mut rounds = 0;
                while self.is_true(condition)? {
                    if rounds >= self.loop_limit {
                        return self.fault(Reason::EndlessLoop, span);
                    }
                    rounds += 1;
                    self.count_round(span)?;
                    if self.exec(body)? {
                        return Ok(true);
                    }
                }
            }
            Op::Call(call) => {
                self.call(call)?;
            }
            Op::Evaluate(node) => {
                self.eval(node)?;
            }
            Op::ReturnBlock(block, words, at) => {
                let from = self.block(block)? as usize;
                let result = self.frame + at as usize;
                self.memory.copy_within(from..from + words as usize, result);
                return Ok(true);
            }
            Op::Assert(condition, message) => {
                if !self.is_true(condition)? && self.assertions {
                    return self.fault(Reason::Assertion(code.messages[message as usize]), span);
                }
            }
            Op::Fail(message) => {
                if self.assertions
                    && let Some(text) = code.messages[message as usize]
                {
                    return self.fault(Reason::Error(text), span);
                }
            }
            Op::Assume(condition) => {
                if !self.is_true(condition)? {
                    return Err(Box::new(Stop::Discarded));
                }
            }
            Op::Cover(condition, number) => {
                if self.is_true(condition)? && !self.covered.contains(&number) {
                    self.covered.push(number);
                }
            }
            Op::Add(at) => self.add(at, id)?,
            Op::Remove(address, place, bag) => {
                let base = self.at(address)?;
                let place_value = self.eval(place)?;
                let bag = code.bags[bag as usize];
                let at = base as usize + place_value as usize * bag.stride as usize;
                if place_value < 0 || place_value >= i64::from(bag.capacity) || self.memory[at] == 0
                {
                    return self.fault(Reason::NoElement, code.spans[place as usize]);
                }
                self.memory[at..at + bag.stride as usize].fill(0);
            }
            Op::RemoveIf(at) => {
                let scan = code.scans[at as usize];
                let rounds = Rounds::Places(scan.multiset, scan.bag);
                let mut going = Vec::new();
                self.each(&rounds, scan.counter, span, &mut |machine| {
                    let taken = machine.value_at(scan.counter);
                    if machine.is_true(scan.condition)? {
                        going.push(taken);
                    }
                    Ok(true)
                })?;
                let base = self.at(scan.multiset)? as usize;
                for taken in going {
                    let at = base + taken as usize * scan.bag.stride as usize;
                    self.memory[at..at + scan.bag.stride as usize].fill(0);
                }
            }
            _ => unreachable!("the other operations are run before"),
        }
        Ok(false)
    }

    /// The value of a bound name.
    fn value_at(&self, target: Target) -> i64 {
        match target {
            Target::Counter(counter) => self.counters[self.counter + counter as usize],
            Target::Word(word, bias) => i64::from(self.memory[self.frame + word as usize]) + bias,
        }
    }

    fn add(&mut self, at: u32, id: OpId) -> Run<()> {
        let addition = self.code.additions[at as usize];
        let base = self.at(addition.multiset)?;
        let Bag { capacity, stride } = addition.bag;
        let words = match addition.value {
            Added::Value(node, store) => {
                let value = self.eval(node)?;
                vec![self.encode(value, store, node)?]
            }
            Added::Block(block) => {
                let from = self.block(block)? as usize;
                self.memory[from..from + stride as usize - 1].to_vec()
            }
        };
        let free = (0..capacity)
            .map(|place| (base + place * stride) as usize)
            .find(|at| self.memory[*at] == 0);
        let Some(free) = free else {
            return self.fault(Reason::MultisetFull, self.code.op_spans[id as usize]);
        };
        self.memory[free] = 1;
        self.memory[free + 1..free + stride as usize].copy_from_slice(&words);
        Ok(())
    }

    /// Puts the elements of a multiset in order, free places last.
    pub fn settle(&mut self, at: u32, bag: Bag) {
        let (start, stride) = (at as usize, bag.stride as usize);
        let words = &mut self.memory[start..start + stride * bag.capacity as usize];
        super::points::sort_places(words, stride);
    }
}
