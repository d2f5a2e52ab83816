//! Sums of names with factors and a constant; arithmetic that says when a number becomes too large.

/// A name; who makes formulas numbers them.
pub type Name = u32;

/// `f1*x1 + … + fn*xn + constant`, names ascending, no factor is zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    pub(crate) terms: Vec<(Name, i128)>,
    pub(crate) constant: i128,
}

impl Linear {
    /// A number.
    pub fn number(constant: i128) -> Linear {
        Linear {
            terms: Vec::new(),
            constant,
        }
    }

    /// A name.
    pub fn name(name: Name) -> Linear {
        Linear {
            terms: vec![(name, 1)],
            constant: 0,
        }
    }

    /// The number that it is, if no name is in it.
    pub fn as_number(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The sum.
    pub fn plus(&self, other: &Linear) -> Option<Linear> {
        self.combined(1, other, 1)
    }

    /// The difference.
    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.combined(1, other, -1)
    }

    /// `factor * self`
    pub fn times(&self, factor: i128) -> Option<Linear> {
        self.combined(factor, &Linear::default(), 0)
    }

    /// `f*self + g*other`
    pub(crate) fn combined(&self, f: i128, other: &Linear, g: i128) -> Option<Linear> {
        let product = |a: i128, b: i128| a.checked_mul(b).filter(|p| p.abs() <= LARGEST);
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut i, mut j) = (0, 0);
        loop {
            let (name, factor) = match (self.terms.get(i), other.terms.get(j)) {
                (Some(&(x, a)), Some(&(y, b))) if x == y => {
                    (i, j) = (i + 1, j + 1);
                    (x, product(a, f)?.checked_add(product(b, g)?)?)
                }
                (Some(&(x, a)), other) if other.is_none_or(|(y, _)| x < *y) => {
                    i += 1;
                    (x, product(a, f)?)
                }
                (_, Some(&(y, b))) => {
                    j += 1;
                    (y, product(b, g)?)
                }
                (_, None) => break,
            };
            if factor != 0 {
                terms.push((name, factor));
            }
        }
        let constant = product(self.constant, f)?.checked_add(product(other.constant, g)?)?;
        Some(Linear { terms, constant })
    }

    pub(crate) fn factor(&self, name: Name) -> i128 {
        let at = self.terms.binary_search_by_key(&name, |term| term.0);
        at.map_or(0, |at| self.terms[at].1)
    }

    /// Without one of its names.
    pub(crate) fn without(&self, name: Name) -> Linear {
        let terms = self.terms.iter().filter(|term| term.0 != name);
        Linear {
            terms: terms.copied().collect(),
            constant: self.constant,
        }
    }

    /// The greatest common divisor of the factors.
    pub(crate) fn content(&self) -> i128 {
        self.terms
            .iter()
            .fold(0, |content, term| gcd(content, term.1))
    }
}

/// Larger numbers end a decision: products of two of them still fit.
const LARGEST: i128 = 1 << 100;

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

pub(crate) fn lcm(a: i128, b: i128) -> Option<i128> {
    (a / gcd(a, b))
        .checked_mul(b)
        .map(i128::abs)
        .filter(|product| *product <= LARGEST)
}
