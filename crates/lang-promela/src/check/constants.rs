//! Values that must be known when the program is read.

use base::{Diagnostic, deep};

use super::{Checker, Meaning};
use crate::codes::names as code;
use crate::syntax::{Binary, ExprId, ExprKind, Initialiser, Unary};

/// What SPIN takes for the size of an array given by a variable without a first value.
const DEFAULT_SIZE: i32 = 8;

impl Checker<'_> {
    /// The value of a constant expression, kept in the facts; anything else is reported.
    pub(super) fn constant(&mut self, id: ExprId, what: &str) -> Option<i32> {
        let value = self.value(id);
        match value {
            Some(value) => {
                self.facts.constants.insert(id, value);
            }
            None => {
                let message = format!("{what} must be a constant");
                let span = self.program.exprs[id].span;
                self.report(Diagnostic::error(&code::NOT_CONSTANT, span, message));
            }
        }
        value
    }

    /// As [`Checker::constant`], where SPIN takes the first value of a global variable too.
    pub(super) fn constant_or_variable(&mut self, id: ExprId, what: &str) -> Option<i32> {
        if let ExprKind::Variable(parts) = &self.program.exprs[id].kind
            && let [part] = &parts[..]
            && part.index.is_none()
        {
            self.expression(id);
            let Some(Meaning::Variable(var)) = self.facts.meanings.get(&id) else {
                return None;
            };
            let value = match self.program.vars[*var].init {
                Some(Initialiser::Value(init)) => self.value(init),
                _ => Some(0),
            };
            let value = value.map(|value| if value > 0 { value } else { DEFAULT_SIZE })?;
            self.facts.constants.insert(id, value);
            return Some(value);
        }
        self.constant(id, what)
    }

    /// The value of an expression of constants.
    pub(super) fn value(&self, id: ExprId) -> Option<i32> {
        deep::recurse(|| match &self.program.exprs[id].kind {
            ExprKind::Constant(value, _) => Some(*value),
            ExprKind::Mtype(name) => self
                .facts
                .symbols
                .get(&name.name)
                .map(|symbol| symbol.value),
            ExprKind::Unary(Unary::Minus, a) => Some(self.value(*a)?.wrapping_neg()),
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                match operator {
                    Binary::Add => Some(a.wrapping_add(b)),
                    Binary::Subtract => Some(a.wrapping_sub(b)),
                    Binary::Multiply => Some(a.wrapping_mul(b)),
                    Binary::Divide => a.checked_div(b),
                    Binary::Remainder => a.checked_rem(b),
                    _ => None,
                }
            }
            _ => None,
        })
    }
}
