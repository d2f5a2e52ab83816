//! Integers, bits and reals.

use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

use crate::cx::R;
use crate::ops::real;
use crate::trap::Cause;
use crate::value::V;

fn undefined() -> crate::trap::Trap {
    Cause::Argument.trap()
}

pub(super) fn call(name: &str, args: &[V]) -> Option<R<V>> {
    if let Some(result) = reals(name, args) {
        return Some(result);
    }
    Some(match (name, args) {
        ("ABS", [a]) => Ok(V::big(a.to_big().abs())),
        ("SIGN", [a]) => Ok(V::big(a.to_big().signum())),
        ("GCD", [a, b]) => Ok(V::big(gcd(a.to_big(), b.to_big()))),
        ("LCM", [a, b]) => {
            let (a, b) = (a.to_big(), b.to_big());
            let divisor = gcd(a.clone(), b.clone());
            Ok(if divisor.is_zero() {
                V::Int(0)
            } else {
                V::big((a * b).abs() / divisor)
            })
        }
        ("MSB", [a]) => {
            let a = a.to_big();
            if a.is_positive() {
                Ok(V::Int(a.bits() as i64 - 1))
            } else {
                Err(undefined())
            }
        }
        ("SQRT", [a]) => {
            let a = a.to_big();
            if a.is_negative() {
                Err(undefined())
            } else {
                Ok(V::big(a.sqrt()))
            }
        }
        ("FACTORIAL", [a]) => match a.small() {
            Some(n) if (0..=10_000).contains(&n) => Ok(V::big(
                (1..=n).fold(BigInt::from(1), |product, i| product * i),
            )),
            Some(n) if n >= 0 => Err(Cause::TooLarge.trap()),
            _ => Err(undefined()),
        },
        ("FDIV" | "CDIV", [a, b]) => {
            let (a, b) = (a.to_big(), b.to_big());
            if b.is_zero() {
                return Some(Err(Cause::DivisionByZero.trap()));
            }
            let (quotient, rest) = (&a / &b, &a % &b);
            let below = !rest.is_zero() && (rest.is_negative() != b.is_negative());
            let floor = if below { quotient - 1 } else { quotient };
            let exact = rest.is_zero();
            Ok(V::big(if name == "FDIV" || exact {
                floor
            } else {
                floor + 1
            }))
        }
        ("BNOT", [a]) => Ok(V::big(-a.to_big() - 1)),
        ("BAND", [a, b]) => Ok(V::big(a.to_big() & b.to_big())),
        ("BOR", [a, b]) => Ok(V::big(a.to_big() | b.to_big())),
        ("BXOR", [a, b]) => Ok(V::big(a.to_big() ^ b.to_big())),
        ("BLSHIFT", [a, b]) => match b.small() {
            Some(n) if (0..1 << 20).contains(&n) => Ok(V::big(a.to_big() << n)),
            _ => Err(undefined()),
        },
        ("BRSHIFT", [a, b]) => match b.small() {
            Some(n) if n >= 0 => Ok(V::big(a.to_big() >> n)),
            _ => Err(undefined()),
        },
        ("SIN" | "COS" | "TAN", [a]) => scaled(name, a, &V::Int(100)),
        ("SINx" | "COSx" | "TANx", [precision, a]) => scaled(name, a, precision),
        ("LOGx", [precision, base, a]) => {
            match (
                base.to_big().to_f64(),
                a.to_big().to_f64(),
                precision.to_big().to_f64(),
            ) {
                (Some(base), Some(a), Some(p)) if base > 0.0 && a > 0.0 && p > 0.0 => {
                    whole(((a / p).ln() / (base / p).ln() * p).floor())
                }
                _ => Err(undefined()),
            }
        }
        _ => return None,
    })
}

fn scaled(name: &str, a: &V, precision: &V) -> R<V> {
    let (Some(a), Some(p)) = (a.to_big().to_f64(), precision.to_big().to_f64()) else {
        return Err(undefined());
    };
    if p == 0.0 {
        return Err(undefined());
    }
    let x = a / p;
    let y = match &name[..3] {
        "SIN" => x.sin(),
        "COS" => x.cos(),
        _ => x.tan(),
    };
    whole((y * p).round())
}

fn whole(value: f64) -> R<V> {
    num_traits::FromPrimitive::from_f64(value)
        .map(V::big)
        .ok_or_else(undefined)
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn reals(name: &str, args: &[V]) -> Option<R<V>> {
    let number = |value: f64| {
        if value.is_nan() {
            Err(undefined())
        } else {
            Ok(real(value))
        }
    };
    Some(match (name, args) {
        ("RDECIMAL", [a, b]) => match (a.to_big().to_f64(), b.small()) {
            (Some(a), Some(b)) => number(a * 10f64.powi(b.clamp(-400, 400) as i32)),
            _ => Err(undefined()),
        },
        (_, [V::Real(a)]) => {
            let a = a.0;
            number(match name {
                "RINV" => 1.0 / a,
                "RUMINUS" => -a,
                "RABS" => a.abs(),
                "RSIGN" if a == 0.0 => 0.0,
                "RSIGN" => a.signum(),
                "RSQRT" => a.sqrt(),
                "REXP" => a.exp(),
                "RLOGe" => a.ln(),
                "RINTEGER" => a.trunc(),
                "RFRACTION" => a.fract(),
                "RNEXT" => a.next_up(),
                "RPREV" => a.next_down(),
                "RADIANS" => a.to_radians(),
                "RDEGREE" => a.to_degrees(),
                "RSIN" => a.sin(),
                "RASIN" => a.asin(),
                "RSINH" => a.sinh(),
                "RASINH" => a.asinh(),
                "RCOS" => a.cos(),
                "RACOS" => a.acos(),
                "RCOSH" => a.cosh(),
                "RACOSH" => a.acosh(),
                "RTAN" => a.tan(),
                "RATAN" => a.atan(),
                "RTANH" => a.tanh(),
                "RATANH" => a.atanh(),
                "RCOT" => 1.0 / a.tan(),
                "RACOT" => (1.0 / a).atan(),
                "RCOTH" => 1.0 / a.tanh(),
                "RACOTH" => (1.0 / a).atanh(),
                "ROUND" => return Some(whole(a.round())),
                _ => return None,
            })
        }
        (_, [V::Real(a), V::Real(b)]) => {
            let (a, b) = (a.0, b.0);
            number(match name {
                "RADD" => a + b,
                "RSUB" => a - b,
                "RMUL" => a * b,
                "RDIV" if b == 0.0 => return Some(Err(Cause::DivisionByZero.trap())),
                "RDIV" => a / b,
                "RPOW" => a.powf(b),
                "RLOG" => b.ln() / a.ln(),
                "RMAX" => a.max(b),
                "RMIN" => a.min(b),
                "RATAN2" => a.atan2(b),
                "RHYPOT" => a.hypot(b),
                "RLEQ" => return Some(Ok(V::bool(a <= b))),
                "RGEQ" => return Some(Ok(V::bool(a >= b))),
                "RLT" => return Some(Ok(V::bool(a < b))),
                "RGT" => return Some(Ok(V::bool(a > b))),
                "REQ" => return Some(Ok(V::bool(a == b))),
                "RNEQ" => return Some(Ok(V::bool(a != b))),
                _ => return None,
            })
        }
        ("RPI", []) => Ok(real(std::f64::consts::PI)),
        ("REULER", []) => Ok(real(std::f64::consts::E)),
        ("RZERO", []) => Ok(real(0.0)),
        ("RONE", []) => Ok(real(1.0)),
        ("REPSILON", []) => Ok(real(f64::EPSILON)),
        ("RMAXFLOAT", []) => Ok(real(f64::MAX)),
        _ => return None,
    })
}
