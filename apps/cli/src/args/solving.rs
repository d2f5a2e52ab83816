//! What the commands that ask the solver have in common.

use workbench::choice::Solver;

use super::check::words;
use super::model::ModelArgs;

/// How a question is solved, and about which model.
#[derive(Debug, clap::Args)]
pub(crate) struct SolvingArgs {
    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Which solver: chosen by size, propagation, or a SAT solver.
    #[arg(long, default_value = "auto", value_parser = words::<Solver>(Solver::WORDS))]
    pub(crate) solver: Solver,

    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_time: Option<f64>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
