//! Finds what a step changed among all that it may change: little in a state of a thousand words.
//!
//! Words are compared in blocks that the processor compares at once, so a step that changes two words of a large array costs a
//! glance at the array, not a look into the table of each slot.

use std::ops::Range;

/// So many words are compared at once.
const BLOCK: usize = 16;

/// What differs between two memories.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The words, each behind the slot that it belongs to, ascending.
    pub words: Vec<(u32, usize)>,
}

impl Changes {
    /// Finds what differs in these ranges of words.
    pub fn find(
        &mut self,
        ranges: &[Range<usize>],
        before: &[u32],
        after: &[u32],
        of_word: &[u32],
    ) {
        self.words.clear();
        for range in ranges {
            self.compare(&before[range.clone()], &after[range.clone()], range.start);
        }
        for (slot, word) in &mut self.words {
            *slot = of_word[*word];
        }
        self.words.sort_unstable();
    }

    /// The slots with their words.
    pub fn slots(&self) -> impl Iterator<Item = &[(u32, usize)]> {
        self.words.chunk_by(|a, b| a.0 == b.0)
    }

    fn compare(&mut self, before: &[u32], after: &[u32], first: usize) {
        let ((blocks, rest), (others, left)) =
            (before.as_chunks::<BLOCK>(), after.as_chunks::<BLOCK>());
        for (at, (block, other)) in blocks.iter().zip(others).enumerate() {
            if block != other {
                self.look(block, other, first + at * BLOCK);
            }
        }
        self.look(rest, left, first + blocks.len() * BLOCK);
    }

    fn look(&mut self, before: &[u32], after: &[u32], first: usize) {
        let words = before.iter().zip(after).enumerate();
        let different = words.filter(|(_, (before, after))| before != after);
        self.words.extend(different.map(|(at, _)| (0, first + at)));
    }
}

#[cfg(test)]
mod tests {
    use super::Changes;

    #[test]
    fn every_word_that_differs_is_found_with_its_slot() {
        let before: Vec<u32> = (0..50).collect();
        let of_word: Vec<u32> = (0..50).map(|word| word % 7).collect();
        for changed in [vec![], vec![0], vec![15, 16, 31], vec![32, 39, 49]] {
            let mut after = before.clone();
            changed.iter().for_each(|word: &usize| after[*word] += 1);
            let mut changes = Changes::default();
            changes.find(&[0..33, 33..50], &before, &after, &of_word);
            let mut wanted: Vec<(u32, usize)> =
                changed.iter().map(|word| (of_word[*word], *word)).collect();
            wanted.sort_unstable();
            assert_eq!(changes.words, wanted);
            assert_eq!(changes.slots().flatten().count(), wanted.len());
        }
    }
}
