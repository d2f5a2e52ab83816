//! Turns what an engine found into evidence that a reader can trust and follow.
//!
//! A path of values is replayed step by step on the reference evaluator ([`replay`]), which shares no code
//! with the evaluator that found it; then it is explained and rendered ([`Shown`], [`mod@format`]).
//! Invariant: nothing is shown that was not replayed; a path that does not replay is a bug of ours
//! ([`Mismatch`]), never a result.

pub mod format;
mod replay;
mod show;
mod trace;
pub mod why;

pub use replay::{Claim, Definedness, Evidence, Mismatch, replay};
pub use show::{Pairs, SYMBOLIC, Shown, ShownStep, UNASSIGNED};
pub use trace::{Event, Step, Trace};
