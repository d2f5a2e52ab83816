//! The options of the commands that serve other programs.

use std::path::PathBuf;

use super::check::{seconds, size};

/// What `mcp --help` ends with.
pub(crate) const MCP_EXAMPLES: &str = "\
Examples:
  burnside mcp                        for the current folder
  burnside mcp models --max-time 300 --max-memory 4G

Speaks the Model Context Protocol on standard input and output. docs/assistants.md has the lines that
register it with common assistants.";

/// The options of `mcp`.
#[derive(Debug, clap::Args)]
pub(crate) struct McpArgs {
    /// The folder that models are read from; nothing outside it is.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,

    /// The most time a call may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = seconds)]
    pub(crate) max_time: f64,

    /// The most memory a call may take: 500M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub(crate) max_memory: u64,
}

/// What `lsp --help` ends with.
pub(crate) const LSP_EXAMPLES: &str = "\
Examples:
  burnside lsp      as an editor starts it

Speaks the language server protocol on standard input and output. docs/editors.md has the lines for VS Code,
Neovim, Helix and Emacs.";

/// The options of `lsp`.
#[derive(Debug, clap::Args)]
pub(crate) struct LspArgs {
    /// Accepted because editors give it; standard streams are the only ones.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// What `dap --help` ends with.
pub(crate) const DAP_EXAMPLES: &str = "\
Examples:
  burnside dap      as an editor starts it

Speaks the debug adapter protocol on standard input and output: an editor's debugger steps through an animation or a
counterexample. docs/editors.md has the lines for VS Code, Neovim, Helix and Emacs.";

/// The options of `dap`.
#[derive(Debug, clap::Args)]
pub(crate) struct DapArgs {
    /// Accepted because editors give it; standard streams are the only ones.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// What `serve --help` ends with.
pub(crate) const SERVE_EXAMPLES: &str = "\
Examples:
  burnside serve                      the models of the current folder
  burnside serve models/lift.mch      begin with this one
  burnside serve models --port 8000

Prints an address with a token in it: open it in a browser on this machine. Nobody without the token is let in, and
nothing outside the folder is read.";

/// The options of `serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct ServeArgs {
    /// The model to begin with, or a folder; its folder is what is served.
    #[arg(value_name = "FILE", default_value = ".")]
    pub(crate) file: PathBuf,

    /// The port on the loopback address; 0 is any free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,

    /// The most time a question may take; checks have limits of their own.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) max_time: f64,

    /// The most memory a run may take: 500M, 2G.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub(crate) max_memory: u64,
}

/// The options of `session`.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    /// The folder that models are read from; nothing outside it is.
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(crate) folder: PathBuf,

    /// End when the process needs so much memory.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,
}
