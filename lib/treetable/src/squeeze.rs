//! Several slots in one word of a record, where it is known how many bits a slot takes.
//!
//! Whoever packs variables into slots of 32 bits leaves bits free, since a variable lies in one slot: of 21 variables of 3 bits each ten
//! go into a slot, and three slots are two words of a record, although all of them fit into one.
//! Invariant: slots lie side by side in their words, so equal vectors have equal records and no others do.

/// Where the slots of a vector stand in a record.
pub struct Squeeze {
    places: Vec<Place>,
    width: usize,
}

#[derive(Clone, Copy)]
struct Place {
    word: usize,
    shift: u32,
    mask: u32,
}

impl Squeeze {
    /// Each slot in the first word that has room for its bits; `None` when that takes as many words as two slots in each.
    pub fn new(bits: &[u8]) -> Option<Squeeze> {
        let mut used: Vec<u32> = Vec::new();
        let mut places = Vec::with_capacity(bits.len());
        for bits in bits.iter().map(|bits| u32::from(*bits).min(u32::BITS)) {
            let word = used.iter().position(|used| used + bits <= u64::BITS);
            let word = word.unwrap_or_else(|| {
                used.push(0);
                used.len() - 1
            });
            places.push(Place {
                word,
                shift: used[word] % u64::BITS,
                mask: u32::MAX.checked_shr(u32::BITS - bits).unwrap_or(0),
            });
            used[word] += bits;
        }
        let width = used.len();
        (width < bits.len().div_ceil(2)).then_some(Squeeze { places, width })
    }

    /// The words of a record.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds the record of a vector.
    #[inline]
    pub fn put(&self, vector: &[u32], words: &mut Vec<u64>) {
        let from = words.len();
        words.resize(from + self.width, 0);
        let record = &mut words[from..];
        for (value, place) in vector.iter().zip(&self.places) {
            debug_assert_eq!(value & !place.mask, 0, "a slot takes no more than its bits");
            record[place.word] |= u64::from(*value) << place.shift;
        }
    }

    /// Reads the vector of a record whose words are told by number.
    #[inline]
    pub fn take(&self, record: impl Fn(usize) -> u64, vector: &mut [u32]) {
        for (value, place) in vector.iter_mut().zip(&self.places) {
            *value = (record(place.word) >> place.shift) as u32 & place.mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_squeezed_where_that_saves_words() {
        let width = |bits: &[u8]| Squeeze::new(bits).map(|squeeze| squeeze.width());
        assert_eq!(width(&[30, 30, 3]), Some(1));
        assert_eq!(width(&[30, 30, 5]), None);
        assert_eq!(width(&[31, 31]), None);
        assert_eq!(width(&[32, 32, 32, 32]), None);
        assert_eq!(width(&[20, 20, 20, 20, 20, 20]), Some(2));
        // The fourth slot goes where the second left room.
        assert_eq!(width(&[32, 20, 32, 12, 32]), Some(2));
        assert_eq!(width(&[31, 31, 31, 2, 30]), Some(2));
        assert_eq!(width(&[0, 0, 0]), Some(1));
        assert_eq!(width(&[1]), None);
        assert_eq!(width(&[]), None);
    }

    #[test]
    fn vectors_come_back_as_they_were() {
        let all: &[&[u8]] = &[
            &[30, 30, 3],
            &[31, 31, 31, 2, 30],
            &[20; 6],
            &[1; 64],
            &[0, 0, 0],
            &[32, 16, 16],
        ];
        for bits in all {
            let squeeze = Squeeze::new(bits).expect("it saves words");
            let most: Vec<u32> = bits
                .iter()
                .map(|bits| u32::MAX.checked_shr(32 - u32::from(*bits)).unwrap_or(0))
                .collect();
            let mixed = |at: usize| most[at] & 0x9e37_79b9u32.rotate_left(at as u32);
            let vectors: [Vec<u32>; 3] = [
                vec![0; bits.len()],
                most.clone(),
                (0..bits.len()).map(mixed).collect(),
            ];
            for vector in vectors {
                let mut words = vec![7];
                squeeze.put(&vector, &mut words);
                assert_eq!(words.len(), 1 + squeeze.width());
                let mut back = vec![u32::MAX; bits.len()];
                squeeze.take(|word| words[1 + word], &mut back);
                assert_eq!(back, vector, "{bits:?}");
            }
        }
    }
}
