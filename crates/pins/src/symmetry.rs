//! What a reduction needs to know of interchangeable elements: which there are, what a state looks like with
//! them exchanged, and where they stand in a value.
//!
//! The elements of all sorts are numbered through as *points*. A permutation is a vector that gives the image of
//! every point; it stays inside classes.
//! Laws (tested by `check_permutations`):
//! 1. *Group*: the identity changes nothing, and permuting twice is permuting by the product.
//! 2. *View*: the view of a permuted word is the view of the word with its points exchanged.
//! 3. *Automorphism*: permuting a state permutes its successors (label and target), initial states and set-ups,
//!    and changes the truth of no label.
//! 4. *Places*: where [`Permute::places`] is not empty, elements have slots of their own, and permuting a state moves words to
//!    the slots of the permuted places. Then the group of a step and the number of a label may change with its points: the
//!    targets of all steps are permuted, the slots that their groups may write with them, and as many labels are true.
//! 5. *Action*: where [`Permute::as_action`] is there, its points are the points and permuting by it is permuting.
//!    A word that [`hides`] points is its own image whatever it holds, so the law is about states without such words.
//! 6. *Glances*: a word that [`Permute::is_still`] is its own image under every permutation; [`Permute::compare`] orders the
//!    words of a slot, and calls no others equal than equal ones. A word that
//!    [`Permute::view`] does not show is one of a slot that [`Permute::may_hide`] some.

use std::cmp::Ordering;
use std::collections::HashMap;

use base::Name;

use crate::action::Action;
use crate::shape::GroupId;

/// A set whose elements may be interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// Its name.
    pub name: Name,
    /// The point of its first element; the others follow.
    pub first: u32,
    /// For each element the class it belongs to; only elements of one class are exchanged.
    pub classes: Vec<u32>,
}

impl Sort {
    /// The elements that its elements become when points become `images`, counted from its first.
    pub fn images(&self, images: &[u32]) -> Vec<u32> {
        let first = self.first as usize;
        let images = images[first..first + self.classes.len()].iter();
        images.map(|image| image - self.first).collect()
    }
}

/// Where a slot stands, when elements have slots of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Slots of one family hold parts of one thing.
    pub family: usize,
    /// The points that tell the slots of a family apart; none that only stays where it is.
    pub index: Vec<u32>,
}

impl Place {
    /// The place with its points exchanged.
    pub fn permuted(&self, permutation: &[u32]) -> Place {
        let index = self.index.iter().map(|point| permutation[*point as usize]);
        Place {
            family: self.family,
            index: index.collect(),
        }
    }
}

/// For each slot the slot that its word is moved to.
pub fn targets(places: &[Place], permutation: &[u32]) -> Option<Vec<usize>> {
    let known: HashMap<&Place, usize> = places.iter().zip(0..).collect();
    let target = |place: &Place| known.get(&place.permuted(permutation)).copied();
    places.iter().map(target).collect()
}

/// A system whose states can be permuted.
pub trait Permute: Sync {
    /// The sorts with interchangeable elements, by their first point.
    fn sorts(&self) -> &[Sort];

    /// Whether words of a slot can hold points.
    fn moves(&self, slot: usize) -> bool;

    /// Whether permuting can change a slot's word. A slot may move without that: its word may hide points.
    fn changes(&self, slot: usize) -> bool {
        self.moves(slot)
    }

    /// For each slot its place; nothing when no slot's word moves to another slot.
    fn places(&self) -> &[Place] {
        &[]
    }

    /// A slot's word with its points exchanged.
    fn permute(&self, slot: usize, word: u32, permutation: &[u32]) -> u32;

    /// Whether permuting the words of a slot takes no longer than a look into a large table, so that nobody needs to
    /// remember what becomes of them.
    fn is_quick(&self, _slot: usize) -> bool {
        false
    }

    /// Whether no permutation changes a slot's word, as far as a glance at it tells.
    fn is_still(&self, _slot: usize, _word: u32) -> bool {
        false
    }

    /// Whether words are permuted and compared at the price of a look into a table, so that a few permutations are sooner tried
    /// than searched among.
    fn is_cheap(&self) -> bool {
        false
    }

    /// An order of the words of a slot that depends on what they stand for, never on the numbers that they are; asked
    /// only where permuting is cheap.
    fn compare(&self, _slot: usize, a: u32, b: u32) -> Ordering {
        a.cmp(&b)
    }

    /// The same as an action on bits of slots, where all that permutations move are bits side by side.
    fn as_action(&self) -> Option<&Action> {
        None
    }

    /// The label of a step with its points exchanged.
    fn permute_label(&self, group: GroupId, label: &[u32], permutation: &[u32]) -> Vec<u32>;

    /// What the word of a label at this position is.
    fn label_part(&self, _group: GroupId, _position: usize, _word: u32) -> LabelPart {
        LabelPart::Other
    }

    /// Shows the structure of a slot's word; `false` when it holds something that cannot be permuted.
    fn view(&self, slot: usize, word: u32, view: &mut dyn View) -> bool;

    /// Whether there may be words of a slot that cannot be permuted.
    fn may_hide(&self, _slot: usize) -> bool {
        false
    }
}

/// What a word of a label is to a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelPart {
    /// It holds no points.
    Fixed,
    /// It is a point.
    Point(u32),
    /// It may hold points.
    Other,
}

/// Is shown a value from the outside in: each node before its parts.
pub trait View {
    /// Something without points; equal words mean equal values of one type.
    fn atom(&mut self, words: &[u64]);
    /// A point.
    fn point(&mut self, point: u32);
    /// A pair, record or the like: so many parts follow, in order.
    fn tuple(&mut self, parts: usize);
    /// A set: so many parts follow, in any order, all different.
    fn set(&mut self, parts: usize);
}

/// Sees nothing.
struct Blind;

impl View for Blind {
    fn atom(&mut self, _words: &[u64]) {}
    fn point(&mut self, _point: u32) {}
    fn tuple(&mut self, _parts: usize) {}
    fn set(&mut self, _parts: usize) {}
}

/// Whether a slot's word may hold points where nobody sees them: then a state cannot be permuted, as the word would keep them.
pub fn hides(permute: &dyn Permute, slot: usize, word: u32) -> bool {
    permute.may_hide(slot) && !permute.view(slot, word, &mut Blind)
}

/// The classes of points with more than one member, each ascending.
pub fn classes(sorts: &[Sort]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = Vec::new();
    for sort in sorts {
        let mut classes: Vec<(u32, Vec<u32>)> = Vec::new();
        for (at, class) in sort.classes.iter().enumerate() {
            let point = sort.first + at as u32;
            match classes.iter_mut().find(|(known, _)| known == class) {
                Some((_, points)) => points.push(point),
                None => classes.push((*class, vec![point])),
            }
        }
        let classes = classes.into_iter().map(|(_, points)| points);
        found.extend(classes.filter(|points| points.len() > 1));
    }
    found
}

/// The number of points.
pub fn points(sorts: &[Sort]) -> usize {
    sorts
        .last()
        .map_or(0, |sort| sort.first as usize + sort.classes.len())
}

/// A state with its points exchanged; slow and plain, for tests and single states.
pub fn permuted(permute: &dyn Permute, state: &[u32], permutation: &[u32]) -> Vec<u32> {
    let words = state.iter().enumerate();
    let words: Vec<u32> = words
        .map(|(slot, word)| match permute.moves(slot) {
            true => permute.permute(slot, *word, permutation),
            false => *word,
        })
        .collect();
    match targets(permute.places(), permutation) {
        Some(targets) if !targets.is_empty() => {
            let mut moved = words.clone();
            for (slot, target) in targets.into_iter().enumerate() {
                moved[target] = words[slot];
            }
            moved
        }
        _ => words,
    }
}
