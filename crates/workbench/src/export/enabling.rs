//! Which event makes which event possible, and which takes it away, as seen in the state space.
//!
//! An edge is there when some transition does it; a weak edge takes away.

use crate::choice::ExportWhat;
use std::collections::BTreeMap;

use subject::{Description, Happening};

use super::graph::{Edge, Graph, Node, Role};
use super::space::Space;

/// The graph of a state space; node 0 is the initialisation.
pub(super) fn graph(description: &Description, space: &Space) -> Graph {
    let count = description.events.len();
    let mut enabled = vec![vec![false; count]; space.places.len()];
    for (edge, happening) in space.graph.edges.iter().zip(&space.happenings) {
        if let Happening::Event(event) = happening {
            enabled[edge.from][event.index()] = true;
        }
    }
    let mut seen: BTreeMap<(usize, usize, bool), u64> = BTreeMap::new();
    for (edge, happening) in space.graph.edges.iter().zip(&space.happenings) {
        let from = match happening {
            Happening::Event(event) => event.index() + 1,
            Happening::Initialisation => 0,
            Happening::Setup => continue,
        };
        let changes = enabled[edge.from].iter().zip(&enabled[edge.to]);
        for (other, (before, after)) in changes.enumerate() {
            if before != after {
                *seen.entry((from, other + 1, !after)).or_default() += 1;
            }
        }
    }
    let names = description
        .events
        .iter()
        .map(|event| event.name.to_string());
    let names = [Happening::INITIALISATION.to_owned()]
        .into_iter()
        .chain(names);
    let edges = seen.into_iter().map(|((from, to, is_weak), times)| {
        let event = if is_weak { "disables" } else { "enables" };
        Edge {
            from,
            to,
            event: event.to_owned(),
            label: format!("{event} {times}×"),
            is_weak,
        }
    });
    Graph {
        model: space.graph.model.clone(),
        kind: ExportWhat::Enabling,
        edges: edges.collect(),
        nodes: names
            .map(|label| Node {
                role: Role::Event,
                label,
                values: Vec::new(),
            })
            .collect(),
        cut: space.graph.cut.clone(),
        columns: Vec::new(),
    }
}
