//! Counts of small programs, explored by the reference evaluator: the numbers are those of SPIN 6.5.2 without optimisations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::{Name, Sources};
use lang_promela::{check, parse, preprocess};
use program_interp::{End, Machine};

use crate::{Options, lower};

fn program(text: &str, options: Options) -> program::Program {
    let files: BTreeMap<PathBuf, String> = [(PathBuf::from("m.pml"), text.to_owned())].into();
    let mut sources = Sources::new();
    let read = preprocess::run(
        Path::new("m.pml"),
        &Default::default(),
        &files,
        &mut sources,
    );
    let checked = check::run(parse::program(read.expect("there is a text")));
    assert!(
        !checked.diagnostics.has_errors(),
        "{text}: {:?}",
        checked.diagnostics
    );
    lower(&checked, Name::new("m"), options)
}

/// States, and SPIN's transitions: steps and the arrival at the initial state.
fn counts(text: &str) -> (usize, usize) {
    explored(text, Options::default())
}

/// The same with SPIN's optimisations.
fn spin_counts(text: &str) -> (usize, usize) {
    let options = Options {
        spin_counts: true,
        ..Options::default()
    };
    explored(text, options)
}

fn explored(text: &str, options: Options) -> (usize, usize) {
    let program = program(text, options);
    let machine = Machine::new(&program);
    let mut states: Vec<program::State> = Vec::new();
    for initial in machine.initial() {
        states.extend(initial.state.expect("the start has no fault"));
    }
    let (mut at, mut transitions) = (0, 1);
    while at < states.len() {
        for step in machine.steps(&states[at].clone()) {
            if let End::State(state) = step.end {
                transitions += 1;
                if !states.contains(&state) {
                    states.push(state);
                }
            }
        }
        at += 1;
    }
    (states.len(), transitions)
}

#[test]
fn every_basic_statement_and_every_death_is_a_step() {
    assert_eq!(
        counts("active proctype P() { skip }  active proctype Q() { skip }"),
        (7, 9)
    );
    assert_eq!(
        counts(
            "byte x; active proctype P() { x = 1; goto L; x = 2; L: printf(\"a\"); byte y; x++ }"
        ),
        (6, 6)
    );
}

#[test]
fn a_goto_is_a_step_only_as_the_first_of_an_option() {
    assert_eq!(
        counts("byte x; active proctype P() { do :: x < 2 -> x++ :: break od }"),
        (11, 11)
    );
    assert_eq!(
        counts("byte x; active proctype P() { if :: goto L :: x = 1; goto L fi; x = 2; L: x = 3 }"),
        (5, 6)
    );
}

#[test]
fn atomic_sequences_are_one_step_until_they_block() {
    assert_eq!(
        counts(
            "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 } } active proctype Q() { x = 5 }"
        ),
        (10, 11)
    );
    assert_eq!(
        counts(
            "byte x; active proctype P() { atomic { x = 1; x == 5; x = 3 } } active proctype Q() { x = 5 }"
        ),
        (11, 13)
    );
}

#[test]
fn a_d_step_takes_its_first_possible_option() {
    assert_eq!(
        counts(
            "byte x, y; active proctype P() { do :: d_step { if :: x < 2 -> x++ :: x < 3 -> x = 9 :: else -> y++ fi } :: y == 1 -> break od }"
        ),
        counts(
            "byte x, y; active proctype P() { do :: d_step { x < 2 -> x++ } :: d_step { x >= 2 && x < 3 -> x = 9 } :: d_step { x >= 3 -> y++ } :: y == 1 -> break od }"
        )
    );
}

#[test]
fn an_else_that_a_d_step_begins_with_belongs_to_the_choice_around_it() {
    let text = "byte x; active proctype P() { byte d = 1; if :: d_step { d == 1 -> x = 1 } :: d_step { else -> x = 2 } fi; x = x + 10 }";
    assert_eq!(counts(text), (4, 4));
}

#[test]
fn a_poll_may_ask_for_the_first_fields_only() {
    let text = "chan c = [1] of { byte, byte }; byte x; active proctype P() { c!3,4; if :: c?[3] -> x = 1 :: c?[5] -> x = 2 fi }";
    assert_eq!(counts(text), (5, 5));
}

#[test]
fn escapes_come_before_the_statement() {
    let text = "byte x, y; active proctype P() { { x = 1; x = 2; x = 3 } unless { y == 1 -> x = 7 } } active proctype Q() { y = 1 }";
    assert_eq!(counts(text), (22, 30));
}

#[test]
fn handshakes_are_one_step() {
    let text = "chan c = [0] of { byte }; byte x; active proctype P() { c!1; c!2 } active proctype Q() { c?x; c?x }";
    assert_eq!(counts(text), (5, 5));
}

#[test]
fn loops_are_written_out() {
    assert_eq!(
        counts("byte i, s; active proctype P() { for (i : 1 .. 2) { s = s + i } }"),
        (10, 10)
    );
    assert_eq!(
        counts("byte i; active proctype P() { select (i : 1 .. 3) }"),
        (7, 7)
    );
    assert_eq!(
        counts("byte i, k = 3; active proctype P() { select (i : 1 .. k) }"),
        (12, 12)
    );
}

#[test]
fn spins_optimisations_merge_steps_and_reset_dead_variables() {
    let local = "byte g; active [2] proctype P() { byte x = 3, y; x = x + 1; y = x; g = y; x = 0; g++ } active proctype Q() { g > 3 }";
    assert_eq!((counts(local), spin_counts(local)), ((116, 239), (92, 185)));
    let unread = "byte g, h; active [2] proctype P() { h = _pid; g = 1; h = g }";
    assert_eq!((counts(unread), spin_counts(unread)), ((29, 47), (21, 33)));
    let loops = "byte g; active [2] proctype P() { byte i; do :: i < 2 -> atomic { if :: g == 0 -> g = 1; break :: else -> i++ fi } od; g = 0 }";
    assert_eq!((counts(loops), spin_counts(loops)), ((41, 57), (57, 83)));
    // One choice of assignments reads nothing; counting up would.
    let chosen = "int y = 1; active proctype P() { select (y : 0 .. 2); skip }";
    assert_eq!((counts(chosen), spin_counts(chosen)), ((10, 10), (4, 6)));
}

#[test]
fn a_d_step_moves_last_when_it_is_over() {
    let text = "byte x, y; active proctype P() { x = 1; d_step { y = _last; x = _last } }\n\
                active proctype Q() { x = 2; atomic { y = _last; x = _last } }";
    assert_eq!(counts(text), (29, 36));
}

#[test]
fn a_labelled_loop_has_an_escape() {
    let with = |label: &str| {
        format!(
            "byte x; active proctype A() {{ {label} do :: x < 2 -> x++ :: x == 2 -> x = 0 od unless {{ x == 3; skip }} }}"
        )
    };
    assert_eq!((counts(&with("end:")), counts(&with(""))), ((6, 7), (6, 7)));
    let text = "byte x; active proctype A() { byte i; x = 1; L: for (i : 1 .. 2) { x++ } unless { x == 3; skip }; goto L }";
    assert_eq!(counts(text), (10, 11));
}
