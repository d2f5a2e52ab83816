//! Prints a model in normalised notation.

use std::path::Path;

use base::{Class, Severity};
use lang_math::print::Style;

use crate::lint::{Lint, load};

/// A file and its normalised text.
#[derive(Debug)]
pub struct Printed {
    /// What was found about the file.
    pub lint: Lint,
    /// The text, unless the file could not be read or has a syntax error: half a model is never printed.
    pub text: Option<String>,
}

/// Prints the component in a file. What it refers to is checked too, and errors of types do not matter.
pub fn print(path: &Path, style: &Style) -> Printed {
    let (lint, checked) = load(path);
    let main = checked.as_ref().and_then(|checked| checked.file());
    let broken = lint.diagnostics.iter().any(|diagnostic| {
        diagnostic.severity == Severity::Error
            && diagnostic.code.class == Class::Syntax
            && (diagnostic.file().is_none() || diagnostic.file() == main)
    });
    let text = checked
        .as_ref()
        .and_then(|checked| checked.component())
        .filter(|_| !broken)
        .map(|component| lang_b::print::component(component, style));
    Printed { lint, text }
}
