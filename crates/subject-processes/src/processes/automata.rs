//! The graphs of proctypes and claims, to be drawn.

use program::{ClaimBody, Graph, Program};
use subject::display::{Automaton, AutomatonPlace};

/// One graph for each proctype, the observer and each claim.
pub(crate) fn automata(program: &Program) -> Vec<Automaton> {
    let proctypes = program.proctypes.iter();
    let proctypes = proctypes.map(|(_, kind)| automaton(kind.name.as_str(), &kind.graph));
    let observer = program.observer.iter();
    let observer = observer.map(|observer| automaton(observer.name.as_str(), &observer.graph));
    let claims = program.claims.iter().filter_map(|claim| match &claim.body {
        ClaimBody::Never(graph) => Some(automaton(claim.name.as_str(), graph)),
        ClaimBody::Formula(_) => None,
    });
    proctypes.chain(observer).chain(claims).collect()
}

fn automaton(name: &str, graph: &Graph) -> Automaton {
    let places = graph.locations.iter().map(|(id, location)| {
        let marks = location.marks;
        let mut told: Vec<String> = location.labels.iter().map(ToString::to_string).collect();
        for (is_so, word) in [
            (graph.end == Some(id), "-end-"),
            (marks.is_end && graph.end != Some(id), "end"),
            (marks.is_accepting, "accept"),
            (marks.is_progress, "progress"),
        ] {
            if is_so && !told.iter().any(|known| known.starts_with(word)) {
                told.push(word.to_owned());
            }
        }
        AutomatonPlace {
            name: location.number.to_string(),
            is_start: graph.start == Some(id),
            marks: told,
        }
    });
    let edges = graph.edges.iter().map(|(_, edge)| {
        let text = edge.text.to_string();
        (edge.from.index(), edge.to.index(), text)
    });
    Automaton {
        name: name.to_owned(),
        places: places.collect(),
        edges: edges.collect(),
    }
}
