//! Remembers what words become under permutations that come again and again.
//!
//! A state meets few words, and many states meet the same words with the same permutation; then the image is one look into a
//! table instead of a question to the system. The first permutations have a list each, by entry: all that is looked up for a
//! state lies close together. For others there is a table with one place for each pair of a permutation and an entry: of two
//! pairs that share a place the later one stays, so that neither many permutations nor many entries make it large.
//! Invariant: an image depends on its entry and permutation alone, so what is forgotten costs time, not answers.

use rustc_hash::FxHashMap;

/// Images of the words of entries (`words.rs`).
#[derive(Default)]
pub(super) struct Moved {
    permutations: FxHashMap<Box<[u32]>, u32>,
    /// The permutation of now; none when there are too many.
    current: Option<u32>,
    /// For each of the first permutations the images of the first entries.
    lists: Vec<Vec<Option<Image>>>,
    /// Permutation and entry with the image; an empty list until something is kept, then a power of two.
    places: Vec<(u64, u32)>,
    /// How many places are taken.
    taken: usize,
}

/// A word that is not the last one, so that what is not known takes no room: the word is one less.
type Image = std::num::NonZeroU32;

/// More permutations are not remembered: most would not come again.
const MOST_PERMUTATIONS: usize = 1 << 14;
/// So many permutations have lists, of so many entries.
const MOST_LISTS: u32 = 64;
const LONGEST: u32 = 1 << 15;
/// The table has so many places at first, and at most.
const LEAST_PLACES: usize = 1 << 10;
const MOST_PLACES: usize = 1 << 20;
/// No pair.
const FREE: (u64, u32) = (u64::MAX, 0);

impl Moved {
    /// What follows is about this permutation.
    pub(super) fn take(&mut self, permutation: &[u32]) {
        self.current = self.permutations.get(permutation).copied();
        let count = self.permutations.len();
        if self.current.is_none() && count < MOST_PERMUTATIONS {
            self.current = Some(count as u32);
            self.permutations.insert(permutation.into(), count as u32);
        }
    }

    /// The image of the word of an entry, which is asked for if it is not known.
    #[inline]
    pub(super) fn image(&mut self, entry: u32, ask: impl FnOnce() -> u32) -> u32 {
        let Some(current) = self.current else {
            return ask();
        };
        if current < MOST_LISTS && entry < LONGEST {
            let list = self.lists.get(current as usize);
            return match list.and_then(|list| list.get(entry as usize)) {
                Some(Some(image)) => image.get() - 1,
                _ => self.list(current, entry, ask()),
            };
        }
        let pair = u64::from(current) << 32 | u64::from(entry);
        if let Some((known, image)) = self.places.get(place(pair, self.places.len()))
            && *known == pair
        {
            return *image;
        }
        let image = ask();
        self.keep(pair, image);
        image
    }

    /// Notes the image of an entry under one of the first permutations.
    #[cold]
    fn list(&mut self, permutation: u32, entry: u32, image: u32) -> u32 {
        let (permutation, entry) = (permutation as usize, entry as usize);
        if self.lists.len() <= permutation {
            self.lists.resize(permutation + 1, Vec::new());
        }
        let list = &mut self.lists[permutation];
        if list.len() <= entry {
            list.resize((entry + 1).next_power_of_two(), None);
        }
        list[entry] = Image::new(image.wrapping_add(1));
        image
    }

    fn keep(&mut self, pair: u64, image: u32) {
        if self.taken * 2 >= self.places.len() && self.places.len() < MOST_PLACES {
            let more = (self.places.len() * 2).max(LEAST_PLACES);
            let old = std::mem::replace(&mut self.places, vec![FREE; more]);
            self.taken = 0;
            for (pair, image) in old.into_iter().filter(|kept| *kept != FREE) {
                self.put(pair, image);
            }
        }
        self.put(pair, image);
    }

    fn put(&mut self, pair: u64, image: u32) {
        let at = place(pair, self.places.len());
        self.taken += usize::from(self.places[at] == FREE);
        self.places[at] = (pair, image);
    }

    /// Forgets everything: entries have other numbers now.
    pub(super) fn clear(&mut self) {
        *self = Moved::default();
    }
}

/// The place of a pair among so many, a power of two or none.
#[inline]
fn place(pair: u64, places: usize) -> usize {
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & places.wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use super::Moved;

    #[test]
    fn images_are_asked_for_once_while_there_is_room() {
        let mut moved = Moved::default();
        let mut asked = 0;
        for _ in 0..3 {
            for permutation in 0..114u32 {
                moved.take(&[permutation, permutation + 1]);
                for entry in 0..100 {
                    let image = moved.image(entry, || {
                        asked += 1;
                        permutation * 1000 + entry
                    });
                    assert_eq!(image, permutation * 1000 + entry);
                }
            }
        }
        // Pairs that share a place of the table are asked for again; most do not.
        assert!((11_400..15_400).contains(&asked), "{asked}");
    }
}
