//! Values that do not fit a slot, numbered in the order in which they came.
//!
//! All values of a slot have as many words, so they lie in one list, and they are found by a hash that is compared before they are.
//! Invariant: equal words have one number, and a number stands for the same words for ever.

use rustc_hash::FxHashMap;

/// Values of one slot.
#[derive(Debug)]
pub(super) struct Table {
    /// The words of a value.
    width: usize,
    /// The words of all of them.
    words: Vec<u32>,
    /// Their numbers by hash. Of two values with one hash the later one has the next hash that is free.
    known: FxHashMap<u64, u32>,
}

impl Table {
    /// Nothing yet, of values of so many words.
    pub fn new(width: usize) -> Table {
        Table {
            width: width.max(1),
            words: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// All values, one after the other.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The value with a number, if there is one.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&[u32]> {
        let start = number as usize * self.width;
        self.words.get(start..start + self.width)
    }

    /// The value with a number that was given.
    #[inline]
    pub fn at(&self, number: u32) -> &[u32] {
        let start = number as usize * self.width;
        &self.words[start..start + self.width]
    }

    /// The number of a value, or the hash that it will be known by.
    #[inline]
    pub fn find(&self, words: &[u32]) -> Result<u32, u64> {
        let mut hash = hash(words);
        while let Some(number) = self.known.get(&hash) {
            if self.at(*number) == words {
                return Ok(*number);
            }
            hash = hash.wrapping_add(1);
        }
        Err(hash)
    }

    /// The number of a value, which gets one if it has none.
    pub fn number(&mut self, words: &[u32]) -> u32 {
        match self.find(words) {
            Ok(number) => number,
            Err(hash) => {
                let number = self.len() as u32;
                self.words.extend_from_slice(words);
                self.known.insert(hash, number);
                number
            }
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> u64 {
        (self.words.len() * 4 + self.known.len() * 24) as u64
    }
}

/// Two words at a time.
#[inline]
fn hash(words: &[u32]) -> u64 {
    let (pairs, rest) = words.as_chunks::<2>();
    let mut hash = words.len() as u64;
    for pair in pairs {
        let both = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        hash = (hash ^ both).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    for word in rest {
        hash = (hash ^ u64::from(*word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 32;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn values_keep_their_numbers() {
        let mut table = Table::new(3);
        let value = |number: u32| [number % 7, number / 7 % 5, number / 35];
        for round in 0..2 {
            for number in 0..1000 {
                let is_known = table.find(&value(number)).is_ok();
                assert_eq!(is_known, round == 1);
                assert_eq!(table.number(&value(number)), number);
                assert_eq!(table.at(number), value(number));
            }
        }
        assert_eq!(table.len(), 1000);
        assert_eq!(table.get(1000), None);
    }
}
