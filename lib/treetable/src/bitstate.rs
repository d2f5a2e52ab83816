//! A set that keeps a few bits of each state: the widest search for a given memory, at the price of misses.
//!
//! Technique: bitstate hashing as in SPIN [Holzmann 1998], a Bloom filter with three functions.
//! Differs: the three bits of a state lie in one word (a blocked Bloom filter), so that setting them is one
//! atomic step: threads that add the same state at once agree on who was first. It also costs one cache miss
//! instead of three, for slightly more collisions.
//! Invariant: a state that was added is never new again.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::column::{SPREAD, zeroed};

/// The bits.
pub struct Bits {
    words: Box<[AtomicU64]>,
}

impl Bits {
    /// No bits set, in `bytes` of memory; `None` when there is none.
    pub fn new(bytes: usize) -> Option<Bits> {
        Some(Bits {
            words: zeroed((bytes / 8).max(1), SPREAD)?,
        })
    }

    /// Adds a state by two hashes of it; whether it is new.
    #[inline]
    pub fn insert(&self, place: u64, bits: u64) -> bool {
        let mask = mask(bits);
        let word = &self.words[self.home(place)];
        word.load(Relaxed) & mask != mask && word.fetch_or(mask, Relaxed) & mask != mask
    }

    /// Whether a state with these hashes was added.
    pub fn contains(&self, place: u64, bits: u64) -> bool {
        self.words[self.home(place)].load(Relaxed) & mask(bits) == mask(bits)
    }

    /// Fetches what inserts at these places will look at.
    #[inline]
    pub fn warm(&self, places: impl Iterator<Item = u64>) {
        let words = places.map(|place| self.words[self.home(place)].load(Relaxed));
        std::hint::black_box(words.fold(0, |sum, word| sum ^ word));
    }

    #[inline]
    fn home(&self, place: u64) -> usize {
        ((u128::from(place) * self.words.len() as u128) >> 64) as usize
    }

    /// The bytes of the bits.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// The words, to save them.
    pub fn words(&self) -> &[AtomicU64] {
        &self.words
    }
}

#[inline]
fn mask(bits: u64) -> u64 {
    1 << (bits & 63) | 1 << (bits >> 6 & 63) | 1 << (bits >> 12 & 63)
}
