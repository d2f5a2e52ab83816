//! Superscripts, subscripts and strokes: what stands above, below and behind a word.

use base::Name;

use super::{Lexer, group_end, tokens};
use crate::lex::Dialect;
use crate::lex::token::{Key, Tok, Token};

impl Lexer<'_> {
    /// Strokes and subscripts that hang on a word.
    pub(super) fn strokes(&mut self, word: &mut String) {
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                Some(c @ ('\'' | '?' | '!')) => {
                    word.push(c);
                    self.at += 1;
                }
                Some('_') => {
                    let (text, length) = script(&rest[1..]);
                    if text.is_empty() || !text.chars().all(char::is_alphanumeric) {
                        return;
                    }
                    word.push('_');
                    word.push_str(text);
                    self.at += 1 + length;
                }
                _ => return,
            }
        }
    }

    pub(super) fn stroke(&mut self, stroke: Name, start: usize) {
        // fuzz has no decoration of expressions: a stroke belongs to the word before it.
        if self.dialect == Dialect::Fuzz
            && let Some(Token {
                tok: Tok::Word(word),
                span,
            }) = self.out.last_mut()
        {
            *word = Name::new(&format!("{word}{stroke}"));
            span.end = (self.offset + self.at) as u32;
            return;
        }
        self.push(Tok::Stroke(stroke), start);
    }

    pub(super) fn superscript(&mut self, start: usize) {
        let (text, length) = script(&self.text[self.at + 1..]);
        let text = text.trim();
        let postfix = match text {
            "\\sim" | "\\inv" | "{\\sim}" => Some("∼"),
            "+" | "\\plus" => Some("⁺"),
            "*" | "\\star" => Some("⋆"),
            _ => None,
        };
        if let Some(postfix) = postfix {
            self.at += 1 + length;
            self.push(Tok::Word(Name::new(postfix)), start);
            return;
        }
        let braced = self.rest()[1..].starts_with('{');
        self.at += 1;
        self.push(Tok::Key(Key::BSup), start);
        if text.is_empty() {
            return;
        }
        let inside = self.at + usize::from(braced);
        let closed = !braced || self.rest()[..length].ends_with('}');
        let end = if braced && closed {
            self.at + length - 1
        } else {
            self.at + length
        };
        let inner = tokens(
            &self.text[inside..end],
            self.file,
            self.offset + inside,
            self.dialect,
            self.ops,
        );
        self.out.extend(inner);
        self.at += length;
        if closed {
            let at = self.at;
            self.push(Tok::Key(Key::ESup), at);
        }
    }

    pub(super) fn subscript(&mut self, start: usize) {
        let (text, length) = script(&self.text[self.at + 1..]);
        if text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty() {
            let stroke = Name::new(&format!("_{text}"));
            self.at += 1 + length;
            self.stroke(stroke, start);
        } else {
            self.at += 1;
            self.push(Tok::Key(Key::Underscore), start);
        }
    }
}

/// The length of `_1` or `_{1}`.
pub(super) fn one_below(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('_')?;
    let (text, length) = script(after);
    (text == "1").then_some(1 + length)
}

/// A subscript or superscript: a character, a command or a group; its text and length.
fn script(text: &str) -> (&str, usize) {
    match text.chars().next() {
        Some('{') => {
            let length = group_end(text);
            let end = if text[..length].ends_with('}') {
                length - 1
            } else {
                length
            };
            (text[1..end.max(1)].trim(), length)
        }
        Some('\\') => {
            let letters = text[1..]
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(text.len() - 1);
            let length = (1 + letters.max(1)).min(text.len());
            match text.is_char_boundary(length) {
                true => (&text[..length], length),
                false => ("", 0),
            }
        }
        Some(c) if !c.is_whitespace() => (&text[..c.len_utf8()], c.len_utf8()),
        _ => ("", 0),
    }
}
