//! A list of numbers that hardly ever fall, in two or three bits each instead of 32.
//!
//! A breadth-first search by one thread numbers states in the order in which their parents are expanded, so the parents of all states are
//! such a list: for each state a few of them, most often none or one, are passed over.
//! Technique: the upper part of a list by Elias and Fano alone, since steps are small: for each number as many zeros as it is larger than
//! the one before, then a one. The place of every 128th one is marked; a number is found from the mark before it. Steps down, and
//! steps up that would take too many zeros, are written beside it.
//! Paper: [Elias 1974].
//! Invariant: one thread adds; whoever reads a number does so after it was added.
//! Invariant: a step beside the list stands for at least as many zeros as it takes bits, or for a step down.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::column::Column;

/// Between two marks are so many numbers: they take half a bit a number.
const MARKED: u32 = 128;
/// The most zeros for one number; a jump takes as many bits.
const FAR: u32 = 128;

/// The list.
#[derive(Default)]
pub struct Rising {
    bits: Column<AtomicU64>,
    /// The places of the ones of numbers 0, 128, 256, ….
    marks: Column<AtomicU64>,
    len: AtomicU32,
    last: AtomicU32,
    /// The place behind the last one.
    end: AtomicU64,
    /// There is memory for so many bits, and for the marks of so many numbers.
    room: (AtomicU64, AtomicU64),
    jumps: Mutex<Vec<Jump>>,
}

/// A number that is written beside the list.
#[derive(Clone, Copy)]
struct Jump {
    at: u32,
    number: u32,
    /// The zeros before it.
    zeros: u64,
}

impl Rising {
    /// An empty list.
    pub fn new() -> Rising {
        Rising::default()
    }

    /// How many numbers there are.
    pub fn len(&self) -> u32 {
        self.len.load(Acquire)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes sure that there can be so many numbers; `false` when there is no memory for them.
    #[inline]
    pub fn reserve(&self, len: u32) -> bool {
        let more = len.saturating_sub(self.len.load(Relaxed));
        let bits = self.end.load(Relaxed) + u64::from(more) * u64::from(FAR + 1);
        let has_room =
            bits <= self.room.0.load(Relaxed) && u64::from(len) <= self.room.1.load(Relaxed);
        has_room || self.make_room(bits, len)
    }

    #[cold]
    fn make_room(&self, bits: u64, len: u32) -> bool {
        let (word, mark) = ((bits / 64) as usize, (len / MARKED) as usize);
        if !self.bits.reserve(word + 1) || !self.marks.reserve(mark + 1) {
            return false;
        }
        let bits = Column::<AtomicU64>::reserved_beyond(word) as u64 * 64;
        let numbers = Column::<AtomicU64>::reserved_beyond(mark) as u64 * u64::from(MARKED);
        self.room.0.store(bits, Relaxed);
        self.room.1.store(numbers, Relaxed);
        true
    }

    /// Adds a number; `false` when there is no memory for it.
    #[inline]
    pub fn push(&self, number: u32) -> bool {
        let (at, last, end) = (
            self.len.load(Relaxed),
            self.last.load(Relaxed),
            self.end.load(Relaxed),
        );
        if !self.reserve(at + 1) {
            return false;
        }
        let place = match number.checked_sub(last) {
            Some(step) if step <= FAR => end + u64::from(step),
            _ => {
                let zeros = end - u64::from(at);
                self.jumps().push(Jump { at, number, zeros });
                end
            }
        };
        if at % MARKED == 0 {
            self.marks.get((at / MARKED) as usize).store(place, Relaxed);
        }
        let word = self.bits.get((place / 64) as usize);
        word.store(word.load(Relaxed) | 1 << (place % 64), Relaxed);
        self.last.store(number, Relaxed);
        self.end.store(place + 1, Relaxed);
        self.len.store(at + 1, Release);
        true
    }

    /// The number that was added after `at` others; `None` when there are not so many.
    pub fn get(&self, at: u32) -> Option<u32> {
        if at >= self.len() {
            return None;
        }
        let zeros = self.place(at) - u64::from(at);
        let jumps = self.jumps();
        let jump = jumps.partition_point(|jump| jump.at <= at).checked_sub(1);
        let (number, before) = jump.map_or((0, 0), |jump| (jumps[jump].number, jumps[jump].zeros));
        Some(number + (zeros - before) as u32)
    }

    /// The place of its one.
    fn place(&self, at: u32) -> u64 {
        let mark = self.marks.get((at / MARKED) as usize).load(Relaxed);
        let mut left = at % MARKED;
        let mut word = (mark / 64) as usize;
        let mut bits = self.bits.get(word).load(Relaxed) >> (mark % 64) << (mark % 64);
        while bits.count_ones() <= left {
            left -= bits.count_ones();
            word += 1;
            bits = self.bits.get(word).load(Relaxed);
        }
        for _ in 0..left {
            bits &= bits - 1;
        }
        word as u64 * 64 + u64::from(bits.trailing_zeros())
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        let marks = self.len().div_ceil(MARKED) as usize;
        let bits = self.end.load(Relaxed) as usize;
        bits / 8 + marks * 8 + self.jumps().len() * size_of::<Jump>()
    }

    fn jumps(&self) -> MutexGuard<'_, Vec<Jump>> {
        self.jumps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(numbers: &[u32]) -> Rising {
        let rising = Rising::new();
        for number in numbers {
            assert!(rising.push(*number));
        }
        assert_eq!(rising.len() as usize, numbers.len());
        for (at, number) in numbers.iter().enumerate() {
            assert_eq!(rising.get(at as u32), Some(*number), "{at} of {numbers:?}");
        }
        assert_eq!(rising.get(numbers.len() as u32), None);
        rising
    }

    #[test]
    fn all_short_lists_are_kept() {
        let numbers = [0, 1, 2, FAR, FAR + 1, 2 * FAR + 1, u32::MAX];
        for a in numbers {
            for b in numbers {
                for c in numbers {
                    is_kept(&[a, b, c]);
                }
            }
        }
        assert!(is_kept(&[]).is_empty());
    }

    #[test]
    fn lists_that_rise_are_kept_in_three_bits_a_number() {
        let mut random = 7u64;
        let mut next = |below: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % below
        };
        for most in [1, 2, 3, 300] {
            let mut number = 0;
            let numbers: Vec<u32> = (0..5_000)
                .map(|_| {
                    number += next(most) as u32;
                    number
                })
                .collect();
            let bits = is_kept(&numbers).bytes() * 8;
            // Beside the marks: a one for each number, and a zero for each that is passed over.
            let most = numbers.len() + number as usize + numbers.len() / 2 + 128;
            assert!(bits <= most, "{bits} of {most}");
        }
    }

    #[test]
    fn lists_that_fall_are_kept_too() {
        let numbers: Vec<u32> = (0..3_000u32)
            .map(|at| at.wrapping_mul(2_654_435_761) >> (at % 32))
            .collect();
        is_kept(&numbers);
    }

    #[test]
    fn numbers_have_room_that_was_reserved() {
        let rising = Rising::new();
        assert!(rising.reserve(1_000));
        for at in 0..1_000u32 {
            assert!(rising.push(at * FAR));
        }
        assert_eq!(rising.get(999), Some(999 * FAR));
    }
}
