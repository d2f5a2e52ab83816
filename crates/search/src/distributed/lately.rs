//! Remembers what was sent lately, so that a state that many states lead to is not sent for each of them.
//!
//! Technique: a table with one place for a hash, filled with whole states: what is found there was sent. It fits in a cache
//! near the processor.
//! Invariant: a state that was not sent is never taken for one that was.

/// Places; 2^13 states of 16 slots are half a megabyte.
const PLACES: usize = 1 << 13;

/// The states sent lately.
pub struct Lately {
    slots: usize,
    hashes: Vec<u64>,
    words: Vec<u32>,
}

impl Lately {
    /// None.
    pub fn new(slots: usize) -> Lately {
        Lately {
            slots,
            hashes: vec![0; PLACES],
            words: vec![0; PLACES * slots],
        }
    }

    /// Whether a state was sent lately; if not, it is now.
    #[inline]
    pub fn has(&mut self, hash: u64, state: &[u32]) -> bool {
        // Zero marks a free place; such a state is simply sent each time.
        let place = (hash >> 20) as usize % PLACES;
        let words = &mut self.words[place * self.slots..(place + 1) * self.slots];
        if hash == self.hashes[place] && hash != 0 && words == state {
            return true;
        }
        self.hashes[place] = hash;
        words.copy_from_slice(state);
        false
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.hashes.len() * 8 + self.words.len() * 4) as u64
    }
}
