//! Shows that clauses have no solution, with a proof that somebody else can check.
//!
//! Paper: the clauses that a SAT solver learns are a proof, because each follows by unit propagation from those before it
//! [Goldberg, Novikov 2003].
//! Invariant: the answer depends on nothing but the clauses, and work is counted.

#[cfg(test)]
mod tests;

use crate::sat::{Sat, Sink as _};

/// The most conflicts: questions about single steps are easy, and what is hard is left to others.
const CONFLICTS: u64 = 20_000;

/// Finds a proof that clauses have no solution: the clauses that were learned, the empty one last; `None` when they have one, or
/// when that was not found out.
pub(crate) fn refute(clauses: &[Vec<i32>]) -> Option<Vec<Vec<i32>>> {
    let mut solver = Sat::default();
    solver.remember();
    solver.allow(CONFLICTS, None);
    for clause in clauses {
        solver.clause(clause);
    }
    if solver.solve()? {
        return None;
    }
    let mut proof = solver.learned();
    proof.push(Vec::new());
    Some(proof)
}
