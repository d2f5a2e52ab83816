//! Remembers what was sent lately, so that a state that many states lead to is not sent for each of them.
//!
//! Technique: a table with one place for a hash, filled with whole states: what is found there was sent. It is as large as
//! pays: a miss of the near caches costs less than a state that is sent, read and looked up in vain.
//! Invariant: a state that was not sent is never taken for one that was.

use super::routing::hash_words;

/// Bytes of the table, about.
const BYTES: usize = 1 << 21;
/// The most places.
const PLACES: usize = 1 << 17;

/// The states sent lately.
pub struct Lately {
    /// Words of a place: a mark, and the state.
    width: usize,
    mask: usize,
    words: Vec<u32>,
}

impl Lately {
    /// None.
    pub fn new(slots: usize) -> Lately {
        let width = slots + 1;
        let places = (BYTES / 4 / width).clamp(1, PLACES);
        let places = 1 << places.ilog2();
        Lately {
            width,
            mask: places - 1,
            words: vec![0; places * width],
        }
    }

    /// Whether a state was sent lately; if not, it is now.
    #[inline]
    pub fn has(&mut self, state: &[u32]) -> bool {
        let hash = hash_words(state);
        // Zero marks a free place.
        let mark = hash as u32 | 1;
        let from = ((hash >> 20) as usize & self.mask) * self.width;
        let Some((first, words)) = self.words[from..from + self.width].split_first_mut() else {
            return false;
        };
        if *first == mark && words == state {
            return true;
        }
        *first = mark;
        words.copy_from_slice(state);
        false
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 4) as u64
    }
}
