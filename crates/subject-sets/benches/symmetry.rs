//! What one generated successor costs with each symmetry reduction, in the process, without compiling the model.
//!
//! `cargo bench -p workbench --bench symmetry [-- NAME [METHOD]]` runs each model (or those whose name contains NAME)
//! for at least a second with each method (or that one) in turn, so that a noisy machine is noisy for all, and prints
//! the median in nanoseconds of processor time, as far as the system tells it, as a Markdown table. Each run starts with
//! nothing remembered. Models of the shared corpus are left out, with a word, when it is not there.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{Name, Sources};
use model::scope::Scopes;
use model::sorts::{Precision, analyse, precision};
use model_compile::{Compiled, Options, compile};
use pins::System;
use reduce::symmetry::{Method, Quotient};
use search::explicit::{Config, Quiet, explore};

/// Name, path (below the corpus or the repository), and sizes of sets.
type Sized = (&'static str, &'static str, &'static [(&'static str, usize)]);

const MODELS: &[Sized] = &[
    (
        "scheduler1, 7",
        "corpus:SymmetryReduction/scheduler1.ref",
        &[("PROC", 7)],
    ),
    (
        "RussianPostalPuzzle, 6",
        "corpus:SymmetryReduction/RussianPostalPuzzle.mch",
        &[("KeyIDs", 6)],
    ),
    (
        "RussianPostalPuzzle, 7",
        "corpus:SymmetryReduction/RussianPostalPuzzle.mch",
        &[("KeyIDs", 7)],
    ),
    (
        "ServerFarm, 9 and 9",
        "corpus:SymmetryReduction/ServerFarm/ServerFarm.mch",
        &[("USERS", 9), ("SERVER", 9)],
    ),
    (
        "TicTacToe_Sym",
        "corpus:SymmetryReduction/TicTacToe_Sym.mch",
        &[],
    ),
    ("Peterson, 4", "examples/b/Peterson.mch", &[("Proc", 4)]),
    (
        "Cruise_finite1",
        "corpus:Benchmarks/Cruise_finite1.mch",
        &[],
    ),
];

/// Each method runs at least this long.
const LEAST: Duration = Duration::from_secs(1);
/// An unreduced run of more states is ended here.
const MOST_STATES: u64 = 300_000;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = root.join("../shared/corpus/sets/hhu-stups+specifications/prob-examples/B");
    println!("| model | method | states | transitions | ns per successor | times plain |");
    println!("|---|---|---|---|---|---|");
    let mut given = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let wanted = given.next().unwrap_or_default();
    let method = given.next();
    for (name, path, cards) in MODELS.iter().filter(|(name, ..)| name.contains(&wanted)) {
        let path: PathBuf = match path.strip_prefix("corpus:") {
            Some(below) => corpus.join(below),
            None => root.join(path),
        };
        if !path.exists() {
            println!(
                "| {name} | left out: {} is not there | | | | |",
                path.display()
            );
            continue;
        }
        match load(&path, cards) {
            Ok((system, imprecise)) => measure(name, &system, &imprecise, method.as_deref()),
            Err(error) => println!("| {name} | {error} | | | | |"),
        }
    }
}

fn load(path: &Path, cards: &[(&str, usize)]) -> Result<(Compiled, Vec<usize>), String> {
    let mut sources = Sources::new();
    let checked = lang_b::check::check_file(path, &mut sources);
    let scopes = Scopes {
        cards: cards
            .iter()
            .map(|(set, size)| (Name::new(set), *size))
            .collect(),
        ..Scopes::default()
    };
    let model = lower_b::lower(&checked, &scopes).map_err(|_| "it cannot be lowered")?;
    let sorts = analyse(&model, None);
    let variables = model.variables.iter();
    let imprecise = variables
        .filter(|(_, v)| matches!(precision(&model, &sorts, v.ty), Precision::Imprecise(_)))
        .map(|(id, _)| id.index())
        .collect();
    let compiled = compile(&model, &Options::default()).map_err(|_| "it cannot be compiled")?;
    Ok((compiled.with_symmetry(&model, &sorts), imprecise))
}

/// Processor time of this thread where the system tells it, else time on the wall.
struct Clock(Option<Duration>, Instant);

impl Clock {
    fn start() -> Clock {
        Clock(processor_time(), Instant::now())
    }

    fn elapsed(&self) -> Duration {
        match (self.0, processor_time()) {
            (Some(start), Some(end)) => end - start,
            _ => self.1.elapsed(),
        }
    }
}

fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn measure(name: &str, system: &Compiled, imprecise: &[usize], only: Option<&str>) {
    let mut methods = vec![
        ("plain", None),
        (
            "markers",
            Some(Method::Markers {
                imprecise: imprecise.to_vec(),
            }),
        ),
        ("exact", Some(Method::Exact)),
        ("canonical", Some(Method::Canonical)),
    ];
    methods.retain(|(name, _)| only.is_none_or(|only| only == *name));
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); methods.len()];
    let mut spent = vec![Duration::ZERO; methods.len()];
    let mut counts = vec![(0, 0); methods.len()];
    while spent.iter().any(|time| *time < LEAST) {
        for (at, (_, method)) in methods.iter().enumerate() {
            if spent[at] >= LEAST {
                continue;
            }
            let quotient = method
                .clone()
                .and_then(|method| Quotient::new(system, method));
            let system: &dyn System = quotient.as_ref().map_or(system, |quotient| quotient);
            let mut config = Config::default();
            config.limits.max_states = Some(MOST_STATES);
            let begun = Clock::start();
            let Ok(outcome) = explore(system, &config, &Quiet) else {
                return;
            };
            let time = begun.elapsed();
            spent[at] += time;
            let statistics = &outcome.statistics;
            counts[at] = (statistics.states, statistics.transitions);
            times[at].push(time.as_nanos() as f64 / statistics.transitions.max(1) as f64);
        }
    }
    let mut plain = 0.0;
    for (at, (method, _)) in methods.iter().enumerate() {
        times[at].sort_by(f64::total_cmp);
        let median = times[at][times[at].len() / 2];
        if at == 0 {
            plain = median;
        }
        let (states, transitions) = counts[at];
        let ratio = median / plain;
        println!("| {name} | {method} | {states} | {transitions} | {median:.0} | {ratio:.2} |");
    }
}
