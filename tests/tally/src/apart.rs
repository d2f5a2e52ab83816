//! Which workers a tally and the questions about it tell apart.

use base::Span;
use subject::QuestionId;
use subject::symmetry::Apart;

use crate::model::{Atom, Comparison, Whose};
use crate::subject::Tallies;

impl Tallies {
    /// The class of each worker: those whom a formula names are alone.
    pub(crate) fn classes(&self, questions: &[QuestionId]) -> (Vec<u32>, Vec<Apart>) {
        let model = &self.checked.model;
        let mut apart: Vec<(Option<usize>, Span)> = Vec::new();
        for event in &model.events {
            apart.extend(
                event
                    .atoms()
                    .filter_map(named)
                    .map(|one| (Some(one), event.span)),
            );
        }
        for claim in &model.claims {
            let atoms = claim.predicate.iter().flatten().flat_map(atoms);
            apart.extend(atoms.filter_map(named).map(|one| (Some(one), claim.span)));
        }
        for asked in questions.iter().map(|id| self.asked(*id)) {
            apart.extend(asked.apart.iter().map(|one| (*one, asked.span)));
        }
        let is_apart = |worker| {
            apart
                .iter()
                .any(|(one, _)| one.is_none_or(|one| one == worker))
        };
        let class = |worker: usize| {
            if is_apart(worker) {
                worker as u32 + 1
            } else {
                0
            }
        };
        let because = apart.iter().map(|(worker, span)| Apart {
            elements: worker
                .iter()
                .map(|worker| (worker + 1).to_string())
                .collect(),
            what: "a formula names the worker".to_owned(),
            span: *span,
        });
        ((0..model.workers).map(class).collect(), because.collect())
    }
}

pub(crate) fn atoms(comparison: &Comparison) -> impl Iterator<Item = Atom> + '_ {
    let both = comparison.left.iter().chain(&comparison.right);
    both.map(|(_, atom)| *atom)
}

/// The worker that an atom names.
pub(crate) fn named(atom: Atom) -> Option<usize> {
    match atom {
        Atom::Counter(_, Whose::Worker(worker)) => Some(worker),
        _ => None,
    }
}
