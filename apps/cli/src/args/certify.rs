//! The options of `certify`.

use std::path::PathBuf;

use subject::Setting;
use subject::setting::Obligations;

use super::check::{Progress, at_least_one};
use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside check lift.mch --certificate lift.proof   holds, and writes the set of states that shows it
  burnside certify lift.mch lift.proof               checks that set with the reference evaluator alone
  burnside certify lift.mch lift.proof --threads 2 --json | jq .proved

Give the options that fix the model (--card, --pref, --machine, --wd, --no-assertions) as they were given to check.

Exit codes:
  0    accepted: what is listed holds in every reachable state
  1    rejected; the answer says why
  2    wrong usage, or a file that cannot be read
  150, 151, 152, 255  as for check";

/// The options of `certify`.
#[derive(Debug, clap::Args)]
pub(crate) struct CertifyArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What check --certificate wrote.
    #[arg(value_name = "CERTIFICATE")]
    pub(crate) certificate: PathBuf,

    /// How many threads check; by default one for each core.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) threads: Option<usize>,

    /// Go on from what an interrupted check saved in this file; an interrupt saves there.
    #[arg(long, value_name = "STATE")]
    pub(crate) resume: Option<PathBuf>,

    /// When to show how far the check is, on standard error.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: Progress,

    /// Write one JSON object to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// The run did not check the assertions.
    #[arg(long)]
    no_assertions: bool,

    /// The run did not check refinement.
    #[arg(long)]
    no_refinement: bool,

    /// The run checked variants too.
    #[arg(long, conflicts_with = "no_refinement")]
    refinement: bool,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}

impl CertifyArgs {
    /// What is fixed about the model.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            obligations: Obligations {
                refinement: !self.no_refinement,
                variants: self.refinement,
                assertions: !self.no_assertions,
                formulas: false,
            },
            ..self.model.setting()
        }
    }
}
