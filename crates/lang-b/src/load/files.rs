//! Files of a project: read within limits, named for messages, and the nearest name where one is missing.

use std::path::Path;

use base::{Code, Files, Name};

use super::{EXTENSIONS, MAX_BYTES};
use crate::codes::structure as codes;

/// The text of a file, with the offset of the first byte that was not UTF-8; or why it cannot be used.
pub(super) fn read(
    path: &Path,
    from: &Files,
) -> Result<(String, Option<usize>), (&'static Code, String)> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| {
        (
            &codes::UNREADABLE,
            match error.kind() {
                std::io::ErrorKind::NotFound => format!("cannot read {shown}: no such file"),
                std::io::ErrorKind::IsADirectory => {
                    format!("cannot read {shown}: it is a directory")
                }
                std::io::ErrorKind::PermissionDenied if error.get_ref().is_none() => {
                    format!("cannot read {shown}: permission denied")
                }
                _ => format!("cannot read {shown}: {error}"),
            },
        )
    };
    let length = from.length(path).map_err(unreadable)?;
    let not_text = || {
        (
            &codes::NOT_TEXT,
            format!("{shown} is a binary file, not a B machine"),
        )
    };
    if length > MAX_BYTES {
        let head = from.head(path, 8192).map_err(unreadable)?;
        if head.contains(&0) {
            return Err(not_text());
        }
        return Err((
            &codes::TOO_LARGE,
            format!(
                "{shown} has {} MiB; files of more than {} MiB are not read",
                length >> 20,
                MAX_BYTES >> 20
            ),
        ));
    }
    let bytes = from.read(path).map_err(unreadable)?;
    if bytes.contains(&0) {
        return Err(not_text());
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err((&codes::EMPTY, format!("{shown} is empty")));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((text, None)),
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            Ok((
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                Some(offset),
            ))
        }
    }
}

pub(super) fn show_folder(folder: &Path) -> String {
    if folder.as_os_str().is_empty() {
        "the current folder".to_owned()
    } else {
        folder.display().to_string()
    }
}

/// A file whose name differs from the wanted one in case or by a slip.
pub(super) fn near_file<'a>(
    wanted: Name,
    folders: impl Iterator<Item = &'a Path>,
) -> Option<String> {
    let mut names = Vec::new();
    for folder in folders {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let known = path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| EXTENSIONS.contains(&extension) || extension == "def");
            if let (true, Some(name)) = (known, path.file_name().and_then(|name| name.to_str())) {
                names.push(name.to_owned());
            }
        }
    }
    let wanted = wanted.as_str();
    let by_stem = names.iter().map(|name| {
        name.rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem)
    });
    let near = if wanted.ends_with(".def") {
        base::near::nearest(wanted, names.iter().map(String::as_str))?
    } else {
        base::near::nearest(wanted, by_stem)?
    };
    names
        .iter()
        .filter(|name| *name == near || name.rsplit_once('.').is_some_and(|(stem, _)| stem == near))
        .min()
        .cloned()
}
