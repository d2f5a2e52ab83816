//! The one way from a path to an opened model: recognised, read, checked against the setting, opened.
//!
//! Invariant: no other file here reads a model.

use std::path::Path;

use base::{Diagnostic, Files, Sources, Span};
use pins::Halt;
use subject::setting::Reading;
use subject::{Language, Languages, Recognised, Setting, Subject, Text};

use crate::codes;
use crate::lint::Lint;

/// The path that stands for standard input, and where it is read: once, so nothing may look at it beforehand.
const STANDARD_INPUT: (&str, &str) = ("-", "/dev/stdin");

/// So many models of a folder are named.
const LISTED: usize = 5;

/// How much of a file is read to recognise its language.
const HEAD: u64 = 64 * 1024;

/// What every command needs: the languages that the program links, and how files are read.
#[derive(Clone, Debug)]
pub struct Workbench {
    /// The languages.
    pub languages: Languages,
    /// The language of every file; `None` to recognise it.
    pub language: Option<&'static dyn Language>,
    /// What is fixed before a file is read.
    pub reading: Reading,
    /// Where files are read from.
    pub files: Files,
    /// Ends whatever was opened here and takes long.
    pub halt: Halt,
}

/// A model that was opened, with what was found about its file.
pub struct Opened {
    /// What was found about the file.
    pub lint: Lint,
    /// The model.
    pub subject: Box<dyn Subject>,
}

impl Workbench {
    /// A workbench for these languages.
    pub fn new(languages: Languages) -> Workbench {
        Workbench {
            languages,
            language: None,
            reading: Reading::default(),
            files: Files::disk(),
            halt: Halt::default(),
        }
    }

    /// Reads and checks a file with all that it refers to; without a text when its language is not read.
    pub(crate) fn read(&self, path: &Path) -> (Lint, Option<Box<dyn Text>>) {
        let mut lint = Lint::new(self, path);
        if path == Path::new(STANDARD_INPUT.0) {
            return self.read_standard_input(lint);
        }
        let is_folder = path.is_dir() && self.language.is_none();
        let folder = is_folder.then(|| self.languages.by_folder(path));
        let folder = folder.flatten();
        if folder.is_some() {
            lint.language = folder;
        } else if is_folder {
            self.refuse_folder(&mut lint);
            return (lint, None);
        } else if !matches!(lint.language, Some(Recognised::Read(known)) if known.reports_unreadable())
        {
            match self.files.head(path, HEAD) {
                Err(error) => {
                    lint.refuse(&error);
                    return (lint, None);
                }
                Ok(head) => self.recognise(&mut lint, &head),
            }
        }
        self.read_as_recognised(path, lint)
    }

    fn read_as_recognised(&self, path: &Path, mut lint: Lint) -> (Lint, Option<Box<dyn Text>>) {
        let Some(Recognised::Read(language)) = lint.language else {
            return (lint, None);
        };
        let read = language.read(path, &self.reading, &mut lint.sources);
        lint.diagnostics = read.diagnostics;
        lint.components = read.components;
        (lint, Some(read.text))
    }

    /// A folder that is no project: which of the models in it is meant is not guessed.
    fn refuse_folder(&self, lint: &mut Lint) {
        // What may not be read is not listed either.
        if let Err(error) = self.files.length(&lint.file)
            && error.kind() != std::io::ErrorKind::IsADirectory
        {
            lint.refuse(&error);
            return;
        }
        let entries = std::fs::read_dir(&lint.file)
            .into_iter()
            .flatten()
            .flatten();
        let mut models: Vec<String> = entries
            .filter(|entry| {
                let language = self.languages.by_extension(&entry.path());
                matches!(language, Some(Recognised::Read(_)))
            })
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        models.sort_unstable();
        let path = lint.file.display();
        let message = match models.as_slice() {
            [] => format!("\"{path}\" is a folder without a model"),
            [_] => format!("\"{path}\" is a folder, not a model"),
            _ => format!("\"{path}\" is a folder with {} models", models.len()),
        };
        let mut error = Diagnostic::global(&codes::UNREADABLE, message);
        if !models.is_empty() {
            let more = models.len() > LISTED;
            models.truncate(LISTED);
            let more = if more { ", …" } else { "" };
            error = error.help(format!("give one: {}{more}", models.join(", ")));
        }
        lint.diagnostics.push(error);
    }

    /// Reads standard input; its language is given, or recognised by its beginning.
    fn read_standard_input(&self, mut lint: Lint) -> (Lint, Option<Box<dyn Text>>) {
        let path = Path::new(STANDARD_INPUT.1);
        if self.language.is_none() {
            let mut files = self.files.clone();
            match files.read_text(path) {
                Err(error) => {
                    lint.refuse(&error);
                    return (lint, None);
                }
                Ok(text) => {
                    self.recognise(&mut lint, text.as_bytes());
                    files.put(path, text);
                }
            }
            lint.sources = Sources::reading(files);
        }
        self.read_as_recognised(path, lint)
    }

    /// The names of what the model in a file carries about its runs: temporal formulas, and claims.
    pub fn claims(
        &self,
        path: &Path,
        setting: &Setting,
    ) -> Result<(Vec<String>, Vec<String>), Box<Lint>> {
        let mut opened = self.open(path, setting)?;
        let claims = opened.subject.claims();
        let formulas = opened.subject.source().temporal_definitions();
        let formulas = formulas.iter().map(|known| known.name.to_string());
        Ok((formulas.collect(), claims))
    }

    /// Opens the model in a file. One with errors is returned as its lint.
    pub(crate) fn open(&self, path: &Path, setting: &Setting) -> Result<Opened, Box<Lint>> {
        let (lint, text) = self.read(path);
        match text {
            Some(text) => self.open_text(lint, text, setting),
            None => Err(Box::new(lint)),
        }
    }

    /// Opens what was read. A text with errors is returned as its lint.
    pub(crate) fn open_text(
        &self,
        mut lint: Lint,
        text: Box<dyn Text>,
        setting: &Setting,
    ) -> Result<Opened, Box<Lint>> {
        if lint.diagnostics.has_errors() {
            return Err(Box::new(lint));
        }
        if let Some(Recognised::Read(language)) = lint.language {
            for message in language.misfits(setting, &self.reading) {
                let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
                lint.diagnostics.push(error);
            }
            if lint.diagnostics.has_errors() {
                return Err(Box::new(lint));
            }
        }
        match text.open(setting) {
            Ok(subject) => Ok(Opened { lint, subject }),
            Err(diagnostics) => {
                lint.diagnostics.extend(diagnostics);
                Err(Box::new(lint))
            }
        }
    }

    /// Settles the language of a file, or says why it is not read.
    fn recognise(&self, lint: &mut Lint, head: &[u8]) {
        let text = as_text(head);
        lint.language = lint.language.or_else(|| self.languages.by_content(text?));
        let path = lint.file.display();
        match lint.language {
            Some(Recognised::Read(_)) => {}
            None => {
                let message = format!("cannot tell what language \"{path}\" is written in");
                let mut error = Diagnostic::global(&codes::UNKNOWN_LANGUAGE, message);
                if lint.file.as_os_str() == "-" {
                    let ids: Vec<&str> = self.languages.read.iter().map(|one| one.id()).collect();
                    error = error.help(format!("say which: --language {}", ids.join("|")));
                } else if let Some(first) = self.languages.read.first() {
                    let extensions: Vec<String> = first
                        .extensions()
                        .iter()
                        .map(|extension| format!(".{extension}"))
                        .collect();
                    error = error.help(format!(
                        "the extensions of {} are {}",
                        first.name(),
                        extensions.join(" ")
                    ));
                }
                lint.diagnostics.push(error);
            }
            Some(Recognised::Known(known)) => {
                let code = &codes::UNSUPPORTED_LANGUAGE;
                let message = format!("{} is not supported yet", known.name);
                let diagnostic = match text.map(str::lines).and_then(|mut lines| lines.next()) {
                    Some(line) => {
                        let file = lint.sources.add(lint.file.clone(), line.to_owned());
                        Diagnostic::error(code, Span::new(file, 0, 0), message)
                    }
                    None => Diagnostic::global(code, format!("\"{path}\": {message}")),
                };
                lint.diagnostics.push(diagnostic);
            }
        }
    }
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
