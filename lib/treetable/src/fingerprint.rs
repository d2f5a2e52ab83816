//! A set of 64-bit hashes: eight bytes a state whatever its size, at the risk of taking two states for one.
//!
//! Technique: hash compaction (Wolper and Leroy; Stern and Dill) with 64 bits; open addressing, linear probing.
//! Invariant: a word never becomes free again, so lookups take no lock.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::column::{SPREAD, zeroed};
use crate::hash::mix;
use crate::records::SLACK;

const SMALLEST: usize = 1 << 10;

/// The hashes; replaced by a larger set under a lock.
pub struct Fingerprints {
    words: Box<[AtomicU64]>,
    limit: usize,
}

/// What became of a hash.
pub enum Noted {
    /// It was not there.
    New,
    /// It was.
    Seen,
    /// There is no room.
    Full,
}

impl Fingerprints {
    /// An empty set; `None` when there is no memory.
    pub fn new() -> Option<Fingerprints> {
        Self::with_capacity(SMALLEST)
    }

    fn with_capacity(capacity: usize) -> Option<Fingerprints> {
        Some(Fingerprints {
            words: zeroed(capacity, SPREAD)?,
            limit: (capacity / 5 * 4).min(capacity - SLACK - 1),
        })
    }

    /// Adds a hash; `len` is how many there are, `most` how many there may be.
    #[inline]
    pub fn insert(&self, hash: u64, len: usize, most: usize) -> Noted {
        let hash = hash.max(1);
        let mut at = self.home(hash);
        loop {
            let mut word = self.words[at].load(Relaxed);
            if word == 0 {
                if len >= self.limit.min(most) {
                    return Noted::Full;
                }
                match self.words[at].compare_exchange(0, hash, Relaxed, Relaxed) {
                    Ok(_) => return Noted::New,
                    Err(now) => word = now,
                }
            }
            if word == hash {
                return Noted::Seen;
            }
            at += 1;
            if at == self.words.len() {
                at = 0;
            }
        }
    }

    /// Fetches what inserts of these hashes will look at.
    #[inline]
    pub fn warm(&self, hashes: impl Iterator<Item = u64>) {
        let words = hashes.map(|hash| self.words[self.home(hash.max(1))].load(Relaxed));
        std::hint::black_box(words.fold(0, |sum, word| sum ^ word));
    }

    /// Whether there is room for another when there are `len`.
    pub fn has_room(&self, len: usize) -> bool {
        len < self.limit
    }

    /// Makes room within `budget` bytes; `false` when that is impossible.
    pub fn grow(&mut self, budget: usize) -> bool {
        let (capacity, before) = (self.words.len(), self.limit);
        if capacity.saturating_mul(24) <= budget
            && let Some(mut larger) = Self::with_capacity(capacity * 2)
        {
            for word in self.words.iter_mut() {
                let word = *word.get_mut();
                if word != 0 {
                    larger.put(word);
                }
            }
            *self = larger;
        } else {
            self.limit = (capacity - capacity / 32).saturating_sub(SLACK).max(before);
        }
        self.limit > before
    }

    fn put(&mut self, hash: u64) {
        let mut at = self.home(hash);
        while *self.words[at].get_mut() != 0 {
            at += 1;
            if at == self.words.len() {
                at = 0;
            }
        }
        *self.words[at].get_mut() = hash;
    }

    /// Adds saved hashes; `false` when there is no memory.
    pub fn restore(&mut self, hashes: &[u64]) -> bool {
        while self.limit <= hashes.len() {
            if !self.grow(usize::MAX) {
                return false;
            }
        }
        for hash in hashes {
            self.put(*hash);
        }
        true
    }

    /// All hashes.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let words = self.words.iter().map(|word| word.load(Relaxed));
        words.filter(|word| *word != 0)
    }

    /// The bytes of the set.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// The position must not depend on the same bits for sets that hold a part of all hashes, so it is mixed
    /// again.
    #[inline]
    fn home(&self, hash: u64) -> usize {
        ((mix(hash) >> 32) as usize * self.words.len()) >> 32
    }
}
