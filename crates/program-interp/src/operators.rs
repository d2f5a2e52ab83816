//! Operators on simple values, as the arithmetic of the language says.

use program::{Arithmetic, Binary, Reason, Unary};

/// The value of an operation on one value.
pub(crate) fn unary(arithmetic: Arithmetic, op: Unary, value: i64) -> Result<i64, Reason> {
    let exact = match op {
        Unary::Minus => -i128::from(value),
        Unary::Not => i128::from(value == 0),
        Unary::Complement => i128::from(!value),
    };
    fit(arithmetic, exact)
}

/// The value of an operation on two values that are both computed.
pub(crate) fn binary(
    arithmetic: Arithmetic,
    op: Binary,
    left: i64,
    right: i64,
) -> Result<i64, Reason> {
    let (a, b) = (i128::from(left), i128::from(right));
    let exact = match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide | Binary::Remainder if b == 0 => return Err(Reason::DivisionByZero),
        Binary::Divide => a / b,
        Binary::Remainder => a % b,
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::ShiftLeft => shift_left(arithmetic, left, right),
        Binary::ShiftRight => shift_right(arithmetic, left, right),
        Binary::Equal => i128::from(a == b),
        Binary::Unequal => i128::from(a != b),
        Binary::Less => i128::from(a < b),
        Binary::AtMost => i128::from(a <= b),
        Binary::Greater => i128::from(a > b),
        Binary::AtLeast => i128::from(a >= b),
        Binary::And => i128::from(a != 0 && b != 0),
        Binary::Or => i128::from(a != 0 || b != 0),
        Binary::Implies => i128::from(a == 0 || b != 0),
    };
    fit(arithmetic, exact)
}

fn shift_left(arithmetic: Arithmetic, value: i64, distance: i64) -> i128 {
    match arithmetic {
        Arithmetic::Wrapping => i128::from(value) << (distance & 31),
        // Bits that leave the 64 are lost: no overflow.
        Arithmetic::Checked if (0..64).contains(&distance) => i128::from(value << distance),
        Arithmetic::Checked => 0,
    }
}

fn shift_right(arithmetic: Arithmetic, value: i64, distance: i64) -> i128 {
    match arithmetic {
        Arithmetic::Wrapping => i128::from(value >> (distance & 31)),
        Arithmetic::Checked if (0..64).contains(&distance) => i128::from(value >> distance),
        Arithmetic::Checked => i128::from(value >> 63),
    }
}

/// A result in the width of the language.
fn fit(arithmetic: Arithmetic, exact: i128) -> Result<i64, Reason> {
    match arithmetic {
        Arithmetic::Wrapping => Ok(i64::from(exact as i32)),
        Arithmetic::Checked => i64::try_from(exact).map_err(|_| Reason::Overflow),
    }
}
