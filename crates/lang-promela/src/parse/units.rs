//! What a program consists of: types, variables, processes, claims, formulas, traces, inlines.

use base::{Diagnostic, Name, Span};

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Word};
use crate::syntax::{
    Active, Binding, Claim, Formula, Initialiser, MtypeList, Process, ProcessKind, Program, StmtId,
    Trace, Typedef, Unit,
};

impl Parser {
    /// Reads everything.
    pub(super) fn units(&mut self) {
        while self.token().tok != Tok::Eof {
            if self.eat(Punct::Semicolon) || self.eat(Punct::Arrow) {
                continue;
            }
            let start = self.pos;
            if self.unit().is_err() {
                if self.pos == start && self.token().is(Punct::RightBrace) {
                    self.advance();
                    continue;
                }
                self.skip_unit();
            }
            self.in_sequence = false;
            self.nesting = 0;
            self.parentheses = 0;
        }
    }

    fn unit(&mut self) -> Read<()> {
        use Word::*;
        let Tok::Word(word) = self.tok() else {
            return self.unit_without_word();
        };
        match word {
            Active | Proctype | DProctype => self.proctype(),
            Init => self.init(),
            Never => self.never(),
            Ltl => self.ltl(),
            Trace | Notrace => self.trace(),
            Typedef => self.typedef(),
            Inline => self.inline_definition(),
            Mtype if self.is_mtype_list() => self.mtype_list(),
            CCode | CDecl | CExpr | CState | CTrack => self.embedded_c(),
            _ if self.at_declaration() => {
                let declaration = self.declaration()?;
                self.tree.units.push(Unit::Variables(declaration));
                self.unit_end()
            }
            _ => {
                let message = format!(
                    "a statement with \"{}\" stands in a proctype, not outside",
                    word.text()
                );
                let diagnostic = Diagnostic::error(&code::UNEXPECTED, self.span(), message);
                Err(self.error(diagnostic))
            }
        }
    }

    fn unit_without_word(&mut self) -> Read<()> {
        if self.at_declaration() {
            let declaration = self.declaration()?;
            self.tree.units.push(Unit::Variables(declaration));
            return self.unit_end();
        }
        let token = self.token();
        let mut diagnostic =
            self.unexpected_diagnostic("a declaration, a proctype, init, never or ltl");
        if token.tok == Tok::Ident && self.tok_at(1) == Tok::Ident {
            let known = self.structures.iter().map(|name| name.as_str());
            let types = [
                "bit", "bool", "byte", "short", "int", "unsigned", "chan", "mtype", "pid",
                "proctype",
            ];
            let message = format!("\"{}\" is no type", token.text);
            diagnostic = Diagnostic::error(&code::UNEXPECTED, token.span, message);
            if let Some(meant) = base::near::nearest(token.text.as_str(), known.chain(types)) {
                diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
            }
        }
        Err(self.error(diagnostic))
    }

    /// After a global declaration: a separator, or anything on a new line.
    fn unit_end(&mut self) -> Read<()> {
        match self.tok() {
            Tok::Punct(Punct::Semicolon | Punct::Arrow) | Tok::Eof => Ok(()),
            Tok::Word(_) => Ok(()),
            Tok::Ident if self.at_declaration() => Ok(()),
            _ if self.last_was(Punct::RightBrace) => Ok(()),
            _ => Err(self.unexpected("\";\" or \",\"")),
        }
    }

    /// Whether the token read last is this bracket.
    pub(super) fn last_was(&self, punct: Punct) -> bool {
        self.pos > 0 && self.tokens[self.pos - 1].is(punct)
    }

    fn is_mtype_list(&self) -> bool {
        match self.tok_at(1) {
            Tok::Punct(Punct::Assign | Punct::LeftBrace) => true,
            Tok::Punct(Punct::Colon) => {
                self.tok_at(3) == Tok::Punct(Punct::Assign)
                    && self.tok_at(4) == Tok::Punct(Punct::LeftBrace)
            }
            _ => false,
        }
    }

    /// `mtype = { … }`, `mtype:s = { … }`, `mtype { … }`; commas may be missing.
    pub(super) fn mtype_list(&mut self) -> Read<()> {
        let start = self.advance();
        let subset = match self.eat(Punct::Colon) {
            true => Some(self.name("the name of a subset")?),
            false => None,
        };
        self.eat(Punct::Assign);
        let open = self.open(Punct::LeftBrace)?;
        let mut names = Vec::new();
        while !self.at(Punct::RightBrace) {
            if self.eat(Punct::Comma) && !names.is_empty() {
                continue;
            }
            names.push(self.name("a symbolic name")?);
        }
        if names.is_empty() {
            let message = "a list of symbolic names needs at least one";
            let span = self.span();
            return Err(self.error(Diagnostic::error(&code::EMPTY, span, message)));
        }
        let span = start.to(self.close(Punct::RightBrace, open)?);
        self.constants
            .extend(names.iter().map(|binding| binding.name));
        self.tree.units.push(Unit::Mtype(MtypeList {
            subset,
            names,
            span,
        }));
        Ok(())
    }

    fn typedef(&mut self) -> Read<()> {
        let start = self.advance();
        let name = self.name("the name of a structure")?;
        let open = self.open(Punct::LeftBrace)?;
        self.in_sequence = true;
        let mut fields = Vec::new();
        loop {
            while self.eat(Punct::Semicolon) || self.eat(Punct::Arrow) {}
            if self.at(Punct::RightBrace) {
                break;
            }
            if !self.at_declaration() {
                return Err(self.unexpected("the type of a field"));
            }
            fields.push(self.declaration()?);
            if !self.at(Punct::Semicolon) && !self.at(Punct::RightBrace) {
                return Err(self.unexpected("\";\" or \"}\""));
            }
        }
        self.in_sequence = false;
        if fields.is_empty() {
            let message = format!("the structure \"{}\" has no fields", name.name);
            return Err(self.error(Diagnostic::error(&code::EMPTY, name.span, message)));
        }
        let span = start.to(self.close(Punct::RightBrace, open)?);
        self.structures.insert(name.name);
        self.tree
            .units
            .push(Unit::Typedef(Typedef { name, fields, span }));
        Ok(())
    }

    fn proctype(&mut self) -> Read<()> {
        let active = match self.at_word(Word::Active) {
            true => {
                let span = self.advance();
                let count = match self.at(Punct::LeftBracket) {
                    true => {
                        let open = self.open(Punct::LeftBracket)?;
                        let count = self.expression()?;
                        self.close(Punct::RightBracket, open)?;
                        Some(count)
                    }
                    false => None,
                };
                Some(Active { count, span })
            }
            false => None,
        };
        let kind = match self.tok() {
            Tok::Word(Word::Proctype) => ProcessKind::Proctype,
            Tok::Word(Word::DProctype) => ProcessKind::Deterministic,
            _ => return Err(self.unexpected("\"proctype\"")),
        };
        self.advance();
        let name = self.name("the name of a proctype")?;
        let open = self.open(Punct::LeftParen)?;
        let mut parameters = Vec::new();
        while !self.at(Punct::RightParen) {
            if !parameters.is_empty() && (self.eat(Punct::Semicolon) || self.eat(Punct::Comma)) {
                continue;
            }
            if !self.at_declaration() {
                return Err(self.unexpected("the type of a parameter or \")\""));
            }
            parameters.push(self.declaration()?);
        }
        self.close(Punct::RightParen, open)?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let (body, end) = self.body()?;
        self.proctypes.insert(name.name);
        self.tree.units.push(Unit::Process(Process {
            name,
            kind,
            active,
            parameters,
            priority,
            provided,
            body,
            end,
        }));
        Ok(())
    }

    fn init(&mut self) -> Read<()> {
        let span = self.advance();
        let priority = self.priority()?;
        let (body, end) = self.body()?;
        self.tree.units.push(Unit::Process(Process {
            name: Binding {
                name: Name::new("init"),
                span,
            },
            kind: ProcessKind::Init,
            active: None,
            parameters: Vec::new(),
            priority,
            provided: None,
            body,
            end,
        }));
        Ok(())
    }

    /// `priority n`.
    pub(super) fn priority(&mut self) -> Read<Option<crate::syntax::ExprId>> {
        if !self.eat_word(Word::Priority) {
            return Ok(None);
        }
        match self.tok() {
            Tok::Number | Tok::Char => Ok(Some(self.primary()?)),
            Tok::Ident if self.constants.contains(&self.token().text) => Ok(Some(self.primary()?)),
            _ => Err(self.unexpected("a number")),
        }
    }

    fn provided(&mut self) -> Read<Option<crate::syntax::ExprId>> {
        if !self.eat_word(Word::Provided) {
            return Ok(None);
        }
        if !self.at(Punct::LeftParen) {
            return Err(self.unexpected("\"(\": a condition after provided stands in parentheses"));
        }
        let open = self.open(Punct::LeftParen)?;
        let condition = self.full_expression()?;
        self.close(Punct::RightParen, open)?;
        Ok(Some(condition))
    }

    /// The body of a process, a claim or a trace, and its closing brace.
    fn body(&mut self) -> Read<(Vec<StmtId>, Span)> {
        let open = self.open(Punct::LeftBrace)?;
        self.in_sequence = true;
        let body = self.sequence(open)?;
        let end = self.close(Punct::RightBrace, open);
        self.in_sequence = false;
        Ok((body, end?))
    }

    fn never(&mut self) -> Read<()> {
        let span = self.advance();
        let name = match self.tok() {
            Tok::Ident => Some(self.name("the name of a claim")?),
            _ => None,
        };
        let (body, end) = self.body()?;
        self.tree.units.push(Unit::Never(Claim {
            name,
            body,
            span,
            end,
        }));
        Ok(())
    }

    fn trace(&mut self) -> Read<()> {
        let negated = self.at_word(Word::Notrace);
        let span = self.advance();
        let (body, end) = self.body()?;
        self.tree.units.push(Unit::Trace(Trace {
            negated,
            body,
            span,
            end,
        }));
        Ok(())
    }

    fn ltl(&mut self) -> Read<()> {
        let span = self.advance();
        let name = match self.tok() {
            Tok::Ident => Some(self.name("the name of a formula")?),
            _ => None,
        };
        let open = self.open(Punct::LeftBrace)?;
        self.in_formula = true;
        let formula = self.full_expression();
        let close = formula.and_then(|formula| {
            while self.eat(Punct::Semicolon) {}
            let end = self.close(Punct::RightBrace, open)?;
            Ok((formula, end))
        });
        self.in_formula = false;
        let (formula, end) = close?;
        self.tree.units.push(Unit::Ltl(Formula {
            name,
            formula,
            span,
            whole: span.to(end),
        }));
        Ok(())
    }

    /// Takes over the names of a program that was read before.
    pub(super) fn learn(&mut self, known: &Program) {
        for unit in &known.units {
            match unit {
                Unit::Mtype(list) => self
                    .constants
                    .extend(list.names.iter().map(|name| name.name)),
                Unit::Typedef(typedef) => {
                    self.structures.insert(typedef.name.name);
                }
                Unit::Process(process) => {
                    self.proctypes.insert(process.name.name);
                    self.announced.insert(process.name.name);
                }
                _ => {}
            }
        }
    }

    /// Whether a list of braces was given where only a channel or a value makes sense.
    pub(super) fn list_initialiser(&mut self) -> Read<Initialiser> {
        let open = self.open(Punct::LeftBrace)?;
        let mut values = vec![self.expression()?];
        while self.eat(Punct::Comma) {
            values.push(self.expression()?);
        }
        self.close(Punct::RightBrace, open)?;
        Ok(Initialiser::List(values))
    }
}
