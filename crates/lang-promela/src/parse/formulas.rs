//! The operators of temporal formulas, which are words and signs of their own only there.

use base::{Diagnostic, Span, near};

use super::{Fail, Parser};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok};
use crate::syntax::{Binary, ExprId, ExprKind, Unary};

/// The words, for near names.
const WORDS: [&str; 10] = [
    "always",
    "eventually",
    "next",
    "until",
    "stronguntil",
    "weakuntil",
    "release",
    "implies",
    "equivalent",
    "U",
];

impl Parser {
    /// Reads a formula that is the whole text.
    pub(super) fn lone_formula(&mut self) -> ExprId {
        self.in_formula = true;
        let span = self.span();
        match self.full_expression() {
            Ok(id) if self.tok() == Tok::Eof => return id,
            Ok(_) => {
                self.unexpected("an operator or the end of the formula");
            }
            Err(Fail) => {}
        }
        self.node(ExprKind::Error, span)
    }

    /// Whether the next two tokens are these, with nothing between.
    fn at_pair(&self, first: Punct, second: Punct) -> bool {
        let next = self.tokens[(self.pos + 1).min(self.tokens.len() - 1)];
        self.at(first) && next.is(second) && next.glued
    }

    /// Whether `[]` comes next.
    pub(super) fn at_always(&self) -> bool {
        self.at_pair(Punct::LeftBracket, Punct::RightBracket)
    }

    fn word(&self) -> &'static str {
        match self.tok() {
            Tok::Ident => self.token().text.as_str(),
            _ => "",
        }
    }

    /// The temporal operator before an operand, and how many tokens it is.
    pub(super) fn temporal_prefix(&self) -> Option<(Unary, usize)> {
        if self.at_always() {
            return Some((Unary::Always, 2));
        }
        if self.at_pair(Punct::Less, Punct::Greater) {
            return Some((Unary::Eventually, 2));
        }
        match self.word() {
            "always" => Some((Unary::Always, 1)),
            "eventually" => Some((Unary::Eventually, 1)),
            "X" | "next" => Some((Unary::Next, 1)),
            _ => None,
        }
    }

    /// The operator of formulas between two operands, and how many tokens it is.
    pub(super) fn temporal_operator(&self) -> Option<(Binary, usize)> {
        if self.at_pair(Punct::Less, Punct::Arrow) {
            return Some((Binary::Equivalent, 2));
        }
        if self.at_pair(Punct::Divide, Punct::Backslash) {
            return Some((Binary::And, 2));
        }
        if self.at_pair(Punct::Backslash, Punct::Divide) {
            return Some((Binary::Or, 2));
        }
        if self.at(Punct::Arrow) {
            return Some((Binary::Implies, 1));
        }
        let operator = match self.word() {
            "U" | "until" | "stronguntil" => Binary::Until,
            "W" | "weakuntil" => Binary::WeakUntil,
            "V" | "release" => Binary::Release,
            "implies" => Binary::Implies,
            "equivalent" => Binary::Equivalent,
            _ => return None,
        };
        Some((operator, 1))
    }

    /// Reports a name that is used like an operator.
    pub(super) fn no_operator(&mut self, span: Span) -> Fail {
        let text = self.tokens[self.pos - 1].text;
        let message = format!("\"{text}\" is no operator of formulas");
        let mut diagnostic = Diagnostic::error(&code::TEMPORAL_ARGUMENT, span, message);
        if let Some(meant) = near::nearest(text.as_str(), WORDS) {
            diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
        }
        self.error(diagnostic)
    }
}
