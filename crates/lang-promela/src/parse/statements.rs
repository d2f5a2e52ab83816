//! Sequences of statements.

use base::{Diagnostic, Span, deep};

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Word};
use crate::syntax::{Choice, ExprId, ExprKind, Form, Range, StmtId, StmtKind};

/// How far apart the bounds of a `select` may be that is one choice; SPIN's number.
const AT_ONCE: i32 = 32;

impl Parser {
    /// Reads statements up to what closes the sequence opened at `open`, at least one.
    pub(super) fn sequence(&mut self, open: Span) -> Read<Vec<StmtId>> {
        let mut body = Vec::new();
        let mut separated = true;
        loop {
            while self.eat(Punct::Semicolon) || self.eat(Punct::Arrow) {
                separated = true;
            }
            match self.tok() {
                Tok::Punct(Punct::RightBrace | Punct::Options)
                | Tok::Word(Word::Fi | Word::Od)
                | Tok::Eof => break,
                Tok::Word(
                    Word::Proctype | Word::DProctype | Word::Active | Word::Never | Word::Init,
                ) if self.token().first => {
                    break;
                }
                _ => {}
            }
            let nesting = self.nesting;
            let start = self.pos;
            let step = match separated {
                true => self.step(),
                false => Err(self.missing_separator()),
            };
            match step {
                Ok(Some(statement)) => body.push(statement),
                Ok(None) => {}
                Err(_) if self.stopped => return Err(super::Fail),
                Err(_) => {
                    let span = self.span();
                    self.skip_statement(nesting);
                    if self.pos == start
                        && !matches!(self.tok(), Tok::Punct(Punct::Semicolon | Punct::Arrow))
                    {
                        self.advance();
                    }
                    body.push(self.statement_node(StmtKind::Error, span));
                }
            }
            separated = self.last_was(Punct::RightBrace)
                || self.tokens[self.pos.saturating_sub(1)].tok == Tok::Word(Word::Else);
        }
        if body.is_empty() {
            let message = "a statement is missing";
            let diagnostic = Diagnostic::error(&code::EMPTY, self.span(), message);
            self.complain(
                diagnostic
                    .also(open, "opened here")
                    .help("skip does nothing"),
            );
        }
        Ok(body)
    }

    fn missing_separator(&mut self) -> super::Fail {
        let token = self.token();
        let message = match token.tok {
            Tok::Punct(Punct::Increment | Punct::Decrement) => {
                format!(
                    "\"{}\" is a statement of its own, not part of an expression",
                    token.text
                )
            }
            Tok::Punct(Punct::Assign) => {
                "an assignment cannot stand here; equality is \"==\"".to_owned()
            }
            Tok::Punct(Punct::Receive) => {
                "\"?\" receives from a channel; a conditional expression is (c -> a : b)".to_owned()
            }
            Tok::Ident if self.tokens[self.pos - 1].tok == Tok::Number && token.glued => {
                "numbers are decimal".to_owned()
            }
            Tok::Punct(Punct::Dot) if self.tokens[self.pos - 1].tok == Tok::Number => {
                "numbers have no fraction".to_owned()
            }
            _ => return self.unexpected("\";\" or \"->\""),
        };
        self.error(Diagnostic::error(&code::NOT_PROMELA, token.span, message))
    }

    /// Reads a declaration or a statement with what it is protected by.
    fn step(&mut self) -> Read<Option<StmtId>> {
        if self.at_declaration() {
            if self.at_word(Word::Mtype)
                && matches!(self.tok_at(1), Tok::Punct(Punct::Assign | Punct::LeftBrace))
            {
                return Err(self.must_be_global("a list of symbolic names"));
            }
            let declaration = self.declaration()?;
            let span = declaration.span;
            return Ok(Some(
                self.statement_node(StmtKind::Declare(declaration), span),
            ));
        }
        if let Tok::Word(word @ (Word::Xr | Word::Xs)) = self.tok() {
            let start = self.advance();
            let mut channels = vec![self.reference()?];
            while self.eat(Punct::Comma) {
                channels.push(self.reference()?);
            }
            let receive = word == Word::Xr;
            let span = start.to(self.last_span());
            return Ok(Some(
                self.statement_node(StmtKind::Exclusive { receive, channels }, span),
            ));
        }
        let main = deep::recurse(|| self.statement())?;
        if !self.at_word(Word::Unless) {
            return Ok(Some(main));
        }
        let open = self.advance();
        if matches!(
            self.tok(),
            Tok::Punct(Punct::RightBrace | Punct::Semicolon) | Tok::Eof
        ) {
            let message = "the statement after unless is missing";
            return Err(self.error(Diagnostic::error(&code::EMPTY, open, message)));
        }
        let escape = deep::recurse(|| self.statement())?;
        let span = self.tree.stmts[main].span.to(self.last_span());
        Ok(Some(
            self.statement_node(StmtKind::Unless(main, escape), span),
        ))
    }

    fn must_be_global(&mut self, what: &str) -> super::Fail {
        let message = format!("{what} cannot stand in a body");
        let diagnostic = Diagnostic::error(&code::TYPEDEF_LOCAL, self.span(), message);
        self.error(diagnostic.help("move it before the proctype"))
    }

    /// Reads one statement.
    pub(super) fn statement(&mut self) -> Read<StmtId> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Word(word) => self.worded(word, start)?,
            Tok::Punct(Punct::LeftBrace) => {
                let body = self.block()?;
                StmtKind::Block { body, call: None }
            }
            Tok::Ident => self.named(start)?,
            _ => StmtKind::Expression(self.full_expression()?),
        };
        let span = start.to(self.last_span());
        Ok(self.statement_node(kind, span))
    }

    /// `{ … }`.
    pub(super) fn block(&mut self) -> Read<Vec<StmtId>> {
        let open = self.open(Punct::LeftBrace)?;
        let body = self.sequence(open)?;
        self.close(Punct::RightBrace, open)?;
        Ok(body)
    }

    /// A statement that begins with a reserved word.
    fn worded(&mut self, word: Word, start: Span) -> Read<StmtKind> {
        use Word::*;
        Ok(match word {
            If | Do => self.selection(word, start)?,
            For => self.for_loop()?,
            Select => self.select()?,
            Atomic => {
                self.advance();
                StmtKind::Atomic(self.block()?)
            }
            DStep => {
                self.advance();
                StmtKind::DStep(self.block()?)
            }
            Break => {
                self.advance();
                StmtKind::Break
            }
            Goto => {
                self.advance();
                StmtKind::Goto(self.name("a label")?)
            }
            Else => {
                self.advance();
                StmtKind::Else
            }
            Assert => {
                self.advance();
                StmtKind::Assert(self.full_expression()?)
            }
            Printf => self.print()?,
            Printm => {
                self.advance();
                let open = self.open(Punct::LeftParen)?;
                let value = self.expression()?;
                self.close(Punct::RightParen, open)?;
                StmtKind::PrintMtype(value)
            }
            SetPriority => {
                self.advance();
                let open = self.open(Punct::LeftParen)?;
                let process = self.expression()?;
                self.expect(Punct::Comma)?;
                let priority = self.expression()?;
                self.close(Punct::RightParen, open)?;
                StmtKind::SetPriority(process, priority)
            }
            Return => self.return_value(start)?,
            Typedef => return Err(self.must_be_global("a structure")),
            Inline => return Err(self.must_be_global("an inline")),
            CCode | CDecl | CState | CTrack => {
                self.embedded_c()?;
                StmtKind::Error
            }
            _ => StmtKind::Expression(self.full_expression()?),
        })
    }

    /// `if … fi`, `do … od`.
    fn selection(&mut self, word: Word, open: Span) -> Read<StmtKind> {
        self.advance();
        self.enter()?;
        let close = if word == Word::If { Word::Fi } else { Word::Od };
        while self.eat(Punct::Semicolon) {}
        if self.at(Punct::LeftParen) {
            let message = format!("the options of {} begin with \"::\"", word.text());
            let diagnostic = Diagnostic::error(&code::NOT_PROMELA, self.span(), message);
            return Err(self.error(diagnostic.help("write if :: c -> … :: else -> … fi")));
        }
        if !self.at(Punct::Options) {
            let diagnostic = self.unexpected_diagnostic("\"::\"");
            return Err(self.error(diagnostic.also(open, "opened here")));
        }
        let mut choices = Vec::new();
        while self.at(Punct::Options) {
            let span = self.advance();
            if self.at(Punct::Colon) {
                return Err(self.unexpected("a statement"));
            }
            let body = self.sequence(span)?;
            choices.push(Choice { body, span });
        }
        if !self.at_word(close) {
            let message = format!(
                "\"{}\" is never closed by \"{}\"",
                word.text(),
                close.text()
            );
            let diagnostic = Diagnostic::error(&code::UNCLOSED, self.span(), message);
            return Err(self.error(diagnostic.also(open, "opened here")));
        }
        self.advance();
        self.nesting = self.nesting.saturating_sub(1);
        Ok(match word {
            Word::If => StmtKind::If(choices),
            _ => StmtKind::Do(choices),
        })
    }

    fn for_loop(&mut self) -> Read<StmtKind> {
        self.advance();
        let open = self.open(Punct::LeftParen)?;
        let variable = self.reference()?;
        let range = if self.tok() == Tok::Ident && self.token().text.as_str() == "in" {
            self.advance();
            Range::In(self.reference()?)
        } else {
            let (from, to) = self.bounds()?;
            Range::Between(from, to)
        };
        self.close(Punct::RightParen, open)?;
        while self.eat(Punct::Semicolon) {}
        let body = self.block()?;
        Ok(StmtKind::For {
            variable,
            range,
            body,
        })
    }

    fn bounds(&mut self) -> Read<(ExprId, ExprId)> {
        self.expect(Punct::Colon)?;
        let from = self.expression()?;
        self.expect(Punct::DotDot)?;
        Ok((from, self.expression()?))
    }

    fn select(&mut self) -> Read<StmtKind> {
        self.advance();
        let open = self.open(Punct::LeftParen)?;
        let variable = self.reference()?;
        let digits = self.tok_at(1) == Tok::Number && self.tok_at(2) == Tok::Punct(Punct::DotDot);
        let (from, to) = self.bounds()?;
        self.close(Punct::RightParen, open)?;
        let at_once = digits && self.calls.is_empty() && self.plain(variable) && {
            match (self.digits(from), self.digits(to)) {
                (Some(from), Some(to)) => to.saturating_sub(from) <= AT_ONCE,
                _ => false,
            }
        };
        Ok(StmtKind::Select {
            variable,
            from,
            to,
            at_once,
        })
    }

    /// Whether a reference is one name of letters and digits: SPIN expands `select` before it parses, and for such names
    /// only.
    fn plain(&self, variable: ExprId) -> bool {
        match &self.tree.exprs[variable].kind {
            ExprKind::Variable(parts) => match &parts[..] {
                [part] => part.index.is_none() && !part.name.name.as_str().contains('_'),
                _ => false,
            },
            _ => false,
        }
    }

    fn digits(&self, value: ExprId) -> Option<i32> {
        match self.tree.exprs[value].kind {
            ExprKind::Constant(value, Form::Number) if value >= 0 => Some(value),
            _ => None,
        }
    }

    fn print(&mut self) -> Read<StmtKind> {
        self.advance();
        let open = self.open(Punct::LeftParen)?;
        if self.tok() != Tok::Str {
            return Err(self.unexpected("a string"));
        }
        let format = self.token().text;
        self.advance();
        let mut arguments = Vec::new();
        while self.eat(Punct::Comma) {
            arguments.push(self.expression()?);
        }
        self.close(Punct::RightParen, open)?;
        Ok(StmtKind::Print { format, arguments })
    }

    /// A statement that begins with a name.
    fn named(&mut self, start: Span) -> Read<StmtKind> {
        let name = self.token().text;
        let remote = self.proctypes.contains(&name) && self.tok_at(2) == Tok::Ident;
        if self.tok_at(1) == Tok::Punct(Punct::Colon) && !remote {
            return self.labelled();
        }
        if self.inlines.contains_key(&name) && self.tok_at(1) == Tok::Punct(Punct::LeftParen) {
            return self.call(None);
        }
        if self.constants.contains(&name) || self.announced.contains(&name) {
            let value = self.full_expression()?;
            if self.at(Punct::Assign) && self.constants.contains(&name) {
                let message = format!("\"{name}\" is a symbolic name and cannot be assigned to");
                let diagnostic = Diagnostic::error(&code::CONFUSED_NAME, start, message);
                return Err(self.error(diagnostic));
            }
            return Ok(StmtKind::Expression(value));
        }
        let target = self.reference()?;
        match self.tok() {
            Tok::Punct(Punct::Assign) => {
                self.advance();
                let inline =
                    self.tok() == Tok::Ident && self.inlines.contains_key(&self.token().text);
                match inline {
                    true => self.call(Some(target)),
                    false => Ok(StmtKind::Assign(target, self.full_expression()?)),
                }
            }
            Tok::Punct(Punct::Increment) => {
                self.advance();
                Ok(StmtKind::Increment(target))
            }
            Tok::Punct(Punct::Decrement) => {
                self.advance();
                Ok(StmtKind::Decrement(target))
            }
            Tok::Punct(Punct::Send | Punct::SortedSend) => self.send(target),
            Tok::Punct(Punct::Receive | Punct::RandomReceive)
                if self.tok_at(1) != Tok::Punct(Punct::LeftBracket) =>
            {
                self.receive(target)
            }
            _ => {
                let left = self.after_reference(target)?;
                Ok(StmtKind::Expression(self.continue_expression(left)?))
            }
        }
    }

    fn labelled(&mut self) -> Read<StmtKind> {
        let label = self.name("a label")?;
        let colon = self.advance();
        if self.at_declaration() || self.at_word(Word::Xr) || self.at_word(Word::Xs) {
            let message = format!("the label \"{}\" stands before a declaration", label.name);
            let diagnostic =
                Diagnostic::error(&code::LABEL_BEFORE_DECLARATION, label.span, message);
            self.complain(diagnostic);
        }
        let nothing = matches!(
            self.tok(),
            Tok::Punct(Punct::Semicolon | Punct::Arrow | Punct::RightBrace | Punct::Options)
                | Tok::Word(Word::Fi | Word::Od)
                | Tok::Eof
        );
        let statement = if nothing {
            let skip = self.node(ExprKind::Constant(1, Form::Skip), colon);
            self.statement_node(StmtKind::Expression(skip), label.span)
        } else if self.at_declaration() {
            let declaration = self.declaration()?;
            let span = declaration.span;
            self.statement_node(StmtKind::Declare(declaration), span)
        } else {
            deep::recurse(|| self.statement())?
        };
        Ok(StmtKind::Labelled(label, statement))
    }
}
