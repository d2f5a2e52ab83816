//! Exact integers and IEEE reals.
//!
//! Invariant: an integer result is exact, whatever its size; a power too large to write down is a budget stop.

use model::{Int, Value};
use num_bigint::BigInt;
use num_traits::{Pow as _, Signed as _, ToPrimitive as _, Zero as _};

use crate::stop::{Run, Stop, StopKind};

/// The largest exponent result, in bits: beyond it no model means the number.
const MAX_BITS: u64 = 1 << 20;

pub(crate) fn add(a: &Int, b: &Int) -> Int {
    small(a, b, i64::checked_add).unwrap_or_else(|| Int::new(a.to_big() + b.to_big()))
}

pub(crate) fn subtract(a: &Int, b: &Int) -> Int {
    small(a, b, i64::checked_sub).unwrap_or_else(|| Int::new(a.to_big() - b.to_big()))
}

pub(crate) fn multiply(a: &Int, b: &Int) -> Int {
    small(a, b, i64::checked_mul).unwrap_or_else(|| Int::new(a.to_big() * b.to_big()))
}

pub(crate) fn negate(a: &Int) -> Int {
    subtract(&Int::Small(0), a)
}

/// The quotient, truncated towards zero.
pub(crate) fn divide(a: &Int, b: &Int) -> Run<Int> {
    if *b == Int::Small(0) {
        return Err(Stop::undefined("division by zero"));
    }
    Ok(small(a, b, i64::checked_div).unwrap_or_else(|| Int::new(a.to_big() / b.to_big())))
}

/// The remainder, for a dividend that is not negative and a positive divisor.
pub(crate) fn modulo(a: &Int, b: &Int) -> Run<Int> {
    if *b <= Int::Small(0) {
        return Err(Stop::undefined(format!("mod by {}", text(b))));
    }
    if *a < Int::Small(0) {
        return Err(Stop::undefined(format!(
            "mod of the negative number {}",
            text(a)
        )));
    }
    Ok(small(a, b, i64::checked_rem).unwrap_or_else(|| Int::new(a.to_big() % b.to_big())))
}

/// The quotient rounded down.
pub(crate) fn floor_divide(a: &Int, b: &Int) -> Run<Int> {
    let quotient = divide(a, b)?;
    let exact = multiply(&quotient, b) == *a;
    let negative = (*a < Int::Small(0)) != (*b < Int::Small(0));
    Ok(match negative && !exact {
        true => subtract(&quotient, &Int::Small(1)),
        false => quotient,
    })
}

/// What is left of a number by the quotient rounded down.
pub(crate) fn floor_modulo(a: &Int, b: &Int) -> Run<Int> {
    let quotient = floor_divide(a, b)?;
    Ok(subtract(a, &multiply(&quotient, b)))
}

/// The power, for an exponent that is not negative.
pub(crate) fn power(a: &Int, b: &Int) -> Run<Int> {
    if *b < Int::Small(0) {
        return Err(Stop::undefined(format!(
            "the negative exponent {}",
            text(b)
        )));
    }
    let base = a.to_big();
    if base.abs() <= BigInt::from(1) {
        let odd = b.to_big().bit(0);
        return Ok(match (base.is_zero(), *b == Int::Small(0)) {
            (_, true) => Int::Small(1),
            (true, false) => Int::Small(0),
            _ if base.is_negative() && odd => Int::Small(-1),
            _ => Int::Small(1),
        });
    }
    match b.to_big().to_u32() {
        Some(exponent) if base.bits() * u64::from(exponent) <= MAX_BITS => {
            Ok(Int::new(base.pow(exponent)))
        }
        _ => Err(Stop::new(
            StopKind::Budget,
            format!("{}**{} has too many digits", text(a), text(b)),
        )),
    }
}

pub(crate) fn text(a: &Int) -> String {
    match a {
        Int::Small(value) => value.to_string(),
        Int::Big(value) => value.to_string(),
    }
}

/// The number as an index or count, if it is a small natural.
pub(crate) fn index(a: &Int) -> Option<usize> {
    match a {
        Int::Small(value) => usize::try_from(*value).ok(),
        Int::Big(_) => None,
    }
}

/// The integer part of a finite real.
pub(crate) fn from_real(value: f64) -> Run<Int> {
    use num_traits::FromPrimitive as _;
    match BigInt::from_f64(value) {
        Some(integer) => Ok(Int::new(integer)),
        None => Err(Stop::undefined(format!("{value} is no integer"))),
    }
}

pub(crate) fn to_real(value: &Int) -> f64 {
    match value {
        Int::Small(value) => *value as f64,
        Int::Big(value) => value.to_f64().unwrap_or(f64::INFINITY),
    }
}

/// A real result: what is not a number is not a value.
pub(crate) fn real(value: f64) -> Run<Value> {
    if value.is_nan() {
        Err(Stop::undefined("the result is no real number"))
    } else {
        // The two zeros are one value.
        Ok(Value::Real(value + 0.0))
    }
}

fn small(a: &Int, b: &Int, operation: fn(i64, i64) -> Option<i64>) -> Option<Int> {
    match (a, b) {
        (Int::Small(a), Int::Small(b)) => operation(*a, *b).map(Int::Small),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_truncates_towards_zero() {
        let quotient = |a: i64, b: i64| divide(&a.into(), &b.into());
        assert_eq!(quotient(-7, 2), Ok(Int::Small(-3)));
        assert_eq!(quotient(7, -2), Ok(Int::Small(-3)));
        assert_eq!(quotient(-7, -2), Ok(Int::Small(3)));
        assert!(quotient(1, 0).is_err());
    }

    #[test]
    fn integers_grow_and_shrink_exactly() {
        let big = add(&Int::Small(i64::MAX), &Int::Small(1));
        assert!(matches!(big, Int::Big(_)));
        assert_eq!(subtract(&big, &Int::Small(1)), Int::Small(i64::MAX));
        assert_eq!(
            divide(&Int::Small(i64::MIN), &Int::Small(-1)),
            Ok(big.clone())
        );
        assert_eq!(power(&2.into(), &63.into()), Ok(big));
    }

    #[test]
    fn powers_of_units_have_any_exponent() {
        let huge = power(&10.into(), &40.into()).unwrap_or(Int::Small(0));
        assert_eq!(power(&(-1).into(), &huge), Ok(Int::Small(1)));
        assert_eq!(power(&0.into(), &huge), Ok(Int::Small(0)));
        assert_eq!(power(&0.into(), &0.into()), Ok(Int::Small(1)));
        assert!(power(&2.into(), &huge).is_err());
        assert!(power(&2.into(), &(-1).into()).is_err());
    }

    #[test]
    fn mod_needs_a_natural_and_a_positive_number() {
        assert_eq!(modulo(&7.into(), &3.into()), Ok(Int::Small(1)));
        assert!(modulo(&(-7).into(), &2.into()).is_err());
        assert!(modulo(&7.into(), &(-3).into()).is_err());
        assert!(modulo(&7.into(), &0.into()).is_err());
    }
}
