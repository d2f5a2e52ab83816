//! The model that formulas are about: who gives the texts inside them a meaning.

use base::{Diagnostic, Diagnostics, Sources, Span};
use subject::{Question, QuestionId, Subject, Wanted};

/// The model and the texts that places point into.
pub(super) struct Host<'a> {
    pub(super) subject: &'a mut dyn Subject,
    pub(super) sources: &'a mut Sources,
}

impl Host<'_> {
    /// The goal that the model defines, for an atom that stands here.
    pub(super) fn goal(&mut self, span: Span) -> Result<QuestionId, Diagnostics> {
        let first_file = self.sources.count();
        let question = Question {
            text: "GOAL",
            span: None,
            wanted: Wanted::Predicate,
            scope: &[],
        };
        let asked = self.subject.ask(&question, self.sources);
        asked.map_err(|wrong| {
            let mut moved = Diagnostics::new();
            for mut diagnostic in wrong {
                let labels = diagnostic.primary.iter_mut();
                for label in labels.chain(&mut diagnostic.secondary) {
                    if label.span.file.index() >= first_file {
                        label.span = span;
                    }
                }
                moved.push(diagnostic);
            }
            moved
        })
    }
}

/// A list of one.
pub(super) fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}
