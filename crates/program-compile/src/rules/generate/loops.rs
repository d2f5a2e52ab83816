//! Loops: values of a type, numbers, the places of a multiset. Every round is counted; where there are too many, the machine is asked.

use native::{Label, Order, Place, Plain, Value};

use super::super::code::{Rounds, Target};
use super::super::layout::Bag;
use super::{Generator, ROUNDS};

/// Multisets with more places are left to the machine: which are taken is one number of 64 bits.
pub(super) const MOST_PLACES: u32 = 62;

/// Writes the body of a loop: it ends by going to the label, or elsewhere.
type Body<'b, 'c, 'g, 'w> = &'b mut dyn FnMut(&mut Generator<'c, 'g, 'w>, Label);

impl<'c, 'g, 'w> Generator<'c, 'g, 'w> {
    /// A count of rounds, for a loop with a limit.
    pub(super) fn new_count(&mut self) -> native::Variable {
        let none = self.writer.number(0);
        self.writer.variable(none)
    }

    /// Asks where a loop, or all loops of this answer, took too many rounds.
    pub(super) fn count_round(&mut self, count: native::Variable) {
        let limit = self.setting.loop_limit.min(i64::MAX as u64) as i64;
        let (limit, one) = (self.writer.number(limit), self.writer.number(1));
        let rounds = self.writer.get(count);
        let is_over = self.writer.compare(Order::AtLeast, rounds, limit);
        self.writer.ask_if(is_over);
        let rounds = self.writer.plain(Plain::Add, rounds, one);
        self.writer.set(count, rounds);
        self.burn();
    }

    fn burn(&mut self) {
        let left = self.writer.named(ROUNDS);
        self.must_not_be(left, 0);
        let one = self.writer.number(1);
        let left = self.writer.plain(Plain::Subtract, left, one);
        self.writer.set_named(ROUNDS, left);
    }

    /// Gives a bound name its value.
    fn set(&mut self, target: Target, value: Value) {
        match target {
            Target::Counter(counter) => {
                let counter = self.counter(counter);
                self.writer.set(counter, value);
            }
            Target::Word(word, bias) => {
                let bias = self.writer.number(bias);
                let stored = self.writer.plain(Plain::Subtract, value, bias);
                let place = Place::fixed(self.frame + word);
                self.writer.set_word(place, stored);
            }
        }
    }

    /// Goes through values. The body goes to the label it is given, for the next one, or leaves the loop.
    pub(super) fn each(&mut self, rounds: &Rounds, target: Target, body: Body<'_, 'c, 'g, 'w>) {
        match rounds {
            Rounds::Values(ranges) => match ranges[..] {
                [(low, high)] => {
                    let (low, high) = (self.writer.number(low), self.writer.number(high));
                    self.ascend((low, high), target, body);
                }
                // Elements of unions: seldom so many that they are not unrolled.
                _ => {
                    self.give_up();
                }
            },
            Rounds::Count(from, to, by) => {
                let by = by.map(|by| self.setting.code.nodes[by as usize]);
                if !matches!(by, None | Some(super::super::code::Node::Constant(1))) {
                    self.give_up();
                    return;
                }
                let (from, to) = (self.value(*from), self.value(*to));
                self.ascend((from, to), target, body);
            }
            Rounds::Places(multiset, bag) => {
                let place = self.at(*multiset);
                self.places((place, *bag), target, body);
            }
        }
    }

    fn ascend(&mut self, (low, high): (Value, Value), target: Target, body: Body<'_, 'c, 'g, 'w>) {
        let now = self.writer.variable(low);
        let (again, inside, end) = self.loop_labels();
        let next = self.writer.label();
        self.writer.place(again);
        let value = self.writer.get(now);
        let goes_on = self.writer.compare(Order::AtMost, value, high);
        self.writer.branch(goes_on, inside, end);
        self.writer.place(inside);
        self.burn();
        self.set(target, value);
        body(self, next);
        self.writer.place(next);
        let (value, one) = (self.writer.get(now), self.writer.number(1));
        // The last value is no greater than the greatest number, where rounds have long ended.
        let following = self.writer.plain(Plain::Add, value, one);
        self.writer.set(now, following);
        let is_last = self.writer.compare(Order::Equal, value, high);
        self.writer.branch(is_last, end, again);
        self.writer.place(end);
    }

    /// Goes through the places of a multiset that are taken before the first round.
    fn places(
        &mut self,
        (multiset, bag): (Place, Bag),
        target: Target,
        body: Body<'_, 'c, 'g, 'w>,
    ) {
        if bag.capacity > MOST_PLACES {
            self.give_up();
            return;
        }
        let taken = self.taken(multiset, bag);
        let (low, high) = (
            self.writer.number(0),
            self.writer.number(i64::from(bag.capacity) - 1),
        );
        // The place is bound only where it is taken, and a round that is none does not matter to limits.
        self.ascend((low, high), target, &mut |generator, next| {
            let value = generator.target(target);
            let bit = generator.writer.plain(Plain::ShiftRight, taken, value);
            let one = generator.writer.number(1);
            let bit = generator.writer.plain(Plain::And, bit, one);
            let is_taken = generator.writer.compare(Order::Equal, bit, one);
            let inside = generator.writer.label();
            generator.writer.branch(is_taken, inside, next);
            generator.writer.place(inside);
            body(generator, next);
        });
    }

    /// One bit for each place that is taken.
    pub(super) fn taken(&mut self, multiset: Place, bag: Bag) -> Value {
        let mut all = self.writer.number(0);
        for place in 0..bag.capacity {
            let mark = self.writer.word(multiset.behind(place * bag.stride));
            let distance = self.writer.number(i64::from(place));
            let bit = self.writer.plain(Plain::ShiftLeft, mark, distance);
            all = self.writer.plain(Plain::Or, all, bit);
        }
        all
    }

    /// The value of a bound name.
    pub(super) fn target(&mut self, target: Target) -> Value {
        match target {
            Target::Counter(counter) => {
                let counter = self.counter(counter);
                self.writer.get(counter)
            }
            Target::Word(word, bias) => {
                let word = self.writer.word(Place::fixed(self.frame + word));
                let bias = self.writer.number(bias);
                self.writer.plain(Plain::Add, word, bias)
            }
        }
    }

    /// How many elements of a multiset satisfy a condition.
    pub(super) fn count(&mut self, at: u32) -> Value {
        let scan = self.setting.code.scans[at as usize];
        let count = self.new_count();
        let rounds = Rounds::Places(scan.multiset, scan.bag);
        self.each(&rounds, scan.counter, &mut |generator, next| {
            let yes = generator.writer.label();
            generator.condition(scan.condition, yes, next);
            generator.writer.place(yes);
            let one = generator.writer.number(1);
            let sum = generator.writer.get(count);
            let sum = generator.writer.plain(Plain::Add, sum, one);
            generator.writer.set(count, sum);
            generator.writer.jump(next);
        });
        self.writer.get(count)
    }
}
