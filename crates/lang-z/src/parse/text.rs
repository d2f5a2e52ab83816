//! Declarations with their predicate.

use super::{Parsed, Parser, placed};
use crate::lex::{Key, Tok};
use crate::tree::{Decl, Fix, Ident, Text};

impl Parser<'_> {
    /// `x : S; T | P`, inside a formula.
    pub(super) fn schema_text(&mut self) -> Parsed<Text> {
        self.text_with(false)
    }

    /// The same on several lines, in brackets.
    pub(super) fn schema_lines(&mut self) -> Parsed<Text> {
        self.text_with(true)
    }

    fn text_with(&mut self, lines: bool) -> Parsed<Text> {
        let mut decls = Vec::new();
        if !(lines && self.is(Key::Bar)) {
            decls.push(self.declaration()?);
        }
        loop {
            let more = self.eat(Key::Semicolon) || self.eat_newline();
            if !more {
                break;
            }
            if matches!(self.peek(), Tok::Key(Key::Bar | Key::Where | Key::RBracket)) {
                break;
            }
            decls.push(self.declaration()?);
        }
        let predicate = match self.eat(Key::Bar) || self.eat(Key::Where) {
            true => Some(self.lines()?),
            false => None,
        };
        Ok(Text { decls, predicate })
    }

    /// Whether names and a colon stand here.
    pub(super) fn declares_ahead(&self) -> bool {
        let mut ahead = 0;
        loop {
            let mut words = 0;
            while matches!(
                self.peek_at(ahead),
                Tok::Word(_) | Tok::Key(Key::Underscore)
            ) {
                ahead += 1;
                words += 1;
            }
            if words == 0 {
                return false;
            }
            match self.peek_at(ahead) {
                Tok::Key(Key::Colon) => return true,
                Tok::Key(Key::Comma) => ahead += 1,
                _ => return false,
            }
        }
    }

    pub(super) fn declaration(&mut self) -> Parsed<Decl> {
        if self.declares_ahead() {
            let mut names = vec![self.declared()?];
            while self.eat(Key::Comma) {
                names.push(self.declared()?);
            }
            self.expect(Key::Colon, "`:` and a set")?;
            return Ok(Decl::Vars(names, self.formula()?));
        }
        if let Tok::Word(name) = *self.peek()
            && *self.peek_at(1) == Tok::Key(Key::EqEq)
        {
            let span = self.span();
            self.advance();
            self.advance();
            return Ok(Decl::Define(Ident { name, span }, self.formula()?));
        }
        if matches!(self.peek(), Tok::Number(_)) {
            return Err(self.unexpected("a name to be declared"));
        }
        let schema = self.formula()?;
        if self.is(Key::Colon) || self.is(Key::Comma) {
            return Err(self.unexpected("the end of the declaration"));
        }
        Ok(Decl::Include(schema))
    }

    /// A name that is declared, possibly an operator with places.
    fn declared(&mut self) -> Parsed<Ident> {
        let start = self.span();
        if self.eat(Key::Underscore) {
            let word = self.ident("an operator")?;
            let fix = match self.eat(Key::Underscore) {
                true => Fix::Infix,
                false => Fix::Postfix,
            };
            return Ok(Ident {
                name: placed(word.name, fix),
                span: start.to(self.last_span()),
            });
        }
        let word = self.ident("a name to be declared")?;
        if self.eat(Key::Underscore) {
            return Ok(Ident {
                name: placed(word.name, Fix::Prefix),
                span: start.to(self.last_span()),
            });
        }
        Ok(word)
    }
}
