//! Prints a model in normalised notation.

use std::path::Path;

use base::{Class, Severity};
use subject::{Setting, Style};

use crate::lint::Lint;
use crate::open::Workbench;

/// A file and its normalised text.
#[derive(Debug)]
pub struct Printed {
    /// What was found about the file.
    pub lint: Lint,
    /// The text, unless the file could not be read or has a syntax error: half a model is never printed.
    pub text: Option<String>,
}

/// Prints the component in a file. What it refers to is checked too, and errors of types do not matter.
pub fn print(bench: &Workbench, path: &Path, style: Style) -> Printed {
    let (lint, text) = bench.read(path);
    let main = text.as_ref().and_then(|text| text.file());
    let broken = lint.diagnostics.iter().any(|diagnostic| {
        diagnostic.severity == Severity::Error
            && diagnostic.code.class == Class::Syntax
            && (diagnostic.file().is_none() || diagnostic.file() == main)
    });
    let text = text.filter(|_| !broken).and_then(|text| text.print(style));
    Printed { lint, text }
}

/// Prints the model that a check of the file runs on.
pub fn print_model(bench: &Workbench, path: &Path, setting: &Setting) -> Printed {
    match bench.open(path, setting) {
        Ok(opened) => Printed {
            text: Some(opened.subject.model_text()),
            lint: opened.lint,
        },
        Err(lint) => Printed {
            lint: *lint,
            text: None,
        },
    }
}
