//! Prints a model in normalised notation.

use std::path::Path;

use base::{Class, Severity};
use lang_math::print::Style;
use model::scope::Scopes;

use crate::lint::{Lint, load};
use crate::loaded::Wanted;

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
        .filter(|_| !broken)
        .and_then(|checked| checked.print(style));
    Printed { lint, text }
}

/// Prints the model that a check of the file runs on.
pub fn print_model(path: &Path) -> Printed {
    let (mut lint, checked) = load(path);
    let text = checked
        .filter(|_| !lint.diagnostics.has_errors())
        .and_then(
            |checked| match checked.lower(&Wanted::default(), &Scopes::default()) {
                Ok(model) => Some(model::text::model(&model)),
                Err(diagnostics) => {
                    lint.diagnostics.extend(diagnostics);
                    None
                }
            },
        );
    Printed { lint, text }
}
