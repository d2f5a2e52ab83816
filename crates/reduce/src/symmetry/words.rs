//! Remembers for every word of a slot where its points stand: a colour for each, and which are twins.
//!
//! Technique: short vectors. A slot takes few different words, so a word is looked at once; the colour of a point
//! in a state is the sum over the slots, and a successor that differs in one slot needs one subtraction and one
//! addition. Inside a word colours are refined until stable, which tells more than the markers of the paper.
//! Invariant: colours and twins depend on the structure of values, never on the numbers that words are.

use canon::{Blank, Canon, Exchanges, Links, Node, mix};
use pins::{Permute, View};
use rustc_hash::FxHashMap;

use super::remembered::{Found, Remembered};

/// What is known of words.
pub(super) struct Words<'a> {
    permute: &'a dyn Permute,
    classes: &'a [Vec<u32>],
    points: usize,
    /// Whether a point can move.
    moves: Vec<bool>,
    blank: Blank,
    /// The entries of words, by slot and word where words are small.
    dense: Vec<Vec<u32>>,
    known: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    /// For each entry where what it adds to the colours of points begins in `weights`, in units of all points, or one of
    /// the values below. It is looked at for every successor, so it is kept apart from what is asked seldom.
    starts: Vec<u32>,
    /// The structures of words, one after the other.
    terms: Term,
    /// What words add to the colours of points.
    weights: Vec<u64>,
    canon: Canon,
    bytes: usize,
}

/// What is known of one word of one slot.
pub(super) struct Entry {
    /// Its structure in `terms`.
    term: (usize, usize),
    slot: usize,
    /// How points hang together in it, once that was asked.
    links: Option<Links>,
    /// For each point the least one that it can be exchanged with, once that was asked.
    twins: Option<Box<[u32]>>,
    /// Whether twins were wanted before.
    was_wanted: bool,
}

/// The word holds no point that can move, or is the same with all of them moved.
const FIXED: u32 = u32::MAX;
/// The word holds something that cannot be permuted.
const OPAQUE: u32 = u32::MAX - 1;
/// What the word adds to colours was not asked yet.
const UNWEIGHED: u32 = u32::MAX - 2;

/// Words below this are looked up in a list: those that are numbers of values mostly are.
const DENSE: u32 = 1 << 14;
/// No entry.
const NONE: u32 = u32::MAX;

/// What is kept is forgotten when it needs more than this for one worker: 64 MB.
pub(super) const BUDGET: usize = 64 << 20;

/// Twins in a structure of so many nodes are found at once.
const SHORT: usize = 32;

impl<'a> Words<'a> {
    pub(super) fn new(permute: &'a dyn Permute, classes: &'a [Vec<u32>]) -> Words<'a> {
        let points = pins::symmetry::points(permute.sorts());
        let mut moves = vec![false; points];
        for point in classes.iter().flatten() {
            moves[*point as usize] = true;
        }
        Words {
            permute,
            classes,
            points,
            moves,
            blank: Blank::new(classes, points),
            dense: Vec::new(),
            known: FxHashMap::default(),
            entries: Vec::new(),
            starts: Vec::new(),
            terms: Term::default(),
            weights: Vec::new(),
            canon: Canon::new(),
            bytes: 0,
        }
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.points
    }

    /// The entry of a word.
    #[inline]
    pub(super) fn find(&mut self, slot: usize, word: u32) -> u32 {
        if word < DENSE {
            let list = self.dense.get(slot);
            return match list.and_then(|list| list.get(word as usize)) {
                Some(entry) if *entry != NONE => *entry,
                _ => self.learn(slot, word),
            };
        }
        match self.known.get(&key(slot, word)) {
            Some(entry) => *entry,
            None => self.learn(slot, word),
        }
    }

    #[cold]
    fn learn(&mut self, slot: usize, word: u32) -> u32 {
        let start = self.terms.0.len();
        let is_still = self.permute.is_still(slot, word);
        let is_opaque = !is_still && !self.permute.view(slot, word, &mut self.terms);
        if is_opaque {
            self.terms.0.truncate(start);
        } else if is_still {
            // A term by itself without points: it tells words apart and says nothing else, so the word's number will do.
            self.terms.0.push(Node::Atom(u64::from(word)));
        }
        let term = (start, self.terms.0.len());
        let moves = |node: &Node| matches!(node, Node::Point(point) if self.moves[*point as usize]);
        let is_moved = self.terms.0[start..].iter().any(moves);
        self.bytes += (term.1 - term.0) * 16 + 140;
        let entry = self.entries.len() as u32;
        self.entries.push(Entry {
            term,
            slot,
            links: None,
            twins: None,
            was_wanted: false,
        });
        self.starts.push(match (is_opaque, is_moved) {
            (true, _) => OPAQUE,
            (false, true) => UNWEIGHED,
            (false, false) => FIXED,
        });
        self.enter(slot, word, entry);
        entry
    }

    /// Notes the entry of a word.
    fn enter(&mut self, slot: usize, word: u32, entry: u32) {
        if word >= DENSE {
            self.known.insert(key(slot, word), entry);
            return;
        }
        if self.dense.len() <= slot {
            self.dense.resize(slot + 1, Vec::new());
        }
        let (list, at) = (&mut self.dense[slot], word as usize);
        if list.len() <= at {
            let more = (at + 1).next_power_of_two();
            self.bytes += (more - list.len()) * 4;
            list.resize(more, NONE);
        }
        list[at] = entry;
    }

    /// What a word adds to the colour of each point; nothing when none of them can move in it.
    #[inline]
    pub(super) fn weights(&mut self, entry: u32) -> &[u64] {
        let start = match self.starts[entry as usize] {
            FIXED | OPAQUE => return &[],
            UNWEIGHED => self.weigh(entry),
            start => start as usize * self.points,
        };
        &self.weights[start..start + self.points]
    }

    fn weigh(&mut self, entry: u32) -> usize {
        let start = self.weights.len();
        self.weights.resize(start + self.points, 0);
        self.bytes += self.points * 8;
        let weights = &mut self.weights[start..];
        let known = &self.entries[entry as usize];
        let term = &self.terms.0[known.term.0..known.term.1];
        self.canon.colour(term, &self.blank, weights);
        for weight in weights {
            *weight = mix(*weight, known.slot as u64);
        }
        self.starts[entry as usize] = (start / self.points) as u32;
        start
    }

    /// Whether the word of an entry holds a point that can move.
    #[inline]
    pub(super) fn is_moved(&self, entry: u32) -> bool {
        !matches!(self.starts[entry as usize], FIXED | OPAQUE)
    }

    /// Whether the word of an entry holds something that cannot be permuted.
    #[inline]
    pub(super) fn is_opaque(&self, entry: u32) -> bool {
        self.starts[entry as usize] == OPAQUE
    }

    /// How points hang together in a word.
    pub(super) fn links(&mut self, entry: u32) -> &Links {
        if self.is_moved(entry) && self.entries[entry as usize].links.is_none() {
            self.weights(entry);
            let known = &mut self.entries[entry as usize];
            let start = self.starts[entry as usize] as usize * self.points;
            let weights = &self.weights[start..start + self.points];
            let term = &self.terms.0[known.term.0..known.term.1];
            let links = self.canon.links(term, self.classes, weights);
            self.bytes += self.points * 4;
            known.links = Some(links);
        }
        self.entries[entry as usize]
            .links
            .as_ref()
            .unwrap_or(&Links::None)
    }

    /// Whether a word does not hinder that the points of a cell are exchanged, each with its group.
    pub(super) fn allows(&mut self, entry: u32, cell: &[u32]) -> bool {
        if *self.links(entry) == Links::Tangled {
            return self.are_twins(entry, cell);
        }
        let start = match self.starts[entry as usize] {
            FIXED | OPAQUE | UNWEIGHED => return true,
            start => start as usize * self.points,
        };
        let weight = |point: &u32| self.weights[start + *point as usize];
        cell[1..]
            .iter()
            .all(|point| weight(point) == weight(&cell[0]))
    }

    /// Whether the points of a cell can be exchanged with each other in a word.
    pub(super) fn are_twins(&mut self, entry: u32, cell: &[u32]) -> bool {
        if !self.is_moved(entry) {
            return true;
        }
        let known = &mut self.entries[entry as usize];
        let twins = known.twins.get_or_insert_with(|| {
            self.bytes += self.points * 4;
            let term = &self.terms.0[known.term.0..known.term.1];
            let twins = self.canon.twins(&[term], self.classes, self.points);
            twins.into()
        });
        let leader = twins[cell[0] as usize];
        cell[1..]
            .iter()
            .all(|point| twins[*point as usize] == leader)
    }

    /// Whether it is known which points are twins in those of these words that are tangled. Finding out is worth it
    /// only for words that come back, so it is not known when a long one is met for the first time.
    pub(super) fn knows_twins(&mut self, entries: &[u32]) -> bool {
        let mut knows = true;
        for entry in entries {
            let known = &mut self.entries[*entry as usize];
            if known.links == Some(Links::Tangled) {
                knows &= known.was_wanted || known.term.1 - known.term.0 <= SHORT;
                known.was_wanted = true;
            }
        }
        knows
    }

    /// What was found for the state with these entries, if it or one like it was searched before.
    pub(super) fn remembered<'r>(
        &mut self,
        entries: &[u32],
        colours: &[u64],
        remembered: &'r mut Remembered,
    ) -> Option<&'r Found> {
        let (canon, classes) = (&mut self.canon, self.classes);
        let roots = roots(&self.terms, &self.entries, entries);
        remembered.find(&roots, |order| canon.order(&roots, classes, colours, order))
    }

    /// Whether two points can be exchanged in all of these words.
    pub(super) fn are_all_twins(&mut self, entries: &[u32], a: u32, b: u32) -> bool {
        let mut entries = entries.iter();
        entries.all(|entry| self.are_twins(*entry, &[a, b]))
    }

    /// Adds what can be exchanged together in the state with these entries.
    pub(super) fn bundles(&mut self, entries: &[u32], found: &mut Exchanges) {
        let roots = roots(&self.terms, &self.entries, entries);
        self.canon.bundles(&roots, self.classes, found);
    }

    /// A canonical labelling of the state with these entries, from these colours.
    pub(super) fn label(&mut self, entries: &[u32], colours: &[u64]) -> canon::Labelling {
        let roots = roots(&self.terms, &self.entries, entries);
        self.canon.label(&roots, self.classes, colours)
    }

    /// Forgets everything when it has become too much; entries are numbered anew then. Whether it did.
    pub(super) fn shrink(&mut self) -> bool {
        let is_too_much = self.bytes > BUDGET;
        if is_too_much {
            self.dense.clear();
            self.known.clear();
            self.entries.clear();
            self.starts.clear();
            self.terms.0.clear();
            self.weights.clear();
            self.bytes = 0;
        }
        is_too_much
    }
}

fn key(slot: usize, word: u32) -> u64 {
    (slot as u64) << 32 | u64::from(word)
}

fn roots<'e>(terms: &'e Term, known: &[Entry], entries: &[u32]) -> Vec<&'e [Node]> {
    let bounds = entries.iter().map(|entry| known[*entry as usize].term);
    bounds.map(|(start, end)| &terms.0[start..end]).collect()
}

/// A term as it is shown.
#[derive(Default)]
pub(super) struct Term(pub(super) Vec<Node>);

impl View for Term {
    fn atom(&mut self, words: &[u64]) {
        if let [word] = words {
            self.0.push(Node::Atom(*word));
        } else {
            self.0.push(Node::Tuple(words.len() as u32));
            self.0.extend(words.iter().copied().map(Node::Atom));
        }
    }

    fn point(&mut self, point: u32) {
        self.0.push(Node::Point(point));
    }

    fn tuple(&mut self, parts: usize) {
        self.0.push(Node::Tuple(parts as u32));
    }

    fn set(&mut self, parts: usize) {
        self.0.push(Node::Set(parts as u32));
    }
}
