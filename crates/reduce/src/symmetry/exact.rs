//! The canonical permutation of a state at nearly the price of a marker: our default.
//!
//! Technique: where states are bits that belong to single points, points are sorted by these bits (`acting/keyed.rs`). Else
//! they are sorted by their colours (`words.rs`). Where that leaves few orders and permuting is cheap, the least image is taken
//! (`trials.rs`). Else a cell of points with one colour is decided when exchanging them, each with what hangs together with it, changes nothing (`cells.rs`): any order gives the same
//! state then. Only a state with another cell goes through the search of `lib/canon`, and what that finds is remembered
//! for the states of its orbit (`remembered.rs`).
//! Preserves: everything that permuting preserves; the count is the number of orbits.

use canon::Exchanges;
use pins::Permute;

use super::acting::Keyed;
use super::cells::{Cells, Decision};
use super::moved::Moved;
use super::remembered::Remembered;
use super::trials::{self, Trials, Tried};
use super::words::{BUDGET, Words};

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
    /// Sorts states, where sorting decides.
    keyed: Option<Keyed<'a>>,
    source: Frame,
    /// Whether there is one. It may have no slots at all.
    has_source: bool,
    frame: Frame,
    cells: Cells,
    /// The permutation found last, unless keys were sorted.
    images: Vec<u32>,
    outcome: Outcome,
    remembered: Remembered,
    moved: Moved,
    trials: Trials,
    ready: Vec<u32>,
    /// How many states were searched.
    pub(super) searched: u64,
    /// How many states could not be permuted.
    pub(super) opaque: u64,
}

/// How the vector formed last got its permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Opaque,
    /// By keys.
    Keyed,
    Sorted,
    /// With so many automorphisms.
    Searched(Option<u128>),
    /// Tried or remembered: the words of the representative are `ready`; the orbit has this size.
    Remembered(Option<u128>),
}

/// A vector, and what is known of the words in its slots.
#[derive(Default)]
struct Frame {
    vector: Vec<u32>,
    entries: Vec<u32>,
    colours: Vec<u64>,
    /// How many of the words cannot be permuted.
    opaque: usize,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Formed {
    /// The vector is its own representative.
    Same,
    /// It is the image under [`Former::images`].
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
        keyed: Option<Keyed<'a>>,
    ) -> Former<'a> {
        let slots: Vec<usize> = (0..shape.slots.len())
            .filter(|slot| permute.moves(*slot))
            .collect();
        let words = Words::new(permute, classes);
        let setup_slots: Vec<usize> = slots
            .iter()
            .copied()
            .filter(|slot| shape.slots[*slot].is_constant)
            .collect();
        Former {
            permute,
            classes,
            // Keys are those of whole states.
            keyed: keyed.filter(|_| setup_slots.is_empty()),
            setup_slots,
            slots,
            depth,
            source: Frame::default(),
            has_source: false,
            frame: Frame::default(),
            cells: Cells::default(),
            images: (0..words.points() as u32).collect(),
            outcome: Outcome::Sorted,
            remembered: Remembered::default(),
            moved: Moved::default(),
            trials: Trials::default(),
            ready: Vec::new(),
            searched: 0,
            opaque: 0,
            words,
        }
    }

    /// The states that follow are successors of this one: only what differs is looked at again.
    pub(super) fn begin(&mut self, state: &[u32]) {
        if let Some(keyed) = &mut self.keyed {
            return keyed.begin(Some(state));
        }
        self.shrink();
        self.source.fill(&mut self.words, &self.slots, state);
        self.has_source = true;
    }

    /// The states that follow are successors of none.
    pub(super) fn begin_anew(&mut self) {
        if let Some(keyed) = &mut self.keyed {
            keyed.begin(None);
        }
        self.shrink();
        self.has_source = false;
    }

    /// What is remembered is forgotten when it has become too much.
    fn shrink(&mut self) {
        if self.words.shrink() {
            self.moved.clear();
        }
        if self.remembered.bytes() > BUDGET {
            self.remembered.clear();
        }
    }

    /// Finds the permutation of a vector to its representative.
    pub(super) fn form(&mut self, vector: &[u32], part: Part) -> Formed {
        if let (Part::State, Some(keyed)) = (part, &mut self.keyed) {
            self.outcome = Outcome::Keyed;
            return match keyed.compare(vector) {
                true => Formed::Moved,
                false => Formed::Same,
            };
        }
        let slots = match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        };
        if part == Part::State && self.has_source {
            self.frame
                .follow(&self.source, &mut self.words, slots, vector);
        } else {
            self.frame.fill(&mut self.words, slots, vector);
        }
        if self.frame.opaque > 0 {
            self.outcome = Outcome::Opaque;
            self.opaque += 1;
            return Formed::Opaque;
        }
        let (classes, entries) = (self.classes, &self.frame.entries);
        self.outcome = match self.depth {
            Depth::Searched => self.search(),
            Depth::Colours => {
                self.cells.sort(classes, &self.frame.colours);
                self.take_sorted()
            }
            Depth::Decided => {
                self.cells.sort(classes, &self.frame.colours);
                let (cells, words) = (&mut self.cells, &mut self.words);
                match cells.ties(classes) {
                    1 => self.take_sorted(),
                    // The same for all states of an orbit: what is decided otherwise may be another one of them.
                    ties if ties <= trials::MOST && self.permute.is_cheap() => {
                        self.try_ties(vector, part)
                    }
                    _ => match cells.decide(classes, words, entries, false) {
                        Decision::Decided => self.take_sorted(),
                        Decision::Undecided | Decision::Costly => self.recall(vector, part),
                    },
                }
            }
        };
        let is_same = self
            .images
            .iter()
            .enumerate()
            .all(|(point, image)| point as u32 == *image);
        if is_same { Formed::Same } else { Formed::Moved }
    }

    /// Points go where their colours say.
    fn take_sorted(&mut self) -> Outcome {
        self.cells.place(self.classes, &mut self.images);
        Outcome::Sorted
    }

    /// Takes the next order of points that have one colour; `false` when all were taken.
    pub(super) fn permute_ties(&mut self) -> bool {
        let is_new = self.cells.permute_ties(self.classes);
        self.take_sorted();
        is_new
    }

    /// The least of the orders that colours leave.
    fn try_ties(&mut self, vector: &[u32], part: Part) -> Outcome {
        let state = Tried {
            vector,
            slots: match part {
                Part::Setup => &self.setup_slots,
                Part::State => &self.slots,
            },
            entries: &self.frame.entries,
        };
        let system = (self.permute, self.classes);
        self.trials.run(
            state,
            system,
            (&mut self.cells, &self.words),
            &mut self.moved,
        );
        self.images.clone_from(&self.trials.images);
        std::mem::swap(&mut self.ready, &mut self.trials.words);
        let all = self.permutations();
        Outcome::Remembered(all.map(|all| all / self.trials.same.max(1)))
    }

    /// How many permutations there are; `None` when they are too many.
    fn permutations(&self) -> Option<u128> {
        let mut ways = self.classes.iter().flat_map(|c| 1..=c.len() as u128);
        ways.try_fold(1, u128::checked_mul)
    }

    fn search(&mut self) -> Outcome {
        self.searched += 1;
        let labelling = self.words.label(&self.frame.entries, &self.frame.colours);
        self.images = labelling.images;
        Outcome::Searched(labelling.automorphisms)
    }

    /// What was found before for a state like this one, else what is found now.
    fn recall(&mut self, vector: &[u32], part: Part) -> Outcome {
        let (frame, remembered) = (&self.frame, &mut self.remembered);
        let found = self
            .words
            .remembered(&frame.entries, &frame.colours, remembered);
        if let Some(found) = found {
            let orbit = found.orbit;
            self.ready.clear();
            self.ready.extend_from_slice(&found.words);
            self.remembered.images(&mut self.images);
            return Outcome::Remembered(orbit);
        }
        let (classes, colours) = (self.classes, &self.frame.colours);
        self.cells.sort(classes, colours);
        let words = &mut self.words;
        let decision = self.cells.decide(classes, words, &self.frame.entries, true);
        self.outcome = match decision {
            Decision::Decided => self.take_sorted(),
            Decision::Undecided | Decision::Costly => self.search(),
        };
        let mut representative = Vec::new();
        self.apply(vector, part, &mut representative);
        let words = self.slots(part).iter().map(|slot| representative[*slot]);
        let words = words.collect();
        let orbit = self.orbit();
        self.remembered.note(&self.images, words, orbit);
        self.outcome
    }

    fn slots(&self, part: Part) -> &[usize] {
        match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        }
    }

    /// The permutation found last.
    pub(super) fn images(&self) -> Vec<u32> {
        match (self.outcome, &self.keyed) {
            (Outcome::Keyed, Some(keyed)) => keyed.all_images(),
            _ => self.images.clone(),
        }
    }

    /// The vector with its points exchanged by the permutation found last.
    pub(super) fn apply(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) {
        if let (Outcome::Keyed, Some(keyed)) = (self.outcome, &self.keyed) {
            return keyed.write(vector, out);
        }
        out.clear();
        out.extend_from_slice(vector);
        if let Outcome::Remembered(_) = self.outcome {
            for (slot, word) in self.slots(part).iter().zip(&self.ready) {
                out[*slot] = *word;
            }
            return;
        }
        let slots = match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        };
        let (permute, images, moved) = (self.permute, &self.images, &mut self.moved);
        moved.take(images);
        for (slot, entry) in slots.iter().zip(&self.frame.entries) {
            if self.words.is_moved(*entry) {
                let what = (*slot, vector[*slot], *entry);
                out[*slot] = trials::image(permute, moved, what, images);
            }
        }
    }

    /// The size of the orbit of the vector formed last; `None` when it is not known or too large.
    pub(super) fn orbit(&self) -> Option<u128> {
        match self.outcome {
            Outcome::Opaque => Some(1),
            Outcome::Keyed => self.keyed.as_ref()?.orbit_of_sorted(),
            Outcome::Remembered(orbit) => orbit,
            Outcome::Searched(automorphisms) => Some(self.permutations()? / automorphisms?.max(1)),
            Outcome::Sorted => self.cells.orbit(self.classes),
        }
    }

    /// What can be exchanged in the state begun with.
    pub(super) fn exchanges(&mut self, found: &mut Exchanges) {
        let (words, source) = (&mut self.words, &self.source);
        found.clear(words.points());
        // With keys there is none: sorting them costs less than finding out what sorting can be spared.
        if !self.has_source || source.opaque > 0 {
            return;
        }
        let colours = &source.colours;
        self.cells.sort(self.classes, colours);
        let decision = self
            .cells
            .decide(self.classes, words, &source.entries, true);
        if decision == Decision::Decided {
            self.cells.exchanges(self.classes, found);
            return;
        }
        let mut has_more = false;
        for class in self.classes {
            let mut twins: Vec<Vec<u32>> = Vec::new();
            for point in class {
                let mut alike = twins
                    .iter_mut()
                    .filter(|twins| colours[twins[0] as usize] == colours[*point as usize])
                    .peekable();
                let is_first = alike.peek().is_none();
                match alike.find(|twins| words.are_all_twins(&source.entries, twins[0], *point)) {
                    Some(twins) => twins.push(*point),
                    None => {
                        has_more |= !is_first;
                        twins.push(vec![*point]);
                    }
                }
            }
            for twins in twins.iter().filter(|twins| twins.len() > 1) {
                found.add(twins.chunks(1));
            }
        }
        if has_more {
            words.bundles(&source.entries, found);
        }
    }
}

impl Frame {
    fn fill(&mut self, words: &mut Words<'_>, slots: &[usize], vector: &[u32]) {
        self.vector.clear();
        self.vector.extend_from_slice(vector);
        self.colours.clear();
        self.colours.resize(words.points(), 0);
        self.entries.clear();
        self.opaque = 0;
        for slot in slots {
            let entry = words.find(*slot, vector[*slot]);
            self.entries.push(entry);
            self.opaque += usize::from(words.is_opaque(entry));
            for (colour, weight) in self.colours.iter_mut().zip(words.weights(entry)) {
                *colour = colour.wrapping_add(*weight);
            }
        }
    }

    fn follow(&mut self, source: &Frame, words: &mut Words<'_>, slots: &[usize], vector: &[u32]) {
        self.colours.clone_from(&source.colours);
        self.entries.clone_from(&source.entries);
        self.opaque = source.opaque;
        for (at, slot) in slots.iter().enumerate() {
            if source.vector[*slot] == vector[*slot] {
                continue;
            }
            let entry = words.find(*slot, vector[*slot]);
            self.opaque += usize::from(words.is_opaque(entry));
            self.opaque -= usize::from(words.is_opaque(source.entries[at]));
            let colours = &mut self.colours;
            for (colour, old) in colours.iter_mut().zip(words.weights(source.entries[at])) {
                *colour = colour.wrapping_sub(*old);
            }
            for (colour, new) in colours.iter_mut().zip(words.weights(entry)) {
                *colour = colour.wrapping_add(*new);
            }
            self.entries[at] = entry;
        }
    }
}
