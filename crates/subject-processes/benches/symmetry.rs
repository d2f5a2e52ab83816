//! What runs with interchangeable processes cost by each strategy, in the process, without reading the text.
//!
//! `cargo bench -p subject-processes --bench symmetry [-- NAME [METHOD]]` explores each of our examples (or those whose name
//! contains NAME) with each method (or that one) by one thread, and prints states, transitions and processor time as a
//! Markdown table. Counted as SPIN counts by default.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Name, Sources};
use lang_promela::preprocess::{self, Definition};
use lang_promela::{check, parse};
use pins::System as _;
use program_compile::processes::{Options, Packing, System};
use reduce::symmetry::{Method, Quotient, Strategy};
use search::explicit::{Config, Quiet, explore};

/// Name, file, macros.
type Sized = (&'static str, &'static str, &'static [(&'static str, u32)]);

const MODELS: &[Sized] = &[
    ("Peterson 5", "Peterson.pml", &[("N", 5)]),
    ("Peterson 6", "Peterson.pml", &[("N", 6)]),
    ("Peterson 7", "Peterson.pml", &[("N", 7)]),
    (
        "LoadBalancer 2-6",
        "LoadBalancer.pml",
        &[("S", 2), ("C", 6)],
    ),
    (
        "LoadBalancer 4-5",
        "LoadBalancer.pml",
        &[("S", 4), ("C", 5)],
    ),
    ("Allocator 5-5", "Allocator.pml", &[("A", 5), ("B", 5)]),
    ("ThreeTiered 3x3", "ThreeTiered.pml", &[("S", 3), ("C", 3)]),
    ("Hypercube 4", "Hypercube.pml", &[("D", 4)]),
];

const METHODS: [(&str, Method); 3] = [
    ("exact", Method::Exact),
    ("exact-markers", Method::Acting(Strategy::ExactMarkers)),
    ("canonical", Method::Canonical),
];

/// A run of more states is ended here.
const MOST_STATES: u64 = 1_000_000;

fn main() {
    println!("| model | order | method | states | transitions | CPU s |");
    println!("|---|---|---|---|---|---|");
    let mut given = std::env::args().skip(1).filter(|arg| !arg.starts_with('-'));
    let wanted = given.next().unwrap_or_default();
    let only = given.next();
    for (name, file, macros) in MODELS.iter().filter(|(name, ..)| name.contains(&wanted)) {
        let (system, order) = load(file, macros);
        for (method, how) in METHODS {
            if only.as_ref().is_some_and(|only| only != method) {
                continue;
            }
            let Some(quotient) = Quotient::new(&system, how) else {
                println!("| {name} | {order} | {method} | nothing is permuted | | |");
                continue;
            };
            let mut config = Config::default();
            config.limits.max_states = Some(MOST_STATES);
            let begun = processor_time();
            let outcome = explore(&quotient, &config, &Quiet).expect("nothing is resumed");
            let time = processor_time().saturating_sub(begun).as_secs_f64();
            let counted = &outcome.statistics;
            let (states, transitions) = (counted.states, counted.transitions);
            println!("| {name} | {order} | {method} | {states} | {transitions} | {time:.2} |");
        }
    }
}

/// The system of an example with the order of its group.
fn load(file: &str, macros: &[(&str, u32)]) -> (System, u128) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/promela");
    let mut sources = Sources::new();
    let macros = macros.iter();
    let options = preprocess::Options {
        macros: macros
            .map(|(name, value)| Definition::Define((*name).to_owned(), value.to_string()))
            .collect(),
        folders: Vec::new(),
    };
    let read = preprocess::run(
        &path.join(file),
        &options,
        &base::Files::disk(),
        &mut sources,
    );
    let checked = check::run(parse::program(read.expect("the file is there")));
    let options = lower_promela::Options {
        spin_counts: true,
        ..lower_promela::Options::default()
    };
    let program = Arc::new(lower_promela::lower(&checked, Name::new(file), options));
    let entries = subject_processes::entries(&program).expect("the program settles");
    let found = program_symmetry::find(&program, &entries, &[], &[]).expect("there is an answer");
    let system = System::with_packing(program, Options::default(), Packing::Tight);
    let mut system = system.expect("it has code");
    assert!(system.permute_by(&found, &entries.states[0]));
    assert!(system.action().is_some());
    (system, found.group.order().unwrap_or(0))
}

/// Processor time of this thread where the system tells it, else time on the wall.
fn processor_time() -> Duration {
    static BEGUN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat");
    let nanoseconds = text
        .ok()
        .and_then(|text| text.split_whitespace().next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => BEGUN.get_or_init(Instant::now).elapsed(),
    }
}
