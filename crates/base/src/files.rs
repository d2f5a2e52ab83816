//! Where texts come from: the disk, or a text at hand (an editor's) in the place of a file.
//!
//! Invariant: whoever loads models reads files here and nowhere else, so that a text that was not saved counts everywhere, and
//! a server that opened a folder reads nothing outside it, whatever a model refers to. Texts in UTF-16 come as UTF-8.

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
            None => Ok(in_utf8(std::fs::read(path)?)),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be read, is no text, or lies outside the folder.
    pub fn read_text(&self, path: &Path) -> io::Result<String> {
        match self.text_at(path)? {
            Some(text) => Ok(text.to_string()),
            None => String::from_utf8(in_utf8(std::fs::read(path)?))
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error())),
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
        Ok(in_utf8(head))
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

/// A text in UTF-16, with its mark or begun by two ASCII characters, as UTF-8; other bytes stay as they are.
fn in_utf8(bytes: Vec<u8>) -> Vec<u8> {
    let (read, begin): (fn([u8; 2]) -> u16, usize) = match *bytes {
        [0xFE, 0xFF, ..] => (u16::from_be_bytes, 2),
        [0xFF, 0xFE, ..] => (u16::from_le_bytes, 2),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => (u16::from_be_bytes, 0),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => (u16::from_le_bytes, 0),
        _ => return bytes,
    };
    let pairs = bytes[begin..].chunks_exact(2);
    let text = char::decode_utf16(pairs.map(|pair| read([pair[0], pair[1]])));
    let text = text.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    text.collect::<String>().into_bytes()
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
    fn texts_in_utf_16_come_as_utf_8() {
        let text = "x ∈ ℕ";
        let units = || text.encode_utf16();
        let big: Vec<u8> = units().flat_map(u16::to_be_bytes).collect();
        let little: Vec<u8> = units().flat_map(u16::to_le_bytes).collect();
        for (mark, wide) in [([0xFE, 0xFF], &big), ([0xFF, 0xFE], &little)] {
            let marked = [&mark[..], wide].concat();
            assert_eq!(in_utf8(marked), text.as_bytes());
            assert_eq!(in_utf8(wide.clone()), text.as_bytes());
        }
        for other in [&b"PK\x03\x04"[..], b"", b"x", b"\0\0\0\0", b"MACHINE"] {
            assert_eq!(in_utf8(other.to_vec()), other);
        }
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
