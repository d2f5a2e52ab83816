//! Folds a vector into one pair, so that states that share halves share memory.
//!
//! Paper: [Laarman, van de Pol, Weber 2011].
//! Differs: all inner pairs live in one table and the roots in another, whose dense numbers are the numbers of
//! states; references are numbers of records, not positions in a hash table, so that tables can grow, and records take the bits they need.
//! The tree is a heap: node k has the children 2k and 2k + 1, slot i is node n + i, node 1 is the root.
//! Invariant: equal vectors have equal roots: a pair has one number.

use crate::Found;
use crate::pairs::Pairs;
use crate::records::{Index, Records};

/// The two tables.
pub struct Tree {
    inner: Records<Pairs>,
    root: Records<Pairs>,
    slots: usize,
}

/// The indexes of both tables, replaced under one lock.
pub struct Indexes {
    inner: Index,
    /// The index of the roots.
    pub root: Index,
}

/// The nodes of one vector, for inserting its successors.
#[derive(Default)]
pub struct Nodes {
    base: Vec<u32>,
    work: Vec<u32>,
    dirty: Vec<u64>,
    has_base: bool,
    memo: Memo,
}

/// The pairs asked for lately with their numbers (plus one; zero is free): inner pairs repeat a lot, and this
/// fits in the nearest cache. Numbers never change, so it is never wrong.
struct Memo {
    pairs: Box<[u64; MEMO]>,
    ids: Box<[u32; MEMO]>,
}

const MEMO: usize = 1 << 10;

impl Default for Memo {
    fn default() -> Memo {
        Memo {
            pairs: Box::new([0; MEMO]),
            ids: Box::new([0; MEMO]),
        }
    }
}

impl Memo {
    #[inline]
    fn place(pair: u64) -> usize {
        (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize % MEMO
    }
}

impl Tree {
    /// No states of `slots` slots, for so many threads and at most so many states.
    pub fn new(slots: usize, threads: usize, most: usize) -> Tree {
        Tree {
            inner: Records::new(Pairs::new(), threads, usize::MAX),
            root: Records::new(Pairs::new(), threads, most),
            slots,
        }
    }

    /// Indexes for what there is; `None` when there is no memory.
    pub fn indexes(&self) -> Option<Indexes> {
        Some(Indexes {
            inner: self.inner.index()?,
            root: self.root.index()?,
        })
    }

    /// The roots: one record for each state.
    #[inline]
    pub fn root(&self) -> &Records<Pairs> {
        &self.root
    }

    /// The pairs below the roots.
    pub fn inner(&self) -> &Records<Pairs> {
        &self.inner
    }

    /// The bytes of the records.
    pub fn bytes(&self) -> usize {
        self.inner.bytes() + self.root.bytes()
    }

    /// Makes the index of the roots large enough for so many states, if `budget` bytes allow that.
    pub fn expect(&self, indexes: &mut Indexes, states: usize, budget: usize) {
        let others = self.inner.bytes() + indexes.inner.bytes();
        let budget = budget.saturating_sub(others);
        self.root.expect(&mut indexes.root, states, budget);
    }

    /// Makes room where there is none; `false` when that is impossible within `budget` bytes.
    pub fn grow(&self, indexes: &mut Indexes, budget: usize) -> bool {
        let others = self.inner.bytes() + indexes.inner.bytes();
        let grown = !self.root.needs_room(&indexes.root)
            || self
                .root
                .grow(&mut indexes.root, budget.saturating_sub(others));
        let others = self.root.bytes() + indexes.root.bytes();
        let grown_inner = !self.inner.needs_room(&indexes.inner)
            || self
                .inner
                .grow(&mut indexes.inner, budget.saturating_sub(others));
        grown && grown_inner
    }

    /// Folds a vector down to its root; `None` when there is no room for an inner pair.
    pub fn fold(&self, indexes: &Indexes, nodes: &mut Nodes, vector: &[u32]) -> Option<u64> {
        let n = self.slots;
        nodes.has_base = false;
        nodes.work.resize(2 * n, 0);
        nodes.work[n..].copy_from_slice(vector);
        for node in (2..n).rev() {
            let pair = nodes.pair(node);
            nodes.work[node] = self.inner_id(indexes, &mut nodes.memo, pair)?;
        }
        Some(nodes.root(n))
    }

    /// Folds a successor of the vector that was loaded last down to its root; `changed` has a bit for each slot
    /// that differs. `None` when there is no room for an inner pair.
    #[inline]
    pub fn fold_successor(
        &self,
        indexes: &Indexes,
        nodes: &mut Nodes,
        vector: &[u32],
        changed: &[u64],
    ) -> Option<u64> {
        let n = self.slots;
        if n < 2 || !nodes.has_base {
            return self.fold(indexes, nodes, vector);
        }
        if let [bits] = changed
            && bits.is_power_of_two()
        {
            let slot = bits.trailing_zeros() as usize;
            return self.fold_path(indexes, nodes, n + slot, vector[slot]);
        }
        nodes.write(vector, changed, n);
        let is_folded = self.refold(indexes, nodes);
        let root = nodes.root(n);
        // Only what was touched is put back: the nodes from dirty leaves to the root.
        nodes.restore(changed, n);
        is_folded.then_some(root)
    }

    /// Remembers the nodes of a vector for its successors, although it is not stored; it differs from the one remembered
    /// before only in the slots whose bits are set. `false` when there is no room for an inner pair.
    pub fn rebase(
        &self,
        indexes: &Indexes,
        nodes: &mut Nodes,
        vector: &[u32],
        changed: &[u64],
    ) -> bool {
        let n = self.slots;
        if n < 2 || !nodes.has_base {
            let is_folded = self.fold(indexes, nodes, vector).is_some();
            nodes.base.clone_from(&nodes.work);
            nodes.has_base = is_folded;
            return is_folded;
        }
        nodes.write(vector, changed, n);
        nodes.has_base = self.refold(indexes, nodes);
        nodes.keep(changed, n);
        nodes.has_base
    }

    /// Most steps change one slot: only its way to the root is new.
    #[inline]
    fn fold_path(
        &self,
        indexes: &Indexes,
        nodes: &mut Nodes,
        mut node: usize,
        mut value: u32,
    ) -> Option<u64> {
        loop {
            let sibling = u64::from(nodes.base[node ^ 1]);
            let pair = if node & 1 == 0 {
                u64::from(value) | sibling << 32
            } else {
                sibling | u64::from(value) << 32
            };
            node /= 2;
            if node == 1 {
                return Some(pair);
            }
            value = self.inner_id(indexes, &mut nodes.memo, pair)?;
        }
    }

    /// The number of an inner pair: from the memo if it was asked for lately.
    #[inline]
    fn inner_id(&self, indexes: &Indexes, memo: &mut Memo, pair: u64) -> Option<u32> {
        let place = Memo::place(pair);
        if memo.pairs[place] == pair && memo.ids[place] != 0 {
            return Some(memo.ids[place] - 1);
        }
        match self.inner.insert(&indexes.inner, &[pair]) {
            Found::New(id) | Found::Seen(id) => {
                (memo.pairs[place], memo.ids[place]) = (pair, id + 1);
                Some(id)
            }
            _ => None,
        }
    }

    fn refold(&self, indexes: &Indexes, nodes: &mut Nodes) -> bool {
        for at in (0..nodes.dirty.len()).rev() {
            // A node marks its parent, which has a smaller number: bits are taken from the top.
            let mut left = nodes.dirty[at];
            while left != 0 {
                let bit = 63 - left.leading_zeros() as usize;
                let node = at * 64 + bit;
                if node == 1 {
                    break;
                }
                let pair = nodes.pair(node);
                match self.inner_id(indexes, &mut nodes.memo, pair) {
                    Some(id) => nodes.work[node] = id,
                    None => return false,
                }
                mark(&mut nodes.dirty, node / 2);
                left = nodes.dirty[at] & ((1 << bit) - 1);
            }
        }
        true
    }

    /// Reads a state into `vector` and remembers its nodes for its successors.
    pub fn load(&self, state: u32, nodes: &mut Nodes, vector: &mut [u32]) {
        let n = self.slots;
        let root = self.root.word(state, 0);
        nodes.base.resize(2 * n, 0);
        nodes.has_base = true;
        if n == 1 {
            nodes.base[1] = root as u32;
        } else if n > 1 {
            nodes.base[2] = root as u32;
            nodes.base[3] = (root >> 32) as u32;
            for node in 2..n {
                let pair = self.inner.word(nodes.base[node], 0);
                nodes.base[2 * node] = pair as u32;
                nodes.base[2 * node + 1] = (pair >> 32) as u32;
            }
        }
        vector.copy_from_slice(&nodes.base[n..]);
        nodes.work.clone_from(&nodes.base);
    }
}

impl Indexes {
    /// The bytes of both.
    pub fn bytes(&self) -> usize {
        self.inner.bytes() + self.root.bytes()
    }
}

impl Nodes {
    #[inline]
    fn pair(&self, node: usize) -> u64 {
        u64::from(self.work[2 * node]) | u64::from(self.work[2 * node + 1]) << 32
    }

    #[inline]
    fn root(&self, slots: usize) -> u64 {
        match slots {
            0 => 0,
            1 => u64::from(self.work[1]),
            _ => self.pair(1),
        }
    }

    /// Writes the slots that changed, and marks what hangs on them.
    #[inline]
    fn write(&mut self, vector: &[u32], changed: &[u64], n: usize) {
        self.dirty.clear();
        self.dirty.resize(n / 64 + 1, 0);
        for_each(changed, |slot| {
            self.work[n + slot] = vector[slot];
            mark(&mut self.dirty, (n + slot) / 2);
        });
    }

    /// What was touched is again what it was.
    fn restore(&mut self, changed: &[u64], n: usize) {
        for_each(changed, |slot| self.work[n + slot] = self.base[n + slot]);
        for_each(&self.dirty, |node| self.work[node] = self.base[node]);
    }

    /// What was touched stays.
    fn keep(&mut self, changed: &[u64], n: usize) {
        for_each(changed, |slot| self.base[n + slot] = self.work[n + slot]);
        for_each(&self.dirty, |node| self.base[node] = self.work[node]);
    }
}

#[inline]
fn for_each(set: &[u64], mut each: impl FnMut(usize)) {
    for (at, word) in set.iter().enumerate() {
        let mut bits = *word;
        while bits != 0 {
            each(at * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

#[inline]
fn mark(dirty: &mut [u64], node: usize) {
    dirty[node / 64] |= 1 << (node % 64);
}
