//! What a file is: its header, its clauses in order, its END.

use base::{Diagnostic, Name, Span};

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, Word};
use crate::syntax::{
    Clause, ClauseBody, Component, ComponentKind, FilePragma, FilePragmaKind, Tree,
};

impl Parser<'_> {
    /// Reads the whole file; the tree is moved in by the caller.
    pub(super) fn component(&mut self) -> Component {
        let whole = Span::new(self.file, 0, self.text.len() as u32);
        let mut component = Component {
            kind: ComponentKind::Machine,
            name: Name::new(""),
            name_span: whole.before(),
            parameters: Vec::new(),
            clauses: Vec::new(),
            pragmas: self.file_pragmas(),
            tree: Tree::default(),
            span: whole,
        };
        let opening = self.span();
        let kind = match self.tok() {
            Tok::Word(Word::Machine) => ComponentKind::Machine,
            Tok::Word(Word::Model) => ComponentKind::Model,
            Tok::Word(Word::System) => ComponentKind::System,
            Tok::Word(Word::Refinement) => ComponentKind::Refinement,
            Tok::Word(Word::Implementation) => ComponentKind::Implementation,
            Tok::Word(Word::Definitions) => {
                component.kind = ComponentKind::DefinitionFile;
                self.definition_file(&mut component);
                return component;
            }
            _ => {
                self.no_component();
                return component;
            }
        };
        component.kind = kind;
        self.advance();
        if self.header(&mut component).is_err() {
            self.skip_clause();
        }
        self.clauses(&mut component, opening);
        // What is missing is only known where all of the text could be read.
        let complete = !self.diagnostics.has_errors();
        self.check_clauses(&component);
        if complete {
            self.check_needed(&component, opening);
            self.check_presumed(&component);
        }
        component
    }

    fn file_pragmas(&mut self) -> Vec<FilePragma> {
        let mut pragmas = Vec::new();
        while let Tok::Pragma(pragma) = self.tok() {
            let span = self.span();
            let Some(text) = self.eat_pragma(pragma) else {
                break;
            };
            let kind = match pragma {
                Pragma::Package => FilePragmaKind::Package(text),
                Pragma::ImportPackage => FilePragmaKind::ImportPackage(text),
                Pragma::Generated => FilePragmaKind::Generated,
                _ => continue,
            };
            pragmas.push(FilePragma { kind, span });
        }
        pragmas
    }

    fn no_component(&mut self) {
        self.names_lost = true;
        let expected = "MACHINE, REFINEMENT, IMPLEMENTATION, MODEL, SYSTEM or DEFINITIONS";
        if self.at(Tok::Eof) {
            let diagnostic = Diagnostic::error(
                &code::EMPTY_FILE,
                self.span(),
                format!("the file is empty, expected {expected}"),
            );
            self.error(diagnostic);
            return;
        }
        let found = self.describe(self.token_at(0));
        let mut diagnostic = Diagnostic::error(
            &code::NO_COMPONENT,
            self.span(),
            format!("found {found}, expected {expected}"),
        );
        let text = self.text_of(self.token_at(0)).to_ascii_uppercase();
        if let Some(near) = base::near::nearest(
            &text,
            ["MACHINE", "REFINEMENT", "IMPLEMENTATION", "MODEL", "SYSTEM"],
        )
        .filter(|_| self.at(Tok::Ident))
        {
            diagnostic = diagnostic.help(format!("did you mean {near}?")).fix(near);
        } else if self.at(Tok::Ident) && Word::from_text(&text) == Some(Word::Machine) {
            diagnostic = diagnostic.help("keywords are written in capitals: MACHINE");
        }
        self.error(diagnostic);
    }

    /// `name(p, q)` after the keyword.
    fn header(&mut self, component: &mut Component) -> Read<()> {
        let name = self.name("the name of the component")?;
        component.name = name.name;
        component.name_span = name.span;
        if self.at(Tok::LeftParen) {
            component.parameters = self.names_in_parentheses("a parameter")?;
        }
        if !self.at_clause_end() && self.misspelt_clause(0).is_none() {
            let diagnostic = self.unexpected_diagnostic("a clause or END");
            return Err(self.error(diagnostic));
        }
        Ok(())
    }

    /// Reads clauses up to the END of the component and the end of the text.
    fn clauses(&mut self, component: &mut Component, opening: Span) {
        loop {
            if let Some(word) = self.clause_word() {
                if let Some(clause) = self.clause(word) {
                    component.clauses.push(clause);
                }
                self.end_of_clause(word);
                continue;
            }
            if self.at_word(Word::End) {
                self.advance();
                if !self.at(Tok::Eof) {
                    self.text_after_end(opening);
                }
                return;
            }
            if self.at(Tok::Eof) {
                let diagnostic = Diagnostic::error(
                    &code::MISSING_END,
                    self.span(),
                    "found the end of the text, expected END of the component",
                )
                .also(opening, "opened here");
                let diagnostic = self.stolen_end(diagnostic);
                self.names_lost = true;
                self.error(diagnostic);
                return;
            }
            self.unexpected("a clause or END");
            self.advance();
            self.skip_clause();
        }
    }

    /// Points at a block that was closed by an END which looks like that of the component.
    fn stolen_end(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some((word, opened, end)) = self.closed else {
            return diagnostic;
        };
        let indent = |at: Span| {
            let before = &self.text[..at.start as usize];
            let line = &before[before.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
            line.len() - line.trim_start().len()
        };
        if indent(end) >= indent(opened) {
            return diagnostic;
        }
        let word = word.text();
        diagnostic
            .also(opened, format!("this {word} has no END of its own"))
            .also(end, format!("so this END closes the {word}"))
            .help(format!("close the {word} with END"))
    }

    /// The clause that starts here; a misspelt keyword is reported and taken for what it resembles.
    fn clause_word(&mut self) -> Option<Word> {
        if let Tok::Word(word) = self.tok() {
            return word.opens_clause().then_some(word);
        }
        let word = self.misspelt_clause(0)?;
        let found = self.describe(self.token_at(0));
        let diagnostic = Diagnostic::error(
            &code::UNKNOWN_CLAUSE,
            self.span(),
            format!("found {found}, expected a clause"),
        )
        .help(format!("did you mean {}?", word.text()))
        .fix(word.text());
        self.error(diagnostic);
        Some(word)
    }

    /// Reports what stands between the end of a clause and the next one.
    fn end_of_clause(&mut self, word: Word) {
        if self.at_clause_end() || self.misspelt_clause(0).is_some() {
            return;
        }
        let diagnostic = self.unexpected_diagnostic("a clause or END");
        let diagnostic = match self.tok() {
            Tok::Semicolon if word.lists_names() => diagnostic.help("names are separated by \",\""),
            Tok::Semicolon => diagnostic.help(
                "predicates are joined by \"&\"; relations are composed in parentheses: (r ; s)",
            ),
            _ => diagnostic,
        };
        self.error(diagnostic);
        self.advance();
        self.skip_clause();
    }

    fn text_after_end(&mut self, opening: Span) {
        self.names_lost = true;
        let found = self.describe(self.token_at(0));
        let diagnostic = Diagnostic::error(
            &code::TEXT_AFTER_END,
            self.span(),
            format!("found {found} after the END of the component"),
        )
        .also(opening, "opened here")
        .help("one file holds one component; is there an END too many?");
        self.error(diagnostic);
    }

    /// `DEFINITIONS …` by itself, where the text just ends.
    fn definition_file(&mut self, component: &mut Component) {
        let keyword = self.advance();
        let body = ClauseBody::Definitions(self.definitions());
        component.clauses.push(Clause { body, keyword });
        self.no_definition_twice(component);
        let ended = self.at_word(Word::End) && self.tok_at(1) == Tok::Eof;
        if !ended && !self.at(Tok::Eof) {
            self.unexpected("a definition or the end of the file");
        }
    }
}
