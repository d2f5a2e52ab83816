//! Gives every different node one number: the unique table, shared by threads without locks.
//!
//! Nodes lie in one array, a table of buckets (hash tag, number) finds them. Both have a size that is fixed
//! between two calls of `make_room`; inserting is one compare-and-swap on a bucket.
//! Invariant: a number is published in a bucket after its node is written (release, acquire).
//! Invariant: at most half of the buckets are in use, so probing ends.

use std::fmt;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize};

use crate::cache::Cache;
use crate::pattern::Patterns;

/// A set of vectors: the number of its first node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(crate) u32);

impl Node {
    /// No vectors.
    pub const EMPTY: Node = Node(0);
    /// The vector of length 0.
    pub const UNIT: Node = Node(1);

    /// Whether there are no vectors.
    pub fn is_empty(self) -> bool {
        self == Node::EMPTY
    }

    /// Whether it is no node proper: the empty set or the empty vector.
    pub(crate) fn is_leaf(self) -> bool {
        self.0 < 2
    }
}

/// Why an operation ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// There is no room for a node: [`Store::make_room`], then ask again.
    Full,
    /// The watcher asked to stop.
    Stopped,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Halt::Full => "the node table is full",
            Halt::Stopped => "the operation was stopped",
        })
    }
}

impl std::error::Error for Halt {}

/// What a store counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes in the table, dead ones included.
    pub nodes: u64,
    /// The most there ever were.
    pub peak_nodes: u64,
    /// Bytes of all tables.
    pub bytes: u64,
    /// The most there ever were.
    pub peak_bytes: u64,
    /// Questions to the operation cache.
    pub lookups: u64,
    /// Those it answered.
    pub hits: u64,
    /// Collections of garbage.
    pub collections: u64,
}

/// Asked now and then whether operations should stop.
pub(crate) type Watch<'w> = Box<dyn Fn() -> bool + Send + Sync + 'w>;

/// All nodes, and the cache of operations on them.
pub struct Store<'w> {
    pub(crate) nodes: Vec<[AtomicU32; 3]>,
    pub(crate) buckets: Vec<AtomicU64>,
    /// Numbers below this were given out at some time.
    pub(crate) next: AtomicUsize,
    /// Numbers that were given back by the last collection, ascending.
    pub(crate) free: Vec<u32>,
    /// How many of `free` were given out again.
    pub(crate) taken: AtomicUsize,
    pub(crate) cache: Cache,
    pub(crate) patterns: Patterns,
    pub(crate) locals: Vec<Local>,
    pub(crate) pool: Option<rayon::ThreadPool>,
    pub(crate) budget: usize,
    pub(crate) peak_nodes: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) collections: u64,
    watch: Option<Watch<'w>>,
    is_stopping: AtomicBool,
}

/// What one thread has for itself; atomics only because the store is shared.
#[repr(align(64))]
#[derive(Debug, Default)]
pub(crate) struct Local {
    /// Numbers to give out next: positions in `free`, or, counted from its end, numbers themselves.
    at: AtomicUsize,
    end: AtomicUsize,
    /// A number that was taken for a node that another thread inserted first, plus one.
    spare: AtomicU32,
    ticks: AtomicU32,
    pub(crate) lookups: AtomicU64,
    pub(crate) hits: AtomicU64,
}

/// An operation in progress: the store, who runs it, and how much deeper it may be divided among threads.
#[derive(Clone, Copy)]
pub(crate) struct Cx<'s> {
    pub(crate) store: &'s Store<'s>,
    pub(crate) me: usize,
    pub(crate) forks: u8,
}

/// A store starts with room for so many nodes: two megabytes in all.
const FIRST_CAPACITY: usize = 1 << 15;
/// Numbers are given to threads in portions.
const PORTION: usize = 256;
/// Between two questions to the watcher.
const TICKS: u32 = 1 << 13;
/// How deep operations are divided among threads: enough pieces, none too small.
const FORKS: u8 = 8;

impl<'w> Store<'w> {
    /// An empty store that takes at most about `budget` bytes and computes with `threads` threads.
    ///
    /// # Errors
    /// When threads cannot be started.
    pub fn new(budget: usize, threads: usize) -> Result<Store<'w>, String> {
        let threads = threads.max(1);
        let pool = if threads > 1 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // Recursion goes down levels, of which there may be thousands.
            let pool = pool.stack_size(64 << 20).build();
            Some(pool.map_err(|error| error.to_string())?)
        } else {
            None
        };
        let mut store = Store {
            nodes: Vec::new(),
            buckets: Vec::new(),
            next: AtomicUsize::new(2),
            free: Vec::new(),
            taken: AtomicUsize::new(0),
            cache: Cache::new(threads > 1),
            patterns: Patterns::new(),
            locals: (0..threads).map(|_| Local::default()).collect(),
            pool,
            budget,
            peak_nodes: 0,
            peak_bytes: 0,
            collections: 0,
            watch: None,
            is_stopping: AtomicBool::new(false),
        };
        store.resize(FIRST_CAPACITY);
        Ok(store)
    }

    /// From now on `watch` is asked now and then whether operations should stop; one that should ends with
    /// [`Halt::Stopped`], and the question is not asked again until [`Store::go_on`].
    pub fn set_watch(&mut self, watch: Box<dyn Fn() -> bool + Send + Sync + 'w>) {
        self.watch = Some(watch);
    }

    /// Whether operations were told to stop.
    pub fn is_stopping(&self) -> bool {
        self.is_stopping.load(Relaxed)
    }

    /// Asks the watcher now.
    ///
    /// # Errors
    /// [`Halt::Stopped`] the first time that it wants operations to stop.
    pub fn poll(&self) -> Result<(), Halt> {
        if !self.is_stopping.load(Relaxed) && self.watch.as_ref().is_some_and(|watch| watch()) {
            self.is_stopping.store(true, Release);
            return Err(Halt::Stopped);
        }
        Ok(())
    }

    /// Makes operations stop as if the watcher had asked for it.
    ///
    /// # Errors
    /// [`Halt::Stopped`], always.
    pub fn stop(&self) -> Result<(), Halt> {
        self.is_stopping.store(true, Release);
        Err(Halt::Stopped)
    }

    /// Takes operations up again after a stop.
    pub fn go_on(&self) {
        self.is_stopping.store(false, Relaxed);
    }

    /// What was counted.
    pub fn statistics(&self) -> Statistics {
        let nodes = self.occupied() as u64;
        let bytes = self.bytes() as u64;
        let sum =
            |of: fn(&Local) -> &AtomicU64| self.locals.iter().map(move |l| of(l).load(Relaxed));
        Statistics {
            nodes,
            peak_nodes: self.peak_nodes.max(nodes),
            bytes,
            peak_bytes: self.peak_bytes.max(bytes),
            lookups: sum(|l| &l.lookups).sum(),
            hits: sum(|l| &l.hits).sum(),
            collections: self.collections,
        }
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        bytes_for(self.nodes.len()) + self.free.len() * 4
    }

    /// How many threads compute.
    pub fn threads(&self) -> usize {
        self.locals.len()
    }

    pub(crate) fn occupied(&self) -> usize {
        let taken = self.taken.load(Relaxed).min(self.free.len());
        let next = self.next.load(Relaxed).min(self.nodes.len());
        next - 2 - (self.free.len() - taken)
    }

    /// Runs an operation: in this thread, or in the pool.
    pub(crate) fn run<T: Send>(&self, work: impl FnOnce(Cx<'_>) -> T + Send) -> T {
        match &self.pool {
            None => work(Cx {
                store: self,
                me: 0,
                forks: 0,
            }),
            Some(pool) => pool.install(|| {
                work(Cx {
                    store: self,
                    me: rayon::current_thread_index().unwrap_or(0),
                    forks: FORKS,
                })
            }),
        }
    }

    #[inline]
    pub(crate) fn down(&self, node: Node) -> Node {
        Node(self.nodes[node.0 as usize][1].load(Relaxed))
    }

    #[inline]
    pub(crate) fn right(&self, node: Node) -> Node {
        Node(self.nodes[node.0 as usize][2].load(Relaxed))
    }

    /// Value, down and right at once.
    #[inline]
    pub(crate) fn parts(&self, node: Node) -> (u32, Node, Node) {
        let cell = &self.nodes[node.0 as usize];
        (
            cell[0].load(Relaxed),
            Node(cell[1].load(Relaxed)),
            Node(cell[2].load(Relaxed)),
        )
    }
}

/// Bytes of the tables with room for so many nodes.
pub(crate) fn bytes_for(capacity: usize) -> usize {
    capacity * (12 + 2 * 8) + Cache::bytes_for(capacity)
}

#[inline]
pub(crate) fn hash3(a: u32, b: u32, c: u32) -> u64 {
    let x = (u64::from(a) ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let y = u64::from(b) << 32 | u64::from(c);
    let product = u128::from(x ^ y) * 0xd6e8_feb8_6659_fd93_u128;
    let folded = product as u64 ^ (product >> 64) as u64 ^ x.rotate_left(29);
    folded.wrapping_mul(0x94d0_49bb_1331_11eb)
}

impl Cx<'_> {
    /// The same operation in whatever thread runs this.
    pub(crate) fn here(self) -> Self {
        Cx {
            me: rayon::current_thread_index().unwrap_or(0),
            ..self
        }
    }

    /// One level deeper.
    pub(crate) fn deeper(self) -> Self {
        Cx {
            forks: self.forks.saturating_sub(1),
            ..self
        }
    }

    /// The node of these parts; `right` alone when nothing continues after `value`.
    #[inline]
    pub(crate) fn node(self, value: u32, down: Node, right: Node) -> Result<Node, Halt> {
        if down.is_empty() {
            return Ok(right);
        }
        let store = self.store;
        let hash = hash3(value, down.0, right.0);
        let mask = store.buckets.len() - 1;
        let tag = hash >> 32 << 32;
        let mut at = hash as usize & mask;
        let mut mine = 0;
        loop {
            let bucket = &store.buckets[at];
            let mut word = bucket.load(Acquire);
            if word == 0 {
                if mine == 0 {
                    mine = self.take_number()?;
                    let cell = &store.nodes[mine as usize];
                    cell[0].store(value, Relaxed);
                    cell[1].store(down.0, Relaxed);
                    cell[2].store(right.0, Relaxed);
                }
                let published = tag | u64::from(mine);
                if store.pool.is_none() {
                    bucket.store(published, Relaxed);
                    return Ok(Node(mine));
                }
                match bucket.compare_exchange(0, published, AcqRel, Acquire) {
                    Ok(_) => return Ok(Node(mine)),
                    Err(other) => word = other,
                }
            }
            if word >> 32 << 32 == tag {
                let node = Node(word as u32);
                if store.parts(node) == (value, down, right) {
                    if mine != 0 {
                        store.locals[self.me].spare.store(mine, Relaxed);
                    }
                    return Ok(node);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// A number for a new node.
    fn take_number(self) -> Result<u32, Halt> {
        let (store, local) = (self.store, &self.store.locals[self.me]);
        let spare = local.spare.load(Relaxed);
        if spare != 0 {
            local.spare.store(0, Relaxed);
            return Ok(spare);
        }
        let mut at = local.at.load(Relaxed);
        if at >= local.end.load(Relaxed) {
            at = self.take_portion()?;
        }
        local.at.store(at + 1, Relaxed);
        let free = store.free.len();
        Ok(if at < free {
            store.free[at]
        } else {
            (at - free) as u32
        })
    }

    /// The position of the first of a few new numbers.
    fn take_portion(self) -> Result<usize, Halt> {
        let (store, local) = (self.store, &self.store.locals[self.me]);
        let free = store.free.len();
        let start = store.taken.load(Relaxed);
        if start < free {
            let start = store.taken.fetch_add(PORTION, Relaxed);
            if start < free {
                local.end.store((start + PORTION).min(free), Relaxed);
                return Ok(start);
            }
        }
        let start = store.next.fetch_add(PORTION, Relaxed);
        if start >= store.nodes.len() {
            store.next.fetch_sub(PORTION, Relaxed);
            return Err(Halt::Full);
        }
        let end = (start + PORTION).min(store.nodes.len());
        local.end.store(free + end, Relaxed);
        Ok(free + start)
    }

    /// Called by every piece of work that is not in the cache.
    #[inline]
    pub(crate) fn tick(self) -> Result<(), Halt> {
        self.ticks(1)
    }

    /// The same for work that is worth several pieces.
    #[inline]
    pub(crate) fn ticks(self, pieces: u32) -> Result<(), Halt> {
        let local = &self.store.locals[self.me];
        let ticks = local.ticks.load(Relaxed).saturating_add(pieces);
        local.ticks.store(ticks, Relaxed);
        if ticks < TICKS {
            return Ok(());
        }
        local.ticks.store(0, Relaxed);
        self.store.poll()
    }
}

impl Store<'_> {
    /// Portions that threads hold are given back: the tables are about to change.
    pub(crate) fn forget_portions(&mut self) {
        for local in &mut self.locals {
            local.at.store(0, Relaxed);
            local.end.store(0, Relaxed);
            local.spare.store(0, Relaxed);
        }
    }
}
