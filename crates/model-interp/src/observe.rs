//! Counts how often conditions of statements are true and false, for reports of coverage.

use std::collections::BTreeMap;

use model::{ExprId, Stmt};

use crate::Interp;
use crate::env::Env;
use crate::stop::Run;

impl Interp<'_> {
    /// From now on conditions of IF, CASE and WHEN are counted; all of the model are known from the beginning.
    pub fn observe(&mut self) {
        let mut observed = BTreeMap::new();
        for (_, statement) in self.model.stmts.iter() {
            if let Stmt::If(branches, _) | Stmt::Select(branches, _) = statement {
                observed.extend(branches.iter().map(|(condition, _)| (*condition, (0, 0))));
            }
        }
        self.observed = Some(observed);
    }

    /// How often each condition was true and false.
    pub fn observed(&self) -> BTreeMap<ExprId, (u64, u64)> {
        self.observed.clone().unwrap_or_default()
    }

    /// The truth of a condition of a statement.
    pub(crate) fn condition(&mut self, condition: ExprId, env: &Env) -> Run<bool> {
        let truth = self.test(condition, env)?;
        if let Some(observed) = &mut self.observed {
            let (yes, no) = observed.entry(condition).or_default();
            *(if truth { yes } else { no }) += 1;
        }
        Ok(truth)
    }
}
