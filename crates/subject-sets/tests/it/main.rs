//! Models of set theory through the workbench, as a program would check and replay them.

mod certificates;
mod eventb;
mod formulas;
mod induction;
mod mutations;
mod parts;
mod replay;
mod session;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use subject::Languages;
use subject_sets::{ClassicalB, EventB};
use workbench::Workbench;
use workbench::check::{Check, Hooks};
use workbench::plan::Options;

/// A workbench that reads set theory.
fn bench() -> Workbench {
    Workbench::new(Languages {
        read: &[&ClassicalB, &EventB],
        known: &[],
    })
}

/// Checks a model with nobody watching.
fn check(path: &Path, options: &Options) -> Check {
    let hooks = Hooks {
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    workbench::check::check(&bench(), path, options, &hooks)
}
