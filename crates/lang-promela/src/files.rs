//! Where the texts of files come from: the one place of this crate that reads any.

use std::path::Path;

/// Files larger than this are refused unread.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// Gives the texts of files.
pub trait Files {
    /// The text of the file at `path`, or why there is none, as the end of a sentence.
    fn read(&self, path: &Path) -> Result<String, String>;
}

/// The files of the machine and what an editor holds; bytes that are no UTF-8 become replacement characters, which only
/// comments and strings may hold.
impl Files for base::Files {
    fn read(&self, path: &Path) -> Result<String, String> {
        let bytes = self.head(path, MAX_BYTES + 1);
        let bytes = bytes.map_err(|error| error.to_string())?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("it is larger than {} MB", MAX_BYTES >> 20));
        }
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }
}

/// Texts at hand, for tests.
impl Files for std::collections::BTreeMap<std::path::PathBuf, String> {
    fn read(&self, path: &Path) -> Result<String, String> {
        self.get(path)
            .cloned()
            .ok_or_else(|| "there is no such file".to_owned())
    }
}
