//! `cargo xtask`: the commands of developers that are not part of the product.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Parser, Subcommand};
use xtask::bench::{auto, editor, peers};
use xtask::corpus::{self, time};
use xtask::sweep::Over;
use xtask::{agreement, bench, crowd, dist, formulas, fuzz, places, por, scoreboard, symmetry};

/// Developer tasks of Burnside.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
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
}

/// Which models of the shared corpus are looked at, and how.
#[derive(clap::Args)]
struct SweepArgs {
    /// How long one run may take.
    #[arg(long, default_value_t = 20.0)]
    seconds: f64,
    /// Only models whose path contains TEXT.
    #[arg(long, value_name = "TEXT")]
    paths: Option<String>,
    /// Every so many-th model only.
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// How many models run at a time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

#[derive(clap::Args)]
struct FormulasArgs {
    #[command(flatten)]
    sweep: SweepArgs,
    /// Further options of `burnside check`.
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(clap::Args)]
struct PorArgs {
    /// What is compared.
    #[arg(value_parser = ["counts", "verdicts"])]
    what: String,
    #[command(flatten)]
    sweep: SweepArgs,
    /// Both precisions and both orders for one model in so many.
    #[arg(long, value_name = "N", default_value_t = 6)]
    sample: usize,
}

#[derive(clap::Args)]
struct SymmetryArgs {
    /// Only the models that ProB counted, not all of grade A.
    #[arg(long)]
    short: bool,
    #[command(flatten)]
    sweep: SweepArgs,
}

#[derive(clap::Args)]
struct BenchArgs {
    /// Run TLC4B on the same models; FOLDER keeps its packages between runs.
    #[arg(long, value_name = "FOLDER")]
    tlc4b: Option<PathBuf>,
    /// Measure Promela beside the verifiers that SPIN generates.
    #[arg(long, conflicts_with_all = ["tlc4b", "murphi", "write"])]
    spin: bool,
    /// Measure Murphi beside the verifiers that Rumur generates.
    #[arg(long, conflicts_with_all = ["tlc4b", "write"])]
    murphi: bool,
    /// Measure what `check` chooses by itself beside what could be chosen by hand.
    #[arg(long, conflicts_with_all = ["tlc4b", "spin", "murphi", "write"])]
    auto: bool,
    /// Measure how long an editor and a page wait for answers.
    #[arg(long, conflicts_with_all = ["tlc4b", "spin", "murphi", "auto", "write"])]
    editor: bool,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// How long one run may take, with --spin, --murphi and --auto.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// How often each side runs, with --spin and --murphi; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,
    /// Further options of `burnside check`, with --spin and --murphi.
    #[arg(last = true)]
    options: Vec<String>,
    /// Only models whose name contains TEXT.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Put the table into docs/performance.md.
    #[arg(long)]
    write: bool,
}

#[derive(clap::Args)]
struct CrowdArgs {
    /// How many clients there are.
    #[arg(long, value_name = "N", default_value_t = 50)]
    clients: usize,
    /// For how long they ask.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// A program to use instead of the release build.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

#[derive(clap::Args)]
struct ScoreboardArgs {
    /// The kind of facts: yes, clamped (integers cut where ProB cuts them) or static.
    #[arg(long = "use", value_name = "KIND", default_value = "yes", value_parser = ["yes", "clamped", "static"])]
    kind: String,
    /// Only models whose path contains TEXT; the count is not compared then.
    #[arg(long, value_name = "TEXT")]
    paths: Option<String>,
    /// How long one model may take.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// How many models run at a time.
    #[arg(long, default_value_t = 1)]
    jobs: u32,
    /// Remember a count that is higher than before.
    #[arg(long)]
    write: bool,
}

#[derive(Subcommand)]
enum Corpus {
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
struct Listing {
    /// Print each disagreement with our first diagnostic.
    #[arg(long)]
    list: bool,
}

#[derive(clap::Args)]
struct FuzzArgs {
    /// How many inputs to try.
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// The number of the first input.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Inputs depend on the seed and their number only.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop after so many seconds.
    #[arg(long)]
    seconds: Option<u64>,
    /// Print the input numbered `--from` instead of running it.
    #[arg(long)]
    show: bool,
    /// Break models of Event-B instead of classical B.
    #[arg(long)]
    event_b: bool,
    /// Break programs of Promela instead.
    #[arg(long, conflicts_with = "event_b")]
    promela: bool,
    /// Break specifications in Z instead of classical B.
    #[arg(long, conflicts_with_all = ["event_b", "promela"])]
    z: bool,
    /// Break programs of Murphi instead of classical B, and run small ones that are still in order.
    #[arg(long, conflicts_with_all = ["event_b", "promela", "z"])]
    murphi: bool,
}

fn main() -> ExitCode {
    match Task::parse() {
        Task::Dist => run_dist(),
        Task::Options => run_options(),
        Task::Corpus(Corpus::Parse(listing)) => compare(corpus::parse, &listing),
        Task::Corpus(Corpus::Expressions(listing)) => compare(corpus::expressions, &listing),
        Task::Corpus(Corpus::Types(listing)) => compare(corpus::types, &listing),
        Task::Corpus(Corpus::GradeA(listing)) => compare(corpus::grade_a, &listing),
        Task::Corpus(Corpus::Time) => cost(),
        Task::Fuzz(args) => run_fuzzer(&args),
        Task::Bench(args) => run_bench(&args),
        Task::Crowd(args) => run_crowd(&args),
        Task::Scoreboard(args) => run_scoreboard(&args),
        Task::Agreement(args) => run_agreement(&args),
        Task::Por(args) => run_por(&args),
        Task::Symmetry(args) => run_symmetry(&args),
        Task::Formulas(args) => run_formulas(&args),
    }
}

fn run_dist() -> ExitCode {
    match dist::run() {
        Ok(program) => {
            println!("{} is static", program.display());
            ExitCode::SUCCESS
        }
        Err(why) => fail(&why),
    }
}

fn run_options() -> ExitCode {
    let output = Command::new("cargo")
        .args(["run", "--quiet", "--package", "burnside", "--", "options"])
        .current_dir(places::root())
        .output();
    let file = places::root().join("docs/options.md");
    match output {
        Ok(output) if output.status.success() => match std::fs::write(&file, output.stdout) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("cannot write {}: {error}", file.display())),
        },
        Ok(output) => fail(&String::from_utf8_lossy(&output.stderr)),
        Err(error) => fail(&format!("cannot start cargo: {error}")),
    }
}

/// What a sweep looks at; the exit code when it cannot be made.
fn over(args: &SweepArgs) -> Result<Over, ExitCode> {
    let shared = places::shared().ok_or(ExitCode::SUCCESS)?;
    let binary = args.binary.clone().or_else(release_binary);
    let binary = binary.ok_or_else(|| fail("the release build failed"))?;
    Ok(Over {
        shared,
        binary,
        seconds: args.seconds,
        paths: args.paths.clone(),
        every: args.every,
        jobs: args.jobs,
    })
}

/// The share of models that may need more states than ProB's reduction does not exceed the rest of this.
const POR_FLOOR: f64 = 90.0;

fn run_por(args: &PorArgs) -> ExitCode {
    let over = match over(&args.sweep) {
        Ok(over) => over,
        Err(code) => return code,
    };
    let plan = por::Plan {
        over,
        sample: args.sample.max(1),
    };
    let (tallies, floor) = match args.what.as_str() {
        "counts" => (por::counts(&plan), POR_FLOOR),
        _ => (
            por::verdicts(&plan).map(|tally| vec![("verdicts", tally)]),
            100.0,
        ),
    };
    let tallies = match tallies {
        Ok(tallies) => tallies,
        Err(error) => return fail(&format!("cannot read the tables: {error}")),
    };
    let mut is_good = true;
    for (what, tally) in &tallies {
        for line in &tally.others {
            println!("{what}: {line}");
        }
        let (agreed, of, percent) = (tally.agreed, tally.of, tally.percent());
        let (models, sample) = tally.models;
        let counted = match tally.states {
            0 => format!("{models} models, {sample} of them in every way"),
            states => format!("{models} models, {states} states"),
        };
        println!("{what}: agreed {agreed} of {of} ({percent:.1} %), {counted}");
        is_good &= percent >= floor;
    }
    verdict(is_good)
}

fn run_symmetry(args: &SymmetryArgs) -> ExitCode {
    let over = match over(&args.sweep) {
        Ok(over) => over,
        Err(code) => return code,
    };
    let plan = symmetry::Plan {
        over,
        is_short: args.short,
    };
    let found = match symmetry::compare(&plan) {
        Ok(found) => found,
        Err(error) => return fail(&format!("cannot read the tables: {error}")),
    };
    for line in &found.beside {
        println!("beside: {line}");
    }
    let mut is_good = true;
    for (what, tally) in [("orbits", &found.orbits), ("sums", &found.sums)] {
        for line in &tally.others {
            println!("{what}: {line}");
        }
        let (agreed, of, percent) = (tally.agreed, tally.of, tally.percent());
        println!("{what}: agreed {agreed} of {of} ({percent:.1} %)");
        is_good &= agreed == of;
    }
    println!("models that are reduced: {}", found.reduced);
    verdict(is_good)
}

/// The part of readable formulas that must have a verdict, in percent.
const FORMULAS_FLOOR: f64 = 95.0;

fn run_formulas(args: &FormulasArgs) -> ExitCode {
    let over = match over(&args.sweep) {
        Ok(over) => over,
        Err(code) => return code,
    };
    let tally = formulas::run(&over, &args.options);
    println!(
        "formulas: {} decided, {} open ({:.1} % decided), {} cannot be read",
        tally.decided,
        tally.open,
        tally.percent(),
        tally.wrong
    );
    println!(
        "models: {} decided, {} open, {} with errors, {} without formulas",
        tally.models_decided, tally.models_open, tally.models_wrong, tally.models_without
    );
    verdict(tally.percent() >= FORMULAS_FLOOR)
}

/// Prints agreements; succeeds when every floor is reached.
fn compare(comparison: corpus::Comparison, listing: &Listing) -> ExitCode {
    let agreements = match corpus::run(comparison) {
        None => return ExitCode::SUCCESS,
        Some(Err(error)) => return fail(&format!("cannot read the tables: {error}")),
        Some(Ok(agreements)) => agreements,
    };
    if listing.list {
        for agreement in &agreements {
            for disagreement in &agreement.disagreements {
                println!("[{}] {disagreement}", agreement.kind);
            }
        }
    }
    for agreement in &agreements {
        println!("{agreement}");
    }
    verdict(agreements.iter().all(corpus::Agreement::holds))
}

fn cost() -> ExitCode {
    let Some(shared) = places::shared() else {
        return ExitCode::SUCCESS;
    };
    let Some(binary) = release_binary() else {
        return fail("the release build failed");
    };
    match time::lint_all(&binary, &shared.join("corpus/sets")) {
        Err(error) => fail(&format!("cannot run burnside: {error}")),
        Ok((files, cost)) => {
            println!(
                "{} files: {:.2} s CPU, {:.2} s elapsed, {:.1} MB peak (limits {} s, {} MB)",
                files,
                cost.cpu.as_secs_f64(),
                cost.wall.as_secs_f64(),
                cost.peak_bytes as f64 / 1e6,
                time::LIMITS.0,
                time::LIMITS.1 / 1_000_000,
            );
            verdict(cost.cpu.as_secs_f64() <= time::LIMITS.0 && cost.peak_bytes <= time::LIMITS.1)
        }
    }
}

/// Builds the product and says where it is.
fn release_binary() -> Option<PathBuf> {
    let built = Command::new(env!("CARGO"))
        .current_dir(places::root())
        .args(["build", "--release", "--quiet", "--package", "burnside"])
        .status();
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| places::root().join("target"), PathBuf::from);
    built
        .is_ok_and(|status| status.success())
        .then(|| target.join("release/burnside"))
}

fn run_crowd(args: &CrowdArgs) -> ExitCode {
    let Some(binary) = args.binary.clone().or_else(release_binary) else {
        return fail("the release build failed");
    };
    match crowd::run(&binary, args.clients, Duration::from_secs(args.seconds)) {
        Ok(outcome) => {
            print!("{}", outcome.text());
            verdict(outcome.is_good())
        }
        Err(error) => fail(&error.to_string()),
    }
}

/// So many changes, hovers and steps are measured for an editor.
const EDITS: usize = 300;

fn run_bench(args: &BenchArgs) -> ExitCode {
    let Some(binary) = args.binary.clone().or_else(release_binary) else {
        return fail("the release build failed");
    };
    if args.spin || args.murphi {
        return run_beside(args, &binary);
    }
    if args.editor {
        return match editor::run(&binary, EDITS) {
            Ok(rows) => {
                print!("{}", editor::text(&rows));
                verdict(rows.iter().all(editor::Waited::is_good))
            }
            Err(error) => fail(&error.to_string()),
        };
    }
    if args.auto {
        let limit = Duration::from_secs(args.seconds);
        return match auto::run(&binary, args.only.as_deref(), limit) {
            Ok(rows) => {
                print!("{}", auto::text(&rows));
                verdict(rows.iter().all(auto::Row::is_good))
            }
            Err(why) => fail(&why),
        };
    }
    let rows = bench::run(&binary, args.tlc4b.as_deref(), args.only.as_deref());
    let table = bench::table(&rows);
    print!("{table}");
    if args.write
        && let Err(error) = bench::write(&places::root().join("docs/performance.md"), &table)
    {
        return fail(&format!("cannot write docs/performance.md: {error}"));
    }
    verdict(rows.iter().all(bench::Row::is_good))
}

/// Measures programs beside generated verifiers.
fn run_beside(args: &BenchArgs, binary: &Path) -> ExitCode {
    let plan = peers::Plan {
        binary,
        only: args.only.as_deref(),
        runs: args.runs,
        options: &args.options,
        limit: Duration::from_secs(args.seconds),
    };
    let (rows, heads) = match args.spin {
        true => (peers::spin(&plan), &peers::SPIN),
        false => (peers::murphi(&plan), &peers::MURPHI),
    };
    match rows {
        Ok(rows) => {
            print!("{}", peers::text(&rows, heads));
            verdict(rows.iter().all(peers::Row::is_good))
        }
        Err(why) => fail(&why),
    }
}

fn run_scoreboard(args: &ScoreboardArgs) -> ExitCode {
    let Some(shared) = places::shared() else {
        return ExitCode::SUCCESS;
    };
    let Some(binary) = release_binary() else {
        return fail("the release build failed");
    };
    let score = match scoreboard::run(&scoreboard::Plan {
        shared: &shared,
        binary: &binary,
        kind: &args.kind,
        paths: args.paths.as_deref(),
        seconds: args.seconds,
        jobs: args.jobs,
    }) {
        Ok(score) => score,
        Err(error) => return fail(&error),
    };
    if args.paths.is_some() {
        return ExitCode::SUCCESS;
    }
    let file = scoreboard::file();
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => return fail(&format!("cannot read {}: {error}", file.display())),
    };
    let before = scoreboard::known(&text, &args.kind);
    match before {
        Some(before) if score.is_below(before) => {
            return fail(&format!("{}: {score}, it was {before}", args.kind));
        }
        Some(before) => println!("{}: {score}, it was {before}", args.kind),
        None => println!("{}: {score}", args.kind),
    }
    if args.write
        && let Err(error) = std::fs::write(&file, scoreboard::raised(&text, &args.kind, score))
    {
        return fail(&format!("cannot write {}: {error}", file.display()));
    }
    ExitCode::SUCCESS
}

fn run_agreement(args: &SweepArgs) -> ExitCode {
    let over = match over(args) {
        Ok(over) => over,
        Err(code) => return code,
    };
    match agreement::run(&over) {
        Err(error) => fail(&format!("cannot read the table of models: {error}")),
        Ok(tally) => {
            println!(
                "agreed {}, differ {}, symbolic too slow {}, skipped {} (not finished, or not runnable)",
                tally.agreed, tally.differ, tally.slow, tally.skipped
            );
            verdict(tally.differ == 0 && tally.slow == 0)
        }
    }
}

fn run_fuzzer(args: &FuzzArgs) -> ExitCode {
    let mut folders = vec![
        places::root().join("tests"),
        places::root().join("examples"),
    ];
    let below = [
        "corpus/sets",
        "corpus/promela",
        "oracle/promela",
        "oracle/murphi",
        "oracle/z",
    ];
    folders.extend(
        places::shared()
            .into_iter()
            .flat_map(|shared| below.map(|folder| shared.join(folder))),
    );
    let seeds = match (args.event_b, args.promela, args.z, args.murphi) {
        (true, ..) => fuzz::Seeds::event_b(&folders),
        (_, true, ..) => fuzz::Seeds::promela(&folders),
        (_, _, true, _) => fuzz::Seeds::z(&folders),
        (.., true) => fuzz::Seeds::murphi(&folders),
        _ => fuzz::Seeds::read(&folders),
    };
    if args.show {
        print!("{}", seeds.input(args.seed, args.from).text);
        return ExitCode::SUCCESS;
    }
    let plan = fuzz::Plan {
        seed: args.seed,
        inputs: args.from..args.from.saturating_add(args.inputs),
        budget: args.seconds.map(Duration::from_secs),
        progress: true,
        saved: places::root().join("target/fuzz"),
    };
    match fuzz::run(&seeds, &plan) {
        Err(error) => fail(&format!("cannot write inputs: {error}")),
        Ok(report) => {
            println!("{report}");
            verdict(report.findings.is_empty())
        }
    }
}

fn verdict(good: bool) -> ExitCode {
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
