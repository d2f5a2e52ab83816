//! Definitions: names for formulas, lists of names, and substitutions.
//!
//! Only the body tells which of these a definition is. It is read as a formula first and, if that does not
//! reach the end of the definition, as a substitution; if neither fits, the attempt that got further
//! explains the error.

use base::{Diagnostic, Diagnostics, Name};
use lang_math::{Binding, ExprId, ExprKind, Op};

use super::{Fail, NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Word};
use crate::syntax::{Definition, DefinitionFileRef, Macro, MacroBody};

/// What became of an attempt to read a body.
struct Attempt {
    /// The body, unless there was an error.
    body: Option<MacroBody>,
    /// How far it got before its first error.
    reached: usize,
    /// What it had to say.
    diagnostics: Diagnostics,
}

impl Parser<'_> {
    /// Reads definitions up to the next clause.
    pub(super) fn definitions(&mut self) -> Vec<Definition> {
        let mut definitions = Vec::new();
        while !self.at_clause_end() {
            let mark = self.mark();
            let read = self.definition().and_then(|definition| {
                let ended = self.at(Tok::Semicolon) || self.at_clause_end();
                if ended || matches!(definition, Definition::Macro(_)) {
                    return Ok(definition);
                }
                Err(self.unexpected("\";\" or a clause"))
            });
            match read {
                Ok(definition) => definitions.push(definition),
                Err(_) => {
                    self.names_lost = true;
                    self.reset(mark);
                    self.skip_definition();
                }
            }
            if !self.eat(Tok::Semicolon) && !self.at_definition(0) {
                break;
            }
        }
        definitions
    }

    fn definition(&mut self) -> Read<Definition> {
        match self.tok() {
            Tok::Str => {
                let text = self.text_of(self.token_at(0));
                let path = Name::new(&super::literals::unescape(&text[1..text.len() - 1]));
                let span = self.advance();
                return Ok(Definition::File(DefinitionFileRef {
                    path,
                    library: false,
                    span,
                }));
            }
            Tok::Op(Op::Less) => return self.library_file(),
            _ => {}
        }
        let name = self.name("the name of a definition")?;
        let parameters = if self.at(Tok::LeftParen) {
            self.names_in_parentheses("a parameter")?
        } else {
            Vec::new()
        };
        if self.at(Tok::Op(Op::Equal)) {
            let diagnostic = self.unexpected_diagnostic("\"==\"");
            return Err(self.error(diagnostic.help("a definition is written name == body")));
        }
        self.expect(Tok::DefinedAs, "\"==\"")?;
        let body = self.definition_body()?;
        Ok(Definition::Macro(Macro {
            name: name.name,
            span: name.span,
            parameters,
            body,
            whole: name.span.to(self.last_span()),
        }))
    }

    /// `<file.def>`, whatever tokens the path consists of.
    fn library_file(&mut self) -> Read<Definition> {
        let open = self.span();
        let rest = &self.text[open.end as usize..];
        let line = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let Some(length) = rest[..line].find('>') else {
            let diagnostic = Diagnostic::error(&code::UNCLOSED, open, "\"<\" is never closed")
                .help("a library file is written <file.def>");
            return Err(self.error(diagnostic));
        };
        let path = Name::new(rest[..length].trim());
        let end = open.end + length as u32 + 1;
        while self.span().start < end && !self.at(Tok::Eof) {
            self.advance();
        }
        let span = base::Span::new(self.file, open.start, end);
        Ok(Definition::File(DefinitionFileRef {
            path,
            library: true,
            span,
        }))
    }

    fn definition_body(&mut self) -> Read<MacroBody> {
        let start = self.pos;
        let (exprs, presumed) = (self.tree.exprs.len(), self.presumed.len());
        let formula = self.attempt(Self::formula_body);
        if let Some(body) = formula.body {
            self.diagnostics.extend(formula.diagnostics);
            return Ok(body);
        }
        if self.stopped {
            self.diagnostics.extend(formula.diagnostics);
            return Err(Fail);
        }
        self.pos = start;
        self.tree.exprs.truncate(exprs);
        self.presumed.truncate(presumed);
        let substitution = self.attempt(Self::substitution_body);
        if let Some(body) = substitution.body {
            self.diagnostics.extend(substitution.diagnostics);
            return Ok(body);
        }
        let further = if substitution.reached > formula.reached {
            substitution
        } else {
            formula
        };
        self.diagnostics.extend(further.diagnostics);
        self.presumed.truncate(presumed);
        if !self.stopped {
            self.pos = start;
        }
        Err(Fail)
    }

    /// Runs `read` with a fresh list of diagnostics.
    fn attempt(&mut self, read: fn(&mut Self) -> Read<MacroBody>) -> Attempt {
        let outer = std::mem::take(&mut self.diagnostics);
        let mark = self.mark();
        let last_error = self.last_error.take();
        let first_error = self.first_error.take();
        let in_operations = std::mem::take(&mut self.in_operations);
        let defining = std::mem::replace(&mut self.defining, true);
        let misused = self.misused.clone();
        let body = read(self);
        let reached = self.first_error.unwrap_or(self.pos);
        let failed = self.first_error.is_some() || self.diagnostics.has_errors();
        self.first_error = first_error;
        if failed {
            self.misused = misused;
        }
        self.in_operations = in_operations;
        self.defining = defining;
        self.last_error = last_error;
        self.reset(mark);
        let diagnostics = std::mem::replace(&mut self.diagnostics, outer);
        Attempt {
            body: body.ok().filter(|_| !failed),
            reached,
            diagnostics,
        }
    }

    fn formula_body(&mut self) -> Read<MacroBody> {
        let id = self.formula(NO_COMPOSITION)?;
        if self.at_definition_end() {
            return Ok(MacroBody::Formula(id));
        }
        if self.at(Tok::Comma)
            && let ExprKind::Name(name) = *self.tree.exprs.kind(id)
        {
            let mut names = vec![Binding {
                name,
                span: self.tree.exprs.span(id),
            }];
            while self.eat(Tok::Comma) {
                names.push(self.name("a name")?);
            }
            if self.at_definition_end() {
                return Ok(MacroBody::Names(names));
            }
        }
        Err(self.after_body(Some(id)))
    }

    fn substitution_body(&mut self) -> Read<MacroBody> {
        let id = self.parallel();
        self.eat_pragma(Pragma::Desc);
        if self.at_definition_end() {
            return Ok(MacroBody::Substitution(id));
        }
        Err(self.after_body(None))
    }

    /// Reports what follows a complete body.
    fn after_body(&mut self, formula: Option<ExprId>) -> Fail {
        if self.at_definition(0) {
            let diagnostic = Diagnostic::error(
                &code::MISSING_SEPARATOR,
                self.last_span(),
                "expected \";\" between this definition and the next",
            )
            .help("definitions are separated by \";\"");
            return self.error(diagnostic);
        }
        let expected = "an operator, \";\" or a clause";
        match formula {
            Some(id) => self.unexpected_after_formula(id, expected),
            None => self.unexpected(expected),
        }
    }

    fn at_definition_end(&self) -> bool {
        self.at(Tok::Semicolon) || self.at_clause_end()
    }

    /// Whether `name ==` or `name(p, q) ==` starts `ahead` tokens on.
    fn at_definition(&self, ahead: usize) -> bool {
        if !matches!(self.tok_at(ahead), Tok::Ident | Tok::Quoted) {
            return false;
        }
        let mut at = ahead + 1;
        if self.tok_at(at) == Tok::LeftParen {
            while matches!(self.tok_at(at + 1), Tok::Ident | Tok::Quoted | Tok::Comma) {
                at += 1;
            }
            at += 2;
        }
        self.tok_at(at) == Tok::DefinedAs
    }

    /// Goes on to the `;` before the next definition, to that definition, or to the next clause.
    fn skip_definition(&mut self) {
        self.skip_to_definition();
        self.last_error = Some(self.pos);
    }

    fn skip_to_definition(&mut self) {
        let mut blocks = 0_usize;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Semicolon if self.at_definition(1) || matches!(self.tok_at(1), Tok::Str) => {
                    return;
                }
                Tok::Ident if self.at_definition(0) => return,
                Tok::Word(Word::End) if blocks == 0 => return,
                Tok::Word(Word::End) => blocks -= 1,
                Tok::Word(word) if word.opens_block() => blocks += 1,
                Tok::Word(Word::Invariant | Word::Variant) if blocks > 0 => {}
                Tok::Word(_) if self.at_clause() => return,
                Tok::Semicolon if blocks == 0 && self.clause_follows() => return,
                _ => {}
            }
            self.advance();
        }
    }

    fn clause_follows(&self) -> bool {
        matches!(self.tok_at(1), Tok::Word(word) if word.opens_clause() || word == Word::End)
    }
}
