//! Warns of loops over scalarsets whose effect depends on the order of the elements.
//!
//! Symmetry needs that a loop over interchangeable elements does the same in any order. Undecidable in general; three
//! forms are certain enough to be told: a `return` in the loop, the loop's variable assigned to something that the
//! loop's variable does not select, and, in every round, something else that belongs to the element (`last := age[i]`)
//! assigned to such a thing, unless it is computed from what was there (`sum := sum + age[i]`).

use base::{Diagnostic, Span, deep};

use super::{Checker, SymbolId, SymbolKind, TypeId};
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
        let found = self.dependent(symbol, body);
        let Some((span, what)) = found.or_else(|| self.last_stays(symbol, body)) else {
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

    /// An assignment of every round that leaves what belongs to the last element.
    fn last_stays(&self, symbol: SymbolId, body: &[Stmt]) -> Option<(Span, &'static str)> {
        body.iter().find_map(|stmt| match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let root = self.out.root(self.tree, *target)?;
                // A local variable may be there for a moment only.
                let outside = matches!(
                    self.out.symbols[root].kind,
                    SymbolKind::Global | SymbolKind::Reference
                );
                let stays = outside
                    && !self.selects(symbol, *target)
                    && self.is_simple(self.out.expr_types[target.index()]?)
                    && self.belongs(symbol, *value)
                    && !self.is_read(root, body);
                stays.then_some((stmt.span, "what belongs to the last element stays"))
            }
            _ => None,
        })
    }

    /// Whether a value is a cell that the loop's variable selects.
    fn belongs(&self, symbol: SymbolId, value: ExprId) -> bool {
        self.is_cell(value) && !self.is_variable(symbol, value) && self.selects(symbol, value)
    }

    /// Whether an expression is a variable or a part of one, as it is written.
    fn is_cell(&self, value: ExprId) -> bool {
        matches!(
            self.tree.exprs[value].kind,
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..)
        )
    }

    /// Whether a loop reads the variable of a symbol, or does what is not looked into.
    fn is_read(&self, root: SymbolId, body: &[Stmt]) -> bool {
        body.iter().any(|stmt| match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let into = !matches!(self.tree.exprs[*target].kind, ExprKind::Name(_))
                    && self.mentions(root, *target);
                into || !self.is_cell(*value) || self.mentions(root, *value)
            }
            _ => true,
        })
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
                    Some(SymbolKind::Alias(value)) => self.selects(symbol, value),
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
