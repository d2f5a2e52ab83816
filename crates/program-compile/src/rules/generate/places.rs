//! Places: where words lie, as far as it is known when code is made.

use native::{Order, Place, Plain, Value};

use super::super::code::{Address, AddressId, Block, BlockId};
use super::Generator;

impl Generator<'_, '_, '_> {
    /// Where an address leads.
    pub(super) fn at(&mut self, id: AddressId) -> Place {
        let code = self.setting.code;
        match code.addresses[id as usize] {
            Address::Fixed(at) => Place::fixed(at),
            Address::Frame(at) => Place::fixed(self.frame + at),
            Address::Reference(slot, distance) => {
                let slot = self.frame + slot;
                let base = match self.bound.get(&slot) {
                    Some(place) => *place,
                    // Bound before this code runs.
                    None => Place::anywhere(self.writer.word(Place::fixed(slot))),
                };
                base.behind(distance)
            }
            Address::Offset(base, distance) => self.at(base).behind(distance),
            Address::Index(base, index, shape) => {
                let base = self.at(base);
                let shape = &code.indices[shape as usize];
                let known = self.constant(index);
                if let Some(position) = known.and_then(|value| shape.position(value)) {
                    return base.behind(position * shape.stride);
                }
                let value = self.value(index);
                let (position, count) = self.position(value, &shape.ranges);
                self.writer.element(base, position, count, shape.stride)
            }
            Address::Element(base, place, bag) => {
                let base = self.at(base);
                let place = self.value(place);
                let bag = code.bags[bag as usize];
                let at = self.writer.element(base, place, bag.capacity, bag.stride);
                self.must_be_taken(at);
                at.behind(1)
            }
        }
    }

    /// A place of a multiset that holds an element.
    pub(super) fn must_be_taken(&mut self, place: Place) {
        let mark = self.writer.word(place);
        self.must_not_be(mark, 0);
    }

    /// Asks where a number is this one.
    pub(super) fn must_not_be(&mut self, value: Value, number: i64) {
        let number = self.writer.number(number);
        let is_it = self.writer.compare(Order::Equal, value, number);
        self.writer.ask_if(is_it);
    }

    /// The position of a value in ranges, and how many there are; any number from there on when it is in none.
    fn position(&mut self, value: Value, ranges: &[(i64, i64)]) -> (Value, u32) {
        let count: i64 = ranges.iter().map(|(low, high)| high - low + 1).sum();
        let mut found = None;
        let mut before = 0;
        for (low, high) in ranges {
            let shift = self.writer.number(low - before);
            let position = self.writer.plain(Plain::Subtract, value, shift);
            found = Some(match found {
                None => position,
                Some(other) => {
                    // Ranges ascend: what is below this one is in an earlier one, or in none.
                    let least = self.writer.number(*low);
                    let is_here = self.writer.compare(Order::AtLeast, value, least);
                    self.writer.choose(is_here, position, other)
                }
            });
            before += high - low + 1;
        }
        let Ok(count) = u32::try_from(count) else {
            return (self.give_up(), 1);
        };
        // Between two ranges a position would be one of the next range: only ranges without gaps are told by it.
        if ranges.len() > 1 {
            self.must_be_in(value, ranges);
        }
        let none = self.writer.number(-1);
        (found.unwrap_or(none), count)
    }

    /// Asks unless a value is in one of some ranges.
    pub(super) fn must_be_in(&mut self, value: Value, ranges: &[(i64, i64)]) {
        if let [(low, high)] = ranges[..] {
            let inside = self.writer.is_within(value, low, high);
            return self.writer.ask_unless(inside);
        }
        let inside = self.is_in(value, ranges);
        self.must_not_be(inside, 0);
    }

    /// 1 where a value is in one of some ranges.
    pub(super) fn is_in(&mut self, value: Value, ranges: &[(i64, i64)]) -> Value {
        let mut inside = self.writer.number(0);
        for (low, high) in ranges {
            let within = self.writer.is_within(value, *low, *high);
            let within = self.writer.truth(within);
            inside = self.writer.plain(Plain::Or, inside, within);
        }
        inside
    }

    /// Where the words of a value with parts are.
    pub(super) fn block(&mut self, id: BlockId) -> Place {
        match self.setting.code.blocks[id as usize] {
            Block::At(address) => self.at(address),
            Block::Call(call) => self.call(call),
            Block::Part(whole, part) => {
                let start = self.block(whole);
                let part = self.at(part);
                self.writer.add_places(start, part)
            }
            // Seldom written: where the words are is not known before it runs.
            Block::Choice(..) => {
                self.give_up();
                Place::fixed(0)
            }
        }
    }
}
