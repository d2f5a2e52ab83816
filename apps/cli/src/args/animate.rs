//! The options of `animate`.

use std::path::PathBuf;

use super::model::ModelArgs;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside animate lift.mch                        step through the model at a prompt
  burnside animate lift.mch --script demo.txt      obey the commands of a file (\"-\": standard input)
  burnside animate lift.mch --random 20 --seed 7   a random walk that can be repeated

At the prompt and in scripts:
";

pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0    nothing wrong was met
  1    a command of a script could not be obeyed, or an expectation failed
  10, 11, 12, 75  what was met first on the way: no set-up, deadlock, invariant or assertion, fault
  2    wrong usage, or a file that cannot be read
  150, 151, 152, 255  as for check";

/// The options of `animate`.
#[derive(Debug, clap::Args)]
pub(crate) struct AnimateArgs {
    /// The model.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Obey the commands in SCRIPT ("-": standard input) instead of asking for them.
    #[arg(long, value_name = "SCRIPT", conflicts_with = "random")]
    pub(crate) script: Option<PathBuf>,

    /// Take N random steps and show them.
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<usize>,

    /// What random choices start from.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
