//! `burnside solve [FILE] PREDICATE`

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;
use workbench::{Halt, Solution, Solved, Task, solve};

use crate::args::solve::SolveArgs;
use crate::console::Console;
use crate::{interrupt, lint};

/// How often the clock and Ctrl-C are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The JSON form: what was found, then how it ended.
#[derive(Serialize)]
struct Report<'a> {
    tool: &'static str,
    schema: u8,
    solutions: &'a [Solution],
    #[serde(flatten)]
    solved: &'a Solved,
}

/// Shows solutions as they come.
pub(crate) fn run(args: &SolveArgs, console: &mut Console) -> u8 {
    let (file, predicate) = match args.positional.as_slice() {
        [predicate] => (None, predicate),
        [file, predicate] => (Some(Path::new(file)), predicate),
        _ => {
            console.say("error: a PREDICATE is needed");
            return 2;
        }
    };
    let (bench, setting) = (args.model.bench(), args.model.setting());
    let task = Task {
        predicate,
        solver: args.solver,
        most: match (args.all, args.max) {
            (true, _) => u64::MAX,
            (false, most) => most.unwrap_or(1),
        },
    };
    let halt = watch(args.max_time);
    let mut solutions = Vec::new();
    let solved = solve(&bench, (file, &setting), &task, &halt, &mut |solution| {
        if args.json {
            solutions.push(solution.clone());
        } else {
            console.line(&solution.text());
        }
        console.is_open()
    });
    match solved {
        Err(wrong) => lint::refuse(&wrong, args.json, console),
        Ok(solved) => {
            if args.json {
                console.json(&Report {
                    tool: "burnside",
                    schema: 1,
                    solutions: &solutions,
                    solved: &solved,
                });
            } else {
                console.say(&solved.summary());
            }
            solved.exit()
        }
    }
}

/// A halt that is set by Ctrl-C, or after a time.
pub(crate) fn watch(limit: Option<f64>) -> Halt {
    let halt = Halt::default();
    let asked = interrupt::install();
    let setter = halt.clone();
    let limit = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let begin = Instant::now();
    std::thread::spawn(move || {
        loop {
            let late = limit.is_some_and(|limit| begin.elapsed() >= limit);
            if late || asked.load(Ordering::SeqCst) {
                setter.set();
                return;
            }
            std::thread::sleep(LOOK);
        }
    });
    halt
}
