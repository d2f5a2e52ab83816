//! One face for all kinds of stores, and the sessions through which threads use them.
//!
//! Technique: a session holds the indexes under a shared lock for as long as it works, so that an insert takes
//! no lock at all; whoever finds a table full lets go, takes the lock alone and grows it, and the others let go
//! when they see that somebody waits ([`Session::breathe`]).
//! Invariant: a session is not kept while its thread waits for another one.

mod save;
mod staged;

use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::Found;
use crate::bitstate::Bits;
use crate::fingerprint::Fingerprints;
use crate::memory::Words;
use crate::records::{Index, Numbers, Records, SLACK};
use crate::squeeze::Squeeze;
use crate::tree::{Indexes, Nodes, Tree};

/// What a store keeps of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Everything, folded pairwise: about 8 to 11 bytes a state when states have much in common.
    #[default]
    Tree,
    /// Everything, as it is.
    Plain,
    /// 64 bits of hash: lossy.
    Fingerprint,
    /// Three bits in a fixed memory: lossy.
    Bitstate,
}

impl Kind {
    /// Whether different states are always told apart.
    pub fn is_exact(self) -> bool {
        matches!(self, Kind::Tree | Kind::Plain)
    }
}

/// How a store is used.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// It takes at most about so many bytes.
    pub budget: usize,
    /// It takes at most so many states; each further thread may add one more, or hold a number that no state gets.
    pub most: usize,
    /// So many threads use it. For one alone nothing is synchronised, so all its sessions must be that thread's.
    pub threads: usize,
}

impl Default for Terms {
    /// As much as there is, for two threads.
    fn default() -> Terms {
        Terms {
            budget: usize::MAX / 16,
            most: usize::MAX,
            threads: 2,
        }
    }
}

/// A set of states with numbers.
pub struct Store {
    slots: usize,
    terms: Terms,
    waiting: AtomicU32,
    index_bytes: AtomicUsize,
    inside: Inside,
}

enum Inside {
    Tree(Box<Tree>, RwLock<Indexes>),
    Plain(Box<Whole>, RwLock<Index>),
    Fingerprint(RwLock<Fingerprints>, AtomicU32),
    Bitstate(Bits, AtomicU32),
}

/// Vectors as they are, two slots in a word, or squeezed.
struct Whole {
    records: Records<Words>,
    squeeze: Option<Squeeze>,
}

/// The use of a store by one thread.
pub struct Session<'a> {
    store: &'a Store,
    held: Held<'a>,
    /// Numbers for new states.
    numbers: Numbers,
    takes_blocks: bool,
    nodes: Nodes,
    staged: Staged,
}

/// Vectors that wait to be inserted together.
#[derive(Default)]
struct Staged {
    /// What the store compares: roots, whole vectors, or a second hash.
    words: Vec<u64>,
    hashes: Vec<u64>,
}

enum Held<'a> {
    Nothing,
    Tree(RwLockReadGuard<'a, Indexes>),
    Plain(RwLockReadGuard<'a, Index>),
    Fingerprint(RwLockReadGuard<'a, Fingerprints>),
}

/// A bitstate store takes at most this much unless its budget is smaller: 2^31 bits.
const LARGEST_BITSTATE: usize = 1 << 28;

/// So many requests for memory are made at once; processors follow about a dozen.
const BATCH: usize = 32;

impl Store {
    /// An empty store for vectors of `slots` slots; `None` when there is no memory at all.
    pub fn new(kind: Kind, slots: usize, terms: Terms) -> Option<Store> {
        Store::of_bits(kind, slots, &[], terms)
    }

    /// The same for vectors whose slots take no more than these bits, if there are as many as slots.
    pub fn of_bits(kind: Kind, slots: usize, bits: &[u8], terms: Terms) -> Option<Store> {
        let inside = match kind {
            Kind::Tree => {
                let tree = Tree::new(slots, terms.threads, terms.most);
                let indexes = tree.indexes()?;
                Inside::Tree(Box::new(tree), RwLock::new(indexes))
            }
            Kind::Plain => {
                let whole = Whole::new(slots, bits, terms);
                let index = whole.records.index()?;
                Inside::Plain(Box::new(whole), RwLock::new(index))
            }
            Kind::Fingerprint => {
                Inside::Fingerprint(RwLock::new(Fingerprints::new()?), AtomicU32::new(0))
            }
            Kind::Bitstate => {
                let bits = Bits::new((terms.budget / 2).min(LARGEST_BITSTATE))?;
                Inside::Bitstate(bits, AtomicU32::new(0))
            }
        };
        Some(Store::of(slots, terms, inside))
    }

    fn of(slots: usize, terms: Terms, inside: Inside) -> Store {
        let store = Store {
            slots,
            terms,
            waiting: AtomicU32::new(0),
            index_bytes: AtomicUsize::new(0),
            inside,
        };
        store.measure();
        store
    }

    /// What it keeps.
    pub fn kind(&self) -> Kind {
        match &self.inside {
            Inside::Tree(..) => Kind::Tree,
            Inside::Plain(..) => Kind::Plain,
            Inside::Fingerprint(..) => Kind::Fingerprint,
            Inside::Bitstate(..) => Kind::Bitstate,
        }
    }

    /// The slots of a vector.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// How many states there are: the next number.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.inside {
            Inside::Tree(tree, _) => tree.root().len(),
            Inside::Plain(whole, _) => whole.records.len(),
            Inside::Fingerprint(_, len) | Inside::Bitstate(_, len) => len.load(Acquire) as usize,
        }
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes in use.
    pub fn bytes(&self) -> usize {
        let records = match &self.inside {
            Inside::Tree(tree, _) => tree.bytes(),
            Inside::Plain(whole, _) => whole.records.bytes(),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => 0,
        };
        records + self.index_bytes.load(Relaxed)
    }

    /// A session for the calling thread. At most 256 may be open at once.
    pub fn session(&self) -> Session<'_> {
        Session {
            store: self,
            held: Held::Nothing,
            numbers: Numbers::default(),
            takes_blocks: false,
            nodes: Nodes::default(),
            staged: Staged::default(),
        }
    }

    /// Gives the last states the numbers that sessions left over ([`Session::take_blocks`]) and lists (old number,
    /// new number). No session may be in use.
    pub fn close_gaps(&self) -> Vec<(u32, u32)> {
        match &self.inside {
            Inside::Tree(tree, indexes) => tree.root().close_gaps(&read(indexes).root),
            Inside::Plain(whole, index) => whole.records.close_gaps(&read(index)),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => Vec::new(),
        }
    }

    /// Whether it has as many states as its terms allow.
    pub fn is_complete(&self) -> bool {
        self.len() >= self.terms.most
    }

    /// How many states a lossy store counts at most.
    fn most(&self) -> usize {
        self.terms.most.min(u32::MAX as usize - SLACK)
    }

    fn measure(&self) {
        let bytes = match &self.inside {
            Inside::Tree(_, indexes) => read(indexes).bytes(),
            Inside::Plain(_, index) => read(index).bytes(),
            Inside::Fingerprint(set, _) => read(set).bytes(),
            Inside::Bitstate(bits, _) => bits.bytes(),
        };
        self.index_bytes.store(bytes, Relaxed);
    }

    /// Grows ahead for so many states, alone.
    fn grow_ahead(&self, states: usize) {
        self.waiting.fetch_add(1, Relaxed);
        match &self.inside {
            Inside::Tree(tree, indexes) => {
                let mut indexes = indexes.write().unwrap_or_else(PoisonError::into_inner);
                tree.expect(&mut indexes, states, self.terms.budget);
            }
            Inside::Plain(whole, index) => {
                let mut index = index.write().unwrap_or_else(PoisonError::into_inner);
                let records = &whole.records;
                records.expect(&mut index, states, self.terms.budget);
            }
            Inside::Fingerprint(..) | Inside::Bitstate(..) => {}
        }
        self.waiting.fetch_sub(1, Relaxed);
        self.measure();
    }

    /// Grows what is full, alone; `false` when the budget does not allow it.
    fn make_room(&self) -> bool {
        self.waiting.fetch_add(1, Relaxed);
        let has_room = match &self.inside {
            Inside::Tree(tree, indexes) => {
                let mut indexes = indexes.write().unwrap_or_else(PoisonError::into_inner);
                tree.grow(&mut indexes, self.terms.budget)
            }
            Inside::Plain(whole, index) => {
                let records = &whole.records;
                let mut index = index.write().unwrap_or_else(PoisonError::into_inner);
                !records.needs_room(&index) || records.grow(&mut index, self.terms.budget)
            }
            Inside::Fingerprint(set, len) => {
                let mut set = set.write().unwrap_or_else(PoisonError::into_inner);
                let len = len.load(Acquire) as usize;
                len < self.most() && (set.has_room(len) || set.grow(self.terms.budget))
            }
            Inside::Bitstate(..) => false,
        };
        self.waiting.fetch_sub(1, Relaxed);
        self.measure();
        has_room
    }
}

impl Whole {
    fn new(slots: usize, bits: &[u8], terms: Terms) -> Whole {
        let squeeze = match bits.len() == slots {
            true => Squeeze::new(bits),
            false => None,
        };
        let width = squeeze.as_ref().map_or(slots.div_ceil(2), Squeeze::width);
        Whole {
            records: Records::new(Words::new(width), terms.threads, terms.most),
            squeeze,
        }
    }

    #[inline]
    fn load(&self, state: u32, vector: &mut [u32]) {
        if let Some(squeeze) = &self.squeeze {
            return squeeze.take(|at| self.records.word(state, at), vector);
        }
        self.records.read(state, |at, word| {
            vector[2 * at] = word as u32;
            if let Some(second) = vector.get_mut(2 * at + 1) {
                *second = (word >> 32) as u32;
            }
        });
    }
}

impl Session<'_> {
    /// Adds a vector.
    pub fn insert(&mut self, vector: &[u32]) -> Found {
        self.insert_with(vector, None)
    }

    /// Adds a vector that differs from the one loaded last exactly in the slots whose bits are set.
    pub fn insert_successor(&mut self, vector: &[u32], changed: &[u64]) -> Found {
        self.insert_with(vector, Some(changed))
    }

    fn insert_with(&mut self, vector: &[u32], changed: Option<&[u64]>) -> Found {
        let mut answer = Found::Full;
        if self.stage_with(vector, changed) {
            self.insert_staged(|_, found| answer = found);
        }
        answer
    }

    /// Reads a state, and remembers it for [`Session::insert_successor`].
    ///
    /// # Panics
    /// For a lossy store, which cannot give states back.
    pub fn load(&mut self, state: u32, vector: &mut [u32]) {
        match &self.store.inside {
            // Pairs move when they get larger.
            Inside::Tree(tree, indexes) => {
                let _held = match self.held {
                    Held::Nothing => Some(read(indexes)),
                    _ => None,
                };
                tree.load(state, &mut self.nodes, vector);
            }
            Inside::Plain(whole, _) => whole.load(state, vector),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => {
                panic!("a lossy store is not asked for states")
            }
        }
    }

    /// Lets another thread grow the store if it waits for that; call it now and then.
    #[inline]
    pub fn breathe(&mut self) {
        if self.is_awaited() {
            self.release();
        }
    }

    /// Whether another thread waits until it may grow the store.
    #[inline]
    pub fn is_awaited(&self) -> bool {
        self.store.waiting.load(Relaxed) != 0
    }

    /// From now on, takes numbers of new states in blocks, or not. Blocks keep threads apart, but numbers are dense
    /// only after [`Store::close_gaps`].
    #[inline]
    pub fn take_blocks(&mut self, takes_blocks: bool) {
        self.takes_blocks = takes_blocks && self.store.terms.threads > 1;
    }

    /// Lets go of the store until the next insert; before the thread waits for others.
    pub fn release(&mut self) {
        match &self.store.inside {
            Inside::Tree(tree, _) => tree.root().give_back(&mut self.numbers),
            Inside::Plain(whole, _) => whole.records.give_back(&mut self.numbers),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => {}
        }
        self.held = Held::Nothing;
    }

    #[inline]
    fn hold(&mut self) {
        if let Held::Nothing = self.held {
            self.take_hold();
        }
    }

    #[cold]
    fn take_hold(&mut self) {
        self.held = match &self.store.inside {
            Inside::Tree(_, indexes) => Held::Tree(read(indexes)),
            Inside::Plain(_, index) => Held::Plain(read(index)),
            Inside::Fingerprint(set, _) => Held::Fingerprint(read(set)),
            Inside::Bitstate(..) => Held::Nothing,
        };
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.release();
    }
}

/// A panic elsewhere cannot leave an index half built: it is replaced as a whole.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}
