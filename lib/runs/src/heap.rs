//! Vectors in memory, in any order, each once, until there are so many that they become a run.

use std::hash::Hasher;
use std::io;

use rustc_hash::FxHasher;

use crate::folder::Folder;
use crate::run::{Run, Writer};

/// A set of vectors within a budget.
#[derive(Debug)]
pub struct Heap {
    width: usize,
    /// The vectors, one after the other.
    words: Vec<u32>,
    len: usize,
    /// Open addressing: one more than the position of a vector, or 0.
    table: Vec<u32>,
    most: usize,
}

/// The table has a size of 2 to the power of this at first.
const SMALL: u32 = 10;

impl Heap {
    /// A set of vectors of `width` words that takes about `budget` bytes at most.
    pub fn new(width: usize, budget: u64) -> Heap {
        // A vector, its share of a table that is at least half full, and what sorting takes.
        let each = width as u64 * 4 + 8 + 16;
        Heap {
            width,
            words: Vec::new(),
            len: 0,
            table: vec![0; 1 << SMALL],
            most: (budget / each).clamp(1 << SMALL, 1 << 30) as usize,
        }
    }

    /// How many vectors.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether it should become a run before more is added.
    pub fn is_full(&self) -> bool {
        self.len >= self.most
    }

    /// Bytes in use, the space for sorting left out.
    pub fn bytes(&self) -> u64 {
        ((self.words.capacity() + self.table.capacity()) * 4) as u64
    }

    /// Adds a vector; whether it was not there.
    pub fn add(&mut self, vector: &[u32]) -> bool {
        debug_assert_eq!(vector.len(), self.width);
        if (self.len + 1) * 2 > self.table.len() {
            self.grow();
        }
        let mask = self.table.len() - 1;
        let mut at = hash(vector) as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                number if self.vector(number - 1) == vector => return false,
                _ => at = (at + 1) & mask,
            }
        }
        self.words.extend_from_slice(vector);
        self.len += 1;
        self.table[at] = self.len as u32;
        true
    }

    /// Writes all vectors to a run, tagged with `tag`, and is empty.
    pub fn spill(&mut self, folder: &Folder, tag: u32) -> io::Result<Run> {
        let mut writer = Writer::new(folder, self.width)?;
        for number in self.ascending() {
            writer.push(self.vector(number), tag)?;
        }
        self.words.clear();
        self.len = 0;
        self.table.fill(0);
        writer.finish()
    }

    /// The positions of all vectors, by vector.
    fn ascending(&self) -> Vec<u32> {
        // Most comparisons are decided by two words that lie in the list itself: the first ones that differ at all.
        let lead = self.lead();
        let key = |number: u32| {
            let vector = &self.vector(number)[lead..];
            let word = |at: usize| u64::from(vector.get(at).copied().unwrap_or(0));
            word(0) << 32 | word(1)
        };
        let mut keyed: Vec<(u64, u32)> = (0..self.len as u32).map(|n| (key(n), n)).collect();
        keyed.sort_unstable_by(|a, b| {
            let rest = || self.vector(a.1).cmp(self.vector(b.1));
            a.0.cmp(&b.0).then_with(rest)
        });
        keyed.into_iter().map(|(_, number)| number).collect()
    }

    /// So many leading words are the same in all vectors.
    fn lead(&self) -> usize {
        let mut vectors = self.words.chunks_exact(self.width.max(1));
        let Some(first) = vectors.next() else {
            return 0;
        };
        vectors.fold(self.width, |lead, vector| {
            let mut pairs = first[..lead].iter().zip(vector);
            pairs.position(|(a, b)| a != b).unwrap_or(lead)
        })
    }

    fn vector(&self, number: u32) -> &[u32] {
        let at = number as usize * self.width;
        &self.words[at..at + self.width]
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for number in 0..self.len as u32 {
            let mut at = hash(self.vector(number)) as usize & mask;
            while table[at] != 0 {
                at = (at + 1) & mask;
            }
            table[at] = number + 1;
        }
        self.table = table;
    }
}

pub(crate) fn hash(vector: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    for word in vector {
        hasher.write_u32(*word);
    }
    // The upper bits of this hash are the better ones.
    let hash = hasher.finish();
    hash ^ hash >> 32
}
