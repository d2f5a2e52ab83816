//! The command line of `cargo xtask`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Developer tasks of Burnside.
#[derive(Parser)]
#[command(name = "cargo xtask")]
pub(super) enum Task {
    /// Build one static program and see that it is one.
    Dist,
    /// Write docs/options.md from the description of the command line.
    Options,
    /// Compare with other tools on the shared corpus.
    #[command(subcommand)]
    Corpus(Corpus),
    /// Mutate models and watch the front end for panics and slow answers.
    Fuzz(FuzzArgs),
    /// Measure the checker on whole models, beside TLC4B if asked.
    Bench(BenchArgs),
    /// Let many clients do random things to `burnside serve`: nothing may fall, leak or grow.
    Crowd(CrowdArgs),
    /// Count the models of the shared corpus whose state space is the published one; a count may only rise.
    Scoreboard(ScoreboardArgs),
    /// Compare the symbolic engine with the explicit one on the grade A models of the shared corpus.
    Agreement(SweepArgs),
    /// Compare partial order reduction with ProB's counts, or with verdicts without reduction, on the shared corpus.
    Por(PorArgs),
    /// Compare the methods of symmetry reduction with each other and with runs without, on the shared corpus.
    Symmetry(SymmetryArgs),
    /// Check the temporal formulas that models of the shared corpus define, and list their verdicts.
    Formulas(FormulasArgs),
    /// Check with two processes over a network that is slow, loses packets or breaks, in network namespaces.
    Network(NetworkArgs),
    /// Check with two and three processes, one of which is killed at a random moment, and resume what was saved.
    Kills(KillsArgs),
}

#[derive(clap::Args)]
pub(super) struct KillsArgs {
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,
    /// Values of each of three counters.
    #[arg(long, default_value_t = 80)]
    pub(super) size: u32,
    /// How often somebody is killed.
    #[arg(long, default_value_t = 50)]
    pub(super) runs: u64,
    /// Who is killed, and when.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
}

#[derive(clap::Args)]
pub(super) struct NetworkArgs {
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,
    /// Values of each of three counters.
    #[arg(long, default_value_t = 130)]
    pub(super) size: u32,
    /// The delay of the slow way, in milliseconds and one direction.
    #[arg(long, default_value_t = 2)]
    pub(super) delay: u64,
    /// Only pass bytes on from one address to another, with the delay.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    pub(super) relay: Option<Vec<String>>,
}

/// Which models of the shared corpus are looked at, and how.
#[derive(clap::Args)]
pub(super) struct SweepArgs {
    /// How long one run may take.
    #[arg(long, default_value_t = 20.0)]
    pub(super) seconds: f64,
    /// Only models whose path contains TEXT.
    #[arg(long, value_name = "TEXT")]
    pub(super) paths: Option<String>,
    /// Every so many-th model only.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) every: usize,
    /// How many models run at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) jobs: usize,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(super) struct FormulasArgs {
    #[command(flatten)]
    pub(super) sweep: SweepArgs,
    /// Further options of `burnside check`.
    #[arg(last = true)]
    pub(super) options: Vec<String>,
}

#[derive(clap::Args)]
pub(super) struct PorArgs {
    /// What is compared.
    #[arg(value_parser = ["counts", "verdicts"])]
    pub(super) what: String,
    #[command(flatten)]
    pub(super) sweep: SweepArgs,
    /// Both precisions and both orders for one model in so many.
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub(super) sample: usize,
}

#[derive(clap::Args)]
pub(super) struct SymmetryArgs {
    /// Only the models that ProB counted, not all of grade A.
    #[arg(long)]
    pub(super) short: bool,
    #[command(flatten)]
    pub(super) sweep: SweepArgs,
}

#[derive(clap::Args)]
pub(super) struct BenchArgs {
    /// Run TLC4B on the same models; FOLDER keeps its packages between runs.
    #[arg(long, value_name = "FOLDER")]
    pub(super) tlc4b: Option<PathBuf>,
    /// Measure Promela beside the verifiers that SPIN generates.
    #[arg(long, conflicts_with_all = ["tlc4b", "murphi", "write"])]
    pub(super) spin: bool,
    /// Measure Murphi beside the verifiers that Rumur generates.
    #[arg(long, conflicts_with_all = ["tlc4b", "write"])]
    pub(super) murphi: bool,
    /// Measure what `check` chooses by itself beside what could be chosen by hand.
    #[arg(long, conflicts_with_all = ["tlc4b", "spin", "murphi", "write"])]
    pub(super) auto: bool,
    /// Measure how long an editor and a page wait for answers.
    #[arg(long, conflicts_with_all = ["tlc4b", "spin", "murphi", "auto", "write"])]
    pub(super) editor: bool,
    /// Measure how far each way to deal with symmetric states goes, on models that grow.
    #[arg(long, conflicts_with_all = ["tlc4b", "spin", "murphi", "auto", "editor", "write"])]
    pub(super) symmetry: bool,
    /// How much memory one run may take in millions of bytes, with --symmetry.
    #[arg(long, value_name = "MB", default_value_t = 2000)]
    pub(super) megabytes: u64,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,
    /// How long one run may take, with --spin, --murphi, --auto and --symmetry (CPU seconds).
    #[arg(long, default_value_t = 120)]
    pub(super) seconds: u64,
    /// How often each side runs, with --spin and --murphi; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) runs: usize,
    /// Further options of `burnside check`, with --spin and --murphi.
    #[arg(last = true)]
    pub(super) options: Vec<String>,
    /// Only models whose name contains TEXT.
    #[arg(long, value_name = "TEXT")]
    pub(super) only: Option<String>,
    /// Put the table into docs/performance.md.
    #[arg(long)]
    pub(super) write: bool,
}

#[derive(clap::Args)]
pub(super) struct CrowdArgs {
    /// How many clients there are.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(super) clients: usize,
    /// For how long they ask.
    #[arg(long, default_value_t = 60)]
    pub(super) seconds: u64,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    pub(super) binary: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(super) struct ScoreboardArgs {
    /// The kind of facts: yes, clamped (integers cut where ProB cuts them) or static.
    #[arg(long = "use", value_name = "KIND", default_value = "yes", value_parser = ["yes", "clamped", "static"])]
    pub(super) kind: String,
    /// Only models whose path contains TEXT; the count is not compared then.
    #[arg(long, value_name = "TEXT")]
    pub(super) paths: Option<String>,
    /// How long one model may take.
    #[arg(long, default_value_t = 20)]
    pub(super) seconds: u32,
    /// How many models run at a time.
    #[arg(long, default_value_t = 1)]
    pub(super) jobs: u32,
    /// Remember a count that is higher than before.
    #[arg(long)]
    pub(super) write: bool,
}

#[derive(Subcommand)]
pub(super) enum Corpus {
    /// Agreement with ProB's parser on whole files.
    Parse(Listing),
    /// Agreement with ProB on single formulas.
    Expressions(Listing),
    /// Agreement with ProB's type checker on whole files.
    Types(Listing),
    /// Acceptance of the grade A models of classical B.
    GradeA(Listing),
    /// CPU time and memory of linting every file in one process.
    Time,
}

#[derive(clap::Args)]
pub(super) struct Listing {
    /// Print each disagreement with our first diagnostic.
    #[arg(long)]
    pub(super) list: bool,
}

#[derive(clap::Args)]
pub(super) struct FuzzArgs {
    /// How many inputs to try.
    #[arg(long, default_value_t = 100_000)]
    pub(super) inputs: u64,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    pub(super) from: u64,
    /// Inputs depend on the seed and their number only.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Stop after so many seconds.
    #[arg(long)]
    pub(super) seconds: Option<u64>,
    /// Print the input numbered `--from` instead of running it.
    #[arg(long)]
    pub(super) show: bool,
    /// Break models of Event-B instead of classical B.
    #[arg(long)]
    pub(super) event_b: bool,
    /// Break programs of Promela instead.
    #[arg(long, conflicts_with = "event_b")]
    pub(super) promela: bool,
    /// Break specifications in Z instead of classical B.
    #[arg(long, conflicts_with_all = ["event_b", "promela"])]
    pub(super) z: bool,
    /// Break programs of Murphi instead of classical B, and run small ones that are still in order.
    #[arg(long, conflicts_with_all = ["event_b", "promela", "z"])]
    pub(super) murphi: bool,
}
