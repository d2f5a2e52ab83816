//! Where texts come from: the disk, or a text at hand (an editor's) in the place of a file.
//!
//! Invariant: whoever loads models reads files here and nowhere else, so that a text that was not saved counts everywhere, and
//! a server that opened a folder reads nothing outside it, whatever a model refers to.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where texts come from.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Texts that stand in the place of files, by their canonical paths.
    texts: BTreeMap<PathBuf, Arc<str>>,
    /// The folder outside which nothing is read; canonical.
    below: Option<PathBuf>,
}

impl Files {
    /// The files of the machine.
    pub fn disk() -> Files {
        Files::default()
    }

    /// The files below a folder, and no others.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn below(folder: &Path) -> io::Result<Files> {
        Ok(Files {
            below: Some(folder.canonicalize()?),
            ..Files::default()
        })
    }

    /// Puts a text in the place of a file, which need not exist.
    pub fn put(&mut self, path: &Path, text: impl Into<Arc<str>>) {
        self.texts.insert(canonical(path), text.into());
    }

    /// From now on the file itself counts again.
    pub fn take_away(&mut self, path: &Path) {
        self.texts.remove(&canonical(path));
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When it cannot be read, or lies outside the folder.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.text_at(path)? {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => std::fs::read(path),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be read, is no text, or lies outside the folder.
    pub fn read_text(&self, path: &Path) -> io::Result<String> {
        match self.text_at(path)? {
            Some(text) => Ok(text.to_string()),
            None => std::fs::read_to_string(path),
        }
    }

    /// The first bytes of a file, at most so many.
    ///
    /// # Errors
    /// When it cannot be read, or lies outside the folder.
    pub fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        use io::Read as _;
        let mut head = Vec::new();
        match self.text_at(path)? {
            Some(text) => text.as_bytes().take(most).read_to_end(&mut head)?,
            None => std::fs::File::open(path)?
                .take(most)
                .read_to_end(&mut head)?,
        };
        Ok(head)
    }

    /// How many bytes a file has.
    ///
    /// # Errors
    /// When it is none, or lies outside the folder.
    pub fn length(&self, path: &Path) -> io::Result<u64> {
        match self.text_at(path)? {
            Some(text) => Ok(text.len() as u64),
            None => {
                let metadata = std::fs::metadata(path)?;
                match metadata.is_dir() {
                    true => Err(io::ErrorKind::IsADirectory.into()),
                    false => Ok(metadata.len()),
                }
            }
        }
    }

    /// Whether there is a file that may be read.
    pub fn is_file(&self, path: &Path) -> bool {
        match self.text_at(path) {
            Ok(Some(_)) => true,
            Ok(None) => path.is_file(),
            Err(_) => false,
        }
    }

    /// The text that stands in the place of a file, if there is one.
    fn text_at(&self, path: &Path) -> io::Result<Option<&Arc<str>>> {
        if self.texts.is_empty() && self.below.is_none() {
            return Ok(None);
        }
        let canonical = canonical(path);
        let is_allowed = |folder: &PathBuf| canonical.starts_with(folder);
        match self.below.as_ref().is_none_or(is_allowed) {
            true => Ok(self.texts.get(&canonical)),
            false => Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                "it lies outside the folder that was opened",
            )),
        }
    }
}

/// The path by which a file is recognised when it is met again; of one that does not exist, as far as its folder does.
pub fn canonical(path: &Path) -> PathBuf {
    if let Ok(canonical) = path.canonicalize() {
        return canonical;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_at_hand_stands_in_the_place_of_a_file() {
        let mut files = Files::disk();
        let path = Path::new("src/no-such-file.mch");
        assert!(!files.is_file(path));
        files.put(path, "MACHINE M END");
        assert!(files.is_file(path));
        assert!(files.is_file(Path::new("./src/../src/no-such-file.mch")));
        assert_eq!(files.read_text(path).ok().as_deref(), Some("MACHINE M END"));
        assert_eq!(files.length(path).ok(), Some(13));
        assert_eq!(files.head(path, 4).ok().as_deref(), Some(&b"MACH"[..]));
        files.take_away(path);
        assert!(files.read(path).is_err());
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        let files = Files::below(Path::new("src")).expect("there is a folder");
        assert!(files.is_file(Path::new("src/files.rs")));
        for outside in [
            "Cargo.toml",
            "src/../Cargo.toml",
            "/etc/hostname",
            "src/../no/such",
        ] {
            assert!(!files.is_file(Path::new(outside)), "{outside}");
            let error = files.read(Path::new(outside)).map_err(|error| error.kind());
            assert_eq!(error, Err(io::ErrorKind::PermissionDenied), "{outside}");
        }
        assert!(Files::below(Path::new("no-such-folder")).is_err());
    }
}
