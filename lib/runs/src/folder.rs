//! A folder of its own for the files of one set, gone with it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A folder that is removed when nobody holds it, with all that is in it.
#[derive(Clone, Debug)]
pub struct Folder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    files: AtomicU64,
    bytes: AtomicU64,
    peak: AtomicU64,
}

impl Folder {
    /// Makes a new folder below `parent`, which must exist.
    pub fn create(parent: &Path) -> io::Result<Folder> {
        let process = std::process::id();
        for number in 0u32.. {
            let path = parent.join(format!("burnside-states-{process}-{number}"));
            match std::fs::create_dir(&path) {
                Ok(()) => {
                    return Ok(Folder(Arc::new(Inner {
                        path,
                        files: AtomicU64::new(0),
                        bytes: AtomicU64::new(0),
                        peak: AtomicU64::new(0),
                    })));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The most bytes that its finished files took at once.
    pub fn peak(&self) -> u64 {
        self.0.peak.load(Relaxed)
    }

    /// The path of a new file.
    pub(crate) fn file(&self) -> PathBuf {
        let number = self.0.files.fetch_add(1, Relaxed);
        self.0.path.join(format!("{number}.run"))
    }

    /// A file of so many bytes was finished.
    pub(crate) fn grow(&self, bytes: u64) {
        let all = self.0.bytes.fetch_add(bytes, Relaxed) + bytes;
        self.0.peak.fetch_max(all, Relaxed);
    }

    /// A file of so many bytes is gone.
    pub(crate) fn shrink(&self, bytes: u64) {
        self.0.bytes.fetch_sub(bytes, Relaxed);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // What cannot be removed stays; there is nobody left to tell.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
