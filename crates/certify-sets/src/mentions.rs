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
        let stmt = &model.stmts[stmt];
        if let Stmt::Assign(pairs) = stmt {
            found.extend(pairs.iter().filter_map(|(target, _)| match target {
                Target::Var(var) => Some(var.index()),
                Target::Local(_) => None,
            }));
        }
        let (exprs, stmts) = (&mut self.exprs, &mut self.stmts);
        stmt.for_each_part(|part| exprs.push(part), |part| stmts.push(part));
    }
}
