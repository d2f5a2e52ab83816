//! `-cbc`, `-cbc_assertions`, `-cbc_deadlock` and `-cbc_sequence` with the lines that ProB prints for them.
//!
//! The questions are those of `burnside cbc`. What is open is told and is exit 20, never silence.

use std::path::Path;

use workbench::plan::Options;
use workbench::report::Verdict;
use workbench::{Answered, Answers, Asked, constrain};

use crate::console::Console;
use crate::languages::workbench;
use crate::{lint, solve};

/// A question as a command line asks it; `-cbc` is about one operation, or all.
pub(super) fn operation(name: &str) -> Asked {
    Asked::Invariant((name != "all").then(|| name.to_owned()))
}

/// A sequence of operations: names with semicolons between them.
pub(super) fn sequence(names: &str) -> Asked {
    let names = names.split(';').map(|name| name.trim().to_owned());
    Asked::Sequence(names.filter(|name| !name.is_empty()).collect())
}

/// Answers a question and gives its exit code.
pub(super) fn answer(file: &Path, options: &Options, asked: &Asked, console: &mut Console) -> u8 {
    let halt = solve::watch(options.max_time);
    let about = (file, &options.setting);
    let solver = options.solver;
    match constrain(
        &workbench(),
        about,
        std::slice::from_ref(asked),
        (solver, &halt),
    ) {
        Err(wrong) => lint::refuse(&wrong, false, console),
        Ok(answers) => {
            console.answer(text(asked, &answers).trim_end());
            answers.exit()
        }
    }
}

fn text(asked: &Asked, answers: &Answers) -> String {
    let wrong = answers
        .answers
        .iter()
        .find(|one| one.verdict == Verdict::Violated);
    let open = answers
        .answers
        .iter()
        .find(|one| one.verdict == Verdict::Open);
    match (asked, wrong, open) {
        (Asked::Assertions, None, None) if answers.answers.is_empty() => {
            "No ASSERTION to check".to_owned()
        }
        (Asked::Assertions, Some(wrong), _) => {
            let claim = &wrong.claim;
            format!(
                "*** COUNTER EXAMPLE FOUND ***\n{}\nthis is wrong: {claim}",
                state(wrong)
            )
        }
        (Asked::Assertions, None, None) => "No counter-example to ASSERTION exists".to_owned(),
        (Asked::Deadlock, Some(wrong), _) => format!(
            "*** DEADLOCK state found ***\n*** STATE = \n{}\n*** END DEADLOCKING STATE",
            state(wrong)
        ),
        (Asked::Deadlock, None, None) => "No DEADLOCK state found".to_owned(),
        _ => answers.text(),
    }
}

/// The state of a counterexample as a predicate in brackets.
fn state(answered: &Answered) -> String {
    let pairs = answered.path.first().map(|step| step.state.0.as_slice());
    let pairs = pairs.unwrap_or_default().iter();
    let equations: Vec<String> = pairs
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match equations.is_empty() {
        true => "( TRUE=TRUE )".to_owned(),
        false => format!("( {} )", equations.join(" & ")),
    }
}
