//! Remembers for every word of a slot where its points stand: a colour for each, and which are twins.
//!
//! Technique: short vectors. A slot takes few different words, so a word is looked at once; the colour of a point
//! in a state is the sum over the slots, and a successor that differs in one slot needs one subtraction and one
//! addition. Inside a word colours are refined until stable, which tells more than the markers of the paper.
//! Invariant: colours and twins depend on the structure of values, never on the numbers that words are.

use canon::{Canon, Node, mix};
use pins::{Permute, View};
use rustc_hash::FxHashMap;

/// What is known of words.
pub(super) struct Words<'a> {
    permute: &'a dyn Permute,
    classes: &'a [Vec<u32>],
    points: usize,
    known: FxHashMap<u64, u32>,
    entries: Vec<Entry>,
    canon: Canon,
    bytes: usize,
}

/// What is known of one word of one slot.
pub(super) struct Entry {
    /// Its structure.
    pub(super) term: Box<[Node]>,
    /// What it adds to the colour of each point.
    pub(super) weights: Box<[u64]>,
    /// For each point the least one that it can be exchanged with, once that was asked.
    twins: Option<Box<[u32]>>,
    /// Whether it holds a point that can move.
    pub(super) is_moved: bool,
    /// Whether it holds something that cannot be permuted.
    pub(super) is_opaque: bool,
}

/// What is kept is forgotten when it needs more than this for one worker: 64 MB.
const BUDGET: usize = 64 << 20;

impl<'a> Words<'a> {
    pub(super) fn new(permute: &'a dyn Permute, classes: &'a [Vec<u32>]) -> Words<'a> {
        Words {
            permute,
            classes,
            points: pins::symmetry::points(permute.sorts()),
            known: FxHashMap::default(),
            entries: Vec::new(),
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
        let key = (slot as u64) << 32 | u64::from(word);
        match self.known.get(&key) {
            Some(entry) => *entry,
            None => self.learn(slot, word, key),
        }
    }

    #[cold]
    fn learn(&mut self, slot: usize, word: u32, key: u64) -> u32 {
        let mut term = Term::default();
        let is_whole = self.permute.view(slot, word, &mut term);
        let is_opaque = !is_whole;
        let term = if is_opaque { Vec::new() } else { term.0 };
        let moves = |node: &Node| matches!(node, Node::Point(point) if self.classes.iter().any(|class| class.contains(point)));
        let is_moved = term.iter().any(moves);
        let weights = if is_moved {
            let mut colours = self.canon.colours(&[&term], self.classes, self.points);
            for colour in &mut colours {
                *colour = mix(*colour, slot as u64);
            }
            colours
        } else {
            vec![0; self.points]
        };
        self.bytes += term.len() * 16 + self.points * 8 + 120;
        let entry = self.entries.len() as u32;
        self.entries.push(Entry {
            term: term.into(),
            weights: weights.into(),
            twins: None,
            is_moved,
            is_opaque,
        });
        self.known.insert(key, entry);
        entry
    }

    /// What is known by an entry.
    #[inline]
    pub(super) fn entry(&self, entry: u32) -> &Entry {
        &self.entries[entry as usize]
    }

    /// Whether the points of a cell can be exchanged with each other in a word.
    pub(super) fn are_twins(&mut self, entry: u32, cell: &[u32]) -> bool {
        let known = &mut self.entries[entry as usize];
        if !known.is_moved {
            return true;
        }
        let twins = known.twins.get_or_insert_with(|| {
            self.bytes += self.points * 4;
            let twins = self.canon.twins(&[&known.term], self.classes, self.points);
            twins.into()
        });
        let leader = twins[cell[0] as usize];
        cell[1..]
            .iter()
            .all(|point| twins[*point as usize] == leader)
    }

    /// A canonical labelling of the state with these entries, from these colours.
    pub(super) fn label(&mut self, entries: &[u32], colours: &[u64]) -> canon::Labelling {
        let known = &self.entries;
        let roots: Vec<&[Node]> = entries
            .iter()
            .map(|entry| &*known[*entry as usize].term)
            .collect();
        self.canon.label(&roots, self.classes, colours)
    }

    /// Forgets everything when it has become too much; entries are numbered anew then.
    pub(super) fn shrink(&mut self) -> bool {
        let is_too_much = self.bytes > BUDGET;
        if is_too_much {
            self.known.clear();
            self.entries.clear();
            self.bytes = 0;
        }
        is_too_much
    }
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
