//! Says which worker owns a state: by a hash of its values that is the same in every process.
//!
//! Technique: the hash of a state is the sum of a hash for each slot and value (Zobrist), so a successor that differs in one
//! slot costs two of them; short states without numbers are hashed as a whole. A number of an interned value is hashed by the bytes of the value, once for each number.
//! Differs from the hashes of the store on purpose: states of one owner would crowd in a part of its table otherwise.

use pins::System;

/// States of at most so many slots are hashed as a whole, if no value has to be looked up for that.
const SHORT: usize = 32;

/// Finds owners.
pub struct Routing<'r> {
    system: &'r dyn System,
    /// For each slot from which word on its words are numbers.
    numbered_from: Vec<Option<u32>>,
    /// For each such slot the hashes of its numbers; 0 where that was not asked.
    contents: Vec<Vec<u64>>,
    /// Whether states are hashed as a whole: short ones without numbers.
    is_whole: bool,
    peers: u64,
    scratch: Vec<u8>,
    /// Why a value could not be hashed: the run cannot go on.
    pub problem: Option<String>,
}

impl<'r> Routing<'r> {
    /// For so many workers.
    pub fn new(system: &'r dyn System, peers: usize) -> Routing<'r> {
        let slots = system.shape().slots.len();
        let numbered_from: Vec<_> = (0..slots).map(|slot| system.numbered_from(slot)).collect();
        Routing {
            system,
            is_whole: slots <= SHORT && numbered_from.iter().all(Option::is_none),
            numbered_from,
            contents: vec![Vec::new(); slots],
            peers: peers as u64,
            scratch: Vec::new(),
            problem: None,
        }
    }

    /// For each slot from which word on its words are numbers.
    pub fn numbered_from(&self) -> &[Option<u32>] {
        &self.numbered_from
    }

    /// Whether nobody needs to know where a state differs from another one.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The hash of a state.
    pub fn hash(&mut self, vector: &[u32]) -> u64 {
        if self.is_whole {
            return whole(vector);
        }
        let words = vector.iter().enumerate();
        words.fold(0, |hash: u64, (slot, word)| {
            hash.wrapping_add(self.part(slot, *word))
        })
    }

    /// The hash of a state that differs in some slots from one whose hash is known.
    #[inline]
    pub fn hash_successor(
        &mut self,
        hash: u64,
        (from, to): (&[u32], &[u32]),
        changed: &[u64],
    ) -> u64 {
        if self.is_whole {
            return whole(to);
        }
        let mut hash = hash;
        for (at, word) in changed.iter().enumerate() {
            let mut bits = *word;
            while bits != 0 {
                let slot = at * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                hash = hash
                    .wrapping_sub(self.part(slot, from[slot]))
                    .wrapping_add(self.part(slot, to[slot]));
            }
        }
        hash
    }

    /// The worker that owns a state with this hash.
    #[inline]
    pub fn owner(&self, hash: u64) -> usize {
        let spread = scramble(hash) >> 32;
        ((spread * self.peers) >> 32) as usize
    }

    #[inline]
    fn part(&mut self, slot: usize, word: u32) -> u64 {
        let value = match self.numbered_from[slot] {
            Some(from) if word >= from => self.content(slot, word, word - from),
            _ => u64::from(word),
        };
        scramble(value.wrapping_add((slot as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)))
    }

    /// The hash of the value that a number stands for.
    fn content(&mut self, slot: usize, word: u32, number: u32) -> u64 {
        if let Some(hash) = self.contents[slot].get(number as usize)
            && *hash != 0
        {
            return *hash;
        }
        self.scratch.clear();
        if let Err(problem) = self.system.write_value(slot, word, &mut self.scratch) {
            self.problem.get_or_insert(problem);
            return 1;
        }
        let hash = content_hash(&self.scratch);
        let known = &mut self.contents[slot];
        if known.len() <= number as usize {
            known.resize(number as usize + 1, 0);
        }
        known[number as usize] = hash;
        hash
    }

    /// What a word is to all processes: itself, or the hash of its value.
    pub fn common(&mut self, slot: usize, word: u32) -> u64 {
        match self.numbered_from[slot] {
            Some(from) if word >= from => self.content(slot, word, word - from) | 1 << 63,
            _ => u64::from(word),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let hashes: usize = self.contents.iter().map(Vec::len).sum();
        hashes as u64 * 8
    }
}

/// The hash of all words of a state.
#[inline]
fn whole(vector: &[u32]) -> u64 {
    let (pairs, rest) = vector.as_chunks::<2>();
    let mut hash = 0;
    for [low, high] in pairs {
        hash = mixed(hash, u64::from(*low) | u64::from(*high) << 32);
    }
    rest.iter()
        .fold(hash, |hash, word| mixed(hash, u64::from(*word)))
}

#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 32
}

/// Never 0.
fn content_hash(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let head = hash.as_bytes().first_chunk().copied().unwrap_or_default();
    u64::from_le_bytes(head).max(1)
}

/// Spreads a word over all bits; another function than the one that indexes the store.
#[inline]
fn scramble(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ word >> 32).wrapping_mul(0xcf1b_bcdc_b7a5_6463);
    word ^ word >> 32
}
