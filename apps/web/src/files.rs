//! The files of the opened folder: listed, read, and models saved.

use std::path::{Component, Path, PathBuf};

use crate::Server;
use crate::http::Status;

/// So many files of a kind are listed.
const MAX_FILES: usize = 2_000;
/// Larger files are not shown.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// What pages read besides models: pictures, and what says how they move.
const PICTURES: &[&str] = &["svg", "json", "png", "gif", "jpg", "jpeg"];

/// Files of the folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// The models.
    pub(crate) models: Vec<String>,
    /// Files that may say how pictures of them move.
    pub(crate) pictures: Vec<String>,
    /// Whether there are more than are listed.
    pub(crate) is_cut: bool,
}

impl Listing {
    fn sorted(mut self) -> Listing {
        self.models.sort();
        self.pictures.sort();
        self
    }
}

impl Server {
    /// A path below the folder.
    pub(crate) fn path(&self, file: &str) -> Result<PathBuf, Status> {
        let given = Path::new(file);
        let is_plain = given
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let path = self.folder.join(given);
        if !is_plain || file.is_empty() {
            return Err(Status::Forbidden);
        }
        // A link may lead out of the folder, also one to a file that is not there yet.
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let real = match path.canonicalize() {
            Ok(real) => Some(real),
            Err(_) if path.is_symlink() => return Err(Status::Forbidden),
            Err(_) => folder.and_then(|folder| Some(folder.join(path.file_name()?))),
        };
        match real {
            Some(real) if real.starts_with(&self.folder) => Ok(real),
            Some(_) => Err(Status::Forbidden),
            None => Err(Status::NotFound),
        }
    }

    fn is_model(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let extension = extension.unwrap_or_default().to_ascii_lowercase();
        self.extensions.contains(&extension)
    }

    /// The files below the folder that pages show.
    pub(crate) fn list(&self) -> Listing {
        let mut listing = Listing::default();
        let mut folders = vec![self.folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                if is_hidden || path.is_symlink() {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Ok(below) = path.strip_prefix(&self.folder) else {
                    continue;
                };
                let of_kind = match path.extension() {
                    _ if self.is_model(&path) => &mut listing.models,
                    Some(extension) if extension == "json" => &mut listing.pictures,
                    _ => continue,
                };
                if of_kind.len() < MAX_FILES {
                    of_kind.push(below.to_string_lossy().into_owned());
                } else {
                    listing.is_cut = true;
                    return listing.sorted();
                }
            }
        }
        listing.sorted()
    }

    /// The bytes of a model or picture.
    pub(crate) fn read(&self, file: &str) -> Result<Vec<u8>, Status> {
        let path = self.path(file)?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let is_picture = extension
            .is_some_and(|extension| PICTURES.contains(&extension.to_ascii_lowercase().as_str()));
        if !is_picture && !self.is_model(&path) {
            return Err(Status::Forbidden);
        }
        let length = path.metadata().map_err(|_| Status::NotFound)?.len();
        if length > MAX_BYTES {
            return Err(Status::TooLarge);
        }
        std::fs::read(&path).map_err(|_| Status::NotFound)
    }

    /// Saves a model.
    pub(crate) fn write(&self, file: &str, text: &str) -> Result<(), Status> {
        let path = self.path(file)?;
        if !self.is_model(&path) {
            return Err(Status::Forbidden);
        }
        std::fs::write(&path, text).map_err(|_| Status::Internal)
    }
}
