//! Operators of expressions, by level.

use super::{Parsed, Parser, placed};
use crate::lex::{Key, Tok};
use crate::ops::{Assoc, CROSS, Infix, Prefix};
use crate::tree::{Fix, Ident, SchemaOp, TermId, TermKind};

/// Levels of the schema operators where they belong to expressions.
const SEMI: u16 = 1;
const PIPE: u16 = 2;
const HIDE: u16 = 3;
const PROJECT: u16 = 4;

/// What stands between two operands.
enum Between {
    Schema(Key),
    Cross,
    Word(Ident, Infix),
}

/// Functions of the toolkit that people write before their argument without brackets, one after the other.
const CHAINED: &[&str] = &[
    "dom", "ran", "⋃", "⋂", "⁀/", "#", "rev", "head", "tail", "front", "last", "max", "min",
];

impl Parser<'_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Parsed<TermId> {
        self.deeper(|parser| parser.operators(0))
    }

    fn between(&self) -> Option<(Between, u16, Assoc)> {
        let span = self.span();
        Some(match *self.peek() {
            Tok::Key(Key::Cross) => (Between::Cross, CROSS, Assoc::Left),
            Tok::Key(key @ (Key::Semi | Key::Pipe | Key::Hide | Key::Project))
                if self.dialect.is_iso() =>
            {
                let level = match key {
                    Key::Semi => SEMI,
                    Key::Pipe => PIPE,
                    Key::Hide => HIDE,
                    _ => PROJECT,
                };
                (Between::Schema(key), level, Assoc::Left)
            }
            Tok::Word(word) => {
                let infix = self.ops.infix(word)?;
                let (level, assoc) = match infix {
                    Infix::Function(level, assoc) => (level, assoc),
                    Infix::Generic(level) => (level, Assoc::Right),
                    Infix::Relation => return None,
                };
                let name = Ident {
                    name: placed(word, Fix::Infix),
                    span,
                };
                (Between::Word(name, infix), level, assoc)
            }
            _ => return None,
        })
    }

    fn operators(&mut self, least: u16) -> Parsed<TermId> {
        let mut left = self.operand()?;
        while let Some((between, level, assoc)) = self.between() {
            if level < least {
                break;
            }
            self.advance();
            if matches!(between, Between::Schema(Key::Hide)) {
                left = self.hidden(left)?;
                continue;
            }
            let next = match assoc {
                Assoc::Left => level + 1,
                Assoc::Right => level,
            };
            let right = self.deeper(|parser| parser.operators(next))?;
            let span = self.term_span(left).to(self.term_span(right));
            let kind = match between {
                Between::Schema(Key::Semi) => TermKind::SchemaOp(SchemaOp::Compose, left, right),
                Between::Schema(Key::Pipe) => TermKind::SchemaOp(SchemaOp::Pipe, left, right),
                Between::Schema(_) => TermKind::SchemaOp(SchemaOp::Project, left, right),
                Between::Cross => {
                    let mut parts = vec![left, right];
                    while self.is(Key::Cross) {
                        self.advance();
                        parts.push(self.deeper(|parser| parser.operators(CROSS + 1))?);
                    }
                    let last = parts[parts.len() - 1];
                    let span = span.to(self.term_span(last));
                    left = self.term(TermKind::Cross(parts), span);
                    continue;
                }
                Between::Word(name, Infix::Generic(_)) => {
                    TermKind::Ref(name.name, vec![left, right])
                }
                Between::Word(name, _) => TermKind::Operator(name, Fix::Infix, vec![left, right]),
            };
            left = self.term(kind, span);
        }
        Ok(left)
    }

    /// An operand with the operators before it.
    fn operand(&mut self) -> Parsed<TermId> {
        let start = self.span();
        match *self.peek() {
            Tok::Key(Key::Power) => {
                self.advance();
                let inner = self.deeper(Parser::operand)?;
                let span = start.to(self.term_span(inner));
                Ok(self.term(TermKind::Power(inner), span))
            }
            Tok::Key(Key::Pre) => {
                self.advance();
                let inner = self.deeper(Parser::operand)?;
                let span = start.to(self.term_span(inner));
                Ok(self.term(TermKind::Pre(inner), span))
            }
            Tok::Word(word) if self.is_prefix_here(word) => {
                self.advance();
                let inner = self.deeper(Parser::operand)?;
                let span = start.to(self.term_span(inner));
                let name = placed(word, Fix::Prefix);
                let kind = match self.ops.prefix(word) {
                    Some(Prefix::Generic) => TermKind::Ref(name, vec![inner]),
                    _ => {
                        let name = Ident { name, span: start };
                        TermKind::Operator(name, Fix::Prefix, vec![inner])
                    }
                };
                Ok(self.term(kind, span))
            }
            _ => self.application(),
        }
    }

    /// Whether a prefix operator stands before an operand here, not as a name by itself.
    fn is_prefix_here(&self, word: base::Name) -> bool {
        match self.ops.prefix(word) {
            Some(Prefix::Generic) => {
                *self.peek_at(1) != Tok::Key(Key::LBracket) || word.as_str() != "id"
            }
            Some(Prefix::Function) => true,
            _ => false,
        }
    }

    /// Functions with their arguments, to the left: `f a b` is `(f a) b`.
    fn application(&mut self) -> Parsed<TermId> {
        let mut function = self.postfixed()?;
        loop {
            if self.is(Key::LImage) {
                let open = self.span();
                self.advance();
                let set = self.expression()?;
                self.close(Key::RImage, "the bracket that closes the image", open)?;
                let span = self.term_span(function).to(self.last_span());
                function = self.term(TermKind::Image(function, set), span);
                continue;
            }
            if !self.starts_argument() {
                return Ok(function);
            }
            let argument = self.argument()?;
            let span = self.term_span(function).to(self.term_span(argument));
            function = self.term(TermKind::Apply(function, argument), span);
        }
    }

    fn argument(&mut self) -> Parsed<TermId> {
        let chained = matches!(self.peek(), Tok::Word(word) if CHAINED.contains(&word.as_str()));
        let mut argument = self.deeper(Parser::postfixed)?;
        if chained && self.starts_argument() {
            let inner = self.deeper(Parser::argument)?;
            let span = self.term_span(argument).to(self.term_span(inner));
            argument = self.term(TermKind::Apply(argument, inner), span);
        }
        Ok(argument)
    }

    /// Whether an argument of a function begins here.
    fn starts_argument(&self) -> bool {
        match self.peek() {
            Tok::Number(_) => true,
            Tok::Key(key) => matches!(
                key,
                Key::LParen | Key::LBrace | Key::LAngle | Key::LBag | Key::LBind | Key::Theta
            ),
            Tok::Word(word) => {
                !(self.ops.infix(*word).is_some()
                    || self.ops.is_postfix(*word)
                    || self.ops.is_prefix(*word))
            }
            _ => false,
        }
    }
}
