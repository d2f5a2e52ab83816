//! `cargo xtask`: the commands of developers that are not part of the product.

mod args;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use args::{
    BenchArgs, Corpus, CrowdArgs, FormulasArgs, FuzzArgs, KillsArgs, Listing, NetworkArgs, PorArgs,
    ScoreboardArgs, SweepArgs, SymmetryArgs, Task,
};
use clap::Parser;
use xtask::bench::{auto, editor, peers, sizes};
use xtask::corpus::{self, time};
use xtask::sweep::Over;
use xtask::{
    agreement, bench, crowd, dist, formulas, fuzz, kills, network, places, por, scoreboard,
    symmetry,
};

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
        Task::Network(args) => run_network(&args),
        Task::Kills(args) => run_kills(&args),
    }
}

fn run_kills(args: &KillsArgs) -> ExitCode {
    let Some(binary) = args.binary.clone().or_else(release_binary) else {
        return fail("the release build failed");
    };
    let plan = kills::Plan {
        binary,
        size: args.size,
        runs: args.runs,
        seed: args.seed,
    };
    match kills::run(&plan) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => fail(&why),
    }
}

fn run_network(args: &NetworkArgs) -> ExitCode {
    if let Some([from, to]) = args.relay.as_deref() {
        let delay = Duration::from_millis(args.delay);
        return match network::relay(from, to, delay) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => fail(&why),
        };
    }
    let Some(binary) = args.binary.clone().or_else(release_binary) else {
        return fail("the release build failed");
    };
    let plan = network::Plan {
        binary,
        size: args.size,
        delay: args.delay,
    };
    match network::run(&plan) {
        None | Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(why)) => fail(&why),
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
    if args.symmetry {
        let limits = sizes::Limits {
            seconds: args.seconds,
            megabytes: args.megabytes,
        };
        let rows = sizes::run(&binary, args.only.as_deref(), limits);
        print!("{}", sizes::text(&rows));
        return verdict(rows.iter().all(sizes::Row::is_good));
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
