//! `burnside solve [FILE] PREDICATE`

use std::path::Path;

use serde::Serialize;
use subject::solving::Goal;
use workbench::{Solution, Solved, Task, solve};

use crate::args::solve::SolveArgs;
use crate::console::Console;
use crate::lint;
use crate::patience::Patience;

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
    let (bench, setting) = (args.solving.model.bench(), args.solving.model.setting());
    let task = Task {
        predicate,
        solver: args.solving.solver,
        most: match args.all || args.count {
            true => u64::MAX,
            false => args.max.unwrap_or(1),
        },
        aim: match (&args.minimise, &args.maximise) {
            (Some(least), _) => Some((least, Goal::Least)),
            (None, Some(greatest)) => Some((greatest, Goal::Greatest)),
            (None, None) => None,
        },
    };
    let patience = Patience::new(args.solving.max_time);
    let halt = patience.begin();
    let mut solutions = Vec::new();
    let solved = solve(&bench, (file, &setting), &task, &halt, &mut |solution| {
        if args.count {
            return true;
        }
        if args.solving.json {
            solutions.push(solution.clone());
        } else {
            console.line(&solution.told());
        }
        console.is_open()
    });
    match solved {
        Err(wrong) => lint::refuse(&wrong, args.solving.json, console),
        Ok(solved) => {
            if args.solving.json {
                console.json(&Report {
                    tool: "burnside",
                    schema: 1,
                    solutions: &solutions,
                    solved: &solved,
                });
            } else {
                if args.count {
                    console.line(&solved.found.to_string());
                }
                console.say(&solved.summary());
            }
            solved.exit()
        }
    }
}
