//! The options of `tests`.

use std::path::PathBuf;

use workbench::{Cover, SuiteWanted};

use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside tests lift.mch                          short paths in which every operation happens
  burnside tests lift.mch --cover guards           and paths to where a conjunct of a guard alone keeps it from happening
  burnside tests lift.mch --only up --end 'level = 0'   paths in which up happens and that end on the ground floor
  burnside tests lift.mch --out tests.xml          the form that ProB writes

A path that is the beginning of another one is left out: the other one covers both. Every path is confirmed by the
reference evaluator. \"Cannot be covered\" is said when all states were looked at, \"not covered\" otherwise.

Exit codes:
  0    everything is covered, or cannot be
  20   something is not covered, and not all states were looked at
  2, 150, 151, 152, 255  as for check";

/// The options of `tests`.
#[derive(Debug, clap::Args)]
pub(crate) struct TestsArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What the paths cover: every operation, or besides every conjunct of a guard as the only false one.
    #[arg(long, value_name = "WHAT", default_value = "operations", value_parser = ["operations", "guards"])]
    cover: String,

    /// Cover EVENT only.
    #[arg(long, value_name = "EVENT")]
    only: Vec<String>,

    /// Paths end where PRED holds.
    #[arg(long, value_name = "PRED")]
    end: Option<String>,

    /// Look at no more than N states.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    max_states: usize,

    /// Look no further than N steps from the beginning.
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,

    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_time: Option<f64>,

    /// Write the paths to FILE, in the form that ProB writes (.xml).
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

impl TestsArgs {
    /// Which test cases are wanted.
    pub(crate) fn wanted(&self) -> SuiteWanted {
        SuiteWanted {
            cover: match self.cover.as_str() {
                "guards" => Cover::Guards,
                _ => Cover::Events,
            },
            only: self.only.clone(),
            end: self.end.clone(),
            max_states: self.max_states,
            max_depth: self.max_depth.unwrap_or(usize::MAX),
        }
    }
}
