//! Lowered programs, run by the reference evaluator, have the states and rules that independent tools count.
//!
//! Skipped, visibly, where the shared material is absent; only programs with few states, for the reference evaluator is slow.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use base::{Name, Sources};
use lang_murphi::{check, parse};
use lower_murphi::{Options, lower};
use std::sync::Arc;

use pins::{Flow, System};
use program::{Program, State};
use program_compile::rules::{Form, Making, Options as Running, Rules};
use program_interp::{End, Machine, What};
use reduce::symmetry::{Method, Quotient};
use search::explicit::FindingKind;

/// Programs with more states are left to the fast evaluator.
const MOST_STATES: usize = 300;

fn load(path: &Path, options: Options) -> Program {
    let text = fs::read_to_string(path).expect("the program is there");
    lowered(path, text, options)
}

fn lowered(path: &Path, text: String, options: Options) -> Program {
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

/// What independent tools count, a row for each program.
fn rows(folder: &Path) -> Vec<Vec<String>> {
    let table = fs::read_to_string(folder.join("programs.csv")).expect("the table is there");
    let lines = table.lines().skip(1);
    lines
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

fn named(folder: &Path, name: &str) -> Program {
    let path = folder.join("programs").join(format!("{name}.m"));
    load(&path, Options::default())
}

fn none_of(total: usize, wrong: &[String]) {
    let (count, all) = (wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty(), "{count} of {total}:\n{all}");
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
    let mut wrong = Vec::new();
    let mut total = 0;
    for row in rows(&folder) {
        let (Ok(states), Ok(rules)) = (row[3].parse::<usize>(), row[4].parse::<usize>()) else {
            continue;
        };
        if states > MOST_STATES {
            continue;
        }
        total += 1;
        let program = named(&folder, &row[0]);
        let found = explore(&program);
        if found != (states, rules, 0) {
            wrong.push(format!("{}: {found:?}, wanted {states} {rules}", row[0]));
        }
    }
    none_of(total, &wrong);
}

/// States and rules fired, by the compiled system and the explicit engine.
fn explore_compiled(program: Program, form: Form) -> (u64, u64, usize) {
    let running = Running {
        form,
        // Machine code counts as the machine does.
        making: match form {
            Form::Words => Making::Never,
            Form::Packed | Form::Families => Making::AtOnce,
        },
        ..Running::default()
    };
    let rules = Rules::new(Arc::new(program), running);
    let config = search::explicit::Config {
        keep_paths: false,
        ..Default::default()
    };
    let outcome = search::explicit::explore(&rules, &config, &search::explicit::Quiet)
        .expect("nothing is refused");
    (
        outcome.statistics.states,
        outcome.statistics.transitions,
        // All start states may be left out.
        outcome
            .findings
            .iter()
            .filter(|finding| finding.kind != FindingKind::Setup)
            .count(),
    )
}

#[test]
fn the_compiled_system_counts_the_same() {
    compiled_counts_are_the_same(Form::Words, 1);
}

#[test]
fn the_compiled_system_counts_the_same_in_packed_slots() {
    compiled_counts_are_the_same(Form::Packed, 2);
}

#[test]
fn the_compiled_system_counts_the_same_in_families() {
    compiled_counts_are_the_same(Form::Families, 2);
}

/// Of each so many programs one is explored.
fn compiled_counts_are_the_same(form: Form, each: usize) {
    let Some(folder) = shared() else { return };
    let mut wrong = Vec::new();
    let mut total = 0;
    for row in rows(&folder).into_iter().step_by(each) {
        let (Ok(states), Ok(rules)) = (row[3].parse::<u64>(), row[4].parse::<u64>()) else {
            continue;
        };
        total += 1;
        let program = named(&folder, &row[0]);
        let found = explore_compiled(program, form);
        if found != (states, rules, 0) {
            wrong.push(format!(
                "{}: {found:?}, wanted {states} {rules} ({})",
                row[0], row[19]
            ));
        }
    }
    none_of(total, &wrong);
}

/// In every state of small programs both evaluators give the same steps and faults.
#[test]
fn compiled_steps_are_those_of_the_reference() {
    steps_are_those_of_the_reference(Making::Never, 1);
}

/// So does machine code.
#[test]
fn steps_of_machine_code_are_those_of_the_reference() {
    steps_are_those_of_the_reference(Making::AtOnce, 2);
}

/// Of each so many programs one is explored.
fn steps_are_those_of_the_reference(making: Making, each: usize) {
    let Some(folder) = shared() else { return };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder.join("programs"))
        .expect("the folder is there")
        .map(|entry| entry.expect("it is readable").path())
        .collect();
    paths.sort();
    for path in paths.into_iter().step_by(each) {
        let program = load(&path, Options::default());
        compare_steps(&path.display().to_string(), program, making);
    }
}

fn compare_steps(name: &str, program: Program, making: Making) {
    let program = Arc::new(program);
    let machine = Machine::new(&program);
    let running = Running {
        making,
        ..Running::default()
    };
    let rules = Rules::new(program.clone(), running);
    let mut worker = rules.worker();
    let mut left: Vec<Vec<u32>> = Vec::new();
    let _ = worker.initial(&vec![0; rules.shape().slots.len()], &mut |state| {
        left.push(state.to_vec());
        Flow::Continue
    });
    let mut seen: HashSet<Vec<u32>> = left.iter().cloned().collect();
    while let Some(state) = left.pop() {
        if seen.len() > MOST_STATES {
            break;
        }
        let plain = rules.decode(&state);
        assert_eq!(
            rules.encode(&plain).as_deref(),
            Some(&state[..]),
            "{}",
            name
        );
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        worker.all_successors(
            &state,
            &mut |_, step| {
                steps.push(rules.decode(step.target));
                if seen.insert(step.target.to_vec()) {
                    left.push(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |_, fault| faults.push((fault.span, fault.message)),
        );
        let (mut wanted, mut wrong) = (Vec::new(), Vec::new());
        let (mut last, mut is_discarded) = (None, false);
        for step in machine.steps(&plain) {
            let What::Rule { rule, .. } = step.parts[0].what else {
                panic!("rules make rule steps")
            };
            match step.end {
                End::Fault(_) if last == Some(rule) => {}
                End::State(next) => wanted.push(next),
                End::Fault(fault) => {
                    last = Some(rule);
                    wrong.push((Some(fault.span), fault.reason.sentence()));
                }
                End::Discarded => is_discarded = true,
            }
        }
        // A step to a state that an assumption leaves out leads back.
        if is_discarded {
            steps.retain(|next| *next != plain);
            wanted.retain(|next| *next != plain);
        }
        assert_eq!(steps, wanted, "{}: steps of {plain:?}", name);
        assert_eq!(faults, wrong, "{}: faults of {plain:?}", name);
    }
}

/// Arguments whose values are known when code is made, also where they decide what is done, and guards that begin with
/// comparisons of numbers with words, which may be undefined.
#[test]
fn what_is_known_beforehand_changes_nothing() {
    let text = "
        type index: 0..3; digit: 0..9;
        var cells: array [index] of digit; count: 0..4; limit: index;
        procedure write(at: index; what: digit; var other: digit);
        begin
          if at >= 2 then cells[at] := what; other := at; else cells[at] := 9 - what; endif;
          if isundefined(what) then error \"never\"; endif;
          if what = 7 & at != 1 then other := 8; endif;
        end;
        function next(at: index): index;
        begin
          if 3 <= at then return 0; else return at + 1; endif;
        end;
        procedure both(at: index; what: digit);
        begin
          write(at, what, cells[0]);
          write(next(at), 1, cells[at]);
          write(3, what, cells[next(3)]);
        end;
        startstate begin for at: index do cells[at] := 0; endfor; count := 0; limit := 2; end;
        ruleset at: index do
          rule at < count ==> begin both(at, 4); end;
          rule at = 2 & 1 >= limit ==> begin write(at, 7, cells[1]); count := 0; end;
          rule limit > at ==> begin count := at + 1; undefine limit; end;
          rule isundefined(limit) & at >= count ==> begin limit := at; write(at, at, cells[3]); end;
        end;";
    for making in [Making::Never, Making::AtOnce] {
        let program = lowered(Path::new("known.m"), text.to_owned(), Options::default());
        compare_steps("known.m", program, making);
    }
}

/// So many states of each program are permuted by all generators.
const PERMUTED: usize = 20;

/// Under symmetry there is one state for each orbit, and the sizes of the orbits add up to the plain count.
#[test]
fn one_state_for_each_orbit() {
    let Some(folder) = shared() else { return };
    let mut wrong = Vec::new();
    let (mut total, mut sorted) = (0, 0);
    for row in rows(&folder) {
        let numbers: Vec<Option<u64>> =
            [3, 14, 15].iter().map(|at| row[*at].parse().ok()).collect();
        let [Some(states), Some(orbits), Some(rules_fired)] = numbers[..] else {
            continue;
        };
        total += 1;
        let program = named(&folder, &row[0]);
        let running = Running {
            form: Form::Families,
            ..Running::default()
        };
        let rules = Rules::new(Arc::new(program), running);
        if let Err(broken) = pins::check_permutations(&rules, PERMUTED) {
            wrong.push(format!("{}: {broken:?}", row[0]));
        }
        sorted += usize::from(
            rules
                .symmetry()
                .is_some_and(|own| own.as_action().is_some()),
        );
        for method in [Method::Exact, Method::Canonical] {
            let shown = format!("{method:?}");
            let quotient = Quotient::new(&rules, method).expect("there are scalarsets");
            let config = search::explicit::Config {
                keep_paths: false,
                ..Default::default()
            };
            let outcome = search::explicit::explore(&quotient, &config, &search::explicit::Quiet)
                .expect("nothing is refused");
            let found = (
                outcome.statistics.states,
                outcome.statistics.transitions,
                quotient.measure().states,
            );
            if found != (orbits, rules_fired, Some(u128::from(states))) {
                wrong.push(format!(
                    "{} {shown}: {found:?}, wanted {orbits} {rules_fired} {states}",
                    row[0]
                ));
            }
        }
    }
    // Some programs are sorted by what elements hold, some are not.
    assert!((1..total).contains(&sorted), "{sorted} of {total}");
    none_of(total, &wrong);
}
