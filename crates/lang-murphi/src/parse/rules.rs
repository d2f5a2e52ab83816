//! The program: declarations, functions, rules, start states, properties and the blocks around them.

use base::{Diagnostic, Span};

use super::{Fail, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Tok, Word};
use crate::syntax::{Item, Property, PropertyKind, Rule, SimpleRule, StartState};

/// Keywords with which rules begin.
const RULES: &[Word] = &[
    Word::Rule,
    Word::Ruleset,
    Word::Startstate,
    Word::Invariant,
    Word::Assert,
    Word::Assume,
    Word::Cover,
    Word::Liveness,
    Word::Alias,
    Word::Choose,
];

impl Parser<'_> {
    /// The whole text.
    pub(super) fn program(&mut self) {
        if self.tok() == Tok::End && !self.diagnostics.has_errors() {
            self.problem(
                &code::EMPTY_FILE,
                self.span(),
                "there is no program in this file".to_string(),
            );
        }
        loop {
            self.semicolons();
            match self.tok() {
                Tok::End => return,
                Tok::Word(Word::Const | Word::Type | Word::Var) => {
                    let decls = self.decls();
                    self.tree.items.extend(decls.into_iter().map(Item::Decl));
                }
                Tok::Word(Word::Function | Word::Procedure) => match self.routine() {
                    Ok(routine) => self.tree.items.push(Item::Routine(routine)),
                    Err(Fail) => self.skip_to_section(),
                },
                Tok::Word(word @ (Word::Externfun | Word::Externproc | Word::Pctl)) => {
                    self.unsupported(word);
                }
                Tok::Word(word) if RULES.contains(&word) => match self.rule() {
                    Ok(rule) => self.tree.items.push(Item::Rule(rule)),
                    Err(Fail) => self.skip_to_section(),
                },
                Tok::Word(Word::End) => {
                    // After another error it probably belongs to what could not be read.
                    if !self.diagnostics.has_errors() {
                        self.error(Diagnostic::error(
                            &code::UNOPENED_END,
                            self.span(),
                            "this end closes nothing",
                        ));
                    }
                    self.advance();
                }
                _ => {
                    self.unexpected("a declaration or a rule");
                    self.advance();
                    self.skip_to_section();
                }
            }
        }
    }

    /// Goes on where an item of the outermost level begins.
    fn skip_to_section(&mut self) {
        self.nesting = 0;
        self.blocks.clear();
        let mut first = true;
        loop {
            match self.tok() {
                Tok::End => return,
                Tok::Word(
                    Word::Rule
                    | Word::Ruleset
                    | Word::Startstate
                    | Word::Invariant
                    | Word::Liveness
                    | Word::Function
                    | Word::Procedure
                    | Word::Const
                    | Word::Type
                    | Word::Choose,
                ) if !first => return,
                Tok::Word(Word::Function | Word::Procedure) => return,
                _ => {}
            }
            first = false;
            self.advance();
        }
    }

    /// A rule or a block of rules.
    fn rule(&mut self) -> Read<Rule> {
        base::deep::recurse(|| self.rule_inner())
    }

    fn rule_inner(&mut self) -> Read<Rule> {
        let start = self.span();
        match self.tok() {
            Tok::Word(Word::Rule) => self.simple_rule(start),
            Tok::Word(Word::Startstate) => self.start_state(start),
            Tok::Word(Word::Invariant | Word::Assert) => {
                self.property(PropertyKind::Invariant, start)
            }
            Tok::Word(Word::Assume) => self.property(PropertyKind::Assume, start),
            Tok::Word(Word::Cover) => self.property(PropertyKind::Cover, start),
            Tok::Word(Word::Liveness) => self.property(PropertyKind::Liveness, start),
            Tok::Word(Word::Ruleset) => {
                self.advance();
                self.open_block("ruleset", start)?;
                let mut binders = vec![self.binder()?];
                while self.semicolons() && !self.at_word(Word::Do) {
                    binders.push(self.binder()?);
                }
                self.expect_word(Word::Do)?;
                Ok(Rule::Ruleset(binders, self.rules()?))
            }
            Tok::Word(Word::Alias) => {
                self.advance();
                self.open_block("alias", start)?;
                let aliases = self.aliases()?;
                Ok(Rule::Alias(aliases, self.rules()?))
            }
            _ => {
                self.advance();
                self.open_block("choose", start)?;
                let ident = self.ident("the name of an element")?;
                self.expect(":", "\":\" and a multiset")?;
                let place = self.expr()?;
                self.semicolons();
                self.expect_word(Word::Do)?;
                Ok(Rule::Choose(ident, place, self.rules()?))
            }
        }
    }

    /// Rules up to the end of their block.
    fn rules(&mut self) -> Read<Vec<Rule>> {
        let mut rules = Vec::new();
        loop {
            self.semicolons();
            if self.at_any(&[
                Word::Function,
                Word::Procedure,
                Word::Const,
                Word::Type,
                Word::Var,
            ]) {
                let found = self.text_at(self.span()).to_string();
                self.misplaced(format!("\"{found}\" cannot stand inside a block of rules"));
                return Err(Fail);
            }
            if !self.at_any(RULES) {
                break;
            }
            rules.push(self.rule()?);
        }
        self.end()?;
        Ok(rules)
    }

    fn simple_rule(&mut self, start: Span) -> Read<Rule> {
        self.advance();
        self.open_block("rule", start)?;
        let priority = self.priority();
        let name = self.text();
        let span = start.to(self.last_span());
        let guard = self.guard()?;
        let decls = self.decls();
        self.eat_word(Word::Begin);
        let body = self.stmts();
        self.end()?;
        Ok(Rule::Simple(SimpleRule {
            name,
            priority,
            guard,
            decls,
            body,
            span,
        }))
    }

    /// The number of `rule 10 "name"`; a number that begins a guard is none.
    fn priority(&mut self) -> Option<i64> {
        let follows = matches!(
            self.token_at(1).tok,
            Tok::Text
                | Tok::Name
                | Tok::Symbol("(" | "!")
                | Tok::Word(Word::Begin | Word::Var | Word::Const | Word::Type)
        );
        if self.tok() != Tok::Number || !follows {
            return None;
        }
        let value = self.text_at(self.span()).parse().ok()?;
        self.advance();
        Some(value)
    }

    /// `e ==>`; a rule without guard begins with declarations, `begin` or a statement.
    fn guard(&mut self) -> Read<Option<crate::syntax::ExprId>> {
        let can_begin = matches!(
            self.tok(),
            Tok::Name
                | Tok::Number
                | Tok::Real
                | Tok::Symbol("(" | "!" | "-" | "~" | "+")
                | Tok::Word(
                    Word::Forall
                        | Word::Exists
                        | Word::IsUndefined
                        | Word::IsMember
                        | Word::MultisetCount
                )
        );
        if self.eat("==>") || !can_begin {
            return Ok(None);
        }
        let place = (
            self.pos,
            self.nesting,
            self.blocks.len(),
            self.tree.exprs.len(),
            self.tree.types.len(),
        );
        if self.tok() == Tok::Name {
            self.trying = true;
            let attempt = self.postfix_expr();
            self.trying = false;
            let statement = attempt.is_ok() && (self.at(":=") || self.at(";"));
            if self.stopped {
                return Err(Fail);
            }
            self.pos = place.0;
            self.nesting = place.1;
            self.blocks.truncate(place.2);
            self.tree.exprs.truncate(place.3);
            self.tree.types.truncate(place.4);
            if statement {
                return Ok(None);
            }
        }
        let guard = self.expr()?;
        self.expect("==>", "\"==>\"")?;
        Ok(Some(guard))
    }

    fn start_state(&mut self, start: Span) -> Read<Rule> {
        self.advance();
        self.open_block("startstate", start)?;
        let name = self.text();
        let span = start.to(self.last_span());
        let decls = self.decls();
        self.eat_word(Word::Begin);
        let body = self.stmts();
        self.end()?;
        Ok(Rule::Start(StartState {
            name,
            decls,
            body,
            span,
        }))
    }

    fn property(&mut self, kind: PropertyKind, start: Span) -> Read<Rule> {
        let (expr, name) = self.property_stmt()?;
        let span = start.to(self.last_span());
        let goes_on = matches!(self.tok(), Tok::Symbol(";") | Tok::Word(_) | Tok::End);
        if !goes_on {
            return Err(self.unexpected("\";\" or an operator"));
        }
        Ok(Rule::Property(Property {
            kind,
            name,
            expr,
            span,
        }))
    }
}
