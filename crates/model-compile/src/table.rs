//! Gives values that do not fit a slot a number, once for all workers.
//!
//! Reading a number is two atomic loads; finding the number of a value takes the lock of one shard.
//! Invariant: equal values have equal numbers, and a number never changes its value.

use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::rep::Info;
use crate::value::{Row, V};

/// The size of the first chunk; each further one is twice as large.
const FIRST: usize = 64;
/// Enough chunks for 2^31 values.
const CHUNKS: usize = 26;
/// Locks: more than threads, so that two rarely meet.
const SHARDS: usize = 64;

/// What a value takes beside its parts: its place by number, its place in a map that is not full.
const EACH: u64 = (size_of::<OnceLock<V>>() + 2 * size_of::<(V, u32)>()) as u64;

type Chunk = Box<[OnceLock<V>]>;

/// Numbered values.
pub(crate) struct Table {
    chunks: [OnceLock<Chunk>; CHUNKS],
    next: AtomicU32,
    bytes: AtomicU64,
    shards: Vec<Mutex<FxHashMap<V, u32>>>,
}

impl Table {
    pub(crate) fn new() -> Table {
        let table = Table {
            chunks: [const { OnceLock::new() }; CHUNKS],
            next: AtomicU32::new(0),
            bytes: AtomicU64::new(0),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        };
        // Number 0 is what a slot holds before it is written.
        table.number(V::None);
        table
    }

    /// The value of a number that [`Table::number`] gave out; `V::None` for any other.
    pub(crate) fn value(&self, number: u32) -> V {
        self.get(number).cloned().unwrap_or(V::None)
    }

    /// The same without a share in it, so that threads that read one value do not wait for each other.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&V> {
        let (chunk, offset) = place(number);
        let chunk = self.chunks.get(chunk)?.get()?;
        chunk.get(offset)?.get()
    }

    /// The number of a value.
    pub(crate) fn number(&self, value: V) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        let shard = &self.shards[(hash >> 40) as usize % SHARDS];
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = shard.get(&value) {
            return *number;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        assert!(
            number < 1 << 31,
            "a run has fewer than 2^31 distinct values"
        );
        let (chunk, offset) = place(number);
        let chunk = self.chunks[chunk]
            .get_or_init(|| (0..FIRST << chunk).map(|_| OnceLock::new()).collect());
        self.bytes
            .fetch_add(EACH + value.heap_bytes(), Ordering::Relaxed);
        let _ = chunk[offset].set(value.clone());
        shard.insert(value, number);
        number
    }

    /// The slot of a value that is kept as a tree: a small row as it is, a number for any other.
    #[inline]
    pub(crate) fn write(&self, value: V) -> u32 {
        match value.row().and_then(|row| row.slot()) {
            Some(slot) => slot,
            None => self.number(value),
        }
    }

    /// The value of such a slot.
    #[inline]
    pub(crate) fn read(&self, info: &Info, slot: u32) -> V {
        match info.held.and_then(|held| Row::of_slot(held, slot)) {
            Some(row) => row.value(),
            None => self.value(slot),
        }
    }

    /// About the bytes of all values; what they share counts for each.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// How many values have a number.
    pub(crate) fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }
}

fn place(number: u32) -> (usize, usize) {
    let group = number as usize / FIRST + 1;
    let chunk = group.ilog2() as usize;
    (chunk, number as usize - FIRST * ((1 << chunk) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_numbers_and_keep_them() {
        let table = Table::new();
        let numbers: Vec<u32> = (0..10_000).map(|i| table.number(V::Int(i * 7))).collect();
        for (i, number) in numbers.iter().enumerate() {
            assert_eq!(table.value(*number), V::Int(i as i64 * 7));
            assert_eq!(table.number(V::Int(i as i64 * 7)), *number);
        }
        assert_eq!(table.len(), 10_001);
    }

    #[test]
    fn threads_agree_on_numbers() {
        let table = Table::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for i in 0..2_000 {
                        let number = table.number(V::Int(i));
                        assert_eq!(table.value(number), V::Int(i));
                    }
                });
            }
        });
        assert_eq!(table.len(), 2_001);
    }
}
