//! The command line as data; the texts here are what `--help` teaches.
//!
//! Invariant: an option belongs to the commands that honour it; everything else is refused by the parser.

pub(crate) mod analyse;
pub(crate) mod animate;
pub(crate) mod cbc;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod coverage;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod foreign;
pub(crate) mod fuzz;
pub(crate) mod model;
pub(crate) mod murphi;
pub(crate) mod probcli;
pub(crate) mod replay;
pub(crate) mod servers;
pub(crate) mod solve;
pub(crate) mod solving;
pub(crate) mod spin;
pub(crate) mod suite;
pub(crate) mod worker;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Exit codes, shown with every command.
const EXIT_CODES: &str = "\
Exit codes:
  0    no errors (warnings do not count)
  2    wrong usage, or a file that cannot be read
  150  syntax error
  151  type or scope error
  152  unsupported construct or language
  255  internal error: a bug in burnside
With several errors or files: the smallest code that is not 0.";

const EXAMPLES: &str = "\
Examples:
  burnside check lift.mch            does the invariant hold in every state?
  burnside lint lift.mch             what is wrong with this machine?
  burnside analyse lift.mch          which elements of its sets are interchangeable?
  burnside animate lift.mch          step through it
  burnside replay lift.mch bad.json  does this saved path still happen?
  burnside export lift.mch --to svg  a drawing of its states
  burnside print --unicode lift.mch  the machine in normalised notation
  burnside eval '{1,2} \\/ {3}'       what is the value of this formula?
  burnside solve 'x*x = 49 & x > 0'  which values satisfy this predicate?
  burnside --explain B0101           what does this code mean?";

const LINT_EXAMPLES: &str = "\
Examples:
  burnside lint lift.mch
  burnside lint --json *.mch | jq .exit
  echo 'level + 1' | burnside lint --expressions - lift.mch

Files named .mch .ref .imp .sys .mod .def are classical B; other files are recognised by
their first word (MACHINE, REFINEMENT, …).

With --json, one object per file and line:
  \"file\", \"language\"
  \"exit\"         the code that this file alone would give
  \"diagnostics\"  each with \"code\", \"severity\", \"message\", \"help\", \"file\", \"line\", \"column\",
                 \"end_line\", \"end_column\", \"notes\", \"related\" (places with a \"message\");
                 lines and columns count from 1, columns in characters
  \"dropped\"      how many more were found, if there were more than 20 errors or warnings

With --expressions, one JSON object per line of LINES, in order, empty lines too:
  \"line\", \"text\", \"exit\", \"sort\" (\"expression\", \"predicate\" or null), \"type\", \"diagnostics\"
The exit code is 0 when every line was answered, whatever the answers. If FILE itself has
errors, they are reported as by lint, no line is answered, and the exit code is that of FILE.";

const PRINT_EXAMPLES: &str = "\
Examples:
  burnside print lift.mch
  burnside animate lift.mch          step through it
  burnside replay lift.mch bad.json  does this saved path still happen?
  burnside print --unicode lift.mch > lift_unicode.mch
  burnside print --model lift.mch    what a check runs on: scopes fixed, calls inlined

A file with type errors is printed all the same; a file with syntax errors is not. Either
way the errors are shown on standard error and decide the exit code.";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  burnside completions bash > ~/.local/share/bash-completion/completions/burnside
  burnside completions zsh > ~/.zfunc/_burnside
  burnside completions fish > ~/.config/fish/completions/burnside.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  burnside man | man -l -                      the page of the program
  burnside man check | man -l -                the page of a command
  burnside man --to ~/.local/share/man/man1    all pages: man burnside, man burnside-check, …";

/// A model checker for B.
#[derive(Debug, Parser)]
#[command(
    name = "burnside",
    version,
    override_usage = "burnside <COMMAND> [OPTIONS] <FILE>...\n       burnside --explain <CODE>",
    max_term_width = 100,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}")
)]
pub(crate) struct Args {
    /// Show the long text of a diagnostic code.
    #[arg(long, value_name = "CODE")]
    pub(crate) explain: Option<String>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a model: invariant, deadlocks, assertions, definedness in every reachable state.
    #[command(
        arg_required_else_help = true,
        after_help = format!("{}\n\n{}", check::EXAMPLES, check::EXIT_CODES)
    )]
    Check(Box<check::CheckArgs>),

    /// Ask about all states that satisfy the invariant, reachable or not: constraint-based checking and induction.
    #[command(arg_required_else_help = true, after_help = cbc::EXAMPLES)]
    Cbc(cbc::CbcArgs),

    /// Show what a check can make use of: interchangeable elements, and why others are told apart.
    #[command(
        arg_required_else_help = true,
        after_help = format!("{}\n\n{EXIT_CODES}", analyse::EXAMPLES)
    )]
    Analyse(analyse::AnalyseArgs),

    /// Parse and type check files.
    #[command(
        arg_required_else_help = true,
        after_help = format!("{LINT_EXAMPLES}\n\n{EXIT_CODES}")
    )]
    Lint(LintArgs),

    /// Evaluate formulas, by themselves or in the first state of a model.
    #[command(
        arg_required_else_help = true,
        override_usage = eval::USAGE,
        after_help = format!("{}\n\n{EXIT_CODES}", eval::EXAMPLES)
    )]
    Eval(eval::EvalArgs),

    /// Solve a predicate: values of its free identifiers that satisfy it.
    #[command(
        arg_required_else_help = true,
        override_usage = solve::USAGE,
        after_help = solve::EXAMPLES
    )]
    Solve(solve::SolveArgs),

    /// Step through a model: what can happen, what changes, why not.
    #[command(
        arg_required_else_help = true,
        after_help = format!(
            "{}{}\n{}",
            animate::EXAMPLES,
            workbench::animate::HELP,
            animate::EXIT_CODES
        )
    )]
    Animate(animate::AnimateArgs),

    /// Check the certificate of a run that held, independently of the engines.
    #[command(arg_required_else_help = true, after_help = certify::EXAMPLES)]
    Certify(certify::CertifyArgs),

    /// Follow a saved path: does it still fit the model, and if not, where does it stop?
    #[command(arg_required_else_help = true, after_help = replay::EXAMPLES)]
    Replay(replay::ReplayArgs),

    /// Show what a model was never seen doing: events, guards, branches, values.
    #[command(arg_required_else_help = true, after_help = coverage::EXAMPLES)]
    Coverage(coverage::CoverageArgs),

    /// Find test cases: short paths that cover every operation, or what every guard forbids.
    #[command(arg_required_else_help = true, after_help = suite::EXAMPLES)]
    Tests(suite::TestsArgs),

    /// Write graphs of a model: its state space, projections, what enables what, dependencies.
    #[command(arg_required_else_help = true, after_help = export::EXAMPLES)]
    Export(export::ExportArgs),

    /// Run a command line of ProB: the subset that scripts use.
    #[command(
        arg_required_else_help = true,
        override_usage = "burnside probcli <FILE> [-model_check] [-option …]…",
        after_help = probcli::EXAMPLES
    )]
    Probcli(foreign::ForeignArgs),

    /// Run a command line of SPIN: the subset that people type.
    #[command(
        arg_required_else_help = true,
        override_usage = "burnside spin [-run] [-option …]… <FILE>",
        after_help = spin::EXAMPLES
    )]
    Spin(foreign::ForeignArgs),

    /// Check Z as fuzz does: its options, its lines, its exit codes.
    #[command(arg_required_else_help = true, after_help = fuzz::EXAMPLES)]
    Fuzz(fuzz::FuzzArgs),

    /// Check Murphi as CMurphi's verifiers do: their options, their lines.
    #[command(
        arg_required_else_help = true,
        override_usage = "burnside murphi <FILE> [-option …]…",
        after_help = murphi::EXAMPLES
    )]
    Murphi(foreign::ForeignArgs),

    /// Wait for a part of a distributed check.
    #[command(after_help = worker::EXAMPLES)]
    Worker(worker::WorkerArgs),

    /// Serve coding assistants: the Model Context Protocol on standard streams.
    #[command(after_help = servers::MCP_EXAMPLES)]
    Mcp(servers::McpArgs),

    /// Serve editors: the language server protocol on standard streams.
    #[command(after_help = servers::LSP_EXAMPLES)]
    Lsp(servers::LspArgs),

    /// Serve the debuggers of editors: the debug adapter protocol on standard streams.
    #[command(after_help = servers::DAP_EXAMPLES)]
    Dap(servers::DapArgs),

    /// Serve the workbench to a browser on this machine: editor, animator, checks, pictures.
    #[command(after_help = servers::SERVE_EXAMPLES)]
    Serve(servers::ServeArgs),

    /// Answer requests of a server, as lines of JSON on standard streams.
    #[command(hide = true)]
    Session(servers::SessionArgs),

    /// Write a completion script for a shell.
    #[command(arg_required_else_help = true, after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),

    /// Write manual pages.
    #[command(after_help = MAN_EXAMPLES)]
    Man(ManArgs),

    /// Write the reference of all options as Markdown.
    #[command(hide = true)]
    Options,

    /// Print a machine in normalised notation.
    #[command(
        arg_required_else_help = true,
        after_help = format!("{PRINT_EXAMPLES}\n\n{EXIT_CODES}")
    )]
    Print(PrintArgs),
}

/// The options of `completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// The options of `man`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command; the program itself when none is given.
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    pub(crate) command: Option<String>,

    /// Write a page for the program and each command into DIR.
    #[arg(long, value_name = "DIR")]
    pub(crate) to: Option<PathBuf>,
}

/// The command line as a shell takes it.
pub(crate) fn command_line() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
    let words =
        std::env::args().skip(1).map(
            |word| match !word.is_empty() && word.chars().all(is_plain) {
                true => word,
                false => format!("'{}'", word.replace('\'', "'\\''")),
            },
        );
    let words: Vec<String> = ["burnside".to_owned()].into_iter().chain(words).collect();
    words.join(" ")
}

/// The options of `lint`.
#[derive(Debug, clap::Args)]
pub(crate) struct LintArgs {
    /// The files to check, each with the files it refers to.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Write one JSON object per file to standard output, and nothing else.
    #[arg(long)]
    pub(crate) json: bool,

    /// Show errors only: no warnings, no summary.
    #[arg(long, conflicts_with = "expressions")]
    pub(crate) quiet: bool,

    /// Check each line of LINES ("-": standard input) as an expression or predicate in the context of FILE.
    #[arg(long, value_name = "LINES")]
    pub(crate) expressions: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: model::ReadingArgs,
}

/// The options of `print`.
#[derive(Debug, clap::Args)]
pub(crate) struct PrintArgs {
    /// The file to print.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Write mathematical symbols instead of their ASCII spellings.
    #[arg(long, conflicts_with = "lowered")]
    pub(crate) unicode: bool,

    /// Print the model that a check runs on instead of the machine.
    #[arg(long = "model")]
    pub(crate) lowered: bool,

    #[command(flatten)]
    pub(crate) model: model::ModelArgs,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_description_of_the_command_line_is_consistent() {
        super::Args::command().debug_assert();
    }
}
