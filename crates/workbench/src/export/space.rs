//! The state space of a model, breadth-first, as far as it has so many states.

use rustc_hash::FxHashMap;
use subject::Happening;
use verdict::ShownStep;

use super::graph::{Edge, Graph, Node, Role};
use crate::choice::ExportWhat;
use crate::report::grouped;
use crate::runnable::{Move, Place, View};

/// A state space and the places of its nodes.
pub(super) struct Space {
    pub(super) graph: Graph,
    pub(super) places: Vec<Place>,
    /// For each edge what happens.
    pub(super) happenings: Vec<Happening>,
}

/// A state space as far as it was explored.
pub(super) struct Exploration {
    places: Vec<Place>,
    known: FxHashMap<Place, usize>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    happenings: Vec<Happening>,
    states: usize,
    /// Whether there was no room for a state.
    is_cut: bool,
    /// What may lead to states that nobody knows.
    unknown: Option<String>,
    /// What leads on from the places before this one is known.
    at: usize,
    max_states: usize,
}

/// Explores a model.
pub(super) fn explore(view: View<'_>, max_states: usize) -> Space {
    let mut exploration = Exploration::new(view, max_states);
    while exploration.advance(view) {}
    exploration.into_space(view)
}

impl Exploration {
    /// Nothing but the root.
    pub(super) fn new(view: View<'_>, max_states: usize) -> Exploration {
        Exploration {
            places: vec![Place::Root],
            known: [(Place::Root, 0)].into_iter().collect(),
            nodes: vec![node(view, &Place::Root)],
            edges: Vec::new(),
            happenings: Vec::new(),
            states: 0,
            is_cut: false,
            unknown: None,
            at: 0,
            max_states,
        }
    }

    /// Looks at what leads on from the next place; whether there was one.
    pub(super) fn advance(&mut self, view: View<'_>) -> bool {
        if self.is_done() || view.is_halted() {
            return false;
        }
        let at = self.at;
        let found = view.moves(&self.places[at]);
        if view.is_halted() {
            // What follows this place was not looked at.
            return false;
        }
        if found.is_stuck()
            && matches!(self.nodes[at].role, Role::Initial | Role::State)
            && !view.description().events.is_empty()
        {
            self.nodes[at].role = Role::Deadlock;
        }
        if !found.faults.is_empty() {
            self.nodes[at].role = Role::Broken;
        }
        if let Some((happening, why)) = found.unknown.first() {
            let name = happening.name(view.description());
            let message = &why.message;
            self.unknown.get_or_insert_with(|| {
                format!("{name} is not known: {message}: there may be more than is shown")
            });
        }
        for taken in found.moves {
            let happening = taken.happening;
            let step = view.show(&taken);
            let Some(to) = self.enter(view, taken) else {
                continue;
            };
            let label = label(&step);
            self.happenings.push(happening);
            self.edges.push(Edge {
                from: at,
                to,
                event: step.event,
                label,
                is_weak: false,
            });
        }
        self.at += 1;
        true
    }

    /// The node that a move leads to; `None` when there is no room for it.
    fn enter(&mut self, view: View<'_>, taken: Move) -> Option<usize> {
        if let Some(to) = self.known.get(&taken.to) {
            return Some(*to);
        }
        let is_state = matches!(taken.to, Place::State(_));
        if is_state && self.states >= self.max_states {
            self.is_cut = true;
            return None;
        }
        self.states += usize::from(is_state);
        let mut node = node(view, &taken.to);
        if taken.happening == Happening::Initialisation && node.role == Role::State {
            node.role = Role::Initial;
        }
        let to = self.places.len();
        self.nodes.push(node);
        self.places.push(taken.to.clone());
        self.known.insert(taken.to, to);
        Some(to)
    }

    /// Whether everything within the limit was explored.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.places.len()
    }

    /// How many places were explored: nothing before changes any more.
    pub(super) fn explored(&self) -> usize {
        self.at
    }

    /// The nodes so far.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The edges so far.
    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The place of a node.
    pub(super) fn place(&self, node: usize) -> &Place {
        &self.places[node]
    }

    /// The node of a place.
    pub(super) fn node_of(&self, place: &Place) -> Option<usize> {
        self.known.get(place).copied()
    }

    /// Why it is not whole, once it is done or was halted.
    pub(super) fn cut(&self, view: View<'_>) -> Option<String> {
        let limit = grouped(self.max_states as u64);
        if view.is_halted() {
            return Some("the export was interrupted: not all states are shown".to_owned());
        }
        let cut = self
            .is_cut
            .then(|| format!("only the first {limit} states are shown (--max-states)"));
        cut.or_else(|| self.unknown.clone())
    }

    fn into_space(self, view: View<'_>) -> Space {
        let description = view.description();
        let columns = description.components.iter();
        let columns = columns.map(|known| known.name.to_string()).collect();
        Space {
            graph: Graph {
                model: description.name.clone(),
                kind: ExportWhat::States,
                cut: self.cut(view),
                nodes: self.nodes,
                edges: self.edges,
                columns,
            },
            places: self.places,
            happenings: self.happenings,
        }
    }
}

/// An event with its values.
fn label(step: &ShownStep) -> String {
    let values = step.args.0.iter();
    let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
    let mut label = match values.is_empty() {
        true => step.event.clone(),
        false => format!("{}({})", step.event, values.join(",")),
    };
    if !step.results.0.is_empty() {
        label.push_str(&format!(" --> {}", step.results.list()));
    }
    label
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
