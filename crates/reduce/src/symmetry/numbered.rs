//! Numbers lists of words as they come: equal lists get equal numbers, and a list is compared by its number from then on.
//!
//! Technique: open addressing over the numbers; the lists stand one after the other in one vector, so that nothing is
//! allocated for a list.
//! Invariant: a hash finds, the words decide.

use canon::mix;

/// Lists of words with dense numbers.
#[derive(Default)]
pub(super) struct Numbered {
    words: Vec<u32>,
    /// Where each list ends, and its hash.
    ends: Vec<(u32, u64)>,
    /// Numbers plus one; zero is free. The length is a power of two, at least twice the number of lists.
    table: Vec<u32>,
}

impl Numbered {
    /// The number of a list, and whether it is new.
    #[inline]
    pub(super) fn number(&mut self, list: &[u32]) -> (u32, bool) {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mut hash = list.len() as u64;
        for pair in list.chunks(2) {
            let high = pair.get(1).map_or(0, |word| u64::from(*word) << 32);
            hash = mix(hash, u64::from(pair[0]) | high);
        }
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            match self.table[at] {
                0 => break,
                taken => {
                    let number = taken - 1;
                    if self.ends[number as usize].1 == hash && self.list(number) == list {
                        return (number, false);
                    }
                }
            }
            at = (at + 1) & mask;
        }
        let number = self.ends.len() as u32;
        self.words.extend_from_slice(list);
        self.ends.push((self.words.len() as u32, hash));
        self.table[at] = number + 1;
        (number, true)
    }

    /// How many lists have numbers.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.words.len() * 4 + self.ends.len() * 16 + self.table.len() * 4) as u64
    }

    fn list(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1].0,
        };
        &self.words[start as usize..self.ends[number].0 as usize]
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(size, 0);
        for (number, (_, hash)) in self.ends.iter().enumerate() {
            let mut at = *hash as usize & (size - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = number as u32 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbered;

    #[test]
    fn equal_lists_and_no_others_have_equal_numbers() {
        let lists: Vec<Vec<u32>> = (0u32..2000)
            .map(|n| (0..n % 7).map(|at| (n / 7) ^ at).collect())
            .collect();
        let mut numbered = Numbered::default();
        let numbers: Vec<u32> = lists.iter().map(|l| numbered.number(l).0).collect();
        let mut different = lists.clone();
        different.sort();
        different.dedup();
        assert_eq!(numbered.len(), different.len());
        for (list, number) in lists.iter().zip(&numbers) {
            assert_eq!(numbered.number(list), (*number, false));
            assert_eq!(numbered.list(*number), list);
        }
        assert_ne!(numbered.number(&[0]).0, numbered.number(&[0, 0]).0);
    }
}
