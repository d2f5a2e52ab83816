//! Declarations and types.

use base::Diagnostic;

use super::{Fail, Parser, Read};
use crate::codes::{support, syntax as code};
use crate::lex::{Tok, Word};
use crate::syntax::{Decl, ExprKind, Ident, TypeExprId, TypeKind};

impl Parser<'_> {
    /// `const …`, `type …`, `var …`, as often as they come.
    pub(super) fn decls(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        loop {
            match self.tok() {
                Tok::Word(section @ (Word::Const | Word::Type | Word::Var)) => {
                    self.advance();
                    self.section(section, &mut decls);
                }
                _ => return decls,
            }
        }
    }

    fn section(&mut self, section: Word, decls: &mut Vec<Decl>) {
        self.semicolons();
        while self.declaration_ahead() {
            let depth = (self.nesting, self.blocks.len());
            let start = self.pos;
            match self.decl(section) {
                Ok(decl) => decls.push(decl),
                Err(Fail) => {
                    self.nesting = depth.0;
                    self.blocks.truncate(depth.1);
                    if self.pos == start {
                        self.advance();
                    }
                    self.skip_declaration();
                }
            }
            self.semicolons();
        }
    }

    /// Whether another declaration follows: a name, or a keyword that somebody took for one.
    fn declaration_ahead(&self) -> bool {
        let next = self.token_at(1).tok;
        match self.tok() {
            Tok::Name => true,
            Tok::Word(_) => matches!(next, Tok::Symbol(":" | ",")),
            _ => false,
        }
    }

    fn decl(&mut self, section: Word) -> Read<Decl> {
        let expected = match section {
            Word::Const => "the name of a constant",
            Word::Type => "the name of a type",
            _ => "the name of a variable",
        };
        let names = self.idents(expected)?;
        self.expect(
            ":",
            if section == Word::Const {
                "\":\" and a value"
            } else {
                "\":\" and a type"
            },
        )?;
        let decl = match section {
            Word::Const => Decl::Const(names, self.expr()?),
            Word::Type => Decl::Type(names, self.type_expr()?),
            _ => Decl::Var(names, self.type_expr()?),
        };
        let goes_on = self.at(";")
            || self.declaration_ahead()
            || matches!(self.tok(), Tok::Word(_) | Tok::End);
        if !goes_on {
            return Err(self.unexpected("\";\""));
        }
        Ok(decl)
    }

    /// `a, b, c`.
    pub(super) fn idents(&mut self, expected: &str) -> Read<Vec<Ident>> {
        let mut names = vec![self.ident(expected)?];
        while self.eat(",") {
            names.push(self.ident(expected)?);
        }
        Ok(names)
    }

    pub(super) fn semicolons(&mut self) -> bool {
        let mut found = false;
        while self.eat(";") {
            found = true;
        }
        found
    }

    /// Goes on behind the next `;`, or before what opens another section.
    fn skip_declaration(&mut self) {
        loop {
            match self.tok() {
                Tok::End => return,
                Tok::Symbol(";") => {
                    self.advance();
                    return;
                }
                Tok::Word(
                    Word::Const
                    | Word::Type
                    | Word::Var
                    | Word::Function
                    | Word::Procedure
                    | Word::Rule
                    | Word::Ruleset
                    | Word::Startstate
                    | Word::Invariant
                    | Word::Begin,
                ) => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// A type.
    pub(super) fn type_expr(&mut self) -> Read<TypeExprId> {
        self.open()?;
        let ty = base::deep::recurse(|| self.type_inner())?;
        self.nesting -= 1;
        Ok(ty)
    }

    fn type_inner(&mut self) -> Read<TypeExprId> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Word(Word::Enum) => {
                self.advance();
                self.enumeration()?
            }
            Tok::Word(Word::Scalarset) => {
                let open = self.builtin()?;
                let size = self.expr()?;
                self.close(")", open, "an operator")?;
                TypeKind::Scalarset(size)
            }
            Tok::Word(Word::Union) => {
                self.advance();
                self.union()?
            }
            Tok::Word(Word::Record) => {
                self.advance();
                self.open_block("record", start)?;
                self.record()?
            }
            Tok::Word(Word::Array) => {
                self.advance();
                let open = self.expect("[", "\"[\" and the type of the index")?;
                self.open()?;
                let index = self.type_expr()?;
                self.close("]", open, "\"..\"")?;
                self.expect_word(Word::Of)?;
                TypeKind::Array(index, self.type_expr()?)
            }
            Tok::Word(Word::Multiset) => {
                self.advance();
                let open = self.expect("[", "\"[\" and a size")?;
                self.open()?;
                let size = self.expr()?;
                self.close("]", open, "an operator")?;
                self.expect_word(Word::Of)?;
                TypeKind::Multiset(size, self.type_expr()?)
            }
            Tok::Word(Word::Real) => self.real()?,
            Tok::Word(_) | Tok::Symbol(";" | ")" | "]" | "}" | ",") | Tok::End => {
                return Err(self.unexpected("a type"));
            }
            _ => self.name_or_range()?,
        };
        Ok(self.type_node(kind, start.to(self.last_span())))
    }

    fn name_or_range(&mut self) -> Read<TypeKind> {
        let low = self.bound()?;
        if self.eat("..") {
            return Ok(TypeKind::Range(low, self.bound()?));
        }
        if let ExprKind::Name(name) = self.tree.exprs[low].kind {
            return Ok(TypeKind::Name(name));
        }
        Err(self.unexpected("\"..\" and the upper bound"))
    }

    fn enumeration(&mut self) -> Read<TypeKind> {
        let open = self.expect("{", "\"{\" and the members")?;
        self.open()?;
        let mut members = Vec::new();
        while !self.at("}") {
            members.push(self.ident("a member of the enumeration")?);
            if !self.eat(",") {
                break;
            }
        }
        self.close("}", open, "\",\"")?;
        Ok(TypeKind::Enum(members))
    }

    fn union(&mut self) -> Read<TypeKind> {
        let open = self.expect("{", "\"{\" and the members")?;
        self.open()?;
        let mut members = Vec::new();
        while !self.at("}") {
            members.push(self.type_expr()?);
            if !self.eat(",") {
                break;
            }
        }
        self.close("}", open, "\",\"")?;
        Ok(TypeKind::Union(members))
    }

    fn record(&mut self) -> Read<TypeKind> {
        let mut fields = Vec::new();
        self.semicolons();
        while !self.at_word(Word::End) {
            let names = self.idents("the name of a field")?;
            self.expect(":", "\":\" and a type")?;
            fields.push((names, self.type_expr()?));
            if !self.semicolons() && !self.at_word(Word::End) && self.tok() != Tok::Name {
                break;
            }
        }
        self.end()?;
        Ok(TypeKind::Record(fields))
    }

    /// `real(m, e)` is recognised and refused; reading goes on behind it.
    fn real(&mut self) -> Read<TypeKind> {
        let span = self.span();
        let diagnostic = Diagnostic::error(&support::REAL, span, "real numbers are not supported");
        self.error(diagnostic.help("scale to integers"));
        let open = self.builtin()?;
        self.expr()?;
        self.expect(",", "\",\"")?;
        self.expr()?;
        self.close(")", open, "an operator")?;
        Ok(TypeKind::Error)
    }

    /// What cannot stand at this place is named and skipped to the next section.
    pub(super) fn misplaced(&mut self, message: String) {
        self.problem(&code::MISPLACED, self.span(), message);
        self.advance();
    }
}
