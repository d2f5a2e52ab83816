//! The parser's place in the list of tokens, and the plainest errors: something else was expected.

use base::{Code, Diagnostic, Name, Span, deep, near};

use super::{Fail, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Tok, Token, Word};
use crate::syntax::{Expr, ExprId, ExprKind, Ident, Text, TypeExpr, TypeExprId, TypeKind};

impl Parser<'_> {
    pub(super) fn tok(&self) -> Tok {
        self.tokens[self.pos].tok
    }

    pub(super) fn token_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.pos + ahead).min(last)]
    }

    pub(super) fn span(&self) -> Span {
        self.span_of(self.tokens[self.pos])
    }

    pub(super) fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// The place of the token read last.
    pub(super) fn last_span(&self) -> Span {
        self.span_of(self.tokens[self.pos.saturating_sub(1)])
    }

    pub(super) fn text_at(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Reads the next token; the end is never passed.
    pub(super) fn advance(&mut self) -> Span {
        let span = self.span();
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        span
    }

    pub(super) fn at(&self, symbol: &'static str) -> bool {
        self.tok() == Tok::Symbol(symbol)
    }

    pub(super) fn at_word(&self, word: Word) -> bool {
        self.tok() == Tok::Word(word)
    }

    pub(super) fn at_any(&self, words: &[Word]) -> bool {
        matches!(self.tok(), Tok::Word(word) if words.contains(&word))
    }

    pub(super) fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.at(symbol);
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

    pub(super) fn expect(&mut self, symbol: &'static str, expected: &str) -> Read<Span> {
        if self.at(symbol) {
            return Ok(self.advance());
        }
        Err(self.unexpected(expected))
    }

    /// Reads a keyword, also a misspelt one.
    pub(super) fn expect_word(&mut self, word: Word) -> Read<Span> {
        if self.at_word(word) {
            return Ok(self.advance());
        }
        if self.tok() == Tok::Name {
            let found = self.text_at(self.span()).to_ascii_lowercase();
            if near::nearest(&found, [word.text()]).is_some() {
                let message = format!("unexpected \"{}\"", self.text_at(self.span()));
                let help = format!("did you mean {}?", word.text());
                self.error(
                    Diagnostic::error(&code::UNEXPECTED, self.span(), message)
                        .help(help)
                        .fix(word.text()),
                );
                return Ok(self.advance());
            }
        }
        Err(self.unexpected(&format!("\"{}\"", word.text())))
    }

    /// Reads the bracket that closes the one at `open`.
    pub(super) fn close(&mut self, symbol: &'static str, open: Span, expected: &str) -> Read<Span> {
        if self.at(symbol) {
            self.nesting -= 1;
            return Ok(self.advance());
        }
        let found = self.found();
        let message = format!("found {found} where {expected} or \"{symbol}\" is needed");
        let diagnostic =
            Diagnostic::error(&code::UNCLOSED, self.span(), message).also(open, "opened here");
        Err(self.error(diagnostic))
    }

    /// Opens a block or bracket; too many are an error that ends reading.
    pub(super) fn open(&mut self) -> Read<()> {
        self.nesting += 1;
        if self.nesting <= deep::MAX_NESTING {
            return Ok(());
        }
        Err(self.too_deep())
    }

    pub(super) fn too_deep(&mut self) -> Fail {
        let diagnostic = Diagnostic::error(&code::TOO_DEEP, self.span(), "nested too deep")
            .help("name parts of it with functions");
        self.trying = false;
        self.error(diagnostic);
        self.stopped = true;
        self.pos = self.tokens.len() - 1;
        Fail
    }

    /// Reads the `end` of a block, whichever way it is spelt.
    pub(super) fn end(&mut self) -> Read<Span> {
        if self.at_word(Word::End) {
            self.nesting -= 1;
            self.blocks.pop();
            return Ok(self.advance());
        }
        let Some((opener, place)) = self.blocks.last().copied() else {
            return Err(self.unexpected("\"end\""));
        };
        let found = self.found();
        let message = format!("found {found} where \"end\" of {opener} is needed");
        let diagnostic =
            Diagnostic::error(&code::MISSING_END, self.span(), message).also(place, "opened here");
        Err(self.error(diagnostic))
    }

    pub(super) fn open_block(&mut self, opener: &'static str, place: Span) -> Read<()> {
        self.open()?;
        self.blocks.push((opener, place));
        Ok(())
    }

    /// What stands at the next token, for a message.
    pub(super) fn found(&self) -> String {
        match self.tok() {
            Tok::End => "the end of the text".to_string(),
            Tok::Text => "a string".to_string(),
            _ => format!("\"{}\"", self.text_at(self.span())),
        }
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> Fail {
        let found = self.found();
        let message = format!("found {found} where {expected} is needed");
        // What is missing after the last word of a line is shown there, not at the next line's first word.
        self.error(Diagnostic::error(&code::UNEXPECTED, self.span(), message))
    }

    pub(super) fn problem(&mut self, code: &'static Code, span: Span, message: String) -> Fail {
        self.error(Diagnostic::error(code, span, message))
    }

    /// Reports, unless the place was reported already or reading was given up.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) -> Fail {
        if self.trying
            || self.stopped
            || self.last_error == Some(self.pos)
            || self.tok() == Tok::Bad
        {
            return Fail;
        }
        self.last_error = Some(self.pos);
        self.diagnostics.push(diagnostic);
        Fail
    }

    /// Reads a name that is introduced or used.
    pub(super) fn ident(&mut self, expected: &str) -> Read<Ident> {
        match self.tok() {
            Tok::Name => {
                let name = Name::new(self.text_at(self.span()));
                Ok(Ident {
                    name,
                    span: self.advance(),
                })
            }
            Tok::Word(word) if word != Word::End || self.blocks.is_empty() => {
                let span = self.span();
                let message = format!(
                    "\"{}\" is a keyword and cannot be {expected}",
                    self.text_at(span)
                );
                Err(self.problem(&code::KEYWORD_AS_NAME, span, message))
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reads a string if one is next.
    pub(super) fn text(&mut self) -> Option<Text> {
        if self.tok() != Tok::Text {
            return None;
        }
        let span = self.advance();
        let inner = self.text_at(span).trim_matches(['“', '”']);
        let inner = inner.strip_prefix('"').unwrap_or(inner);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        Some(Text {
            text: Name::new(inner),
            span,
        })
    }

    pub(super) fn expr_node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.tree.exprs.push(Expr { kind, span })
    }

    pub(super) fn type_node(&mut self, kind: TypeKind, span: Span) -> TypeExprId {
        self.tree.types.push(TypeExpr { kind, span })
    }

    pub(super) fn span_of_expr(&self, id: ExprId) -> Span {
        self.tree.exprs[id].span
    }
}
