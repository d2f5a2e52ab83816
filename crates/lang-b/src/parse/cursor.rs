//! The parser's place in the list of tokens, and the plainest errors: something else was expected.

use base::{Diagnostic, Name, Span, deep};
use lang_math::{Binding, ExprId, ExprKind};

use super::{Fail, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Token, Word, pragma_parts};

/// What to do about text that is too deep or too long.
const NAME_PARTS: &str = "name parts of it in DEFINITIONS or constants, and use those";

impl Parser<'_> {
    /// The token to be read next.
    pub(super) fn tok(&self) -> Tok {
        self.tokens[self.pos].tok
    }

    /// The token `ahead` places after the next one.
    pub(super) fn tok_at(&self, ahead: usize) -> Tok {
        self.token_at(ahead).tok
    }

    /// The token `ahead` places after the next one, with its place.
    pub(super) fn token_at(&self, ahead: usize) -> Token {
        let last = self.tokens.len() - 1;
        self.tokens[(self.pos + ahead).min(last)]
    }

    /// The place of the next token.
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

    /// The text of a token.
    pub(super) fn text_of(&self, token: Token) -> &str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Reads the next token; the end is never passed.
    pub(super) fn advance(&mut self) -> Span {
        let span = self.span();
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        span
    }

    pub(super) fn at(&self, tok: Tok) -> bool {
        self.tok() == tok
    }

    pub(super) fn at_word(&self, word: Word) -> bool {
        self.tok() == Tok::Word(word)
    }

    /// Reads the next token if it is `tok`.
    pub(super) fn eat(&mut self, tok: Tok) -> bool {
        let found = self.at(tok);
        if found {
            self.advance();
        }
        found
    }

    /// Reads `tok` or reports what stands there instead.
    pub(super) fn expect(&mut self, tok: Tok, expected: &str) -> Read<Span> {
        if self.at(tok) {
            Ok(self.advance())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Reads a word or reports what stands there instead; a misspelt word is taken for it.
    pub(super) fn expect_word(&mut self, word: Word) -> Read<Span> {
        if self.misspelt_word(0) == Some(word) {
            let diagnostic = self
                .unexpected_diagnostic(word.text())
                .help(format!("did you mean {}?", word.text()))
                .fix(word.text());
            self.error(diagnostic);
            return Ok(self.advance());
        }
        self.expect(Tok::Word(word), word.text())
    }

    /// Reads the bracket that closes the one at `open`.
    pub(super) fn close(&mut self, tok: Tok, open: Span, expected: &str) -> Read<Span> {
        if self.at(tok) {
            self.nesting -= 1;
            return Ok(self.advance());
        }
        if matches!(self.tok(), Tok::Eof | Tok::Word(_)) {
            let opened = &self.text[open.start as usize..open.end as usize];
            let diagnostic =
                Diagnostic::error(&code::UNCLOSED, open, format!("{opened:?} is never closed"))
                    .also(self.span(), format!("expected {expected} here"));
            return Err(self.error(diagnostic));
        }
        let diagnostic = self.unexpected_diagnostic(expected);
        Err(self.error(diagnostic.also(open, "opened here")))
    }

    /// Goes one bracket or block deeper.
    pub(super) fn enter(&mut self) -> Read<()> {
        self.nesting += 1;
        if self.nesting > deep::MAX_NESTING {
            let diagnostic = Diagnostic::error(&code::TOO_DEEP, self.span(), "nested too deeply");
            return Err(self.give_up(diagnostic.help(NAME_PARTS)));
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
        let echo = self.last_error == Some(self.pos) || self.at(Tok::Bad);
        self.last_error = Some(self.pos);
        self.first_error.get_or_insert(self.pos);
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

    /// What a token is called in messages.
    pub(super) fn describe(&self, token: Token) -> String {
        match token.tok {
            Tok::Eof => "the end of the text".into(),
            Tok::LongStr | Tok::Template => "a string".into(),
            Tok::Pragma(_) => "a pragma".into(),
            Tok::Str => format!("the string {}", self.text_of(token)),
            _ => format!("\"{}\"", self.text_of(token)),
        }
    }

    /// Adds a node.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = self.tree.exprs.push(kind, span);
        if self.tree.exprs[id].depth > deep::MAX_DEPTH && !self.stopped {
            let message = "this formula is too long";
            let diagnostic = Diagnostic::error(&code::TOO_DEEP, span.after(), message);
            self.give_up(diagnostic.help(NAME_PARTS));
        }
        id
    }

    /// The name a token spells.
    pub(super) fn name_of(&self, token: Token) -> Name {
        let text = self.text_of(token);
        match token.tok {
            Tok::Quoted => Name::new(&super::literals::unescape(&text[1..text.len() - 1])),
            _ => Name::new(text),
        }
    }

    /// Whether the next token is a name.
    pub(super) fn at_name(&self) -> bool {
        matches!(self.tok(), Tok::Ident | Tok::Quoted)
    }

    /// Reads a name, whatever follows it.
    fn bare_name(&mut self, expected: &str) -> Read<Binding> {
        if !self.at_name() && !self.take_for_name(expected) {
            return Err(self.no_name(expected));
        }
        let name = self.name_of(self.token_at(0));
        let span = self.advance();
        Ok(Binding { name, span })
    }

    /// Reads names separated by commas, where a dot may follow the last one.
    pub(super) fn names_before_dot(&mut self) -> Read<Vec<Binding>> {
        let mut names = vec![self.bare_name("a name")?];
        while self.eat(Tok::Comma) {
            names.push(self.bare_name("a name")?);
        }
        Ok(names)
    }

    /// Reads a name that may not have dots.
    pub(super) fn name(&mut self, expected: &str) -> Read<Binding> {
        let Binding { name, span } = self.bare_name(expected)?;
        if self.at(Tok::Dot) && matches!(self.tok_at(1), Tok::Ident | Tok::Quoted) {
            let whole = span.to(self.span_of(self.token_at(1)));
            return Err(self.error(Diagnostic::error(
                &code::DOTTED_NAME,
                whole,
                "a name that is introduced here cannot have a dot",
            )));
        }
        Ok(Binding { name, span })
    }

    /// Reads a name that may have dots.
    pub(super) fn dotted_name(&mut self, expected: &str) -> Read<Binding> {
        if !self.at_name() && !self.take_for_name(expected) {
            return Err(self.no_name(expected));
        }
        let token = self.token_at(0);
        let mut name = self.name_of(token);
        let mut span = self.advance();
        while self.at(Tok::Dot) && matches!(self.tok_at(1), Tok::Ident | Tok::Quoted) {
            self.advance();
            let part = self.name_of(self.token_at(0));
            name = Name::new(&format!("{name}.{part}"));
            span = span.to(self.advance());
        }
        Ok(Binding { name, span })
    }

    /// Reads names separated by commas.
    pub(super) fn names(&mut self, expected: &str) -> Read<Vec<Binding>> {
        let mut names = vec![self.name(expected)?];
        while self.eat(Tok::Comma) {
            names.push(self.name(expected)?);
        }
        Ok(names)
    }

    /// Reads names in parentheses.
    pub(super) fn names_in_parentheses(&mut self, expected: &str) -> Read<Vec<Binding>> {
        let open = self.expect(Tok::LeftParen, "\"(\"")?;
        self.enter()?;
        let names = self.names(expected)?;
        self.close(Tok::RightParen, open, "\")\"")?;
        Ok(names)
    }

    /// Reads a pragma of this kind, if it comes next, and returns its text.
    pub(super) fn eat_pragma(&mut self, pragma: Pragma) -> Option<Name> {
        if !self.at(Tok::Pragma(pragma)) {
            return None;
        }
        let text = self.text_of(self.token_at(0));
        let content = pragma_parts(text).map_or("", |(_, content)| content);
        let content = content
            .strip_prefix('"')
            .and_then(|inner| inner.strip_suffix('"'))
            .unwrap_or(content);
        let name = Name::new(content);
        self.advance();
        Some(name)
    }
}
