//! The canonical permutation of a state at nearly the price of a marker: our default.
//!
//! Technique: points are sorted by their colours (`words.rs`). A cell of points with one colour is decided when
//! they are twins: exchanging them changes nothing, so any order gives the same state. Only a state with a cell
//! that is neither single nor twins goes through the search of `lib/canon`.
//! Preserves: everything that permuting preserves; the count is the number of orbits.
//! Invariant: whether a state is decided by colours depends on its orbit only.
//! Invariant: the orbit of a decided state has as many states as there are ways to put points into the cells.

use pins::Permute;

use super::orbits::multinomial;
use super::words::Words;

/// Which slots of a vector count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The constants: the others hold nothing yet.
    Setup,
    /// All.
    State,
}

/// How far a canonical form is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Sorted by colours; points with one colour are taken for twins (precise markers).
    Colours,
    /// Sorted by colours where that decides, else searched.
    Decided,
    /// Always searched.
    Searched,
}

/// Finds the permutation of a state to its representative.
pub(super) struct Former<'a> {
    permute: &'a dyn Permute,
    pub(super) words: Words<'a>,
    classes: &'a [Vec<u32>],
    setup_slots: Vec<usize>,
    slots: Vec<usize>,
    depth: Depth,
    source: Frame,
    frame: Frame,
    /// The points of all classes, each class sorted by colour.
    sorted: Vec<u32>,
    /// The permutation found last.
    pub(super) images: Vec<u32>,
    automorphisms: Option<u128>,
    is_searched: bool,
    is_opaque: bool,
    /// How many states were searched.
    pub(super) searched: u64,
    /// How many states could not be permuted.
    pub(super) opaque: u64,
}

/// A vector, and what is known of the words in its slots.
#[derive(Default)]
struct Frame {
    vector: Vec<u32>,
    entries: Vec<u32>,
    colours: Vec<u64>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formed {
    /// The vector is its own representative.
    Same,
    /// It is the image under `images`.
    Moved,
    /// It holds something that cannot be permuted and stands for itself.
    Opaque,
}

impl<'a> Former<'a> {
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &pins::Shape,
        classes: &'a [Vec<u32>],
        depth: Depth,
    ) -> Former<'a> {
        let slots: Vec<usize> = (0..shape.slots.len())
            .filter(|slot| permute.moves(*slot))
            .collect();
        let words = Words::new(permute, classes);
        Former {
            permute,
            classes,
            setup_slots: slots
                .iter()
                .copied()
                .filter(|slot| shape.slots[*slot].is_constant)
                .collect(),
            slots,
            depth,
            source: Frame::default(),
            frame: Frame::default(),
            sorted: classes.concat(),
            images: (0..words.points() as u32).collect(),
            automorphisms: None,
            is_searched: false,
            is_opaque: false,
            searched: 0,
            opaque: 0,
            words,
        }
    }

    /// The states that follow are successors of this one: only what differs is looked at again.
    pub(super) fn begin(&mut self, state: &[u32]) {
        self.words.shrink();
        self.source.fill(&mut self.words, &self.slots, state);
    }

    /// The states that follow are successors of none.
    pub(super) fn begin_anew(&mut self) {
        self.words.shrink();
        self.source.vector.clear();
    }

    /// Finds the permutation of a vector to its representative, in `images`.
    pub(super) fn form(&mut self, vector: &[u32], part: Part) -> Formed {
        let slots = match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        };
        if part == Part::State && self.source.vector.len() == vector.len() {
            self.frame
                .follow(&self.source, &mut self.words, slots, vector);
        } else {
            self.frame.fill(&mut self.words, slots, vector);
        }
        let words = &self.words;
        self.is_opaque = self
            .frame
            .entries
            .iter()
            .any(|entry| words.entry(*entry).is_opaque);
        if self.is_opaque {
            self.opaque += 1;
            return Formed::Opaque;
        }
        self.sort();
        self.is_searched =
            self.depth == Depth::Searched || self.depth == Depth::Decided && !self.is_decided();
        if self.is_searched {
            self.searched += 1;
            let labelling = self.words.label(&self.frame.entries, &self.frame.colours);
            self.images = labelling.images;
            self.automorphisms = labelling.automorphisms;
        } else {
            let mut at = 0;
            for class in self.classes {
                for to in class {
                    self.images[self.sorted[at] as usize] = *to;
                    at += 1;
                }
            }
        }
        let is_same = self
            .images
            .iter()
            .enumerate()
            .all(|(point, image)| point as u32 == *image);
        if is_same { Formed::Same } else { Formed::Moved }
    }

    /// Sorts the points of each class by colour.
    fn sort(&mut self) {
        let colours = &self.frame.colours;
        let mut at = 0;
        for class in self.classes {
            let sorted = &mut self.sorted[at..at + class.len()];
            sorted.copy_from_slice(class);
            sorted.sort_unstable_by_key(|point| (colours[*point as usize], *point));
            at += class.len();
        }
    }

    /// Whether every cell is a single point or made of twins.
    fn is_decided(&mut self) -> bool {
        let colours = &self.frame.colours;
        let mut at = 0;
        for class in self.classes {
            let sorted = &self.sorted[at..at + class.len()];
            at += class.len();
            for cell in sorted.chunk_by(|a, b| colours[*a as usize] == colours[*b as usize]) {
                if cell.len() > 1 {
                    for entry in &self.frame.entries {
                        if !self.words.are_twins(*entry, cell) {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }

    /// The vector with its points exchanged by `images`.
    pub(super) fn apply(&self, vector: &[u32], part: Part, out: &mut Vec<u32>) {
        let slots = match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        };
        out.clear();
        out.extend_from_slice(vector);
        for (slot, entry) in slots.iter().zip(&self.frame.entries) {
            if self.words.entry(*entry).is_moved {
                out[*slot] = self.permute.permute(*slot, vector[*slot], &self.images);
            }
        }
    }

    /// The size of the orbit of the vector formed last; `None` when it is not known or too large.
    pub(super) fn orbit(&self) -> Option<u128> {
        if self.is_opaque {
            return Some(1);
        }
        if self.is_searched {
            let automorphisms = self.automorphisms?;
            let mut all: u128 = 1;
            for class in self.classes {
                let ways = (1..=class.len() as u128).try_fold(1u128, u128::checked_mul)?;
                all = all.checked_mul(ways)?;
            }
            return Some(all / automorphisms.max(1));
        }
        let colours = &self.frame.colours;
        let mut size: u128 = 1;
        let mut at = 0;
        for class in self.classes {
            let sorted = &self.sorted[at..at + class.len()];
            at += class.len();
            let cells = sorted.chunk_by(|a, b| colours[*a as usize] == colours[*b as usize]);
            size = size.checked_mul(multinomial(cells.map(<[u32]>::len))?)?;
        }
        Some(size)
    }

    /// The structure of the vector formed last.
    pub(super) fn entries(&self) -> &[u32] {
        &self.frame.entries
    }
}

impl Frame {
    fn fill(&mut self, words: &mut Words<'_>, slots: &[usize], vector: &[u32]) {
        self.vector.clear();
        self.vector.extend_from_slice(vector);
        self.colours.clear();
        self.colours.resize(words.points(), 0);
        self.entries.clear();
        for slot in slots {
            let entry = words.find(*slot, vector[*slot]);
            self.entries.push(entry);
            for (colour, weight) in self.colours.iter_mut().zip(&words.entry(entry).weights) {
                *colour = colour.wrapping_add(*weight);
            }
        }
    }

    fn follow(&mut self, source: &Frame, words: &mut Words<'_>, slots: &[usize], vector: &[u32]) {
        self.colours.clone_from(&source.colours);
        self.entries.clone_from(&source.entries);
        for (at, slot) in slots.iter().enumerate() {
            if source.vector[*slot] == vector[*slot] {
                continue;
            }
            let entry = words.find(*slot, vector[*slot]);
            let (old, new) = (words.entry(source.entries[at]), words.entry(entry));
            let weights = old.weights.iter().zip(&new.weights);
            for (colour, (old, new)) in self.colours.iter_mut().zip(weights) {
                *colour = colour.wrapping_sub(*old).wrapping_add(*new);
            }
            self.entries[at] = entry;
        }
    }
}
