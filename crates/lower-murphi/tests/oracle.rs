//! Lowered programs, run by the reference evaluator, have the states and rules that independent tools count.
//!
//! Skipped, visibly, where the shared material is absent; only programs with few states, for the reference evaluator is slow.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use base::{Name, Sources};
use lang_murphi::{check, parse};
use lower_murphi::{Options, lower};
use program::{Program, State};
use program_interp::{End, Machine};

/// Programs with more states are left to the fast evaluator.
const MOST_STATES: usize = 300;

fn load(path: &Path, options: Options) -> Program {
    let text = fs::read_to_string(path).expect("the program is there");
    let file = Sources::new().add(path, text.clone());
    let parsed = parse::program(file, &text);
    let checked = check::program(&text, &parsed.tree);
    assert!(
        !parsed.diagnostics.has_errors() && !checked.diagnostics.has_errors(),
        "{}",
        path.display()
    );
    lower(Name::new("test"), &parsed.tree, &checked, options)
}

fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/murphi");
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}

/// States, rules fired and faults of a program.
fn explore(program: &Program) -> (usize, usize, usize) {
    let machine = Machine::new(program);
    let mut seen: HashSet<State> = HashSet::new();
    let mut left: Vec<State> = Vec::new();
    let (mut rules, mut faults) = (0, 0);
    for initial in machine.initial() {
        match initial.state {
            Ok(Some(state)) if seen.insert(state.clone()) => left.push(state),
            Err(_) => faults += 1,
            _ => {}
        }
    }
    while let Some(state) = left.pop() {
        for step in machine.steps(&state) {
            match step.end {
                End::State(next) => {
                    rules += 1;
                    if seen.insert(next.clone()) {
                        left.push(next);
                    }
                }
                End::Discarded => rules += 1,
                End::Fault(_) => faults += 1,
            }
        }
    }
    (seen.len(), rules, faults)
}

#[test]
fn counts_agree_with_independent_tools() {
    let Some(folder) = shared() else { return };
    let table = fs::read_to_string(folder.join("programs.csv")).expect("the table is there");
    let mut wrong = Vec::new();
    let mut total = 0;
    for line in table.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let (Ok(states), Ok(rules)) = (row[3].parse::<usize>(), row[4].parse::<usize>()) else {
            continue;
        };
        if states > MOST_STATES {
            continue;
        }
        total += 1;
        let program = load(
            &folder.join("programs").join(format!("{}.m", row[0])),
            Options::default(),
        );
        let found = explore(&program);
        if found != (states, rules, 0) {
            wrong.push(format!("{}: {found:?}, wanted {states} {rules}", row[0]));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {total}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
