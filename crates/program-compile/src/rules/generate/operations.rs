//! Operations and calls. A function is written into its caller, with a frame behind the caller's.

use base::deep;
use native::{Label, Order, Place, Plain, Value};

use super::super::code::{
    Added, Argument, NodeId, Op, OpId, Rounds, Routine, Scan, Switch, UNDEFINED,
};
use super::super::layout::Bag;
use super::loops::MOST_PLACES;
use super::{DISCARDED, FRAMES, Generator};

impl<'c, 'g, 'w> Generator<'c, 'g, 'w> {
    /// Writes an operation.
    pub(super) fn operation(&mut self, id: OpId) {
        deep::recurse(|| self.operation_inner(id));
    }

    fn operation_inner(&mut self, id: OpId) {
        if self.is_lost() || self.writer.is_over() {
            return;
        }
        let code = self.setting.code;
        match code.ops[id as usize] {
            Op::Set(at, word) => self.writer.fill(Place::fixed(at), &[word]),
            Op::Move(to, from) => {
                let word = self.writer.word(Place::fixed(from));
                self.writer.set_word(Place::fixed(to), word);
            }
            Op::StoreFixed(at, node, store) => {
                let word = self.encoded(node, store);
                self.writer.set_word(Place::fixed(at), word);
            }
            Op::Block(start, count) => {
                for op in &code.lists[start as usize..(start + count) as usize] {
                    self.operation(*op);
                }
            }
            Op::If(start, count, otherwise) => {
                let arms = &code.lists[start as usize..(start + count) as usize];
                self.choices(arms, otherwise);
            }
            Op::Store(address, node, store) => {
                let place = self.at(address);
                let word = self.encoded(node, store);
                self.writer.set_word(place, word);
            }
            Op::StoreCounter(counter, node) => {
                let value = self.value(node);
                let counter = self.counter(counter);
                self.writer.set(counter, value);
            }
            Op::StoreBlock(address, block, words) => {
                let to = self.at(address);
                let from = self.block(block);
                self.writer.copy(from, to, words);
            }
            Op::Fill(address, start, count) => {
                let place = self.at(address);
                let words = &code.words[start as usize..(start + count) as usize];
                self.writer.fill(place, words);
            }
            Op::Bind(slot, address) => {
                let place = self.at(address);
                self.bound.insert(self.frame + slot, place);
            }
            Op::Return => {
                let exit = self.exit;
                self.writer.jump(exit);
            }
            Op::ReturnValue(node, store) => {
                let value = self.value(node);
                self.encode(value, (node, store));
                let (returned, exit) = (self.returned, self.exit);
                self.writer.set(returned, value);
                self.writer.jump(exit);
            }
            Op::ReturnBlock(block, words, at) => {
                let from = self.block(block);
                self.writer.copy(from, Place::fixed(self.frame + at), words);
                let exit = self.exit;
                self.writer.jump(exit);
            }
            _ => self.rare_operation(id),
        }
    }

    fn rare_operation(&mut self, id: OpId) {
        let code = self.setting.code;
        match code.ops[id as usize] {
            Op::Switch(at) => self.switch(&code.switches[at as usize]),
            Op::For(at) => {
                let found = &code.loops[at as usize];
                let body = found.body;
                self.each(&found.rounds, found.target, &mut |generator, next| {
                    generator.operation(body);
                    generator.go(next);
                });
            }
            Op::While(condition, body) => {
                let (again, inside, end) = self.loop_labels();
                let rounds = self.new_count();
                self.writer.place(again);
                self.condition(condition, inside, end);
                self.writer.place(inside);
                self.count_round(rounds);
                self.operation(body);
                self.go(again);
                self.writer.place(end);
            }
            Op::Call(call) => {
                self.call(call);
            }
            Op::Evaluate(node) => {
                self.value(node);
            }
            Op::Assert(condition, _) => {
                let (holds, fails) = (self.writer.label(), self.writer.label());
                self.condition(condition, holds, fails);
                self.writer.place(fails);
                match self.setting.assertions {
                    true => self.writer.ask(),
                    false => self.writer.jump(holds),
                }
                self.writer.place(holds);
            }
            Op::Fail(message) => {
                if self.setting.assertions && code.messages[message as usize].is_some() {
                    self.writer.ask();
                }
            }
            Op::Assume(condition) => {
                let (holds, fails) = (self.writer.label(), self.writer.label());
                self.condition(condition, holds, fails);
                self.writer.place(fails);
                self.answer(DISCARDED);
                self.writer.place(holds);
            }
            Op::Add(at) => self.add(at),
            Op::Remove(address, place, bag) => {
                let base = self.at(address);
                let place = self.value(place);
                let bag = code.bags[bag as usize];
                let at = self.writer.element(base, place, bag.capacity, bag.stride);
                self.must_be_taken(at);
                self.writer.fill(at, &vec![0; bag.stride as usize]);
            }
            Op::RemoveIf(at) => self.remove_if(code.scans[at as usize]),
            // Covers are noted by the machine.
            _ => {
                self.leave();
            }
        }
    }

    /// Goes somewhere, unless the code before went elsewhere.
    fn go(&mut self, label: Label) {
        if !self.writer.is_over() {
            self.writer.jump(label);
        }
    }

    pub(super) fn loop_labels(&mut self) -> (Label, Label, Label) {
        let writer = &mut self.writer;
        (writer.label(), writer.label(), writer.label())
    }

    /// The first condition that is true decides.
    fn choices(&mut self, arms: &[u32], otherwise: OpId) {
        let end = self.writer.label();
        for arm in arms.chunks_exact(2) {
            match self.decided(arm[0]) {
                Some(false) => continue,
                Some(true) => {
                    self.operation(arm[1]);
                    return self.writer.place(end);
                }
                None => {}
            }
            let (inside, next) = (self.writer.label(), self.writer.label());
            self.condition(arm[0], inside, next);
            self.writer.place(inside);
            self.operation(arm[1]);
            self.go(end);
            self.writer.place(next);
        }
        self.operation(otherwise);
        self.writer.place(end);
    }

    fn switch(&mut self, switch: &'c Switch) {
        let value = self.value(switch.value);
        let end = self.writer.label();
        for (candidates, body) in &switch.arms {
            let (inside, next) = (self.writer.label(), self.writer.label());
            for candidate in candidates {
                let wanted = self.value(*candidate);
                let other = self.writer.label();
                let is_it = self.writer.compare(Order::Equal, value, wanted);
                self.writer.branch(is_it, inside, other);
                self.writer.place(other);
            }
            self.writer.jump(next);
            self.writer.place(inside);
            self.operation(*body);
            self.go(end);
            self.writer.place(next);
        }
        self.operation(switch.otherwise);
        self.writer.place(end);
    }

    /// The word of a node in a type; asks where the type does not hold its value.
    fn encoded(&mut self, node: NodeId, store: u32) -> Value {
        let value = self.value(node);
        self.encode(value, (node, store))
    }

    fn encode(&mut self, value: Value, (node, store): (NodeId, u32)) -> Value {
        let code = self.setting.code;
        let known = self.constant(node);
        if let Some(word) = known.and_then(|value| code.word(value, store)) {
            return self.writer.number(i64::from(word));
        }
        let store = code.stores[store as usize];
        let none = self.writer.number(0);
        let word = self.writer.variable(none);
        let end = self.writer.label();
        if !self.is_defined(node) {
            let undefined = self.writer.number(UNDEFINED);
            let is_undefined = self.writer.compare(Order::Equal, value, undefined);
            let inside = self.writer.label();
            self.writer.branch(is_undefined, end, inside);
            self.writer.place(inside);
        }
        let whole = [(store.low, store.high)];
        let ranges = match store.is_solid {
            true => &whole[..],
            false => &code.members[store.ty as usize],
        };
        self.must_be_in(value, ranges);
        let shift = self.writer.number(store.low.wrapping_sub(1));
        let found = self.writer.plain(Plain::Subtract, value, shift);
        self.writer.set(word, found);
        self.writer.place(end);
        self.writer.get(word)
    }

    fn remove_if(&mut self, scan: Scan) {
        let going = self.new_count();
        let rounds = Rounds::Places(scan.multiset, scan.bag);
        self.each(&rounds, scan.counter, &mut |generator, next| {
            let taken = generator.target(scan.counter);
            let yes = generator.writer.label();
            generator.condition(scan.condition, yes, next);
            generator.writer.place(yes);
            let one = generator.writer.number(1);
            let bit = generator.writer.plain(Plain::ShiftLeft, one, taken);
            let all = generator.writer.get(going);
            let all = generator.writer.plain(Plain::Or, all, bit);
            generator.writer.set(going, all);
            generator.writer.jump(next);
        });
        let base = self.at(scan.multiset);
        let zeros = vec![0; scan.bag.stride as usize];
        for place in 0..scan.bag.capacity.min(MOST_PLACES) {
            let bit = self.writer.number(1 << place);
            let all = self.writer.get(going);
            let bit = self.writer.plain(Plain::And, all, bit);
            let none = self.writer.number(0);
            let goes = self.writer.compare(Order::Unequal, bit, none);
            let (inside, end) = (self.writer.label(), self.writer.label());
            self.writer.branch(goes, inside, end);
            self.writer.place(inside);
            self.writer
                .fill(base.behind(place * scan.bag.stride), &zeros);
            self.writer.place(end);
        }
    }

    fn add(&mut self, at: u32) {
        let addition = self.setting.code.additions[at as usize];
        let base = self.at(addition.multiset);
        let Bag { capacity, stride } = addition.bag;
        let added = match addition.value {
            Added::Value(node, store) => Ok(self.encoded(node, store)),
            Added::Block(block) => Err(self.block(block)),
        };
        let end = self.writer.label();
        for place in 0..capacity {
            let (free, next) = (self.writer.label(), self.writer.label());
            let at = base.behind(place * stride);
            let mark = self.writer.word(at);
            let none = self.writer.number(0);
            let is_free = self.writer.compare(Order::Equal, mark, none);
            self.writer.branch(is_free, free, next);
            self.writer.place(free);
            self.writer.fill(at, &[1]);
            match added {
                Ok(word) => self.writer.set_word(at.behind(1), word),
                Err(from) => self.writer.copy(from, at.behind(1), stride - 1),
            }
            self.writer.jump(end);
            self.writer.place(next);
        }
        self.writer.ask();
        self.writer.place(end);
    }

    /// Writes the function of a call; where its result with parts lies, if it has one.
    pub(super) fn call(&mut self, id: u32) -> Place {
        deep::recurse(|| self.call_inner(id))
    }

    fn call_inner(&mut self, id: u32) -> Place {
        let code = self.setting.code;
        let call = &code.calls[id as usize];
        let routine = &code.routines[call.routine as usize];
        let start = self.frame + call.frame;
        let is_near = start + routine.frame <= self.setting.words + FRAMES;
        if self.open.contains(&call.routine) || !is_near || self.is_lost() {
            self.give_up();
            return Place::fixed(0);
        }
        let outer = (self.frame, self.counter, self.exit, self.returned);
        let known = self.pass(&call.arguments, routine, start);
        self.calls += 1;
        self.counter = self.counters.len();
        for _ in 0..routine.counters {
            let counter = self.new_count();
            self.counters.push(counter);
        }
        self.frame = start;
        self.exit = self.writer.label();
        self.returned = self.new_count();
        self.open.push(call.routine);
        self.operation(routine.body);
        self.open.pop();
        for word in known {
            self.known.remove(&word);
        }
        if routine.is_function && !self.writer.is_over() {
            self.writer.ask();
        }
        let exit = self.exit;
        self.writer.place(exit);
        self.latest = self.returned;
        self.counters.truncate(self.counter);
        (self.frame, self.counter, self.exit, self.returned) = outer;
        Place::fixed(start + routine.result.unwrap_or(0))
    }

    /// Arguments: all are computed, then the new frame begins undefined and takes them. The words of those that are known.
    fn pass(&mut self, arguments: &[Argument], routine: &Routine, start: u32) -> Vec<u32> {
        let code = self.setting.code;
        let mut known = Vec::new();
        let calls = self.calls;
        let mut passed = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            if let Argument::Value(node, word, store) = argument
                && !routine.changes.contains(&(position as u32))
                && let Some(value) = self.constant(*node)
                && let Some(held) = code.word(value, *store)
            {
                known.push((start + word, held));
            }
            passed.push(match argument {
                Argument::Reference(address) => Passed::Reference(self.at(*address)),
                Argument::Value(node, word, store) => {
                    Passed::Word(start + word, self.encoded(*node, *store))
                }
                Argument::Block(block, word, words) => {
                    Passed::Words(start + word, self.block(*block), *words)
                }
            });
        }
        let has_words = passed.iter().any(|one| matches!(one, Passed::Words(..)));
        if has_words && self.calls != calls {
            // A call for another argument may have written over the words.
            self.give_up();
        }
        // References are not stored, so their words are not either.
        let first = (arguments.len() as u32).min(routine.frame);
        let zeros = vec![0; (routine.frame - first) as usize];
        self.writer.fill(Place::fixed(start + first), &zeros);
        for (position, value) in passed.into_iter().enumerate() {
            let place = match value {
                Passed::Reference(place) => place,
                Passed::Word(at, word) => {
                    self.writer.set_word(Place::fixed(at), word);
                    Place::fixed(at)
                }
                Passed::Words(at, from, words) => {
                    self.writer.copy(from, Place::fixed(at), words);
                    Place::fixed(at)
                }
            };
            self.bound.insert(start + position as u32, place);
        }
        self.known.extend(known.iter().copied());
        known.into_iter().map(|(word, _)| word).collect()
    }
}

/// An argument on its way.
enum Passed {
    /// A place.
    Reference(Place),
    /// Where a word goes.
    Word(u32, Value),
    /// Where words go, and where they are.
    Words(u32, Place, u32),
}
