//! Definition files: which ones a component refers to, where they lie, and reading each once.

use std::path::{Path, PathBuf};

use base::files::canonical;
use base::{Diagnostic, Span};

use super::files::{near_file, show_folder};
use super::{DefinitionFile, DefinitionFileId, Loader, MAX_FILES};
use crate::codes::structure as codes;
use crate::parse;
use crate::stdlib;
use crate::syntax::{Component, Definition, DefinitionFileRef};

fn not_found(written: &DefinitionFileRef, directory: &Path) -> Diagnostic {
    let message = format!("definition file \"{}\" is not found", written.path);
    let looked = show_folder(directory);
    let error = Diagnostic::error(&codes::DEFINITION_FILE_NOT_FOUND, written.span, message)
        .note(format!("looked in {looked} and in the built-in library"));
    let near = near_file(written.path, [directory].into_iter())
        .or_else(|| base::near::nearest(written.path.as_str(), stdlib::names()).map(str::to_owned));
    match near {
        Some(near) => error.help(format!("did you mean \"{near}\"?")),
        None => error,
    }
}

impl Loader<'_> {
    /// Follows a reference to a definition file; the answer says whether it was found.
    pub(super) fn definitions(
        &mut self,
        written: &DefinitionFileRef,
        directory: &Path,
        into: &mut Vec<DefinitionFileId>,
    ) -> bool {
        let beside = directory.join(written.path.as_str());
        let on_disk = !written.library && self.sources.files().is_file(&beside);
        let (path, text) = if on_disk {
            (beside, None)
        } else if let Some(text) = stdlib::definition_file(written.path.as_str())
            .or_else(|| stdlib::machine_file(written.path.as_str()))
        {
            (PathBuf::from(format!("<{}>", written.path)), Some(text))
        } else if self.sources.files().is_file(&beside) {
            (beside, None)
        } else {
            self.diagnostics.push(not_found(written, directory));
            return false;
        };
        let built_in = text.is_some();
        let key = if built_in {
            path.clone()
        } else {
            canonical(&path)
        };
        if self.open_definitions.contains(&key) {
            self.diagnostics.push(Diagnostic::error(
                &codes::DEFINITION_FILE_CYCLE,
                written.span,
                format!("definition file \"{}\" includes itself", written.path),
            ));
            return false;
        }
        if !self.known_definitions.contains_key(&key) {
            if self.known_definitions.len() >= MAX_FILES {
                self.diagnostics.push(Diagnostic::error(
                    &codes::TOO_MANY_FILES,
                    written.span,
                    format!("more than {MAX_FILES} files are drawn in"),
                ));
                return false;
            }
            let loaded = match text {
                Some(text) => Some(text.to_owned()),
                None => self.read_referenced(&path, written.span),
            }
            .map(|text| self.definition_file(&path, text, built_in, written.span));
            self.known_definitions.insert(key.clone(), loaded);
        }
        let Some(Some(id)) = self.known_definitions.get(&key).copied() else {
            return false;
        };
        if into.contains(&id) {
            return true;
        }
        // What the file itself draws in comes first.
        let nested: Vec<DefinitionFileRef> =
            file_references(&self.project.definition_files[id].component);
        self.open_definitions.push(key);
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut found = true;
        for reference in nested {
            found &= base::deep::recurse(|| self.definitions(&reference, &folder, into));
        }
        self.open_definitions.pop();
        if !into.contains(&id) {
            into.push(id);
        }
        found
    }

    fn definition_file(
        &mut self,
        path: &Path,
        text: String,
        built_in: bool,
        at: Span,
    ) -> DefinitionFileId {
        let file = self.sources.add(path, text);
        self.project.led_to.insert(file, at);
        let parsed = parse::component(file, self.sources.text(file));
        self.diagnostics.extend(parsed.diagnostics);
        self.project.definition_files.push(DefinitionFile {
            component: parsed.component,
            built_in,
            incomplete: parsed.names_lost,
        })
    }
}

/// The definition files that a component names.
fn file_references(component: &Component) -> Vec<DefinitionFileRef> {
    component
        .definitions()
        .filter_map(|definition| match definition {
            Definition::File(reference) => Some(*reference),
            Definition::Macro(_) => None,
        })
        .collect()
}
