//! The values that a variable may still have.

/// The values that a variable may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The least.
    pub lo: i64,
    /// The greatest.
    pub hi: i64,
    /// Which values from `base` on are possible; `None` when all between the bounds are.
    pub bits: Option<Vec<u64>>,
    /// What the first bit stands for.
    pub base: i64,
}

impl Domain {
    /// All integers between two bounds.
    pub fn range(lo: i64, hi: i64) -> Domain {
        Domain {
            lo,
            hi,
            bits: None,
            base: lo,
        }
    }

    /// Whether a value is possible.
    pub fn contains(&self, value: i64) -> bool {
        if value < self.lo || value > self.hi {
            return false;
        }
        match &self.bits {
            None => true,
            Some(bits) => {
                let at = (value - self.base) as usize;
                bits[at / 64] >> (at % 64) & 1 == 1
            }
        }
    }

    /// The possible values, least first.
    pub fn values(&self) -> impl Iterator<Item = i64> + '_ {
        (self.lo..=self.hi).filter(|value| self.contains(*value))
    }

    /// Takes a value away.
    pub fn remove(&mut self, value: i64) {
        if self.bits.is_none() {
            let width = (self.hi - self.lo + 1) as usize;
            let mut bits = vec![!0u64; width.div_ceil(64)];
            let rest = width % 64;
            if rest != 0
                && let Some(last) = bits.last_mut()
            {
                *last = (1 << rest) - 1;
            }
            self.base = self.lo;
            self.bits = Some(bits);
        }
        if let Some(bits) = &mut self.bits {
            let at = (value - self.base) as usize;
            bits[at / 64] &= !(1 << (at % 64));
        }
        self.tighten();
    }

    pub(super) fn tighten(&mut self) {
        while self.lo <= self.hi && !self.contains(self.lo) {
            self.lo += 1;
        }
        while self.lo <= self.hi && !self.contains(self.hi) {
            self.hi -= 1;
        }
    }
}
