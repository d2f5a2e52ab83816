//! Cuts formulas into tokens: Unicode as Rodin stores it, or the ASCII combinations that its keyboard takes.

use base::{FileId, Name, Span};
use lang_math::Op;
use num_bigint::BigInt;

use super::symbols::{CONSTANTS, FUNCTIONS, INFIX};

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// An identifier, possibly with a prime.
    Name(Name),
    /// A variable before a step: `x$0`.
    Before(Name),
    /// Digits.
    Int(BigInt),
    /// An infix operator.
    Infix(Op),
    /// A word before an argument in parentheses.
    Function(Op),
    /// A word or symbol for itself.
    Constant(Op),
    /// Everything else, by its ASCII spelling.
    Mark(&'static str),
    /// A character that starts nothing.
    Strange(char),
    /// The end.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The token.
    pub token: Token,
    /// Where it stands.
    pub span: Span,
    /// Whether nothing stands between it and the token before.
    pub is_joined: bool,
}

/// Marks: spelling in the text, name in the parser.
const MARKS: &[(&str, &str)] = &[
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    ("·", "."),
    (".", "."),
    ("∣", "|"),
    ("|", "|"),
    ("∀", "!"),
    ("!", "!"),
    ("∃", "#"),
    ("#", "#"),
    ("λ", "%"),
    ("%", "%"),
    ("⋃", "UNION"),
    ("UNION", "UNION"),
    ("⋂", "INTER"),
    ("INTER", "INTER"),
    ("¬", "not"),
    ("not", "not"),
    ("∼", "~"),
    ("~", "~"),
    ("≔", ":="),
    (":=", ":="),
    (":∈", "::"),
    ("::", "::"),
    (":∣", ":|"),
    (":|", ":|"),
    ("bool", "bool"),
];

/// Spellings that some tools write instead.
const VARIANTS: &[(&str, Op)] = &[
    ("⟼", Op::Maplet),
    ("⩲", Op::Overwrite),
    ("⊕", Op::Overwrite),
    ("⋅", Op::Times),
    ("¥", Op::SetMinus),
];

/// The tokens of a part of a file, ended by [`Token::End`].
pub fn tokens(file: FileId, text: &str, start: usize, end: usize) -> Vec<Placed> {
    let mut found = Vec::new();
    let mut at = start;
    let mut last = start;
    while let Some(c) = text.get(at..end).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..end];
        if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        }
        if let Some(length) = comment(rest) {
            at += length;
            continue;
        }
        let (token, length) = token(rest, c);
        found.push(Placed {
            token,
            span: Span::new(file, at as u32, (at + length) as u32),
            is_joined: at == last,
        });
        at += length;
        last = at;
    }
    found.push(Placed {
        token: Token::End,
        span: Span::new(file, last as u32, last as u32),
        is_joined: true,
    });
    found
}

/// The length of a comment.
fn comment(rest: &str) -> Option<usize> {
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    let body = rest.strip_prefix("/*")?;
    Some(body.find("*/").map_or(rest.len(), |at| at + 4))
}

fn token(rest: &str, c: char) -> (Token, usize) {
    if c.is_ascii_digit() {
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let value = rest[..end].parse().unwrap_or_default();
        return (Token::Int(value), end);
    }
    if is_letter(c) {
        let mut end = rest
            .find(|c: char| !(is_letter(c) || c.is_alphanumeric() && c != 'λ'))
            .unwrap_or(rest.len());
        if let Some(token) = word(&rest[..end]) {
            return (token, end);
        }
        if rest[end..].starts_with("$0") {
            return (Token::Before(Name::new(&rest[..end])), end + 2);
        }
        if rest[end..].starts_with('\'') {
            end += 1;
        }
        return (Token::Name(Name::new(&rest[..end])), end);
    }
    symbol(rest).unwrap_or((Token::Strange(c), c.len_utf8()))
}

fn is_letter(c: char) -> bool {
    (c.is_alphabetic() && !matches!(c, 'λ' | 'ℕ' | 'ℤ' | 'ℙ' | 'ℝ' | '𝔹')) || c == '_'
}

/// What a word stands for, unless it is a name.
fn word(word: &str) -> Option<Token> {
    let spelled = |unicode: &str, ascii: &str| unicode == word || ascii == word;
    if let Some(infix) = INFIX.iter().find(|op| spelled(op.unicode, op.ascii)) {
        return Some(Token::Infix(infix.op));
    }
    if let Some((op, ..)) = FUNCTIONS.iter().find(|entry| spelled(entry.1, entry.2)) {
        return Some(Token::Function(*op));
    }
    if let Some((op, ..)) = CONSTANTS.iter().find(|entry| spelled(entry.1, entry.2)) {
        return Some(Token::Constant(*op));
    }
    let mark = MARKS.iter().find(|(spelling, _)| *spelling == word)?;
    Some(Token::Mark(mark.1))
}

/// The longest symbol at the beginning of a text.
fn symbol(rest: &str) -> Option<(Token, usize)> {
    let mut best: Option<(Token, usize)> = None;
    let mut offer = |spelling: &str, token: Token| {
        let is_symbol = spelling.chars().next().is_some_and(|c| !is_letter(c));
        let longer = best
            .as_ref()
            .is_none_or(|(_, known)| spelling.len() > *known);
        if is_symbol && longer && spelling != "{}" && rest.starts_with(spelling) {
            best = Some((token, spelling.len()));
        }
    };
    for infix in INFIX {
        offer(infix.unicode, Token::Infix(infix.op));
        offer(infix.ascii, Token::Infix(infix.op));
    }
    for (op, unicode, ascii) in FUNCTIONS {
        offer(unicode, Token::Function(*op));
        offer(ascii, Token::Function(*op));
    }
    for (op, unicode, ascii) in CONSTANTS {
        offer(unicode, Token::Constant(*op));
        offer(ascii, Token::Constant(*op));
    }
    for (spelling, mark) in MARKS {
        offer(spelling, Token::Mark(mark));
    }
    for (spelling, op) in VARIANTS {
        offer(spelling, Token::Infix(*op));
    }
    best
}

impl Token {
    /// How a message calls it.
    pub fn describe(&self) -> String {
        match self {
            Token::Name(name) => format!("`{name}`"),
            Token::Before(name) => format!("`{name}$0`"),
            Token::Int(value) => format!("`{value}`"),
            Token::Infix(op) => match super::symbols::infix(*op) {
                Some(infix) => format!("`{}`", infix.unicode),
                None => format!("{op:?}"),
            },
            Token::Function(op) | Token::Constant(op) => {
                let entry = FUNCTIONS
                    .iter()
                    .chain(CONSTANTS)
                    .find(|entry| entry.0 == *op);
                format!("`{}`", entry.map_or("?", |entry| entry.1))
            }
            Token::Mark(mark) => {
                let spelled = MARKS.iter().find(|(_, known)| known == mark);
                format!("`{}`", spelled.map_or(*mark, |(spelling, _)| spelling))
            }
            Token::Strange(c) => format!("`{c}`"),
            Token::End => "the end".to_owned(),
        }
    }
}
