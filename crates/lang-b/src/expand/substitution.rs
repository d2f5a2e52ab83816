//! Expands substitutions, and calls that turn out to be definitions.

use base::{Diagnostic, Name, Span, deep};
use lang_math::{ExprId, ExprKind, Exprs};

use super::{Env, Expander, ExternalKind};
use crate::codes::definitions as codes;
use crate::syntax::{MacroBody, SubstId, SubstKind};

impl<'p> Expander<'p, '_> {
    pub(super) fn subst(&mut self, env: &Env<'_, 'p>, id: SubstId) -> SubstId {
        deep::recurse(|| self.subst_here(env, id))
    }

    // Long: one arm for each kind of substitution.
    pub(super) fn subst_here(&mut self, env: &Env<'_, 'p>, id: SubstId) -> SubstId {
        let node = &env.tree.substs[id];
        let span = node.span;
        if self.overflow {
            return self.push_subst(env, SubstKind::Error, span);
        }
        let kind = match &node.kind {
            SubstKind::Error => SubstKind::Error,
            SubstKind::Skip => SubstKind::Skip,
            SubstKind::Assign { targets, values } => SubstKind::Assign {
                targets: self.exprs(env, targets),
                values: self.exprs(env, values),
            },
            SubstKind::BecomesElement { targets, set } => SubstKind::BecomesElement {
                targets: self.exprs(env, targets),
                set: self.expr(env, *set),
            },
            SubstKind::BecomesSuch { targets, predicate } => SubstKind::BecomesSuch {
                targets: self.exprs(env, targets),
                predicate: self.expr(env, *predicate),
            },
            SubstKind::Call {
                results,
                name,
                name_span,
                arguments,
            } => return self.call(env, span, results, (*name, *name_span), arguments),
            SubstKind::External(name, arguments) => {
                SubstKind::External(*name, self.exprs(env, arguments))
            }
            SubstKind::Block(body) => SubstKind::Block(self.subst(env, *body)),
            SubstKind::Pre(predicate, body) => {
                SubstKind::Pre(self.expr(env, *predicate), self.subst(env, *body))
            }
            SubstKind::Assert(predicate, body) => {
                SubstKind::Assert(self.expr(env, *predicate), self.subst(env, *body))
            }
            SubstKind::Witness(predicate, body) => {
                SubstKind::Witness(self.expr(env, *predicate), self.subst(env, *body))
            }
            SubstKind::Choice(parts) => SubstKind::Choice(self.substs(env, parts)),
            SubstKind::Sequence(parts) => SubstKind::Sequence(self.substs(env, parts)),
            SubstKind::Parallel(parts) => SubstKind::Parallel(self.substs(env, parts)),
            SubstKind::If {
                branches,
                otherwise,
            } => SubstKind::If {
                branches: self.branches(env, branches),
                otherwise: otherwise.map(|body| self.subst(env, body)),
            },
            SubstKind::Select {
                branches,
                otherwise,
            } => SubstKind::Select {
                branches: self.branches(env, branches),
                otherwise: otherwise.map(|body| self.subst(env, body)),
            },
            SubstKind::Case {
                subject,
                branches,
                otherwise,
            } => SubstKind::Case {
                subject: self.expr(env, *subject),
                branches: branches
                    .iter()
                    .map(|(labels, body)| (self.exprs(env, labels), self.subst(env, *body)))
                    .collect(),
                otherwise: otherwise.map(|body| self.subst(env, body)),
            },
            SubstKind::Any {
                names,
                predicate,
                body,
            } => {
                let (renamed, (predicate, body)) = self.binder(env, names, |this| {
                    (this.expr(env, *predicate), this.subst(env, *body))
                });
                SubstKind::Any {
                    names: renamed,
                    predicate,
                    body,
                }
            }
            SubstKind::Let {
                names,
                equations,
                body,
            } => {
                let (renamed, (equations, body)) = self.binder(env, names, |this| {
                    (this.expr(env, *equations), this.subst(env, *body))
                });
                SubstKind::Let {
                    names: renamed,
                    equations,
                    body,
                }
            }
            SubstKind::Var { names, body } => {
                let (renamed, body) = self.binder(env, names, |this| this.subst(env, *body));
                SubstKind::Var {
                    names: renamed,
                    body,
                }
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => SubstKind::While {
                condition: self.expr(env, *condition),
                body: self.subst(env, *body),
                invariant: self.expr(env, *invariant),
                variant: self.expr(env, *variant),
            },
        };
        self.push_subst(env, kind, span)
    }

    pub(super) fn exprs(&mut self, env: &Env<'_, 'p>, ids: &[ExprId]) -> Vec<ExprId> {
        ids.iter().map(|id| self.expr(env, *id)).collect()
    }

    pub(super) fn substs(&mut self, env: &Env<'_, 'p>, ids: &[SubstId]) -> Vec<SubstId> {
        ids.iter().map(|id| self.subst(env, *id)).collect()
    }

    pub(super) fn branches(
        &mut self,
        env: &Env<'_, 'p>,
        branches: &[(ExprId, SubstId)],
    ) -> Vec<(ExprId, SubstId)> {
        branches
            .iter()
            .map(|(condition, body)| (self.expr(env, *condition), self.subst(env, *body)))
            .collect()
    }

    /// A call: of a definition that stands for a substitution or an operation, of the host, or of an
    /// operation.
    pub(super) fn call(
        &mut self,
        env: &Env<'_, 'p>,
        span: Span,
        results: &[ExprId],
        (name, name_span): (Name, Span),
        arguments: &[ExprId],
    ) -> SubstId {
        let name = self.rename(env, name);
        let Some(entry) = self.definition(env, name) else {
            if self.is_refused(env, name) {
                return self.push_subst(env, SubstKind::Error, span);
            }
            let kind = SubstKind::Call {
                results: self.exprs(env, results),
                name,
                name_span,
                arguments: self.exprs(env, arguments),
            };
            return self.push_subst(env, kind, span);
        };
        self.definitions.used.borrow_mut().insert(name);
        if self.external(name) == Some(ExternalKind::Substitution) {
            if self.arity(entry, span, arguments.len()) {
                self.external_type(name, ExternalKind::Substitution);
            }
            let arguments = self.exprs(env, arguments);
            return self.push_subst(env, SubstKind::External(name, arguments), span);
        }
        let no_parameters = entry.definition.parameters.is_empty();
        let given = if no_parameters { &[][..] } else { arguments };
        if !self.arity(entry, span, given.len()) {
            return self.push_subst(env, SubstKind::Error, span);
        }
        let targets = self.exprs(env, results);
        let extra = if no_parameters {
            self.exprs(env, arguments)
        } else {
            Vec::new()
        };
        self.inside(env, entry, span, given, |this, inner| {
            let formula = match &entry.definition.body {
                MacroBody::Substitution(body) if targets.is_empty() && extra.is_empty() => {
                    return this.subst(inner, *body);
                }
                MacroBody::Formula(body) => Some(*body),
                _ => None,
            };
            let exprs = &inner.tree.exprs;
            let called = formula.and_then(|body| as_call(exprs, body));
            let Some((called, called_span, args)) = called else {
                this.diagnostics.push(
                    Diagnostic::error(
                        &codes::WRONG_SORT,
                        span,
                        format!("definition `{name}` cannot stand for a substitution here"),
                    )
                    .also(entry.definition.span, "defined here"),
                );
                return this.push_subst(inner, SubstKind::Error, span);
            };
            if targets.is_empty() && extra.is_empty() {
                return this.call(inner, span, &[], (called, called_span), args);
            }
            let mut arguments = this.exprs(inner, args);
            arguments.extend(extra);
            let kind = SubstKind::Call {
                results: targets,
                name: this.rename(inner, called),
                name_span: called_span,
                arguments,
            };
            this.push_subst(inner, kind, span)
        })
    }
}

/// A body that looks like a name or an application is a call.
fn as_call(exprs: &Exprs, body: ExprId) -> Option<(Name, Span, &[ExprId])> {
    let (function, args) = match exprs.kind(body) {
        ExprKind::Apply(function, args) => (*function, args.as_slice()),
        _ => (body, &[][..]),
    };
    match exprs.kind(function) {
        ExprKind::Name(name) => Some((*name, exprs.span(function), args)),
        _ => None,
    }
}
