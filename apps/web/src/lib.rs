//! The workbench in a browser: `burnside serve`.
//!
//! `guard.rs` decides who is let in, `routes.rs` is what can be asked, `jobs.rs` keeps long runs and walks, `assets.rs` holds the pages, which
//! are built from `front/` and checked in. Models run in sessions (`apps/session`), never here.
//! Invariant: listens on the loopback address only; whoever has not the token is told nothing, not even which files there are.
//! Invariant: files below the folder only; written are only models that the editor saves.

mod assets;
mod files;
mod guard;
mod jobs;
mod routes;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use guard::Guard;
use jobs::Jobs;

/// What a server needs to know.
#[derive(Clone, Debug)]
pub struct Server {
    /// The program that sessions are started with.
    pub program: PathBuf,
    /// The folder that files are read from.
    pub folder: PathBuf,
    /// The file that is shown first, below the folder.
    pub file: Option<String>,
    /// The port; 0 is any free one.
    pub port: u16,
    /// The most time a request may take; a job ends by its own limits.
    pub max_time: Duration,
    /// The most memory a session may have, in bytes.
    pub max_memory: u64,
    /// The extensions of models, which the editor may save.
    pub extensions: Vec<String>,
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) server: Server,
    pub(crate) guard: Guard,
    pub(crate) jobs: Jobs,
}

/// Serves until the process ends; `ready` hears the address with its token.
///
/// # Errors
/// When the folder cannot be opened or the port is taken.
pub fn serve(mut server: Server, ready: impl FnOnce(&str)) -> io::Result<()> {
    server.folder = server.folder.canonicalize()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    runtime.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, server.port));
        let listener = tokio::net::TcpListener::bind(address).await?;
        let port = listener.local_addr()?.port();
        let guard = Guard::new(port)?;
        ready(&guard.address(server.file.as_deref()));
        let shared = Arc::new(Shared {
            jobs: Jobs::new(&server),
            guard,
            server,
        });
        axum::serve(listener, routes::router(shared)).await
    })
}
