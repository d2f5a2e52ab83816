//! The arguments of the commands that speak for another tool, which reads them in a form of its own.

/// The arguments, as they are.
#[derive(Debug, clap::Args)]
pub(crate) struct ForeignArgs {
    /// A file and options, as that tool takes them.
    #[arg(
        value_name = "ARGUMENTS",
        trailing_var_arg = true,
        allow_hyphen_values = true,
        required = true
    )]
    pub(crate) arguments: Vec<String>,
}
