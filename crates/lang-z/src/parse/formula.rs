//! Connectives, quantifiers and relations.

use base::Span;

use super::{Parsed, Parser, placed};
use crate::lex::{Key, Tok};
use crate::ops::{Infix, Prefix};
use crate::tree::{Connective, Fix, Ident, Quantifier, SchemaOp, TermId, TermKind};

/// Levels of what connects formulas; a bigger one binds tighter.
const PIPE: u8 = 1;
const SEMI: u8 = 2;
const HIDE: u8 = 3;
const PROJECT: u8 = 4;
const IFF: u8 = 5;
const IMPLIES: u8 = 6;
const OR: u8 = 7;
const AND: u8 = 8;

impl Parser<'_> {
    /// Formulas on several lines are a conjunction that binds most weakly.
    pub(super) fn lines(&mut self) -> Parsed<TermId> {
        let mut left = self.formula()?;
        loop {
            let separated = *self.peek() == Tok::Newline || self.is(Key::Semicolon);
            if !separated || !self.line_follows() {
                return Ok(left);
            }
            self.advance();
            let right = self.formula()?;
            left = self.connect(Connective::And, left, right);
        }
    }

    /// Whether another predicate follows the line break here.
    fn line_follows(&self) -> bool {
        !matches!(
            self.peek_at(1),
            Tok::End
                | Tok::Newline
                | Tok::Key(Key::Where | Key::RParen | Key::RBracket | Key::RBrace)
        )
    }

    /// An expression, predicate or schema expression.
    pub(super) fn formula(&mut self) -> Parsed<TermId> {
        self.deeper(|parser| parser.connected(0))
    }

    fn connect(&mut self, connective: Connective, left: TermId, right: TermId) -> TermId {
        let span = self.term_span(left).to(self.term_span(right));
        self.term(TermKind::Connect(connective, left, right), span)
    }

    fn connected(&mut self, least: u8) -> Parsed<TermId> {
        let mut left = self.unary()?;
        loop {
            let Tok::Key(key) = *self.peek() else {
                return Ok(left);
            };
            let (level, right_assoc) = match key {
                Key::Iff => (IFF, false),
                Key::Implies => (IMPLIES, true),
                Key::Or => (OR, false),
                Key::And => (AND, false),
                // In the standard these are part of expressions and bind tighter.
                Key::Pipe if !self.dialect.is_iso() => (PIPE, false),
                Key::Semi if !self.dialect.is_iso() => (SEMI, false),
                Key::Hide if !self.dialect.is_iso() => (HIDE, false),
                Key::Project if !self.dialect.is_iso() => (PROJECT, false),
                _ => return Ok(left),
            };
            if level < least {
                return Ok(left);
            }
            self.advance();
            if key == Key::Hide {
                left = self.hidden(left)?;
                continue;
            }
            let next = if right_assoc { level } else { level + 1 };
            let right = self.deeper(|parser| parser.connected(next))?;
            let span = self.term_span(left).to(self.term_span(right));
            let kind = match key {
                Key::Iff => TermKind::Connect(Connective::Iff, left, right),
                Key::Implies => TermKind::Connect(Connective::Implies, left, right),
                Key::Or => TermKind::Connect(Connective::Or, left, right),
                Key::And => TermKind::Connect(Connective::And, left, right),
                Key::Pipe => TermKind::SchemaOp(SchemaOp::Pipe, left, right),
                Key::Semi => TermKind::SchemaOp(SchemaOp::Compose, left, right),
                _ => TermKind::SchemaOp(SchemaOp::Project, left, right),
            };
            left = self.term(kind, span);
        }
    }

    /// The names after `⧹`.
    pub(super) fn hidden(&mut self, schema: TermId) -> Parsed<TermId> {
        let open = self.span();
        self.expect(Key::LParen, "`(` and the hidden names")?;
        let mut names = vec![self.ident("a name")?];
        while self.eat(Key::Comma) {
            names.push(self.ident("a name")?);
        }
        self.close(Key::RParen, "`)`", open)?;
        let span = self.term_span(schema).to(self.last_span());
        Ok(self.term(TermKind::Hide(schema, names), span))
    }

    fn unary(&mut self) -> Parsed<TermId> {
        let start = self.span();
        let quantifier = match self.peek() {
            Tok::Key(Key::Not) => {
                self.advance();
                let inner = self.deeper(Parser::unary)?;
                let span = start.to(self.term_span(inner));
                return Ok(self.term(TermKind::Not(inner), span));
            }
            Tok::Key(Key::Pre) if !self.dialect.is_iso() => {
                self.advance();
                let inner = self.deeper(Parser::unary)?;
                let span = start.to(self.term_span(inner));
                return Ok(self.term(TermKind::Pre(inner), span));
            }
            Tok::Key(Key::Forall) => Quantifier::Forall,
            Tok::Key(Key::Exists) => Quantifier::Exists,
            Tok::Key(Key::ExistsOne) => Quantifier::ExistsOne,
            _ => return self.relation(),
        };
        self.advance();
        let text = self.schema_text()?;
        self.expect(Key::Spot, "`@` and what is quantified")?;
        let body = self.formula()?;
        let span = start.to(self.term_span(body));
        Ok(self.term(TermKind::Quantify(quantifier, text, body), span))
    }

    /// Expressions with relations between them.
    fn relation(&mut self) -> Parsed<TermId> {
        if let Tok::Word(word) = *self.peek()
            && self.ops.prefix(word) == Some(Prefix::Relation)
        {
            let span = self.span();
            self.advance();
            let operand = self.expression()?;
            let name = Ident {
                name: placed(word, Fix::Prefix),
                span,
            };
            let whole = span.to(self.term_span(operand));
            return Ok(self.term(TermKind::Relation(name, Fix::Prefix, vec![operand]), whole));
        }
        let first = self.expression()?;
        let mut relations = Vec::new();
        let mut left = first;
        while let Some(relation) = self.relation_sign() {
            let right = self.expression()?;
            let span = self.term_span(left).to(self.term_span(right));
            let kind = match relation {
                Sign::Equal => TermKind::Equal(left, right),
                Sign::Member => TermKind::Member(left, right),
                Sign::Named(name) => TermKind::Relation(name, Fix::Infix, vec![left, right]),
            };
            relations.push(self.term(kind, span));
            left = right;
        }
        Ok(match relations.len() {
            0 => first,
            1 => relations[0],
            _ => {
                let span = self.term_span(first).to(self.term_span(left));
                self.term(TermKind::Chain(relations), span)
            }
        })
    }

    fn relation_sign(&mut self) -> Option<Sign> {
        let span: Span = self.span();
        let sign = match *self.peek() {
            Tok::Key(Key::Equals) => Sign::Equal,
            Tok::Key(Key::In) => Sign::Member,
            Tok::InRel(name) => Sign::Named(Ident { name, span }),
            Tok::Word(word) if self.ops.infix(word) == Some(Infix::Relation) => {
                Sign::Named(Ident {
                    name: placed(word, Fix::Infix),
                    span,
                })
            }
            _ => return None,
        };
        self.advance();
        Some(sign)
    }
}

enum Sign {
    Equal,
    Member,
    Named(Ident),
}
