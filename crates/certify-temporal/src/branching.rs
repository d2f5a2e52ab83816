//! Checks the states in which the parts of a formula of branching time are true.
//!
//! `E (a U b)` is a least fixed point: where it is claimed true, a number falls along some step until `b` holds; where it is
//! claimed false, no step leads to where it is true. `E G a` is a greatest one: true where a step stays among such states, false where a number
//! falls along every step until `a` is false. So both answers are proved, in every state.

use crate::formula::{Atom, Ctl};
use crate::graph::{Graph, Step};

/// Checks that a formula is true in every initial state.
pub(crate) fn check(
    graph: &Graph,
    (atoms, formula): (&[Atom], &Ctl),
    ranks: &[Vec<u32>],
) -> Result<(), String> {
    let mut branching = Branching {
        graph,
        atoms,
        ranks: ranks.iter(),
    };
    let truth = branching.truth(formula)?;
    if branching.ranks.next().is_some() {
        return Err("it has numbers for nothing".to_owned());
    }
    match graph.starts.iter().all(|start| truth[*start as usize]) {
        true => Ok(()),
        false => Err("it is false in an initial state".to_owned()),
    }
}

struct Branching<'a> {
    graph: &'a Graph,
    atoms: &'a [Atom],
    ranks: std::slice::Iter<'a, Vec<u32>>,
}

impl<'a> Branching<'a> {
    /// In which states a part is true.
    fn truth(&mut self, formula: &Ctl) -> Result<Vec<bool>, String> {
        let (graph, atoms) = (self.graph, self.atoms);
        let states = 0..graph.steps.len();
        Ok(match formula {
            Ctl::True => vec![true; states.len()],
            Ctl::Atom(atom) => {
                let atom = atoms[*atom as usize];
                states.map(|state| graph.holds(atom, state, None)).collect()
            }
            Ctl::Not(a) => self.truth(a)?.into_iter().map(|truth| !truth).collect(),
            Ctl::And(all) => {
                let mut truth = vec![true; states.len()];
                for part in all {
                    let part = self.truth(part)?;
                    truth
                        .iter_mut()
                        .zip(part)
                        .for_each(|(all, part)| *all &= part);
                }
                truth
            }
            Ctl::Next(atom, a) => {
                let a = self.truth(a)?;
                let atom = atom.map(|atom| atoms[atom as usize]);
                let is_there = |state: usize, step: &Step| {
                    a[step.target as usize]
                        && atom.is_none_or(|atom| graph.holds(atom, state, Some(step)))
                };
                let steps = |state: usize| graph.steps[state].iter();
                states
                    .map(|state| steps(state).any(|step| is_there(state, step)))
                    .collect()
            }
            Ctl::Until(a, b) => {
                let ranks = self.next(states.len())?;
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let is_right = |state: usize| {
                    let mut next = graph.steps[state]
                        .iter()
                        .map(|step| ranks[step.target as usize]);
                    match ranks[state] {
                        0 => !b[state] && (!a[state] || next.all(|rank| rank == 0)),
                        1 => b[state],
                        rank => a[state] && next.any(|next| 0 < next && next < rank),
                    }
                };
                right(states.clone().all(is_right))?;
                ranks.iter().map(|rank| *rank > 0).collect()
            }
            Ctl::Globally(a) => {
                let ranks = self.next(states.len())?;
                let a = self.truth(a)?;
                let is_right = |state: usize| {
                    let steps = &graph.steps[state];
                    let mut next = steps.iter().map(|step| ranks[step.target as usize]);
                    match ranks[state] {
                        0 => a[state] && (steps.is_empty() || next.any(|rank| rank == 0)),
                        1 => !a[state],
                        rank => !steps.is_empty() && next.all(|next| 0 < next && next < rank),
                    }
                };
                right(states.clone().all(is_right))?;
                ranks.iter().map(|rank| *rank == 0).collect()
            }
        })
    }

    fn next(&mut self, states: usize) -> Result<&'a [u32], String> {
        let ranks = self.ranks.next().filter(|ranks| ranks.len() == states);
        let ranks = ranks.ok_or("it has too few numbers")?;
        Ok(ranks)
    }
}

fn right(is_right: bool) -> Result<(), String> {
    match is_right {
        true => Ok(()),
        false => Err("a number of a state is wrong".to_owned()),
    }
}
