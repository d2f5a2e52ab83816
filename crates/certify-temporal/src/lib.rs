//! Checks a certificate with temporal formulas: ranks over the steps of a closed set show that each formula holds.
//!
//! Invariant: that the set is closed is checked by `certify`; a formula is taken apart by a tableau of this crate, so that
//! neither automata nor fixed points of the search are trusted. Knows no language.

mod branching;
mod formula;
mod graph;
mod linear;
mod tableau;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use certify::{Accepted, Certificate, Manner, Rejected, Semantics, Watch};

pub use formula::{
    Atom, Constraint, Ctl, Cycles, Evidence, Fairness, Formula, Logic, Ltl, Part as Component,
};
pub use graph::{Graph, Step};
pub use linear::{Condition, Conditions};
pub use tableau::{Tableau, Way};

/// Checks a certificate of the model with this normal form; `formulas` are those that it claims.
pub fn certify<S: Semantics>(
    semantics: &S,
    (text, certificate): (&str, &Certificate),
    formulas: &[Formula],
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    let claimed = &certificate.header.formulas;
    if claimed.len() != formulas.len() {
        return Err(Rejected::Misfit("it claims other formulas"));
    }
    if manner.from > 0 {
        return Err(Rejected::Misfit("a check of formulas cannot be resumed"));
    }
    let (accepted, graph) = explore(semantics, (text, certificate), formulas, manner)?;
    for (at, (claimed, formula)) in claimed.iter().zip(formulas).enumerate() {
        let evidence = serde_json::from_str(&claimed.evidence);
        let proved = match (&formula.logic, evidence) {
            (Logic::Linear(..), Ok(Evidence::Linear(cycles))) => linear(&graph, formula, &cycles),
            (Logic::Branching(said), Ok(Evidence::Branching(ranks))) => {
                branching::check(&graph, (&formula.atoms, said), &ranks)
            }
            (_, Ok(_)) => Err("the evidence is for another logic".to_owned()),
            (_, Err(_)) => Err("the evidence cannot be read".to_owned()),
        };
        proved.map_err(|why| Rejected::Formula(at, why))?;
    }
    Ok(accepted)
}

fn linear(graph: &Graph, formula: &Formula, cycles: &[Cycles]) -> Result<(), String> {
    let conditions = Conditions::all(graph, formula)?;
    if conditions.len() != cycles.len() {
        return Err("it has other premises".to_owned());
    }
    let mut all = conditions.into_iter().zip(cycles);
    all.try_for_each(|(mut conditions, cycles)| conditions.check(cycles))
}

/// Checks a certificate but for its formulas, and gives the steps that they are about.
pub fn explore<S: Semantics>(
    semantics: &S,
    given: (&str, &Certificate),
    formulas: &[Formula],
    manner: &Manner<'_, S::Value>,
) -> Result<(Accepted, Graph), Rejected> {
    let atoms = formulas.iter().flat_map(|formula| &formula.atoms);
    let labels: BTreeSet<u32> = atoms
        .filter_map(|atom| match atom {
            Atom::Label(label) => Some(*label),
            _ => None,
        })
        .collect();
    let labels: Vec<u32> = labels.into_iter().collect();
    let graph = Mutex::new(Graph::default());
    let watch = Watch {
        labels: &labels,
        seen: &|state, seen| {
            let mut graph = graph.lock().unwrap_or_else(PoisonError::into_inner);
            graph.add(state as usize, &labels, seen);
        },
    };
    let (accepted, starts) = certify::explore(semantics, given, manner, &watch)?;
    let mut graph = graph.into_inner().unwrap_or_else(PoisonError::into_inner);
    graph.starts = starts;
    graph.order_names();
    Ok((accepted, graph))
}
