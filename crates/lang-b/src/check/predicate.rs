//! Checks predicates.

use base::{Diagnostic, Name, deep};
use lang_math::{Binder, ExprId, ExprKind, Op, Sort};

use super::machine::Checker;
use super::report::Because;
use super::scope::DeclKind;
use crate::codes::typing as codes;
use crate::expand::ExternalKind;

impl Checker<'_> {
    /// Checks a predicate.
    pub(super) fn predicate(&mut self, id: ExprId) {
        deep::recurse(|| self.predicate_here(id));
    }

    pub(super) fn predicate_here(&mut self, id: ExprId) {
        match *self.kind(id) {
            ExprKind::Error => {}
            ExprKind::Op(op, ref args) if op.sort() == Sort::Predicate => {
                self.operator(id, op, args);
            }
            ExprKind::Bind {
                binder: binder @ (Binder::Forall | Binder::Exists),
                ref names,
                predicate,
                ..
            } => {
                let bound = self.bind(names, DeclKind::Bound);
                if binder == Binder::Forall {
                    self.universal_body(predicate);
                }
                self.predicate(predicate);
                self.release(names);
                self.binders.insert(id, bound);
            }
            ExprKind::If {
                ref branches,
                otherwise,
            } => {
                for (condition, result) in branches {
                    self.predicate(*condition);
                    self.predicate(*result);
                }
                self.predicate(otherwise);
            }
            ExprKind::Let {
                ref names,
                equations,
                body,
            } => {
                self.let_equations(id, names, equations, true);
                self.predicate(body);
                self.release(names);
            }
            ExprKind::After {
                ref targets,
                ref values,
                predicate,
            } => {
                for (target, value) in targets.iter().zip(values) {
                    let expected = self.infer(*target);
                    let found = self.infer(*value);
                    let because = Because::Type(self.span(*target), expected);
                    self.fit(*value, found, expected, Some(because));
                }
                self.predicate(predicate);
            }
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.predicate(inner),
            ExprKind::External(name, ref args)
                if self.is_external(name, ExternalKind::Predicate) =>
            {
                self.external(id, name, args);
            }
            ExprKind::Name(name) if self.lookup(name).is_none() => {
                // An unknown name could be a misspelt definition: one message is enough.
                self.unknown_predicate(id, name);
            }
            ExprKind::Apply(function, _) if matches!(*self.kind(function), ExprKind::Name(name) if self.lookup(name).is_none()) => {
                if let ExprKind::Name(name) = *self.kind(function) {
                    self.unknown_predicate(id, name);
                }
            }
            _ => {
                self.infer(id);
                self.wrong_sort(id, Sort::Predicate);
            }
        }
    }

    pub(super) fn unknown_predicate(&mut self, at: ExprId, name: Name) {
        if self.is_incomplete() {
            return;
        }
        if self.diagnostics.is_full() {
            return self.diagnostics.drop_error();
        }
        let near = base::near::nearest(
            name.as_str(),
            self.definition_names.iter().map(|name| name.as_str()),
        );
        let mut error = Diagnostic::error(
            &codes::WRONG_SORT,
            self.span(at),
            format!("a predicate is needed here, but `{name}` is not known"),
        );
        if let Some(near) = near {
            error = error
                .help(format!("did you mean definition `{near}`?"))
                .fix(near);
        }
        self.report(at, error);
    }

    pub(super) fn universal_body(&mut self, mut body: ExprId) {
        while let ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) = *self.kind(body) {
            body = inner;
        }
        let fits = match *self.kind(body) {
            ExprKind::Op(op, _) => op == Op::Implies,
            ExprKind::Error => true,
            // A conditional or LET whose branches are implications is accepted as it is.
            ExprKind::Let { .. } | ExprKind::If { .. } => true,
            _ => false,
        };
        if !fits {
            let error = Diagnostic::error(
                &codes::FORALL_BODY,
                self.span(body),
                "the body of a universal quantifier must be an implication",
            )
            .help("write `!x.(P => Q)`, where P gives x its range");
            self.report(body, error);
        }
    }
}
