//! The options of `coverage`.

use std::path::PathBuf;

use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside coverage lift.mch
  burnside coverage lift.mch --max-states 200 --json | jq .branches

For each event: how often it happens, and for each conjunct of its guard whether it was seen true, seen
false, and whether it decides: false while all others are true (what MC/DC asks of a conjunction). Then
the conditions of IF, CASE and WHEN in bodies, the values of each variable, and a list of the gaps.

Exit codes:
  0    every state was looked at
  20   there are more states than --max-states
  2, 150, 151, 152, 255  as for check";

/// The options of `coverage`.
#[derive(Debug, clap::Args)]
pub(crate) struct CoverageArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Look at no more than N states.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub(crate) max_states: usize,

    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
