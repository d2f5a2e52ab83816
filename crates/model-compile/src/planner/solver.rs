//! Gives the rest of an enumeration to the solver where generating and testing would look at too many candidates.
//!
//! The decision is made once, when the predicate is compiled. What an equation gives is still computed first; the
//! enumeration that would have been used stays as the way out for what the solver cannot take.

use lang_math::Op;
use model::{ExprId, Kind};

use super::{Candidate, Manner, Planning, better};
use crate::code::Compiler;
use crate::plan::Source;
use crate::plan::{Plan, Step, Unknown};
use crate::solving::{Endless, FUEL, Search};

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
            .any(|step| matches!(step.main(), Step::Test(_) | Step::Solve(..)))
            || plan.steps.iter().any(|step| step.is_pruned());
        if !tests {
            return plan;
        }
        let mut planning = Planning::new(self, unknowns.to_vec(), manner);
        planning.is_once = trial != Some(FUEL);
        planning.take(conjuncts);
        planning.tests();
        while planning.bound.len() < planning.unknowns.len() {
            let candidate = match planning.decisive() {
                Some(candidate) => candidate,
                None => planning.choose(),
            };
            let is_computed = !candidate.fallback && candidate.space <= 1.0;
            if !is_computed && !planning.shapes_others(&candidate) {
                break;
            }
            planning.advance(candidate);
        }
        let left: Vec<Unknown> = unknowns
            .iter()
            .filter(|unknown| !planning.bound.contains(unknown))
            .copied()
            .collect();
        if left.is_empty() {
            return plan;
        }
        let at = planning.steps.len();
        planning.finish();
        let rest = planning.steps.split_off(at);
        let signed = self.split_signed(conjuncts);
        let tests = signed
            .iter()
            .map(|(expr, negated)| self.signed(*expr, *negated))
            .collect();
        let endless = match trial {
            Some(FUEL) if !planning.cuts_functions(&left, &rest) => Endless::Never,
            _ if planning.has_endless(&left, &rest) => Endless::First,
            _ => Endless::Allowed,
        };
        let search = Search {
            model: self.shared(),
            assigned: self.assigned.clone(),
            unknowns: left.iter().map(|u| (*u, planning.ty_of(*u))).collect(),
            everything: left,
            conjuncts: signed,
            tests,
            relaxed: manner.relaxed,
            trial,
            endless,
            otherwise: Plan {
                steps: rest.into(),
                ..plan.clone()
            },
        };
        planning.steps.push(Step::Search(Box::new(search)));
        Plan {
            steps: planning.steps.into(),
            ..plan
        }
    }
}

/// Values of an unknown that are tried one by one because others depend on it.
const FEW: f64 = 16.0;

impl Planning<'_, '_> {
    /// A candidate with few values on which the set that another unknown ranges over depends: the solver does better
    /// when that set is known.
    fn decisive(&self) -> Option<Candidate> {
        let mut best = None;
        for i in 0..self.conjuncts.len() {
            if self.conjuncts[i].done {
                continue;
            }
            for candidate in self.by_conjunct(i) {
                let is_computed = !candidate.fallback && candidate.space <= 1.0;
                if self.may_generate(i, &candidate.binds)
                    && (is_computed || self.shapes_others(&candidate))
                {
                    better(&mut best, candidate);
                }
            }
        }
        best
    }

    /// Whether an unknown ranges over a set without end, and no rule gives its values.
    fn has_endless(&self, left: &[Unknown], steps: &[Step]) -> bool {
        self.conjuncts.iter().any(|conjunct| {
            let Some((Op::Member | Op::Subset, element, set)) = self.relation(conjunct) else {
                return false;
            };
            let unknown = match self.kind(element) {
                Kind::Local(local) => Unknown::Local(*local),
                Kind::Var(var) => Unknown::Slot(var.index()),
                _ => return false,
            };
            let is_ruled = |step: &Step| match step.main() {
                Step::Each(found, Source::Pointwise(pointwise)) => {
                    *found == unknown && pointwise.is_ruled()
                }
                Step::One(found, _) => *found == unknown,
                _ => false,
            };
            left.contains(&unknown) && self.compiler.is_endless(set) && !steps.iter().any(is_ruled)
        })
    }

    /// Whether an unknown function has values without end, and choices are asked for: those that a cut leaves count.
    fn cuts_functions(&self, left: &[Unknown], steps: &[Step]) -> bool {
        let is_set = |unknown: &Unknown| {
            let ty = &self.compiler.program.reps[self.ty_of(*unknown)].ty;
            matches!(ty, model::Ty::Pow(_))
        };
        let sets: Vec<Unknown> = left.iter().filter(|u| is_set(u)).copied().collect();
        self.manner.chooses && self.has_endless(&sets, steps)
    }

    /// Whether a candidate has few values, or few are left where it is cut once, and others range over what depends on it.
    fn shapes_others(&self, candidate: &Candidate) -> bool {
        let is_cut = self.is_once && candidate.unbounded;
        let is_few = !candidate.fallback && !candidate.unbounded && candidate.space <= FEW;
        (is_few || is_cut) && self.is_shape(candidate)
    }

    /// Whether others range over what depends on a candidate.
    pub(super) fn is_shape(&self, candidate: &Candidate) -> bool {
        let [unknown] = candidate.binds.as_slice() else {
            return false;
        };
        self.conjuncts.iter().any(|conjunct| {
            let Some((Op::Member | Op::Subset, element, set)) = self.relation(conjunct) else {
                return false;
            };
            !conjunct.done
                && self.open(element).is_some_and(|other| other != *unknown)
                && self.mentioned(set).contains(unknown)
                && matches!(self.kind(set), Kind::Op(op, _) if op.is_arrow()
                    || matches!(op, Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1 | Op::Permutations))
        })
    }
}
