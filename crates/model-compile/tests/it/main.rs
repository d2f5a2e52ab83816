//! Compiled models against the reference evaluator, the laws of systems and published answers.

mod arithmetic;
mod clauses;
mod conflict;
mod constants;
mod laws;
mod machines;
mod oracle;
mod permutations;
mod random_unknown;
mod recalled;
mod refinements;
mod solver;
mod support;
mod unknown;
