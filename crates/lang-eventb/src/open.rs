//! Opens a file, whatever form of Event-B it holds.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Sources};

use crate::check::{self, Checked};
use crate::codes;
use crate::package;

/// Reads and checks a file.
pub fn open(path: &Path, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("cannot read \"{}\": {error}", path.display());
            diagnostics.push(Diagnostic::global(&codes::UNREADABLE, message));
            return Checked {
                diagnostics,
                ..Checked::default()
            };
        }
    };
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // Old exporters wrote the encoding of the platform.
        Err(error) => error
            .into_bytes()
            .iter()
            .map(|byte| char::from(*byte))
            .collect(),
    };
    let file = sources.add(path, text);
    let project = package::read(file, sources, &mut diagnostics);
    check::check(project, diagnostics)
}
