//! The clauses of a component, except definitions.

use base::{Diagnostic, Name};
use lang_math::Op;

use super::{ANY_OPERATOR, NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Word};
use crate::syntax::{
    Clause, ClauseBody, Constructor, Declared, FreeType, Link, MachineRef, Operation, SetDecl,
    SetKind, Value, Visibility,
};

impl Parser<'_> {
    /// Reads a clause; `None` if nothing of it could be read.
    pub(super) fn clause(&mut self, word: Word) -> Option<Clause> {
        let keyword = self.advance();
        match self.clause_body(word) {
            Ok(body) => Some(Clause { body, keyword }),
            Err(_) => {
                self.skip_clause();
                None
            }
        }
    }

    fn clause_body(&mut self, word: Word) -> Read<ClauseBody> {
        Ok(match word {
            Word::Refines => ClauseBody::Refines(self.machine_ref()?),
            Word::Sees => self.references(Link::Sees)?,
            Word::Uses => self.references(Link::Uses)?,
            Word::Includes => self.references(Link::Includes)?,
            Word::Extends => self.references(Link::Extends)?,
            Word::Imports => self.references(Link::Imports)?,
            Word::Promotes => {
                let mut names = vec![self.dotted_name("the name of an operation")?];
                while self.eat(Tok::Comma) {
                    names.push(self.dotted_name("the name of an operation")?);
                }
                ClauseBody::Promotes(names)
            }
            Word::Constraints => ClauseBody::Constraints(self.conjuncts()),
            Word::Sets => ClauseBody::Sets(self.separated(Self::set)),
            Word::FreeTypes => ClauseBody::FreeTypes(self.separated(Self::free_type)),
            Word::Constants | Word::ConcreteConstants => {
                ClauseBody::Constants(Visibility::Concrete, self.declared()?)
            }
            Word::AbstractConstants => {
                ClauseBody::Constants(Visibility::Abstract, self.declared()?)
            }
            Word::Properties => ClauseBody::Properties(self.conjuncts()),
            Word::Values => ClauseBody::Values(self.separated(Self::value)),
            Word::Variables | Word::AbstractVariables => {
                ClauseBody::Variables(Visibility::Abstract, self.declared()?)
            }
            Word::ConcreteVariables => {
                ClauseBody::Variables(Visibility::Concrete, self.declared()?)
            }
            Word::Invariant => ClauseBody::Invariant(self.conjuncts()),
            Word::Assertions => {
                let mut predicates = vec![self.conjuncts()];
                while self.eat(Tok::Semicolon) {
                    if self.at_clause_end() {
                        break;
                    }
                    predicates.push(self.conjuncts());
                }
                ClauseBody::Assertions(predicates)
            }
            Word::Initialisation | Word::Initialization => {
                ClauseBody::Initialisation(self.sequence())
            }
            Word::Operations | Word::Events => ClauseBody::Operations(self.operations()),
            Word::LocalOperations => ClauseBody::LocalOperations(self.operations()),
            Word::Definitions => ClauseBody::Definitions(self.definitions()),
            Word::Variant => ClauseBody::Variant(self.expression(ANY_OPERATOR)?),
            _ => {
                self.skip_clause();
                ClauseBody::Unsupported(Name::new(word.text()))
            }
        })
    }

    fn references(&mut self, link: Link) -> Read<ClauseBody> {
        let mut references = vec![self.machine_ref()?];
        while self.eat(Tok::Comma) {
            references.push(self.machine_ref()?);
        }
        Ok(ClauseBody::References(link, references))
    }

    /// `inst.M(args) /*@file "path"*/`
    fn machine_ref(&mut self) -> Read<MachineRef> {
        let name = self.dotted_name("the name of a machine")?;
        let text = name.name.as_str();
        let (instance, machine) = match text.rsplit_once('.') {
            Some((instance, machine)) => (Some(Name::new(instance)), Name::new(machine)),
            None => (None, name.name),
        };
        if instance.is_some_and(|instance| instance.as_str().contains('.')) {
            let diagnostic = Diagnostic::error(
                &code::DOTTED_NAME,
                name.span,
                "the name of a machine has at most one prefix",
            )
            .help("write inst.Machine");
            return Err(self.error(diagnostic));
        }
        let arguments = if self.at(Tok::LeftParen) {
            let args = self.arguments(NO_COMPOSITION)?;
            for arg in &args {
                self.need_expression(*arg);
            }
            args.to_vec()
        } else {
            Vec::new()
        };
        let file = self.eat_pragma(Pragma::File);
        Ok(MachineRef {
            instance,
            machine,
            arguments,
            file,
            span: name.span,
        })
    }

    /// Names separated by commas, each with an optional description.
    fn declared(&mut self) -> Read<Vec<Declared>> {
        let mut names = Vec::new();
        loop {
            let name = self.name("a name")?;
            names.push(Declared {
                name: name.name,
                span: name.span,
                description: self.eat_pragma(Pragma::Desc),
            });
            if self.at(Tok::Semicolon) && matches!(self.tok_at(1), Tok::Ident | Tok::Quoted) {
                let diagnostic = self.unexpected_diagnostic("\",\" or a clause");
                self.complain(diagnostic.help("names are separated by \",\""));
                self.advance();
            } else if !self.eat(Tok::Comma) {
                return Ok(names);
            }
            if let Some(description) = self.eat_pragma(Pragma::Desc)
                && let Some(last) = names.last_mut()
            {
                last.description = Some(description);
            }
        }
    }

    /// Reads entries separated by `;`; after an error goes on at the next one.
    fn separated<T>(&mut self, entry: fn(&mut Self) -> Read<T>) -> Vec<T> {
        let mut entries = Vec::new();
        loop {
            let mark = self.mark();
            match entry(self) {
                Ok(read) => entries.push(read),
                Err(_) => {
                    self.names_lost = true;
                    self.reset(mark);
                    while !matches!(self.tok(), Tok::Semicolon) && !self.at_clause_end() {
                        self.advance();
                    }
                }
            }
            if !self.at(Tok::Semicolon) {
                return entries;
            }
            let semicolon = self.advance();
            if self.at_clause_end() {
                self.superfluous(semicolon);
                return entries;
            }
        }
    }

    fn set(&mut self) -> Read<SetDecl> {
        let name = self.dotted_name("the name of a set")?;
        let kind = if !self.eat(Tok::Op(Op::Equal)) {
            SetKind::Deferred
        } else if self.at(Tok::LeftBrace) {
            let open = self.advance();
            self.enter()?;
            let elements = self.names("the name of an element")?;
            self.close(Tok::RightBrace, open, "\",\" or \"}\"")?;
            SetKind::Enumerated(elements)
        } else {
            SetKind::FromDefinition(self.name("\"{\"")?)
        };
        let description = self.eat_pragma(Pragma::Desc);
        if !self.at(Tok::Semicolon) && !self.at_clause_end() {
            let diagnostic = self.unexpected_diagnostic("\";\" or a clause");
            let diagnostic = match self.tok() {
                Tok::Comma => diagnostic.help("sets are separated by \";\""),
                _ => diagnostic,
            };
            return Err(self.error(diagnostic));
        }
        Ok(SetDecl {
            name: name.name,
            span: name.span,
            kind,
            description,
        })
    }

    fn free_type(&mut self) -> Read<FreeType> {
        let name = self.name("the name of a free type")?;
        let parameters = if self.at(Tok::LeftParen) {
            self.names_in_parentheses("a type parameter")?
        } else {
            Vec::new()
        };
        self.expect(Tok::Op(Op::Equal), "\"=\"")?;
        let mut constructors = Vec::new();
        loop {
            let constructor = self.name("the name of a constructor")?;
            let argument = if self.at(Tok::LeftParen) {
                let open = self.advance();
                self.enter()?;
                let argument = self.expression(ANY_OPERATOR)?;
                self.close(Tok::RightParen, open, "\")\"")?;
                Some(argument)
            } else {
                None
            };
            constructors.push(Constructor {
                name: constructor.name,
                span: constructor.span,
                argument,
            });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(FreeType {
            name: name.name,
            span: name.span,
            parameters,
            constructors,
        })
    }

    fn value(&mut self) -> Read<Value> {
        let name = self.dotted_name("a constant or set")?;
        self.expect(Tok::Op(Op::Equal), "\"=\"")?;
        let value = self.expression(NO_COMPOSITION)?;
        Ok(Value { name, value })
    }

    /// Operations separated by `;`.
    fn operations(&mut self) -> Vec<Operation> {
        self.in_operations = true;
        let mut operations = Vec::new();
        loop {
            let mark = self.mark();
            match self.operation() {
                Ok(operation) => operations.push(operation),
                Err(_) => {
                    self.names_lost = true;
                    let start = self.span();
                    self.skip_statement(mark, start);
                }
            }
            if self.at(Tok::Semicolon) {
                let semicolon = self.advance();
                if self.at_clause_end() {
                    self.superfluous(semicolon);
                    break;
                }
            } else if self.at_operation(0) {
                let diagnostic = Diagnostic::error(
                    &code::MISSING_SEPARATOR,
                    self.last_span(),
                    "expected \";\" between this operation and the next",
                )
                .help("operations are separated by \";\"");
                self.error(diagnostic);
            } else {
                break;
            }
        }
        self.in_operations = false;
        operations
    }

    /// `r <-- name(p) ref abstract = S`
    fn operation(&mut self) -> Read<Operation> {
        let first = self.dotted_name("the name of an operation")?;
        let mut results = Vec::new();
        let mut name = first;
        if matches!(self.tok(), Tok::Comma | Tok::Results) {
            results.push(first);
            while self.eat(Tok::Comma) {
                results.push(self.name("a result")?);
            }
            self.expect(Tok::Results, "\",\" or \"<--\"")?;
            name = self.dotted_name("the name of an operation")?;
        }
        let parameters = if self.at(Tok::LeftParen) {
            if self.tok_at(1) == Tok::RightParen {
                let span = self.span().to(self.span_of(self.token_at(1)));
                let diagnostic =
                    Diagnostic::error(&code::EMPTY, span, "nothing stands between \"(\" and \")\"")
                        .help("an operation without parameters has no parentheses");
                return Err(self.error(diagnostic));
            }
            self.names_in_parentheses("a parameter")?
        } else {
            Vec::new()
        };
        let refines = if self.at(Tok::Ident) && self.text_of(self.token_at(0)) == "ref" {
            self.advance();
            Some(self.dotted_name("the name of the refined operation")?)
        } else {
            None
        };
        if matches!(
            self.tok(),
            Tok::DefinedAs | Tok::Assign | Tok::BecomesElement
        ) {
            let help = match self.tok() {
                Tok::DefinedAs => "an operation is written name = S",
                _ => {
                    "\";\" ends an operation; put a sequence between BEGIN and END, or join with \"||\""
                }
            };
            let diagnostic = self.unexpected_diagnostic("\"=\"");
            return Err(self.error(diagnostic.help(help)));
        }
        self.expect(Tok::Op(Op::Equal), "\"=\"")?;
        let body = self.parallel();
        let description = self.eat_pragma(Pragma::Desc);
        Ok(Operation {
            name: name.name,
            span: name.span,
            results,
            parameters,
            refines,
            body,
            description,
        })
    }
}
