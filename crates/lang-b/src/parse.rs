//! Text to syntax tree.

use base::{Diagnostics, FileId};
use lang_math::{ExprId, Exprs};

use crate::syntax::Component;

/// What the parser makes of a file: always a tree, and what is wrong with it.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; parts that could not be read are `Error` nodes or missing.
    pub component: Component,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// Reads a machine, refinement, implementation or definition file.
pub fn component(_file: FileId, _text: &str) -> Parsed {
    panic!("being written")
}

/// Reads one expression or predicate (the whole text) into `exprs`.
pub fn formula(_file: FileId, _text: &str, _exprs: &mut Exprs) -> (ExprId, Diagnostics) {
    panic!("being written")
}
