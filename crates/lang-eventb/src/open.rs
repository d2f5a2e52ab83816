//! Opens a file, folder or archive, whatever form of Event-B it holds: by content, then by extension.
//!
//! Of a Rodin project the sources count, and a checked file only where its source is missing: sources are what
//! the user sees, and a checked file may be older. A checked file that is named itself is read with the checked
//! files it refers to.

use std::path::Path;

use base::{Diagnostic, Diagnostics, Sources};

use crate::archive::{self, Files};
use crate::check::{self, Checked};
use crate::codes;
use crate::package;
use crate::rodin;
use crate::syntax::Project;
use crate::text;

/// Reads and checks a file, a folder or an archive.
pub fn open(path: &Path, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let mut main = None;
    let project = match read(path, sources, &mut diagnostics, &mut main) {
        Ok(project) => project,
        Err(reason) => {
            let message = format!("cannot read \"{}\": {reason}", path.display());
            diagnostics.push(Diagnostic::global(&codes::UNREADABLE, message));
            Project::default()
        }
    };
    let mut checked = check::check(project, diagnostics);
    if let Some(named) = main.and_then(|main: String| checked.component(&main)) {
        checked.main = Some(named);
    }
    checked
}

fn read(
    path: &Path,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
    main: &mut Option<String>,
) -> Result<Project, String> {
    let mut project = Project::default();
    if path.is_dir() {
        let files = archive::folder(path, sources.files())?;
        whole(&files, &mut project, sources, diagnostics);
        return Ok(project);
    }
    let bytes = sources
        .files()
        .read(path)
        .map_err(|error| error.to_string())?;
    if bytes.starts_with(b"PK") {
        let files = archive::archive(path, &bytes)?;
        whole(&files, &mut project, sources, diagnostics);
        return Ok(project);
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // Old exporters wrote the encoding of the platform.
        Err(error) => {
            let bytes = error.into_bytes();
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
    };
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with('<') {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        *main = name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        one(path, &name, text, &mut project, sources, diagnostics);
        return Ok(project);
    }
    let is_package = start.starts_with(package::BEGINNING) || text.contains("\npackage(");
    if is_package || !text::is_text(start) {
        let file = sources.add(path, text);
        return Ok(package::read(file, sources, diagnostics));
    }
    *main = text::read(path, text, &mut project, sources, diagnostics);
    Ok(project)
}

/// All components of a project.
fn whole(
    files: &Files,
    project: &mut Project,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) {
    let mut reader = rodin::Reader::new(project, sources, diagnostics);
    for (name, text) in &files.texts {
        let Some((stem, extension)) = name.rsplit_once('.') else {
            continue;
        };
        let source = match extension {
            "bcm" => "bum",
            "bcc" => "buc",
            _ => extension,
        };
        if source != extension && files.texts.contains_key(&format!("{stem}.{source}")) {
            continue;
        }
        let path = format!("{}/{name}", files.folder);
        reader.read(&path, stem, text.clone());
    }
    reader.finish();
}

/// One component with what it refers to, from the files beside it.
fn one(
    path: &Path,
    name: &str,
    text: String,
    project: &mut Project,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) {
    let folder = path.parent().unwrap_or(Path::new(""));
    let checked = name.ends_with(".bcm") || name.ends_with(".bcc");
    let (machine, context) = match checked {
        true => ("bcm", "bcc"),
        false => ("bum", "buc"),
    };
    let mut done = vec![name.to_owned()];
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let from = sources.files().clone();
    let mut reader = rodin::Reader::new(project, sources, diagnostics);
    // Which theories a component uses is not written in it.
    if let Ok(theories) = archive::theories(folder, &from) {
        for (file, text) in theories.texts {
            let path = folder.join(&file).display().to_string();
            reader.read(&path, file.trim_end_matches(".tuf"), text);
        }
    }
    let mut pending = vec![reader.read(&path.display().to_string(), stem, text)];
    while let Some(references) = pending.pop() {
        let contexts = references.contexts.iter().map(|name| (name, context));
        let machines = references.machines.iter().map(|name| (name, machine));
        for (name, extension) in machines.chain(contexts) {
            // Names are file names here: nothing outside the folder is read.
            let is_plain = !name.as_str().contains(['/', '\\']);
            let file = format!("{name}.{extension}");
            if !is_plain || done.contains(&file) {
                continue;
            }
            done.push(file.clone());
            let beside = folder.join(&file);
            // What is missing is reported where it is referred to.
            if let Ok(text) = from.read_text(&beside) {
                let path = beside.display().to_string();
                pending.push(reader.read(&path, name.as_str(), text));
            }
        }
    }
    reader.finish();
}
