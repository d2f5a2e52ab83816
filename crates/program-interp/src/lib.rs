//! The reference evaluator of programs: slow, obvious, total; the judge of every path that is reported.
//!
//! States are plain values. A question gets a whole answer: all initial states, all steps with everything needed to show
//! them, the truth of an expression.
//! Invariant: what has no value is a [`program::Fault`] with a place and a reason, never a panic.
//! Invariant: shares no evaluation code with `program-compile`; both stand on `program`'s data.

mod channels;
mod domains;
mod exec;
mod expressions;
mod moves;
mod observe;
mod operators;
mod places;
mod questions;
mod rules;
mod run;
mod sequences;
mod start;
mod store;

pub use run::Stop;
pub use sequences::{End, Failure, Part, Step, What};
pub use start::Initial;

use program::{Program, Value};

/// Answers questions about a program.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    /// What hidden variables hold when a step starts.
    hidden: Vec<(usize, Value)>,
}

impl<'p> Machine<'p> {
    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }
}
