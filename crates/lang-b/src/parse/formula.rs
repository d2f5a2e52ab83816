//! Predicates and expressions, read with one table of priorities.
//!
//! One climbing loop reads both sorts; [`super::sorts`] reports where one stands for the other. `min` is
//! the weakest priority that may be read: brackets reset it, so whether `;` composes relations or ends a
//! statement is a matter of `min` alone.

use base::{Diagnostic, Span, deep};
use lang_math::{Args, Assoc, ExprId, ExprKind, Notation, Op};
use smallvec::smallvec;

use super::{ANY_OPERATOR, NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Pragma, Tok, tree_function};

/// The priority of `/*@label L*/ P` and `P /*@desc text*/`.
const PRAGMA: u16 = 41;

/// The priority of comparisons.
pub(super) const COMPARISON: u16 = 70;

/// The priority of unary minus.
const NEGATE: u16 = 210;

impl Parser<'_> {
    /// Reads the whole text as one formula.
    pub(super) fn lone_formula(&mut self, whole: Span) -> ExprId {
        let read = self.formula(NO_COMPOSITION).and_then(|id| {
            if self.at(Tok::Eof) {
                return Ok(id);
            }
            Err(self.unexpected_after_formula(id, "an operator or the end"))
        });
        match read {
            Ok(id) => id,
            Err(_) => self.tree.exprs.push(ExprKind::Error, whole),
        }
    }

    /// Reads an expression.
    pub(super) fn expression(&mut self, min: u16) -> Read<ExprId> {
        let id = self.formula(min)?;
        self.need_expression(id);
        Ok(id)
    }

    /// Reads a predicate.
    pub(super) fn predicate(&mut self, min: u16) -> Read<ExprId> {
        let id = self.formula(min)?;
        self.need_predicate(id);
        Ok(id)
    }

    /// Reads a formula of either sort whose operators bind at least as tightly as `min`.
    pub(super) fn formula(&mut self, min: u16) -> Read<ExprId> {
        deep::recurse(|| self.climb(min))
    }

    fn climb(&mut self, min: u16) -> Read<ExprId> {
        // Operands may stand in parentheses, which their own places leave out.
        let start = self.span();
        let mut left = self.operand(min)?;
        // The comparison that `left` is, unless it stands in parentheses.
        let mut compared: Option<u16> = None;
        let mut described = false;
        loop {
            if self.at(Tok::Pragma(Pragma::Desc)) && PRAGMA >= min {
                let span = start.to(self.span());
                if let Some(text) = self.eat_pragma(Pragma::Desc) {
                    left = self.node(ExprKind::Described(left, text), span);
                    described = true;
                }
                continue;
            }
            let Some((op, swapped)) = self.infix().or_else(|| self.foreign_operator(min)) else {
                return Ok(left);
            };
            let Notation::Infix(priority, assoc) = op.notation() else {
                return Ok(left);
            };
            if priority < min || (described && priority > PRAGMA) {
                return Ok(left);
            }
            if op == Op::SymbolicComposition {
                self.advance();
            }
            let chained = compared == Some(priority);
            if chained {
                self.chained(op, left);
            }
            let at = self.advance();
            self.doubled_operator(op);
            let right = match assoc {
                Assoc::Left | Assoc::None => self.formula(priority + 1)?,
                Assoc::Right => {
                    self.enter()?;
                    let right = self.formula(priority)?;
                    self.nesting -= 1;
                    right
                }
            };
            if !chained {
                self.need_operand(op, at, left);
            }
            self.need_operand(op, at, right);
            let span = start.to(self.last_span());
            let args: Args = if swapped {
                smallvec![right, left]
            } else {
                smallvec![left, right]
            };
            left = self.node(ExprKind::Op(op, args), span);
            compared = (assoc == Assoc::None).then_some(priority);
        }
    }

    /// The operator between two operands that comes next, and whether it takes them the other way round.
    fn infix(&self) -> Option<(Op, bool)> {
        Some(match self.tok() {
            Tok::Op(op) => (op, false),
            Tok::Swapped(op) => (op, true),
            Tok::Semicolon => (Op::Composition, false),
            Tok::Parallel => (Op::ParallelProduct, false),
            Tok::Pragma(Pragma::Symbolic) if self.tok_at(1) == Tok::Semicolon => {
                (Op::SymbolicComposition, false)
            }
            _ => return None,
        })
    }

    /// Reports `a < b < c`.
    fn chained(&mut self, op: Op, left: ExprId) {
        let ExprKind::Op(first, _) = self.tree.exprs.kind(left) else {
            return;
        };
        let (first, second) = (first.ascii(), op.ascii());
        self.complain(
            Diagnostic::error(
                &code::CHAINED,
                self.span(),
                format!("{second:?} cannot follow a comparison"),
            )
            .also(self.tree.exprs.span(left), "this is a predicate already")
            .help(format!("write a {first} b & b {second} c")),
        );
    }

    /// Reads an operand with what follows it directly: `~`, `(…)`, `[…]`, `'field`.
    fn operand(&mut self, min: u16) -> Read<ExprId> {
        let start = self.span();
        let atom = match self.tok() {
            Tok::Op(Op::Minus) => return self.negation(min),
            Tok::Pragma(Pragma::Label) if min <= PRAGMA => return self.labelled(),
            _ => self.atom()?,
        };
        self.postfix(atom, start)
    }

    fn negation(&mut self, min: u16) -> Read<ExprId> {
        let minus = self.span();
        if min > NEGATE {
            let diagnostic =
                Diagnostic::error(&code::DOUBLE_MINUS, minus, "\"-\" needs parentheses here")
                    .help("write - (- x)");
            return Err(self.error(diagnostic));
        }
        self.advance();
        let inner = self.formula(NEGATE + 1)?;
        self.need_operand(Op::Negate, minus, inner);
        let span = minus.to(self.last_span());
        Ok(self.node(ExprKind::Op(Op::Negate, smallvec![inner]), span))
    }

    fn labelled(&mut self) -> Read<ExprId> {
        let start = self.span();
        let Some(label) = self.eat_pragma(Pragma::Label) else {
            return Err(self.unexpected("a predicate"));
        };
        self.enter()?;
        let inner = if self.at(Tok::Pragma(Pragma::Label)) {
            self.labelled()?
        } else {
            self.predicate(PRAGMA + 1)?
        };
        self.nesting -= 1;
        let span = start.to(self.last_span());
        Ok(self.node(ExprKind::Labelled(label, inner), span))
    }

    fn postfix(&mut self, mut left: ExprId, start: Span) -> Read<ExprId> {
        loop {
            let at = self.span();
            let kind = match self.tok() {
                Tok::Op(Op::Inverse) => {
                    let parsed = &self.tree.exprs[left];
                    if matches!(parsed.kind, ExprKind::Op(Op::Inverse, _)) && !parsed.parenthesised
                    {
                        let diagnostic = Diagnostic::error(
                            &code::DOUBLE_INVERSE,
                            at,
                            "\"~\" cannot follow \"~\"",
                        )
                        .help("write (r~)~");
                        return Err(self.error(diagnostic));
                    }
                    self.advance();
                    ExprKind::Op(Op::Inverse, smallvec![left])
                }
                Tok::LeftParen => {
                    let args = self.arguments(NO_COMPOSITION)?;
                    for arg in &args {
                        self.need_expression(*arg);
                    }
                    self.application(left, args)
                }
                Tok::LeftBracket => {
                    self.advance();
                    self.enter()?;
                    let set = self.expression(ANY_OPERATOR)?;
                    self.close(Tok::RightBracket, at, "\"]\"")?;
                    ExprKind::Op(Op::Image, smallvec![left, set])
                }
                Tok::Prime => {
                    self.advance();
                    let field = self.name("the name of a field")?;
                    ExprKind::Field(left, field.name)
                }
                _ => return Ok(left),
            };
            self.need_expression(left);
            let span = start.to(self.last_span());
            left = self.node(kind, span);
            if self.stopped {
                return Err(super::Fail);
            }
        }
    }

    /// `f(a, b)`, unless `f` is the name of a tree function.
    fn application(&self, function: ExprId, args: Args) -> ExprKind {
        let node = &self.tree.exprs[function];
        if let ExprKind::Name(name) = node.kind
            && !node.parenthesised
            && !self.text[node.span.start as usize..].starts_with('`')
            && let Some(op) = tree_function(name.as_str(), args.len())
        {
            return ExprKind::Op(op, args);
        }
        ExprKind::Apply(function, args)
    }

    /// Reads one or more formulas in parentheses.
    pub(super) fn arguments(&mut self, min: u16) -> Read<Args> {
        let open = self.expect(Tok::LeftParen, "\"(\"")?;
        self.enter()?;
        let mut args = Args::new();
        loop {
            args.push(self.formula(min)?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.close(Tok::RightParen, open, "\",\" or \")\"")?;
        Ok(args)
    }
}
