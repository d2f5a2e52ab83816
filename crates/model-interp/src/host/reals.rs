//! LibraryReals.

use model::Value;

use crate::number;
use crate::stop::{Run, Stop};

/// The value of a function on reals, or `None` if the name is not known here.
// Long: one arm for each function of the library.
pub(super) fn call(name: &str, values: &[Value]) -> Option<Run<Value>> {
    match (name, values) {
        ("RPI", []) => return Some(number::real(std::f64::consts::PI)),
        ("REULER", []) => return Some(number::real(std::f64::consts::E)),
        ("RZERO", []) => return Some(number::real(0.0)),
        ("RONE", []) => return Some(number::real(1.0)),
        ("REPSILON", []) => return Some(number::real(f64::EPSILON)),
        ("RMAXFLOAT", []) => return Some(number::real(f64::MAX)),
        ("RMAXIMUM", [Value::Set(set)]) => return Some(outermost(name, set.last())),
        ("RMINIMUM", [Value::Set(set)]) => return Some(outermost(name, set.first())),
        ("RDECIMAL", [Value::Int(x), Value::Int(n)]) => {
            // Reading the decimal text rounds once, multiplying would round twice.
            let text = format!("{}e{}", number::text(x), number::text(n));
            return Some(number::real(text.parse().unwrap_or(f64::NAN)));
        }
        ("ROUND", [Value::Real(x)]) => {
            return Some(number::from_real((x + 0.5).floor()).map(Value::Int));
        }
        _ => {}
    }
    let mut reals = Vec::with_capacity(values.len());
    for value in values {
        match value {
            Value::Real(real) => reals.push(*real),
            _ => return None,
        }
    }
    let truth = |truth: bool| Some(Ok(Value::Bool(truth)));
    let value = match (name, reals.as_slice()) {
        ("RADD", [x, y]) => x + y,
        ("RSUB", [x, y]) => x - y,
        ("RMUL", [x, y]) => x * y,
        ("RDIV", [_, 0.0]) | ("RINV", [0.0]) => {
            return Some(Err(Stop::undefined("division by zero")));
        }
        ("RDIV", [x, y]) => x / y,
        ("RINV", [x]) => 1.0 / x,
        ("RUMINUS", [x]) => -x,
        ("RABS", [x]) => x.abs(),
        ("RSIGN", [x]) if *x == 0.0 => 0.0,
        ("RSIGN", [x]) => x.signum(),
        ("RPOW", [x, y]) => x.powf(*y),
        ("RSQRT", [x]) => x.sqrt(),
        ("REXP", [x]) => x.exp(),
        ("RLOGe", [x]) if *x > 0.0 => x.ln(),
        ("RLOG", [base, x]) if *x > 0.0 && *base > 0.0 => x.ln() / base.ln(),
        ("RLOGe", [_]) | ("RLOG", [_, _]) => {
            return Some(Err(Stop::undefined(
                "a logarithm of a number that is not positive",
            )));
        }
        ("RMAX", [x, y]) => x.max(*y),
        ("RMIN", [x, y]) => x.min(*y),
        ("RINTEGER", [x]) => x.trunc(),
        ("RFRACTION", [x]) => x.fract(),
        ("RNEXT", [x]) => x.next_up(),
        ("RPREV", [x]) => x.next_down(),
        ("RADIANS", [x]) => x.to_radians(),
        ("RDEGREE", [x]) => x.to_degrees(),
        ("RSIN", [x]) => x.sin(),
        ("RASIN", [x]) => x.asin(),
        ("RSINH", [x]) => x.sinh(),
        ("RASINH", [x]) => x.asinh(),
        ("RCOS", [x]) => x.cos(),
        ("RACOS", [x]) => x.acos(),
        ("RCOSH", [x]) => x.cosh(),
        ("RACOSH", [x]) => x.acosh(),
        ("RTAN", [x]) => x.tan(),
        ("RATAN", [x]) => x.atan(),
        ("RTANH", [x]) => x.tanh(),
        ("RATANH", [x]) => x.atanh(),
        ("RCOT", [x]) => 1.0 / x.tan(),
        ("RACOT", [x]) => (1.0 / x).atan(),
        ("RCOTH", [x]) => 1.0 / x.tanh(),
        ("RACOTH", [x]) => (1.0 / x).atanh(),
        ("RATAN2", [y, x]) => y.atan2(*x),
        ("RHYPOT", [x, y]) => x.hypot(*y),
        ("RLEQ", [x, y]) => return truth(x <= y),
        ("RGEQ", [x, y]) => return truth(x >= y),
        ("RLT", [x, y]) => return truth(x < y),
        ("RGT", [x, y]) => return truth(x > y),
        ("REQ", [x, y]) => return truth(x == y),
        ("RNEQ", [x, y]) => return truth(x != y),
        _ => return None,
    };
    Some(number::real(value))
}

fn outermost(name: &str, found: Option<&Value>) -> Run<Value> {
    let none = || Stop::undefined(format!("{name} of the empty set"));
    found.cloned().ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Int;

    #[test]
    fn what_is_no_number_is_undefined() {
        let of = |name, x: f64| call(name, &[Value::Real(x)]);
        assert!(matches!(of("RSQRT", 4.0), Some(Ok(Value::Real(2.0)))));
        assert!(matches!(of("RSQRT", -1.0), Some(Err(_))));
        assert!(matches!(of("RINV", 0.0), Some(Err(_))));
        assert!(matches!(of("RLOGe", 0.0), Some(Err(_))));
        assert!(matches!(
            of("ROUND", 2.5),
            Some(Ok(Value::Int(Int::Small(3))))
        ));
        let decimal = call("RDECIMAL", &[Value::int(15), Value::int(-1)]);
        assert!(matches!(decimal, Some(Ok(Value::Real(1.5)))));
    }
}
