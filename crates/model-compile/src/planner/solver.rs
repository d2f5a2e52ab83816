//! Gives the rest of an enumeration to the solver where generating and testing would look at too many candidates.
//!
//! The decision is made once, when the predicate is compiled. What an equation gives is still computed first; the
//! enumeration that would have been used stays as the way out for what the solver cannot take.

use model::ExprId;
use rustc_hash::FxHashSet;

use super::{Manner, Planning};
use crate::code::Compiler;
use crate::plan::{Plan, Step, Unknown};
use crate::solving::Search;

impl Compiler<'_> {
    /// The plan that asks the solver; `plan` itself when there is nothing to solve.
    pub(super) fn with_solver(
        &self,
        unknowns: &[Unknown],
        conjuncts: &[(ExprId, bool)],
        manner: Manner,
        (plan, trial): (Plan, Option<u64>),
    ) -> Plan {
        // Membership alone is better enumerated: every candidate is a solution.
        let tests = plan
            .steps
            .iter()
            .any(|step| matches!(step, Step::Test(_) | Step::Solve(..)))
            || plan.steps.iter().any(|step| step.is_pruned());
        if !tests {
            return plan;
        }
        let mut planning = Planning {
            compiler: self,
            unknowns: unknowns.to_vec(),
            definitions: Vec::new(),
            bound: FxHashSet::default(),
            declared: FxHashSet::default(),
            conjuncts: Vec::new(),
            manner,
            steps: Vec::new(),
            total: true,
            unbounded: false,
            may_be_endless: false,
            cost: 1.0,
            space: 1.0,
        };
        planning.take(conjuncts);
        planning.tests();
        while planning.bound.len() < planning.unknowns.len() {
            let candidate = planning.choose();
            if candidate.fallback || candidate.space > 1.0 {
                break;
            }
            for covered in candidate.covers {
                planning.conjuncts[covered].done = true;
            }
            planning.bound.extend(candidate.binds);
            planning.steps.push(candidate.step);
            planning.tests();
        }
        let left: Vec<Unknown> = unknowns
            .iter()
            .filter(|unknown| !planning.bound.contains(unknown))
            .copied()
            .collect();
        if left.is_empty() {
            return plan;
        }
        let signed = planning.flatten(conjuncts);
        let tests = signed
            .iter()
            .map(|(expr, negated)| self.signed(*expr, *negated))
            .collect();
        let search = Search {
            model: self.shared(),
            assigned: self.assigned.clone(),
            everything: unknowns.to_vec(),
            unknowns: left.iter().map(|u| (*u, planning.ty_of(*u))).collect(),
            conjuncts: signed,
            tests,
            relaxed: manner.relaxed,
            trial,
            otherwise: plan.clone(),
        };
        planning.steps.push(Step::Search(Box::new(search)));
        Plan {
            steps: planning.steps.into(),
            ..plan
        }
    }
}
