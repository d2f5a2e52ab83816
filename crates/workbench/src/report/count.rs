//! Exact counts of any size: a diagram of a few nodes may stand for more states than a machine word can say.
//!
//! Invariant: numbers that a reader of JSON may not hold exactly are written as texts.

use std::fmt;
use std::ops::Add;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};

/// A count.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count(BigUint);

impl Count {
    /// As a machine word, as far as one goes.
    pub fn saturating(&self) -> u64 {
        self.0.to_u64().unwrap_or(u64::MAX)
    }

    /// About this.
    pub fn approximate(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::INFINITY)
    }
}

impl From<u64> for Count {
    fn from(number: u64) -> Count {
        Count(BigUint::from(number))
    }
}

impl From<BigUint> for Count {
    fn from(number: BigUint) -> Count {
        Count(number)
    }
}

impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        self.0 == BigUint::from(*other)
    }
}

impl Add<u64> for Count {
    type Output = Count;

    fn add(self, more: u64) -> Count {
        Count(self.0 + more)
    }
}

impl Add for Count {
    type Output = Count;

    fn add(self, more: Count) -> Count {
        Count(self.0 + more.0)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_u64() {
            Some(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.serialize_str(&self.0.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_counts_are_exact_texts() {
        let googol = Count::from(BigUint::from(10u32).pow(100)) + 1;
        let json = serde_json::to_value(&googol).unwrap_or_default();
        assert_eq!(json, format!("1{}1", "0".repeat(99)));
        assert_eq!(googol.saturating(), u64::MAX);
    }
}
