//! Where answers that are dear to find are kept between runs.

use std::path::PathBuf;

/// The folder of the program among the user's caches; `None` when the user has none.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let caches = named("XDG_CACHE_HOME")
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .or_else(|| named("LOCALAPPDATA"))?;
    Some(caches.join("burnside").join("relations"))
}
