//! Remembers vectors that were met lately, in a fixed memory: some are forgotten, none is made up.
//!
//! Technique: a table with one place for a hash, filled with whole vectors. A place is asked for when its hash is known and looked
//! at later ([`Recent::announce`]), so that nobody waits for the memory.
//! Invariant: a vector that was not met is never taken for one that was.

use crate::column::prefetch;

/// The vectors that were met lately.
pub struct Recent {
    /// Words of a place: a mark, and the vector.
    width: usize,
    mask: usize,
    words: Vec<u32>,
}

impl Recent {
    /// None, of vectors of so many slots, in at most so many bytes and places.
    pub fn new(slots: usize, bytes: usize, places: usize) -> Recent {
        let width = slots + 1;
        let places = (bytes / 4 / width).clamp(1, places.max(1));
        let places = 1 << places.ilog2();
        Recent {
            width,
            mask: places - 1,
            words: vec![0; places * width],
        }
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        ((hash >> 20) as usize & self.mask) * self.width
    }

    /// Asks for the memory that [`Recent::meet`] looks at for this hash.
    #[inline]
    pub fn announce(&self, hash: u64) {
        let from = self.place(hash);
        prefetch(&self.words[from]);
        // A place may end in another line of memory than it begins in.
        prefetch(&self.words[from + self.width - 1]);
    }

    /// Whether a vector with this hash was met lately; from now on it was.
    #[inline]
    pub fn meet(&mut self, vector: &[u32], hash: u64) -> bool {
        // Zero marks a free place.
        let mark = hash as u32 | 1;
        let from = self.place(hash);
        let Some((first, words)) = self.words[from..from + self.width].split_first_mut() else {
            return false;
        };
        if *first == mark && words == vector {
            return true;
        }
        *first = mark;
        words.copy_from_slice(vector);
        false
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 4) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn what_was_not_met_is_never_known() {
        for slots in [0, 1, 3, 40] {
            let mut recent = Recent::new(slots, 1 << 12, 1 << 10);
            assert!(recent.bytes() <= 1 << 12 || slots == 0);
            let mut met = HashSet::new();
            let mut known = 0;
            for at in 0..3_000u32 {
                let vector: Vec<u32> = (0..slots as u32).map(|slot| at * 7 % 90 + slot).collect();
                // A poor hash: many vectors share a place, and some a mark too.
                let hash = u64::from(at * 7 % 90 / 3) << 20;
                recent.announce(hash);
                let is_known = recent.meet(&vector, hash);
                assert!(
                    !is_known || met.contains(&vector),
                    "{slots} slots: {vector:?}"
                );
                known += u32::from(is_known);
                met.insert(vector);
            }
            assert!(slots > 0 || known == 2_970, "{known}");
        }
    }

    #[test]
    fn what_was_met_last_is_known() {
        let mut recent = Recent::new(2, 1 << 12, 1 << 10);
        assert!(!recent.meet(&[1, 2], 5));
        assert!(recent.meet(&[1, 2], 5));
        assert!(!recent.meet(&[1, 3], 5));
        assert!(!recent.meet(&[1, 2], 5));
    }
}
