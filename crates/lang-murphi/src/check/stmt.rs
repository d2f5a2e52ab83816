//! Statements.

use base::{Diagnostic, deep};

use super::{Checker, Form, SymbolKind, TypeId, Within};
use crate::codes::{hints, typing};
use crate::syntax::{Alias, ExprId, ExprKind, Stmt, StmtKind};

impl Checker<'_> {
    pub(super) fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            deep::recurse(|| self.stmt(stmt));
        }
    }

    /// Statements in a block of their own.
    fn block(&mut self, stmts: &[Stmt]) {
        self.scopes.push(Default::default());
        self.stmts(stmts);
        self.scopes.pop();
    }

    // Long: one arm for each kind of statement.
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Error | StmtKind::Fail(_) | StmtKind::PutText(_) => {}
            StmtKind::Assign(target, value) => self.assign(*target, *value),
            StmtKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.condition(*condition, "the condition of if");
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::Switch(value, cases, otherwise) => self.switch(*value, cases, otherwise),
            StmtKind::For(binder, body) => {
                self.scopes.push(Default::default());
                let ty = self.binder(binder, false);
                self.stmts(body);
                self.scopes.pop();
                if let Form::Scalarset(_) | Form::Union(_) = self.form(ty) {
                    self.order_matters(binder.ident, ty, body);
                }
            }
            StmtKind::While(condition, body) => {
                self.condition(*condition, "the condition of while");
                self.block(body);
            }
            StmtKind::Alias(aliases, body) => {
                self.scopes.push(Default::default());
                self.aliases(aliases);
                self.stmts(body);
                self.scopes.pop();
            }
            StmtKind::Return(value) => self.return_stmt(stmt, *value),
            StmtKind::Assert(condition, _) => self.condition(*condition, "an assertion"),
            StmtKind::Assume(condition, _) => self.condition(*condition, "an assumption"),
            StmtKind::Cover(condition, _) => self.condition(*condition, "a cover"),
            StmtKind::Put(value) => {
                self.infer(*value);
            }
            StmtKind::Clear(target) | StmtKind::Undefine(target) => {
                let ty = self.infer(*target);
                self.target(*target, ty);
            }
            StmtKind::Call(call) => {
                if let ExprKind::Call(ident, arguments) = &self.tree.exprs[*call].kind {
                    let routine = self.call(*call, *ident, arguments);
                    let result = routine.and_then(|routine| self.out.routines[routine].result);
                    self.out.expr_types[call.index()] = Some(result.unwrap_or(self.unknown));
                }
            }
            StmtKind::MultisetAdd(value, place) => {
                let found = self.infer(*value);
                let ty = self.multiset(*place);
                self.note_write(*place);
                if let Form::Multiset(_, element) = *self.form(ty)
                    && !self.fits(element, found)
                {
                    self.mismatch(
                        *value,
                        found,
                        element,
                        "the multiset holds elements of type",
                    );
                }
            }
            StmtKind::MultisetRemove(element, place) => {
                let found = self.infer(*element);
                self.multiset(*place);
                self.note_write(*place);
                if !matches!(self.form(found), Form::Element(_) | Form::Unknown) {
                    let message =
                        format!("\"{}\" names no element of a multiset", self.show(*element));
                    self.error(&typing::NO_MULTISET, self.span(*element), message);
                }
            }
            StmtKind::MultisetRemovePred(ident, place, condition) => {
                self.scopes.push(Default::default());
                self.element_of(*ident, *place);
                self.note_write(*place);
                self.condition(*condition, "the condition of multisetremovepred");
                self.scopes.pop();
            }
        }
    }

    fn assign(&mut self, target: ExprId, value: ExprId) {
        let wanted = self.infer(target);
        let allowed = self.target(target, wanted);
        let found = self.infer_for(value, wanted);
        if allowed && !self.fits(wanted, found) {
            let what = format!("\"{}\" is of type", self.show(target));
            self.mismatch(value, found, wanted, &what);
        }
    }

    /// Something is written: it must be a variable that may be.
    fn target(&mut self, target: ExprId, ty: TypeId) -> bool {
        if *self.form(ty) == Form::Unknown {
            return false;
        }
        let fits = self.writable(target, "assigned to");
        if fits {
            self.note_write(target);
        }
        fits
    }

    /// Whether a designator may be written; if not, that is reported.
    pub(super) fn writable(&mut self, target: ExprId, how: &str) -> bool {
        let root = self.out.root(self.tree, target);
        let reason = match root.map(|symbol| self.out.symbols[symbol].kind) {
            Some(SymbolKind::Global | SymbolKind::Local | SymbolKind::Reference) => return true,
            Some(SymbolKind::Parameter) => "a parameter without var",
            Some(SymbolKind::Bound) => "the variable of a loop, quantifier or ruleset",
            _ => "no variable",
        };
        let message = format!("\"{}\" is {reason} and cannot be {how}", self.show(target));
        let mut diagnostic = Diagnostic::error(&typing::READ_ONLY, self.span(target), message);
        if let Some(symbol) = root {
            diagnostic = diagnostic.also(self.out.symbols[symbol].span, "declared here");
        }
        self.push(diagnostic);
        false
    }

    /// Remembers who writes what, for the purity of guards.
    pub(super) fn note_write(&mut self, target: ExprId) {
        let Some(symbol) = self.out.root(self.tree, target) else {
            return;
        };
        match self.out.symbols[symbol].kind {
            SymbolKind::Global => self.global_write(self.span(target)),
            SymbolKind::Reference => {
                if let Within::Routine(routine) = self.within {
                    self.out.routines[routine].writes_references = true;
                }
            }
            _ => {}
        }
    }

    fn switch(&mut self, value: ExprId, cases: &[(Vec<ExprId>, Vec<Stmt>)], otherwise: &[Stmt]) {
        let ty = self.infer(value);
        if !self.is_simple(ty) {
            let message = format!(
                "switch needs a simple value, and \"{}\" is of type {}",
                self.show(value),
                self.describe(ty)
            );
            self.error(&typing::NOT_SIMPLE, self.span(value), message);
        }
        let mut seen: Vec<i64> = Vec::new();
        for (labels, body) in cases {
            for label in labels {
                let found = self.infer(*label);
                if self.is_simple(ty) && !self.fits(ty, found) {
                    self.mismatch(*label, found, ty, "the switch is over");
                } else if let Some(constant) = self.out.constants[label.index()]
                    && !matches!(self.form(ty), Form::Union(_))
                {
                    if seen.contains(&constant) {
                        let message = format!("\"{}\" was a case before", self.show(*label));
                        self.push(Diagnostic::warning(
                            &hints::UNREACHED_CASE,
                            self.span(*label),
                            message,
                        ));
                    }
                    seen.push(constant);
                }
            }
            self.block(body);
        }
        self.block(otherwise);
    }

    pub(super) fn aliases(&mut self, aliases: &[Alias]) {
        for alias in aliases {
            let ty = self.infer(alias.value);
            self.declare(alias.ident, ty, SymbolKind::Alias(alias.value));
        }
    }

    fn return_stmt(&mut self, stmt: &Stmt, value: Option<ExprId>) {
        let wanted = match self.within {
            Within::Rule => None,
            Within::Routine(routine) => self.out.routines[routine].result,
        };
        match (wanted, value) {
            (None, None) => {}
            (Some(wanted), Some(value)) => {
                let found = self.infer_for(value, wanted);
                if !self.fits(wanted, found) {
                    self.mismatch(value, found, wanted, "the function returns");
                }
            }
            (None, Some(value)) => {
                self.infer(value);
                let message = "only functions return a value".to_string();
                self.error(&typing::RETURN, stmt.span, message);
            }
            (Some(wanted), None) => {
                let message = format!(
                    "the function returns {}, and this return gives nothing",
                    self.describe(wanted)
                );
                self.error(&typing::RETURN, stmt.span, message);
            }
        }
    }
}
