//! Names across files: places in texts that refer to each other, the models of a folder, addresses of files.

use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};
use session::address;
use workbench::Workbench;
use workbench::edit::Edited;

use crate::answers;

/// So many files of a folder are looked into for names.
const MAX_FILES: usize = 300;

/// A place of a name.
pub(crate) struct Place {
    /// The text.
    pub(crate) uri: String,
    /// Where in it.
    pub(crate) range: Value,
    /// Whether the name is declared there.
    pub(crate) is_declaration: bool,
}

impl Place {
    /// What tells it from others.
    pub(crate) fn key(&self) -> (String, u64, u64) {
        let start = &self.range["start"];
        let number = |name: &str| start[name].as_u64().unwrap_or(0);
        (self.uri.clone(), number("line"), number("character"))
    }
}

/// The places of a declaration in the texts that were read together.
pub(crate) fn places(edited: &Edited, definition: usize) -> Vec<Place> {
    let declared = edited.definition(definition).span;
    let spans = edited.places(definition).into_iter();
    spans
        .filter_map(|span| {
            let place = answers::location(span, &edited.lint.sources)?;
            Some(Place {
                uri: place["uri"].as_str()?.to_owned(),
                range: place["range"].clone(),
                is_declaration: span == declared,
            })
        })
        .collect()
}

/// The places of a declaration of another text.
pub(crate) fn same(
    edited: &Edited,
    (file, start, name): &(PathBuf, u32, base::Name),
) -> Vec<Place> {
    let all = edited.definitions().iter();
    let found = all.enumerate().find(|(_, one)| {
        one.span.start == *start
            && one.name == *name
            && base::files::canonical(edited.lint.sources.path(one.span.file)) == *file
    });
    found.map_or_else(Vec::new, |(at, _)| places(edited, at))
}

/// The declarations of a text itself whose names have a part.
pub(crate) fn declared(edited: &Edited, wanted: &str) -> Vec<Value> {
    use subject::editor::DefinitionKind::{Local, Parameter};
    let own = edited.definitions().iter();
    let own = own.filter(|one| {
        Some(one.span.file) == edited.file
            && !matches!(one.kind, Local | Parameter)
            && one.name.as_str().to_lowercase().contains(wanted)
    });
    own.filter_map(|one| {
        let place = answers::location(one.span, &edited.lint.sources)?;
        let kind = answers::symbol_kind(one.kind);
        Some(json!({ "name": one.name.as_str(), "kind": kind, "location": place }))
    })
    .collect()
}

/// The models below a folder, as many as are looked into.
pub(crate) fn collect(folder: &Path, bench: &Workbench, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    for path in entries {
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if files.len() >= MAX_FILES || is_hidden {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            base::deep::recurse(|| collect(&path, bench, files));
        } else if matches!(
            bench.languages.by_extension(&path),
            Some(subject::Recognised::Read(_))
        ) {
            files.push(base::files::canonical(&path));
        }
    }
}

/// The path of an address; one that is no file has a name only.
pub(crate) fn path_of(uri: &str) -> PathBuf {
    match uri.strip_prefix("file://") {
        Some(written) => PathBuf::from(address::unescaped(written)),
        None => {
            let name = uri.rsplit([':', '/']).next().unwrap_or("text");
            PathBuf::from("/untitled").join(name)
        }
    }
}

/// The address of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let mut plain = PathBuf::new();
    // An editor compares addresses as texts, and a text may refer to `../parts/Door.mch`.
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    format!("file://{}", address::escaped(&plain.to_string_lossy()))
}

/// The folders that the editor has open.
pub(crate) fn folders(params: &Value) -> Vec<PathBuf> {
    let folders = params["workspaceFolders"].as_array().into_iter().flatten();
    let mut uris: Vec<&str> = folders
        .filter_map(|folder| folder["uri"].as_str())
        .collect();
    if uris.is_empty() {
        uris.extend(params["rootUri"].as_str());
    }
    uris.into_iter().map(path_of).collect()
}

/// The folder of the editor that a file lies in, the outermost of several; else the folder of the file.
pub(crate) fn around(folders: &[PathBuf], path: &Path) -> PathBuf {
    let open = folders.iter().filter(|folder| path.starts_with(folder));
    let outermost = open.min_by_key(|folder| folder.as_os_str().len());
    let folder = outermost.map(PathBuf::as_path).or_else(|| path.parent());
    folder.unwrap_or(Path::new("/")).to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path_of, uri_of};

    #[test]
    fn addresses_have_no_detours() {
        assert_eq!(uri_of(Path::new("/a/b/../c/./d.mch")), "file:///a/c/d.mch");
    }

    #[test]
    fn addresses_are_paths_and_back() {
        for path in ["/a/b.mch", "/a b/ü%41.mch", "/x+y/(1).pml"] {
            assert_eq!(path_of(&uri_of(Path::new(path))), Path::new(path));
        }
        assert_eq!(path_of("file:///c%3A/x.mch"), Path::new("/c:/x.mch"));
        assert_eq!(
            path_of("untitled:Untitled-1"),
            Path::new("/untitled/Untitled-1")
        );
    }
}
