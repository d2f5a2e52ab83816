//! The debug adapter: an editor's own debugger steps through an animation or a counterexample, in every language.
//!
//! `wire.rs` frames messages, `adapter.rs` obeys requests, `animation.rs` asks the session in which the model moves, `places.rs` knows
//! where events stand in their files, `stops.rs` says where a run stops.
//! The stack is the path: a step is a frame, the last one on top, and the variables of a frame are the state behind its step.
//! Invariant: knows no language, and runs no model: a model that never ends takes its session with it.
//! Invariant: every request is answered exactly once.

mod adapter;
mod animation;
mod places;
mod stops;
mod wire;

use std::io;
use std::path::PathBuf;

use workbench::Workbench;

/// Serves an editor on standard streams; `program` is the executable that has the command `session`.
///
/// # Errors
/// When standard output cannot be written.
pub fn serve(bench: &Workbench, program: PathBuf) -> io::Result<()> {
    adapter::Adapter::new(bench.clone(), program, wire::listen()).run()
}
