//! Where things lie on disk, so that commands work from any folder.

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// The folder of test data beside the repository, when it is there.
///
/// It holds thousands of models by others and the answers of other tools; it is read in place and never
/// copied. Says so on stdout when it is absent, since everything that needs it is then skipped.
pub fn shared() -> Option<PathBuf> {
    let shared = root().parent()?.join("shared");
    if shared.is_dir() {
        return Some(shared);
    }
    println!("skipped: ../shared is absent");
    None
}

/// Every file below `folder` whose extension is one of `extensions`, sorted.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .and_then(|extension| extension.to_str())
                .is_some_and(|extension| extensions.contains(&extension))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The extensions of Event-B, archives apart.
pub const EVENT_B_EXTENSIONS: &[&str] = &["eventb", "bum", "buc", "bcm", "bcc"];

/// The extensions of Promela.
pub const PROMELA_EXTENSIONS: &[&str] = &["pml", "prom", "promela", "prm", "pm", "p", "pr", "spin"];

/// The extensions of Murphi.
pub const MURPHI_EXTENSIONS: &[&str] = &["m", "murphi"];

/// The extensions of specifications in Z.
pub const Z_EXTENSIONS: &[&str] = &["tex", "zed", "zed8", "utf8"];

/// The extensions of classical B.
pub const B_EXTENSIONS: &[&str] = &["mch", "ref", "imp", "sys", "def"];
