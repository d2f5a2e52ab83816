//! Finds what is wrong with a file, whatever language it is written in.

use std::io;
use std::path::{Path, PathBuf};

use base::render::{self, Entry};
use base::{Diagnostic, Diagnostics, Severity, Sources};
use serde::Serialize;
use subject::Recognised;

use crate::codes;
use crate::open::Workbench;

/// What was found about one file.
#[derive(Debug)]
pub struct Lint {
    /// The path as it was given.
    pub file: PathBuf,
    /// What it is written in, if that is known.
    pub language: Option<Recognised>,
    /// What was found.
    pub diagnostics: Diagnostics,
    /// The texts that the diagnostics point into.
    pub sources: Sources,
    /// What is inside, for a file that holds several components.
    pub components: Vec<String>,
}

/// A [`Lint`] as programs read it.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    file: String,
    language: Option<&'static str>,
    exit: u8,
    diagnostics: Vec<Entry<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    components: &'a [String],
    #[serde(skip_serializing_if = "is_zero")]
    dropped: usize,
}

/// Parses and type checks a file together with the files it refers to.
pub fn lint(bench: &Workbench, path: &Path) -> Lint {
    bench.read(path).0
}

/// The lint of a file that cannot be read.
pub fn unreadable(bench: &Workbench, path: &Path, error: &io::Error) -> Lint {
    let mut lint = Lint::new(bench, path);
    lint.refuse(error);
    lint
}

/// The exit code of a run over several files: the smallest of those that are not 0.
pub fn exit(codes: impl IntoIterator<Item = u8>) -> u8 {
    codes
        .into_iter()
        .filter(|code| *code != 0)
        .min()
        .unwrap_or(0)
}

impl Lint {
    /// The exit code that this file alone leads to.
    pub fn exit(&self) -> u8 {
        self.diagnostics.exit()
    }

    /// The number of warnings kept.
    pub fn warnings(&self) -> usize {
        let warnings = self
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Warning);
        warnings.count()
    }

    /// The form for programs.
    pub fn report(&self) -> Report<'_> {
        Report {
            file: self.file.display().to_string(),
            language: self.language.map(Recognised::id),
            exit: self.exit(),
            diagnostics: self
                .diagnostics
                .iter()
                .map(|diagnostic| render::json(diagnostic, &self.sources))
                .collect(),
            components: &self.components,
            dropped: self.diagnostics.dropped(),
        }
    }
}

impl Lint {
    /// Nothing is known yet but the path.
    pub(crate) fn new(bench: &Workbench, path: &Path) -> Lint {
        Lint {
            file: path.to_owned(),
            language: match bench.language {
                Some(language) => Some(Recognised::Read(language)),
                None => bench.languages.by_extension(path),
            },
            diagnostics: Diagnostics::new(),
            sources: Sources::reading(bench.files.clone()),
            components: Vec::new(),
        }
    }

    /// The file cannot be read.
    pub(crate) fn refuse(&mut self, error: &io::Error) {
        let message = format!("cannot read \"{}\": {}", self.file.display(), reason(error));
        self.diagnostics
            .push(Diagnostic::global(&codes::UNREADABLE, message));
    }
}

/// Why a file cannot be read, in the words of a message.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Serde asks by reference.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use subject::Languages;

    use super::{Lint, exit, lint};
    use crate::open::Workbench;

    const NONE: Languages = Languages {
        read: &[],
        known: &[],
    };

    fn codes(lint: &Lint) -> Vec<&'static str> {
        lint.diagnostics.iter().map(|d| d.code.id).collect()
    }

    #[test]
    fn several_files_exit_with_the_smallest_code_that_is_not_zero() {
        assert_eq!(exit([]), 0);
        assert_eq!(exit([0, 0]), 0);
        assert_eq!(exit([0, 152, 151, 0]), 151);
        assert_eq!(exit([150, 2]), 2);
    }

    #[test]
    fn a_missing_file_and_a_directory_are_usage_errors() {
        for path in ["no/such.eventb", "no/such.txt", "no-such", "src"] {
            let lint = lint(&Workbench::new(NONE), Path::new(path));
            assert_eq!((codes(&lint), lint.exit()), (vec!["W0001"], 2), "{path}");
        }
    }

    #[test]
    fn the_report_has_the_documented_fields_in_order() {
        let lint = lint(&Workbench::new(NONE), Path::new("Cargo.toml"));
        let report = serde_json::to_string(&lint.report()).unwrap_or_default();
        assert!(
            report.starts_with(
                r#"{"file":"Cargo.toml","language":null,"exit":2,"diagnostics":[{"code":"W0002","#
            ),
            "{report}"
        );
        assert!(!report.contains("dropped"), "{report}");
    }
}
