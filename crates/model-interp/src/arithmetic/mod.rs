//! Predicates of linear arithmetic that ended unknown because an enumeration was cut: decided by automata.
//!
//! A predicate about integers and tuples of integers becomes a formula in which bound names are names and everything else has
//! the value of now ([`read`]); [`automaton`] tells whether it is true. Comprehensions are replaced by their predicates about
//! the element, functions by a value that is bound.
//! Invariant: the predicate must be surely defined, which is a formula of its own; otherwise it stays unknown.
//! Invariant: shares nothing with the compiled evaluator, which removes quantifiers instead.

mod automaton;
mod formula;
mod read;
mod sets;
mod terms;

use lang_math::Binder;
use model::{ExprId, Kind};

use crate::Interp;
use crate::env::Env;
use read::{Reader, Said};

/// A predicate that stayed unknown so often is not looked at again.
const PATIENCE: u32 = 20;
/// So many steps may the values in a formula take.
const BUDGET: u64 = 200_000;

impl Interp<'_> {
    /// The truth of a predicate that ended unknown.
    pub(crate) fn decided_by_arithmetic(&mut self, predicate: ExprId, env: &Env) -> Option<bool> {
        let model = self.model;
        let is_comparison = match &model.exprs[predicate].kind {
            Kind::Bind { binder, .. } => matches!(binder, Binder::Forall | Binder::Exists),
            Kind::Op(op, _) => op.compares_values(),
            _ => false,
        };
        let failed = self.undecided.get(&predicate).copied().unwrap_or(0);
        if !is_comparison || self.is_near || failed > PATIENCE {
            return None;
        }
        let outer = (self.doubt.take(), self.notes.clone());
        let budget = self.options.budget;
        self.options.budget = budget.min(self.steps.saturating_add(BUDGET));
        self.is_near = true;
        let said = Reader::new(self).made(predicate, env);
        let truth = said.and_then(|Said { holds, defined }| match defined.decide()? {
            true => holds.decide(),
            false => None,
        });
        self.is_near = false;
        self.options.budget = budget;
        (self.doubt, self.notes) = outer;
        if truth.is_none() {
            *self.undecided.entry(predicate).or_insert(0) += 1;
        }
        truth
    }
}
