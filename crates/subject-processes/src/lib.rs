//! Processes and rules as subjects: languages whose models are programs (`crates/program`).
//!
//! The grounds are the compiled evaluator (`program-compile`), the judge is the reference evaluator (`program-interp`).
//! Invariant: the two share no evaluation code; the intermediate model is all they have in common.

mod evidence;
mod judging;
mod processes;
mod rules;

pub use processes::{Promela, entries};
pub use rules::Murphi;
