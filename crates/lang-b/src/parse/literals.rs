//! Literals: digits to numbers, quotes to strings.

use base::{Diagnostic, Name};
use lang_math::{ExprId, ExprKind, TemplatePart};
use num_bigint::BigInt;

use super::{ANY_OPERATOR, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{self, Tok};

/// The longest integer literal that is read as such: conversion takes quadratic time.
const MAX_DIGITS: usize = 20_000;

/// Replaces escapes by what they stand for; an unknown escape keeps both characters.
pub(super) fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            result.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => result.push('\n'),
            Some('r') => result.push('\r'),
            Some('t') => result.push('\t'),
            Some(quote @ ('"' | '\'' | '\\' | '`')) => result.push(quote),
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    result
}

/// Makes every line end `\n`.
fn with_plain_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

impl Parser<'_> {
    /// Reads a number or a string.
    pub(super) fn literal(&mut self) -> Read<ExprId> {
        let token = self.token_at(0);
        let span = self.span();
        let text = self.text_of(token);
        let kind = match token.tok {
            Tok::Int | Tok::Hex => {
                let (digits, radix) = match text.strip_prefix("0x") {
                    Some(hex) if token.tok == Tok::Hex => (hex, 16),
                    _ => (text, 10),
                };
                if digits.len() > MAX_DIGITS {
                    let message = "this number has too many digits";
                    return Err(self.give_up(Diagnostic::error(&code::TOO_DEEP, span, message)));
                }
                ExprKind::Int(BigInt::parse_bytes(digits.as_bytes(), radix).unwrap_or_default())
            }
            Tok::Real => ExprKind::Real(Name::new(text)),
            Tok::Str => ExprKind::Str(Name::new(&unescape(&text[1..text.len() - 1]))),
            Tok::LongStr => ExprKind::Str(Name::new(&unescape(&with_plain_line_ends(
                &text[3..text.len() - 3],
            )))),
            _ => return self.template(),
        };
        self.advance();
        Ok(self.node(kind, span))
    }

    /// Reads a template string: its values are formulas with places of their own.
    fn template(&mut self) -> Read<ExprId> {
        let token = self.token_at(0);
        let span = self.span();
        let (mut from, end) = (token.start as usize + 3, token.end as usize - 3);
        let mut parts = Vec::new();
        let source = self.text;
        let literal = |parts: &mut Vec<TemplatePart>, text: &str| {
            if !text.is_empty() {
                let text = unescape(&with_plain_line_ends(text));
                parts.push(TemplatePart::Text(Name::new(&text)));
            }
        };
        while let Some(hole) = next_hole(&source[from..end]) {
            literal(&mut parts, &source[from..from + hole.dollar]);
            let options = &source[from + hole.dollar + 1..from + hole.open];
            let options = (!options.is_empty()).then(|| Name::new(options));
            let value = self.embedded(from + hole.open + 1..from + hole.close)?;
            parts.push(TemplatePart::Value(value, options));
            from += hole.close + 1;
        }
        literal(&mut parts, &source[from..end]);
        self.advance();
        Ok(self.node(ExprKind::Template(parts), span))
    }

    /// Reads the formula that fills `range` of the text.
    fn embedded(&mut self, range: std::ops::Range<usize>) -> Read<ExprId> {
        let tokens = lex::tokens(self.file, self.text, range, &mut self.diagnostics);
        let tokens = std::mem::replace(&mut self.tokens, tokens);
        let pos = std::mem::replace(&mut self.pos, 0);
        let last_error = self.last_error.take();
        let value = self.formula(ANY_OPERATOR).and_then(|value| {
            self.need_expression(value);
            self.expect(Tok::Eof, "an operator or \"}\"")?;
            Ok(value)
        });
        self.tokens = tokens;
        self.pos = pos;
        self.last_error = last_error;
        if self.stopped {
            self.pos = self.tokens.len() - 1;
        }
        value
    }
}

/// `$options{value}`: offsets of `$`, `{` and `}`.
struct Hole {
    dollar: usize,
    open: usize,
    close: usize,
}

/// The first hole of a template.
fn next_hole(text: &str) -> Option<Hole> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'$' => {
                let open = bytes[at + 1..]
                    .iter()
                    .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'.' | b',' | b'_')))
                    .map(|length| at + 1 + length)
                    .filter(|open| bytes[*open] == b'{');
                match open {
                    Some(open) => {
                        return Some(Hole {
                            dollar: at,
                            open,
                            close: open + matching_brace(&bytes[open..])?,
                        });
                    }
                    None => at += 1,
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// The offset of the brace that closes the one at the start; braces in strings do not count.
fn matching_brace(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
