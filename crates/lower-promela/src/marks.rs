//! What the labels of locations mean: end, accepting, progress.
//!
//! A label on the first statement of an option counts where that statement leads to: the statement has no location of its own.
//! Reference: SPIN 6.5.2, the functions retrans and imed of the generated checker.

use base::Name;
use program::Marks;
use rustc_hash::FxHashMap;

use crate::flow::{ElementId, Flow, Node, SequenceId, means_something};
use crate::table::{after, singles};

/// The marks of elements.
pub(crate) fn marks(flow: &Flow<'_>) -> FxHashMap<ElementId, Marks> {
    let mut marks: FxHashMap<ElementId, Marks> = FxHashMap::default();
    for (id, element) in flow.elements.iter() {
        if element.labels.iter().any(|label| means_something(*label)) {
            marks.insert(id, meaning(&element.labels));
        }
    }
    let choices: Vec<ElementId> = flow
        .elements
        .iter()
        .filter(|(_, element)| {
            matches!(
                element.node,
                Node::If | Node::Do | Node::Atomic(_) | Node::Block(_)
            )
        })
        .map(|(id, _)| id)
        .collect();
    for choice in &choices {
        for option in direct(flow, *choice) {
            let mark = marks.get(&option).copied();
            for inner in direct(flow, option) {
                join(&mut marks, inner, mark);
            }
        }
    }
    for choice in &choices {
        for statement in singles(flow, *choice) {
            let mark = marks.get(&statement).copied();
            if let Some(next) = after(flow, statement) {
                let target = flow.rest(next, flow.elements[statement].is_atomic);
                join(&mut marks, target, mark);
            }
        }
    }
    marks
}

/// The first elements of the options of a choice.
fn direct(flow: &Flow<'_>, element: ElementId) -> Vec<ElementId> {
    let options: Vec<SequenceId> = match flow.elements[element].node {
        Node::If | Node::Do => flow.elements[element].sub.clone(),
        Node::Atomic(inner) | Node::Block(inner) => vec![inner],
        _ => Vec::new(),
    };
    let first = |option: SequenceId| {
        flow.sequences[option]
            .first
            .map(|first| flow.beginning(first))
    };
    options.into_iter().filter_map(first).collect()
}

fn join(marks: &mut FxHashMap<ElementId, Marks>, at: ElementId, more: Option<Marks>) {
    let Some(more) = more else {
        return;
    };
    let mark = marks.entry(at).or_default();
    mark.is_end |= more.is_end;
    mark.is_accepting |= more.is_accepting;
    mark.is_progress |= more.is_progress;
}

fn meaning(labels: &[Name]) -> Marks {
    let has = |word: &str| labels.iter().any(|label| label.as_str().starts_with(word));
    Marks {
        is_end: has("end"),
        is_accepting: has("accept"),
        is_progress: has("progress"),
    }
}
