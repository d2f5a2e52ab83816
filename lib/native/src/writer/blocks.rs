//! Runs of words: copied, compared and filled.

use cranelift_codegen::ir::{self, InstBuilder, MemFlagsData};

use super::{Condition, Order, Place, UNROLLED, Value, Writer};
use crate::unit::{NUMBER, WORD};

/// Four words.
const WIDE: ir::Type = ir::types::I8X16;

/// Words in as few pieces as a processor moves at once: where each begins, and its type.
fn pieces(words: u32) -> impl Iterator<Item = (i32, ir::Type)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (count, ty) = match words - at {
            0 => return None,
            1 => (1, WORD),
            2 | 3 => (2, NUMBER),
            _ => (4, WIDE),
        };
        at += count;
        Some(((at - count) as i32, ty))
    })
}

impl<'w> Writer<'w> {
    /// Copies words. The two parts are the same or have nothing in common.
    pub fn copy(&mut self, from: Place, to: Place, words: u32) {
        let (from, first) = self.address(from, words);
        let (to, second) = self.address(to, words);
        if words <= UNROLLED {
            for (at, ty) in pieces(words) {
                let ins = self.ins();
                let value = ins.load(ty, MemFlagsData::trusted(), from, first + 4 * at);
                let ins = self.ins();
                ins.store(MemFlagsData::trusted(), value, to, second + 4 * at);
                self.size += 2;
            }
            return;
        }
        self.repeat(words, |writer, distance| {
            let (source, target) = writer.both(from, to, distance);
            let ins = writer.ins();
            let value = ins.load(WORD, MemFlagsData::trusted(), source, first);
            let ins = writer.ins();
            ins.store(MemFlagsData::trusted(), value, target, second);
        });
    }

    /// Whether words are equal, one by one.
    pub fn same(&mut self, left: Place, right: Place, words: u32) -> Condition {
        let (left, first) = self.address(left, words);
        let (right, second) = self.address(right, words);
        let start = self.number(0);
        let differ = self.variable(start);
        let look = |writer: &mut Self, left, right, at: i32| {
            let ins = writer.ins();
            let one = ins.uload32(MemFlagsData::trusted(), left, first + at);
            let ins = writer.ins();
            let other = ins.uload32(MemFlagsData::trusted(), right, second + at);
            let bits = writer.ins().bxor(one, other);
            let before = writer.get(differ);
            let all = writer.ins().bor(before.0, bits);
            writer.set(differ, Value(all));
        };
        if words <= UNROLLED {
            (0..words as i32).for_each(|at| look(self, left, right, 4 * at));
            self.size += 4 * words as usize;
        } else {
            self.repeat(words, |writer, distance| {
                let (left, right) = writer.both(left, right, distance);
                look(writer, left, right, 0);
            });
        }
        let (differ, none) = (self.get(differ), self.number(0));
        self.compare(Order::Equal, differ, none)
    }

    /// Does something for each of so many words; it is told the distance in bytes.
    fn repeat(&mut self, words: u32, body: impl FnOnce(&mut Self, ir::Value)) {
        let start = self.number(0);
        let distance = self.variable(start);
        let (again, end) = (self.label(), self.label());
        self.place(again);
        let now = self.get(distance);
        body(self, now.0);
        let next = Value(self.ins().iadd_imm_s(now.0, 4));
        self.set(distance, next);
        let last = self.number(4 * i64::from(words));
        let goes_on = self.compare(Order::Less, next, last);
        self.branch(goes_on, again, end);
        self.place(end);
        self.size += 10;
    }

    pub(super) fn both(
        &mut self,
        a: ir::Value,
        b: ir::Value,
        distance: ir::Value,
    ) -> (ir::Value, ir::Value) {
        let first = self.ins().iadd(a, distance);
        (first, self.ins().iadd(b, distance))
    }

    /// Writes words that are known.
    pub fn fill(&mut self, place: Place, words: &[u32]) {
        let (base, offset) = self.address(place, words.len() as u32);
        if words.len() > UNROLLED as usize && words.iter().all(|word| *word == words[0]) {
            let value = self.ins().iconst(WORD, i64::from(words[0]));
            return self.repeat(words.len() as u32, |writer, distance| {
                let target = writer.ins().iadd(base, distance);
                let ins = writer.ins();
                ins.store(MemFlagsData::trusted(), value, target, offset);
            });
        }
        for (at, ty) in pieces(words.len() as u32) {
            let from = at as usize;
            let value = match ty {
                WORD => self.ins().iconst(WORD, i64::from(words[from])),
                NUMBER => {
                    let mut both = [0; 8];
                    both[..4].copy_from_slice(&words[from].to_ne_bytes());
                    both[4..].copy_from_slice(&words[from + 1].to_ne_bytes());
                    self.ins().iconst(NUMBER, i64::from_ne_bytes(both))
                }
                _ => {
                    let bytes = words[from..from + 4]
                        .iter()
                        .flat_map(|word| word.to_ne_bytes());
                    let bytes = self.builder.func.dfg.constants.insert(bytes.collect());
                    self.ins().vconst(WIDE, bytes)
                }
            };
            let ins = self.ins();
            ins.store(MemFlagsData::trusted(), value, base, offset + 4 * at);
            self.size += 2;
        }
    }
}
