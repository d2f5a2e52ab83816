//! Records of fixed width with dense numbers, and an index that finds the number of a record.
//!
//! Technique: open addressing over 32-bit words; a word holds a number and, in the bits the numbers of a table of
//! this size do not need, a tag from the hash, so that a probe rarely looks at the record itself. Four records that
//! differ in their last two bits only start side by side, and every further probe is four words on, so that they
//! stay side by side: numbers and values that are close are asked for together, and memory is waited for once.
//! An inserter claims a free word with a pending mark, writes the record, then publishes the number: lookups take
//! no lock. Where one thread works alone nothing is claimed. Several threads take numbers in blocks, so that they do
//! not write to the same cache lines in turns; what they leave of their blocks is filled up at the end
//! ([`Records::close_gaps`]).
//! Invariant: every number below `len` that is published has its record completely written (release/acquire).
//! Invariant: a number below `len` without a record is part of a block that a session holds, or in `left`.
//! Invariant: an index word never becomes free again.

mod grow;

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Found;
use crate::column::prefetch;
use crate::hash::{hash_pairs, mix};
use crate::memory::Memory;

/// Threads may pass the check of the limit together: so many numbers are kept free, and so many sessions are
/// allowed at once.
pub const SLACK: usize = 256;
/// The smallest index.
const SMALLEST: usize = 1 << 10;
/// An index below this size has room for four times as many when it grows: 1 MB.
const QUICK: usize = 1 << 18;
/// One from this size on gets room for a third more: 4 MB.
const LARGE: usize = 1 << 20;
/// Words of a cache line.
const LINE: usize = 16;
/// Records that differ in so many last bits only are neighbours in an index.
const NEAR: u32 = 2;
/// So many of them.
const NEIGHBOURS: usize = 1 << NEAR;
/// A block has at most so many numbers: the words of a few cache lines.
const BLOCK: usize = 64;
/// While an index is built memory is asked for so many records ahead.
const AHEAD: usize = 32;
/// An index for fewer records than this is built by one thread.
const WORTH_SHARING: usize = 1 << 16;

/// The records.
pub struct Records<M> {
    memory: M,
    next: AtomicU32,
    /// What is left of blocks that nobody holds.
    left: Mutex<Vec<Block>>,
    threads: usize,
    most: usize,
}

/// Numbers for new records of one thread: `next` and up, below `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    next: u32,
    end: u32,
}

/// The numbers that one thread holds for new records: those that it takes, and more for what waits to be inserted.
#[derive(Default)]
pub struct Numbers {
    now: Block,
    later: Block,
}

/// Finds numbers by record; replaced by a larger one under a lock.
pub struct Index {
    /// A line more than the capacity, so that neighbours lie in one cache line.
    words: Box<[AtomicU32]>,
    /// The first word that is used.
    first: usize,
    /// One more than the last.
    end: usize,
    /// Words for each number of neighbours.
    places: usize,
    /// The bits of a word that are its number.
    id_mask: u32,
    limit: usize,
}

impl<M: Memory> Records<M> {
    /// No records in an empty memory, to be used by so many threads. There will be at most about `most`:
    /// exactly so many for one thread, each other one may add one more.
    pub fn new(memory: M, threads: usize, most: usize) -> Records<M> {
        Records {
            memory,
            next: AtomicU32::new(0),
            left: Mutex::default(),
            threads,
            most,
        }
    }

    /// The words of one.
    pub fn width(&self) -> usize {
        self.memory.width()
    }

    /// How many there are, what is left of blocks included.
    pub fn len(&self) -> usize {
        self.next.load(Acquire) as usize
    }

    /// Word `at` of record `id`.
    #[inline]
    pub fn word(&self, id: u32, at: usize) -> u64 {
        self.memory.word(id, at)
    }

    /// The bytes of the records.
    pub fn bytes(&self) -> usize {
        self.memory.bytes(self.len())
    }

    /// Whether a record can be inserted; it cannot when it is the first of its size, until the records have grown.
    #[inline]
    pub fn takes(&self, record: &[u64]) -> bool {
        self.memory.takes(record)
    }

    /// The number of `record`, a new one if it has none.
    #[inline(never)]
    pub fn insert(&self, index: &Index, record: &[u64]) -> Found {
        if !self.takes(record) {
            return Found::Full;
        }
        self.insert_hashed(index, record, hash_record(record), None)
    }

    /// Asks for the memory that an insert of a record with this hash looks at first, without waiting for it.
    #[inline]
    pub fn announce(&self, index: &Index, hash: u64) {
        prefetch(&index.words[index.probe(hash).at]);
    }

    /// Asks for the memory of the record that an insert with this hash will compare, once what [`Records::announce`] asked for
    /// has come.
    #[inline]
    pub fn approach(&self, index: &Index, hash: u64) {
        let id = index.words[index.probe(hash).at].load(Relaxed) & index.id_mask;
        let len = self.next.load(Relaxed);
        if (1..=len).contains(&id) {
            self.memory.prefetch(id - 1);
        }
    }

    /// Asks for what inserts of records with these hashes will look at, all at once, so that the processor waits for memory once
    /// and not once for each record.
    #[inline]
    pub fn warm(&self, index: &Index, hashes: impl Iterator<Item = u64> + Clone) {
        for hash in hashes.clone() {
            self.announce(index, hash);
        }
        for hash in hashes {
            self.approach(index, hash);
        }
    }

    /// The same for a record that is taken and whose hash is known; a new number is one of those that the thread holds, if it holds any.
    #[inline(always)]
    pub fn insert_hashed(
        &self,
        index: &Index,
        record: &[u64],
        hash: u64,
        mut held: Option<&mut Numbers>,
    ) -> Found {
        let tag = index.tag(hash);
        let mut probe = index.probe(hash);
        loop {
            let slot = &index.words[probe.at];
            let mut word = slot.load(Acquire);
            if word == 0 {
                if let Some(held) = &mut held {
                    if held.now.len() == 0 && !self.take_more(index, held) {
                        return Found::Full;
                    }
                } else {
                    let next = self.next.load(Relaxed);
                    if next as usize >= index.limit {
                        return Found::Full;
                    }
                    if self.threads == 1 {
                        self.next.store(next + 1, Release);
                        self.memory.write(next, record, true);
                        slot.store(tag | (next + 1), Release);
                        return Found::New(next);
                    }
                }
                match slot.compare_exchange(0, tag | index.id_mask, AcqRel, Acquire) {
                    Ok(_) => {
                        let id = match &mut held {
                            Some(held) => held.now.take(),
                            None => self.next.fetch_add(1, Relaxed),
                        };
                        self.memory.write(id, record, false);
                        slot.store(tag | (id + 1), Release);
                        return Found::New(id);
                    }
                    Err(now) => word = now,
                }
            }
            if word & !index.id_mask == tag {
                let id = published(slot, word, index.id_mask) - 1;
                if self.memory.equals(id, record) {
                    return Found::Seen(id);
                }
            }
            probe.step(index);
        }
    }

    /// Whether there is room for so many new records: for sure with numbers that the thread holds, which takes some ahead where that
    /// helps, or while nobody else inserts.
    #[inline]
    pub fn has_room(&self, index: &Index, held: Option<&mut Numbers>, wanted: usize) -> bool {
        let Some(held) = held else {
            return self.spare(index) >= wanted;
        };
        let more = wanted.saturating_sub(held.now.len());
        if more > 0 && held.later.len() == 0 {
            self.refill(index, &mut held.later);
        }
        held.later.len() >= more
    }

    #[cold]
    fn take_more(&self, index: &Index, held: &mut Numbers) -> bool {
        std::mem::swap(&mut held.now, &mut held.later);
        held.now.len() > 0 || self.refill(index, &mut held.now)
    }

    /// Fills an empty block; `false` when there is no number within the limits of the index.
    #[cold]
    fn refill(&self, index: &Index, block: &mut Block) -> bool {
        if let Some(left) = self.left().pop() {
            *block = left;
            return true;
        }
        let wanted = |next: u32| {
            let room = index.limit.saturating_sub(next as usize);
            // Near the limit blocks get small, so that one thread does not keep what another one needs.
            (room / (BLOCK * self.threads)).clamp(room.min(1), BLOCK) as u32
        };
        let mut next = self.next.load(Relaxed);
        while wanted(next) > 0 {
            let end = next + wanted(next);
            match self.next.compare_exchange(next, end, Relaxed, Relaxed) {
                Ok(_) => {
                    *block = Block { next, end };
                    return true;
                }
                Err(now) => next = now,
            }
        }
        false
    }

    /// Takes back the numbers that were not used. A thread must not keep any while the index grows.
    pub fn give_back(&self, held: &mut Numbers) {
        let Numbers { now, later } = std::mem::take(held);
        for block in [now, later] {
            if block.len() > 0 {
                self.left().push(block);
            }
        }
    }

    fn left(&self) -> MutexGuard<'_, Vec<Block>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the last records the numbers that are left of blocks, so that numbers are dense again, and lists
    /// (old number, new number). Nobody may hold a block.
    pub fn close_gaps(&self, index: &Index) -> Vec<(u32, u32)> {
        let mut left = std::mem::take(&mut *self.left());
        left.sort_unstable();
        let gaps: u32 = left.iter().map(|block| block.end - block.next).sum();
        let (end, len) = (self.next.load(Acquire), self.next.load(Acquire) - gaps);
        let free = left.iter().flat_map(|block| block.next..block.end);
        let is_free = |id: &u32| {
            left.iter()
                .any(|block| (block.next..block.end).contains(id))
        };
        let last = (len..end).filter(|id| !is_free(id));
        let moves: Vec<(u32, u32)> = last.zip(free).collect();
        for (from, to) in &moves {
            self.renumber(index, *from, *to);
        }
        self.next.store(len, Release);
        moves
    }

    fn renumber(&self, index: &Index, from: u32, to: u32) {
        let record: Vec<u64> = (0..self.width()).map(|at| self.word(from, at)).collect();
        self.memory.write(to, &record, false);
        self.memory.clear(from);
        let hash = hash_record(&record);
        let mut probe = index.probe(hash);
        let (old, new) = (index.tag(hash) | (from + 1), index.tag(hash) | (to + 1));
        while index.words[probe.at].load(Acquire) != old {
            probe.step(index);
        }
        index.words[probe.at].store(new, Release);
    }

    /// Tells the words of a record, in order.
    #[inline]
    pub fn read(&self, id: u32, each: impl FnMut(usize, u64)) {
        self.memory.read(id, each);
    }

    /// Adds a record that is known to be new, before there is an index (reading a saved store).
    /// `false` when there is no memory.
    pub fn restore(&self, record: &[u64]) -> bool {
        let id = self.next.load(Relaxed);
        let is_taken = self.takes(record) || self.memory.widen(id as usize, usize::MAX);
        if id == u32::MAX || !is_taken || !self.memory.reserve(id as usize + 1) {
            return false;
        }
        self.memory.write(id, record, true);
        self.next.store(id + 1, Release);
        true
    }
}

impl Block {
    #[inline]
    fn len(&self) -> usize {
        (self.end - self.next) as usize
    }

    /// Must not be empty.
    #[inline]
    fn take(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

impl Index {
    /// The bytes of the index.
    pub fn bytes(&self) -> usize {
        self.words.len() * 4
    }

    /// Where the search for a hash starts: the high bits scaled to the size, the last bits as they are.
    #[inline]
    fn probe(&self, hash: u64) -> Probe {
        let place = ((hash >> 32) as usize * self.places) >> 32;
        let at = self.first + place * NEIGHBOURS + hash as usize % NEIGHBOURS;
        Probe { at, passed: 0 }
    }

    fn capacity(&self) -> usize {
        self.end - self.first
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        hash as u32 & !self.id_mask
    }
}

/// A place in an index, and how often the search passed the end.
struct Probe {
    at: usize,
    passed: u32,
}

impl Probe {
    #[inline]
    fn step(&mut self, index: &Index) {
        self.at += NEIGHBOURS;
        if self.at >= index.end {
            self.pass(index);
        }
    }

    /// Goes on from the beginning. Who passes the end twice has seen that a quarter of the words is full, which hardly ever happens;
    /// there is room in another one.
    #[cold]
    fn pass(&mut self, index: &Index) {
        self.at -= index.capacity();
        self.passed += 1;
        if self.passed == 2 {
            self.passed = 0;
            self.at = index.first + (self.at - index.first + 1) % NEIGHBOURS;
        }
    }
}

/// The hash of a record. Its last bits tell neighbours apart; they are turned by the rest, so that records whose
/// last bits are always the same are spread as well.
#[inline]
pub fn hash_record(record: &[u64]) -> u64 {
    if let [word] = record {
        let hash = mix(*word >> NEAR);
        let last = NEIGHBOURS as u64 - 1;
        return hash & !last | hash.wrapping_add(*word) & last;
    }
    hash_pairs(record)
}

/// Waits until the inserter that claimed the word has published its number.
#[inline]
fn published(slot: &AtomicU32, mut word: u32, id_mask: u32) -> u32 {
    let mut spins = 0;
    while word & id_mask == id_mask {
        spins += 1;
        if spins % 64 == 0 {
            std::thread::yield_now();
        }
        std::hint::spin_loop();
        word = slot.load(Acquire);
    }
    word & id_mask
}
