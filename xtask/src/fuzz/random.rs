//! Small random numbers that are the same on every machine and in every version.
//!
//! The generator is SplitMix64: a counter run through a mixing function, so any number is a good seed.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of one input.
    pub fn new(seed: u64, number: u64) -> Random {
        let mut seeded = Random(seed);
        let base = seeded.next();
        Random(base ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        (self.next() % end as u64) as usize
    }

    /// Whether an event of one in `n` happens.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_depends_on_seed_and_number_only() {
        let take = |seed, number| {
            let mut random = Random::new(seed, number);
            [random.below(1000), random.below(1000), random.below(1000)]
        };
        assert_eq!(take(1, 7), take(1, 7));
        assert_ne!(take(1, 7), take(1, 8));
        assert_ne!(take(1, 7), take(2, 7));
    }
}
