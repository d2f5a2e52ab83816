//! A language that nothing else knows, through every command of the workbench.

mod checks;
mod commands;
mod laws;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use subject::Languages;
use tally::Tally;
use workbench::Workbench;
use workbench::check::{Check, Hooks};
use workbench::plan::Options;

/// A workbench that reads nothing else.
fn bench() -> Workbench {
    Workbench::new(Languages {
        read: &[&Tally],
        known: &[],
    })
}

/// A model of this crate.
fn model(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    folder.join(format!("{name}.tally"))
}

/// A file that tests write.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Checks a model with nobody watching.
fn check(name: &str, options: &Options) -> Check {
    let hooks = Hooks {
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    let check = workbench::check::check(&bench(), &model(name), options, &hooks);
    assert_eq!(check.bug, None);
    check
}
