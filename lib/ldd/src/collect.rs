//! Makes room for more nodes: gives back the numbers of dead ones, or enlarges the tables within the budget.
//!
//! Invariant: numbers of nodes that roots lead to do not change.

use std::fmt;
use std::sync::atomic::AtomicU64;

use crate::table::{bytes_for, hash3};
use crate::{Node, Store};

/// The budget does not suffice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the budget of the diagrams is used up")
    }
}

impl std::error::Error for NoRoom {}

/// Below this many nodes (about 200 MB) tables grow without looking for garbage: what the cache remembers is worth
/// more than the room.
const SMALL: usize = 1 << 22;

impl Store<'_> {
    /// Keeps what `roots` lead to and makes room for more: after an operation ended with [`crate::Halt::Full`].
    ///
    /// # Errors
    /// When the budget allows no larger tables and hardly anything can be given back.
    pub fn make_room(&mut self, roots: &[Node]) -> Result<(), NoRoom> {
        let capacity = self.nodes.len();
        self.note_peak();
        let may_grow = bytes_for(capacity * 2) <= self.budget && capacity < 1 << 31;
        if capacity < SMALL && may_grow {
            self.resize(capacity * 2);
            return Ok(());
        }
        let marks = self.mark(roots);
        let live: usize = marks.iter().map(|word| word.count_ones() as usize).sum();
        if live * 2 > capacity && may_grow {
            self.resize(capacity * 2);
            return Ok(());
        }
        self.sweep(&marks);
        // A table that is nearly full of live nodes would be collected again at once.
        if live > capacity / 16 * 15 {
            return Err(NoRoom);
        }
        Ok(())
    }

    /// Forgets all nodes that the roots do not need.
    pub fn collect(&mut self, roots: &[Node]) {
        self.note_peak();
        let marks = self.mark(roots);
        self.sweep(&marks);
    }

    /// The tables take at most about so many bytes from now on.
    pub fn set_budget(&mut self, bytes: usize) {
        self.budget = bytes;
    }

    fn note_peak(&mut self) {
        self.peak_nodes = self.peak_nodes.max(self.occupied() as u64);
        self.peak_bytes = self.peak_bytes.max(self.bytes() as u64);
    }

    pub(crate) fn resize(&mut self, capacity: usize) {
        self.forget_portions();
        let next = self.next.get_mut();
        *next = (*next).min(self.nodes.len().max(2));
        self.nodes.resize_with(capacity, Default::default);
        self.cache.resize(capacity);
        let old = std::mem::take(&mut self.buckets);
        self.buckets.resize_with(capacity * 2, AtomicU64::default);
        // Only what stands in a bucket is a node: numbers that were taken and not used are not.
        for bucket in old {
            let word = bucket.into_inner();
            if word != 0 {
                self.insert(word as u32);
            }
        }
        let taken = (*self.taken.get_mut()).min(self.free.len());
        self.free.drain(..taken);
        *self.taken.get_mut() = 0;
    }

    fn mark(&self, roots: &[Node]) -> Vec<u64> {
        let mut marks = vec![0u64; self.nodes.len().div_ceil(64)];
        let mut stack: Vec<Node> = roots.to_vec();
        while let Some(mut node) = stack.pop() {
            while !node.is_leaf() {
                let (word, bit) = (node.0 as usize / 64, 1 << (node.0 % 64));
                if marks[word] & bit != 0 {
                    break;
                }
                marks[word] |= bit;
                stack.push(self.down(node));
                node = self.right(node);
            }
        }
        marks
    }

    fn sweep(&mut self, marks: &[u64]) {
        self.collections += 1;
        self.forget_portions();
        self.cache.clear();
        for bucket in &mut self.buckets {
            *bucket.get_mut() = 0;
        }
        self.free.clear();
        *self.taken.get_mut() = 0;
        let next = (*self.next.get_mut()).min(self.nodes.len());
        *self.next.get_mut() = next;
        for number in 2..next {
            if marks[number / 64] >> (number % 64) & 1 == 1 {
                self.insert(number as u32);
            } else {
                self.free.push(number as u32);
            }
        }
    }

    /// Puts an existing node into the buckets.
    fn insert(&mut self, number: u32) {
        let (value, down, right) = self.parts(Node(number));
        let hash = hash3(value, down.0, right.0);
        let mask = self.buckets.len() - 1;
        let mut at = hash as usize & mask;
        while *self.buckets[at].get_mut() != 0 {
            at = (at + 1) & mask;
        }
        *self.buckets[at].get_mut() = hash >> 32 << 32 | u64::from(number);
    }
}
