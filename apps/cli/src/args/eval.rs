//! The options of `eval`.

use std::path::PathBuf;

use workbench::choice::Evaluator;

use super::check::words;
use super::model::ModelArgs;

pub(crate) const USAGE: &str = "\
burnside eval [OPTIONS] [FILE] <FORMULA>
       burnside eval [OPTIONS] [FILE] --batch <LINES>
       burnside eval [OPTIONS] [FILE] --repl";

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside eval 'SIGMA(i).(i:1..10|i*i)'
  burnside eval lift.mch 'level + 1'
  burnside eval lift.mch --batch formulas.txt
  burnside eval --repl

One line is answered for each formula: a value, TRUE or FALSE, or what prevents one:
  !undefined REASON    the formula has no value: 1/0
  !type REASON         a type or scope error
  !syntax REASON       a syntax error
  !unsupported REASON  a construct that cannot be evaluated
  !open REASON         the value is infinite, an enumeration had to be cut, or there was no time
The exit code is 0 when every line was answered, whatever the answers. If FILE itself has
errors, they are shown as by lint, no formula is answered, and the exit code is that of FILE.
Sequences are written [a,b]; with --batch as the sets that they are: {(1|->a),(2|->b)}.
Ctrl-C gives up on a formula.

At the prompt of --repl, \"!!\" asks the last formula again, \"!3\" the third; \":history\" lists
them, \":quit\" ends.";

/// The options of `eval`.
#[derive(Debug, clap::Args)]
pub(crate) struct EvalArgs {
    /// A model whose names the formulas may use, and a formula.
    #[arg(value_name = "FILE> <FORMULA", num_args = 0..=2, hide = true)]
    pub(crate) positional: Vec<String>,

    /// Answer each line of LINES ("-": standard input).
    #[arg(long, value_name = "LINES", conflicts_with = "repl")]
    pub(crate) batch: Option<PathBuf>,

    /// Answer lines typed at a prompt.
    #[arg(long)]
    pub(crate) repl: bool,

    /// Which evaluator answers [default: compiled, with the reference one as second opinion].
    #[arg(long, value_parser = words::<Evaluator>(Evaluator::WORDS))]
    pub(crate) evaluator: Option<Evaluator>,

    /// Give up on a formula after so many seconds (the answer is "!open").
    #[arg(long, value_name = "SECONDS")]
    pub(crate) max_time: Option<f64>,

    #[command(flatten)]
    pub(crate) model: ModelArgs,
}
