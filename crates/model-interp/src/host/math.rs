//! LibraryMath and LibraryBits.

use model::{Int, Value};
use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use crate::number;
use crate::stop::{Run, Stop};

/// The largest shift: beyond it nobody means the number.
const MAX_SHIFT: u64 = 1 << 20;

/// The value of a function on integers, or `None` if the name is not known here.
pub(super) fn call(name: &str, values: &[Value]) -> Option<Run<Value>> {
    let mut numbers = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Int(number) => numbers.push(number),
            _ => return None,
        }
    }
    let result = match (name, numbers.as_slice()) {
        ("ABS", [x]) => Ok(Int::new(x.to_big().abs())),
        ("SIGN", [x]) => Ok(Int::new(x.to_big().signum())),
        ("GCD", [x, y]) => Ok(Int::new(gcd(x.to_big(), y.to_big()))),
        ("LCM", [x, y]) => {
            let (x, y) = (x.to_big(), y.to_big());
            let divisor = gcd(x.clone(), y.clone());
            Ok(if divisor.is_zero() {
                Int::Small(0)
            } else {
                Int::new((x / divisor * y).abs())
            })
        }
        ("MSB", [x]) if **x > Int::Small(0) => Ok(Int::Small(x.to_big().bits() as i64 - 1)),
        ("MSB", [_]) => Err(Stop::undefined("MSB of a number that is not positive")),
        ("FDIV", [x, y]) => rounded(x, y, Rounding::Down),
        ("CDIV", [x, y]) => rounded(x, y, Rounding::Up),
        ("SQRT", [x]) if **x >= Int::Small(0) => Ok(Int::new(x.to_big().sqrt())),
        ("SQRT", [_]) => Err(Stop::undefined("SQRT of a negative number")),
        ("FACTORIAL", [x]) => factorial(x),
        ("SIN", [x]) => scaled(&Int::Small(100), x, f64::sin),
        ("COS", [x]) => scaled(&Int::Small(100), x, f64::cos),
        ("TAN", [x]) => scaled(&Int::Small(100), x, f64::tan),
        ("SINx", [m, x]) => scaled(m, x, f64::sin),
        ("COSx", [m, x]) => scaled(m, x, f64::cos),
        ("TANx", [m, x]) => scaled(m, x, f64::tan),
        ("LOGx", [m, b, x]) => {
            let m = number::to_real(m);
            let value = (number::to_real(x) / m).ln() / (number::to_real(b) / m).ln();
            number::from_real((value * m).floor())
        }
        ("BNOT", [x]) => Ok(Int::new(-x.to_big() - 1)),
        ("BAND", [x, y]) => Ok(Int::new(x.to_big() & y.to_big())),
        ("BOR", [x, y]) => Ok(Int::new(x.to_big() | y.to_big())),
        ("BXOR", [x, y]) => Ok(Int::new(x.to_big() ^ y.to_big())),
        ("BLSHIFT", [x, n]) => shift(x, n, true),
        ("BRSHIFT", [x, n]) => shift(x, n, false),
        _ => return None,
    };
    Some(result.map(Value::Int))
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// To which side a quotient is rounded.
#[derive(Clone, Copy)]
enum Rounding {
    Down,
    Up,
}

fn rounded(x: &Int, y: &Int, rounding: Rounding) -> Run<Int> {
    let quotient = number::divide(x, y)?;
    let rest = number::subtract(x, &number::multiply(&quotient, y));
    let exact = rest == Int::Small(0);
    let negative = (rest < Int::Small(0)) != (*y < Int::Small(0));
    Ok(match (exact, rounding, negative) {
        (false, Rounding::Down, true) => number::subtract(&quotient, &Int::Small(1)),
        (false, Rounding::Up, false) => number::add(&quotient, &Int::Small(1)),
        _ => quotient,
    })
}

fn factorial(x: &Int) -> Run<Int> {
    match number::index(x) {
        Some(n) if n <= 10_000 => {
            let mut product = BigInt::from(1);
            for i in 2..=n {
                product *= i;
            }
            Ok(Int::new(product))
        }
        Some(_) => Err(Stop::new(
            crate::StopKind::Budget,
            "FACTORIAL of a huge number",
        )),
        None => Err(Stop::undefined("FACTORIAL of a negative number")),
    }
}

/// A function of x/m, times m, rounded.
fn scaled(m: &Int, x: &Int, function: fn(f64) -> f64) -> Run<Int> {
    if *m == Int::Small(0) {
        return Err(Stop::undefined("division by zero"));
    }
    let m = number::to_real(m);
    number::from_real((function(number::to_real(x) / m) * m).round())
}

fn shift(x: &Int, n: &Int, left: bool) -> Run<Int> {
    let Some(places) = n.to_big().to_i64() else {
        return Err(Stop::undefined("a shift by too many places"));
    };
    // A negative number of places shifts the other way.
    let left = left == (places >= 0);
    let places = places.unsigned_abs();
    if left && places > MAX_SHIFT {
        return Err(Stop::new(
            crate::StopKind::Budget,
            "a shift by too many places",
        ));
    }
    let x = x.to_big();
    Ok(Int::new(if left { x << places } else { x >> places }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, values: &[i64]) -> Option<i64> {
        let values: Vec<Value> = values.iter().copied().map(Value::int).collect();
        match call(name, &values) {
            Some(Ok(Value::Int(Int::Small(value)))) => Some(value),
            _ => None,
        }
    }

    #[test]
    fn quotients_round_down_or_up() {
        for x in -7i64..=7 {
            for y in [-3i64, -2, 2, 3] {
                let exact = x as f64 / y as f64;
                assert_eq!(of("FDIV", &[x, y]), Some(exact.floor() as i64), "{x}/{y}");
                assert_eq!(of("CDIV", &[x, y]), Some(exact.ceil() as i64), "{x}/{y}");
            }
        }
        assert_eq!(of("FDIV", &[1, 0]), None);
    }

    #[test]
    fn bits_are_those_of_twos_complement() {
        assert_eq!(of("BNOT", &[5]), Some(-6));
        assert_eq!(of("BAND", &[-1, 6]), Some(6));
        assert_eq!(of("BXOR", &[5, 3]), Some(6));
        assert_eq!(of("BLSHIFT", &[3, 2]), Some(12));
        assert_eq!(of("BRSHIFT", &[-5, 1]), Some(-3));
    }

    #[test]
    fn numbers_of_the_library_are_as_documented() {
        assert_eq!(of("GCD", &[-12, 18]), Some(6));
        assert_eq!(of("LCM", &[4, 6]), Some(12));
        assert_eq!(of("MSB", &[1]), Some(0));
        assert_eq!(of("MSB", &[255]), Some(7));
        assert_eq!(of("SQRT", &[24]), Some(4));
        assert_eq!(of("FACTORIAL", &[5]), Some(120));
        assert_eq!(of("SIN", &[157]), Some(100));
        assert_eq!(of("COS", &[314]), Some(-100));
        assert_eq!(of("SIGN", &[-9]), Some(-1));
    }
}
