//! The options of `replay`.

use std::path::PathBuf;

use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside check lift.mch --trace-out bad.json      save the path of a finding
  burnside replay lift.mch bad.json                 does it still happen?
  burnside replay lift.mch session.prob2trace --path
  burnside replay lift.mch bad.itf.json --json | jq .problem

Reads what --trace-out writes: .json (also a whole report of check --json), .itf.json, .prob2trace.
A file may leave out values or even events; then any path that agrees with the rest will do.

Exit codes:
  0    every step fits the model
  1    a step does not fit; the answer says which, why, and what still works after it
  2    wrong usage, or a file that cannot be read
  150, 151, 152, 255  as for check";

/// The options of `replay`.
#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The saved path.
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,

    /// Show the steps that fit.
    #[arg(long, conflicts_with = "json")]
    pub(crate) path: bool,

    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
