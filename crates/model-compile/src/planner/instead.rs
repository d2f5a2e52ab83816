//! Plans in the place of the one that was chosen: where what it takes candidates from is undefined, or has no end.
//!
//! Invariant: such a plan gives the same solutions in another order; it only reaches them where the first cannot.

use lang_math::Op;
use model::Kind;

use super::{Candidate, Conjunct, Planning};
use crate::plan::{Plan, Source, Step};

impl<'c, 'm> Planning<'c, 'm> {
    /// The plan from here on without a candidate that may be undefined, where others could leave nothing to try.
    pub(super) fn without(&self, candidate: &Candidate) -> Option<Plan> {
        if candidate.total || self.manner.relaxed {
            return None;
        }
        let narrows = |conjunct: &Conjunct| {
            let mut unknowns = conjunct.unknowns.iter();
            unknowns.any(|unknown| candidate.binds.contains(unknown))
        };
        let others = self.conjuncts.iter().enumerate();
        let mut others = others.filter(|(i, other)| !other.done && !candidate.covers.contains(i));
        if !others.any(|(_, other)| narrows(other)) {
            return None;
        }
        let mut rest = self.again();
        rest.careful = true;
        rest.finish();
        // Of something without end some candidate always gets as far.
        (!rest.unbounded).then(|| rest.plan())
    }

    /// The plan from here on where a candidate goes through a set that has a name and turns out to be infinite, if the others
    /// bound what it was to bind.
    pub(super) fn instead_of(&self, candidate: &Candidate) -> Option<Plan> {
        let Step::Each(unknown, Source::Set(_)) = &candidate.step else {
            return None;
        };
        let [at] = *candidate.covers.as_slice() else {
            return None;
        };
        let is_named = match self.relation(&self.conjuncts[at]) {
            Some((Op::Member, _, set)) => matches!(self.kind(set), Kind::Var(_)),
            _ => false,
        };
        let is_bounded_elsewhere = self
            .conjuncts
            .iter()
            .enumerate()
            .any(|(i, other)| i != at && !other.done && other.unknowns.contains(unknown));
        if !is_named
            || !is_bounded_elsewhere
            || self.is_instead
            || !candidate.total
            || self.compiler.program.reps[self.ty_of(*unknown)].finite
        {
            return None;
        }
        let mut rest = self.again();
        rest.avoided.push(at);
        rest.is_instead = true;
        rest.careful = self.careful;
        rest.finish();
        (!rest.unbounded && rest.total).then(|| rest.plan())
    }

    /// What is left to plan, without the steps so far.
    fn again(&self) -> Planning<'c, 'm> {
        Planning {
            unknowns: self.unknowns.clone(),
            definitions: self.definitions.clone(),
            bound: self.bound.clone(),
            declared: self.declared.clone(),
            conjuncts: self.conjuncts.clone(),
            is_once: self.is_once,
            avoided: self.avoided.clone(),
            is_instead: self.is_instead,
            ..Planning::new(self.compiler, Vec::new(), self.manner)
        }
    }
}
