//! Which machine refines, includes, sees or uses which.

use subject::{Hierarchy, LinkKind};

use super::graph::{Edge, Graph, Node, Role};
use crate::choice::ExportWhat;
use crate::runnable::Runnable;

/// The hierarchy; node 0 is the machine that was asked for.
pub(super) fn graph(runnable: &mut Runnable) -> Graph {
    let Hierarchy { names, links } = runnable.subject_mut().source().hierarchy();
    Graph {
        model: runnable.description().name.clone(),
        kind: ExportWhat::Hierarchy,
        nodes: names
            .into_iter()
            .map(|label| Node {
                role: Role::Machine,
                label,
                values: Vec::new(),
            })
            .collect(),
        edges: links
            .into_iter()
            .map(|(from, to, link)| Edge {
                from,
                to,
                event: link.word().to_owned(),
                is_weak: link != LinkKind::Refines,
                label: link.word().to_owned(),
            })
            .collect(),
        cut: None,
        columns: Vec::new(),
    }
}
