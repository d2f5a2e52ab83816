//! The files of a Rodin project: in a folder, or in a zip archive that is read within bounds.
//!
//! Invariant: an archive that would grow beyond `MAX_BYTES` or has more than `MAX_ENTRIES` entries is refused
//! before its content is in memory; sizes in the archive are not believed.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};
use std::path::Path;

use zip::ZipArchive;

/// How many bytes all files of interest may have together: the largest published projects stay below 20 MB.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// How many entries an archive may have.
const MAX_ENTRIES: usize = 100_000;

/// The extensions of components and theories.
const EXTENSIONS: [&str; 5] = ["bum", "buc", "bcm", "bcc", "tuf"];

/// The files of one project, by name without folder.
#[derive(Debug, Default)]
pub struct Files {
    /// What paths in messages start with.
    pub folder: String,
    /// The contents.
    pub texts: BTreeMap<String, String>,
}

/// Whether a file name is that of a component or theory.
fn is_component(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// The project in a folder, or in its only subfolder that holds one.
pub fn folder(path: &Path, from: &base::Files) -> Result<Files, String> {
    let own = files_in(path, from, is_component)?;
    if !own.texts.is_empty() {
        return Ok(own);
    }
    let mut found = Vec::new();
    let entries = std::fs::read_dir(path).map_err(|error| error.to_string())?;
    for entry in entries.flatten() {
        if entry.path().is_dir() {
            let files = files_in(&entry.path(), from, is_component)?;
            if !files.texts.is_empty() {
                found.push(files);
            }
        }
    }
    one_of(found)
}

/// Whether a folder holds a project, or several.
pub fn is_project(path: &Path) -> bool {
    match folder(path, &base::Files::disk()) {
        Ok(_) => true,
        Err(reason) => reason.starts_with(SEVERAL),
    }
}

/// How the message about several projects starts.
const SEVERAL: &str = "there are several projects";

fn one_of(mut found: Vec<Files>) -> Result<Files, String> {
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    match found.len() {
        0 => Err("there are no .bum, .buc, .bcm or .bcc files".to_owned()),
        1 => Ok(found.swap_remove(0)),
        _ => {
            let names: Vec<&str> = found.iter().map(|files| files.folder.as_str()).collect();
            Err(format!("{SEVERAL}: {}", names.join(", ")))
        }
    }
}

/// The theories in a folder.
pub fn theories(path: &Path, from: &base::Files) -> Result<Files, String> {
    files_in(path, from, |name| name.ends_with(".tuf"))
}

fn files_in(
    path: &Path,
    from: &base::Files,
    wanted: impl Fn(&str) -> bool,
) -> Result<Files, String> {
    let mut files = Files {
        folder: path.display().to_string(),
        texts: BTreeMap::new(),
    };
    let entries = std::fs::read_dir(path).map_err(|error| error.to_string())?;
    let mut left = MAX_BYTES;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !wanted(&name) || !from.is_file(&entry.path()) {
            continue;
        }
        let bytes = from.head(&entry.path(), left + 1);
        let bytes = bytes.map_err(|error| format!("{name}: {error}"))?;
        let text =
            bounded(bytes.as_slice(), &mut left).map_err(|error| format!("{name}: {error}"))?;
        files.texts.insert(name, text);
    }
    Ok(files)
}

/// The text of a file, counted against what is left.
fn bounded(reader: impl std::io::Read, left: &mut u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut limited = reader.take(*left + 1);
    limited
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    let length = bytes.len() as u64;
    if length > *left {
        return Err(format!("the project is larger than {MAX_BYTES} bytes"));
    }
    *left -= length;
    String::from_utf8(bytes).map_err(|_| "this is not UTF-8 text".to_owned())
}

/// The project in a zip archive.
pub fn archive(path: &Path, bytes: &[u8]) -> Result<Files, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    if archive.len() > MAX_ENTRIES {
        return Err(format!("the archive has more than {MAX_ENTRIES} entries"));
    }
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    let mut left = MAX_BYTES;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| error.to_string())?;
        let whole = entry
            .name()
            .map_err(|error| error.to_string())?
            .into_owned();
        let (folder, name) = match whole.rsplit_once('/') {
            Some((folder, name)) => (folder.to_owned(), name.to_owned()),
            None => (String::new(), whole.clone()),
        };
        // Archives of some systems hold shadows of every file.
        if entry.is_dir() || !is_component(&name) || folder.starts_with("__MACOSX") {
            continue;
        }
        let text = bounded(entry, &mut left).map_err(|error| format!("{whole}: {error}"))?;
        let files = folders.entry(folder.clone()).or_insert_with(|| Files {
            folder: format!("{}/{folder}", path.display()),
            texts: BTreeMap::new(),
        });
        files.texts.insert(name, text);
    }
    one_of(folders.into_values().collect())
}
