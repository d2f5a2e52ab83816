//! Symmetry markers that may take two orbits for one: fast, and honest about it.
//!
//! Paper: [Leuschel, Massart 2010], definitions 6 to 8. The marker of a state is the state with every point replaced
//! by the multiset of paths that lead to it (`paths.rs`).
//! Differs: markers are lists of numbers of paths, of multisets of paths and of forms, so that a word of a slot is looked at
//! once and a successor costs what has changed; parts of a set that differ in which of their points are the same are told
//! apart.
//! Preserves: what is found is there; what is not found may be hidden behind a state with the same marker.
//! Where proposition 2 holds for all slots, colours decide the orbit and `exact.rs` does the work instead.
//! Invariant: two states are taken for one only when their full markers are equal; hashes find, never decide.
//! Invariant: the first state with a marker stands for it, so the answers depend on the order of the questions:
//! one thread, level by level.

use std::sync::{Mutex, MutexGuard, PoisonError};

use canon::{Exchanges, form_words};
use pins::{Fault, Permute, Shape};
use rustc_hash::FxHashMap;

use super::exact::{Depth, Former, Part};
use super::numbered::Numbered;
use super::paths::{Parts, Paths};
use super::quotient::{Chooser, Tally};
use super::words::Term;

/// What was met so far; shared, because the numbers in markers are.
#[derive(Default)]
pub(super) struct Marked {
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    paths: Paths,
    /// For each point what the words of the slots that hold it say.
    places: Numbered,
    /// Forms of values whose points were replaced by numbers.
    forms: Numbered,
    known: FxHashMap<u64, u32>,
    words: Vec<Word>,
    /// Markers of set-ups and of states.
    tables: [Table; 2],
    bytes: u64,
}

/// What is known of a word of a slot.
struct Word {
    /// For each point the number of the multiset of paths to it.
    lists: Box<[u32]>,
    /// What the form of the value is made of, where the marker is imprecise.
    parts: Parts,
    /// Whether it can be permuted.
    is_whole: bool,
}

#[derive(Default)]
struct Table {
    markers: Numbered,
    representatives: Vec<u32>,
    /// The length of a representative.
    width: usize,
}

impl Table {
    fn len(&self) -> usize {
        self.representatives.len() / self.width.max(1)
    }

    fn representative(&self, number: usize) -> &[u32] {
        &self.representatives[number * self.width..][..self.width]
    }
}

impl Marked {
    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn bytes(&self) -> u64 {
        let met = self.met();
        let tables = met.tables.iter();
        let tables =
            tables.map(|table| table.markers.bytes() + table.representatives.len() as u64 * 4);
        met.bytes + met.paths.bytes() + met.places.bytes() + met.forms.bytes() + tables.sum::<u64>()
    }

    /// Representatives in the order in which they were met; markers are computed again.
    pub(super) fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for table in &self.met().tables {
            saved.extend((table.len() as u64).to_le_bytes());
            saved.extend((table.width as u64).to_le_bytes());
            let words = table.representatives.iter();
            saved.extend(words.flat_map(|word| word.to_le_bytes()));
        }
        saved
    }

    pub(super) fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let short = || "the table of markers is cut short".to_owned();
        let mut rest = saved;
        for table in &mut self.met().tables {
            let mut next = || -> Result<usize, String> {
                let (head, tail) = rest.split_first_chunk::<8>().ok_or_else(short)?;
                rest = tail;
                usize::try_from(u64::from_le_bytes(*head)).map_err(|_| short())
            };
            let (len, width) = (next()?, next()?);
            let bytes = len
                .checked_mul(width)
                .and_then(|words| words.checked_mul(4));
            let words = bytes.and_then(|bytes| rest.split_at_checked(bytes));
            let (words, tail) = words.ok_or_else(short)?;
            rest = tail;
            let words = words.chunks_exact(4);
            let words = words.map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]));
            table.representatives = words.collect();
            table.width = width;
        }
        Ok(())
    }
}

/// Replaces a state by the first one with its marker.
pub(super) struct Marking<'a> {
    permute: &'a dyn Permute,
    former: Former<'a>,
    marked: &'a Marked,
    classes: &'a [Vec<u32>],
    /// The slots that can hold points, for set-ups and for states, and whether their markers are imprecise.
    slots: [Vec<(usize, bool)>; 2],
    /// The other slots.
    plain: [Vec<usize>; 2],
    /// Whether a point can move.
    moves: Vec<bool>,
    source: Frame,
    frame: Frame,
    term: Term,
    marker: Vec<u32>,
    list: Vec<u32>,
    packed: Vec<u128>,
    opaque: u64,
}

/// A vector, its words, and the number of the places of each point.
#[derive(Default)]
struct Frame {
    vector: Vec<u32>,
    words: Vec<u32>,
    ids: Vec<u32>,
    is_whole: bool,
}

impl<'a> Marking<'a> {
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &Shape,
        classes: &'a [Vec<u32>],
        imprecise: &[usize],
        marked: &'a Marked,
    ) -> Marking<'a> {
        let points = pins::symmetry::points(permute.sorts());
        let mut moves = vec![false; points];
        for point in classes.iter().flatten() {
            moves[*point as usize] = true;
        }
        let all = |part: Part| {
            let slots = shape.slots.iter().enumerate();
            slots
                .filter(move |(_, slot)| part == Part::State || slot.is_constant)
                .map(|(slot, _)| slot)
        };
        let moving = |part| all(part).filter(|slot| permute.moves(*slot));
        let moving = |part| {
            moving(part)
                .map(|slot| (slot, imprecise.contains(&slot)))
                .collect()
        };
        let plain = |part| all(part).filter(|slot| !permute.moves(*slot)).collect();
        Marking {
            permute,
            former: Former::new(permute, shape, classes, Depth::Colours, None),
            marked,
            classes,
            slots: [Part::Setup, Part::State].map(moving),
            plain: [Part::Setup, Part::State].map(plain),
            moves,
            source: Frame::default(),
            frame: Frame::default(),
            term: Term::default(),
            marker: Vec::new(),
            list: Vec::new(),
            packed: Vec::new(),
            opaque: 0,
        }
    }

    /// The number of a word.
    fn word(&mut self, met: &mut Met, slot: usize, word: u32, is_imprecise: bool) -> u32 {
        let key = (slot as u64) << 32 | u64::from(word);
        if let Some(known) = met.known.get(&key) {
            return *known;
        }
        self.term.0.clear();
        let is_whole = self.permute.view(slot, word, &mut self.term);
        let (lists, parts) = match is_whole {
            true => met
                .paths
                .read(slot as u32, &self.term.0, &self.moves, is_imprecise),
            false => (Box::default(), Parts::None),
        };
        met.bytes += lists.len() as u64 * 4 + parts.bytes() + 80;
        let number = met.words.len() as u32;
        met.words.push(Word {
            lists,
            parts,
            is_whole,
        });
        met.known.insert(key, number);
        number
    }

    /// Puts what is known of a vector into `frame`, starting from `source` where that has the same slots.
    fn frame(&mut self, met: &mut Met, vector: &[u32], part: Part) {
        let slots = std::mem::take(&mut self.slots[part as usize]);
        let mut frame = std::mem::take(&mut self.frame);
        // A state without slots follows none: there is nothing to start from.
        let follows =
            part == Part::State && !vector.is_empty() && self.source.vector.len() == vector.len();
        frame.vector.clear();
        frame.vector.extend_from_slice(vector);
        if follows {
            frame.words.clone_from(&self.source.words);
            frame.ids.clone_from(&self.source.ids);
        } else {
            frame.words.clear();
            frame.words.resize(slots.len(), u32::MAX);
            frame.ids.clear();
            let points = self.moves.len() as u32;
            frame.ids.extend((0..points).map(|point| u32::MAX - point));
        }
        for (at, (slot, is_imprecise)) in slots.iter().enumerate() {
            if !follows || self.source.vector[*slot] != vector[*slot] {
                frame.words[at] = self.word(met, *slot, vector[*slot], *is_imprecise);
            }
        }
        let word = |number: u32| &met.words[number as usize];
        frame.is_whole = frame.words.iter().all(|number| word(*number).is_whole);
        if frame.is_whole {
            let has_whole_source = follows && self.source.is_whole;
            for point in self.classes.iter().flatten() {
                let point = *point as usize;
                let list = |number: u32| met.words[number as usize].lists[point];
                let mut pairs = frame.words.iter().zip(&self.source.words);
                if has_whole_source && pairs.all(|(a, b)| a == b || list(*a) == list(*b)) {
                    continue;
                }
                self.list.clear();
                self.list.extend(frame.words.iter().map(|word| list(*word)));
                frame.ids[point] = met.places.number(&self.list).0;
            }
        }
        self.frame = frame;
        self.slots[part as usize] = slots;
    }

    /// Computes the marker of a vector; `false` when it holds something that cannot be permuted.
    fn mark(&mut self, met: &mut Met, vector: &[u32], part: Part) -> bool {
        self.frame(met, vector, part);
        if !self.frame.is_whole {
            self.opaque += 1;
            return false;
        }
        let ids = &self.frame.ids;
        self.marker.clear();
        let plain = self.plain[part as usize].iter();
        self.marker.extend(plain.map(|slot| vector[*slot]));
        for class in self.classes {
            let start = self.marker.len();
            self.marker.extend(class.iter().map(|p| ids[*p as usize]));
            self.marker[start..].sort_unstable();
        }
        for word in &self.frame.words {
            match &met.words[*word as usize].parts {
                Parts::None => {}
                Parts::Flat(parts) => {
                    self.packed.clear();
                    self.packed.extend(parts.iter().map(|part| part.pack(ids)));
                    self.packed.sort_unstable();
                    self.marker.push(parts.len() as u32);
                    for part in &self.packed {
                        let words = [96, 64, 32, 0].map(|shift| (part >> shift) as u32);
                        self.marker.extend(words);
                    }
                }
                Parts::Whole(term) => {
                    self.list.clear();
                    form_words(term, ids, &mut self.list);
                    self.marker.push(u32::MAX);
                    self.marker.push(met.forms.number(&self.list).0);
                }
            }
        }
        true
    }

    /// After a resume: the markers of the representatives that were saved.
    fn catch_up(&mut self, met: &mut Met, part: Part) {
        for at in met.tables[part as usize].markers.len()..met.tables[part as usize].len() {
            let vector = met.tables[part as usize].representative(at).to_vec();
            if self.mark(met, &vector, part) {
                met.tables[part as usize].markers.number(&self.marker);
            }
        }
    }
}

impl Chooser for Marking<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.source.vector.clear();
        let marked = self.marked;
        self.frame(&mut marked.met(), state, Part::State);
        std::mem::swap(&mut self.source, &mut self.frame);
        None
    }

    fn begin_setup(&mut self, _: &[u32]) -> Option<u128> {
        self.source.vector.clear();
        None
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        out.clear();
        let marked = self.marked;
        let met = &mut *marked.met();
        let table = &met.tables[part as usize];
        if table.markers.len() < table.len() {
            self.catch_up(met, part);
        }
        if !self.mark(met, vector, part) {
            out.extend_from_slice(vector);
            return Ok(());
        }
        let table = &mut met.tables[part as usize];
        let (number, is_new) = table.markers.number(&self.marker);
        if is_new {
            table.width = vector.len();
            table.representatives.extend_from_slice(vector);
            out.extend_from_slice(vector);
        } else {
            out.extend_from_slice(table.representative(number as usize));
        }
        Ok(())
    }

    fn exchanges(&mut self, found: &mut Exchanges) {
        let source = &self.source.vector;
        self.former.begin(source);
        self.former.exchanges(found);
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.opaque += std::mem::take(&mut self.opaque);
    }
}
