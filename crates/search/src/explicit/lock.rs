//! Keeps two runs from writing one checkpoint: the second is refused, with the reason.
//!
//! A file beside the checkpoint is locked as long as the run lasts. The lock is the operating system's, so it ends with
//! the process, however that ends; the file that a killed run leaves behind locks nothing.
//! Invariant: the file that is locked is the one that others find under its name: whoever locked a file that was removed
//! meanwhile takes the next one.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A checkpoint that is ours to write.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks a checkpoint; an error is a sentence for the user.
    pub fn take(checkpoint: &Path) -> Result<Lock, String> {
        let path = checkpoint.with_added_extension("lock");
        loop {
            let file = File::create(&path).map_err(|error| {
                format!(
                    "the checkpoint {} cannot be locked: {error}",
                    checkpoint.display()
                )
            })?;
            match file.try_lock() {
                Ok(()) if is_found(&file, &path) => return Ok(Lock { file, path }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(format!(
                        "the checkpoint {} is written by another run",
                        checkpoint.display()
                    ));
                }
                // A file system without locks: there is nothing to ask.
                Err(TryLockError::Error(_)) => return Ok(Lock { file, path }),
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // First the name, then the lock: nobody locks what is about to vanish. What cannot be removed locks nothing.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Whether a name still leads to an open file.
#[cfg(unix)]
fn is_found(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(ours), Ok(found)) => (ours.dev(), ours.ino()) == (found.dev(), found.ino()),
        _ => false,
    }
}

/// Whether a name still leads to an open file: elsewhere an open file keeps its name.
#[cfg(not(unix))]
fn is_found(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_has_one_writer_at_a_time() {
        let path = std::env::temp_dir().join(format!("search-lock-{}", std::process::id()));
        let lock = Lock::take(&path).unwrap();
        let refused = Lock::take(&path).unwrap_err();
        assert!(refused.ends_with("is written by another run"), "{refused}");
        drop(lock);
        // A file that somebody left behind locks nothing.
        fs::write(path.with_added_extension("lock"), "").unwrap();
        drop(Lock::take(&path).unwrap());
        assert!(!path.with_added_extension("lock").exists());
    }
}
