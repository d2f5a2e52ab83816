//! Formulas that introduce names: quantifiers, comprehensions, lambda, quantified unions and intersections.

use base::{Name, Span, deep};
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Exprs, Op};
use smallvec::smallvec;

use super::{Level, Parsed, Parser, is_tuple};
use crate::math::lex::Token;

impl Parser<'_> {
    pub(super) fn quantifier(&mut self, binder: Binder) -> Parsed<ExprId> {
        let start = self.span();
        self.next();
        let (names, typing) = self.names()?;
        self.expect(".")?;
        let body = self.formula()?;
        let op = match binder {
            Binder::Forall => Op::Implies,
            _ => Op::And,
        };
        let predicate = self.with_typing(op, typing, body)?;
        self.bind(binder, names, predicate, None, start)
    }

    pub(super) fn bind(
        &mut self,
        binder: Binder,
        names: Vec<Binding>,
        predicate: ExprId,
        value: Option<ExprId>,
        start: Span,
    ) -> Parsed<ExprId> {
        let kind = ExprKind::Bind {
            binder,
            names,
            predicate,
            value,
            symbolic: false,
        };
        self.push(kind, self.from(start))
    }

    /// Puts the types of bound names before a predicate.
    pub(super) fn with_typing(
        &mut self,
        op: Op,
        typing: Vec<ExprId>,
        body: ExprId,
    ) -> Parsed<ExprId> {
        let mut typing = typing.into_iter();
        let Some(first) = typing.next() else {
            return Ok(body);
        };
        let span = self.exprs.span(body);
        let mut all = first;
        for next in typing {
            all = self.op(Op::And, smallvec![all, next], span)?;
        }
        self.op(op, smallvec![all, body], span)
    }

    /// `x, y ⦂ T`: names, and their types as memberships.
    pub(super) fn names(&mut self) -> Parsed<(Vec<Binding>, Vec<ExprId>)> {
        let mut names = Vec::new();
        let mut typing = Vec::new();
        loop {
            let span = self.span();
            let Token::Name(name) = *self.peek() else {
                return self.error(format!("a name is needed, not {}", self.peek().describe()));
            };
            self.next();
            names.push(Binding { name, span });
            if *self.peek() == Token::Infix(Op::OfType) {
                self.next();
                let ty = self.climb(Level(5))?;
                let left = self.push(ExprKind::Name(name), span)?;
                typing.push(self.op(Op::Member, smallvec![left, ty], span)?);
            }
            if !self.eat(",") {
                return Ok((names, typing));
            }
        }
    }

    /// Names followed by `·`, or nothing read at all.
    pub(super) fn try_names(&mut self) -> Option<(Vec<Binding>, Vec<ExprId>)> {
        let (at, nodes, nesting) = (self.at, self.exprs.len(), self.nesting);
        if let Ok(found) = self.names()
            && self.eat(".")
        {
            return Some(found);
        }
        self.at = at;
        self.nesting = nesting;
        self.exprs.truncate(nodes);
        None
    }

    /// After `{`.
    pub(super) fn braces(&mut self, start: Span) -> Parsed<ExprId> {
        if self.eat("}") {
            return self.op(Op::EmptySet, smallvec![], self.from(start));
        }
        if let Some((names, typing)) = self.try_names() {
            let body = self.formula()?;
            let predicate = self.with_typing(Op::And, typing, body)?;
            let value = match self.eat("|") {
                true => self.expression()?,
                false => return self.error("`∣` and a value are needed"),
            };
            self.expect("}")?;
            if is_tuple(self.exprs, value, &names) {
                return self.bind(Binder::Comprehension, names, predicate, None, start);
            }
            return self.bind(Binder::Image, names, predicate, Some(value), start);
        }
        let first = self.expression()?;
        if self.eat("|") {
            let predicate = self.formula()?;
            self.expect("}")?;
            let names = free_names(self.exprs, first);
            if is_tuple(self.exprs, first, &names) {
                return self.bind(Binder::Comprehension, names, predicate, None, start);
            }
            return self.bind(Binder::Image, names, predicate, Some(first), start);
        }
        let mut elements: Args = smallvec![first];
        while self.eat(",") {
            elements.push(self.expression()?);
        }
        self.expect("}")?;
        self.op(Op::SetExtension, elements, self.from(start))
    }

    /// `λ a ↦ b · P ∣ E`
    pub(super) fn lambda(&mut self) -> Parsed<ExprId> {
        let start = self.span();
        self.next();
        let mut typing = Vec::new();
        let pattern = self.pattern(&mut typing)?;
        self.expect(".")?;
        let body = self.formula()?;
        self.expect("|")?;
        let value = self.expression()?;
        let predicate = self.with_typing(Op::And, typing, body)?;
        let names = free_names(self.exprs, pattern);
        if is_tuple(self.exprs, pattern, &names) {
            return self.bind(Binder::Lambda, names, predicate, Some(value), start);
        }
        // A pattern that is not nested to the left is the first part of every pair.
        let pair = self.op(Op::Maplet, smallvec![pattern, value], self.from(start))?;
        self.bind(Binder::Image, names, predicate, Some(pair), start)
    }

    pub(super) fn pattern(&mut self, typing: &mut Vec<ExprId>) -> Parsed<ExprId> {
        let start = self.span();
        let mut left = self.pattern_part(typing)?;
        while *self.peek() == Token::Infix(Op::Maplet) {
            self.next();
            let right = self.pattern_part(typing)?;
            left = self.op(Op::Maplet, smallvec![left, right], self.from(start))?;
        }
        Ok(left)
    }

    pub(super) fn pattern_part(&mut self, typing: &mut Vec<ExprId>) -> Parsed<ExprId> {
        let span = self.span();
        if self.eat("(") {
            self.nesting += 1;
            if self.nesting > deep::MAX_NESTING {
                return self.error("the pattern is nested too deeply");
            }
            let inner = deep::recurse(|| self.pattern(typing))?;
            self.nesting -= 1;
            self.expect(")")?;
            return Ok(inner);
        }
        let Token::Name(name) = *self.peek() else {
            return self.error(format!("a name is needed, not {}", self.peek().describe()));
        };
        self.next();
        if *self.peek() == Token::Infix(Op::OfType) {
            self.next();
            let ty = self.climb(Level(5))?;
            let left = self.push(ExprKind::Name(name), span)?;
            typing.push(self.op(Op::Member, smallvec![left, ty], span)?);
        }
        self.push(ExprKind::Name(name), span)
    }

    /// `⋃ x · P ∣ E` or `⋃ E ∣ P`
    pub(super) fn quantified_set(&mut self, binder: Binder) -> Parsed<ExprId> {
        let start = self.span();
        self.next();
        if let Some((names, typing)) = self.try_names() {
            let body = self.formula()?;
            self.expect("|")?;
            let value = self.expression()?;
            let predicate = self.with_typing(Op::And, typing, body)?;
            return self.bind(binder, names, predicate, Some(value), start);
        }
        let value = self.expression()?;
        self.expect("|")?;
        let predicate = self.formula()?;
        let names = free_names(self.exprs, value);
        self.bind(binder, names, predicate, Some(value), start)
    }
}

/// The names that occur free in an expression, in order.
pub(super) fn free_names(exprs: &Exprs, id: ExprId) -> Vec<Binding> {
    let mut found: Vec<Binding> = Vec::new();
    collect(exprs, id, &mut Vec::new(), &mut found);
    found
}

pub(super) fn collect(exprs: &Exprs, id: ExprId, bound: &mut Vec<Name>, found: &mut Vec<Binding>) {
    match exprs.kind(id) {
        ExprKind::Name(name) => {
            if !bound.contains(name) && !found.iter().any(|known| known.name == *name) {
                found.push(Binding {
                    name: *name,
                    span: exprs.span(id),
                });
            }
        }
        kind => {
            let before = bound.len();
            if let ExprKind::Bind { names, .. } = kind {
                bound.extend(names.iter().map(|binding| binding.name));
            }
            lang_math::expr::for_each_child(kind, |child| {
                deep::recurse(|| collect(exprs, child, bound, found));
            });
            bound.truncate(before);
        }
    }
}
