//! Finds variables that are pairwise different and says so at once.
//!
//! Technique: greedy cliques in the graph of `x /= y`, largest neighbourhoods first by number; every edge gets into
//! at least one clique of three or more where there is one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::flat::{Con, Lit, Problem, Rel, Var};

/// Adds an all-different constraint for each clique found.
pub fn add(problem: &mut Problem) {
    let mut edges: Vec<(Var, Var)> = Vec::new();
    for con in &problem.constraints {
        if let Con::Linear {
            half,
            terms,
            rel: Rel::Ne,
            bound: 0,
        } = con
            && problem.norm(*half) == Lit::True
            && let [(1, x), (-1, y)] = terms.as_slice()
        {
            edges.push((*x.min(y), *x.max(y)));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let mut near: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    for (x, y) in &edges {
        near.entry(*x).or_default().push(*y);
        near.entry(*y).or_default().push(*x);
    }
    for list in near.values_mut() {
        list.sort_unstable();
    }
    let linked: FxHashSet<(Var, Var)> = edges.iter().copied().collect();
    let mut covered: FxHashSet<(Var, Var)> = FxHashSet::default();
    for (x, y) in &edges {
        if covered.contains(&(*x, *y)) {
            continue;
        }
        let mut clique = vec![*x, *y];
        for z in near.get(x).into_iter().flatten() {
            let fits = clique
                .iter()
                .all(|member| linked.contains(&(*member.min(z), *member.max(z))));
            if fits {
                clique.push(*z);
            }
        }
        clique.sort_unstable();
        for i in 0..clique.len() {
            for j in 0..i {
                covered.insert((clique[j], clique[i]));
            }
        }
        if clique.len() > 2 {
            problem.constraints.push(Con::Different(clique));
        }
    }
}
