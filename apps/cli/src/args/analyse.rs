//! The options of `analyse`.

use std::path::PathBuf;

use super::eval::{card, pref};

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside analyse scheduler.mch
  burnside analyse scheduler.mch --card PID=5 --json | jq .sorts

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

    /// The size of a deferred set.
    #[arg(long, value_name = "SET=N", value_parser = card)]
    pub(crate) card: Vec<(String, usize)>,

    /// A preference: MAXINT, MININT, DEFAULT_SETSIZE.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pref)]
    pub(crate) pref: Vec<(String, String)>,
}
