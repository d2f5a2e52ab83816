//! What an engine's numbers mean in the model.

use model::Value;
use pins::{GroupId, LabelId, System};
use search::explicit::Outcome;

/// A system, and what its numbers mean.
pub(super) type Numbered<'w> = (&'w dyn System, &'w dyn Decode);

/// A system that can tell what its numbers mean.
pub(super) trait Decode {
    /// The components of a state in the order of the model; `None` for one without plain value.
    fn values(&self, vector: &[u32]) -> Vec<Option<Value>>;

    /// The components of a set-up: only constants have a value.
    fn constants(&self, vector: &[u32]) -> Vec<Option<Value>>;

    /// The position of the action that a group belongs to.
    fn action(&self, group: GroupId) -> usize;

    /// Arguments and results of a step; `None` for a result that was not assigned.
    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>);

    /// Who found values that were not simply enumerated.
    fn layers(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Properties that contradict each other, when there is no set-up and a reason was found.
    fn conflict(&self) -> Option<model_compile::Conflict> {
        None
    }

    /// The position of the constant or variable that a slot belongs to.
    fn variable(&self, slot: usize) -> usize;

    /// The position of the label that a label of the system belongs to.
    fn label(&self, label: usize) -> usize {
        label
    }

    /// Gives the labels of findings the positions that they have in the model.
    fn name_labels(&self, outcome: &mut Outcome) {
        for found in &mut outcome.findings {
            let label = found.label.map(|label| self.label(label.index()));
            found.label = label.map(LabelId::new);
        }
    }

    /// Whether labels of the model may have become several.
    fn is_in_parts(&self) -> bool {
        false
    }
}
