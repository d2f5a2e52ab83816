//! A server gives back what it needed: it begins again with one arena of the allocator.
//!
//! The allocator of glibc has up to eight arenas for each core, and keeps what was freed in each of them. A server answers every request on a thread of
//! its own, most of which wait for sessions: after a crowd it would hold several times what it needs. The number of arenas can be told without
//! `unsafe` only by the environment, before the process begins (decision 0186). Sessions search with all cores and are started without it.

use std::ffi::OsStr;
use std::process::Command;

const ARENAS: &str = "MALLOC_ARENA_MAX";
const ONE: &str = "1";

/// Begins this program again with one arena, unless the environment says something about arenas already. Where that is not possible, or has
/// no meaning, nothing happens.
pub fn begin_again() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::env::var_os(ARENAS).is_none()
        && let Ok(program) = std::env::current_exe()
    {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(program);
        command.args(std::env::args_os().skip(1)).env(ARENAS, ONE);
        // Only a failure comes back: then the server goes on as it is.
        let _ = command.exec();
    }
}

/// Takes away from a session what only its server needs.
pub(crate) fn spare(command: &mut Command) {
    if std::env::var_os(ARENAS).as_deref() == Some(OsStr::new(ONE)) {
        command.env_remove(ARENAS);
    }
}
