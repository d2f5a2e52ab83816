//! Expressions, by binding strength.
//!
//! From weak to strong: `? :`, `->`, `|`, `^`, `&`, `!`, comparisons, shifts, `+ -`, `* / %`, unary `- + ~`, postfix.
//! `!` binds weaker than comparisons, so `!x = y` is `!(x = y)`; `? :`, `->` and comparisons do not associate.

use base::{Diagnostic, Span, deep};

use super::{Parser, Read};
use crate::codes::{support, syntax as code};
use crate::lex::{Tok, Word};
use crate::syntax::{Binary, Binder, ExprId, ExprKind, Ident, Over, Quantifier, Unary};

/// Weaker than any operator.
const ANY: u8 = 0;
const CONDITIONAL: u8 = 1;
const IMPLIES: u8 = 2;
const NOT: u8 = 6;
const COMPARE: u8 = 7;
/// What bounds of ranges may be without parentheses: everything above comparisons.
const SUM: u8 = 8;
const PREFIX: u8 = 11;

/// Numbers with more digits are not repeated in messages.
const LONGEST: usize = 40;

/// A binary operator and how strongly it binds.
fn binary(tok: Tok) -> Option<(Binary, u8)> {
    let Tok::Symbol(symbol) = tok else {
        return None;
    };
    Some(match symbol {
        "->" => (Binary::Implies, IMPLIES),
        "|" => (Binary::Or, 3),
        "||" => (Binary::OrOr, 3),
        "^" => (Binary::BitXor, 4),
        "&" => (Binary::And, 5),
        "&&" => (Binary::AndAnd, 5),
        "<" => (Binary::Less, COMPARE),
        "<=" => (Binary::LessEqual, COMPARE),
        ">" => (Binary::Greater, COMPARE),
        ">=" => (Binary::GreaterEqual, COMPARE),
        "=" | "==" => (Binary::Equal, COMPARE),
        "!=" => (Binary::NotEqual, COMPARE),
        "<<" => (Binary::ShiftLeft, SUM),
        ">>" => (Binary::ShiftRight, SUM),
        "+" => (Binary::Add, 9),
        "-" => (Binary::Subtract, 9),
        "*" => (Binary::Multiply, 10),
        "/" => (Binary::Divide, 10),
        "%" => (Binary::Modulo, 10),
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self) -> Read<ExprId> {
        deep::recurse(|| self.expr_above(ANY))
    }

    /// A bound of a range.
    pub(super) fn bound(&mut self) -> Read<ExprId> {
        deep::recurse(|| self.expr_above(CONDITIONAL - 1))
    }

    /// The whole text as one expression.
    pub(super) fn lone_expression(&mut self) -> ExprId {
        let start = self.span();
        match self.expr() {
            Ok(id) => {
                if self.tok() != Tok::End {
                    self.unexpected("an operator or the end");
                }
                id
            }
            Err(_) => self.expr_node(ExprKind::Error, start),
        }
    }

    /// An expression whose outermost operator binds more strongly than `weaker`.
    fn expr_above(&mut self, weaker: u8) -> Read<ExprId> {
        let mut left = self.prefix()?;
        let mut chained = None;
        let mut length = 0;
        loop {
            let tok = self.tok();
            if tok == Tok::Symbol("?") && weaker < CONDITIONAL {
                self.not_chained(chained, CONDITIONAL)?;
                left = self.conditional(left)?;
                chained = Some(CONDITIONAL);
                continue;
            }
            let Some((op, strength)) = binary(tok) else {
                return Ok(left);
            };
            if strength <= weaker {
                return Ok(left);
            }
            if strength == COMPARE || strength == IMPLIES {
                self.not_chained(chained, strength)?;
                chained = Some(strength);
            } else {
                chained = None;
            }
            self.advance();
            length += 1;
            if length > deep::MAX_DEPTH {
                return Err(self.too_deep());
            }
            let right = deep::recurse(|| self.expr_above(strength))?;
            let span = self.span_of_expr(left).to(self.span_of_expr(right));
            left = self.expr_node(ExprKind::Binary(op, left, right), span);
        }
    }

    fn not_chained(&mut self, before: Option<u8>, strength: u8) -> Read<()> {
        if before != Some(strength) {
            return Ok(());
        }
        let found = self.text_at(self.span()).to_string();
        let message = format!("\"{found}\" does not associate: say with parentheses what is meant");
        let diagnostic = Diagnostic::error(&code::NOT_ASSOCIATIVE, self.span(), message);
        Err(self.error(diagnostic.help("put one side in parentheses")))
    }

    fn conditional(&mut self, condition: ExprId) -> Read<ExprId> {
        self.advance();
        self.open()?;
        let yes = self.expr()?;
        self.expect(":", "\":\" and the other value")?;
        self.nesting -= 1;
        let no = deep::recurse(|| self.expr_above(CONDITIONAL))?;
        let span = self.span_of_expr(condition).to(self.span_of_expr(no));
        Ok(self.expr_node(ExprKind::Conditional(condition, yes, no), span))
    }

    fn prefix(&mut self) -> Read<ExprId> {
        let (op, strength) = match self.tok() {
            Tok::Symbol("!") => (Unary::Not, NOT),
            Tok::Symbol("-") => (Unary::Minus, PREFIX),
            Tok::Symbol("+") => (Unary::Plus, PREFIX),
            Tok::Symbol("~") => (Unary::BitNot, PREFIX),
            _ => return self.postfix_expr(),
        };
        let start = self.advance();
        self.open()?;
        let operand = deep::recurse(|| self.expr_above(strength))?;
        self.nesting -= 1;
        let span = start.to(self.span_of_expr(operand));
        Ok(self.expr_node(ExprKind::Unary(op, operand), span))
    }

    /// A designator or a call.
    pub(super) fn postfix_expr(&mut self) -> Read<ExprId> {
        let mut left = self.primary()?;
        let mut length = 0;
        loop {
            if self.eat(".") {
                let field = self.ident("the name of a field")?;
                let span = self.span_of_expr(left).to(field.span);
                left = self.expr_node(ExprKind::Field(left, field), span);
            } else if self.at("[") {
                let open = self.advance();
                self.open()?;
                let index = self.expr()?;
                let end = self.close("]", open, "an operator")?;
                let span = self.span_of_expr(left).to(end);
                left = self.expr_node(ExprKind::Index(left, index), span);
            } else {
                return Ok(left);
            }
            length += 1;
            if length > deep::MAX_DEPTH {
                return Err(self.too_deep());
            }
        }
    }

    fn primary(&mut self) -> Read<ExprId> {
        let start = self.span();
        match self.tok() {
            Tok::Number => self.number(),
            // The lexer has said that real numbers are not supported.
            Tok::Real => {
                self.advance();
                Ok(self.expr_node(ExprKind::Error, start))
            }
            Tok::Name => {
                let ident = self.ident("a value")?;
                if self.at("(") {
                    let arguments = self.arguments()?;
                    let span = start.to(self.last_span());
                    return Ok(self.expr_node(ExprKind::Call(ident, arguments), span));
                }
                Ok(self.expr_node(ExprKind::Name(ident.name), start))
            }
            Tok::Symbol("(") => {
                let open = self.advance();
                if self.at(")") {
                    let message = "empty parentheses where a value is needed".to_string();
                    return Err(self.problem(&code::EMPTY, start.to(self.span()), message));
                }
                self.open()?;
                let inner = self.expr()?;
                self.close(")", open, "an operator")?;
                Ok(inner)
            }
            Tok::Word(Word::Undefined) => {
                self.advance();
                Ok(self.expr_node(ExprKind::Undefined, start))
            }
            Tok::Word(Word::Forall) => self.quantified(Quantifier::Forall),
            Tok::Word(Word::Exists) => self.quantified(Quantifier::Exists),
            Tok::Word(Word::IsUndefined) => {
                let open = self.builtin()?;
                let inner = self.expr()?;
                let end = self.close(")", open, "an operator")?;
                Ok(self.expr_node(ExprKind::IsUndefined(inner), start.to(end)))
            }
            Tok::Word(Word::IsMember) => {
                let open = self.builtin()?;
                let inner = self.expr()?;
                self.expect(",", "\",\" and a type")?;
                let ty = self.type_expr()?;
                let end = self.close(")", open, "nothing more")?;
                Ok(self.expr_node(ExprKind::IsMember(inner, ty), start.to(end)))
            }
            Tok::Word(Word::MultisetCount) => {
                let (ident, place, condition) = self.over_multiset()?;
                let span = start.to(self.last_span());
                Ok(self.expr_node(ExprKind::MultisetCount(ident, place, condition), span))
            }
            Tok::Word(word @ (Word::Externfun | Word::Externproc | Word::Pctl)) => {
                Err(self.unsupported(word))
            }
            Tok::Text => Err(self.unexpected("a value")),
            _ => {
                let message = format!("found {} where a value is needed", self.found());
                Err(self.problem(&code::EMPTY, start, message))
            }
        }
    }

    fn number(&mut self) -> Read<ExprId> {
        let span = self.span();
        let text = self.text_at(span);
        let value = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let Ok(value) = value else {
            let message = match text.len() {
                ..=LONGEST => format!("{text} is no number of 63 bits"),
                digits => format!("a number of {digits} digits has more than 63 bits"),
            };
            return Err(self.problem(&code::BIG_NUMBER, span, message));
        };
        self.advance();
        Ok(self.expr_node(ExprKind::Number(value), span))
    }

    /// The keyword of a built-in function and its opening parenthesis.
    pub(super) fn builtin(&mut self) -> Read<Span> {
        self.advance();
        let open = self.expect("(", "\"(\"")?;
        self.open()?;
        Ok(open)
    }

    /// `(i: m, e)` after `multisetcount` or `multisetremovepred`.
    pub(super) fn over_multiset(&mut self) -> Read<(Ident, ExprId, ExprId)> {
        let open = self.builtin()?;
        let ident = self.ident("the name of an element")?;
        self.expect(":", "\":\" and a multiset")?;
        let place = self.expr()?;
        self.expect(",", "\",\" and a condition")?;
        let condition = self.expr()?;
        self.close(")", open, "an operator")?;
        Ok((ident, place, condition))
    }

    /// `(a, b)`.
    pub(super) fn arguments(&mut self) -> Read<Vec<ExprId>> {
        let open = self.advance();
        self.open()?;
        let mut arguments = Vec::new();
        if !self.at(")") {
            loop {
                arguments.push(self.expr()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.close(")", open, "\",\", an operator")?;
        Ok(arguments)
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Read<ExprId> {
        let start = self.advance();
        let opener = if quantifier == Quantifier::Forall {
            "forall"
        } else {
            "exists"
        };
        self.open_block(opener, start)?;
        let binder = self.binder()?;
        self.expect_word(Word::Do)?;
        let body = self.expr()?;
        let end = self.end()?;
        Ok(self.expr_node(
            ExprKind::Quantified(quantifier, Box::new(binder), body),
            start.to(end),
        ))
    }

    /// `x: T` or `x := a to b by s`.
    pub(super) fn binder(&mut self) -> Read<Binder> {
        let ident = self.ident("the name of a variable")?;
        if self.eat(":=") {
            let from = self.expr()?;
            self.expect_word(Word::To)?;
            let to = self.expr()?;
            let by = if self.eat_word(Word::By) {
                Some(self.expr()?)
            } else {
                None
            };
            return Ok(Binder {
                ident,
                over: Over::Range(from, to, by),
            });
        }
        self.expect(":", "\":\" and a type, or \":=\" and bounds")?;
        let ty = self.type_expr()?;
        Ok(Binder {
            ident,
            over: Over::Type(ty),
        })
    }

    /// Names a construct that is not supported, and gives reading up: what follows has a grammar of its own.
    pub(super) fn unsupported(&mut self, word: Word) -> super::Fail {
        let (kind, what) = match word {
            Word::Pctl => (
                &support::PROBABILITY,
                "probabilistic properties (pctl) are not supported",
            ),
            _ => (
                &support::EXTERN,
                "external functions and procedures are not supported",
            ),
        };
        self.problem(kind, self.span(), what.to_string());
        self.stopped = true;
        self.pos = self.tokens.len() - 1;
        super::Fail
    }
}
