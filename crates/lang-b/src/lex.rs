//! Cuts a text into tokens, so that the parser never looks at characters.
//!
//! Longest match over the ASCII and Unicode spellings of the operator table; a word is a keyword only as a
//! whole. Comments vanish, known pragmas are tokens, unknown pragmas are comments.
//! Differs from a generated lexer: the operator spellings come from [`lang_math::Op`], where a new operator
//! is one line, and an unreadable place needs its own diagnostic.
//! Invariant: what cannot be read is reported here, once, and stands in the list as `Tok::Bad`; the parser
//! fails on such a token without saying more. Invariant: the list ends with exactly one `Tok::Eof`.

mod pragma;
mod symbols;

use base::{Diagnostic, Diagnostics, FileId, Span};
use lang_math::{Binder, Op};

use crate::codes::syntax as code;
use pragma::malformed;
pub(crate) use pragma::{Pragma, pragma_parts};
use symbols::{KEYWORDS, Symbols, TABLE};
pub(crate) use symbols::{Word, tree_function};

/// The reserved words that are no operators, sorted.
pub fn words() -> Vec<&'static str> {
    let structural = KEYWORDS
        .iter()
        .filter(|(_, tok)| !matches!(tok, Tok::Op(_)));
    let mut words: Vec<&'static str> = structural.map(|(text, _)| *text).collect();
    words.sort_unstable();
    words
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    /// The end of the text.
    Eof,
    /// Something that was reported already.
    Bad,
    /// A name.
    Ident,
    /// A name in back quotes.
    Quoted,
    /// Decimal digits.
    Int,
    /// `0x1F`
    Hex,
    /// `1.5`, `2.0e-3`
    Real,
    /// `"…"`
    Str,
    /// `'''…'''`
    LongStr,
    /// ```` ```…``` ````
    Template,
    /// A symbol or reserved word of the operator table.
    Op(Op),
    /// An operator with its operands in the other order: `∋`.
    Swapped(Op),
    /// `!`, `%`, `SIGMA`, …
    Binder(Binder),
    /// A reserved word of the structure.
    Word(Word),
    /// A pragma.
    Pragma(Pragma),
    /// `∅`
    EmptySet,
    /// `<>`
    EmptySequence,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `||`
    Parallel,
    /// `.`
    Dot,
    /// `·`
    CenterDot,
    /// `|`
    Bar,
    /// `'`
    Prime,
    /// `:=`
    Assign,
    /// `::`
    BecomesElement,
    /// `<--`
    Results,
    /// `==`
    DefinedAs,
    /// `$0`
    DollarZero,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) tok: Tok,
    /// The first byte.
    pub(crate) start: u32,
    /// The byte after the last.
    pub(crate) end: u32,
}

/// The tokens of `text[from..to]`; what cannot be read goes to `diagnostics`.
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    range: std::ops::Range<usize>,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text: &text[..range.end],
        pos: range.start,
        tokens: Vec::with_capacity(range.len() / 4 + 1),
        diagnostics,
        symbols: &TABLE,
    };
    lexer.run();
    lexer.tokens
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    pos: usize,
    tokens: Vec<Token>,
    diagnostics: &'t mut Diagnostics,
    symbols: &'static Symbols,
}

/// A blank of the language.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\r' | '\u{c}' | '\u{a0}' | '\u{2028}' | '\u{2029}'
    )
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() && c != 'λ'
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && c.is_alphabetic())
}

fn is_subscript(c: char) -> bool {
    ('\u{2080}'..='\u{2089}').contains(&c)
}

fn is_prime(c: char) -> bool {
    matches!(c, '\u{2032}' | '\u{2018}' | '\u{2019}')
}

impl<'t> Lexer<'t> {
    fn run(&mut self) {
        if self.pos == 0 {
            if self.text.starts_with('\u{feff}') {
                self.pos = '\u{feff}'.len_utf8();
            }
            if self.rest().starts_with("#!") {
                self.pos += line_length(self.rest());
            }
        }
        while let Some(c) = self.rest().chars().next() {
            if is_blank(c) {
                self.pos += c.len_utf8();
            } else if c.is_ascii_alphabetic() {
                self.word();
            } else if c.is_ascii_digit() {
                self.number();
            } else {
                self.other(c);
            }
        }
        let end = self.text.len();
        self.push(Tok::Eof, end, end);
    }

    fn rest(&self) -> &'t str {
        &self.text[self.pos..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, tok: Tok, start: usize, end: usize) {
        self.tokens.push(Token {
            tok,
            start: start as u32,
            end: end as u32,
        });
    }

    /// Adds a token of `length` bytes and goes on after it.
    fn take(&mut self, tok: Tok, length: usize) {
        self.push(tok, self.pos, self.pos + length);
        self.pos += length;
    }

    /// Reports `length` unreadable bytes and goes on after them.
    fn bad(&mut self, length: usize, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
        self.take(Tok::Bad, length);
    }

    fn word(&mut self) {
        let rest = self.rest();
        let mut chars = rest.char_indices().peekable();
        while chars.next_if(|(_, c)| continues_name(*c)).is_some() {}
        while chars.next_if(|(_, c)| is_subscript(*c)).is_some() {}
        while chars.next_if(|(_, c)| is_prime(*c)).is_some() {}
        let length = chars.peek().map_or(rest.len(), |(at, _)| *at);
        let tok = KEYWORDS.get(&rest[..length]).copied().unwrap_or(Tok::Ident);
        self.take(tok, length);
    }

    fn number(&mut self) {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| {
            bytes[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
        };
        if bytes[0] == b'0' && bytes.get(1) == Some(&b'x') {
            let length = bytes[2..]
                .iter()
                .take_while(|b| b.is_ascii_hexdigit())
                .count();
            if length > 0 {
                return self.take(Tok::Hex, length + 2);
            }
        }
        let mut length = digits(0);
        let mut tok = Tok::Int;
        if bytes.get(length) == Some(&b'.') {
            let fraction = digits(length + 1);
            if fraction > 0 {
                tok = Tok::Real;
                length += 1 + fraction;
                if matches!(bytes.get(length), Some(b'e' | b'E')) {
                    let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
                    let exponent = digits(length + 1 + sign);
                    if exponent > 0 {
                        length += 1 + sign + exponent;
                    }
                }
            }
        }
        self.take(tok, length);
    }

    fn other(&mut self, c: char) {
        let rest = self.rest();
        if rest.starts_with("//") {
            self.pos += line_length(rest);
        } else if rest.starts_with("/*") {
            self.comment();
        } else if c == '"' {
            self.string();
        } else if rest.starts_with("'''") {
            self.enclosed(Tok::LongStr, "'''", "string");
        } else if rest.starts_with("```") {
            self.enclosed(Tok::Template, "```", "template string");
        } else if c == '`' {
            self.quoted_name();
        } else if let Some(length) = empty_sequence(rest) {
            self.take(Tok::EmptySequence, length);
        } else if let Some((tok, length)) = self.symbols.longest(rest) {
            self.take(tok, length);
        } else if starts_name(c) {
            self.word();
        } else {
            self.unreadable(c);
        }
    }

    fn comment(&mut self) {
        let rest = self.rest();
        let Some(inner) = rest[2..].find("*/") else {
            let span = self.span(self.pos, self.pos + 2);
            return self.bad(
                rest.len(),
                Diagnostic::error(
                    &code::UNTERMINATED_COMMENT,
                    span,
                    "this comment is never closed",
                )
                .help("close it with \"*/\""),
            );
        };
        let length = inner + 4;
        match pragma_parts(&rest[..length]) {
            Some((pragma, content)) => {
                if let Some(help) = malformed(pragma, content) {
                    let span = self.span(self.pos, self.pos + length);
                    let message = "this pragma is malformed";
                    self.diagnostics
                        .push(Diagnostic::error(&code::MALFORMED_PRAGMA, span, message).help(help));
                }
                self.take(Tok::Pragma(pragma), length);
            }
            None => self.pos += length,
        }
    }

    fn string(&mut self) {
        let rest = self.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' | '\r' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => return self.take(Tok::Str, at + 1),
                _ => {}
            }
        }
        let span = self.span(self.pos, self.pos + 1);
        self.bad(
            line_length(rest),
            Diagnostic::error(
                &code::UNTERMINATED_STRING,
                span,
                "this string is not closed on its line",
            )
            .help("close it with '\"'; a string of several lines stands between ''' and '''"),
        );
    }

    fn enclosed(&mut self, tok: Tok, fence: &str, what: &str) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut at = fence.len();
        while at < bytes.len() {
            if bytes[at] == b'\\' {
                at += 2;
            } else if bytes[at..].starts_with(fence.as_bytes()) {
                return self.take(tok, at + fence.len());
            } else {
                at += 1;
            }
        }
        let span = self.span(self.pos, self.pos + fence.len());
        self.bad(
            rest.len(),
            Diagnostic::error(
                &code::UNTERMINATED_STRING,
                span,
                format!("this {what} is never closed"),
            )
            .help(format!("close it with {fence}")),
        );
    }

    fn quoted_name(&mut self) {
        let rest = self.rest();
        let line = line_length(rest);
        match rest[1..line].find('`') {
            Some(length) if length > 0 => self.take(Tok::Quoted, length + 2),
            Some(_) => {
                let span = self.span(self.pos, self.pos + 2);
                self.bad(
                    2,
                    Diagnostic::error(&code::BAD_CHARACTER, span, "empty name in back quotes"),
                );
            }
            None => {
                let span = self.span(self.pos, self.pos + 1);
                self.bad(
                    line,
                    Diagnostic::error(
                        &code::UNTERMINATED_STRING,
                        span,
                        "this name in back quotes is not closed on its line",
                    ),
                );
            }
        }
    }

    /// Reports a run of characters that begin no token.
    fn unreadable(&mut self, first: char) {
        let rest = self.rest();
        let length = rest
            .find(|c: char| c != first && !(first.is_control() && c.is_control()))
            .unwrap_or(rest.len());
        let span = self.span(self.pos, self.pos + length);
        let told = |known: &Diagnostic| *known.code == code::INVALID_UTF8;
        if first == '\u{fffd}' && self.diagnostics.iter().any(told) {
            // A file in another encoding is one mistake, however many characters show it.
            return self.take(Tok::Bad, length);
        }
        let diagnostic = match (first, symbols::unusable(first)) {
            ('\u{fffd}', _) => Diagnostic::error(&code::INVALID_UTF8, span, "invalid UTF-8 here")
                .help("save the file in UTF-8, or write the character in ASCII"),
            (_, Some(help)) => Diagnostic::error(
                &code::UNUSABLE_SYMBOL,
                span,
                format!("\"{first}\" is no symbol of B"),
            )
            .help(help),
            ('_', _) => {
                Diagnostic::error(&code::BAD_CHARACTER, span, "a name cannot start with \"_\"")
                    .help("start it with a letter, or put the whole name in back quotes")
            }
            ('$', _) => Diagnostic::error(
                &code::BAD_CHARACTER,
                span,
                "\"$\" can only stand in \"name$0\", the value before",
            ),
            _ if first.is_control() => Diagnostic::error(
                &code::BAD_CHARACTER,
                span,
                format!(
                    "control character U+{:04X}: is this a text file?",
                    first as u32
                ),
            ),
            _ => Diagnostic::error(
                &code::BAD_CHARACTER,
                span,
                format!("\"{first}\" is no symbol of B"),
            ),
        };
        self.bad(length, diagnostic);
    }
}

/// The length of the rest of the line, without its end.
fn line_length(rest: &str) -> usize {
    rest.find(['\n', '\r', '\u{2028}', '\u{2029}'])
        .unwrap_or(rest.len())
}

/// The length of `<>`, where blanks may stand inside.
fn empty_sequence(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('<')?;
    let after = inner.trim_start_matches(is_blank);
    after.starts_with('>').then(|| rest.len() - after.len() + 1)
}

#[cfg(test)]
mod tests;
