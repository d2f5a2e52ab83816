//! The options of `analyse`.

use std::path::PathBuf;

use workbench::choice::{Dependence, RelationsFormat, Reorder, Split};

use super::check::words;
use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside analyse scheduler.mch
  burnside analyse scheduler.mch --card PID=5 --json | jq .sorts
  burnside analyse scheduler.mch --matrix --reorder sloan --svg matrix.svg
  burnside analyse scheduler.mch --relations --to dot > enabling.dot
  burnside analyse scheduler.mch --plan

For each carrier set: how many of its elements are interchangeable, and what tells the others
apart. For each constant and variable: whether symmetry markers are precise for its type.

With --json, one object: \"model\", \"sorts\" (each with \"name\", \"size\", \"interchangeable\", \"classes\",
\"because\"), \"variables\" (each with \"name\", \"constant\", \"type\", \"precise\", \"because\").";

/// The options of `analyse`.
#[derive(Debug, clap::Args)]
pub(crate) struct AnalyseArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show who reads and writes what, before and after slots are reordered.
    #[arg(long)]
    pub(crate) matrix: bool,

    /// With --matrix: the order of slots; the best one when it is not given.
    #[arg(long, requires = "matrix", value_parser = words::<Reorder>(Reorder::WORDS))]
    pub(crate) reorder: Option<Reorder>,

    /// With --matrix: whether sets and functions are split.
    #[arg(long, requires = "matrix", default_value = "auto", value_parser = words::<Split>(Split::WORDS))]
    pub(crate) split: Split,

    /// With --matrix: draw the reordered matrix to FILE.
    #[arg(long, requires = "matrix", value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Show which events depend on, may enable, may disable and happen together with which.
    #[arg(long, conflicts_with = "matrix")]
    pub(crate) relations: bool,

    /// Show how each event is found: what its condition goes through, how many candidates get past each step, and its share of the time.
    #[arg(long, conflicts_with_all = ["matrix", "relations"])]
    pub(crate) plan: bool,

    /// With --plan: so many states are looked at.
    #[arg(long, requires = "plan", value_name = "N", default_value_t = 10_000)]
    pub(crate) max_states: usize,

    /// With --relations: how independence is decided.
    #[arg(long, requires = "relations", default_value = "solver", value_parser = words::<Dependence>(Dependence::WORDS))]
    pub(crate) dependence: Dependence,

    /// With --relations: instances of events, where operations touch single elements.
    #[arg(long, requires = "relations")]
    pub(crate) instances: bool,

    /// With --relations: how they are written; dot is the graph of who may enable whom.
    #[arg(long, requires = "relations", value_parser = words::<RelationsFormat>(RelationsFormat::WORDS))]
    pub(crate) to: Option<RelationsFormat>,

    /// With --matrix: the reordered matrix as an image, without names.
    #[arg(long, requires = "matrix", value_name = "FILE")]
    pub(crate) png: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
