//! Statements and functions.

use base::{Diagnostic, Span};

use super::{Fail, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Tok, Word};
use crate::syntax::{Alias, ExprId, ExprKind, Parameter, Routine, Stmt, StmtKind, Text};

/// Keywords that end a list of statements.
const CLOSERS: &[Word] = &[Word::End, Word::Else, Word::Elsif, Word::Case];

/// Keywords that no statement contains: a list of statements that meets one lacks its end.
const SECTIONS: &[Word] = &[
    Word::Rule,
    Word::Ruleset,
    Word::Startstate,
    Word::Invariant,
    Word::Liveness,
    Word::Function,
    Word::Procedure,
    Word::Const,
    Word::Type,
    Word::Var,
    Word::Choose,
];

impl Parser<'_> {
    /// Statements up to what closes them; a statement that cannot be read is reported and skipped.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        self.semicolons();
        while !self.stmts_end() {
            let start = self.span();
            let depth = (self.nesting, self.blocks.len());
            match base::deep::recurse(|| self.stmt()) {
                Ok(kind) => {
                    let span = start.to(self.last_span());
                    stmts.push(Stmt { kind, span });
                    if !self.semicolons() && !self.stmts_end() {
                        self.unexpected("\";\" or \"end\"");
                        self.resume(depth);
                    }
                }
                Err(Fail) => {
                    stmts.push(Stmt {
                        kind: StmtKind::Error,
                        span: start,
                    });
                    self.resume(depth);
                }
            }
        }
        stmts
    }

    fn stmts_end(&self) -> bool {
        self.tok() == Tok::End || self.at_any(CLOSERS) || self.at_any(SECTIONS)
    }

    /// Skips to the next statement of the list whose depth is given; blocks opened on the way are skipped whole.
    fn resume(&mut self, depth: (usize, usize)) {
        let mut inner = self.blocks.len().saturating_sub(depth.1);
        self.nesting = depth.0;
        self.blocks.truncate(depth.1);
        loop {
            match self.tok() {
                Tok::End => return,
                Tok::Word(Word::End) if inner == 0 => return,
                Tok::Word(Word::End) => inner -= 1,
                Tok::Word(Word::Else | Word::Elsif | Word::Case) if inner == 0 => return,
                Tok::Word(
                    Word::If
                    | Word::Switch
                    | Word::For
                    | Word::While
                    | Word::Alias
                    | Word::Forall
                    | Word::Exists
                    | Word::Record,
                ) => inner += 1,
                Tok::Word(word) if SECTIONS.contains(&word) && word != Word::Rule => return,
                Tok::Word(Word::Rule) => return,
                Tok::Symbol(";") if inner == 0 => {
                    self.semicolons();
                    return;
                }
                _ => {}
            }
            self.advance();
        }
    }

    // Long: one arm for each word that begins a statement.
    fn stmt(&mut self) -> Read<StmtKind> {
        let Tok::Word(word) = self.tok() else {
            return self.assignment_or_call();
        };
        let start = self.span();
        match word {
            Word::If => self.if_stmt(start),
            Word::Switch => self.switch(start),
            Word::For => {
                self.advance();
                self.open_block("for", start)?;
                let binder = Box::new(self.binder()?);
                self.expect_word(Word::Do)?;
                let body = self.stmts();
                self.end()?;
                Ok(StmtKind::For(binder, body))
            }
            Word::While => {
                self.advance();
                self.open_block("while", start)?;
                let condition = self.expr()?;
                self.expect_word(Word::Do)?;
                let body = self.stmts();
                self.end()?;
                Ok(StmtKind::While(condition, body))
            }
            Word::Alias => {
                self.advance();
                self.open_block("alias", start)?;
                let aliases = self.aliases()?;
                let body = self.stmts();
                self.end()?;
                Ok(StmtKind::Alias(aliases, body))
            }
            Word::Return => {
                self.advance();
                let empty = self.at(";") || self.stmts_end();
                Ok(StmtKind::Return(if empty {
                    None
                } else {
                    Some(self.expr()?)
                }))
            }
            Word::Assert => self
                .property_stmt()
                .map(|(expr, text)| StmtKind::Assert(expr, text)),
            Word::Assume => self
                .property_stmt()
                .map(|(expr, text)| StmtKind::Assume(expr, text)),
            Word::Cover => self
                .property_stmt()
                .map(|(expr, text)| StmtKind::Cover(expr, text)),
            Word::Error => {
                self.advance();
                match self.text() {
                    Some(text) => Ok(StmtKind::Fail(text)),
                    None => Err(self.unexpected("a string")),
                }
            }
            Word::Put => {
                self.advance();
                match self.text() {
                    Some(text) => Ok(StmtKind::PutText(text)),
                    None => Ok(StmtKind::Put(self.expr()?)),
                }
            }
            Word::Clear => {
                self.advance();
                Ok(StmtKind::Clear(self.expr()?))
            }
            Word::Undefine => {
                self.advance();
                Ok(StmtKind::Undefine(self.expr()?))
            }
            Word::MultisetAdd | Word::MultisetRemove => self.multiset(word),
            Word::MultisetRemovePred => {
                let (ident, place, condition) = self.over_multiset()?;
                Ok(StmtKind::MultisetRemovePred(ident, place, condition))
            }
            _ => Err(self.unexpected("a statement")),
        }
    }

    fn multiset(&mut self, word: Word) -> Read<StmtKind> {
        let open = self.builtin()?;
        let first = self.expr()?;
        self.expect(",", "\",\" and a multiset")?;
        let place = self.expr()?;
        self.close(")", open, "an operator")?;
        Ok(match word {
            Word::MultisetAdd => StmtKind::MultisetAdd(first, place),
            _ => StmtKind::MultisetRemove(first, place),
        })
    }

    fn assignment_or_call(&mut self) -> Read<StmtKind> {
        if self.tok() != Tok::Name {
            return Err(self.unexpected("a statement"));
        }
        let misspelt = self.text_at(self.span()).eq_ignore_ascii_case("elseif");
        if misspelt && !matches!(self.token_at(1).tok, Tok::Symbol(":=")) {
            let diagnostic = Diagnostic::error(
                &code::ELSIF,
                self.span(),
                "a further condition is \"elsif\"",
            );
            return Err(self.error(diagnostic.help("write elsif")));
        }
        let target = self.postfix_expr()?;
        if self.eat(":=") {
            return Ok(StmtKind::Assign(target, self.expr()?));
        }
        if self.at("=") || self.at("==") {
            let diagnostic = Diagnostic::error(
                &code::ASSIGN_EXPECTED,
                self.span(),
                "\"=\" compares and does not assign",
            );
            return Err(self.error(diagnostic.help("write :=")));
        }
        if matches!(self.tree.exprs[target].kind, ExprKind::Call(..)) {
            return Ok(StmtKind::Call(target));
        }
        Err(self.unexpected("\":=\""))
    }

    fn if_stmt(&mut self, start: Span) -> Read<StmtKind> {
        self.advance();
        self.open_block("if", start)?;
        let mut branches = Vec::new();
        loop {
            let condition = self.expr()?;
            self.expect_word(Word::Then)?;
            branches.push((condition, self.stmts()));
            if !self.eat_word(Word::Elsif) {
                break;
            }
        }
        let otherwise = if self.eat_word(Word::Else) {
            self.stmts()
        } else {
            Vec::new()
        };
        self.end()?;
        Ok(StmtKind::If(branches, otherwise))
    }

    fn switch(&mut self, start: Span) -> Read<StmtKind> {
        self.advance();
        self.open_block("switch", start)?;
        let value = self.expr()?;
        self.semicolons();
        let mut cases = Vec::new();
        while self.eat_word(Word::Case) {
            let mut labels = vec![self.expr()?];
            while self.eat(",") {
                labels.push(self.expr()?);
            }
            self.expect(":", "\":\" and statements")?;
            cases.push((labels, self.stmts()));
        }
        let otherwise = if self.eat_word(Word::Else) {
            self.eat(":");
            self.stmts()
        } else {
            Vec::new()
        };
        self.end()?;
        Ok(StmtKind::Switch(value, cases, otherwise))
    }

    /// `a: e; b: e do`, after the keyword.
    pub(super) fn aliases(&mut self) -> Read<Vec<Alias>> {
        let mut aliases = Vec::new();
        loop {
            let ident = self.ident("the name of an alias")?;
            self.expect(":", "\":\" and what it stands for")?;
            aliases.push(Alias {
                ident,
                value: self.expr()?,
            });
            self.semicolons();
            if self.tok() != Tok::Name || self.token_at(1).tok != Tok::Symbol(":") {
                break;
            }
        }
        self.expect_word(Word::Do)?;
        Ok(aliases)
    }

    /// `assert "text" e`, `assert e "text"`.
    pub(super) fn property_stmt(&mut self) -> Read<(ExprId, Option<Text>)> {
        self.advance();
        let before = self.text();
        let expr = self.expr()?;
        let text = before.or_else(|| self.text());
        Ok((expr, text))
    }

    /// A function or procedure.
    pub(super) fn routine(&mut self) -> Read<Routine> {
        let is_function = self.at_word(Word::Function);
        let start = self.advance();
        self.open_block(if is_function { "function" } else { "procedure" }, start)?;
        let ident = self.ident("the name of a function or procedure")?;
        let parameters = if self.at("(") {
            self.parameters()?
        } else {
            Vec::new()
        };
        let result = if is_function {
            self.expect(":", "\":\" and the type of the result")?;
            Some(self.type_expr()?)
        } else {
            None
        };
        self.semicolons();
        let decls = self.decls();
        self.eat_word(Word::Begin);
        let body = self.stmts();
        let end = self.end()?;
        Ok(Routine {
            ident,
            parameters,
            result,
            decls,
            body,
            span: start.to(end),
        })
    }

    fn parameters(&mut self) -> Read<Vec<Parameter>> {
        let open = self.advance();
        self.open()?;
        let mut parameters = Vec::new();
        self.semicolons();
        while !self.at(")") {
            let is_var = self.eat_word(Word::Var);
            let idents = self.idents("the name of a parameter")?;
            self.expect(":", "\":\" and a type")?;
            parameters.push(Parameter {
                is_var,
                idents,
                ty: self.type_expr()?,
            });
            if !self.semicolons() && self.tok() != Tok::Name && !self.at_word(Word::Var) {
                break;
            }
        }
        self.close(")", open, "\";\"")?;
        Ok(parameters)
    }
}
