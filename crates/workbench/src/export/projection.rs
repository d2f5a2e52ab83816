//! States with the same value of an expression become one: ProB's projection diagram.
//!
//! Paper: [Ladenberger, Leuschel 2015]. An edge is weak when not every state of its class has it.

use std::collections::{BTreeMap, BTreeSet};

use subject::Judge;

use super::graph::{Edge, Graph, Node, Role};
use super::space::Space;
use crate::choice::ExportWhat;
use crate::report::counted;
use crate::runnable::{Formula, Place, View};

/// So many steps the evaluation of the expression may take in one state.
const BUDGET: u64 = 10_000_000;

/// The value of the expression in a place, or why it has none.
pub(super) fn class(
    view: View<'_>,
    judge: &mut dyn Judge,
    formula: Formula,
    place: &Place,
) -> String {
    match place {
        Place::Root | Place::Setup(_) => "not initialised".to_owned(),
        Place::State(_) => {
            let at = view.moment(judge, place);
            match judge.value(formula.id, &at) {
                Ok(value) => value.text(),
                Err(fault) => format!("no value: {}", fault.message),
            }
        }
    }
}

/// The projection of a state space on an expression.
pub(super) fn project(view: View<'_>, space: &Space, text: &str, formula: Formula) -> Graph {
    let mut judge = view.subject.judge(view.wd, BUDGET);
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    let mut labels: Vec<String> = Vec::new();
    let mut members: Vec<usize> = Vec::new();
    let mut class_of: Vec<usize> = Vec::new();
    for place in &space.places {
        let value = class(view, &mut *judge, formula, place);
        let next = labels.len();
        let class = *classes.entry(value.clone()).or_insert(next);
        if class == next {
            labels.push(value);
            members.push(0);
        }
        members[class] += 1;
        class_of.push(class);
    }
    // For each edge between classes the states that have it.
    let mut sources: BTreeMap<(usize, usize, &str), BTreeSet<usize>> = BTreeMap::new();
    for edge in &space.graph.edges {
        let key = (class_of[edge.from], class_of[edge.to], edge.event.as_str());
        sources.entry(key).or_default().insert(edge.from);
    }
    let edges = sources.into_iter().map(|((from, to, event), states)| Edge {
        from,
        to,
        event: event.to_owned(),
        label: event.to_owned(),
        is_weak: states.len() < members[from],
    });
    let nodes = labels.iter().zip(&members).enumerate();
    Graph {
        model: space.graph.model.clone(),
        kind: ExportWhat::Projection,
        nodes: nodes
            .map(|(class, (label, count))| Node {
                role: if class == 0 { Role::Root } else { Role::State },
                label: match class {
                    0 => label.clone(),
                    _ => format!("{label}\n{}", counted(*count as u64, "state")),
                },
                values: Vec::new(),
            })
            .collect(),
        edges: edges.collect(),
        cut: space.graph.cut.clone(),
        columns: vec![text.to_owned()],
    }
}
