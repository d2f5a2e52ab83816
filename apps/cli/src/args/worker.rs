//! The options of `worker`.

use std::path::PathBuf;

use super::check::size;

/// What `worker --help` ends with.
pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside worker --listen 10.0.0.7:4100 --secret cluster.key
  burnside check big.mch --engine distributed --hosts hosts.txt --secret cluster.key

A worker listens at the address it is given, by default on this machine only, and takes part in one check after the
other. The model comes from the process that checks; only this program is needed here. What is sent is authenticated by
the secret and not encrypted.";

/// The options of `worker`.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkerArgs {
    /// Where to listen; port 0 is any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub(crate) listen: String,

    /// A file whose text all processes know and nobody else; otherwise the first line of standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) secret: Option<PathBuf>,

    /// Give the states of a check no more memory than this: 500M, 2G. The check ends when it is used up.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    /// End after one check.
    #[arg(long)]
    pub(crate) once: bool,

    /// End when standard input does, unless a check is under way: whoever started it is gone.
    #[arg(long, hide = true)]
    pub(crate) tied: bool,
}
