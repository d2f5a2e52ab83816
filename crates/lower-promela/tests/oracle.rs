//! Lowered programs have the states, transitions and findings that SPIN counts: by the compiled evaluator and the explicit
//! engine, and for small ones by the reference evaluator too.
//!
//! Skipped, visibly, where the shared material is absent.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Name, Sources};
use lang_promela::preprocess::{self, Definition};
use lang_promela::{check, parse};
use lower_promela::{Options, lower};
use program::{Program, Reason, State};
use program_compile::processes;
use program_interp::{End, Machine};
use reduce::por::{Method, Reduction, Relations, Visibility};

/// Programs with more states are left to the compiled evaluator.
const MOST_STATES: usize = 400;

/// Columns of the table.
const NAME: usize = 0;
const OPTIONS: usize = 2;
const COUNTS: usize = 3;
const STATES: usize = 4;
const SPIN_STATES: usize = 6;
const FINDINGS: usize = 8;

/// The folder of the oracle.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/promela");
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}

/// The rows of a table of the oracle.
fn rows(folder: &Path) -> Vec<Vec<String>> {
    let table = std::fs::read_to_string(folder.join("programs.csv")).expect("the table is there");
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    table.lines().skip(1).map(row).collect()
}

fn load(folder: &Path, row: &[String], options: Options) -> Program {
    let macros = row[OPTIONS].split_whitespace().map(|word| {
        let word = word.trim_start_matches("-D");
        let (name, value) = word.split_once('=').unwrap_or((word, "1"));
        Definition::Define(name.to_owned(), value.to_owned())
    });
    let macros = preprocess::Options {
        macros: macros.collect(),
        folders: Vec::new(),
    };
    let path = folder.join("programs").join(format!("{}.pml", row[NAME]));
    lowered(&path, &row[NAME], &base::Files::disk(), (&macros, options))
}

fn lowered(
    path: &Path,
    name: &str,
    files: &base::Files,
    (macros, options): (&preprocess::Options, Options),
) -> Program {
    let mut sources = Sources::new();
    let read = preprocess::run(path, macros, files, &mut sources).expect("the program is there");
    let checked = check::run(parse::program(read));
    assert!(
        !checked.diagnostics.has_errors(),
        "{}: {:?}",
        path.display(),
        checked.diagnostics
    );
    lower(&checked, Name::new(name), options)
}

/// States and SPIN's transitions, by the compiled system and the explicit engine.
fn compiled(program: Program) -> (u64, u64) {
    let options = processes::Options::default();
    let mut system =
        processes::System::new(Arc::new(program), options).expect("everything has code");
    loop {
        let config = search::explicit::Config {
            checks: search::explicit::Checks {
                stop_after: usize::MAX,
                ..Default::default()
            },
            ..Default::default()
        };
        let outcome = search::explicit::explore(&system, &config, &search::explicit::Quiet)
            .expect("nothing is refused");
        let Some(larger) = system.larger() else {
            return (
                outcome.statistics.states,
                outcome.statistics.transitions + 1,
            );
        };
        system = larger.expect("everything has code");
    }
}

fn compare_counts(column: usize, options: Options) {
    let Some(folder) = shared() else { return };
    let mut wrong = Vec::new();
    let mut total = 0;
    for row in rows(&folder).iter().filter(|row| row[COUNTS] == "yes") {
        total += 1;
        let wanted: (u64, u64) = (
            row[column].parse().expect("a count"),
            row[column + 1].parse().expect("a count"),
        );
        let found = compiled(load(&folder, row, options));
        if found != wanted {
            wrong.push(format!("{}: {found:?}, wanted {wanted:?}", row[NAME]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {total}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn counts_are_those_of_spin_without_optimisations() {
    compare_counts(STATES, Options::default());
}

#[test]
fn counts_are_those_of_spin_with_its_optimisations() {
    let options = Options {
        spin_counts: true,
        ..Options::default()
    };
    compare_counts(SPIN_STATES, options);
}

/// How steps are chosen, and whether it is left to the search to see to cycles.
type Fewer = (Method, bool);

/// The kinds of findings of a compiled program, of all steps or of those that a reduction chooses; and how many states.
fn found_by(program: Program, fewer: Option<Fewer>) -> (BTreeSet<String>, u64) {
    let end = processes::Asking {
        name: Name::new("end"),
        kind: pins::LabelKind::End,
        question: processes::Question::MayEnd {
            empty_channels: false,
        },
        span: None,
    };
    let options = processes::Options {
        labels: vec![end],
        keeps_arguments: true,
    };
    let system = processes::System::new(Arc::new(program), options);
    let mut system = system.expect("everything has code");
    let config = search::explicit::Config {
        checks: search::explicit::Checks {
            deadlock: true,
            ends: vec![pins::LabelId::new(0)],
            stop_after: usize::MAX,
            ..Default::default()
        },
        ..Default::default()
    };
    let quiet = &search::explicit::Quiet;
    loop {
        let shape = pins::System::shape(&system).clone();
        let relations = Relations::syntactic(&shape);
        let reduction = fewer.map(|(method, is_left)| {
            let visibility = Visibility::new(&shape, &[]);
            let reduction = Reduction::new(&shape, &relations, visibility, method);
            match is_left {
                true => reduction.left_to_the_search(),
                false => reduction,
            }
        });
        let outcome = match &reduction {
            None => search::explicit::explore(&system, &config, quiet),
            Some(reduction) => {
                search::explicit::explore_reduced(&system, &config, reduction, quiet)
            }
        };
        let outcome = outcome.expect("nothing is refused");
        let Some(larger) = system.larger() else {
            let findings = outcome.findings.iter();
            let kinds = findings.map(|finding| format!("{:?}", finding.kind));
            return (kinds.collect(), outcome.statistics.states);
        };
        system = larger.expect("everything has code");
    }
}

/// Every so many-th program is asked about reductions.
const STRIDE: usize = 3;

#[test]
fn fewer_steps_lead_to_the_same_kinds_of_findings() {
    let Some(folder) = shared() else { return };
    let mut wrong = Vec::new();
    // Programs without known counts may create processes until there is no number left.
    let rows = rows(&folder);
    let counted = rows.iter().filter(|row| row[COUNTS] == "yes");
    for row in counted.step_by(STRIDE) {
        let load = || load(&folder, row, Options::default());
        let (wanted, all) = found_by(load(), None);
        for method in [
            (Method::Ample, false),
            (Method::Stubborn, false),
            (Method::Stubborn, true),
        ] {
            let (found, states) = found_by(load(), Some(method));
            if found != wanted || states > all {
                let name = &row[NAME];
                wrong.push(format!(
                    "{name}, {method:?}: {found:?} {states}, {wanted:?} {all}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// States of a text under stubborn sets.
fn reduced(text: &str) -> u64 {
    let path = Path::new("own.pml");
    let mut files = base::Files::disk();
    files.put(path, text);
    let macros = preprocess::Options {
        macros: Vec::new(),
        folders: Vec::new(),
    };
    let program = lowered(path, "own", &files, (&macros, Options::default()));
    found_by(program, Some((Method::Stubborn, true))).1
}

#[test]
fn local_steps_are_not_interleaved_with_creation() {
    let worker = "proctype W() { byte n; n = 1; n = 2; n = 3; stop: false }";
    let states = |runs: &str| reduced(&format!("{worker} init {{ {runs} ; stop: false }}"));
    // One step for each run, and the three of whom it created.
    assert_eq!(states("run W()"), 5);
    assert_eq!(states("run W(); run W()"), 9);
    assert_eq!(states("run W(); run W(); run W()"), 13);
}

/// The kinds of findings that the reference evaluator meets; `None` when there are too many states.
fn findings(program: &Program) -> Option<BTreeSet<&'static str>> {
    let machine = Machine::new(program);
    let mut found = BTreeSet::new();
    let mut seen: HashSet<State> = HashSet::new();
    let mut left: Vec<State> = Vec::new();
    let kind = |reason: &Reason| match reason {
        Reason::Assertion(_) => "assertion",
        Reason::Observed => "trace",
        _ => "fault",
    };
    for initial in machine.initial() {
        match initial.state {
            Ok(state) => left.extend(state),
            Err(fault) => {
                found.insert(kind(&fault.reason));
            }
        }
    }
    while let Some(state) = left.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MOST_STATES {
            return None;
        }
        let steps = machine.steps(&state);
        if steps.is_empty() && !machine.may_end(&state, false) {
            found.insert("deadlock");
        }
        for step in steps {
            found.extend(
                step.failures
                    .iter()
                    .map(|failure| kind(&failure.fault.reason)),
            );
            match step.end {
                End::State(next) => left.push(next),
                End::Fault(fault) => {
                    found.insert(kind(&fault.reason));
                }
                End::Discarded => {}
            }
        }
    }
    Some(found)
}

#[test]
fn findings_are_those_of_spin() {
    let Some(folder) = shared() else { return };
    let mut wrong = Vec::new();
    let mut total = 0;
    for row in rows(&folder) {
        let Some(found) = findings(&load(&folder, &row, Options::default())) else {
            continue;
        };
        total += 1;
        let wanted: BTreeSet<&str> = row[FINDINGS]
            .split(';')
            .filter(|kind| !kind.is_empty())
            .collect();
        // SPIN stops at most faults, so nothing is known about the rest.
        let agrees = match wanted.contains("fault") {
            true => found.contains("fault"),
            false => found == wanted,
        };
        if !agrees {
            wrong.push(format!("{}: {found:?}, wanted {wanted:?}", row[NAME]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {total}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
