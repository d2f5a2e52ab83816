//! The predicates that are asked of states: the labels of the subject, then the goal.

use base::Span;
use pins::{LabelId, LabelKind};
use subject::{Predicate, QuestionId, Subject};

/// A predicate that is asked of states.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What it is.
    pub(crate) kind: LabelKind,
    /// The predicate.
    pub(crate) predicate: Predicate,
    /// Its label in the text.
    pub(crate) label: Option<String>,
    /// The label, or the beginning of the text.
    pub(crate) name: String,
    /// The whole predicate.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Option<Span>,
    /// Whether it is about constants only, and asked once for each set-up.
    pub(crate) is_static: bool,
}

/// Every predicate that is asked of states, in the order of the labels of a ground.
pub(crate) fn all(subject: &dyn Subject, goal: Option<QuestionId>) -> Vec<Asked> {
    let labels = subject.description().labels.iter().enumerate();
    let labels = labels.map(|(at, label)| Asked {
        kind: label.kind,
        predicate: Predicate::Label(LabelId::new(at)),
        label: label.label.map(|name| name.to_string()),
        name: label.name(),
        text: label.text.clone(),
        span: label.span,
        is_static: label.is_static,
    });
    let goal = goal.map(|question| {
        let text = subject.wording(question);
        Asked {
            kind: LabelKind::Goal,
            predicate: Predicate::Question(question),
            label: None,
            name: text.clone(),
            text,
            span: None,
            is_static: false,
        }
    });
    labels.chain(goal).collect()
}

impl Asked {
    /// Whether `--only` means it.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.label.as_deref() == Some(name)
    }
}
