//! Which labels a step keeps, whatever else is true of the state: induction over single steps.
//!
//! Papers: [Sheeran, Singh, Stålmarck 2000] with paths of one step; [Bendisposto, Leuschel 2009] (proofs spare a model checker
//! work). What is supposed of the state before are labels, all of them together; a label is kept by an action if no way of it
//! leads from such a state to one in which the label is false or undefined.
//! Invariant: a label that may be undefined after a step counts as broken, and so does what was not answered.

use model::ExprId;

use super::ask::Problem;
use super::{Influence, chain};

impl Influence<'_> {
    /// Supposes that these labels hold in the state before, and whatever the model says of every state.
    pub fn suppose(&mut self, labels: &[usize]) {
        let assumed = self.model.assumed.iter().map(|part| part.predicate);
        let labels = labels.iter().map(|label| self.labels[*label]);
        let supposed: Vec<ExprId> = assumed.chain(labels).collect();
        let parts = supposed.into_iter();
        self.supposed = parts.flat_map(|part| chain(&self.model, part)).collect();
    }

    /// Whether an action can have a fault, or is not understood.
    pub fn may_fault(&self, action: usize) -> bool {
        let action = &self.actions[action];
        action.may_fault || action.acting.is_none()
    }

    /// For each label and the actions that write what it reads: the first action that may break it.
    pub fn first_to_break(&mut self, rows: &[(usize, Vec<usize>)]) -> Vec<Option<usize>> {
        let mut problems = Vec::new();
        for (label, actions) in rows {
            let row: Vec<Option<Vec<Problem>>> = actions
                .iter()
                .map(|action| self.breaks(*label, *action))
                .collect();
            problems.push(row);
        }
        self.asking(|asking| {
            let mut first = Vec::new();
            for ((_, actions), row) in rows.iter().zip(&problems) {
                // What cannot be asked decides before anybody is asked.
                let unasked = row.iter().position(Option::is_none);
                let broken = unasked.or_else(|| {
                    row.iter().position(|problems| {
                        let problems = problems.iter().flatten();
                        problems.into_iter().any(|problem| asking.may(problem))
                    })
                });
                first.push(broken.map(|at| actions[at]));
            }
            first
        })
    }

    /// Problems one of which has a solution if a step can break a label; `None` when that cannot be asked.
    fn breaks(&mut self, label: usize, action: usize) -> Option<Vec<Problem>> {
        if !self.defined[label] {
            return None;
        }
        let ways = self.actions[action].acting.clone()?;
        let parts = chain(&self.model, self.labels[label]);
        let mut problems = Vec::new();
        for way in &ways {
            let mut kept = Vec::new();
            for part in &parts {
                let after = self.after(way, *part);
                if after == *part {
                    continue;
                }
                let mut problem = Problem::new(&way.names, &way.conditions);
                problem.add(&[], &self.supposed);
                problem.add(&[], &kept);
                problem.fails = Some(after);
                problems.push(problem);
                kept.push(after);
            }
        }
        Some(problems)
    }
}
