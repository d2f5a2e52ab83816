//! Tries the front end on broken models: it must answer every input, without a panic and at once.
//!
//! An input depends on the seed and its number only, so any of them can be made again by itself. Inputs
//! are written to a folder in memory before they are read back by the front end as a user's file would be;
//! a finding is saved with what happened.
//! Invariant: the file of the running input is on disk, so even an abort leaves its cause behind.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base::Sources;
use pins::System;
use program_compile::rules::Rules;

use crate::{lint, places};

mod mutate;
mod random;
mod seeds;
mod z;

pub use random::Random;
pub use seeds::{Input, Seeds};

/// An answer that takes longer is a finding.
pub const SLOW: Duration = Duration::from_secs(1);

/// An answer that takes longer on the clock ends the run: it may never come. Other work on the machine delays answers.
const STUCK: Duration = Duration::from_secs(180);

/// How many inputs are kept for one cause.
const KEPT_PER_CAUSE: usize = 3;

/// What to try.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// The numbers of the inputs.
    pub inputs: Range<u64>,
    /// Stop earlier after so long.
    pub budget: Option<Duration>,
    /// Whether to print a line now and then.
    pub progress: bool,
    /// Where failing inputs go.
    pub saved: PathBuf,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// The seed of the run.
    pub seed: u64,
    /// How many inputs were tried.
    pub tried: u64,
    /// How many the front end accepted.
    pub accepted: u64,
    /// The size of all inputs.
    pub bytes: u64,
    /// The time spent in the front end.
    pub busy: Duration,
    /// The slowest answer and its input.
    pub slowest: (Duration, u64),
    /// Panics and slow answers, by cause.
    pub findings: Vec<Finding>,
}

/// Something that must not happen.
#[derive(Debug)]
pub struct Finding {
    /// The panic message with its place, or that the answer was slow.
    pub cause: String,
    /// How often.
    pub count: usize,
    /// The numbers of the first inputs.
    pub inputs: Vec<u64>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(
                f,
                "{} times: {} (inputs {:?})",
                finding.count, finding.cause, finding.inputs
            )?;
        }
        write!(
            f,
            "seed {}: {} inputs ({:.1} MB, {} accepted), {:.1} s in the front end, slowest {:.3} s (input {}), {} findings",
            self.seed,
            self.tried,
            self.bytes as f64 / 1e6,
            self.accepted,
            self.busy.as_secs_f64(),
            self.slowest.0.as_secs_f64(),
            self.slowest.1,
            self.findings.len(),
        )
    }
}

/// Runs the plan.
pub fn run(seeds: &Seeds, plan: &Plan) -> io::Result<Report> {
    let mut scratch = Scratch::new()?;
    let folder = scratch.folder.clone();
    let running = Mutex::new((plan.inputs.start, Instant::now()));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| watch(&running, &done, &folder));
        let report = try_all(seeds, plan, &mut scratch, &running);
        done.store(true, Ordering::Relaxed);
        report
    })
}

fn try_all(
    seeds: &Seeds,
    plan: &Plan,
    scratch: &mut Scratch,
    running: &Mutex<(u64, Instant)>,
) -> io::Result<Report> {
    let mut report = Report {
        seed: plan.seed,
        ..Report::default()
    };
    let mut causes: HashMap<String, usize> = HashMap::new();
    let start = Instant::now();
    for number in plan.inputs.clone() {
        if plan.budget.is_some_and(|budget| start.elapsed() > budget) {
            break;
        }
        let input = seeds.input(plan.seed, number);
        let path = scratch.write(&input)?;
        let begun = Instant::now();
        let used = processor_time();
        set(running, (number, begun));
        let outcome = lint::caught(|| exit_of(&path));
        let mut spent = begun.elapsed();
        // Other work on the machine delays an answer, but takes no time of this thread.
        if let (Some(before), Some(after)) = (used, processor_time()) {
            spent = spent.min(after.saturating_sub(before));
        }
        report.tried += 1;
        report.bytes += input.text.len() as u64;
        report.accepted += u64::from(outcome == Ok(0));
        report.busy += spent;
        report.slowest = report.slowest.max((spent, number));
        let cause = match outcome {
            Err(message) => Some(message),
            Ok(_) if spent > SLOW => Some(format!("an answer took longer than {SLOW:?}")),
            Ok(_) => None,
        };
        if let Some(cause) = cause {
            let index = *causes.entry(cause.clone()).or_insert_with(|| {
                report.findings.push(Finding {
                    cause: cause.clone(),
                    count: 0,
                    inputs: Vec::new(),
                });
                report.findings.len() - 1
            });
            let finding = &mut report.findings[index];
            finding.count += 1;
            if finding.inputs.len() < KEPT_PER_CAUSE {
                finding.inputs.push(number);
                save(&plan.saved, plan.seed, number, &input, &cause)?;
            }
        }
        if plan.progress && report.tried.is_multiple_of(100_000) {
            println!("{report}");
        }
    }
    Ok(report)
}

/// The time that this thread spent on a processor, where the system tells.
fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn exit_of(path: &Path) -> u8 {
    let mut sources = Sources::new();
    let extension = path.extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| places::EVENT_B_EXTENSIONS.contains(&extension)) {
        let checked = lang_eventb::open::open(path, &mut sources);
        return checked.diagnostics.exit();
    }
    if extension.is_some_and(|extension| places::PROMELA_EXTENSIONS.contains(&extension)) {
        return promela(path, &mut sources);
    }
    if extension.is_some_and(|extension| places::MURPHI_EXTENSIONS.contains(&extension)) {
        return murphi(path, &mut sources);
    }
    if extension.is_some_and(|extension| places::Z_EXTENSIONS.contains(&extension)) {
        return z::exit_of(path, &mut sources);
    }
    let checked = lang_b::check::check_file(path, &mut sources);
    checked.diagnostics.exit()
}

/// Reads, checks and lowers a program of Promela, and prints it back.
fn promela(path: &Path, sources: &mut Sources) -> u8 {
    let options = lang_promela::preprocess::Options::default();
    let Ok(read) = lang_promela::preprocess::run(path, &options, &base::Files::disk(), sources)
    else {
        return 2;
    };
    let checked = lang_promela::check::run(lang_promela::parse::program(read));
    lang_promela::print::program(&checked.program);
    if !checked.diagnostics.has_errors() {
        for spin_counts in [false, true] {
            let options = lower_promela::Options {
                spin_counts,
                ..Default::default()
            };
            lower_promela::lower(&checked, base::Name::new("input"), options);
        }
    }
    checked.diagnostics.exit()
}

/// Reads and checks a program of Murphi, prints it back, lowers it, and runs what is small.
fn murphi(path: &Path, sources: &mut Sources) -> u8 {
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => return 2,
    };
    let file = sources.add(path, text.clone());
    let parsed = lang_murphi::parse::program(file, &text);
    lang_murphi::print::program(&parsed.tree);
    if parsed.diagnostics.has_errors() {
        return parsed.diagnostics.exit();
    }
    let checked = lang_murphi::check::program(&text, &parsed.tree);
    if checked.diagnostics.has_errors() {
        return checked.diagnostics.exit();
    }
    let options = lower_murphi::Options {
        loop_limit: FEW_ROUNDS,
        ..Default::default()
    };
    let name = base::Name::new("input");
    let program = lower_murphi::lower(name, &parsed.tree, &checked, options);
    if has_small_numbers(&text) {
        expand(Arc::new(program));
    }
    0
}

/// Whether no number in a text is large: then a program has few instances and cells.
fn has_small_numbers(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.all(|digits| digits.len() < 2) && text.len() <= seeds::SMALL
}

/// Rounds of a loop in a program that is run.
const FEW_ROUNDS: u64 = 50;
/// States of a program that are expanded.
const FEW_STATES: usize = 20;

/// Expands a few states of a program.
fn expand(program: Arc<program::Program>) {
    let rules = Rules::new(program, program_compile::rules::Options::default());
    let mut worker = rules.worker();
    let mut states: Vec<Vec<u32>> = Vec::new();
    // A fault in a start state is an answer.
    let _ = worker.initial(&vec![0; rules.shape().slots.len()], &mut |state| {
        states.push(state.to_vec());
        pins::Flow::Continue
    });
    let mut at = 0;
    while at < states.len().min(FEW_STATES) {
        let state = states[at].clone();
        for label in 0..rules.shape().labels.len() {
            worker.label(&state, pins::LabelId::new(label));
        }
        worker.all_successors(
            &state,
            &mut |_, step| {
                if states.len() < FEW_STATES {
                    states.push(step.target.to_vec());
                }
                pins::Flow::Continue
            },
            &mut |_, _| {},
        );
        at += 1;
    }
}

fn save(folder: &Path, seed: u64, number: u64, input: &Input, cause: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let stem = format!("seed{seed}-{number}");
    let file = folder.join(&stem).with_extension(input.extension);
    fs::write(&file, &input.text)?;
    fs::write(folder.join(stem).with_extension("txt"), cause)?;
    println!("{}: {cause}", file.display());
    Ok(())
}

/// Ends the process when one input never ends: there is no other way out of a loop in the same process.
fn watch(running: &Mutex<(u64, Instant)>, done: &AtomicBool, scratch: &Path) {
    while !done.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
        let (number, begun) = *running
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if begun.elapsed() > STUCK && !done.load(Ordering::Relaxed) {
            eprintln!(
                "input {number} has no answer after {STUCK:?}; it lies in {}",
                scratch.display()
            );
            std::process::exit(1);
        }
    }
}

fn set<T>(cell: &Mutex<T>, value: T) {
    *cell
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner) = value;
}

/// The folder, in memory where there is one, that holds the running input. Removed at the end.
///
/// An input that refers to other files lies in a folder of its own with links to the neighbours of the model
/// it was made from, so that mutations reach the stages behind the loader.
struct Scratch {
    folder: PathBuf,
    neighbours: HashMap<PathBuf, PathBuf>,
}

impl Scratch {
    fn new() -> io::Result<Scratch> {
        let memory = Path::new("/dev/shm");
        let parent = if memory.is_dir() {
            memory.to_owned()
        } else {
            std::env::temp_dir()
        };
        // Two runs in one process must not share a folder.
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let name = format!("burnside-fuzz-{}-{run}", std::process::id());
        let folder = parent.join(name);
        fs::create_dir_all(&folder)?;
        Ok(Scratch {
            folder,
            neighbours: HashMap::new(),
        })
    }

    fn write(&mut self, input: &Input) -> io::Result<PathBuf> {
        let folder = match &input.neighbours {
            Some(origin) => self.beside(origin)?,
            None => self.folder.clone(),
        };
        let path = folder.join("input").with_extension(input.extension);
        fs::write(&path, &input.text)?;
        Ok(path)
    }

    /// A folder with links to everything in `origin`.
    fn beside(&mut self, origin: &Path) -> io::Result<PathBuf> {
        if let Some(folder) = self.neighbours.get(origin) {
            return Ok(folder.clone());
        }
        let folder = self.folder.join(self.neighbours.len().to_string());
        fs::create_dir_all(&folder)?;
        for entry in fs::read_dir(origin)?.flatten() {
            link(&entry.path(), &folder.join(entry.file_name()))?;
        }
        self.neighbours.insert(origin.to_owned(), folder.clone());
        Ok(folder)
    }
}

#[cfg(unix)]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(from, to)
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_file() {
        fs::copy(from, to)?;
    }
    Ok(())
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Left-over files of a run that could not tidy up are harmless.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
