//! From a text to paragraphs of tokens: the only part that knows notations.
//!
//! LaTeX as fuzz reads it and as the standard has it (`latex.rs`), the Unicode markup of the standard (`unicode.rs`)
//! and its e-mail markup (`email.rs`) become the same tokens; later stages see one language.
//! Invariant: every byte of a paragraph belongs to a token, to layout, or to a token [`Tok::Bad`].

pub(crate) mod email;
mod latex;
mod newline;
pub(crate) mod symbols;
pub mod token;
mod unicode;

use base::{Diagnostics, FileId, Name, Span};
use lang_math::Place;
use rustc_hash::FxHashMap;

pub use token::{Key, Tok, Token};

use crate::ops::Ops;

/// The notation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// LaTeX, with the rules of the Z Reference Manual.
    Fuzz,
    /// LaTeX, with the rules of ISO 13568.
    Iso,
    /// The Unicode markup of ISO 13568.
    Unicode,
    /// The e-mail markup of ISO 13568.
    Email,
}

impl Dialect {
    /// Whether the rules of the standard hold: `==` defines schemas, schema operators bind tighter than connectives.
    pub fn is_iso(self) -> bool {
        self != Dialect::Fuzz
    }

    /// The dialect of a text: told by what stands in it, not by the name of its file.
    pub fn of(text: &str) -> Dialect {
        let starts = |c: char| text.lines().any(|line| line.trim_start().starts_with(c));
        if ['─', '┌', '╷'].into_iter().any(starts) {
            Dialect::Unicode
        } else if !text.contains("\\begin{") && email::is_used(text) {
            Dialect::Email
        } else if text.contains("\\begin{zsection}") || text.contains("\\SECTION") {
            Dialect::Iso
        } else {
            Dialect::Fuzz
        }
    }
}

/// How symbols are spelled: in LaTeX and in Unicode.
pub fn spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let symbols = symbols::SYMBOLS.iter();
    let symbols = symbols.map(|symbol| (symbol.latex, symbol.unicode));
    symbols.chain(symbols::GREEK.iter().copied())
}

/// The form of a paragraph in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// A section header.
    Section,
    /// Unboxed paragraphs.
    Zed,
    /// An axiomatic box.
    Axiom,
    /// A generic box.
    Generic,
    /// A schema box.
    Schema,
    /// A conjecture.
    Theorem,
}

/// A paragraph as it stands in the text.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Its form.
    pub frame: Frame,
    /// Name and parameters of a box.
    pub header: Vec<Token>,
    /// What stands inside.
    pub body: Vec<Token>,
    /// All of it.
    pub span: Span,
}

/// The paragraphs of a text and the operators it declares by directives.
#[derive(Clone, Debug)]
pub struct Document {
    /// The notation.
    pub dialect: Dialect,
    /// The paragraphs, in order.
    pub chunks: Vec<Chunk>,
}

/// What commands of the text mean: `%%Zword \cmd name` and its kin.
pub(crate) type Commands = FxHashMap<Name, Name>;

/// Splits a text into paragraphs of tokens.
pub fn document(
    text: &str,
    file: FileId,
    ops: &mut Ops,
    diagnostics: &mut Diagnostics,
) -> Document {
    let dialect = Dialect::of(text);
    let chunks = match dialect {
        Dialect::Fuzz | Dialect::Iso => latex::chunks(text, file, dialect, ops, diagnostics),
        Dialect::Unicode => unicode::chunks(text, file, diagnostics),
        Dialect::Email => email::chunks(text, file, diagnostics),
    };
    Document { dialect, chunks }
}

/// The tokens of a formula.
pub fn formula(place: Place<'_>, dialect: Dialect, ops: &Ops) -> Vec<Token> {
    let text = &place.text[place.start..place.end];
    let mut tokens = match dialect {
        Dialect::Fuzz | Dialect::Iso => latex::tokens(text, place.file, place.start, dialect, ops),
        Dialect::Unicode => unicode::tokens(text, place.file, place.start),
        Dialect::Email => email::tokens(text, place.file, place.start),
    };
    newline::settle(&mut tokens, ops);
    finish(&mut tokens, place.file, place.end);
    tokens
}

/// The most strokes of a name: with each of them a schema gets new names for all its components.
const MAX_STROKES: usize = 64;

/// Ends a list of tokens; what has too many strokes is none.
fn finish(tokens: &mut Vec<Token>, file: FileId, end: usize) {
    let mut strokes = 0;
    for token in tokens.iter_mut() {
        let (name, own) = match &token.tok {
            Tok::Word(name) => (*name, token::strokes(name.as_str())),
            Tok::Stroke(name) => (*name, strokes + 1),
            _ => {
                strokes = 0;
                continue;
            }
        };
        strokes = own;
        if strokes > MAX_STROKES {
            let shown: String = name.as_str().chars().take(MAX_STROKES).collect();
            token.tok = Tok::Bad(Name::new(&shown));
        }
    }
    while matches!(tokens.last().map(|t| &t.tok), Some(Tok::Newline)) {
        tokens.pop();
    }
    let at = end as u32;
    tokens.push(Token {
        tok: Tok::End,
        span: Span::new(file, at, at),
    });
}

/// Removes line breaks that do not separate, once all operators are known.
pub(crate) fn settle(document: &mut Document, ops: &Ops) {
    for chunk in &mut document.chunks {
        newline::settle(&mut chunk.body, ops);
    }
}
