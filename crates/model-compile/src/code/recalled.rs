//! Remembers the values of costly parts by the slots that they read: `ran(f)` in a guard is built once for each value of
//! `f`, not once for each state, and what depends on constants alone once for each set-up.
//!
//! Technique: memoisation in tables of fixed places. A part is pure, reads at most [`MOST_SLOTS`] variables, not all of
//! them unless its text stands in several places, and at most [`MOST_NAMES`] names that are bound outside of it, numbers or codes; a later answer takes the place of an
//! earlier one. Every table watches itself: one that seldom has the answer grows, and then rests longer and longer.
//! Invariant: only answers are kept that came without a note, a doubt or a fault, outside of any trial with a part of a
//! function; so whoever asks sees the same with and without tables.

mod marks;
mod texts;

use model::{ExprId, LocalId};

pub(super) use self::texts::Texts;
use super::{Compiler, IntCode, f};
use crate::cx::{Cx, F, K, OVER, R};
use crate::plan::Plan;
use crate::value::V;

/// A key of more words costs more than most parts.
const MOST_SLOTS: usize = 6;
/// The same of names.
const MOST_NAMES: usize = 3;
/// The most words of a key.
const MOST_WORDS: usize = MOST_SLOTS + MOST_NAMES + 1;
/// Words of a key that lie beside its answer.
const HEAD: usize = 4;
/// A table is judged after so many questions.
const WINDOW: u32 = 1 << 10;
/// It is worth its while when one question in so many finds its answer.
const FEW: u32 = 8;
/// The logarithm of the places of a new table, of the step by which it grows, and of the largest.
const PLACES: (u32, u32, u32) = (4, 3, 16);
/// The same of the largest where values are more than a word.
const MOST_VALUES: u32 = 12;
/// The places of all tables of a worker together: about 20 MB.
const ROOM: usize = 1 << 19;
/// Values of the names of a guard that are kept for one state.
const MOST_SOLUTIONS: usize = 1 << 10;
/// Guards with fewer candidates are asked again.
const FEW_CANDIDATES: f64 = 8.0;
/// How many questions a table that does not pay leaves out first.
const REST: u32 = 1 << 14;

/// The tables of one worker.
#[derive(Default)]
pub(crate) struct Recalls {
    /// Whether the constants are known: not while they are sought.
    is_on: bool,
    tables: Vec<Recall>,
    places: usize,
    setups: Setups,
}

/// Numbers for the values of all constants together.
#[derive(Default)]
struct Setups {
    words: Vec<u32>,
    number: u32,
    known: rustc_hash::FxHashMap<Box<[u32]>, u32>,
}

/// Answers of one part.
#[derive(Default)]
struct Recall {
    /// The logarithm of the number of places; 0 while there are none.
    bits: u32,
    places: Vec<Answer>,
    /// The words of keys after the first [`HEAD`], for all places.
    tails: Vec<u32>,
    asked: u32,
    found: u32,
    /// Questions that are left out yet, and how many the next time.
    resting: u32,
    rest: u32,
}

/// An answer beside the first words of its key: most keys have no more, so that one line of memory is looked at.
#[derive(Clone)]
struct Answer {
    head: [u32; HEAD],
    value: V,
}

/// How an answer is read from a value and kept as one.
type Forms<T> = (fn(&V) -> T, fn(&T) -> V);

/// What decides a part: words, of which those after `len` are zero.
struct Key {
    words: [u32; MOST_WORDS],
    len: usize,
    hash: u64,
    /// The last name: answers for its values lie side by side.
    last: u32,
}

/// Mixes a word into a hash.
#[inline]
fn mixed(hash: u64, word: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// The value of a name as a word of a key; `None` where it takes more than one.
#[inline]
fn word_of(name: &V) -> Option<u32> {
    match name {
        V::Word(word) => u32::try_from(*word).ok(),
        V::Int(value) => i32::try_from(*value).ok().map(|value| value as u32),
        _ => None,
    }
}

impl Key {
    #[inline]
    fn head(&self) -> [u32; HEAD] {
        std::array::from_fn(|at| self.words[at])
    }

    #[inline]
    fn tail(&self) -> &[u32] {
        self.words.get(HEAD..self.len).unwrap_or_default()
    }
}

impl Recalls {
    /// Begins to answer for states with these constants.
    #[inline]
    pub(crate) fn begin(&mut self, constants: &[u32]) {
        self.is_on = true;
        let known = self.setups.words.iter();
        if self.setups.words.len() != constants.len() || !known.eq(constants) {
            self.setups.change(constants);
        }
    }

    /// Leaves everything out until [`Recalls::begin`].
    pub(crate) fn end(&mut self) {
        self.is_on = false;
    }

    #[inline]
    fn find(&mut self, table: usize, key: &Key) -> Option<&V> {
        if self.tables[table].bits == 0 {
            self.grow(table, key, PLACES.0);
        }
        let table = &mut self.tables[table];
        table.asked += 1;
        let place = table.place(key);
        let answer = &table.places[place];
        let tail = key.tail();
        let is_same = answer.head == key.head()
            && (tail.is_empty() || table.tails[place * tail.len()..][..tail.len()] == *tail)
            && !matches!(answer.value, V::None);
        table.found += u32::from(is_same);
        is_same.then_some(&answer.value)
    }

    fn keep(&mut self, table: usize, key: &Key, value: V) {
        let recall = &mut self.tables[table];
        if recall.bits == 0 {
            return;
        }
        let is_word = matches!(value, V::Word(_) | V::Int(_));
        let (place, tail) = (recall.place(key), key.tail());
        recall.tails[place * tail.len()..][..tail.len()].copy_from_slice(tail);
        let head = key.head();
        recall.places[place] = Answer { head, value };
        if recall.asked < WINDOW {
            return;
        }
        let pays = recall.found * FEW >= recall.asked;
        (recall.asked, recall.found) = (0, 0);
        if pays {
            recall.rest = 0;
            return;
        }
        let most = if is_word { PLACES.2 } else { MOST_VALUES };
        let bits = recall.bits + PLACES.1;
        if bits <= most && self.places + (1 << bits) <= ROOM {
            self.grow(table, key, bits);
        } else {
            self.rest(table);
        }
    }

    #[cold]
    fn make_room(&mut self, table: usize) {
        self.tables.resize_with(table + 1, Recall::default);
    }

    fn grow(&mut self, table: usize, key: &Key, bits: u32) {
        let recall = &mut self.tables[table];
        self.places += (1 << bits) - recall.places.len();
        recall.bits = bits;
        let (head, value) = ([0; HEAD], V::None);
        recall.places = vec![Answer { head, value }; 1 << bits];
        recall.tails = vec![0; key.tail().len() << bits];
    }

    fn rest(&mut self, table: usize) {
        let recall = &mut self.tables[table];
        self.places -= recall.places.len();
        let rest = match recall.rest {
            0 => REST,
            rest => rest.saturating_mul(4),
        };
        *recall = Recall {
            resting: rest,
            rest,
            ..Recall::default()
        };
    }
}

impl Recall {
    /// Where an answer is, or would be kept.
    #[inline]
    fn place(&self, key: &Key) -> usize {
        let last = key.last ^ key.last >> 16;
        (key.hash >> (64 - self.bits)) as usize ^ (last as usize & ((1 << self.bits) - 1))
    }
}

impl Setups {
    #[cold]
    fn change(&mut self, constants: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(constants);
        let next = self.known.len() as u32;
        self.number = *self.known.entry(constants.into()).or_insert(next);
    }
}

/// The solutions of a guard, remembered.
pub(crate) struct Solutions {
    place: Place,
    names: Vec<LocalId>,
}

/// Where the answers of a part are: its table, and the slots that it reads beside constants, and the names.
#[derive(Clone)]
struct Place {
    table: usize,
    slots: Vec<u32>,
    names: Vec<u32>,
}

impl Cx<'_> {
    /// What decides a part now; `None` when its answers are not remembered.
    #[inline]
    fn key(&mut self, place: &Place) -> Option<Key> {
        if !self.recalls.is_on {
            return None;
        }
        let Some(table) = self.recalls.tables.get_mut(place.table) else {
            self.recalls.make_room(place.table);
            return None;
        };
        if table.resting > 0 {
            table.resting -= 1;
            return None;
        }
        if self.pruning || self.skipping || self.doubts.pending.is_some() {
            return None;
        }
        let (mut words, mut last) = ([0; MOST_WORDS], 0);
        words[0] = self.recalls.setups.number;
        let mut hash = mixed(0, words[0]);
        let (own, rest) = words[1..].split_at_mut(place.slots.len());
        for (word, slot) in own.iter_mut().zip(&place.slots) {
            *word = self.state[*slot as usize];
            if *word == OVER {
                return None;
            }
            hash = mixed(hash, *word);
        }
        for (word, name) in rest.iter_mut().zip(&place.names) {
            hash = mixed(hash, last);
            last = word_of(&self.frame[*name as usize])?;
            *word = last;
        }
        let len = 1 + place.slots.len() + place.names.len();
        Some(Key {
            words,
            len,
            hash,
            last,
        })
    }

    /// What was noted so far, in numbers that change when there is more.
    fn noted(&self) -> (usize, u64, u64, bool) {
        let notes = &self.notes;
        (
            notes.cuts.len(),
            notes.undefined_guards,
            notes.dropped_faults,
            self.doubts.pending.is_some() || self.passed.is_some(),
        )
    }

    /// The answer of code.
    #[inline]
    fn recall<T>(&mut self, place: &Place, code: &F<T>, (read, keep): Forms<T>) -> R<T> {
        let Some(key) = self.key(place) else {
            return code(self);
        };
        if let Some(answer) = self.recalls.find(place.table, &key) {
            return Ok(read(answer));
        }
        let noted = self.noted();
        let answer = code(self)?;
        if self.noted() == noted {
            self.recalls.keep(place.table, &key, keep(&answer));
        }
        Ok(answer)
    }

    /// Gives every solution of a guard to `k`.
    pub(crate) fn recall_solutions(
        &mut self,
        solutions: &Solutions,
        plan: &Plan,
        k: K<'_>,
    ) -> R<()> {
        let Some(key) = self.key(&solutions.place) else {
            return plan.run(self, k);
        };
        let table = solutions.place.table;
        if let Some(V::Rec(list)) = self.recalls.find(table, &key) {
            let list = list.clone();
            for values in list.chunks(solutions.names.len()) {
                for (name, value) in solutions.names.iter().zip(values) {
                    self.frame[name.index()] = value.clone();
                }
                k(self)?;
            }
            return Ok(());
        }
        let noted = self.noted();
        let mut list = Vec::new();
        plan.run(self, &mut |cx| {
            let values = solutions.names.iter();
            list.extend(values.map(|name| cx.frame[name.index()].clone()));
            k(cx)
        })?;
        if self.noted() == noted && list.len() <= MOST_SOLUTIONS {
            self.recalls.keep(table, &key, V::Rec(list.into()));
        }
        Ok(())
    }
}

impl Compiler<'_> {
    /// The code of a predicate that may be one of the parts.
    pub(super) fn recalled_predicate(&self, expr: ExprId, code: F<bool>) -> F<bool> {
        self.recalled_by(expr, code, (|v| v.word() != 0, |b| V::bool(*b)))
    }

    /// The code of a coded value that may be one of the parts.
    pub(super) fn recalled_word(&self, expr: ExprId, code: F<u64>) -> F<u64> {
        self.recalled_by(expr, code, (V::word, |word| V::Word(*word)))
    }

    /// The code of a wide set that may be one of the parts.
    pub(super) fn recalled_wide(&self, expr: ExprId, code: F<u128>) -> F<u128> {
        self.recalled_by(expr, code, (V::wide, |mask| V::of_wide(*mask)))
    }

    /// The code of an integer that may be one of the parts.
    pub(super) fn recalled_int(&self, expr: ExprId, code: IntCode) -> IntCode {
        let small = |value: &V| value.small().unwrap_or_default();
        IntCode {
            fast: self.recalled_by(expr, code.fast, (small, |value| V::Int(*value))),
            ..code
        }
    }

    /// The code of a value that may be one of the parts.
    pub(super) fn recalled_value(&self, expr: ExprId, code: F<V>) -> F<V> {
        self.recalled_by(expr, code, (V::clone, V::clone))
    }

    fn recalled_by<T: 'static>(&self, expr: ExprId, code: F<T>, forms: Forms<T>) -> F<T> {
        let Some(table) = self.recalled.borrow().get(&expr).copied() else {
            return code;
        };
        let fact = self.facts.of(expr);
        let Some(slots) = self.key_of(&fact.vars, true) else {
            return code;
        };
        let place = Place {
            table,
            slots,
            names: fact.locals.iter().map(|name| name.index() as u32).collect(),
        };
        f(move |cx| cx.recall(&place, &code, forms))
    }

    /// The solutions of a guard, where they are worth remembering.
    pub(crate) fn recalled_solutions(
        &self,
        names: &[LocalId],
        conjuncts: &[ExprId],
        plan: &Plan,
    ) -> Option<Solutions> {
        let is_dear = || conjuncts.iter().any(|conjunct| self.is_dear(*conjunct));
        let is_worth = plan.cost > FEW_CANDIDATES || is_dear();
        let mut vars = Vec::new();
        let mut is_pure = true;
        for conjunct in conjuncts {
            let fact = self.facts.of(*conjunct);
            crate::facts::merge(&mut vars, &fact.vars);
            is_pure &= fact.pure;
        }
        if names.is_empty() || !is_worth || !is_pure || plan.unbounded {
            return None;
        }
        let table = self.tables.get();
        self.tables.set(table + 1);
        Some(Solutions {
            place: Place {
                table,
                slots: self.key_of(&vars, false)?,
                names: Vec::new(),
            },
            names: names.to_vec(),
        })
    }
}
