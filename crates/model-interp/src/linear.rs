//! What equations and bounds of arithmetic terms say about a name in them.
//!
//! A term that is `a*x + c` with known `a` and `c`, however it is written, fixes `x` by its value and bounds it by a bound
//! of its own; a square or another power leaves two candidates or bounds both sides.
//! Invariant: as for all facts, no value is excluded that the name can have.

use lang_math::Op;
use model::{ExprId, Int, Kind, Target, Value};
use num_bigint::BigInt;
use num_traits::{Euclid as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::Interp;
use crate::env::Env;
use crate::facts::Facts;
use crate::set::V;
use crate::stop::Run;

/// `factor * name + rest`
struct Linear {
    factor: BigInt,
    rest: BigInt,
}

impl Interp<'_> {
    /// A term has this value: what is the name in it? Nothing when the term is none of these forms.
    pub(crate) fn solved_for(
        &mut self,
        target: Target,
        pattern: ExprId,
        value: &V,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Option<Facts>> {
        let V::Plain(Value::Int(value)) = value else {
            return Ok(None);
        };
        let value = value.to_big();
        if let Some(linear) = self.linear(target, pattern, env, unknown)? {
            if linear.factor.is_zero() {
                return Ok(None);
            }
            let (quotient, left) = (value - linear.rest).div_rem_euclid(&linear.factor);
            let candidates = left.is_zero().then_some(quotient);
            return Ok(Some(candidates_of(candidates)));
        }
        let Some(exponent) = self.power_of(target, pattern) else {
            return Ok(None);
        };
        let root = value.abs().nth_root(exponent);
        Ok(Some(candidates_of([-root.clone(), root])))
    }

    /// A term is at most (or at least) this: what bounds has the name in it?
    pub(crate) fn bounded_for(
        &mut self,
        target: Target,
        pattern: ExprId,
        bound: &Int,
        upper: bool,
        (env, unknown): (&Env, &[Target]),
    ) -> Run<Option<Facts>> {
        let bound = bound.to_big();
        if let Some(linear) = self.linear(target, pattern, env, unknown)? {
            if linear.factor.is_zero() {
                return Ok(None);
            }
            // With a positive factor, dividing rounds down.
            let (factor, left, upper) = if linear.factor.is_positive() {
                (linear.factor, bound - linear.rest, upper)
            } else {
                (-linear.factor, linear.rest - bound, !upper)
            };
            return Ok(Some(if upper {
                Facts::at_most(Int::new(left.div_euclid(&factor)))
            } else {
                Facts::at_least(Int::new(-(-left).div_euclid(&factor)))
            }));
        }
        match self.power_of(target, pattern) {
            Some(exponent) if upper && exponent.is_multiple_of(2) => {
                if bound.is_negative() {
                    return Ok(Some(candidates_of([])));
                }
                let root = bound.nth_root(exponent);
                let most = Facts::at_most(Int::new(root.clone()));
                Ok(Some(most.meet(Facts::at_least(Int::new(-root)))))
            }
            _ => Ok(None),
        }
    }

    /// The term as a multiple of the name and something known.
    fn linear(
        &mut self,
        target: Target,
        term: ExprId,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Option<Linear>> {
        if self.is_name(term, target) {
            return Ok(Some(Linear {
                factor: 1.into(),
                rest: BigInt::zero(),
            }));
        }
        if self.is_known(term, unknown) {
            return Ok(match self.value(term, env)? {
                V::Plain(Value::Int(rest)) => Some(Linear {
                    factor: BigInt::zero(),
                    rest: rest.to_big(),
                }),
                _ => None,
            });
        }
        let model = self.model;
        let Kind::Op(op @ (Op::Add | Op::Minus | Op::Negate | Op::Times), sides) =
            &model.exprs[term].kind
        else {
            return Ok(None);
        };
        let mut parts = Vec::new();
        for side in sides {
            let part = base::deep::recurse(|| self.linear(target, *side, env, unknown))?;
            let Some(part) = part else {
                return Ok(None);
            };
            parts.push(part);
        }
        Ok(match (op, parts.as_slice()) {
            (Op::Negate, [a]) => Some(Linear {
                factor: -&a.factor,
                rest: -&a.rest,
            }),
            (Op::Add, [a, b]) => Some(Linear {
                factor: &a.factor + &b.factor,
                rest: &a.rest + &b.rest,
            }),
            (Op::Minus, [a, b]) => Some(Linear {
                factor: &a.factor - &b.factor,
                rest: &a.rest - &b.rest,
            }),
            (Op::Times, [a, b]) if a.factor.is_zero() => Some(Linear {
                factor: &a.rest * &b.factor,
                rest: &a.rest * &b.rest,
            }),
            (Op::Times, [a, b]) if b.factor.is_zero() => Some(Linear {
                factor: &a.factor * &b.rest,
                rest: &a.rest * &b.rest,
            }),
            _ => None,
        })
    }

    /// The exponent of a power of the name.
    fn power_of(&mut self, target: Target, term: ExprId) -> Option<u32> {
        let model = self.model;
        match &model.exprs[term].kind {
            Kind::Op(Op::Times, sides) => sides
                .iter()
                .all(|side| self.is_name(*side, target))
                .then_some(2),
            Kind::Op(Op::Power, sides) if self.is_name(sides[0], target) => {
                match &model.exprs[sides[1]].kind {
                    Kind::Int(exponent) => exponent.to_u32().filter(|exponent| *exponent > 0),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The name is one of these.
fn candidates_of(values: impl IntoIterator<Item = BigInt>) -> Facts {
    let values = values.into_iter().map(|value| Value::Int(Int::new(value)));
    Facts::within(Value::set(values.collect()).into())
}
