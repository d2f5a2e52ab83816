//! The predicates that are asked of states, in the order of the model: invariant conjuncts, then assertions,
//! then the goal.

use base::Span;
use model::{Conjunct, ExprId, Model};
use pins::LabelKind;

/// Longer names of predicates are cut.
const MAX_NAME: usize = 120;

/// A predicate that is asked of states.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    model: &'a Model,
    /// What it is.
    pub(crate) kind: LabelKind,
    /// The predicate.
    pub(crate) predicate: ExprId,
    /// Where it stands.
    pub(crate) span: Span,
    /// Whether it is about constants only, and asked once for each set-up.
    pub(crate) is_static: bool,
    label: Option<base::Name>,
}

/// Every predicate that is asked of states.
pub(crate) fn all(model: &Model, goal: Option<ExprId>) -> Vec<Asked<'_>> {
    let asked = |kind, conjunct: &Conjunct, is_static| Asked {
        model,
        kind,
        predicate: conjunct.predicate,
        span: conjunct.span,
        is_static,
        label: conjunct.label,
    };
    let invariants = model.invariants.iter();
    let assertions = model.assertions.iter();
    let goal = goal.map(|predicate| Asked {
        model,
        kind: LabelKind::Goal,
        predicate,
        span: model.exprs[predicate].span,
        is_static: false,
        label: None,
    });
    invariants
        .map(|conjunct| asked(LabelKind::Invariant, conjunct, false))
        .chain(assertions.map(|assertion| {
            asked(
                LabelKind::Assertion,
                &assertion.conjunct,
                assertion.is_static,
            )
        }))
        .chain(goal)
        .collect()
}

impl Asked<'_> {
    /// The label in the text.
    pub(crate) fn label(&self) -> Option<String> {
        self.label.map(|label| label.to_string())
    }

    /// Whether `--only` means it.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.label.is_some_and(|label| label.as_str() == name)
    }

    /// The label, or the beginning of the text.
    pub(crate) fn name(&self) -> String {
        self.label().unwrap_or_else(|| {
            let text = self.text();
            match text.char_indices().nth(MAX_NAME) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        })
    }

    /// The whole predicate.
    pub(crate) fn text(&self) -> String {
        model::text::formula(self.model, self.predicate)
    }
}
