//! The least image of a state under the orders that colours leave: where those are few and permuting is cheap, trying all of
//! them takes less than finding out which of them are needed.
//!
//! Paper: [Ip, Dill 1996], section 6: the least of the normalised states. Differs: only points of one colour (`words.rs`) change
//! places, and images are made word by word, up to the first one that is greater than that of the best order so far.
//! Invariant: the orders that are tried and the order of words depend on the orbit only, so the least image does.
//! Invariant: as many orders lead to the least image as permutations change nothing in the state.

use std::cmp::Ordering;

use pins::Permute;

use super::cells::Cells;
use super::moved::Moved;
use super::words::Words;

/// More orders are not tried.
pub(super) const MOST: u64 = 24;

/// The least image so far.
#[derive(Default)]
pub(super) struct Trials {
    /// Its words in the slots that can hold points.
    pub(super) words: Vec<u32>,
    /// The permutation to it.
    pub(super) images: Vec<u32>,
    /// How many orders led to it.
    pub(super) same: u128,
    tried: Vec<u32>,
}

/// A state: its slots that can hold points, with the entries of their words.
#[derive(Clone, Copy)]
pub(super) struct Tried<'s> {
    pub vector: &'s [u32],
    pub slots: &'s [usize],
    pub entries: &'s [u32],
}

/// The image of the word of an entry under the permutation that `moved` has taken.
#[inline]
pub(super) fn image(
    permute: &dyn Permute,
    moved: &mut Moved,
    (slot, word, entry): (usize, u32, u32),
    images: &[u32],
) -> u32 {
    let ask = || permute.permute(slot, word, images);
    match permute.is_quick(slot) {
        true => ask(),
        false => moved.image(entry, ask),
    }
}

impl Trials {
    /// Tries all orders of the points in cells.
    pub(super) fn run(
        &mut self,
        state: Tried<'_>,
        (permute, classes): (&dyn Permute, &[Vec<u32>]),
        (cells, words): (&mut Cells, &Words<'_>),
        moved: &mut Moved,
    ) {
        self.words.clear();
        self.words.resize(state.slots.len(), 0);
        self.tried.clear();
        self.tried.extend(0..words.points() as u32);
        self.same = 0;
        loop {
            cells.place(classes, &mut self.tried);
            moved.take(&self.tried);
            match self.try_one(state, permute, words, moved) {
                Ordering::Less => {
                    self.images.clone_from(&self.tried);
                    self.same = 1;
                }
                Ordering::Equal => self.same += 1,
                Ordering::Greater => {}
            }
            if !cells.permute_ties(classes) {
                break;
            }
        }
        let mut own = state.slots.iter().map(|slot| state.vector[*slot]);
        if self.words.iter().all(|word| Some(*word) == own.next()) {
            self.images.clear();
            self.images.extend(0..words.points() as u32);
        }
    }

    /// Compares the image under the permutation at hand with the least one so far, and takes its place if it is less.
    fn try_one(
        &mut self,
        state: Tried<'_>,
        permute: &dyn Permute,
        words: &Words<'_>,
        moved: &mut Moved,
    ) -> Ordering {
        let mut order = match self.same {
            0 => Ordering::Less,
            _ => Ordering::Equal,
        };
        let parts = state.slots.iter().zip(state.entries).zip(&mut self.words);
        for ((slot, entry), least) in parts {
            let word = state.vector[*slot];
            let image = match words.is_moved(*entry) {
                true => image(permute, moved, (*slot, word, *entry), &self.tried),
                false => word,
            };
            if order == Ordering::Equal {
                order = permute.compare(*slot, image, *least);
                if order == Ordering::Greater {
                    return order;
                }
            }
            *least = image;
        }
        order
    }
}
