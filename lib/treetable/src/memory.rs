//! Where records lie: whole words, or pairs in as few bits as they need ([`crate::pairs`]).

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::column::{Column, prefetch};
use crate::records::hash_record;

/// Records by number. What was never written is zero.
pub trait Memory: Sync {
    /// The words of a record.
    fn width(&self) -> usize;

    /// The bytes of so many records.
    fn bytes(&self, records: usize) -> usize;

    /// Makes sure that the records below `records` can be written; `false` when there is no memory for them.
    fn reserve(&self, records: usize) -> bool;

    /// For how many records there is memory once it is reserved for so many.
    fn reserved(&self, records: usize) -> usize;

    /// How many records so many bytes take.
    fn records(&self, bytes: usize) -> usize;

    /// Whether a record can be written as it is; if not, [`Memory::widen`] has to make it possible.
    fn takes(&self, record: &[u64]) -> bool;

    /// Whether a record was refused that would be taken after [`Memory::widen`].
    fn is_narrow(&self) -> bool;

    /// Takes from now on what was refused, of `len` records; `false` when `budget` bytes or the memory there is do not allow it.
    /// Nobody else may be looking. Records that were not written have to be cleared after that.
    fn widen(&self, len: usize, budget: usize) -> bool;

    /// Asks the processor for a record without waiting.
    fn prefetch(&self, id: u32);

    /// Word `at` of a record.
    fn word(&self, id: u32, at: usize) -> u64;

    /// Tells the words of a record, in order.
    fn read(&self, id: u32, each: impl FnMut(usize, u64));

    /// The hashes of some records; `record` has room for one.
    fn hash(&self, ids: Range<u32>, record: &mut [u64], hashes: &mut [u64]) {
        for (id, hash) in ids.zip(hashes) {
            self.read(id, |at, word| record[at] = word);
            *hash = hash_record(record);
        }
    }

    /// Whether it is this one.
    fn equals(&self, id: u32, record: &[u64]) -> bool;

    /// Writes a record that it takes where none was written; `is_alone` says that no other thread writes.
    fn write(&self, id: u32, record: &[u64], is_alone: bool);

    /// Makes a record what it was before it was written.
    fn clear(&self, id: u32);
}

/// Records of some words each.
pub struct Words {
    words: Column<AtomicU64>,
    width: usize,
}

impl Words {
    /// No records of so many words.
    pub fn new(width: usize) -> Words {
        Words {
            words: Column::new(),
            width,
        }
    }

    /// Even records without words take a place.
    fn taken(&self) -> usize {
        self.width.max(1)
    }
}

impl Memory for Words {
    fn width(&self) -> usize {
        self.width
    }

    fn bytes(&self, records: usize) -> usize {
        records * self.width * 8
    }

    fn reserve(&self, records: usize) -> bool {
        self.words.reserve(records * self.taken())
    }

    fn reserved(&self, records: usize) -> usize {
        Column::<AtomicU64>::reserved_beyond(records * self.taken() - 1) / self.taken()
    }

    fn records(&self, bytes: usize) -> usize {
        bytes / 8 / self.taken()
    }

    #[inline]
    fn takes(&self, _: &[u64]) -> bool {
        true
    }

    fn is_narrow(&self) -> bool {
        false
    }

    fn widen(&self, _: usize, _: usize) -> bool {
        true
    }

    #[inline]
    fn prefetch(&self, id: u32) {
        if let Some(words) = self.words.run(id as usize * self.width, self.width)
            && let (Some(first), Some(last)) = (words.first(), words.last())
        {
            prefetch(first);
            prefetch(last);
        }
    }

    #[inline]
    fn word(&self, id: u32, at: usize) -> u64 {
        self.words.get(id as usize * self.width + at).load(Relaxed)
    }

    #[inline]
    fn read(&self, id: u32, mut each: impl FnMut(usize, u64)) {
        match self.words.run(id as usize * self.width, self.width) {
            Some(words) => {
                let words = words.iter().enumerate();
                words.for_each(|(at, word)| each(at, word.load(Relaxed)));
            }
            None => (0..self.width).for_each(|at| each(at, self.word(id, at))),
        }
    }

    #[inline]
    fn equals(&self, id: u32, record: &[u64]) -> bool {
        if let [word] = record {
            return self.words.get(id as usize).load(Relaxed) == *word;
        }
        let mut is_equal = true;
        self.read(id, |at, word| is_equal &= word == record[at]);
        is_equal
    }

    #[inline]
    fn write(&self, id: u32, record: &[u64], _: bool) {
        if let Some(words) = self.words.run(id as usize * self.width, self.width) {
            let words = words.iter().zip(record);
            return words.for_each(|(place, word)| place.store(*word, Relaxed));
        }
        for (at, word) in record.iter().enumerate() {
            let place = self.words.get(id as usize * self.width + at);
            place.store(*word, Relaxed);
        }
    }

    /// What is written over needs no clearing.
    fn clear(&self, _: u32) {}
}
