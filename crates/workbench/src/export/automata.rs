//! The graphs of the parts of a text, such as kinds of processes, side by side.

use super::graph::{Edge, Graph, Node, Role};
use crate::choice::ExportWhat;
use crate::runnable::Runnable;

/// All of them as one graph; `None` when there are none.
pub(super) fn graph(runnable: &Runnable) -> Option<Graph> {
    let automata = runnable.subject().automata();
    let mut graph = Graph {
        model: runnable.description().name.clone(),
        kind: ExportWhat::Automata,
        nodes: Vec::new(),
        edges: Vec::new(),
        cut: None,
        columns: Vec::new(),
    };
    for automaton in &automata {
        let first = graph.nodes.len();
        for place in &automaton.places {
            let marks = match place.marks.is_empty() {
                true => String::new(),
                false => format!("\n{}", place.marks.join(" ")),
            };
            graph.nodes.push(Node {
                role: match place.is_start {
                    true => Role::Initial,
                    false => Role::State,
                },
                label: format!("{}:{}{marks}", automaton.name, place.name),
                values: Vec::new(),
            });
        }
        let edges = automaton.edges.iter();
        graph.edges.extend(edges.map(|(from, to, text)| Edge {
            from: first + from,
            to: first + to,
            event: text.clone(),
            label: text.clone(),
            is_weak: false,
        }));
    }
    (!automata.is_empty()).then_some(graph)
}
