//! Lets coding assistants lint, check and walk through models: the Model Context Protocol on standard streams.
//!
//! The protocol is JSON-RPC in lines; `rpc.rs` speaks it, `tools.rs` says what there is, `call.rs` does it by sessions
//! (`apps/session`), so that no model can take the server down. By hand, since the protocol's own crate would bring 126 packages for
//! these few messages (decision 0121).
//! Invariant: files below the folder only; every call has limits on time and memory.
//! Invariant: a text never has a verdict without what limits it.

mod call;
mod rpc;
mod tools;

use std::path::PathBuf;
use std::time::Duration;

pub use rpc::serve;

/// What a server needs to know.
#[derive(Clone, Debug)]
pub struct Server {
    /// The program that sessions are started with.
    pub program: PathBuf,
    /// The folder that files are read from.
    pub folder: PathBuf,
    /// The most time a call may take.
    pub max_time: Duration,
    /// The most memory a session may have, in bytes.
    pub max_memory: u64,
    /// What can be read: the cheat sheets and the reference of options.
    pub pages: Vec<Page>,
}

/// Something to read.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its address: `burnside://language/b`.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it is about.
    pub about: String,
    /// Its text, in Markdown.
    pub text: String,
}
