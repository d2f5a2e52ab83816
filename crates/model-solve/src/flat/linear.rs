//! Sums of variables with factors.

use super::{FAR, Var};

/// A sum of variables with factors, and a number: `terms + k`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Lin {
    /// Factors and variables, sorted by variable, no factor 0.
    pub terms: Vec<(i64, Var)>,
    /// What is added.
    pub k: i64,
}

impl Lin {
    /// A number.
    pub fn number(k: i64) -> Lin {
        Lin {
            terms: Vec::new(),
            k,
        }
    }

    /// A variable.
    pub fn var(x: Var) -> Lin {
        Lin {
            terms: vec![(1, x)],
            k: 0,
        }
    }

    /// The number that it is.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.k)
    }

    /// `self + factor * other`; `None` when a number becomes too large.
    pub fn plus(&self, factor: i64, other: &Lin) -> Option<Lin> {
        let mut terms = self.terms.clone();
        for (c, x) in &other.terms {
            let c = small(c.checked_mul(factor)?)?;
            if c == 0 {
                continue;
            }
            match terms.binary_search_by_key(x, |term| term.1) {
                Ok(at) => {
                    terms[at].0 = small(terms[at].0 + c)?;
                    if terms[at].0 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) => terms.insert(at, (c, *x)),
            }
        }
        let k = small(other.k.checked_mul(factor)?)?;
        Some(Lin {
            terms,
            k: small(self.k + k)?,
        })
    }
}

pub(super) fn small(value: i64) -> Option<i64> {
    (-FAR..=FAR).contains(&value).then_some(value)
}
