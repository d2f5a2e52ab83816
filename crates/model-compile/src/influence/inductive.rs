//! Which labels a step keeps, whatever else is true of the state: induction over single steps.
//!
//! Papers: [Sheeran, Singh, Stålmarck 2000] with paths of one step; [Bendisposto, Leuschel 2009] (proofs spare a model checker
//! work). What is supposed of the state before are labels, all of them together; a label is kept by an action if no way of it
//! leads from such a state to one in which the label is false or undefined.
//! Invariant: a label that may be undefined after a step counts as broken, and so does what was not answered.

use model::{ExprId, Kind, VarId};

use super::ask::Problem;
use super::{Influence, Kept, chain};
use crate::facts::merge;

/// The same question, with more and more that is supposed: the answer is no when one of them has no solution.
type Attempts = Vec<Problem>;

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
            let row: Vec<Option<Vec<Attempts>>> = actions
                .iter()
                .map(|action| self.breaks(*label, *action))
                .collect();
            problems.push(row);
        }
        let (first, kept) = self.asking(|asking| {
            let (mut first, mut kept) = (Vec::new(), Vec::new());
            for ((label, actions), row) in rows.iter().zip(&problems) {
                // What cannot be asked decides before anybody is asked.
                let unasked = row.iter().position(Option::is_none);
                let breaks = |(problems, action): (&Option<Vec<Attempts>>, &usize)| {
                    let mut problems = problems.iter().flatten();
                    let breaks =
                        problems.any(|attempts| attempts.iter().all(|one| asking.may(one)));
                    let refuted = asking.refuted.as_mut().map(std::mem::take);
                    kept.extend(refuted.filter(|_| !breaks).map(|refuted| Kept {
                        label: *label,
                        action: *action,
                        refuted,
                    }));
                    breaks
                };
                let broken = unasked.or_else(|| row.iter().zip(actions).position(breaks));
                first.push(broken.map(|at| actions[at]));
            }
            (first, kept)
        });
        self.kept.extend(kept);
        first
    }

    /// Problems one of which has a solution if a step can break a label; `None` when that cannot be asked.
    fn breaks(&mut self, label: usize, action: usize) -> Option<Vec<Attempts>> {
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
                problem.add(&[], &kept);
                problem.fails = Some(after);
                let mut about = Vec::new();
                for expr in way.conditions.iter().chain(&kept).chain([&after]) {
                    merge(&mut about, &self.read_by(*expr));
                }
                problems.push(self.supposing(&problem, &about));
                kept.push(after);
            }
        }
        Some(problems)
    }

    /// A problem with what is supposed: first only what is about variables that it mentions anyway, then everything. What
    /// has no solution with fewer conjuncts has none with more.
    fn supposing(&self, problem: &Problem, about: &[VarId]) -> Attempts {
        let is_about = |expr: &ExprId| {
            let reads = self.read_by(*expr);
            reads.iter().all(|var| about.binary_search(var).is_ok())
        };
        let near: Vec<ExprId> = self.supposed.iter().copied().filter(is_about).collect();
        let with = |supposed: &[ExprId]| {
            let mut problem = problem.clone();
            problem.add(&[], supposed);
            problem
        };
        match near.len() == self.supposed.len() {
            true => vec![with(&near)],
            false => vec![with(&near), with(&self.supposed)],
        }
    }

    /// The variables that an expression mentions, ascending.
    pub(super) fn read_by(&self, expr: ExprId) -> Vec<VarId> {
        let mut reads = Vec::new();
        self.model.walk(expr, &mut |part| {
            if let Kind::Var(var) = part.kind {
                merge(&mut reads, &[var]);
            }
        });
        reads
    }
}
