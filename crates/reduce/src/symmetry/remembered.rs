//! Remembers what a search found, by a form that is quickly made and nearly canonical.
//!
//! Technique: points are put into an order without a search (`canon::Canon::order`). The state in that order is one
//! of its orbit, so what was found for it once holds for every state that gives it. Symmetric states mostly do: an
//! orbit is searched once or a few times, not once for each of its states.
//! Invariant: what is remembered is what a search would find.

use canon::{Node, form};
use rustc_hash::FxHashMap;

/// What was found, by form.
#[derive(Default)]
pub(super) struct Remembered {
    found: FxHashMap<Box<[Node]>, Found>,
    /// The order and the form of the state asked for last.
    order: Vec<u32>,
    form: Vec<Node>,
    bytes: usize,
}

/// What a search found for a state.
pub(super) struct Found {
    /// From the state in quick order to its representative.
    images: Box<[u32]>,
    /// The words of the representative in the slots that can hold points.
    pub(super) words: Box<[u32]>,
    /// The size of the orbit, if it is known.
    pub(super) orbit: Option<u128>,
}

impl Remembered {
    /// Looks a state up whose points were put into an order by `put`.
    pub(super) fn find(
        &mut self,
        roots: &[&[Node]],
        put: impl FnOnce(&mut Vec<u32>),
    ) -> Option<&Found> {
        put(&mut self.order);
        self.form.clear();
        for root in roots {
            form(root, &self.order, &mut self.form);
        }
        self.found.get(self.form.as_slice())
    }

    /// The permutation of the state asked for last to its representative.
    pub(super) fn images(&self, out: &mut Vec<u32>) {
        let Some(found) = self.found.get(self.form.as_slice()) else {
            return;
        };
        out.clear();
        out.extend(self.order.iter().map(|point| found.images[*point as usize]));
    }

    /// Notes what was found for the state asked for last.
    pub(super) fn note(&mut self, images: &[u32], words: Vec<u32>, orbit: Option<u128>) {
        let mut from_order = vec![0; images.len()];
        for (place, image) in self.order.iter().zip(images) {
            from_order[*place as usize] = *image;
        }
        self.bytes += self.form.len() * 16 + images.len() * 4 + words.len() * 4 + 80;
        self.found.insert(
            self.form.as_slice().into(),
            Found {
                images: from_order.into(),
                words: words.into(),
                orbit,
            },
        );
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.bytes = 0;
    }
}
