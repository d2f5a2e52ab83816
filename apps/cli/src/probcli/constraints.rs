//! Questions about all states that satisfy the invariant and test cases, by the options of ProB's command line.
//!
//! `-cbc OP|all`, `-cbc_deadlock`, `-cbc_assertions`, `-cbc_sequence A;B`, `-bmc N`, `-mcm_tests N STATES PRED FILE`,
//! `-cbc_tests N PRED FILE` with `-mcm_cover OP` and `-cbc_cover OP`. Of the lines that ProB prints, those are printed that
//! scripts read.

use std::path::{Path, PathBuf};

use workbench::choice::Solver;
use workbench::report::Verdict;
use workbench::{Answered, Asked, Cover, SuiteWanted, constrain, suite};

use super::Wanted;
use super::options::number;
use crate::console::Console;
use crate::foreign::Read;
use crate::languages::workbench;
use crate::lint;
use crate::patience::Patience;

/// So many states are looked at for the test cases that ProB finds by constraints.
const MAX_STATES: usize = 20_000;

/// What an option asks for.
pub(super) enum Chosen {
    Ask(Asked),
    Suite(SuiteWanted, PathBuf),
    Cover(String),
    /// Bounded model checking.
    Bounded(u64),
}

/// What an option asks for, if it is one of these.
pub(super) fn option(
    option: &str,
    value: &mut dyn FnMut() -> Result<String, (String, u8)>,
) -> Read<Option<Chosen>> {
    let mut tests = |max_states: Option<usize>| {
        let max_depth = number(option, &value()?)? as usize;
        let max_states = match max_states {
            Some(max_states) => max_states,
            None => number(option, &value()?)? as usize,
        };
        let end = value()?;
        let wanted = SuiteWanted {
            cover: Cover::Events,
            only: Vec::new(),
            end: (!end.trim().is_empty()).then_some(end),
            max_states,
            max_depth,
        };
        Ok(Chosen::Suite(wanted, PathBuf::from(value()?)))
    };
    Ok(Some(match option {
        "mcm_tests" => tests(None)?,
        "cbc_tests" => tests(Some(MAX_STATES))?,
        "mcm_cover" | "cbc_cover" => Chosen::Cover(value()?),
        "bmc" => Chosen::Bounded(number(option, &value()?)?),
        "cbc" => Chosen::Ask(Asked::Invariant(match value()?.as_str() {
            "all" => None,
            name => Some(name.to_owned()),
        })),
        "cbc_deadlock" => Chosen::Ask(Asked::Deadlock),
        "cbc_assertions" => Chosen::Ask(Asked::Assertions),
        "cbc_sequence" => {
            let names = value()?;
            let names = names.split(';').map(|name| name.trim().to_owned());
            Chosen::Ask(Asked::Sequence(
                names.filter(|name| !name.is_empty()).collect(),
            ))
        }
        _ => return Ok(None),
    }))
}

/// Asks, and prints the lines of ProB.
pub(super) fn ask(file: &Path, wanted: &Wanted, console: &mut Console) -> u8 {
    let patience = Patience::new(wanted.options.max_time);
    let setting = &wanted.options.setting;
    let mut exit = 0;
    for asked in &wanted.asked {
        let one = std::slice::from_ref(asked);
        let halt = patience.begin();
        match constrain(&workbench(), (file, setting), one, (Solver::Auto, &halt)) {
            Err(wrong) => return lint::refuse(&wrong, false, console),
            Ok(answers) => {
                console.answer(&lines(asked, &answers.answers));
                exit = if exit == 0 { answers.exit() } else { exit };
            }
        }
    }
    exit
}

fn lines(asked: &Asked, answers: &[Answered]) -> String {
    let wrong = answers.iter().find(|one| one.verdict == Verdict::Violated);
    let open = answers.iter().find(|one| one.verdict == Verdict::Open);
    let why = open.and_then(|open| open.because.as_deref());
    let unknown = |what: &str| format!("{what} was not decided: {}", why.unwrap_or_default());
    match (asked, wrong, open) {
        (Asked::Assertions, ..) if answers.is_empty() => "No ASSERTION to check".to_owned(),
        (Asked::Assertions, None, None) => "No counter-example to ASSERTION exists".to_owned(),
        (Asked::Assertions, None, _) => unknown("the ASSERTION"),
        (Asked::Deadlock, None, None) => "No DEADLOCK state found".to_owned(),
        (Asked::Deadlock, None, _) => unknown("the DEADLOCK"),
        (Asked::Deadlock, Some(wrong), _) => format!(
            "*** DEADLOCK state found ***\n*** STATE = \n( {} )\n*** END DEADLOCKING STATE",
            state(wrong)
        ),
        (Asked::Assertions, Some(wrong), _) => {
            format!("*** COUNTER EXAMPLE FOUND ***\n( {} )", state(wrong))
        }
        _ => {
            let lines = answers.iter().map(|one| {
                let why = one.because.as_ref();
                let why = why.map_or_else(String::new, |why| format!(" ({why})"));
                let found = match one.verdict {
                    Verdict::Violated if !one.path.is_empty() => {
                        format!("\n*** COUNTER EXAMPLE FOUND ***\n( {} )", state(one))
                    }
                    _ => String::new(),
                };
                format!("{}: {}{why}{found}", one.verdict.word(), one.claim)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

/// The state that an answer is about, as a predicate.
fn state(answered: &Answered) -> String {
    let first = answered.path.first();
    let pairs = first.map_or(&[][..], |first| &first.state.0);
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match pairs.is_empty() {
        true => "TRUE=TRUE".to_owned(),
        false => pairs.join(" & "),
    }
}

/// Writes test cases to a file.
pub(super) fn tests(
    file: &Path,
    wanted: &Wanted,
    (suite_wanted, out): (&SuiteWanted, &Path),
    console: &mut Console,
) -> u8 {
    let patience = Patience::new(wanted.options.max_time);
    let setting = &wanted.options.setting;
    let suite_wanted = SuiteWanted {
        only: wanted.covered.clone(),
        ..suite_wanted.clone()
    };
    let halt = patience.begin();
    match suite(&workbench(), (file, setting), &suite_wanted, &halt) {
        Err(wrong) => lint::refuse(&wrong, false, console),
        Ok(found) => {
            if !crate::export::write(Some(out), &found.xml(), console) {
                return 2;
            }
            let cases = found.cases.len();
            console.answer(&format!("{cases} test cases written to {}", out.display()));
            if !found.uncovered.is_empty() {
                console.answer(&format!("Uncovered events: {}", found.uncovered.join(", ")));
            }
            found.exit()
        }
    }
}
