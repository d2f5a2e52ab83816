//! `burnside check FILE`
//!
//! The check runs in a thread of its own, so that a limit on time and Ctrl-C are kept even while a single
//! evaluation takes for ever: then the answer is what was known when the run was last heard of.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::Severity;
use workbench::check::{Check, Hooks, Progress, Unanswered, check, unanswered};
use workbench::plan::Options;

use crate::args::check::CheckArgs;
use crate::bug;
use crate::console::Console;
use crate::interrupt;
use crate::progress::ProgressLine;
use crate::{team, worker};

/// The exit code of wrong usage.
const USAGE: u8 = 2;

/// How long a run may take to react: engines look at the clock every few milliseconds between states, and
/// writing a path or a checkpoint takes a moment.
const GRACE: Duration = Duration::from_secs(1);
/// How often the main thread looks.
const LOOK: Duration = Duration::from_millis(50);

/// Checks a model and shows what was found.
pub(crate) fn run(args: &CheckArgs, console: &mut Console) -> u8 {
    let output = &args.output;
    if args.many.me > 0 {
        return worker::join(&args.many, console);
    }
    let gathered = match team::gather(args) {
        Ok(gathered) => gathered,
        Err(why) => {
            console.say(&why);
            return USAGE;
        }
    };
    let line = Arc::new(ProgressLine::new(output.progress));
    let mut options = args.options();
    options.team = gathered.as_ref().map(|gathered| gathered.team.clone());
    let check = start(args, options, &line);
    drop(gathered);
    if let Some(line) = &*line {
        line.clear();
    }
    if let Some(bug) = &check.bug {
        console.say(&bug::report(bug, "a finding that was not shown"));
    }
    if output.json {
        console.json(&check.report);
        return check.report.exit;
    }
    for diagnostic in &check.lint.diagnostics {
        if diagnostic.severity == Severity::Error || !output.quiet {
            console.diagnostic(diagnostic, &check.lint.sources);
        }
    }
    let text = match output.style.as_deref() {
        Some("prob") => check.report.prob_style(),
        _ => check.report.text(output.quiet),
    };
    console.answer(text.trim_end());
    check.report.exit
}

/// Runs the check and waits for its answer, or gives up on it.
fn start(args: &CheckArgs, options: Options, line: &Arc<Option<ProgressLine>>) -> Check {
    let stop = interrupt::install();
    let file = args.file.clone();
    let limit = options.max_time.map(Duration::from_secs_f64);
    let last: Arc<Mutex<Progress>> = Arc::default();
    let (send, receive) = mpsc::channel();
    let (heard, line) = (Arc::clone(&last), Arc::clone(line));
    let bench = args.model.bench();
    std::thread::spawn(move || {
        let hooks = Hooks {
            stop,
            progress: &|progress| {
                *heard.lock().unwrap_or_else(PoisonError::into_inner) = *progress;
                if let Some(line) = &*line {
                    line.update(progress);
                }
            },
        };
        // Nobody waits any more when the main thread gave up.
        let _ = send.send(check(&bench, &file, &options, &hooks));
    });
    let mut patience = Patience::new(limit);
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(check) => return check,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(why) = patience.is_over(stop) {
                    let last = last.lock().unwrap_or_else(PoisonError::into_inner);
                    return unanswered(&args.model.bench(), &args.file, &last, why);
                }
            }
            // A panic of the thread ends the process by itself.
            Err(RecvTimeoutError::Disconnected) => {
                panic!("a check ends with an answer or a panic")
            }
        }
    }
}

/// How long the main thread waits.
struct Patience {
    begin: Instant,
    limit: Option<Duration>,
    asked: Option<Instant>,
}

impl Patience {
    fn new(limit: Option<Duration>) -> Patience {
        Patience {
            begin: Instant::now(),
            limit,
            asked: None,
        }
    }

    /// Why there is no point in waiting any longer.
    fn is_over(&mut self, stop: &AtomicBool) -> Option<Unanswered> {
        if stop.load(Ordering::SeqCst) {
            let asked = *self.asked.get_or_insert_with(Instant::now);
            if asked.elapsed() > GRACE {
                return Some(Unanswered::Interrupt);
            }
        }
        let limit = self.limit?;
        (self.begin.elapsed() > limit + GRACE + limit / 10).then_some(Unanswered::Time)
    }
}
