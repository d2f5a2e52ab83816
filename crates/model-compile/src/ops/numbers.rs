//! Exact integers and IEEE reals.

use std::ops::{Add, Mul, Sub};

use lang_math::Op;
use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use super::real;
use crate::cx::R;
use crate::trap::Cause;
use crate::value::V;

/// The largest power that is computed, in bits.
const MAX_BITS: u64 = 1 << 22;

pub(super) fn binary(op: Op, a: &V, b: &V) -> R<V> {
    if let V::Real(x) = a {
        let x = x.0;
        return Ok(real(match op {
            Op::Add => x + b.real(),
            Op::Minus => x - b.real(),
            Op::Times => x * b.real(),
            Op::Divide if b.real() == 0.0 => return Err(Cause::DivisionByZero.trap()),
            Op::Divide => x / b.real(),
            _ => match b {
                V::Int(n) => x.powf(*n as f64),
                _ => x.powf(b.real()),
            },
        }));
    }
    match op {
        Op::Add => Ok(exact(a, b, i64::checked_add, BigInt::add)),
        Op::Minus => Ok(exact(a, b, i64::checked_sub, BigInt::sub)),
        Op::Times => Ok(exact(a, b, i64::checked_mul, BigInt::mul)),
        Op::Divide => match (a, b) {
            (_, V::Int(0)) => Err(Cause::DivisionByZero.trap()),
            (V::Int(x), V::Int(y)) if *y != -1 => Ok(V::Int(x / y)),
            // Division of big integers truncates toward zero as well.
            _ => Ok(V::big(a.to_big() / b.to_big())),
        },
        Op::FloorDivide | Op::FloorModulo => {
            let (x, y) = (a.to_big(), b.to_big());
            if y.is_zero() {
                return Err(Cause::DivisionByZero.trap());
            }
            let (quotient, rest) = (&x / &y, &x % &y);
            let down = !rest.is_zero() && rest.is_negative() != y.is_negative();
            Ok(V::big(match (op, down) {
                (Op::FloorDivide, false) => quotient,
                (Op::FloorDivide, true) => quotient - 1,
                (_, false) => rest,
                (_, true) => rest + y,
            }))
        }
        Op::Modulo => {
            let (x, y) = (a.to_big(), b.to_big());
            if x.is_negative() || !y.is_positive() {
                return Err(Cause::Modulo.trap());
            }
            Ok(match (a, b) {
                (V::Int(x), V::Int(y)) => V::Int(x % y),
                _ => V::big(x % y),
            })
        }
        _ => power(a, b),
    }
}

fn exact(a: &V, b: &V, small: fn(i64, i64) -> Option<i64>, big: fn(BigInt, BigInt) -> BigInt) -> V {
    if let (V::Int(x), V::Int(y)) = (a, b)
        && let Some(value) = small(*x, *y)
    {
        return V::Int(value);
    }
    V::big(big(a.to_big(), b.to_big()))
}

fn power(a: &V, b: &V) -> R<V> {
    let base = a.to_big();
    let exponent = b.to_big();
    if exponent.is_negative() {
        return Err(Cause::Exponent.trap());
    }
    if exponent.is_zero() {
        return Ok(V::Int(1));
    }
    if base.magnitude().to_u8().is_some_and(|m| m < 2) {
        let odd = exponent.bit(0);
        let negative = base.is_negative() && !odd;
        return Ok(V::big(if negative { -base } else { base }));
    }
    let exponent = exponent
        .to_u32()
        .filter(|e| base.bits().saturating_mul(u64::from(*e)) <= MAX_BITS)
        .ok_or_else(|| Cause::TooLarge.trap())?;
    Ok(V::big(base.pow(exponent)))
}

pub(super) fn unary(op: Op, a: &V) -> R<V> {
    Ok(match (op, a) {
        (Op::Negate, V::Real(x)) => real(-x.0),
        (Op::Negate, _) => V::big(-a.to_big()),
        (Op::ToReal, _) => real(a.to_big().to_f64().unwrap_or(f64::NAN)),
        (Op::Floor, _) => whole(a.real().floor())?,
        _ => whole(a.real().ceil())?,
    })
}

fn whole(value: f64) -> R<V> {
    num_traits::FromPrimitive::from_f64(value)
        .map(V::big)
        .ok_or_else(|| Cause::Argument.trap())
}
