//! Disjunctions and existential conjuncts as generators: each branch is planned on its own, and what the
//! branches find together is enumerated once.
//!
//! Invariant: a conjunct counts as covered only when every branch was solved completely and cannot fault.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::{Candidate, Planning};
use crate::plan::{Step, Unknown};
use crate::rep::Rep;

/// Branches that cost more are no help.
const MAX_COST: f64 = 1e5;

impl Planning<'_, '_> {
    /// `P or Q`, or `#y.(P)`, where the branches can enumerate the same open unknowns.
    pub(super) fn by_solutions(&self, i: usize) -> Option<Candidate> {
        let conjunct = &self.conjuncts[i];
        if conjunct.done || conjunct.negated || !conjunct.total && !self.manner.relaxed {
            return None;
        }
        let branches: Vec<(Vec<Unknown>, Vec<ExprId>)> = match self.kind(conjunct.expr) {
            Kind::Op(Op::Or, _) => self
                .compiler
                .chain(Op::Or, conjunct.expr)
                .into_iter()
                .map(|branch| (Vec::new(), self.compiler.chain(Op::And, branch)))
                .collect(),
            Kind::Bind {
                binder: Binder::Exists,
                names,
                predicate,
                ..
            } => {
                let names = names.iter().map(|name| Unknown::Local(*name)).collect();
                vec![(names, self.compiler.chain(Op::And, *predicate))]
            }
            _ => return None,
        };
        let open = |parts: &[ExprId]| -> Vec<Unknown> {
            let mut open: Vec<Unknown> = parts
                .iter()
                .flat_map(|part| self.mentioned(*part))
                .filter(|unknown| !self.bound.contains(unknown))
                .collect();
            open.sort_unstable();
            open.dedup();
            open
        };
        let mut binds = open(&branches.first()?.1);
        for (_, parts) in &branches[1..] {
            let others = open(parts);
            binds.retain(|unknown| others.contains(unknown));
        }
        if binds.is_empty() {
            return None;
        }
        let mut complete = conjunct.total;
        let mut cost = 50.0;
        let mut plans = Vec::new();
        for (names, parts) in branches {
            let all = parts.len();
            // What mentions an unknown that stays open is left for later.
            let parts: Vec<ExprId> = parts
                .into_iter()
                .filter(|part| open(&[*part]).iter().all(|unknown| binds.contains(unknown)))
                .collect();
            complete &= parts.len() == all;
            let unknowns: Vec<Unknown> = names.into_iter().chain(binds.iter().copied()).collect();
            let plan = self.compiler.plan(&unknowns, &parts, self.manner);
            cost += plan.cost;
            if plan.unbounded || cost > MAX_COST {
                return None;
            }
            plans.push(plan);
        }
        let types = binds.iter().map(|unknown| {
            let info = &self.compiler.program.reps[self.ty_of(*unknown)];
            if info.rep == Rep::Word {
                info.size as f64
            } else {
                f64::INFINITY
            }
        });
        let fallback = types.product::<f64>() <= cost;
        let mut candidate = self.candidate(i, Step::Solve(plans, binds.clone()), binds, cost);
        candidate.fallback = fallback;
        if !complete {
            candidate.covers.clear();
        }
        Some(candidate)
    }
}
