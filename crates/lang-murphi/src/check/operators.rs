//! Operators: what their operands must be, and the values of those on constants.

use super::{Checker, Form, TypeId};
use crate::syntax::{Binary, ExprId, Unary};

impl Checker<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: Unary, operand: ExprId) -> TypeId {
        if op == Unary::Not {
            self.condition(operand, "the operand of \"!\"");
            let value = self.out.constants[operand.index()].map(|value| i64::from(value == 0));
            return self.known(id, self.boolean, value);
        }
        if !self.integer_operand(operand, if op == Unary::BitNot { "~" } else { "-" }) {
            return self.unknown;
        }
        let value = self.out.constants[operand.index()].and_then(|value| match op {
            Unary::Minus => value.checked_neg(),
            Unary::BitNot => Some(!value),
            _ => Some(value),
        });
        self.known(id, self.integer, value)
    }

    /// An operand that must be an integer; whether it is one, or wrong in a way that was reported.
    pub(super) fn integer_operand(&mut self, operand: ExprId, operator: &str) -> bool {
        let ty = self.infer(operand);
        if self.is_integer(ty) {
            return true;
        }
        if *self.form(ty) != Form::Unknown {
            self.needs_integer(operand, ty, operator);
        }
        false
    }

    /// Two operands that must be integers; one mistake is told of the two.
    fn integer_operands(&mut self, left: ExprId, right: ExprId, operator: &str) -> bool {
        if self.integer_operand(left, operator) {
            return self.integer_operand(right, operator);
        }
        self.infer(right);
        false
    }

    pub(super) fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> TypeId {
        let ty = match op {
            Binary::Implies | Binary::OrOr | Binary::AndAnd => {
                self.condition(left, "an operand of \"->\", \"&&\" or \"||\"");
                self.condition(right, "an operand of \"->\", \"&&\" or \"||\"");
                self.boolean
            }
            Binary::Or | Binary::And => self.and_or(op, left, right),
            Binary::Equal | Binary::NotEqual => {
                let (first, second) = (self.infer(left), self.infer(right));
                if !self.fits(first, second) {
                    self.mismatch(right, second, first, "compared with a value of type");
                }
                self.boolean
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                self.integer_operands(left, right, spelling(op));
                self.boolean
            }
            _ => {
                if self.integer_operands(left, right, spelling(op)) {
                    self.integer
                } else {
                    self.unknown
                }
            }
        };
        let value = match (
            self.out.constants[left.index()],
            self.out.constants[right.index()],
        ) {
            (Some(left), Some(right)) => fold(op, left, right, ty == self.boolean),
            _ => None,
        };
        self.known(id, ty, value)
    }

    /// `&` and `|`: logical on booleans, bitwise on integers.
    fn and_or(&mut self, op: Binary, left: ExprId, right: ExprId) -> TypeId {
        let first = self.infer(left);
        if self.is_integer(first) {
            let fits = self.integer_operand(right, spelling(op));
            return if fits { self.integer } else { self.unknown };
        }
        let what = if op == Binary::And {
            "an operand of \"&\""
        } else {
            "an operand of \"|\""
        };
        self.boolean_of(left, first, what);
        self.condition(right, what);
        self.boolean
    }
}

/// How an operator is written.
fn spelling(op: Binary) -> &'static str {
    crate::print::operator(op)
}

/// The value of an operator on constants; `None` when it has none.
fn fold(op: Binary, left: i64, right: i64, logical: bool) -> Option<i64> {
    let shift = u32::try_from(right).ok().filter(|distance| *distance < 64);
    Some(match op {
        Binary::Implies => i64::from(left == 0 || right != 0),
        Binary::Or if logical => i64::from(left != 0 || right != 0),
        Binary::And if logical => i64::from(left != 0 && right != 0),
        Binary::OrOr => i64::from(left != 0 || right != 0),
        Binary::AndAnd => i64::from(left != 0 && right != 0),
        Binary::Or => left | right,
        Binary::And => left & right,
        Binary::BitXor => left ^ right,
        Binary::Less => i64::from(left < right),
        Binary::LessEqual => i64::from(left <= right),
        Binary::Greater => i64::from(left > right),
        Binary::GreaterEqual => i64::from(left >= right),
        Binary::Equal => i64::from(left == right),
        Binary::NotEqual => i64::from(left != right),
        Binary::ShiftLeft => shift.map_or(0, |distance| left << distance),
        Binary::ShiftRight => left >> shift.unwrap_or(63),
        Binary::Add => left.checked_add(right)?,
        Binary::Subtract => left.checked_sub(right)?,
        Binary::Multiply => left.checked_mul(right)?,
        Binary::Divide => left.checked_div(right)?,
        Binary::Modulo => left.checked_rem(right)?,
    })
}
