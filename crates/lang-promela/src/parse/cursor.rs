//! The parser's place in the tokens, the separators that nobody wrote, and the plainest errors.

use base::{Diagnostic, Span, deep};

use super::{Fail, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Token, Word};
use crate::syntax::{
    Binary, Binding, ChannelQuestion, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind,
};

impl Parser {
    /// The token to be read next, separators that nobody wrote left out.
    pub(super) fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    /// What comes next: a `;` where a line end stands for one.
    pub(super) fn tok(&self) -> Tok {
        match self.line_ends() {
            true => Tok::Punct(Punct::Semicolon),
            false => self.token().tok,
        }
    }

    /// The token `ahead` places after the next one.
    pub(super) fn tok_at(&self, ahead: usize) -> Tok {
        self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)].tok
    }

    /// Whether the end of the line before the next token is a separator.
    fn line_ends(&self) -> bool {
        use Word::*;
        self.in_sequence
            && self.parentheses == 0
            && self.separated != Some(self.pos)
            && self.pos > 0
            && self.tokens[self.pos].first
            && self.tokens[self.pos].tok != Tok::Word(Unless)
            && match self.tokens[self.pos - 1].tok {
                Tok::Ident | Tok::Number | Tok::Char => true,
                Tok::Word(Od | Fi | Else | Break | CCode | CExpr | CDecl | True | False | Skip) => {
                    true
                }
                Tok::Punct(punct) => matches!(
                    punct,
                    Punct::RightBrace
                        | Punct::RightParen
                        | Punct::RightBracket
                        | Punct::Increment
                        | Punct::Decrement
                ),
                _ => false,
            }
    }

    /// The place of the next token.
    pub(super) fn span(&self) -> Span {
        self.token().span
    }

    /// The place of the token read last.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.pos.saturating_sub(1)].span
    }

    /// Reads the next token; the end is never passed.
    pub(super) fn advance(&mut self) -> Span {
        let span = self.span();
        if self.line_ends() {
            self.separated = Some(self.pos);
            return self.last_span().after();
        }
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        span
    }

    pub(super) fn at(&self, punct: Punct) -> bool {
        self.tok() == Tok::Punct(punct)
    }

    pub(super) fn at_word(&self, word: Word) -> bool {
        self.tok() == Tok::Word(word)
    }

    /// Reads the next token if it is `punct`.
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: Word) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    /// Reads `punct` or reports what stands there instead.
    pub(super) fn expect(&mut self, punct: Punct) -> Read<Span> {
        match self.at(punct) {
            true => Ok(self.advance()),
            false => Err(self.unexpected(&format!("\"{}\"", punct.text()))),
        }
    }

    /// Reads an opening bracket.
    pub(super) fn open(&mut self, punct: Punct) -> Read<Span> {
        let span = self.expect(punct)?;
        self.parentheses += usize::from(punct == Punct::LeftParen);
        self.enter()?;
        Ok(span)
    }

    /// Reads the bracket that closes the one at `open`.
    pub(super) fn close(&mut self, punct: Punct, open: Span) -> Read<Span> {
        if self.at(punct) {
            self.nesting = self.nesting.saturating_sub(1);
            let span = self.advance();
            self.parentheses -= usize::from(punct == Punct::RightParen && self.parentheses > 0);
            return Ok(span);
        }
        let expected = format!("\"{}\"", punct.text());
        if matches!(self.token().tok, Tok::Eof | Tok::Punct(Punct::RightBrace)) {
            let message = format!("{expected} is missing");
            let diagnostic = Diagnostic::error(&code::UNCLOSED, self.last_span(), message);
            return Err(self.error(diagnostic.also(open, "opened here")));
        }
        let diagnostic = self.unexpected_diagnostic(&expected);
        Err(self.error(diagnostic.also(open, "opened here")))
    }

    /// Goes one bracket or block deeper.
    pub(super) fn enter(&mut self) -> Read<()> {
        self.nesting += 1;
        if self.nesting > deep::MAX_NESTING {
            let diagnostic = Diagnostic::error(&code::TOO_DEEP, self.span(), "nested too deeply");
            return Err(self.give_up(diagnostic));
        }
        Ok(())
    }

    /// Reports that the text is beyond what is read, and reads no further.
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) -> Fail {
        let fail = self.error(diagnostic);
        self.names_lost = true;
        self.stopped = true;
        self.pos = self.tokens.len() - 1;
        fail
    }

    /// Reports an error unless it is an echo of the one before.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) -> Fail {
        let echo = self.last_error == Some(self.pos);
        self.last_error = Some(self.pos);
        if !echo && !self.stopped {
            self.diagnostics.push(diagnostic);
        }
        Fail
    }

    /// Reports an error after which reading goes on as if nothing had happened.
    pub(super) fn complain(&mut self, diagnostic: Diagnostic) {
        if !self.stopped {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports that the next token does not fit.
    pub(super) fn unexpected(&mut self, expected: &str) -> Fail {
        let diagnostic = self.unexpected_diagnostic(expected);
        self.error(diagnostic)
    }

    /// What to say when the next token does not fit.
    pub(super) fn unexpected_diagnostic(&self, expected: &str) -> Diagnostic {
        let token = self.token();
        match token.tok {
            Tok::BadComment => {
                return Diagnostic::error(
                    &code::UNTERMINATED_COMMENT,
                    token.span,
                    "this comment has no end",
                );
            }
            Tok::BadString => {
                let message = "this quote has no partner on its line";
                return Diagnostic::error(&code::UNTERMINATED_STRING, token.span, message);
            }
            Tok::BadChar => {
                let message = format!("\"{}\" is no part of Promela", token.text);
                return Diagnostic::error(&code::BAD_CHARACTER, token.span, message);
            }
            _ => {}
        }
        let found = self.describe(token);
        if self.line_ends() {
            let message = format!("expected {expected}, found the end of the line");
            let diagnostic =
                Diagnostic::error(&code::UNEXPECTED, self.last_span().after(), message);
            return diagnostic.help("a statement ends with its line unless a parenthesis is open");
        }
        let message = format!("expected {expected}, found {found}");
        Diagnostic::error(&code::UNEXPECTED, token.span, message)
    }

    /// What a token is called in messages.
    pub(super) fn describe(&self, token: Token) -> String {
        match token.tok {
            Tok::Eof => "the end of the text".to_owned(),
            Tok::Str => format!("the string {}", token.text),
            _ => format!("\"{}\"", token.text),
        }
    }

    /// Reads a name that is not reserved.
    pub(super) fn name(&mut self, expected: &str) -> Read<Binding> {
        let token = self.token();
        if self.tok() == Tok::Ident {
            self.advance();
            return Ok(Binding {
                name: token.text,
                span: token.span,
            });
        }
        if let Tok::Word(word) = self.tok() {
            let message = format!("\"{}\" is a reserved word and no name", word.text());
            let diagnostic = Diagnostic::error(&code::RESERVED_WORD, token.span, message);
            return Err(self.error(diagnostic.help(format!("expected {expected}"))));
        }
        Err(self.unexpected(expected))
    }

    /// Adds an expression.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let exprs = &self.tree.exprs;
        let of = |id: &ExprId| exprs[*id].depth;
        let depth = 1 + match &kind {
            ExprKind::Unary(_, a)
            | ExprKind::Eval(a)
            | ExprKind::Enabled(a)
            | ExprKind::PcValue(a)
            | ExprKind::GetPriority(a)
            | ExprKind::Channel(_, a) => of(a),
            ExprKind::Binary(_, a, b) => of(a).max(of(b)),
            ExprKind::Conditional(a, b, c) => of(a).max(of(b)).max(of(c)),
            ExprKind::Run { arguments, .. } | ExprKind::Poll { arguments, .. } => {
                arguments.iter().map(of).max().unwrap_or(0)
            }
            ExprKind::Variable(parts) => parts
                .iter()
                .filter_map(|part| part.index.as_ref())
                .map(of)
                .max()
                .unwrap_or(0),
            _ => 0,
        };
        if depth > deep::MAX_DEPTH && !self.stopped {
            let diagnostic =
                Diagnostic::error(&code::TOO_DEEP, span, "this expression is too long");
            self.give_up(diagnostic);
        }
        let probe = match &kind {
            ExprKind::Channel(question, _) => *question != ChannelQuestion::Len,
            ExprKind::Binary(Binary::And | Binary::Or, a, b) => {
                self.probes.contains(a) || self.probes.contains(b)
            }
            _ => false,
        };
        let id = self.tree.exprs.push(Expr { kind, span, depth });
        if probe {
            self.probes.insert(id);
        }
        id
    }

    /// Adds a statement.
    pub(super) fn statement_node(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.tree.stmts.push(Stmt { kind, span })
    }
}
