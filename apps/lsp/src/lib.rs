//! The language server: what an editor asks while a model is written, for every language.
//!
//! `server.rs` holds the texts and obeys, `answers.rs` puts what [`workbench::edit`] knows into the protocol's form, `folder.rs` follows names through
//! files, `lines.rs` converts
//! places (the protocol counts UTF-16 units), `publish.rs` tells what is wrong, `runs.rs` checks models in processes of their own, `values.rs` asks such
//! processes for the values of constants.
//! Answers are JSON values (decision 0122).
//! Invariant: an answer depends on the texts as they are now and on nothing else; a fresh server with the same texts gives the same.
//! The value of a constant is shown where it is found within a few seconds.
//! Invariant: knows no language. A panic while a text is looked at is told as the answer to that request and nothing else.

mod answers;
mod findings;
mod folder;
mod lines;
mod publish;
mod runs;
mod server;
mod values;

use std::io;
use std::path::PathBuf;

use lsp_server::Connection;
use workbench::Workbench;

/// Serves an editor on standard streams.
///
/// # Errors
/// When the streams break or the protocol is not kept.
pub fn serve(bench: &Workbench, program: PathBuf) -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    server::run(&connection, bench.clone(), program)?;
    drop(connection);
    threads.join()
}
