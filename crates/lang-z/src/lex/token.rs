//! Tokens: what all notations of Z have in common.

use base::{Name, Span};
use num_bigint::BigInt;

/// A reserved symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the spellings stand in `symbols.rs`")]
pub enum Key {
    Where,
    Bar,
    Spot,
    Defs,
    EqEq,
    FreeEq,
    Colon,
    Semicolon,
    Comma,
    Dot,
    Slash,
    Amp,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    LAngle,
    RAngle,
    LBag,
    RBag,
    LData,
    RData,
    LImage,
    RImage,
    LBind,
    RBind,
    BindTo,
    BSup,
    ESup,
    Underscore,
    ListArgument,
    Conjecture,
    Equals,
    In,
    And,
    Or,
    Implies,
    Iff,
    Not,
    Forall,
    Exists,
    ExistsOne,
    Lambda,
    Mu,
    Theta,
    Let,
    If,
    Then,
    Else,
    True,
    False,
    Pre,
    Hide,
    Project,
    Semi,
    Pipe,
    Power,
    Cross,
    Section,
    Parents,
    Function,
    Relation,
    Generic,
    LeftAssoc,
    RightAssoc,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    /// A name or operator in its canonical spelling, with its strokes.
    Word(Name),
    /// A number.
    Number(BigInt),
    /// A reserved symbol.
    Key(Key),
    /// A decoration that stands apart from a name: `'`, `?`, `!`, `_1`.
    Stroke(Name),
    /// `\inrel{r}`, or an underlined name: a relation between its neighbours.
    InRel(Name),
    /// A line break that separates.
    Newline,
    /// A character that is no part of the notation.
    Bad(Name),
    /// The end of the paragraph.
    End,
}

/// A token and its place.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub tok: Tok,
    /// Where it stands.
    pub span: Span,
}

/// The strokes at the end of a name: `x'`, `y?`, `s_1` are `x`, `y`, `s` with one each.
pub fn split_strokes(name: &str) -> (&str, &str) {
    let mut end = name.len();
    loop {
        let rest = &name[..end];
        let cut = match rest.chars().next_back() {
            Some('\'' | '?' | '!') => end - 1,
            Some(c) if c.is_ascii_digit() => {
                let digits = rest.trim_end_matches(|c: char| c.is_ascii_digit());
                match digits.strip_suffix('_') {
                    Some(base) => base.len(),
                    None => break,
                }
            }
            _ => break,
        };
        if cut == 0 {
            break;
        }
        end = cut;
    }
    name.split_at(end)
}

/// How many strokes a name has.
pub(super) fn strokes(name: &str) -> usize {
    let (_, strokes) = split_strokes(name);
    let is_mark = |c: &char| matches!(c, '\'' | '?' | '!' | '_');
    strokes.chars().filter(is_mark).count()
}

/// The last stroke of a name, and the name without it.
pub fn pop_stroke(name: &str) -> Option<(&str, &str)> {
    let (base, strokes) = split_strokes(name);
    if strokes.is_empty() {
        return None;
    }
    let last = match strokes.chars().next_back()? {
        '\'' | '?' | '!' => 1,
        _ => strokes.len() - strokes.rfind('_')?,
    };
    Some(name.split_at(base.len() + strokes.len() - last))
}
