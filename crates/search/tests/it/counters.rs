//! Counters against plain runs: verdicts, depths, orbits and what they stand for, with both engines.

use pins::System;
use reduce::counters::{Counters, FIRST_ROOM, Why};
use search::explicit::{self, Config, Quiet};
use search::symbolic;

use crate::alike::{Alike, Memory};
use crate::symbolic::check_path;
use crate::symbolic_symmetry::{checks, orbits, plain};

/// Counters with enough room for the run.
fn counted<T>(system: &dyn System, run: impl Fn(&Counters<'_>) -> T) -> T {
    let mut room = FIRST_ROOM / 2;
    loop {
        let counters = Counters::new(system, room).expect("columns hold no columns");
        let answer = run(&counters);
        if !counters.is_outgrown() {
            return answer;
        }
        room *= 2;
    }
}

fn explored(counters: &Counters<'_>, stop_after: usize, threads: usize) -> explicit::Outcome {
    let config = Config {
        checks: checks(counters, stop_after),
        threads,
        ..Config::default()
    };
    explicit::explore(counters, &config, &Quiet).expect("the run starts")
}

#[test]
fn counters_obey_the_laws_of_a_system() {
    for seed in 0..20 {
        let system = Alike::new(2 + seed as usize % 3, Memory::Nothing, seed);
        let counters = Counters::new(&system, 64).expect("columns hold no columns");
        pins::check_laws(&counters, 200).expect("the laws hold");
    }
}

#[test]
fn counters_are_one_vector_for_each_orbit_and_stand_for_all_states() {
    let mut reduced = 0;
    for seed in 0..100u64 {
        let columns = 2 + seed as usize % 3;
        let system = Alike::new(columns, Memory::Nothing, seed);
        let states = plain(&system, 100_000).statistics.states;
        let orbits = orbits(&system, columns) as u64;
        for threads in [1, 2] {
            counted(&system, |counters| {
                let outcome = explored(counters, 100_000, threads);
                if counters.is_outgrown() {
                    return;
                }
                assert_eq!(outcome.statistics.states, orbits, "seed {seed}");
                assert_eq!(counters.stands_for(), Some(states.into()), "seed {seed}");
                assert!(!counters.finds_several(), "seed {seed}");
            });
        }
        counted(&system, |counters| {
            let config = symbolic::Config {
                checks: checks(counters, 100_000),
                ..symbolic::Config::default()
            };
            let outcome = symbolic::explore(counters, &config, &Quiet).expect("the run starts");
            if counters.is_outgrown() {
                return;
            }
            assert_eq!(outcome.statistics.states, orbits.into(), "seed {seed}");
            assert_eq!(counters.stands_for(), Some(states.into()), "seed {seed}");
        });
        reduced += usize::from(orbits < states);
    }
    assert!(reduced > 40, "{reduced}");
}

#[test]
fn findings_of_counters_have_the_depths_of_plain_runs_and_real_paths() {
    let mut found = 0;
    for seed in 0..200u64 {
        let system = Alike::new(2 + seed as usize % 3, Memory::Nothing, seed);
        let first = plain(&system, 1).findings;
        let ours = counted(&system, |counters| {
            let mut findings = explored(counters, 1, 1).findings;
            let whole = findings.iter_mut().filter(|_| !counters.is_outgrown());
            for finding in whole {
                finding.path = counters.unfold(&finding.path).expect("the path is real");
            }
            findings
        });
        assert_eq!(ours.len(), first.len(), "seed {seed}");
        for (ours, theirs) in ours.iter().zip(&first) {
            found += 1;
            assert_eq!(ours.kind, theirs.kind, "seed {seed}");
            assert_eq!(ours.depth, theirs.depth, "seed {seed}");
            check_path(&system, ours, &format!("seed {seed}"));
        }
    }
    assert!(found > 40, "{found}");
}

#[test]
fn columns_that_hold_columns_are_not_counted() {
    let system = Alike::new(3, Memory::Any, 1);
    let Err(hindered) = Counters::new(&system, FIRST_ROOM) else {
        panic!("a column may hold another one");
    };
    assert_eq!(hindered.len(), 1);
    assert_eq!(hindered[0].why, Why::Holds);
}
