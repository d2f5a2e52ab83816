//! The options of `export`.

use std::path::PathBuf;

use workbench::choice::{ExportFormat, ExportWhat};

use super::check::words;
use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside export lift.mch --to svg --out lift.svg              a drawing of the state space
  burnside export lift.mch --to aut --out lift.aut              for CADP, mCRL2, LTSmin
  burnside export lift.mch --to dot --projection door           states with the same value become one
  burnside export lift.mch --to svg --reduced --out r.svg       one state for each orbit
  burnside export lift.mch --to csv --what matrix               which event reads and writes what
  burnside export lift.mch --to svg --what enabling --out e.svg which event makes which possible

Graphs:
  states      root, set-ups and states, with every transition (counted as check --symmetry off counts)
  projection  classes of states with the same value of an expression; dashed: not from every state
  enabling    which event makes which one possible in some state; dashed: takes it away
  matrix      r reads, w may write, W always writes; dashed: only reads
  hierarchy   which machine refines, includes, sees or uses which

csv is a table of the states with their values, the matrix, or for other graphs the edges.

Exit codes:
  0    written
  20   written, but cut: there are more states than --max-states
  2    wrong usage, or a file that cannot be read or written
  150, 151, 152, 255  as for check";

/// The options of `export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The format.
    #[arg(long, value_name = "FORMAT", value_parser = words::<ExportFormat>(ExportFormat::WORDS))]
    pub(crate) to: ExportFormat,

    /// Which graph.
    #[arg(long, default_value = "states", value_parser = words::<ExportWhat>(ExportWhat::WORDS))]
    pub(crate) what: ExportWhat,

    /// Merge states with the same value of EXPR.
    #[arg(long, value_name = "EXPR")]
    pub(crate) projection: Option<String>,

    /// Show one state for each orbit (--symmetry exact of check).
    #[arg(long)]
    pub(crate) reduced: bool,

    /// Where to write; standard output without it.
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,

    /// Explore no more than N states.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) max_states: usize,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
