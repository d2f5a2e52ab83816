//! Makes automata smaller: states from which nothing is accepted go, states that do the same become one.
//!
//! Technique: strongly connected components ([Tarjan 1972], without recursion) find what is useful; partitions are
//! refined until states of one class have the same edges to classes (bisimulation).
//! Preserves: the accepted words, finite and infinite.

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cube, Edge, State};

/// Removes useless states and joins equal ones, as long as `go_on` says so; what is left then accepts the same words.
pub fn reduce(automaton: Automaton, go_on: &dyn Fn() -> bool) -> Automaton {
    let mut automaton = trim(automaton);
    forget_marks(&mut automaton);
    merge(automaton, go_on)
}

/// The strongly connected component of each node, numbered so that edges lead to smaller or equal numbers, and how
/// many components there are.
pub fn components(count: usize, edges: impl Fn(usize) -> Vec<u32>) -> (Vec<u32>, usize) {
    const NEW: u32 = u32::MAX;
    let mut order = vec![NEW; count];
    let mut low = vec![NEW; count];
    let mut component = vec![NEW; count];
    let (mut next, mut components) = (0, 0);
    let mut open: Vec<usize> = Vec::new();
    let mut frames: Vec<(usize, Vec<u32>)> = Vec::new();
    for start in 0..count {
        if order[start] != NEW {
            continue;
        }
        let mut enter = Some(start);
        loop {
            if let Some(node) = enter.take() {
                (order[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
                frames.push((node, edges(node)));
            }
            let Some((node, left)) = frames.last_mut() else {
                break;
            };
            let node = *node;
            if let Some(target) = left.pop() {
                let target = target as usize;
                if order[target] == NEW {
                    enter = Some(target);
                } else if component[target] == NEW {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            frames.pop();
            if let Some((parent, _)) = frames.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                while let Some(member) = open.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
        }
    }
    (component, components as usize)
}

fn components_of(automaton: &Automaton) -> (Vec<u32>, usize) {
    components(automaton.states.len(), |state| {
        let edges = automaton.states[state].edges.iter();
        edges.map(|edge| edge.target).collect()
    })
}

/// Keeps the states that are reached and accept some word.
fn trim(automaton: Automaton) -> Automaton {
    let (component, count) = components_of(&automaton);
    let all = automaton.all_sets();
    let mut sets: Vec<Option<u64>> = vec![None; count];
    for (at, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            if component[edge.target as usize] == component[at] {
                *sets[component[at] as usize].get_or_insert(0) |= edge.accepting;
            }
        }
    }
    // Components are numbered from the last ones on: targets come before sources.
    let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, component) in component.iter().enumerate() {
        by_component[*component as usize].push(at);
    }
    let mut is_useful = vec![false; count];
    for at in 0..count {
        let accepts = sets[at].is_some_and(|sets| sets & all == all);
        is_useful[at] = accepts
            || by_component[at].iter().any(|state| {
                let state = &automaton.states[*state];
                let leads = |edge: &Edge| is_useful[component[edge.target as usize] as usize];
                !state.ends.is_empty() || state.edges.iter().any(leads)
            });
    }
    keep(automaton, |state| is_useful[component[state] as usize])
}

/// Keeps the reachable states of those that are wanted.
fn keep(automaton: Automaton, is_wanted: impl Fn(usize) -> bool) -> Automaton {
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    let mut order: Vec<u32> = Vec::new();
    let mut name = |state: u32, order: &mut Vec<u32>| {
        *names.entry(state).or_insert_with(|| {
            order.push(state);
            order.len() as u32 - 1
        })
    };
    let initial = automaton.initial.iter().copied();
    let initial = initial.filter(|state| is_wanted(*state as usize));
    let initial: Vec<u32> = initial.map(|state| name(state, &mut order)).collect();
    let mut states: Vec<State> = Vec::new();
    while let Some(old) = order.get(states.len()) {
        let mut state = automaton.states[*old as usize].clone();
        state.edges.retain(|edge| is_wanted(edge.target as usize));
        for edge in &mut state.edges {
            edge.target = name(edge.target, &mut order);
        }
        states.push(state);
    }
    Automaton {
        states,
        initial,
        ..automaton
    }
}

/// An edge between components is never taken infinitely often, and where a component lacks a set none counts: such
/// marks only keep states apart. Sets that every edge that matters has are dropped.
fn forget_marks(automaton: &mut Automaton) {
    let (component, count) = components_of(automaton);
    let all = automaton.all_sets();
    let mut sets = vec![0; count];
    for (at, state) in automaton.states.iter().enumerate() {
        for edge in &state.edges {
            if component[edge.target as usize] == component[at] {
                sets[component[at] as usize] |= edge.accepting;
            }
        }
    }
    let mut everywhere = all;
    for (at, state) in automaton.states.iter_mut().enumerate() {
        for edge in &mut state.edges {
            let own = component[at];
            let counts = component[edge.target as usize] == own && sets[own as usize] & all == all;
            edge.accepting = if counts { edge.accepting & all } else { 0 };
            if counts {
                everywhere &= edge.accepting;
            } else if component[edge.target as usize] == own {
                // A component that accepts nothing must go on accepting nothing.
                everywhere = 0;
            }
        }
    }
    let kept: Vec<u32> = (0..automaton.sets)
        .filter(|set| everywhere >> set & 1 == 0)
        .collect();
    for edge in automaton
        .states
        .iter_mut()
        .flat_map(|state| &mut state.edges)
    {
        let bit = |(at, set): (usize, &u32)| (edge.accepting >> set & 1) << at;
        edge.accepting = kept.iter().enumerate().map(bit).sum();
    }
    automaton.sets = kept.len() as u32;
}

/// Joins states that do the same.
fn merge(automaton: Automaton, go_on: &dyn Fn() -> bool) -> Automaton {
    let count = automaton.states.len();
    let mut class = vec![0u32; count];
    let mut classes = 1;
    loop {
        if !go_on() {
            return automaton;
        }
        type Signature = (u32, Vec<Edge>, Vec<Cube>);
        let mut names: FxHashMap<Signature, u32> = FxHashMap::default();
        let mut refined = Vec::with_capacity(count);
        for (at, state) in automaton.states.iter().enumerate() {
            let edges = state.edges.iter().map(|edge| Edge {
                target: class[edge.target as usize],
                ..edge.clone()
            });
            let (mut edges, mut ends) = (edges.collect::<Vec<_>>(), state.ends.clone());
            edges.sort_unstable();
            edges.dedup();
            ends.sort_unstable();
            let name = names.len() as u32;
            refined.push(*names.entry((class[at], edges, ends)).or_insert(name));
        }
        let is_stable = names.len() == classes;
        (class, classes) = (refined, names.len());
        if is_stable {
            break;
        }
    }
    let mut states: Vec<Option<State>> = vec![None; classes];
    for (at, state) in automaton.states.into_iter().enumerate() {
        let place = &mut states[class[at] as usize];
        if place.is_none() {
            let mut state = state;
            for edge in &mut state.edges {
                edge.target = class[edge.target as usize];
            }
            state
                .edges
                .sort_by_key(|edge| (edge.target, edge.accepting));
            state.edges.dedup();
            *place = Some(state);
        }
    }
    let mut initial: Vec<u32> = Vec::new();
    for state in automaton.initial {
        let state = class[state as usize];
        if !initial.contains(&state) {
            initial.push(state);
        }
    }
    let joined = Automaton {
        states: states.into_iter().flatten().collect(),
        initial,
        sets: automaton.sets,
        atoms: automaton.atoms,
    };
    keep(joined, |_| true)
}
