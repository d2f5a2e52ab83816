//! One face for all kinds of stores, and the sessions through which threads use them.
//!
//! Technique: a session holds the indexes under a shared lock for as long as it works, so that an insert takes
//! no lock at all; whoever finds a table full lets go, takes the lock alone and grows it, and the others let go
//! when they see that somebody waits ([`Session::breathe`]).
//! Invariant: a session is not kept while its thread waits for another one.

use std::io::{self, Read, Write};
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicUsize};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use crate::Found;
use crate::bitstate::Bits;
use crate::fingerprint::{Fingerprints, Noted};
use crate::hash::hash_words;
use crate::records::{Block, Index, Records, SLACK, hash_record};
use crate::tree::{Indexes, Nodes, Tree};

/// What a store keeps of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Everything, folded pairwise: about 13 to 18 bytes a state when states have much in common.
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
    /// It takes at most so many states; each further thread may add one more.
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
    Plain(Box<Records>, RwLock<Index>),
    Fingerprint(RwLock<Fingerprints>, AtomicU32),
    Bitstate(Bits, AtomicU32),
}

/// The use of a store by one thread.
pub struct Session<'a> {
    store: &'a Store,
    held: Held<'a>,
    /// Numbers for new states.
    block: Block,
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
        let inside = match kind {
            Kind::Tree => {
                let tree = Tree::new(slots, terms.threads, terms.most);
                let indexes = tree.indexes()?;
                Inside::Tree(Box::new(tree), RwLock::new(indexes))
            }
            Kind::Plain => {
                let records = Records::new(slots.div_ceil(2), terms.threads, terms.most);
                let index = records.index()?;
                Inside::Plain(Box::new(records), RwLock::new(index))
            }
            Kind::Fingerprint => {
                Inside::Fingerprint(RwLock::new(Fingerprints::new()?), AtomicU32::new(0))
            }
            Kind::Bitstate => {
                let bits = Bits::new((terms.budget / 2).min(LARGEST_BITSTATE))?;
                Inside::Bitstate(bits, AtomicU32::new(0))
            }
        };
        let store = Store {
            slots,
            terms,
            waiting: AtomicU32::new(0),
            index_bytes: AtomicUsize::new(0),
            inside,
        };
        store.measure();
        Some(store)
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
    pub fn len(&self) -> usize {
        match &self.inside {
            Inside::Tree(tree, _) => tree.root().len(),
            Inside::Plain(records, _) => records.len(),
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
            Inside::Plain(records, _) => records.bytes(),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => 0,
        };
        records + self.index_bytes.load(Relaxed)
    }

    /// A session for the calling thread. At most 256 may be open at once.
    pub fn session(&self) -> Session<'_> {
        Session {
            store: self,
            held: Held::Nothing,
            block: Block::default(),
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
            Inside::Plain(records, index) => records.close_gaps(&read(index)),
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

    /// Grows what is full, alone; `false` when the budget does not allow it.
    fn make_room(&self) -> bool {
        self.waiting.fetch_add(1, Relaxed);
        let has_room = match &self.inside {
            Inside::Tree(tree, indexes) => {
                let mut indexes = indexes.write().unwrap_or_else(PoisonError::into_inner);
                tree.grow(&mut indexes, self.terms.budget)
            }
            Inside::Plain(records, index) => {
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

    /// Writes all states. No session may be open.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.inside {
            Inside::Tree(tree, _) => {
                save_records(tree.inner(), out)?;
                save_records(tree.root(), out)
            }
            Inside::Plain(records, _) => save_records(records, out),
            Inside::Fingerprint(set, len) => {
                put(out, u64::from(len.load(Acquire)))?;
                let set = read(set);
                put(out, set.iter().count() as u64)?;
                set.iter().try_for_each(|hash| put(out, hash))
            }
            Inside::Bitstate(bits, len) => {
                put(out, u64::from(len.load(Acquire)))?;
                put(out, bits.words().len() as u64)?;
                let mut words = bits.words().iter();
                words.try_for_each(|word| put(out, word.load(Relaxed)))
            }
        }
    }

    /// Reads what [`Store::save`] wrote.
    pub fn restore(
        kind: Kind,
        slots: usize,
        terms: Terms,
        input: &mut dyn Read,
    ) -> io::Result<Store> {
        let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let inside = match kind {
            Kind::Tree => {
                let tree = Tree::new(slots, terms.threads, terms.most);
                restore_records(tree.inner(), input)?;
                restore_records(tree.root(), input)?;
                let indexes = tree.indexes().ok_or_else(no_memory)?;
                Inside::Tree(Box::new(tree), RwLock::new(indexes))
            }
            Kind::Plain => {
                let records = Records::new(slots.div_ceil(2), terms.threads, terms.most);
                restore_records(&records, input)?;
                let index = records.index().ok_or_else(no_memory)?;
                Inside::Plain(Box::new(records), RwLock::new(index))
            }
            Kind::Fingerprint => {
                let len = take(input)? as u32;
                let count = take(input)?;
                let hashes: Vec<u64> = (0..count).map(|_| take(input)).collect::<Result<_, _>>()?;
                let mut set = Fingerprints::new().ok_or_else(no_memory)?;
                if !set.restore(&hashes) {
                    return Err(no_memory());
                }
                Inside::Fingerprint(RwLock::new(set), AtomicU32::new(len))
            }
            Kind::Bitstate => {
                let len = take(input)? as u32;
                let count = take(input)? as usize;
                let bits = Bits::new(count.saturating_mul(8)).ok_or_else(no_memory)?;
                for word in bits.words() {
                    word.store(take(input)?, Relaxed);
                }
                Inside::Bitstate(bits, AtomicU32::new(len))
            }
        };
        let store = Store {
            slots,
            terms,
            waiting: AtomicU32::new(0),
            index_bytes: AtomicUsize::new(0),
            inside,
        };
        store.measure();
        Ok(store)
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

    /// Prepares a vector, as [`Session::insert_successor`] would take it, for [`Session::insert_staged`]; `false`
    /// when there is no room.
    #[inline]
    pub fn stage_successor(&mut self, vector: &[u32], changed: &[u64]) -> bool {
        self.stage_with(vector, Some(changed))
    }

    /// Takes a vector that need not be stored for the one loaded last: what is inserted next are its successors. It
    /// differs from the one loaded last only in the slots whose bits are set. `false` when there is no room.
    pub fn rebase(&mut self, vector: &[u32], changed: &[u64]) -> bool {
        loop {
            self.hold();
            let (Inside::Tree(tree, _), Held::Tree(indexes)) = (&self.store.inside, &self.held)
            else {
                return true;
            };
            if tree.rebase(indexes, &mut self.nodes, vector, changed) {
                return true;
            }
            self.release();
            if !self.store.make_room() {
                return false;
            }
        }
    }

    /// Whether what is staged can be inserted for sure, so that it may wait for more; while no other session inserts.
    #[inline]
    pub fn can_wait(&mut self) -> bool {
        self.hold();
        let staged = self.staged.hashes.len();
        match (&self.store.inside, &self.held) {
            (Inside::Tree(tree, _), Held::Tree(indexes)) => {
                tree.root().spare(&indexes.root) >= staged
            }
            (Inside::Plain(records, _), Held::Plain(index)) => records.spare(index) >= staged,
            _ => false,
        }
    }

    /// How many vectors are staged.
    #[inline]
    pub fn staged(&self) -> usize {
        self.staged.hashes.len()
    }

    #[inline]
    fn stage_with(&mut self, vector: &[u32], changed: Option<&[u64]>) -> bool {
        debug_assert_eq!(vector.len(), self.store.slots);
        let staged = &mut self.staged;
        match &self.store.inside {
            Inside::Tree(..) => {
                let Some(root) = self.fold(vector, changed) else {
                    return false;
                };
                let hash = hash_record(&[root]);
                self.staged.words.push(root);
                self.staged.hashes.push(hash);
                if let (Inside::Tree(tree, _), Held::Tree(indexes)) =
                    (&self.store.inside, &self.held)
                {
                    tree.root().announce(&indexes.root, hash);
                }
            }
            Inside::Plain(records, _) => {
                let from = staged.words.len();
                let (pairs, rest) = vector.as_chunks::<2>();
                let pairs = pairs
                    .iter()
                    .map(|[a, b]| u64::from(*a) | u64::from(*b) << 32);
                staged.words.extend(pairs);
                staged
                    .words
                    .extend(rest.iter().map(|last| u64::from(*last)));
                let hash = hash_record(&staged.words[from..]);
                staged.hashes.push(hash);
                if let Held::Plain(index) = &self.held {
                    records.announce(index, hash);
                }
            }
            Inside::Fingerprint(..) => staged.hashes.push(hash_words(vector, 0)),
            Inside::Bitstate(..) => {
                staged.hashes.push(hash_words(vector, 0));
                staged.words.push(hash_words(vector, 1));
            }
        }
        true
    }

    #[inline]
    fn fold(&mut self, vector: &[u32], changed: Option<&[u64]>) -> Option<u64> {
        loop {
            self.hold();
            let (Inside::Tree(tree, _), Held::Tree(indexes)) = (&self.store.inside, &self.held)
            else {
                return None;
            };
            let root = match changed {
                Some(changed) => tree.fold_successor(indexes, &mut self.nodes, vector, changed),
                None => tree.fold(indexes, &mut self.nodes, vector),
            };
            if root.is_some() {
                return root;
            }
            self.release();
            if !self.store.make_room() {
                return None;
            }
        }
    }

    /// Inserts what is staged, in order, and says what became of each. Memory is asked for all of them at once,
    /// which is much faster than one after the other when the store does not fit in the caches.
    #[inline]
    pub fn insert_staged(&mut self, mut each: impl FnMut(usize, Found)) {
        let count = self.staged.hashes.len();
        let mut at = 0;
        while at < count {
            let to = count.min(at + BATCH);
            if to > at + 1 {
                self.warm(at, to);
            }
            while at < to {
                at = self.insert_some(at, to, &mut each);
                if at == to {
                    break;
                }
                self.release();
                if !self.store.make_room() {
                    each(at, Found::Full);
                    at += 1;
                }
            }
        }
        self.staged.hashes.clear();
        self.staged.words.clear();
    }

    /// Inserts until something is full; returns what to begin with after that.
    #[inline]
    fn insert_some(
        &mut self,
        from: usize,
        to: usize,
        each: &mut impl FnMut(usize, Found),
    ) -> usize {
        self.hold();
        let most = self.store.most();
        let Staged { words, hashes } = &self.staged;
        let block = &mut self.block;
        let mut block = self.takes_blocks.then_some(block);
        let mut all = |insert: &mut dyn FnMut(usize) -> Found| {
            for at in from..to {
                let found = insert(at);
                if found == Found::Full {
                    return at;
                }
                each(at, found);
            }
            to
        };
        match (&self.store.inside, &self.held) {
            (Inside::Tree(tree, _), Held::Tree(indexes)) => {
                let (root, index) = (tree.root(), &indexes.root);
                for at in from..to {
                    let block = block.as_deref_mut();
                    let found = root.insert_hashed(index, &words[at..=at], hashes[at], block);
                    if found == Found::Full {
                        return at;
                    }
                    each(at, found);
                }
                to
            }
            (Inside::Plain(records, _), Held::Plain(index)) => all(&mut |at| {
                let from = at * records.width();
                let record = &words[from..from + records.width()];
                records.insert_hashed(index, record, hashes[at], block.as_deref_mut())
            }),
            (Inside::Fingerprint(_, len), Held::Fingerprint(set)) => all(
                &mut |at| match set.insert(hashes[at], len.load(Relaxed) as usize, most) {
                    Noted::New => Found::New(len.fetch_add(1, Relaxed)),
                    Noted::Seen => Found::SeenSomewhere,
                    Noted::Full => Found::Full,
                },
            ),
            (Inside::Bitstate(bits, len), _) => all(&mut |at| {
                if len.load(Relaxed) as usize >= most && !bits.contains(hashes[at], words[at]) {
                    Found::Full
                } else if bits.insert(hashes[at], words[at]) {
                    Found::New(len.fetch_add(1, Relaxed))
                } else {
                    Found::SeenSomewhere
                }
            }),
            _ => from,
        }
    }

    #[inline]
    fn warm(&mut self, from: usize, to: usize) {
        self.hold();
        let hashes = self.staged.hashes[from..to].iter().copied();
        match (&self.store.inside, &self.held) {
            (Inside::Tree(tree, _), Held::Tree(indexes)) => {
                tree.root().warm(&indexes.root, hashes);
            }
            (Inside::Plain(records, _), Held::Plain(index)) => records.warm(index, hashes),
            (_, Held::Fingerprint(set)) => set.warm(hashes),
            (Inside::Bitstate(bits, _), _) => bits.warm(hashes),
            _ => {}
        }
    }

    /// Reads a state, and remembers it for [`Session::insert_successor`].
    ///
    /// # Panics
    /// For a lossy store, which cannot give states back.
    pub fn load(&mut self, state: u32, vector: &mut [u32]) {
        match &self.store.inside {
            Inside::Tree(tree, _) => tree.load(state, &mut self.nodes, vector),
            Inside::Plain(records, _) => records.read(state, |at, word| {
                vector[2 * at] = word as u32;
                if let Some(second) = vector.get_mut(2 * at + 1) {
                    *second = (word >> 32) as u32;
                }
            }),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => {
                panic!("a lossy store is not asked for states")
            }
        }
    }

    /// Lets another thread grow the store if it waits for that; call it now and then.
    #[inline]
    pub fn breathe(&mut self) {
        if self.store.waiting.load(Relaxed) != 0 {
            self.release();
        }
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
            Inside::Tree(tree, _) => tree.root().give_back(&mut self.block),
            Inside::Plain(records, _) => records.give_back(&mut self.block),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => {}
        }
        self.held = Held::Nothing;
    }

    #[inline]
    fn hold(&mut self) {
        if let Held::Nothing = self.held {
            self.held = match &self.store.inside {
                Inside::Tree(_, indexes) => Held::Tree(read(indexes)),
                Inside::Plain(_, index) => Held::Plain(read(index)),
                Inside::Fingerprint(set, _) => Held::Fingerprint(read(set)),
                Inside::Bitstate(..) => Held::Nothing,
            };
        }
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

fn save_records(records: &Records, out: &mut dyn Write) -> io::Result<()> {
    put(out, records.len() as u64)?;
    for id in 0..records.len() {
        for at in 0..records.width() {
            put(out, records.word(id as u32, at))?;
        }
    }
    Ok(())
}

fn restore_records(records: &Records, input: &mut dyn Read) -> io::Result<()> {
    let mut record = vec![0; records.width()];
    for _ in 0..take(input)? {
        for word in &mut record {
            *word = take(input)?;
        }
        if !records.restore(&record) {
            return Err(io::Error::from(io::ErrorKind::OutOfMemory));
        }
    }
    Ok(())
}

fn put(out: &mut dyn Write, word: u64) -> io::Result<()> {
    out.write_all(&word.to_le_bytes())
}

fn take(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
