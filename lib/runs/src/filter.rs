//! A filter in memory that says of most vectors that no run has them, so that no file is read to find that out.
//!
//! Paper: [Bloom 1970]; all bits of a vector lie in one word, so a question waits for memory once.
//! Invariant: what was added is never denied.

use std::io;

use crate::heap::hash;
use crate::run::Run;

/// Bits for each vector: about one in thirty that was not added is not denied.
const EACH: u64 = 10;

/// A set of vectors that may have more than was added.
#[derive(Debug)]
pub struct Filter {
    words: Vec<u64>,
    len: u64,
    room: u64,
}

impl Filter {
    /// A filter with room for so many vectors, with those of some runs in it; `rest` is called after each.
    pub fn new<'r>(
        runs: impl IntoIterator<Item = &'r Run>,
        room: u64,
        mut rest: impl FnMut(),
    ) -> io::Result<Filter> {
        let words = vec![0; usize::try_from(Filter::bytes_for(room) / 8).unwrap_or(usize::MAX)];
        let mut filter = Filter {
            words,
            len: 0,
            room,
        };
        for run in runs {
            let mut reader = run.read()?;
            while reader.advance()? {
                filter.add(reader.vector());
                rest();
            }
        }
        Ok(filter)
    }

    /// Bytes of a filter with room for so many vectors.
    pub fn bytes_for(room: u64) -> u64 {
        (room.max(1) * EACH).div_ceil(64) * 8
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// How many more vectors there is room for: with more it denies less and less.
    pub fn spare(&self) -> u64 {
        self.room.saturating_sub(self.len)
    }

    /// Adds a vector.
    pub fn add(&mut self, vector: &[u32]) {
        let (at, bits) = self.place(vector);
        self.words[at] |= bits;
        self.len += 1;
    }

    /// Whether a vector may have been added.
    #[inline]
    pub fn may_have(&self, vector: &[u32]) -> bool {
        let (at, bits) = self.place(vector);
        self.words[at] & bits == bits
    }

    /// Its word, and four bits of it.
    #[inline]
    fn place(&self, vector: &[u32]) -> (usize, u64) {
        let hash = hash(vector).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let at = (u128::from(hash) * self.words.len() as u128) >> 64;
        // The bits come from a part that does not choose the word.
        let low = hash.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 40;
        let bits = (0..4).fold(0, |bits, i| bits | 1 << (low >> (6 * i) & 63));
        (at as usize, bits)
    }
}
