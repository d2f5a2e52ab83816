//! Warns of loops over scalarsets whose effect depends on the order of the elements.
//!
//! Symmetry needs that a loop over interchangeable elements does the same in any order. Undecidable in general; two
//! forms are certain enough to be told: a `return` in the loop, and the loop's variable assigned to something that the
//! loop's variable does not select.

use base::{Diagnostic, Span, deep};

use super::{Checker, SymbolId, TypeId};
use crate::codes::hints;
use crate::syntax::{ExprId, ExprKind, Ident, Stmt, StmtKind};

impl Checker<'_> {
    pub(super) fn order_matters(&mut self, ident: Ident, ty: TypeId, body: &[Stmt]) {
        let Some(symbol) = self.out.declared.get(&ident.span).copied() else {
            return;
        };
        if self.values(ty) < 2 {
            return;
        }
        let Some((span, what)) = self.dependent(symbol, body) else {
            return;
        };
        let name = self.describe(ty);
        let message = format!("the loop over {name} depends on the order of its elements: {what}");
        let diagnostic = Diagnostic::warning(&hints::ORDER, span, message);
        self.push(diagnostic.also(ident.span, "goes through interchangeable elements"));
    }

    fn dependent(&self, symbol: SymbolId, body: &[Stmt]) -> Option<(Span, &'static str)> {
        deep::recurse(|| {
            body.iter()
                .find_map(|stmt| self.dependent_stmt(symbol, stmt))
        })
    }

    fn dependent_stmt(&self, symbol: SymbolId, stmt: &Stmt) -> Option<(Span, &'static str)> {
        match &stmt.kind {
            StmtKind::Return(Some(value)) if self.is_variable(symbol, *value) => {
                Some((stmt.span, "it returns the first element that fits"))
            }
            StmtKind::Assign(target, value) => {
                let keeps = self.is_variable(symbol, *value) && !self.selects(symbol, *target);
                keeps.then_some((stmt.span, "the last element stays"))
            }
            StmtKind::If(branches, otherwise) => {
                let inner = branches
                    .iter()
                    .find_map(|(_, body)| self.dependent(symbol, body));
                inner.or_else(|| self.dependent(symbol, otherwise))
            }
            StmtKind::Switch(_, cases, otherwise) => {
                let inner = cases
                    .iter()
                    .find_map(|(_, body)| self.dependent(symbol, body));
                inner.or_else(|| self.dependent(symbol, otherwise))
            }
            StmtKind::For(_, body) | StmtKind::While(_, body) | StmtKind::Alias(_, body) => {
                self.dependent(symbol, body)
            }
            _ => None,
        }
    }

    /// Whether an expression is the loop's variable itself.
    fn is_variable(&self, symbol: SymbolId, expr: ExprId) -> bool {
        matches!(self.tree.exprs[expr].kind, ExprKind::Name(_))
            && self.out.uses[expr.index()] == Some(symbol)
    }

    /// Whether a designator is indexed by something with the loop's variable in it, or is declared inside the loop.
    fn selects(&self, symbol: SymbolId, target: ExprId) -> bool {
        match &self.tree.exprs[target].kind {
            ExprKind::Index(inner, index) => {
                self.mentions(symbol, *index) || self.selects(symbol, *inner)
            }
            ExprKind::Field(inner, _) => self.selects(symbol, *inner),
            ExprKind::Name(_) => {
                match self.out.uses[target.index()].map(|used| self.out.symbols[used].kind) {
                    Some(super::SymbolKind::Alias(value)) => self.selects(symbol, value),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn mentions(&self, symbol: SymbolId, expr: ExprId) -> bool {
        match &self.tree.exprs[expr].kind {
            ExprKind::Name(_) => self.out.uses[expr.index()] == Some(symbol),
            ExprKind::Field(inner, _) => self.mentions(symbol, *inner),
            ExprKind::Index(inner, index) => {
                self.mentions(symbol, *inner) || self.mentions(symbol, *index)
            }
            ExprKind::Call(_, arguments) => arguments
                .iter()
                .any(|argument| self.mentions(symbol, *argument)),
            _ => false,
        }
    }
}
