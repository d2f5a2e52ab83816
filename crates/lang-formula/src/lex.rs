//! Takes the text of a formula apart.
//!
//! Keywords are case-sensitive and need no blanks between them (`GF{p}` is `G F {p}`): at every place the longest
//! spelling counts. What stands in `{…}`, in `[…]` and between the brackets of `e(…)` and its like is one token: its
//! end is found by counting brackets, not by reading it.

use base::{Diagnostic, Span};

use crate::codes;
use crate::syntax::{Binary, Change, Logic, Place, Quantifier, Text, Unary};

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// `true`, `false`
    Constant(bool),
    /// A prefix operator.
    Unary(Unary),
    /// An infix operator.
    Binary(Binary),
    /// `E` of CTL.
    Some,
    /// `A` of CTL.
    All,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{…}`
    Braces(Text),
    /// `[…]`
    Brackets(Text),
    /// A word with what stands in the brackets behind it.
    Call(Word, Option<Text>),
    /// `#x.`, `!x.`
    Quantifier(Quantifier, Text),
}

/// A word that stands for an atom or an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Enabled,
    Available,
    Deadlock,
    Deterministic,
    Controller,
    Sink,
    Goal,
    DetOutput,
    Error,
    Current,
    Change(Change),
    BeforeAfter,
    WeaklyFair,
    StronglyFair,
    EveryWeak,
    EveryStrong,
}

/// Whether a word has brackets behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    Never,
    Maybe,
    Always,
}

/// A spelling of a keyword.
#[derive(Clone, Copy)]
enum Keyword {
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    Word(Word, Brackets),
    Some,
    All,
}

use Keyword::{Binary as B, Constant as C, Unary as U, Word as W};

const BOTH: &[(&str, Keyword)] = &[
    ("true", C(true)),
    ("false", C(false)),
    ("not", U(Unary::Not)),
    ("¬", U(Unary::Not)),
    ("&&", B(Binary::And)),
    ("&", B(Binary::And)),
    ("and", B(Binary::And)),
    ("∧", B(Binary::And)),
    ("or", B(Binary::Or)),
    ("||", B(Binary::Or)),
    ("∨", B(Binary::Or)),
    ("=>", B(Binary::Implies)),
    ("->", B(Binary::Implies)),
    ("implies", B(Binary::Implies)),
    ("⇒", B(Binary::Implies)),
    ("G", U(Unary::Globally)),
    ("F", U(Unary::Finally)),
    ("X", U(Unary::Next)),
    ("U", B(Binary::Until)),
    ("e", W(Word::Enabled, Brackets::Always)),
    ("enabled", W(Word::Enabled, Brackets::Always)),
    ("deadlock", W(Word::Deadlock, Brackets::Maybe)),
    ("deterministic", W(Word::Deterministic, Brackets::Always)),
    ("controller", W(Word::Controller, Brackets::Always)),
    ("sink", W(Word::Sink, Brackets::Never)),
    ("goal", W(Word::Goal, Brackets::Never)),
    ("det_output", W(Word::DetOutput, Brackets::Never)),
    ("error", W(Word::Error, Brackets::Never)),
    ("current", W(Word::Current, Brackets::Never)),
];

const ONLY_LTL: &[(&str, Keyword)] = &[
    ("<=>", B(Binary::Iff)),
    ("<->", B(Binary::Iff)),
    ("equivalent", B(Binary::Iff)),
    ("⇔", B(Binary::Iff)),
    ("globally", U(Unary::Globally)),
    ("always", U(Unary::Globally)),
    ("□", U(Unary::Globally)),
    ("finally", U(Unary::Finally)),
    ("eventually", U(Unary::Finally)),
    ("<>", U(Unary::Finally)),
    ("⋄", U(Unary::Finally)),
    ("◇", U(Unary::Finally)),
    ("next", U(Unary::Next)),
    ("until", B(Binary::Until)),
    ("stronguntil", B(Binary::Until)),
    ("W", B(Binary::WeakUntil)),
    ("weakuntil", B(Binary::WeakUntil)),
    ("R", B(Binary::Release)),
    ("release", B(Binary::Release)),
    ("H", U(Unary::Historically)),
    ("historically", U(Unary::Historically)),
    ("O", U(Unary::Once)),
    ("once", U(Unary::Once)),
    ("Y", U(Unary::Yesterday)),
    ("yesterday", U(Unary::Yesterday)),
    ("S", B(Binary::Since)),
    ("since", B(Binary::Since)),
    ("T", B(Binary::Trigger)),
    ("trigger", B(Binary::Trigger)),
    ("Av", W(Word::Available, Brackets::Always)),
    ("available", W(Word::Available, Brackets::Always)),
    (
        "unchanged",
        W(Word::Change(Change::Unchanged), Brackets::Always),
    ),
    (
        "UNCHANGED",
        W(Word::Change(Change::Unchanged), Brackets::Always),
    ),
    (
        "changed",
        W(Word::Change(Change::Changed), Brackets::Always),
    ),
    (
        "increasing",
        W(Word::Change(Change::Increasing), Brackets::Always),
    ),
    (
        "decreasing",
        W(Word::Change(Change::Decreasing), Brackets::Always),
    ),
    ("before_after", W(Word::BeforeAfter, Brackets::Always)),
    ("BA", W(Word::BeforeAfter, Brackets::Always)),
    ("WF", W(Word::WeaklyFair, Brackets::Always)),
    ("wf", W(Word::WeaklyFair, Brackets::Always)),
    ("SF", W(Word::StronglyFair, Brackets::Always)),
    ("sf", W(Word::StronglyFair, Brackets::Always)),
    ("WEF", W(Word::EveryWeak, Brackets::Never)),
    ("SEF", W(Word::EveryStrong, Brackets::Never)),
];

const ONLY_CTL: &[(&str, Keyword)] = &[("E", Keyword::Some), ("A", Keyword::All)];

/// What people try, and what to write.
const FOREIGN: &[(&str, &str)] = &[
    ("~>", "write G (a => F b)"),
    ("|", "write or"),
    ("V", "write R for release"),
    ("M", "write a U (a & b)"),
    (
        "non_det",
        "write not deterministic(Op,…) with the names of the operations",
    ),
];

pub(crate) struct Lexed {
    pub(crate) tokens: Vec<(Token, Span)>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The empty place behind the text.
    pub(crate) end: Span,
}

/// The tokens of a text, or the first thing that is none.
pub(crate) fn lex(logic: Logic, text: &str, place: Place) -> Result<Lexed, Box<Diagnostic>> {
    let mut lexer = Lexer {
        logic,
        text,
        place,
        at: 0,
    };
    let mut tokens = Vec::new();
    let mut warnings = Vec::new();
    loop {
        lexer.blanks();
        let start = lexer.at;
        let Some(token) = lexer.token(&mut warnings)? else {
            break;
        };
        tokens.push((token, lexer.span(start, lexer.at)));
    }
    let end = lexer.span(text.len(), text.len());
    Ok(Lexed {
        tokens,
        warnings,
        end,
    })
}

struct Lexer<'t> {
    logic: Logic,
    text: &'t str,
    place: Place,
    at: usize,
}

impl Lexer<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        let start = self.place.start + start as u32;
        Span::new(self.place.file, start, self.place.start + end as u32).to(Span::new(
            self.place.file,
            start,
            start,
        ))
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn token(&mut self, warnings: &mut Vec<Diagnostic>) -> Result<Option<Token>, Box<Diagnostic>> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            '{' => Token::Braces(self.braces()?),
            '[' => {
                let inside = self.brackets()?;
                if inside.text.trim().is_empty() {
                    warnings.push(self.foreign(start, "`[]` is read as G", "write G"));
                    Token::Unary(Unary::Globally)
                } else {
                    Token::Brackets(inside)
                }
            }
            '#' | '!' => match self.quantified(first) {
                Some(token) => token,
                None if first == '!' => {
                    self.at += 1;
                    warnings.push(self.foreign(start, "`!` is read as not", "write not"));
                    Token::Unary(Unary::Not)
                }
                None => return Err(Box::new(self.unknown(first))),
            },
            _ => match self.keyword() {
                Some((length, keyword)) => self.word(length, keyword)?,
                None => return Err(Box::new(self.unknown(first))),
            },
        };
        Ok(Some(token))
    }

    fn foreign(&self, start: usize, message: &str, help: &str) -> Diagnostic {
        let span = self.span(start, self.at);
        Diagnostic::warning(&codes::FOREIGN, span, message).help(help)
    }

    /// The longest keyword here.
    fn keyword(&self) -> Option<(usize, Keyword)> {
        let own = match self.logic {
            Logic::Ltl => ONLY_LTL,
            Logic::Ctl => ONLY_CTL,
        };
        BOTH.iter()
            .chain(own)
            .filter(|(spelling, _)| self.rest().starts_with(spelling))
            .max_by_key(|(spelling, _)| spelling.len())
            .map(|(spelling, keyword)| (spelling.len(), *keyword))
    }

    fn word(&mut self, length: usize, keyword: Keyword) -> Result<Token, Box<Diagnostic>> {
        let start = self.at;
        self.at += length;
        Ok(match keyword {
            Keyword::Constant(value) => Token::Constant(value),
            Keyword::Unary(operator) => Token::Unary(operator),
            Keyword::Binary(operator) => Token::Binary(operator),
            Keyword::Some => Token::Some,
            Keyword::All => Token::All,
            Keyword::Word(word, Brackets::Never) => Token::Call(word, None),
            Keyword::Word(word, brackets) => {
                let behind = self.at;
                self.blanks();
                if self.rest().starts_with('(') {
                    return Ok(Token::Call(word, Some(self.brackets()?)));
                }
                self.at = behind;
                if brackets == Brackets::Always {
                    let spelling = &self.text[start..behind];
                    let message = format!("`{spelling}` needs brackets: `{spelling}(…)`");
                    let span = self.span(start, behind);
                    return Err(Box::new(Diagnostic::error(&codes::SYNTAX, span, message)));
                }
                Token::Call(word, None)
            }
        })
    }

    /// `#x.`
    fn quantified(&mut self, first: char) -> Option<Token> {
        let inside = self.rest()[1..].trim_start();
        let name_at = self.text.len() - inside.len();
        let length = inside
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(inside.len());
        let name = &inside[..length];
        let behind = inside[length..].trim_start();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !behind.starts_with('.') {
            return None;
        }
        let name = Text {
            text: name.to_owned(),
            span: self.span(name_at, name_at + length),
        };
        self.at = self.text.len() - behind.len() + 1;
        let quantifier = match first {
            '#' => Quantifier::Exists,
            _ => Quantifier::Forall,
        };
        Some(Token::Quantifier(quantifier, name))
    }

    /// What stands between braces, nested ones included; braces in strings do not count.
    fn braces(&mut self) -> Result<Text, Box<Diagnostic>> {
        self.matched(b"{", b"}", "`{` is not closed")
    }

    /// What stands between brackets of either kind.
    fn brackets(&mut self) -> Result<Text, Box<Diagnostic>> {
        self.matched(b"([", b")]", "the bracket is not closed")
    }

    fn matched(
        &mut self,
        open: &[u8],
        close: &[u8],
        missing: &str,
    ) -> Result<Text, Box<Diagnostic>> {
        let start = self.at;
        let mut depth = 0_usize;
        let mut in_string = false;
        for (at, byte) in self.text.bytes().enumerate().skip(start) {
            match byte {
                b'"' => in_string = !in_string,
                _ if in_string => {}
                _ if open.contains(&byte) => depth += 1,
                _ if close.contains(&byte) => {
                    depth -= 1;
                    if depth == 0 {
                        self.at = at + 1;
                        return Ok(Text {
                            text: self.text[start + 1..at].to_owned(),
                            span: self.span(start + 1, at),
                        });
                    }
                }
                _ => {}
            }
        }
        let span = self.span(start, start + 1);
        Err(Box::new(Diagnostic::error(&codes::SYNTAX, span, missing)))
    }

    fn unknown(&self, first: char) -> Diagnostic {
        let known = FOREIGN
            .iter()
            .find(|(text, _)| self.rest().starts_with(text));
        let word: String = match first.is_alphanumeric() || first == '_' {
            true => {
                let letters = self.rest().chars();
                letters
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .take(40)
                    .collect()
            }
            false => first.to_string(),
        };
        let span = self.span(self.at, self.at + word.len());
        let logic = match self.logic {
            Logic::Ltl => "LTL",
            Logic::Ctl => "CTL",
        };
        let message = format!("`{word}` is no part of {logic}");
        let error = Diagnostic::error(&codes::SYNTAX, span, message);
        match known {
            Some((_, help)) => error.help(*help),
            None if first == '_' || first.is_alphabetic() => {
                error.help("predicates stand in braces: {x > 0}")
            }
            None => error,
        }
    }
}
