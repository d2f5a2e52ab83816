//! Vectors that are inserted together, so that memory is waited for once.

use std::sync::atomic::Ordering::Relaxed;

use super::{BATCH, Held, Inside, Session, Staged};
use crate::Found;
use crate::fingerprint::Noted;
use crate::hash::hash_words;
use crate::records::hash_record;

/// So many vectors are staged until the word of the index has come that the first of them asked for.
const LAG: usize = 6;

impl Session<'_> {
    /// Prepares a vector, as [`Session::insert_successor`] would take it, for [`Session::insert_staged`]; `false`
    /// when there is no room. A session that takes numbers in blocks makes none while something is staged, which would
    /// lose the numbers for it: after inserting that there may be room.
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

    /// Whether what is staged can be inserted for sure, so that it may wait for more: until the session is released, if it takes
    /// numbers in blocks; otherwise while no other session inserts.
    #[inline]
    pub fn can_wait(&mut self) -> bool {
        self.hold();
        let staged = self.staged.hashes.len();
        let numbers = self.takes_blocks.then_some(&mut self.numbers);
        match (&self.store.inside, &self.held) {
            (Inside::Tree(tree, _), Held::Tree(indexes)) => {
                tree.root().has_room(&indexes.root, numbers, staged)
            }
            (Inside::Plain(whole, _), Held::Plain(index)) => {
                whole.records.has_room(index, numbers, staged)
            }
            _ => false,
        }
    }

    /// So many states in all are expected soon: an index that is too small for them grows now, not when it is full, as far as its
    /// terms allow. For those who know when nobody waits for them. Nothing may be staged.
    pub fn expect(&mut self, states: usize) {
        debug_assert!(self.staged.hashes.is_empty());
        let states = states.min(self.store.terms.most);
        self.hold();
        let is_short = match &self.held {
            Held::Tree(indexes) => indexes.root.is_short(states),
            Held::Plain(index) => index.is_short(states),
            Held::Nothing | Held::Fingerprint(_) => false,
        };
        if is_short {
            self.release();
            self.store.grow_ahead(states);
        }
    }

    /// How many vectors are staged.
    #[inline]
    pub fn staged(&self) -> usize {
        self.staged.hashes.len()
    }

    #[inline]
    pub(super) fn stage_with(&mut self, vector: &[u32], changed: Option<&[u64]>) -> bool {
        debug_assert_eq!(vector.len(), self.store.slots);
        match &self.store.inside {
            Inside::Tree(..) => {
                let Some(root) = self.fold(vector, changed) else {
                    return false;
                };
                let hash = hash_record(&[root]);
                let staged = &mut self.staged;
                staged.words.push(root);
                staged.hashes.push(hash);
                if let (Inside::Tree(tree, _), Held::Tree(indexes)) =
                    (&self.store.inside, &self.held)
                {
                    tree.root().announce(&indexes.root, hash);
                    if let Some(earlier) = staged.earlier() {
                        tree.root().approach(&indexes.root, earlier);
                    }
                }
            }
            Inside::Plain(whole, _) => {
                let staged = &mut self.staged;
                let from = staged.words.len();
                match &whole.squeeze {
                    Some(squeeze) => squeeze.put(vector, &mut staged.words),
                    None => {
                        let (pairs, rest) = vector.as_chunks::<2>();
                        let pair = |[a, b]: &[u32; 2]| u64::from(*a) | u64::from(*b) << 32;
                        staged.words.extend(pairs.iter().map(pair));
                        let last = rest.iter().map(|last| u64::from(*last));
                        staged.words.extend(last);
                    }
                }
                let hash = hash_record(&staged.words[from..]);
                staged.hashes.push(hash);
                if let Held::Plain(index) = &self.held {
                    whole.records.announce(index, hash);
                    if let Some(earlier) = staged.earlier() {
                        whole.records.approach(index, earlier);
                    }
                }
            }
            Inside::Fingerprint(..) => self.staged.hashes.push(hash_words(vector, 0)),
            Inside::Bitstate(..) => {
                self.staged.hashes.push(hash_words(vector, 0));
                self.staged.words.push(hash_words(vector, 1));
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
            let root = root.filter(|root| tree.root().takes(&[*root]));
            if root.is_some() || self.takes_blocks && !self.staged.hashes.is_empty() {
                return root;
            }
            self.release();
            if !self.store.make_room() {
                return None;
            }
        }
    }

    /// Inserts what is staged, in order, and says what became of each. Memory is asked for all of them at once, in several steps while
    /// they are staged, which is much faster than one after the other when the store does not fit in the caches.
    #[inline]
    pub fn insert_staged(&mut self, mut each: impl FnMut(usize, Found)) {
        let count = self.staged.hashes.len();
        let mut at = 0;
        while at < count {
            let to = count.min(at + BATCH);
            let cold = at.max(self.first_cold());
            if to > cold + 1 {
                self.warm(cold, to);
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
        let numbers = &mut self.numbers;
        let mut numbers = self.takes_blocks.then_some(numbers);
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
                    let numbers = numbers.as_deref_mut();
                    let found = root.insert_hashed(index, &words[at..=at], hashes[at], numbers);
                    if found == Found::Full {
                        return at;
                    }
                    each(at, found);
                }
                to
            }
            (Inside::Plain(whole, _), Held::Plain(index)) => all(&mut |at| {
                let records = &whole.records;
                let from = at * records.width();
                let record = &words[from..from + records.width()];
                records.insert_hashed(index, record, hashes[at], numbers.as_deref_mut())
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

    /// The first whose record was not asked for yet: of exact stores that is done when later ones are staged.
    #[inline]
    fn first_cold(&self) -> usize {
        match self.store.inside {
            Inside::Tree(..) | Inside::Plain(..) => self.staged.hashes.len().saturating_sub(LAG),
            Inside::Fingerprint(..) | Inside::Bitstate(..) => 0,
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
            (Inside::Plain(whole, _), Held::Plain(index)) => whole.records.warm(index, hashes),
            (_, Held::Fingerprint(set)) => set.warm(hashes),
            (Inside::Bitstate(bits, _), _) => bits.warm(hashes),
            _ => {}
        }
    }
}

impl Staged {
    /// The hash of one that was staged some time ago.
    #[inline]
    fn earlier(&self) -> Option<u64> {
        let at = self.hashes.len().checked_sub(LAG + 1)?;
        Some(self.hashes[at])
    }
}
