//! The constants and variables that a formula or a statement mentions, or changes: nothing else matters to it.
//!
//! Invariant: a function of the host may look at anything, so whatever calls one mentions everything.

use std::collections::BTreeSet;

use model::{ExprId, Kind, Model, Stmt, StmtId, Target};

/// What is still to be looked at.
#[derive(Default)]
pub(crate) struct Mentions {
    pub(crate) exprs: Vec<ExprId>,
    pub(crate) stmts: Vec<StmtId>,
    /// The numbers of variables that are known to be mentioned.
    pub(crate) variables: Vec<usize>,
}

impl Mentions {
    /// The numbers of what is mentioned, ascending.
    pub(crate) fn of(mut self, model: &Model) -> Vec<usize> {
        let mut found: BTreeSet<usize> = self.variables.drain(..).collect();
        let mut is_host = false;
        while let Some(stmt) = self.stmts.pop() {
            self.statement(model, stmt, &mut found);
            is_host |= matches!(model.stmts[stmt], Stmt::External(..));
        }
        // What a model says of every state decides which steps there are.
        self.exprs
            .extend(model.assumed.iter().map(|part| part.predicate));
        for expr in self.exprs {
            model.walk(expr, &mut |part| match &part.kind {
                Kind::Var(var) => _ = found.insert(var.index()),
                Kind::External(..) => is_host = true,
                _ => {}
            });
        }
        match is_host {
            true => (0..model.variables.len()).collect(),
            false => found.into_iter().collect(),
        }
    }

    fn statement(&mut self, model: &Model, stmt: StmtId, found: &mut BTreeSet<usize>) {
        let (exprs, stmts) = (&mut self.exprs, &mut self.stmts);
        match &model.stmts[stmt] {
            Stmt::Skip => {}
            Stmt::Assign(pairs) => {
                for (target, value) in pairs {
                    exprs.push(*value);
                    if let Target::Var(var) = target {
                        found.insert(var.index());
                    }
                }
            }
            Stmt::Any {
                predicate, body, ..
            } => {
                exprs.push(*predicate);
                stmts.push(*body);
            }
            Stmt::Let(_, value, body) | Stmt::Assert(value, _, body) => {
                exprs.push(*value);
                stmts.push(*body);
            }
            Stmt::Var(_, body) => stmts.push(*body),
            Stmt::Select(branches, otherwise) => {
                for (guard, body) in branches {
                    exprs.push(*guard);
                    stmts.push(*body);
                }
                stmts.extend(otherwise);
            }
            Stmt::If(branches, otherwise) => {
                for (condition, body) in branches {
                    exprs.push(*condition);
                    stmts.push(*body);
                }
                stmts.push(*otherwise);
            }
            Stmt::Choice(parts) | Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
                stmts.extend(parts);
            }
            Stmt::Simulate(step) => {
                exprs.extend(step.conditions.iter().map(|(condition, _)| *condition));
                exprs.push(step.place);
                stmts.extend([step.body, step.then]);
            }
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                ..
            } => {
                exprs.extend([*condition, *invariant, *variant]);
                stmts.push(*body);
            }
            Stmt::External(_, arguments) => exprs.extend(arguments),
        }
    }
}
