//! The random numbers of one input of the fuzzer: a stream for each seed and number.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(base::Random);

impl Random {
    /// The stream of one input.
    pub fn new(seed: u64, number: u64) -> Random {
        let start = base::Random::new(seed).any();
        let stream = start ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Random(base::Random::new(stream))
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 {
            return 0;
        }
        self.0.below(end)
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
