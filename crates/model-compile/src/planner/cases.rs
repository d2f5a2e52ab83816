//! Conditional equations: `C => x = E` with a known condition gives `x` its value wherever `C` holds.
//!
//! Specifications say what follows case by case (`full => out' = wait`, `not full => out' = ok`, …). The first case whose
//! condition holds gives the value; where none does, the unknown is enumerated as before.
//! Invariant: the implications are tested all the same, so a case only narrows the candidates.

use lang_math::Op;
use model::{ExprId, Kind};

use super::{Candidate, Conjunct, Planning};
use crate::cx::F;
use crate::plan::{Step, Unknown};
use crate::value::V;

/// About as many candidates as a case gives.
const COST: f64 = 2.0;

impl Planning<'_, '_> {
    /// The candidate with the cases of its unknown before it.
    pub(super) fn with_cases(&self, mut candidate: Candidate) -> Candidate {
        let Step::Each(unknown, _) = candidate.step else {
            return candidate;
        };
        if candidate.cost <= COST {
            return candidate;
        }
        let cases = self.cases(unknown);
        if cases.is_empty() {
            return candidate;
        }
        candidate.step = match candidate.step {
            Step::Each(_, source) => Step::Cases(unknown, cases, source),
            step => step,
        };
        // What holds of the candidates of a set need not hold of the value of a case.
        candidate.covers.clear();
        candidate.cost = COST;
        candidate.space = COST;
        candidate
    }

    fn cases(&self, unknown: Unknown) -> Vec<(F<bool>, F<V>)> {
        let mut cases = Vec::new();
        // Whether the earlier ones that may be undefined are so for all values of the unknown or for none.
        let mut is_steady = true;
        for (j, conjunct) in self.conjuncts.iter().enumerate() {
            let is_alone = !conjunct.done && self.is_case(conjunct, unknown);
            let may_use =
                self.manner.relaxed || conjunct.total && self.may_prune(j) || is_alone && is_steady;
            is_steady &= conjunct.done || conjunct.total || is_alone;
            if conjunct.done || conjunct.negated || !may_use {
                continue;
            }
            match self.kind(conjunct.expr) {
                Kind::Op(Op::Implies, sides) if self.known(sides[0]) => {
                    self.case((sides[0], false), sides[1], unknown, &mut cases);
                }
                Kind::If(condition, yes, no) if self.known(*condition) => {
                    self.case((*condition, false), *yes, unknown, &mut cases);
                    self.case((*condition, true), *no, unknown, &mut cases);
                }
                _ => {}
            }
        }
        cases
    }

    /// Whether a conjunct is one case and says nothing else: then it is defined for all values of the unknown or for none.
    fn is_case(&self, conjunct: &Conjunct, unknown: Unknown) -> bool {
        let Some((Op::Implies, condition, implied)) = self.relation(conjunct) else {
            return false;
        };
        let Kind::Op(Op::Equal, args) = self.kind(implied) else {
            return false;
        };
        let gives = |a, b| self.open(a) == Some(unknown) && self.known(b);
        !conjunct.negated
            && self.known(condition)
            && (gives(args[0], args[1]) || gives(args[1], args[0]))
    }

    /// The equations for an unknown in what a condition implies.
    fn case(
        &self,
        (condition, negated): (ExprId, bool),
        implied: ExprId,
        unknown: Unknown,
        cases: &mut Vec<(F<bool>, F<V>)>,
    ) {
        for part in self.compiler.chain(Op::And, implied) {
            let Kind::Op(Op::Equal, args) = self.kind(part) else {
                continue;
            };
            for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                if self.open(a) == Some(unknown) && self.known(b) {
                    let condition = self.compiler.signed(condition, negated);
                    cases.push((condition, self.compiler.value(b)));
                    return;
                }
            }
        }
    }
}
