//! Making an index of records, and a larger one when it is full.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use super::{
    AHEAD, Block, Index, LARGE, LINE, NEIGHBOURS, QUICK, Records, SLACK, SMALLEST, WORTH_SHARING,
};
use crate::column::{SPREAD, zeroed};
use crate::memory::Memory;

impl<M: Memory> Records<M> {
    /// An index for the records there are; `None` when there is no memory.
    pub fn index(&self) -> Option<Index> {
        let reserved = self.reserve_more(usize::MAX / 16)?;
        let mut capacity = SMALLEST;
        while spacious(capacity) <= self.len() + SLACK {
            capacity = self.larger(capacity);
        }
        let index = self.empty_index(capacity, reserved)?;
        self.enter_all(&index);
        Some(index)
    }

    /// Makes room for more records within `budget` bytes; `false` when that is impossible. The index must
    /// not be in use.
    pub fn grow(&self, index: &mut Index, budget: usize) -> bool {
        if self.memory.is_narrow() {
            return self.widen(index, budget);
        }
        let (before, capacity) = (index.limit, index.capacity());
        if before >= self.most {
            return false;
        }
        // While it is small it grows fast: entering everything again costs more than the memory.
        let is_quick = capacity < QUICK && self.bytes() + capacity * 40 <= budget;
        let wanted = if is_quick {
            capacity * 4
        } else {
            self.larger(capacity)
        };
        if before >= spacious(capacity)
            // What others keep of each state is not part of this budget: it finds room where the old index was.
            && self.bytes() + (capacity + wanted) * 4 <= budget
            && wanted < u32::MAX as usize / 2
            && let Some(reserved) = self.reserve_more(budget - wanted * 4)
            && let Some(empty) = self.empty_index(wanted, reserved)
        {
            // The old one is given back before memory of the new one is touched: there are never two.
            *index = empty;
            self.enter_all(index);
            return index.limit > before;
        }
        let Some(reserved) = self.reserve_more(budget.saturating_sub(index.bytes())) else {
            return false;
        };
        // Either only the records had no room, or the index cannot grow and is filled to the brim.
        let room = if before < spacious(capacity) {
            spacious(capacity)
        } else {
            brim(capacity)
        };
        index.limit = room.min(reserved - SLACK).max(before).min(self.most);
        index.limit > before
    }

    /// Takes larger records from now on; those there are may leave less room for others.
    fn widen(&self, index: &mut Index, budget: usize) -> bool {
        let budget = budget.saturating_sub(index.bytes());
        if !self.memory.widen(self.len(), budget) {
            return false;
        }
        for block in self.left().iter() {
            (block.next..block.end).for_each(|id| self.memory.clear(id));
        }
        let reserved = self.reserve_more(budget);
        let room = reserved.map_or(self.len(), |reserved| reserved - SLACK);
        index.limit = index.limit.min(room);
        true
    }

    /// Makes an index that has no place for so many records larger, before it is full; what is no question of the index waits until
    /// it is needed. The index must not be in use.
    pub fn expect(&self, index: &mut Index, records: usize, budget: usize) {
        while index.is_short(records) && self.grow(index, budget) {}
    }

    /// How many new records would be taken.
    #[inline]
    pub fn spare(&self, index: &Index) -> usize {
        index.limit.saturating_sub(self.len())
    }

    /// Whether a new record would be refused.
    pub fn needs_room(&self, index: &Index) -> bool {
        self.len() >= index.limit || self.memory.is_narrow()
    }

    /// Reserves memory for some more records and says for how many records there is memory now.
    fn reserve_more(&self, budget: usize) -> Option<usize> {
        let wanted = self.len() + 2 * SLACK;
        let bytes = |records: usize| self.memory.bytes(records);
        if bytes(wanted) > budget.max(bytes(SMALLEST)) || !self.memory.reserve(wanted) {
            return None;
        }
        // Half of what is left, since other tables grow within the same budget.
        let used = self.bytes();
        let within = self.memory.records(used + budget.saturating_sub(used) / 2);
        Some(self.memory.reserved(wanted).min(within.max(wanted)))
    }

    /// The size of an index after this one. A large one grows by a third, so that a quarter of it at most is there for later only;
    /// beside records that are larger than two of its words that would save less than it costs.
    fn larger(&self, capacity: usize) -> usize {
        match capacity < LARGE || self.memory.bytes(LINE) > LINE * 8 {
            true => capacity * 2,
            false => (capacity + capacity / 3).next_multiple_of(LINE),
        }
    }

    fn empty_index(&self, capacity: usize, reserved: usize) -> Option<Index> {
        let words: Box<[AtomicU32]> = zeroed(capacity + LINE, SPREAD)?;
        let first = words.as_ptr().align_offset(LINE * 4).min(LINE);
        Some(Index {
            first,
            end: first + capacity,
            places: capacity / NEIGHBOURS,
            words,
            id_mask: u32::MAX >> (capacity as u32 + 1).leading_zeros(),
            limit: spacious(capacity).min(reserved - SLACK).min(self.most),
        })
    }

    fn enter_all(&self, index: &Index) {
        let len = self.next.load(Acquire);
        let left = self.left().clone();
        if self.threads == 1 || (len as usize) < WORTH_SHARING {
            return self.enter(index, 0, len, &left);
        }
        // All others wait for the index meanwhile, so their processors are free.
        let share = len.div_ceil(self.threads as u32);
        std::thread::scope(|scope| {
            for from in (share..len).step_by(share as usize) {
                let left = &left;
                scope.spawn(move || self.enter(index, from, len.min(from + share), left));
            }
            self.enter(index, 0, share, &left);
        });
    }

    /// Enters the numbers of some records, which are all different, into an index; blocks that are `left` have none.
    fn enter(&self, index: &Index, from: u32, to: u32, left: &[Block]) {
        let mut record = vec![0; self.width()];
        let mut hashes = [0; AHEAD];
        let is_left = |id: u32| {
            let mut left = left.iter();
            left.any(|block| (block.next..block.end).contains(&id))
        };
        for first in (from..to).step_by(AHEAD) {
            let ids = first..to.min(first + AHEAD as u32);
            self.memory.hash(ids.clone(), &mut record, &mut hashes);
            let hashed = &hashes[..ids.len()];
            hashed.iter().for_each(|hash| self.announce(index, *hash));
            for (id, hash) in ids.zip(&hashes) {
                if left.is_empty() || !is_left(id) {
                    self.enter_one(index, id, *hash);
                }
            }
        }
    }

    #[inline]
    fn enter_one(&self, index: &Index, id: u32, hash: u64) {
        let word = index.tag(hash) | (id + 1);
        let mut probe = index.probe(hash);
        loop {
            let slot = &index.words[probe.at];
            if slot.load(Relaxed) == 0 {
                if self.threads == 1 {
                    slot.store(word, Relaxed);
                    return;
                }
                if slot.compare_exchange(0, word, Relaxed, Relaxed).is_ok() {
                    return;
                }
            }
            probe.step(index);
        }
    }
}

impl Index {
    /// Whether it has to grow before there are so many records.
    #[inline]
    pub fn is_short(&self, records: usize) -> bool {
        self.limit >= spacious(self.capacity()) && self.limit < records
    }
}

/// How many numbers an index of this size takes before it grows: probes stay within a cache line or two.
fn spacious(capacity: usize) -> usize {
    (capacity / 5 * 4).min(capacity - SLACK - 1)
}

/// How many numbers an index takes when it may not grow: probes get long, but the answer is right.
fn brim(capacity: usize) -> usize {
    (capacity - capacity / 32).saturating_sub(SLACK)
}
