//! From tokens to the tree.
//!
//! Recursive descent with levels for operators that the text may declare itself (`ops.rs`). Predicates, expressions
//! and schema expressions are read by the same functions, because only types tell them apart; what can be told
//! without types is told by `sort.rs`.
//! Invariant: a tree always comes back. After an error reading goes on at the next line of the same paragraph.

mod atom;
mod expression;
mod formula;
mod paragraph;
mod template;
mod text;

use base::{Arena, Diagnostic, Diagnostics, Name, Span};

use crate::codes;
use crate::lex::{Dialect, Document, Key, Tok, Token};
use crate::ops::Ops;
use crate::tree::{Ident, Paragraph, Term, TermId, TermKind, Tree};

pub(crate) use template::{check_templates, declare_templates};

/// What could not be read was reported.
#[derive(Debug)]
pub(crate) struct Failed;

type Parsed<T> = Result<T, Failed>;

/// How deeply terms may be nested.
const MAX_DEPTH: u32 = 2_000;

/// Reads the paragraphs of a document into a tree.
pub fn parse_into(document: &Document, ops: &Ops, tree: &mut Tree, diagnostics: &mut Diagnostics) {
    for chunk in &document.chunks {
        let mut parser = Parser::new(
            &chunk.body,
            ops,
            document.dialect,
            &mut tree.terms,
            diagnostics,
        );
        parser.chunk(chunk);
        let read = parser.paragraphs;
        tree.paragraphs.extend(read);
    }
}

/// Reads one formula: an expression or a predicate.
pub fn formula(
    tokens: &[Token],
    ops: &Ops,
    dialect: Dialect,
    terms: &mut Arena<Term>,
    diagnostics: &mut Diagnostics,
) -> Option<TermId> {
    let mut parser = Parser::new(tokens, ops, dialect, terms, diagnostics);
    let read = parser.lines();
    let read = read.and_then(|term| {
        if parser.peek() == &Tok::End {
            Ok(term)
        } else {
            Err(parser.unexpected("the end"))
        }
    });
    read.ok()
}

pub(crate) struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    ops: &'a Ops,
    dialect: Dialect,
    terms: &'a mut Arena<Term>,
    diagnostics: &'a mut Diagnostics,
    paragraphs: Vec<Paragraph>,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn new(
        tokens: &'a [Token],
        ops: &'a Ops,
        dialect: Dialect,
        terms: &'a mut Arena<Term>,
        diagnostics: &'a mut Diagnostics,
    ) -> Parser<'a> {
        Parser {
            tokens,
            at: 0,
            ops,
            dialect,
            terms,
            diagnostics,
            paragraphs: Vec::new(),
            depth: 0,
        }
    }

    fn peek(&self) -> &Tok {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> &Tok {
        self.tokens
            .get(self.at + ahead)
            .map_or(&Tok::End, |token| &token.tok)
    }

    fn span(&self) -> Span {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        self.tokens[at].span
    }

    /// The place of the token before.
    fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    fn is(&self, key: Key) -> bool {
        *self.peek() == Tok::Key(key)
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, key: Key) -> bool {
        let found = self.is(key);
        if found {
            self.advance();
        }
        found
    }

    fn eat_newline(&mut self) -> bool {
        let found = *self.peek() == Tok::Newline;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, key: Key, what: &str) -> Parsed<()> {
        if self.eat(key) {
            Ok(())
        } else {
            Err(self.unexpected(what))
        }
    }

    /// Expects a keyword, on the next line if need be; where it is missing, it is missing before the line ends.
    fn expect_past_newline(&mut self, key: Key, what: &str) -> Parsed<()> {
        if *self.peek() == Tok::Newline && *self.peek_at(1) == Tok::Key(key) {
            self.advance();
        }
        self.expect(key, what)
    }

    /// Expects a bracket that closes the one at `open`.
    fn close(&mut self, key: Key, what: &str, open: Span) -> Parsed<()> {
        if *self.peek() == Tok::Newline && *self.peek_at(1) == Tok::Key(key) {
            self.advance();
        }
        if self.eat(key) {
            return Ok(());
        }
        // A bracket that is never closed is missing where the line of the opening one ends.
        let opened = self.tokens[..self.at].iter().rposition(|t| t.span == open);
        let opened = opened.filter(|_| *self.peek() == Tok::End);
        let line = opened.and_then(|opened| {
            let mut inside = self.tokens[opened..self.at].windows(2);
            inside.find(|pair| pair[1].tok == Tok::Newline)
        });
        let (span, found) = match line {
            Some(pair) => (pair[0].span.after(), "a new line".to_owned()),
            None => (self.error_span(), self.found()),
        };
        let message = format!("{what} expected, found {found}");
        let problem =
            Diagnostic::error(&codes::UNEXPECTED, span, message).also(open, "opened here");
        self.diagnostics.push(problem);
        Err(Failed)
    }

    /// Where to point when something else was expected: at the end of a line, at what stands before.
    fn error_span(&self) -> Span {
        match self.peek() {
            Tok::End | Tok::Newline if self.at > 0 => self.last_span().after(),
            _ => self.span(),
        }
    }

    fn unexpected(&mut self, wanted: &str) -> Failed {
        let (span, found) = (self.error_span(), self.found());
        let message = format!("{wanted} expected, found {found}");
        let mut problem = Diagnostic::error(&codes::UNEXPECTED, span, message);
        if self.dialect == Dialect::Email && matches!(self.peek(), Tok::Bad(_)) {
            problem = problem.help("this is no symbol, or can be cut into symbols in two ways: put blanks between them");
        }
        self.diagnostics.push(problem);
        Failed
    }

    fn error(&mut self, span: Span, message: impl Into<String>) -> Failed {
        self.diagnostics
            .push(Diagnostic::error(&codes::UNEXPECTED, span, message));
        Failed
    }

    fn found(&self) -> String {
        match self.peek() {
            Tok::Word(name) | Tok::Stroke(name) | Tok::Bad(name) | Tok::InRel(name) => {
                format!("`{name}`")
            }
            Tok::Number(number) => format!("`{number}`"),
            Tok::Key(key) => format!("`{}`", spelling(*key, self.dialect)),
            Tok::Newline => "a new line".to_owned(),
            Tok::End => "the end of the paragraph".to_owned(),
        }
    }

    fn term(&mut self, kind: TermKind, span: Span) -> TermId {
        self.terms.push(Term { kind, span })
    }

    fn term_span(&self, term: TermId) -> Span {
        self.terms[term].span
    }

    /// A name that is declared or selected.
    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        match self.peek() {
            Tok::Word(name) => {
                let (name, span) = (*name, self.span());
                self.advance();
                Ok(Ident { name, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Runs `body` one level deeper; too many levels are an error, not a crash.
    fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let span = self.span();
            let message = format!("more than {MAX_DEPTH} levels of nesting");
            self.diagnostics
                .push(Diagnostic::error(&codes::TOO_DEEP, span, message));
            return Err(Failed);
        }
        self.depth += 1;
        let result = base::deep::recurse(|| body(self));
        self.depth -= 1;
        result
    }

    /// Skips to the next line after an error.
    fn next_line(&mut self) {
        let mut depth = 0_i32;
        loop {
            match self.peek() {
                Tok::End => return,
                Tok::Newline if depth <= 0 => return,
                Tok::Key(Key::Where) => return,
                Tok::Key(Key::LParen | Key::LBracket | Key::LBrace) => depth += 1,
                Tok::Key(Key::RParen | Key::RBracket | Key::RBrace) => depth -= 1,
                _ => {}
            }
            self.advance();
        }
    }
}

/// How a reserved symbol is written in a dialect.
pub(crate) fn spelling(key: Key, dialect: Dialect) -> &'static str {
    use crate::lex::email;
    use crate::lex::symbols::{Role, SYMBOLS};
    let symbol = SYMBOLS.iter().find(|s| s.role == Role::Key(key));
    symbol.map_or("?", |s| match dialect {
        Dialect::Unicode => s.unicode,
        Dialect::Email => email::spelling(s.unicode),
        Dialect::Fuzz | Dialect::Iso => s.latex,
    })
}

/// The name of an operator: its word with places for its operands.
pub(crate) fn placed(word: Name, fix: crate::tree::Fix) -> Name {
    use crate::tree::Fix;
    // Functions that the standard declares as prefix operators and the toolkit as ordinary names.
    let plain = ["#", "⋃", "⋂", "⁀/", "succ"];
    if fix == Fix::Prefix && plain.contains(&word.as_str()) {
        return word;
    }
    Name::new(&match fix {
        Fix::Infix => format!("_{word}_"),
        Fix::Prefix => format!("{word}_"),
        Fix::Postfix => format!("_{word}"),
    })
}
