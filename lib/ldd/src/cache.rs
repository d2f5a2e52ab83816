//! Remembers results of operations, so that shared parts of diagrams are computed with once.
//!
//! A table without chains: a new entry replaces an old one. With several threads each entry carries a stamp
//! that is odd while it is written, and a reader that sees two different stamps has read nothing.
//! Invariant: an entry is read whole or not at all.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};

use crate::table::{Cx, Node, hash3};

/// Which operation; zero is a free entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Op {
    /// Union, intersection and difference.
    Union = 1,
    Intersect,
    Minus,
    /// Projection; with a third operand less what is known.
    Project,
    Matching,
    Downs,
    Forward,
    Backward,
    Fire,
    /// A relation at the first level of its group, without closing there.
    FireFirst,
    /// Whether a group was asked about a set.
    Learned,
    Saturate,
}

/// What is asked: an operation, a pattern or level, and up to three operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    what: u32,
    a: u32,
    b: u32,
    c: u32,
}

impl Key {
    #[inline]
    pub(crate) fn new(op: Op, detail: u32, a: Node, b: Node, c: Node) -> Key {
        Key {
            what: (op as u32) << 26 | detail,
            a: a.0,
            b: b.0,
            c: c.0,
        }
    }
}

/// Details are below this.
pub(crate) const MOST_DETAILS: u32 = 1 << 26;

/// The entries: stamp and operation, two operands, third operand and result.
pub(crate) struct Cache {
    entries: Vec<[AtomicU64; 3]>,
    is_shared: bool,
}

impl Cache {
    pub(crate) fn new(is_shared: bool) -> Cache {
        Cache {
            entries: Vec::new(),
            is_shared,
        }
    }

    /// Bytes beside a table with room for so many nodes: as many entries as nodes.
    pub(crate) fn bytes_for(capacity: usize) -> usize {
        capacity * 24
    }

    /// Takes the size that goes with a table; what was remembered stays.
    pub(crate) fn resize(&mut self, capacity: usize) {
        let old = std::mem::take(&mut self.entries);
        self.entries.resize_with(capacity, Default::default);
        for [stamp, operands, result] in old {
            let what = stamp.into_inner() as u32;
            if what == 0 {
                continue;
            }
            let (operands, result) = (operands.into_inner(), result.into_inner());
            let key = Key {
                what,
                a: (operands >> 32) as u32,
                b: operands as u32,
                c: (result >> 32) as u32,
            };
            let at = self.place(&key);
            self.entries[at] = [
                AtomicU64::new(u64::from(what)),
                AtomicU64::new(operands),
                AtomicU64::new(result),
            ];
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for entry in &mut self.entries {
            *entry[0].get_mut() = 0;
        }
    }

    #[inline]
    fn place(&self, key: &Key) -> usize {
        let first = hash3(key.what, key.a, key.b);
        let hash = (first ^ u64::from(key.c)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 20) as usize & (self.entries.len() - 1)
    }

    #[inline]
    fn get(&self, key: &Key) -> Option<Node> {
        let [stamp, operands, result] = &self.entries[self.place(key)];
        let before = stamp.load(Acquire);
        if before as u32 != key.what || before >> 32 & 1 == 1 {
            return None;
        }
        let (operands, result) = (operands.load(Relaxed), result.load(Relaxed));
        if self.is_shared {
            fence(Acquire);
            if stamp.load(Relaxed) != before {
                return None;
            }
        }
        let is_it = operands == u64::from(key.a) << 32 | u64::from(key.b)
            && result >> 32 == u64::from(key.c);
        is_it.then_some(Node(result as u32))
    }

    #[inline]
    fn put(&self, key: &Key, node: Node) {
        let [stamp, operands, result] = &self.entries[self.place(key)];
        let mut next = u64::from(key.what);
        if self.is_shared {
            let before = stamp.load(Relaxed);
            let number = before >> 32;
            let odd = (number | 1) << 32 | before & 0xffff_ffff;
            if number & 1 == 1
                || stamp
                    .compare_exchange(before, odd, Acquire, Relaxed)
                    .is_err()
            {
                return;
            }
            fence(Release);
            next |= ((number + 2) & 0xffff_ffff) << 32;
        }
        operands.store(u64::from(key.a) << 32 | u64::from(key.b), Relaxed);
        result.store(u64::from(key.c) << 32 | u64::from(node.0), Relaxed);
        stamp.store(next, Release);
    }
}

impl Cx<'_> {
    /// What is remembered.
    #[inline]
    pub(crate) fn recall(self, key: &Key) -> Option<Node> {
        let local = &self.store.locals[self.me];
        local
            .lookups
            .store(local.lookups.load(Relaxed) + 1, Relaxed);
        let found = self.store.cache.get(key);
        if found.is_some() {
            local.hits.store(local.hits.load(Relaxed) + 1, Relaxed);
        }
        found
    }

    /// Remembers a result.
    #[inline]
    pub(crate) fn remember(self, key: &Key, node: Node) -> Node {
        self.store.cache.put(key, node);
        node
    }
}
