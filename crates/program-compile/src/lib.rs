//! The fast evaluator of programs: a [`pins::System`] for processes and one for rules.
//!
//! Invariant: shares no evaluation code with `program-interp`; the laws of `pins` and the comparison with the reference
//! evaluator hold for every program.

pub mod claims;
pub mod processes;
pub mod rules;
