//! The predicates that are checked in every state, in the order of the model: invariant conjuncts, then
//! assertions.

use base::Span;
use model::{Conjunct, Model};

use crate::report::FindingKind;

/// Longer names of conjuncts are cut.
const MAX_NAME: usize = 120;

/// A predicate that is checked in every state.
#[derive(Clone, Copy)]
pub(super) struct Checked<'a> {
    model: &'a Model,
    /// What it is.
    pub(super) kind: FindingKind,
    /// Its position among those of its kind, from 0.
    pub(super) index: usize,
    /// The predicate.
    pub(super) conjunct: Conjunct,
}

/// Every predicate that is checked in every state.
pub(super) fn all(model: &Model) -> impl Iterator<Item = Checked<'_>> {
    let of_kind = move |kind, conjuncts: Vec<Conjunct>| {
        conjuncts
            .into_iter()
            .enumerate()
            .map(move |(index, conjunct)| Checked {
                model,
                kind,
                index,
                conjunct,
            })
    };
    let assertions = model.assertions.iter().map(|assertion| assertion.conjunct);
    of_kind(FindingKind::Invariant, model.invariants.clone())
        .chain(of_kind(FindingKind::Assertion, assertions.collect()))
}

impl Checked<'_> {
    /// The label in the text.
    pub(super) fn label(&self) -> Option<String> {
        self.conjunct.label.map(|label| label.to_string())
    }

    /// Whether `--only` means it.
    pub(super) fn is_named(&self, name: &str) -> bool {
        self.conjunct.label.is_some_and(|label| label.as_str() == name)
    }

    /// The label, or the beginning of the text.
    pub(super) fn name(&self) -> String {
        self.label().unwrap_or_else(|| {
            let text = self.text();
            match text.char_indices().nth(MAX_NAME) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        })
    }

    /// The whole predicate.
    pub(super) fn text(&self) -> String {
        model::text::formula(self.model, self.conjunct.predicate)
    }

    /// Where it stands.
    pub(super) fn span(&self) -> Span {
        self.conjunct.span
    }
}
