//! Disjunctions, choices between two implications and existential conjuncts as generators: each branch is
//! planned on its own, and what the branches find together is enumerated once.
//!
//! Invariant: a conjunct counts as covered only when every branch was solved completely and cannot fault.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::{Candidate, Planning, opposite};
use crate::plan::{Plan, Step, Unknown};
use crate::rep::Rep;

/// Conjuncts, each with whether its negation is meant.
type Signed = Vec<(ExprId, bool)>;

/// A branch that costs no more computes its values.
const CHEAP: f64 = 2.0;
/// Branches that cost more are no help.
const MAX_COST: f64 = 1e5;

impl Planning<'_, '_> {
    /// `P or Q`, or `#y.(P)`, where the branches can enumerate the same open unknowns.
    pub(super) fn by_solutions(&self, i: usize) -> Option<Candidate> {
        let conjunct = &self.conjuncts[i];
        if conjunct.done {
            return None;
        }
        let positive = |expr: ExprId| -> Signed {
            let parts = self.compiler.chain(Op::And, expr);
            parts.into_iter().map(|part| (part, false)).collect()
        };
        let mut covers = vec![i];
        let mut branches: Vec<(Vec<Unknown>, Signed)> = Vec::new();
        let mut quantified = false;
        match (self.kind(conjunct.expr), conjunct.negated) {
            (Kind::Op(Op::And, _), true) => {
                for branch in self.compiler.chain(Op::And, conjunct.expr) {
                    branches.push((Vec::new(), vec![(branch, true)]));
                }
            }
            (Kind::Op(Op::Or, _), false) => {
                for branch in self.compiler.chain(Op::Or, conjunct.expr) {
                    branches.push((Vec::new(), positive(branch)));
                }
            }
            (Kind::If(condition, yes, no), false) => {
                for (branch, negated) in [(*yes, false), (*no, true)] {
                    let mut parts = vec![(*condition, negated)];
                    parts.extend(positive(branch));
                    branches.push((Vec::new(), parts));
                }
            }
            (Kind::Op(Op::Implies, sides), false) => {
                let (j, other) = self.otherwise(i, sides[0])?;
                covers.push(j);
                for (branch, negated) in [(sides[1], false), (other, true)] {
                    let mut parts = vec![(sides[0], negated)];
                    parts.extend(positive(branch));
                    branches.push((Vec::new(), parts));
                }
            }
            (
                Kind::Bind {
                    binder: Binder::Exists,
                    names,
                    predicate,
                    ..
                },
                false,
            ) => {
                quantified = true;
                let names: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
                if names.iter().any(|name| self.unknowns.contains(name)) {
                    return None;
                }
                branches.push((names, positive(*predicate)));
            }
            _ => return None,
        }
        // An existential that comes next in the text may fault as its test would.
        let total = covers.iter().all(|j| self.conjuncts[*j].total);
        if !total && !self.manner.relaxed && !quantified {
            return None;
        }
        let open = |parts: &[(ExprId, bool)]| -> Vec<Unknown> {
            let mut open: Vec<Unknown> = parts
                .iter()
                .flat_map(|(part, _)| self.mentioned(*part))
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
        let mut complete = total;
        let mut cost = 0.0;
        let mut plans = Vec::new();
        for (names, parts) in branches {
            let all = parts.len();
            // What mentions an unknown that stays open is left for later.
            let parts: Signed = parts
                .into_iter()
                .filter(|part| open(&[*part]).iter().all(|unknown| binds.contains(unknown)))
                .collect();
            complete &= parts.len() == all;
            let unknowns: Vec<Unknown> = names.into_iter().chain(binds.iter().copied()).collect();
            let plan = self
                .compiler
                .plan_signed(&unknowns, &[], &parts, self.manner);
            cost += plan.cost;
            if plan.unbounded || cost + 50.0 > MAX_COST {
                return None;
            }
            plans.push(plan);
        }
        // Branches that compute one value each cost little more than the values.
        let is_cheap = plans.iter().all(|plan: &Plan| plan.cost <= CHEAP);
        cost += if is_cheap { CHEAP } else { 50.0 };
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
        candidate.total = total;
        candidate.covers = covers;
        if !complete {
            candidate.covers.clear();
        }
        Some(candidate)
    }

    /// The conjunct `not C => Q` that goes with `C => P`, for a condition that is known, and its `Q`.
    fn otherwise(&self, i: usize, condition: ExprId) -> Option<(usize, ExprId)> {
        if !self.known(condition) {
            return None;
        }
        let (plain, negated) = self.unsigned(condition);
        self.conjuncts.iter().enumerate().find_map(|(j, other)| {
            if j == i || other.done || other.negated {
                return None;
            }
            let Kind::Op(Op::Implies, sides) = self.kind(other.expr) else {
                return None;
            };
            let (found, sign) = self.unsigned(sides[0]);
            let is_other = match sign == negated {
                false => self.compiler.same(found, plain),
                true => self.opposite_of(found, plain),
            };
            is_other.then_some((j, sides[1]))
        })
    }

    /// A predicate without the negations around it, and whether their number is odd.
    fn unsigned(&self, mut expr: ExprId) -> (ExprId, bool) {
        let mut negated = false;
        while let Kind::Op(Op::Not, args) = self.kind(expr) {
            expr = args[0];
            negated = !negated;
        }
        (expr, negated)
    }

    /// Whether one predicate is the other with the operator of the negation: `x : S` and `x /: S`.
    fn opposite_of(&self, a: ExprId, b: ExprId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (Kind::Op(x, xs), Kind::Op(y, ys)) => {
                opposite(*x) == Some(*y)
                    && xs.iter().zip(ys).all(|(x, y)| self.compiler.same(*x, *y))
            }
            _ => false,
        }
    }
}
