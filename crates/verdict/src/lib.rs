//! Turns what an engine found into evidence that a reader can trust and follow.
//!
//! A path of values is replayed step by step by the judge of the subject ([`replay`]), which shares no code with the
//! evaluator that found it; then it is explained and rendered ([`Shown`], [`mod@format`]).
//! Invariant: nothing is shown that was not replayed; a path that does not replay is a bug of ours
//! ([`Mismatch`]), never a result.
//! Invariant: no language is known here; what depends on one is asked of the subject.

pub mod chart;
mod escape;
pub mod format;
mod people;
mod replay;
mod show;

pub use escape::escaped;
pub use people::for_people;
pub use replay::{Evidence, Mismatch, replay};
pub use show::{Pairs, Shown, ShownStep, UNASSIGNED, tell_result};
