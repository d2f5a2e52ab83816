//! Constructs that introduce names: quantifiers, lambdas, sums, and what stands between braces.

use base::{Diagnostic, Span};
use lang_math::{Args, Binder, Binding, ExprId, ExprKind, Op};

use super::{ANY_OPERATOR, NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::Tok;

impl Parser<'_> {
    /// `!x.(P)`, `%(x, y).(P | E)`, `SIGMA(x).(P | E)`, …
    pub(super) fn binder(&mut self, binder: Binder, symbolic: bool) -> Read<ExprId> {
        let start = self.advance();
        let names = if self.at(Tok::LeftParen) {
            self.names_in_parentheses("a name")?
        } else {
            self.names_before_dot()?
        };
        if !matches!(self.tok(), Tok::Dot | Tok::CenterDot) {
            return Err(self.unexpected("\",\" or \".\""));
        }
        self.advance();
        let open = self.span();
        if !self.at(Tok::LeftParen) {
            let shape = if binder.has_value() { "(P | E)" } else { "(P)" };
            let diagnostic = self
                .unexpected_diagnostic("\"(\"")
                .also(start, "for the body of this")
                .help(format!("put the body in parentheses: .{shape}"));
            return Err(self.error(diagnostic));
        }
        self.advance();
        self.enter()?;
        let (predicate, value) = self.scope_of(binder)?;
        self.close(Tok::RightParen, open, "an operator or \")\"")?;
        let span = start.to(self.last_span());
        Ok(self.node(
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            },
            span,
        ))
    }

    /// What a binder says about its names: a predicate, and a value where it has one.
    fn scope_of(&mut self, binder: Binder) -> Read<(ExprId, Option<ExprId>)> {
        let predicate = self.predicate(NO_COMPOSITION)?;
        let value = if binder.has_value() {
            self.expect(Tok::Bar, "an operator or \"|\"")?;
            Some(self.expression(ANY_OPERATOR)?)
        } else {
            None
        };
        Ok((predicate, value))
    }

    /// `{}`, `{a, b}`, `{x | P}`, `{x · P | E}`: only the token after the items tells.
    pub(super) fn braces(&mut self, symbolic: bool) -> Read<ExprId> {
        let open = self.advance();
        self.enter()?;
        if self.at(Tok::RightBrace) {
            let span = open.to(self.close(Tok::RightBrace, open, "\"}\"")?);
            return Ok(self.node(ExprKind::Op(Op::EmptySet, Args::new()), span));
        }
        let mut items = Args::new();
        loop {
            items.push(self.formula(ANY_OPERATOR)?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        let (binder, names) = match self.tok() {
            Tok::Bar => (Binder::Comprehension, self.binding_names(&items)?),
            Tok::Dot | Tok::CenterDot => (Binder::Image, self.binding_names(&items)?),
            _ => {
                for item in &items {
                    self.need_item(*item);
                }
                let span = open.to(self.close(Tok::RightBrace, open, "\",\", \"|\" or \"}\"")?);
                return Ok(self.node(ExprKind::Op(Op::SetExtension, items), span));
            }
        };
        self.advance();
        let (predicate, value) = self.scope_of(binder)?;
        let span = open.to(self.close(Tok::RightBrace, open, "an operator or \"}\"")?);
        Ok(self.node(
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            },
            span,
        ))
    }

    /// How to write what was meant by `{item | P}`.
    fn comprehension_help(&self, item: ExprId) -> String {
        let exprs = &self.tree.exprs;
        let text = |id: ExprId| {
            let span = exprs.span(id);
            &self.text[span.start as usize..span.end as usize]
        };
        match exprs.kind(item) {
            ExprKind::Op(Op::Member | Op::Subset, args)
                if matches!(exprs.kind(args[0]), ExprKind::Name(_)) && text(item).len() < 60 =>
            {
                format!(
                    "the range of a name is part of the predicate: {{{} | {} & …}}",
                    text(args[0]),
                    text(item)
                )
            }
            _ => "a set of results is written {x · P | E} or ran(%x.(P | E))".to_owned(),
        }
    }

    /// The names that `items` are; `(x, y)` counts as `x, y`.
    fn binding_names(&mut self, items: &[ExprId]) -> Read<Vec<Binding>> {
        let mut names = Vec::with_capacity(items.len());
        for item in items {
            let mut pending = vec![*item];
            while let Some(id) = pending.pop() {
                let node = &self.tree.exprs[id];
                match &node.kind {
                    ExprKind::Name(name) if !name.as_str().contains('.') => names.push(Binding {
                        name: *name,
                        span: node.span,
                    }),
                    ExprKind::Op(Op::Maplet, args) if items.len() == 1 => {
                        pending.extend(args.iter().rev());
                    }
                    _ => {
                        let span: Span = node.span;
                        let diagnostic = Diagnostic::error(
                            &code::NOT_A_NAME,
                            span,
                            "expected a name before \"|\"",
                        )
                        .help(self.comprehension_help(*item));
                        return Err(self.error(diagnostic));
                    }
                }
            }
        }
        Ok(names)
    }
}
