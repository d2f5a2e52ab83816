//! All different: no value is taken twice, seen as a matching of variables to values.
//!
//! Technique: Régin 1994. A maximum matching covers all variables or there is no solution; an edge that is in no
//! maximum matching (not matched, not inside a strongly connected component, not on an even alternating path
//! from a free value) is removed.

use crate::flat::Var;
use crate::store::{Conflict, Store};

/// Space that is used again.
#[derive(Default)]
pub(super) struct Scratch {
    seen: Vec<bool>,
    /// How many edges were looked at since this was read last.
    pub edges: u64,
}

const NONE: u32 = u32::MAX;

struct Graph {
    edges: Vec<Vec<u32>>,
    /// The value of each variable.
    mate: Vec<u32>,
    /// The variable of each value.
    taker: Vec<u32>,
}

pub(super) fn propagate(
    store: &mut Store,
    vars: &[Var],
    scratch: &mut Scratch,
) -> Result<(), Conflict> {
    // Cheap part first: fixed values leave the others.
    let mut open: Vec<Var> = Vec::with_capacity(vars.len());
    let mut todo: Vec<i64> = Vec::new();
    for x in vars {
        match store.fixed(*x) {
            Some(value) => todo.push(value),
            None => open.push(*x),
        }
    }
    {
        let mut sorted = todo.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Conflict);
        }
    }
    while let Some(value) = todo.pop() {
        let mut at = 0;
        while at < open.len() {
            let x = open[at];
            store.remove(x, value)?;
            match store.fixed(x) {
                Some(value) => {
                    open.swap_remove(at);
                    if todo.contains(&value) {
                        return Err(Conflict);
                    }
                    todo.push(value);
                }
                None => at += 1,
            }
        }
    }
    if open.len() < 2 {
        return Ok(());
    }
    open.sort_unstable();
    matching(store, &open, scratch)
}

fn matching(store: &mut Store, vars: &[Var], scratch: &mut Scratch) -> Result<(), Conflict> {
    let lo = vars.iter().map(|x| store.lo(*x)).min().unwrap_or(0);
    let hi = vars.iter().map(|x| store.hi(*x)).max().unwrap_or(0);
    if hi - lo >= 1024 || vars.iter().any(|x| !store.is_listed(*x)) {
        return Ok(());
    }
    let width = (hi - lo + 1) as usize;
    let mut graph = Graph {
        edges: Vec::with_capacity(vars.len()),
        mate: vec![NONE; vars.len()],
        taker: vec![NONE; width],
    };
    for x in vars {
        let mut edges = Vec::new();
        store.for_each(*x, |value| edges.push((value - lo) as u32));
        scratch.edges += edges.len() as u64;
        graph.edges.push(edges);
    }
    for i in 0..vars.len() {
        scratch.seen.clear();
        scratch.seen.resize(width, false);
        if !graph.augment(i as u32, &mut scratch.seen) {
            return Err(Conflict);
        }
    }
    let component = graph.components(width);
    // Values reachable from a free value by alternating paths may all be given up.
    let mut reachable = vec![false; width];
    let mut takers: Vec<Vec<u32>> = vec![Vec::new(); width];
    for (i, edges) in graph.edges.iter().enumerate() {
        for value in edges {
            takers[*value as usize].push(i as u32);
        }
    }
    let mut todo: Vec<u32> = (0..width as u32)
        .filter(|value| graph.taker[*value as usize] == NONE)
        .collect();
    while let Some(value) = todo.pop() {
        if std::mem::replace(&mut reachable[value as usize], true) {
            continue;
        }
        for i in &takers[value as usize] {
            todo.push(graph.mate[*i as usize]);
        }
    }
    for (i, x) in vars.iter().enumerate() {
        let mate = graph.mate[i];
        for value in &graph.edges[i] {
            let same = component[*value as usize] == component[mate as usize];
            if *value != mate && !same && !reachable[*value as usize] {
                store.remove(*x, lo + i64::from(*value))?;
            }
        }
    }
    Ok(())
}

impl Graph {
    fn augment(&mut self, i: u32, seen: &mut [bool]) -> bool {
        for at in 0..self.edges[i as usize].len() {
            let value = self.edges[i as usize][at];
            if std::mem::replace(&mut seen[value as usize], true) {
                continue;
            }
            let taker = self.taker[value as usize];
            if taker == NONE || self.augment(taker, seen) {
                self.taker[value as usize] = i;
                self.mate[i as usize] = value;
                return true;
            }
        }
        false
    }

    /// The strongly connected component of every value, where a value leads to the values that its taker
    /// could take instead ([Tarjan 1972], without recursion).
    fn components(&self, width: usize) -> Vec<u32> {
        let mut component = vec![NONE; width];
        let mut low = vec![0u32; width];
        let mut order = vec![NONE; width];
        let mut on_stack = vec![false; width];
        let mut stack: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, usize)> = Vec::new();
        let (mut next, mut components) = (0, 0);
        for root in 0..width as u32 {
            if order[root as usize] != NONE {
                continue;
            }
            calls.push((root, 0));
            while let Some((value, at)) = calls.pop() {
                let v = value as usize;
                if at == 0 {
                    order[v] = next;
                    low[v] = next;
                    next += 1;
                    stack.push(value);
                    on_stack[v] = true;
                }
                let taker = self.taker[v];
                let edges: &[u32] = if taker == NONE {
                    &[]
                } else {
                    &self.edges[taker as usize]
                };
                let mut descended = false;
                let mut at = at;
                while at < edges.len() {
                    let to = edges[at] as usize;
                    at += 1;
                    if order[to] == NONE {
                        calls.push((value, at));
                        calls.push((to as u32, 0));
                        descended = true;
                        break;
                    }
                    if on_stack[to] {
                        low[v] = low[v].min(order[to]);
                    }
                }
                if descended {
                    continue;
                }
                if low[v] == order[v] {
                    while let Some(member) = stack.pop() {
                        on_stack[member as usize] = false;
                        component[member as usize] = components;
                        if member == value {
                            break;
                        }
                    }
                    components += 1;
                }
                if let Some((parent, _)) = calls.last() {
                    low[*parent as usize] = low[*parent as usize].min(low[v]);
                }
            }
        }
        component
    }
}
