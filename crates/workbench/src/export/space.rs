//! The state space of a model, breadth-first, as far as it has so many states.

use std::collections::HashMap;

use subject::Happening;

use super::graph::{Edge, Graph, Node, Role};
use crate::choice::ExportWhat;
use crate::replay::shown;
use crate::report::grouped;
use crate::runnable::{Place, View};

/// A state space and the places of its nodes.
pub(super) struct Space {
    pub(super) graph: Graph,
    pub(super) places: Vec<Place>,
    /// For each edge what happens.
    pub(super) happenings: Vec<Happening>,
}

/// Explores a model.
pub(super) fn explore(view: View<'_>, max_states: usize) -> Space {
    let description = view.description();
    let mut places = vec![Place::Root];
    let mut known = HashMap::from([(Place::Root, 0)]);
    let mut nodes = vec![node(view, &Place::Root)];
    let mut edges = Vec::new();
    let mut happenings = Vec::new();
    let (mut states, mut cut) = (0, false);
    let mut at = 0;
    while at < places.len() && !view.is_halted() {
        let found = view.moves(&places[at]);
        if view.is_halted() {
            // What follows this place was not looked at.
            break;
        }
        let steps = shown(view, &found.moves).steps;
        if found.moves.is_empty()
            && matches!(nodes[at].role, Role::Initial | Role::State)
            && !description.events.is_empty()
        {
            nodes[at].role = Role::Deadlock;
        }
        if !found.faults.is_empty() {
            nodes[at].role = Role::Broken;
        }
        for (taken, step) in found.moves.into_iter().zip(steps) {
            let to = match known.get(&taken.to) {
                Some(to) => *to,
                None => {
                    let is_state = matches!(taken.to, Place::State(_));
                    if is_state && states >= max_states {
                        cut = true;
                        continue;
                    }
                    states += usize::from(is_state);
                    let mut node = node(view, &taken.to);
                    if taken.happening == Happening::Initialisation && node.role == Role::State {
                        node.role = Role::Initial;
                    }
                    nodes.push(node);
                    places.push(taken.to.clone());
                    known.insert(taken.to, places.len() - 1);
                    places.len() - 1
                }
            };
            let values: Vec<&str> = step
                .args
                .0
                .iter()
                .map(|(_, value)| value.as_str())
                .collect();
            let mut label = match values.is_empty() {
                true => step.event.clone(),
                false => format!("{}({})", step.event, values.join(",")),
            };
            if !step.results.0.is_empty() {
                label.push_str(&format!(" --> {}", step.results.list()));
            }
            happenings.push(taken.happening);
            edges.push(Edge {
                from: at,
                to,
                event: step.event,
                label,
                is_weak: false,
            });
        }
        at += 1;
    }
    let columns = description.components.iter();
    let columns = columns.map(|known| known.name.to_string()).collect();
    let limit = grouped(max_states as u64);
    Space {
        graph: Graph {
            model: description.name.clone(),
            kind: ExportWhat::States,
            nodes,
            edges,
            cut: match view.is_halted() {
                true => Some("the export was interrupted: not all states are shown".to_owned()),
                false => {
                    cut.then(|| format!("only the first {limit} states are shown (--max-states)"))
                }
            },
            columns,
        },
        places,
        happenings,
    }
}

fn node(view: View<'_>, place: &Place) -> Node {
    let values = view.values(place);
    let known = |is_constant: bool| match place {
        Place::Root => false,
        Place::Setup(_) => is_constant,
        Place::State(_) => true,
    };
    let components = view.description().components.iter().zip(&values);
    Node {
        role: match place {
            Place::Root => Role::Root,
            Place::Setup(_) => Role::Setup,
            Place::State(vector) if view.breaks_invariant(vector) => Role::Broken,
            Place::State(_) => Role::State,
        },
        label: match place {
            Place::Root => "root".to_owned(),
            _ => String::new(),
        },
        values: components
            .filter(|(component, _)| known(component.is_constant))
            .map(|(component, value)| {
                let value = view.subject.tell(value.as_ref());
                (component.name.to_string(), value)
            })
            .collect(),
    }
}
