//! The options of `fuzz`, in the form of that program.

use std::path::PathBuf;

pub(crate) const EXAMPLES: &str = "\
Examples:
  burnside fuzz -t pool.tex        check the types and list those of global definitions
  burnside fuzz -d pool.tex        names may be used before they are defined (always so here)

Silence and exit 0 when all is well, messages and exit 1 otherwise.";

/// The options of `fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct FuzzArgs {
    /// List the types of global definitions.
    #[arg(short = 't')]
    pub(crate) types: bool,
    /// Write types without abbreviations.
    #[arg(short = 'a')]
    pub(crate) whole: bool,
    /// Look at the notation only.
    #[arg(short = 's')]
    pub(crate) syntax: bool,
    /// Names may be used before they are defined; always so here.
    #[arg(short = 'd')]
    #[allow(dead_code, reason = "what it asks for is always so")]
    pub(crate) dependency: bool,
    /// Assume quantifiers for variables that are not declared.
    #[arg(short = 'q')]
    pub(crate) quantify: bool,
    /// Echo the text of paragraphs.
    #[arg(short = 'v')]
    pub(crate) verbose: bool,
    /// Another prelude.
    #[arg(short = 'p', value_name = "FILE")]
    pub(crate) prelude: Option<PathBuf>,
    /// Echo as Lisp, which ProB's Z mode reads.
    #[arg(short = 'l')]
    pub(crate) lisp: bool,
    /// The specifications.
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
}
