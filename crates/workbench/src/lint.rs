//! Finds what is wrong with a file, whatever language it is written in.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use base::render::{self, Entry};
use base::{Diagnostic, Diagnostics, Severity, Sources, Span};
use lang_b::check::check_file;
use serde::Serialize;

use crate::codes;
use crate::language::Language;
use crate::loaded::Loaded;

/// How much of a file is read to recognise its language.
const HEAD: u64 = 64 * 1024;

/// What was found about one file.
#[derive(Debug)]
pub struct Lint {
    /// The path as it was given.
    pub file: PathBuf,
    /// What it is written in, if that is known.
    pub language: Option<Language>,
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
pub fn lint(path: &Path) -> Lint {
    load(path).0
}

/// The lint of a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Lint {
    let mut lint = Lint::new(path);
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
            language: self.language.map(Language::id),
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

/// Lints a file and keeps what the front end knows about it. The diagnostics are in the lint, no longer in
/// the checked file.
pub(crate) fn load(path: &Path) -> (Lint, Option<Loaded>) {
    let mut lint = Lint::new(path);
    if path.is_dir() && lang_eventb::archive::is_project(path) {
        lint.language = Some(Language::EventB);
    } else if lint.language != Some(Language::B) {
        // The front end of B reports by itself what cannot be read.
        match head(path) {
            Err(error) => {
                lint.refuse(&error);
                return (lint, None);
            }
            Ok(head) => lint.recognise(&head),
        }
    }
    let loaded = match lint.language {
        Some(Language::B) => {
            let mut checked = check_file(path, &mut lint.sources);
            lint.diagnostics = std::mem::take(&mut checked.diagnostics);
            Some(Loaded::B(Box::new(checked)))
        }
        Some(Language::EventB) => {
            let mut checked = lang_eventb::open::open(path, &mut lint.sources);
            lint.diagnostics = std::mem::take(&mut checked.diagnostics);
            lint.components = checked.contents();
            Some(Loaded::EventB(Box::new(checked)))
        }
        _ => None,
    };
    (lint, loaded)
}

impl Lint {
    /// Nothing is known yet but the path.
    pub(crate) fn new(path: &Path) -> Lint {
        Lint {
            file: path.to_owned(),
            language: Language::by_extension(path),
            diagnostics: Diagnostics::new(),
            sources: Sources::new(),
            components: Vec::new(),
        }
    }

    /// The file cannot be read.
    fn refuse(&mut self, error: &io::Error) {
        let message = format!("cannot read \"{}\": {}", self.file.display(), reason(error));
        self.diagnostics
            .push(Diagnostic::global(&codes::UNREADABLE, message));
    }

    /// Settles the language of a file that does not have an extension of B, or says why it is not linted.
    fn recognise(&mut self, head: &[u8]) {
        let text = as_text(head);
        self.language = self.language.or_else(|| Language::by_content(text?));
        let path = self.file.display();
        match self.language {
            Some(Language::B | Language::EventB) => {}
            None => {
                let message = format!("cannot tell what language \"{path}\" is written in");
                self.diagnostics.push(
                    Diagnostic::global(&codes::UNKNOWN_LANGUAGE, message)
                        .help("the extensions of classical B are .mch .ref .imp .sys .mod .def"),
                );
            }
            Some(language) => {
                let code = &codes::UNSUPPORTED_LANGUAGE;
                let message = format!("{} is not supported yet", language.name());
                let diagnostic = match text.map(str::lines).and_then(|mut lines| lines.next()) {
                    Some(line) => {
                        let file = self.sources.add(self.file.clone(), line.to_owned());
                        Diagnostic::error(code, Span::new(file, 0, 0), message)
                    }
                    None => Diagnostic::global(code, format!("\"{path}\": {message}")),
                };
                self.diagnostics.push(diagnostic);
            }
        }
    }
}

/// The first bytes of a file.
fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// The bytes as text, if they are some; the last character may have been cut.
fn as_text(head: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return None,
    };
    (!text.contains('\0')).then_some(text)
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

    use super::{Lint, exit, lint};

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
            let lint = lint(Path::new(path));
            assert_eq!((codes(&lint), lint.exit()), (vec!["W0001"], 2), "{path}");
        }
    }

    #[test]
    fn the_report_has_the_fields_of_the_contract_in_order() {
        let lint = lint(Path::new("Cargo.toml"));
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
