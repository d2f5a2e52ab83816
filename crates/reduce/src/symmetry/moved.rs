//! Remembers what words become under permutations that come again and again.
//!
//! A group of few permutations meets the same words with the same permutation in most states; then the image is one look into a
//! table instead of a question to the system.
//! Invariant: an image depends on its entry and permutation alone, so what is forgotten costs time, not answers.

use rustc_hash::FxHashMap;

/// Images of the words of entries (`words.rs`).
#[derive(Default)]
pub(super) struct Moved {
    permutations: FxHashMap<Box<[u32]>, usize>,
    /// For each permutation the image of each entry that was asked for.
    images: Vec<Vec<Option<u32>>>,
    /// The permutation of now; none when there are too many.
    current: Option<usize>,
    /// How many images there is room for.
    room: usize,
}

/// More permutations are not remembered: most would not come again.
const MOST_PERMUTATIONS: usize = 1024;
/// More images are not kept.
const MOST_IMAGES: usize = 8 << 20;

impl Moved {
    /// What follows is about this permutation.
    pub(super) fn take(&mut self, permutation: &[u32]) {
        if self.room > MOST_IMAGES {
            self.clear();
        }
        self.current = self.permutations.get(permutation).copied();
        if self.current.is_none() && self.images.len() < MOST_PERMUTATIONS {
            self.current = Some(self.images.len());
            self.permutations
                .insert(permutation.into(), self.images.len());
            self.images.push(Vec::new());
        }
    }

    /// The image of the word of an entry, which is asked for if it is not known.
    #[inline]
    pub(super) fn image(&mut self, entry: u32, ask: impl FnOnce() -> u32) -> u32 {
        let Some(current) = self.current else {
            return ask();
        };
        let (images, entry) = (&mut self.images[current], entry as usize);
        if let Some(Some(known)) = images.get(entry) {
            return *known;
        }
        if images.len() <= entry {
            self.room += entry + 1 - images.len();
            images.resize(entry + 1, None);
        }
        let image = ask();
        images[entry] = Some(image);
        image
    }

    /// Forgets everything: entries have other numbers now.
    pub(super) fn clear(&mut self) {
        self.permutations.clear();
        self.images.clear();
        self.current = None;
        self.room = 0;
    }
}
