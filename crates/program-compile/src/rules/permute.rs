//! Exchanges the elements of scalarsets in states and labels.
//!
//! Invariant: permuting a slot's word is permuting all words of its family; no other slot changes by it.

use std::cmp::Ordering;

use pins::{Action, GroupId, LabelPart, Permute, Sort, View};
use program::{Binder, Domain, RuleId, TyId};

use super::points::Values;
use super::slots::{Family, with_words};
use super::system::Rules;

/// So many words are permuted in the time of one look into a table that fits no cache.
const QUICK: usize = 8;

/// What a word of a label is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelWord {
    /// A parameter of a simple type.
    Value(TyId),
    /// A number: a counter, or how many equal elements come before the chosen one.
    Number,
    /// The first word of a chosen element of a multiset.
    Element(TyId),
    /// A further word of it.
    More,
}

/// The words of a rule's labels.
pub(crate) fn label_words(rules: &Rules, rule: RuleId) -> Vec<LabelWord> {
    let program = rules.program();
    let mut words = Vec::new();
    for binder in &program.rules[rule].binders {
        let Binder::Parameter { domain, .. } = binder else {
            continue;
        };
        match domain {
            Domain::Type(ty) => words.push(LabelWord::Value(*ty)),
            Domain::Count { .. } => words.push(LabelWord::Number),
            Domain::Elements(place) => {
                let program::Ty::Multiset { element, .. } =
                    program.types.get(program.places[*place].ty)
                else {
                    unreachable!("only multisets have elements")
                };
                words.push(LabelWord::Element(*element));
                let more = rules.layout().ty(*element).words as usize - 1;
                words.extend(std::iter::repeat_n(LabelWord::More, more));
                words.push(LabelWord::Number);
            }
        }
    }
    words
}

impl Rules {
    fn values(&self) -> Values<'_> {
        Values {
            program: self.program(),
            layout: self.layout(),
            points: self.points(),
        }
    }
}

impl Permute for Rules {
    fn sorts(&self) -> &[Sort] {
        &self.points().sorts
    }

    fn moves(&self, slot: usize) -> bool {
        self.slots().list[slot].family.is_some()
    }

    fn permute(&self, slot: usize, word: u32, permutation: &[u32]) -> u32 {
        let found = &self.slots().list[slot];
        let Some(family) = &found.family else {
            return word;
        };
        let count = found.words.len();
        if count == 1 && family.moving.is_of_words() {
            return family.moving.word(word, permutation);
        }
        if let Some(bits) = self
            .slots()
            .bits(slot)
            .filter(|_| family.moving.is_of_words())
        {
            // Cells of one type have the same bits, so a place in the word is a product.
            let mask = (1 << bits) - 1;
            let mut image = 0;
            for at in 0..count as u32 {
                let part = family
                    .moving
                    .word((word >> (at * bits)) & mask, permutation);
                let place = family.moving.position(at as usize, permutation) as u32;
                image |= part << (place * bits);
            }
            return image;
        }
        with_words(2 * count, |words| {
            let (from, to) = words.split_at_mut(count);
            self.slots().unpack_into(slot, word, from);
            self.permute_words(family, from, to, permutation);
            self.slots().pack(slot, to)
        })
    }

    fn is_still(&self, slot: usize, word: u32) -> bool {
        let found = &self.slots().list[slot];
        let Some(family) = &found.family else {
            return true;
        };
        let count = found.words.len();
        with_words(2 * count, |words| {
            let (from, to) = words.split_at_mut(count);
            self.slots().unpack_into(slot, word, from);
            // Exchanges of neighbours make all permutations.
            let mut permutation: Vec<u32> = (0..self.points().count() as u32).collect();
            self.points().sorts.iter().all(|sort| {
                let (first, count) = (sort.first as usize, sort.classes.len());
                (first + 1..first + count).all(|point| {
                    permutation.swap(point - 1, point);
                    self.permute_words(family, from, to, &permutation);
                    permutation.swap(point - 1, point);
                    from == to
                })
            })
        })
    }

    fn is_cheap(&self) -> bool {
        true
    }

    fn compare(&self, slot: usize, a: u32, b: u32) -> Ordering {
        self.slots().compare(slot, a, b)
    }

    fn is_quick(&self, slot: usize) -> bool {
        let found = &self.slots().list[slot];
        let is_simple = |family: &Family| family.moving.is_of_words() && family.moving.is_flat();
        found.words.len() <= QUICK
            && !self.slots().is_in_table(slot)
            && found.family.as_ref().is_some_and(is_simple)
    }

    fn as_action(&self) -> Option<&Action> {
        self.action_on_bits()
    }

    fn permute_label(&self, group: GroupId, label: &[u32], permutation: &[u32]) -> Vec<u32> {
        let values = self.values();
        let mut image = label.to_vec();
        for (at, word) in self.label_words(group).iter().enumerate() {
            let ty = match word {
                LabelWord::Value(ty) | LabelWord::Element(ty) => *ty,
                LabelWord::Number | LabelWord::More => continue,
            };
            let words = at..at + self.layout().ty(ty).words as usize;
            values.permute(ty, &label[words.clone()], &mut image[words], permutation);
        }
        image
    }

    fn label_part(&self, group: GroupId, position: usize, word: u32) -> LabelPart {
        match self.label_words(group).get(position) {
            Some(LabelWord::Value(ty)) => {
                let code = i64::from(word) + self.layout().ty(*ty).bias;
                match self
                    .points()
                    .holds(self.program(), *ty)
                    .then(|| self.points().point(code))
                    .flatten()
                {
                    Some(point) => LabelPart::Point(point),
                    None => LabelPart::Fixed,
                }
            }
            Some(LabelWord::Number) => LabelPart::Fixed,
            _ => LabelPart::Other,
        }
    }

    fn view(&self, slot: usize, word: u32, view: &mut dyn View) -> bool {
        let found = &self.slots().list[slot];
        let values = self.values();
        let mut words = Vec::new();
        self.slots().unpack(slot, word, &mut words);
        let Some(family) = &found.family else {
            let atom: Vec<u64> = words.iter().map(|word| u64::from(*word)).collect();
            view.atom(&atom);
            return true;
        };
        if family.indices.is_empty() {
            values.view(family.leaf, &words, view);
            return true;
        }
        let leaf = family.leaf_words as usize;
        view.set(words.len() / leaf);
        for (at, part) in words.chunks_exact(leaf).enumerate() {
            view.tuple(family.indices.len() + 1);
            for code in self.index_codes(&family.indices, at) {
                values.view_code(code, view);
            }
            values.view(family.leaf, part, view);
        }
        true
    }
}

impl Rules {
    /// Puts the words of a family with their points exchanged into `to`.
    fn permute_words(&self, family: &Family, from: &[u32], to: &mut [u32], permutation: &[u32]) {
        if family.moving.is_of_words() {
            for (at, part) in from.iter().enumerate() {
                let image = family.moving.position(at, permutation);
                to[image] = family.moving.word(*part, permutation);
            }
            return;
        }
        let values = self.values();
        let leaf = family.leaf_words as usize;
        for (at, part) in from.chunks_exact(leaf).enumerate() {
            let image = family.moving.position(at, permutation) * leaf;
            values.permute(family.leaf, part, &mut to[image..image + leaf], permutation);
        }
    }

    /// The values of the indices of the cell at a position of a family.
    fn index_codes(&self, indices: &[TyId], at: usize) -> Vec<i64> {
        let mut rest = at;
        let mut codes = Vec::with_capacity(indices.len());
        for ty in indices.iter().rev() {
            let layout = self.layout().ty(*ty);
            let count = layout.count() as usize;
            codes.push(layout.values().nth(rest % count).unwrap_or(0));
            rest /= count;
        }
        codes.reverse();
        codes
    }
}
