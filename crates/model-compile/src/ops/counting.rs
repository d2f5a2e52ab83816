//! How many elements a set has, by formula where it is a space of functions, subsets or sequences: those are not listed to be counted.

use lang_math::Op;
use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};

use crate::cx::{Cx, R};
use crate::symbolic::{Space, SymKind};
use crate::trap::Cause;
use crate::value::{Row, V};

/// Sets of more elements have spaces whose numbers nobody can write down.
const LARGEST: i64 = 1 << 14;

impl Cx<'_> {
    pub(super) fn cardinality(&mut self, set: &V) -> R<V> {
        Ok(match set {
            V::Word(mask) => V::Int(i64::from(mask.count_ones())),
            V::Wide(_) => V::Int(i64::from(set.wide().count_ones())),
            V::Set(elements) => V::Int(elements.len() as i64),
            V::Row(shape, bits) => V::Int(Row::from_parts(*shape, *bits).len() as i64),
            V::Sym(sym) => {
                if let SymKind::Interval(low, high) = &sym.kind {
                    return Ok(V::big(high.to_big() - low.to_big() + 1));
                }
                if self.is_infinite(set)? {
                    let is_rule = matches!(sym.kind, SymKind::Closure(..));
                    return match !is_rule && self.is_endless(set)? {
                        true => Err(Cause::InfiniteCard.trap()),
                        false => Ok(V::Int(self.elements(set)?.len() as i64)),
                    };
                }
                match &sym.kind {
                    SymKind::Product(a, b) => {
                        if self.is_hollow(&[a, b])? {
                            return Ok(V::Int(0));
                        }
                        let (a, b) = (self.cardinality(a)?, self.cardinality(b)?);
                        return Ok(V::big(a.to_big() * b.to_big()));
                    }
                    SymKind::Power { of, some, .. } => {
                        let n = self.cardinality(of)?;
                        let Some(n) = n.small().filter(|n| *n < 1 << 20) else {
                            return Err(Cause::TooLarge.trap());
                        };
                        return Ok(V::big((BigInt::one() << n) - i32::from(*some)));
                    }
                    SymKind::Space { op, from, to } => {
                        if let Some(count) = self.functions(*op, from, to)? {
                            return Ok(V::big(count));
                        }
                    }
                    SymKind::Sequences { op, of } => {
                        if let Some(count) = self.arrangements(*op, of)? {
                            return Ok(V::big(count));
                        }
                    }
                    _ => {}
                }
                V::Int(self.elements(set)?.len() as i64)
            }
            _ => V::Int(0),
        })
    }

    /// The number of elements of a finite set that is not enormous.
    fn few(&mut self, set: &V) -> R<Option<u32>> {
        if self.is_infinite(set)? {
            return Ok(None);
        }
        let count = self.cardinality(set)?;
        let count = count.small().filter(|count| *count <= LARGEST);
        Ok(count.and_then(|count| u32::try_from(count).ok()))
    }

    /// How many relations a space has; `None` where there is no short formula.
    fn functions(&mut self, op: Op, from: &V, to: &V) -> R<Option<BigInt>> {
        let (Some(n), Some(m)) = (self.few(from)?, self.few(to)?) else {
            return Ok(None);
        };
        let kind = Space::of(op);
        Ok(match kind {
            Space {
                functional: false,
                total: false,
                surjective: false,
                ..
            } => Some(BigInt::one() << (u64::from(n) * u64::from(m))),
            Space {
                functional: false, ..
            } => None,
            Space {
                injective: false,
                surjective: false,
                total,
                ..
            } => Some(BigInt::from(m + u32::from(!total)).pow(n)),
            Space {
                injective: true,
                surjective: false,
                total: true,
                ..
            } => Some(falling(m, n)),
            Space {
                injective: true,
                surjective: true,
                total: true,
                ..
            } => Some(if n == m {
                falling(n, n)
            } else {
                BigInt::zero()
            }),
            _ => None,
        })
    }

    /// How many sequences without repetition there are.
    fn arrangements(&mut self, op: Op, of: &V) -> R<Option<BigInt>> {
        let Some(n) = self.few(of)? else {
            return Ok(None);
        };
        Ok(match op {
            Op::Permutations => Some(falling(n, n)),
            Op::InjectiveSequences | Op::InjectiveSequences1 => {
                let least = u32::from(op == Op::InjectiveSequences1);
                let mut count = BigInt::zero();
                let mut of_length = BigInt::one();
                for length in 0..=n {
                    if length >= least {
                        count += &of_length;
                    }
                    of_length *= n - length;
                }
                Some(count)
            }
            _ => None,
        })
    }
}

/// `n * (n-1) * …`, `k` factors.
fn falling(n: u32, k: u32) -> BigInt {
    if k > n {
        return BigInt::zero();
    }
    (n - k + 1..=n).fold(BigInt::one(), |product, factor| product * factor)
}
