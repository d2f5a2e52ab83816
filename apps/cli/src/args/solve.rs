//! The options of `solve`.

use super::solving::SolvingArgs;

pub(crate) const USAGE: &str = "burnside solve [OPTIONS] [FILE] <PREDICATE>";

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside solve 'x : 1..100 & y : 1..100 & x*x + y*y = 625 & x < y' --all
  burnside solve 'f : 1..8 >-> 1..8 & !(i,j).(i:1..8 & j:1..8 & i<j => f(i)-f(j) /: {i-j, j-i})'
  burnside solve lift.mch 'n : floors & n > level' --max 3
  burnside solve 'x : 1..9 & y : 1..9 & x*y > 20' --minimise x+y
  burnside solve 'p : perm(1..5) & p(1) < p(2)' --count

The free identifiers of the predicate are the unknowns; their types are inferred. With FILE, its names
have the values of the first initialised state. A solution is one line, itself a predicate.

Exit codes: 0 a solution, 10 none, 20 not known (a limit, an unbounded enumeration; or whether something is
better is not known), 75 undefined.";

/// The options of `solve`.
#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    /// A model whose names the predicate may use, and the predicate.
    #[arg(value_name = "FILE> <PREDICATE", num_args = 1..=2, hide = true)]
    pub(crate) positional: Vec<String>,

    /// Give every solution.
    #[arg(long, conflicts_with = "max")]
    pub(crate) all: bool,

    /// Give at most N solutions (1 unless set).
    #[arg(long, value_name = "N")]
    pub(crate) max: Option<u64>,

    /// Give a solution for which this integer expression is least (with --all, all of them).
    #[arg(
        long,
        value_name = "EXPR",
        alias = "minimize",
        allow_hyphen_values = true,
        conflicts_with = "maximise"
    )]
    pub(crate) minimise: Option<String>,

    /// Give a solution for which this integer expression is greatest (with --all, all of them).
    #[arg(
        long,
        value_name = "EXPR",
        alias = "maximize",
        allow_hyphen_values = true
    )]
    pub(crate) maximise: Option<String>,

    /// Say how many solutions there are, instead of giving them.
    #[arg(long, conflicts_with_all = ["all", "max", "minimise", "maximise"])]
    pub(crate) count: bool,

    #[command(flatten)]
    pub(crate) solving: SolvingArgs,
}
