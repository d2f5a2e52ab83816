//! Resolves names and infers types over a loaded project.

use std::path::Path;

use base::{Diagnostics, FileId, Sources};
use lang_math::Sort;

use crate::syntax::Component;

/// A file, the files it refers to, and everything that was found wrong with them.
#[derive(Debug)]
pub struct Checked {
    /// What was found.
    pub diagnostics: Diagnostics,
    /// The main file, when it could be read.
    pub file: Option<FileId>,
    /// The syntax tree of the main file.
    pub component: Option<Component>,
}

/// What was found about one formula.
#[derive(Debug)]
pub struct CheckedFormula {
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// Whether it is an expression or a predicate, when that is known.
    pub sort: Option<Sort>,
    /// Its type in B notation, for an expression that has one.
    pub type_text: Option<String>,
}

/// Loads a B file with everything it refers to, parses, expands, resolves and types it.
pub fn check_file(_path: &Path, _sources: &mut Sources) -> Checked {
    panic!("being written")
}

impl Checked {
    /// Parses, resolves and types one formula in the context of the main machine.
    pub fn check_formula(&mut self, _text: &str, _sources: &mut Sources) -> CheckedFormula {
        panic!("being written")
    }
}
