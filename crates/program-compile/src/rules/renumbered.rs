//! Remembers what number a family in a table gets when one of its words changes: most steps change one word of a family.
//!
//! Asking the table takes all words of the family, and memory that is seldom at hand. Of two changes that share a place the later one
//! stays.
//! Invariant: a table never gives other words the same number, so what is forgotten costs time, not answers.

/// Numbers by change.
#[derive(Debug, Default)]
pub(super) struct Renumbered(Vec<Change>);

/// A word that changed in a family with a number, and the number it got.
#[derive(Clone, Copy, Debug)]
struct Change {
    from: u32,
    word: u32,
    value: u32,
    to: u32,
}

/// The number of places, a power of two: half a megabyte.
const PLACES: usize = 1 << 15;
/// No word.
const FREE: u32 = u32::MAX;

impl Renumbered {
    /// The number of a family that had a number before one of its words became `value`; asked for if it is not known.
    #[inline]
    pub fn number(
        &mut self,
        (from, word): (u32, usize),
        value: u32,
        ask: impl FnOnce() -> u32,
    ) -> u32 {
        if self.0.is_empty() {
            let free = Change {
                from: 0,
                word: FREE,
                value: 0,
                to: 0,
            };
            self.0 = vec![free; PLACES];
        }
        let word = word as u32;
        let key = u64::from(from) << 32 ^ u64::from(word) << 12 ^ u64::from(value);
        let at = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % PLACES;
        let known = &mut self.0[at];
        if (known.from, known.word, known.value) != (from, word, value) {
            let to = ask();
            *known = Change {
                from,
                word,
                value,
                to,
            };
        }
        known.to
    }
}

#[cfg(test)]
mod tests {
    use super::Renumbered;

    #[test]
    fn a_change_is_asked_for_once_and_never_mistaken() {
        let mut renumbered = Renumbered::default();
        let mut asked = 0;
        for _ in 0..2 {
            for change in 0..1000u32 {
                let (from, word, value) = (change % 7, change as usize % 40, change % 3);
                let wanted = from * 1000 + word as u32 * 10 + value;
                let number = renumbered.number((from, word), value, || {
                    asked += 1;
                    wanted
                });
                assert_eq!(number, wanted);
            }
        }
        assert!(asked < 1200, "{asked}");
    }
}
