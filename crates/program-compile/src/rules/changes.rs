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
    /// The words, ascending.
    pub words: Vec<usize>,
    /// The slots that they belong to, ascending.
    pub slots: Vec<u32>,
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
        self.slots.clear();
        self.slots
            .extend(self.words.iter().map(|word| of_word[*word]));
        self.slots.sort_unstable();
        self.slots.dedup();
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
        self.words.extend(different.map(|(at, _)| first + at));
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
            assert_eq!(changes.words, changed);
            let mut slots: Vec<u32> = changed.iter().map(|word| of_word[*word]).collect();
            slots.sort_unstable();
            slots.dedup();
            assert_eq!(changes.slots, slots);
        }
    }
}
