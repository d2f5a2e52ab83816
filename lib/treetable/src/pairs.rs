//! Pairs of 32-bit numbers in as few bits as the range of each side so far needs.
//!
//! Technique: of each number its distance from a base is kept; all pairs have the same number of bits and lie side by side, across the
//! borders of words. A pair with a number out of range is refused until all are written again with more bits ([`Memory::widen`]),
//! from the last to the first in the same memory. The numbers in a tree of pairs are themselves numbers of pairs, so sizes double while one bit
//! is added, and each pair is written again about once for that.
//! Invariant: bits of pairs that were not written are zero, so that threads may set theirs in a word that they share.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use crate::column::{Column, prefetch};
use crate::memory::Memory;
use crate::records::hash_record;

/// So many pairs are read before they are written to another place.
const AT_ONCE: usize = 256;

/// The pairs.
pub struct Pairs {
    words: Column<AtomicU64>,
    left: Kept,
    right: Kept,
}

/// What there is of one side; changes while nobody else is looking.
struct Kept {
    base: AtomicU32,
    bits: AtomicU32,
    /// How many numbers those are; none before the first.
    count: AtomicU64,
    /// The least and the largest number that was refused since.
    refused: [AtomicU32; 2],
}

/// The numbers of one side: from `base` on, so many bits of them.
#[derive(Clone, Copy)]
struct Side {
    base: u32,
    bits: u32,
}

/// How pairs lie.
#[derive(Clone, Copy)]
struct Layout {
    left: Side,
    right: Side,
}

/// Where a pair begins.
struct Place {
    word: usize,
    shift: u32,
}

impl Pairs {
    /// None.
    pub fn new() -> Pairs {
        Pairs {
            words: Column::new(),
            // Some width is needed even for pairs that are all the same.
            left: Kept::new(1),
            right: Kept::new(0),
        }
    }

    #[inline]
    fn layout(&self) -> Layout {
        Layout {
            left: self.left.side(),
            right: self.right.side(),
        }
    }

    /// The bits of a pair as they lie there.
    #[inline(always)]
    fn bits(&self, id: u32, layout: Layout) -> u64 {
        let Place { word, shift } = layout.place(id);
        // Both words, whether the pair ends in the second or not: that costs less than asking.
        let (first, second) = self.words.two(word);
        let (first, second) = (first.load(Relaxed), second.load(Relaxed));
        (first >> shift | second << 1 << (63 - shift)) & layout.mask()
    }

    /// Writes all pairs of a wider layout from the last to the first: each begins where it did or later, so none is lost, and all
    /// words in between are written.
    fn spread(&self, len: u32, old: Layout, new: Layout) {
        debug_assert!(new.width() >= old.width());
        // What is to be written to the word `at`: its bits from `below` on.
        let Place {
            word: mut at,
            shift,
        } = new.place(len);
        let (mut below, mut bits) = (shift, 0);
        let mut some = Vec::with_capacity(AT_ONCE);
        let mut end = len;
        while end > 0 {
            let start = end.saturating_sub(AT_ONCE as u32);
            self.read_as(old, start..end, |pair| some.push(pair));
            end = start;
            for pair in some.drain(..).rev() {
                let pair = new.bits_of(pair);
                if below >= new.width() {
                    below -= new.width();
                    bits |= pair << below;
                    continue;
                }
                let low = new.width() - below;
                let high = if below == 0 { 0 } else { pair >> low };
                self.words.get(at).store(bits | high, Relaxed);
                at -= 1;
                below = u64::BITS - low;
                bits = pair << below;
            }
        }
        self.words.get(at).store(bits, Relaxed);
    }

    /// Tells some pairs one after the other.
    #[inline(always)]
    fn read_as(&self, layout: Layout, ids: Range<u32>, mut each: impl FnMut(u64)) {
        let Place { word, shift } = layout.place(ids.start);
        let Some(words) = self.words.run(word, layout.words(ids.len()) + 1) else {
            return ids.for_each(|id| each(layout.pair(self.bits(id, layout))));
        };
        let mut bit = shift as usize;
        for _ in ids {
            let (at, shift) = (bit / 64, bit % 64);
            let (first, second) = (words[at].load(Relaxed), words[at + 1].load(Relaxed));
            let bits = (first >> shift | second << 1 << (63 - shift)) & layout.mask();
            each(layout.pair(bits));
            bit += layout.width() as usize;
        }
    }

    /// Sets the bits of a pair to what they are not.
    #[inline(always)]
    fn flip(&self, id: u32, bits: u64, layout: Layout, is_alone: bool) {
        let Place { word, shift } = layout.place(id);
        let flip = |at: usize, bits: u64| {
            let word = self.words.get(at);
            match is_alone {
                true => word.store(word.load(Relaxed) ^ bits, Relaxed),
                false => _ = word.fetch_xor(bits, Relaxed),
            }
        };
        flip(word, bits << shift);
        if shift + layout.width() > u64::BITS {
            flip(word + 1, bits >> 1 >> (63 - shift));
        }
    }
}

impl Memory for Pairs {
    fn width(&self) -> usize {
        1
    }

    fn bytes(&self, records: usize) -> usize {
        (records * self.layout().width() as usize).div_ceil(8)
    }

    fn reserve(&self, records: usize) -> bool {
        self.words.reserve(self.layout().words(records))
    }

    fn reserved(&self, records: usize) -> usize {
        let layout = self.layout();
        let words = Column::<AtomicU64>::reserved_beyond(layout.words(records) - 1);
        (words - 2) * 64 / layout.width() as usize
    }

    fn records(&self, bytes: usize) -> usize {
        (bytes / 8).saturating_sub(2) * 64 / self.layout().width() as usize
    }

    #[inline]
    fn takes(&self, record: &[u64]) -> bool {
        let pair = record[0];
        let (left, right) = (pair as u32, (pair >> 32) as u32);
        self.left.takes(left) && self.right.takes(right) || {
            self.left.refuse(left);
            self.right.refuse(right);
            false
        }
    }

    fn is_narrow(&self) -> bool {
        self.left.is_narrow() || self.right.is_narrow()
    }

    fn widen(&self, len: usize, budget: usize) -> bool {
        let old = self.layout();
        let new = Layout {
            left: self.left.wider(1),
            right: self.right.wider(0),
        };
        let words = new.words(len + 1);
        if words * 8 > budget.max(1 << 10) || !self.words.reserve(words) {
            return false;
        }
        self.spread(len as u32, old, new);
        self.left.become_side(new.left);
        self.right.become_side(new.right);
        true
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        let place = self.layout().place(id);
        prefetch(self.words.get(place.word));
    }

    #[inline(always)]
    fn word(&self, id: u32, _: usize) -> u64 {
        let layout = self.layout();
        layout.pair(self.bits(id, layout))
    }

    #[inline]
    fn read(&self, id: u32, mut each: impl FnMut(usize, u64)) {
        each(0, self.word(id, 0));
    }

    fn hash(&self, ids: Range<u32>, _: &mut [u64], hashes: &mut [u64]) {
        let mut hashes = hashes.iter_mut();
        self.read_as(self.layout(), ids, |pair| {
            if let Some(hash) = hashes.next() {
                *hash = hash_record(&[pair]);
            }
        });
    }

    #[inline(always)]
    fn equals(&self, id: u32, record: &[u64]) -> bool {
        let layout = self.layout();
        self.bits(id, layout) == layout.bits_of(record[0])
    }

    #[inline]
    fn write(&self, id: u32, record: &[u64], is_alone: bool) {
        debug_assert!(self.takes(record));
        let layout = self.layout();
        debug_assert_eq!(self.bits(id, layout), 0, "nothing is written there");
        self.flip(id, layout.bits_of(record[0]), layout, is_alone);
    }

    fn clear(&self, id: u32) {
        let layout = self.layout();
        self.flip(id, self.bits(id, layout), layout, false);
    }
}

impl Kept {
    fn new(bits: u32) -> Kept {
        Kept {
            base: AtomicU32::new(0),
            bits: AtomicU32::new(bits),
            count: AtomicU64::new(0),
            refused: [AtomicU32::new(u32::MAX), AtomicU32::new(0)],
        }
    }

    #[inline]
    fn side(&self) -> Side {
        Side {
            base: self.base.load(Relaxed),
            bits: self.bits.load(Relaxed),
        }
    }

    #[inline]
    fn takes(&self, number: u32) -> bool {
        let distance = number.wrapping_sub(self.base.load(Relaxed));
        u64::from(distance) < self.count.load(Relaxed)
    }

    #[cold]
    fn refuse(&self, number: u32) {
        self.refused[0].fetch_min(number, Relaxed);
        self.refused[1].fetch_max(number, Relaxed);
    }

    fn is_narrow(&self) -> bool {
        let [least, largest] = [0, 1].map(|end| self.refused[end].load(Relaxed));
        least <= largest && !(self.takes(least) && self.takes(largest))
    }

    /// A side that takes what was refused as well. Whoever needs one bit more gets room for twice as many numbers, on the side where
    /// they come from.
    fn wider(&self, at_least: u32) -> Side {
        let side = self.side();
        let [least, largest] = [0, 1].map(|end| self.refused[end].load(Relaxed));
        if least > largest {
            return side;
        }
        if self.count.load(Relaxed) == 0 {
            let bits = u32::BITS - (largest - least).leading_zeros();
            let bits = bits.max(at_least);
            return Side { base: least, bits };
        }
        let least = least.min(side.base);
        let largest = largest.max(side.last());
        // Never fewer than before: numbers near the end need fewer than lie behind the base, and pairs only move up.
        let bits = side.bits.max(u32::BITS - (largest - least).leading_zeros());
        let base = match least < side.base {
            true => largest.saturating_sub(Side { base: 0, bits }.last()),
            false => side.base,
        };
        Side { base, bits }
    }

    fn become_side(&self, side: Side) {
        self.base.store(side.base, Relaxed);
        self.bits.store(side.bits, Relaxed);
        // None beyond the last number: what starts again from zero there would be lost when the base moves.
        let count = u64::from(side.last() - side.base) + 1;
        self.count.store(count, Relaxed);
        self.refused[0].store(u32::MAX, Relaxed);
        self.refused[1].store(0, Relaxed);
    }
}

impl Side {
    /// The last number that it takes.
    fn last(self) -> u32 {
        let most = (1u64 << self.bits) - 1;
        u32::try_from(u64::from(self.base) + most).unwrap_or(u32::MAX)
    }
}

impl Layout {
    #[inline]
    fn width(self) -> u32 {
        self.left.bits + self.right.bits
    }

    #[inline]
    fn mask(self) -> u64 {
        u64::MAX >> (u64::BITS - self.width())
    }

    #[inline]
    fn place(self, id: u32) -> Place {
        let bit = u64::from(id) * u64::from(self.width());
        Place {
            word: (bit / 64) as usize,
            shift: (bit % 64) as u32,
        }
    }

    /// The words of so many pairs, and one more: two are read for each pair.
    fn words(self, pairs: usize) -> usize {
        (pairs * self.width() as usize).div_ceil(64) + 1
    }

    #[inline]
    fn bits_of(self, pair: u64) -> u64 {
        let left = (pair as u32).wrapping_sub(self.left.base);
        let right = ((pair >> 32) as u32).wrapping_sub(self.right.base);
        u64::from(left) | u64::from(right) << self.left.bits
    }

    #[inline]
    fn pair(self, bits: u64) -> u64 {
        let left = (bits & ((1 << self.left.bits) - 1)) as u32;
        let right = (bits >> self.left.bits) as u32;
        let (left, right) = (
            left.wrapping_add(self.left.base),
            right.wrapping_add(self.right.base),
        );
        u64::from(left) | u64::from(right) << 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes pairs, widening when one is refused, and reads all of them back.
    fn are_kept(all: &[u64]) -> Pairs {
        let pairs = Pairs::new();
        for (id, pair) in all.iter().enumerate() {
            if !pairs.takes(&[*pair]) {
                assert!(pairs.is_narrow());
                assert!(pairs.widen(id, usize::MAX / 16));
            }
            assert!(!pairs.is_narrow() && pairs.takes(&[*pair]));
            assert!(pairs.reserve(id + 1));
            pairs.write(id as u32, &[*pair], id % 2 == 0);
        }
        for (id, pair) in all.iter().enumerate() {
            assert_eq!(pairs.word(id as u32, 0), *pair, "{id}");
            assert!(pairs.equals(id as u32, &[*pair]));
            assert!(!pairs.equals(id as u32, &[*pair ^ 1]));
        }
        pairs
    }

    #[test]
    fn pairs_are_kept_in_the_bits_they_need() {
        let all: Vec<u64> = (0..3_000u64).map(|id| id | (id % 200) << 32).collect();
        let pairs = are_kept(&all);
        assert_eq!(pairs.bytes(3_000), 3_000 * 20 / 8);
    }

    #[test]
    fn pairs_of_all_sizes_come_back() {
        for (left, right) in [(0, 0), (1, 32), (32, 1), (31, 31), (32, 32), (7, 25)] {
            let mixed = |id: u64, bits: u32| {
                let word = id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                word >> (32 - bits).min(31) >> (32 - bits).saturating_sub(31)
            };
            let pair = |id: u64| mixed(id, left) | mixed(id + 7, right) << 32;
            are_kept(&(0..700).map(pair).collect::<Vec<u64>>());
            are_kept(&[0, u64::MAX, pair(3), 1 << 32, 1]);
        }
    }

    #[test]
    fn what_all_numbers_of_a_side_have_in_common_takes_no_bits() {
        let flag = 1u64 << 31;
        let rising = (0..1_000u64).map(|id| (flag | id) << 32 | 77);
        assert_eq!(are_kept(&rising.collect::<Vec<u64>>()).bytes(8), 11);
        let falling = (0..1_000u64).map(|id| (flag | (5_000 - id)) << 32 | 77);
        assert_eq!(are_kept(&falling.collect::<Vec<u64>>()).bytes(8), 11);
        let outwards = (0..1_000u64).map(|id| match id % 2 {
            0 => (flag + id) << 32,
            _ => (flag - id) << 32,
        });
        assert!(are_kept(&outwards.collect::<Vec<u64>>()).bytes(8) <= 13);
        let last = u64::from(u32::MAX);
        are_kept(&[last, last - 1, last << 32 | 3, 0, last << 32 | last]);
    }

    #[test]
    fn what_is_cleared_can_be_written_again() {
        let pairs = are_kept(&[5 << 32 | 3, 6 << 32 | 4, 7 << 32 | 1]);
        pairs.clear(1);
        assert_eq!(pairs.bits(1, pairs.layout()), 0);
        pairs.write(1, &[5 << 32 | 2], false);
        let all: Vec<u64> = (0..3).map(|id| pairs.word(id, 0)).collect();
        assert_eq!(all, [5 << 32 | 3, 5 << 32 | 2, 7 << 32 | 1]);
    }

    #[test]
    fn threads_write_into_words_that_they_share() {
        let pairs = are_kept(&[0, 0xfff_0000_0fff]);
        assert!(pairs.reserve(4_000));
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let pairs = &pairs;
                scope.spawn(move || {
                    for id in (2..4_000u32).filter(|id| id % 2 == thread) {
                        pairs.write(id, &[u64::from(id) | u64::from(4_000 - id) << 32], false);
                    }
                });
            }
        });
        for id in 2..4_000u32 {
            assert_eq!(
                pairs.word(id, 0),
                u64::from(id) | u64::from(4_000 - id) << 32
            );
        }
    }
}
