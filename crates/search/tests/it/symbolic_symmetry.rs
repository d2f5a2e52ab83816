//! Representatives in diagrams against plain runs: verdicts, depths, orbits and what they stand for.

use std::collections::HashSet;

use pins::symmetry::permuted;
use pins::{Flow, LabelId, System};
use search::explicit::{self, Checks, Quiet};
use search::symbolic::{self, Config, Order, Outcome, Representatives};

use crate::alike::{Alike, Memory};
use crate::symbolic::check_path;

pub fn checks(system: &dyn System, stop_after: usize) -> Checks {
    Checks {
        deadlock: true,
        stop_after,
        invariants: (0..system.shape().labels.len()).map(LabelId::new).collect(),
        ..Checks::default()
    }
}

/// What is not kept between two operations shows when garbage is collected before each of them; every tenth run does so.
fn run(
    system: &dyn System,
    (kind, order): (Representatives, Order),
    stop_after: usize,
    seed: u64,
) -> Outcome {
    let config = Config {
        order,
        checks: checks(system, stop_after),
        symmetry: Some(kind),
        collects_always: seed.is_multiple_of(10),
        ..Config::default()
    };
    symbolic::explore(system, &config, &Quiet).expect("the run starts")
}

pub fn plain(system: &dyn System, stop_after: usize) -> explicit::Outcome {
    let config = explicit::Config {
        checks: checks(system, stop_after),
        ..explicit::Config::default()
    };
    explicit::explore(system, &config, &Quiet).expect("the run starts")
}

/// The number of orbits among all states, by looking at all permutations.
pub fn orbits(system: &Alike, columns: usize) -> usize {
    let mut worker = system.worker();
    let mut states = Vec::new();
    let _ = worker.initial(&[], &mut |state| {
        states.push(state.to_vec());
        Flow::Continue
    });
    let mut known: HashSet<Vec<u32>> = states.iter().cloned().collect();
    while let Some(state) = states.pop() {
        worker.all_successors(
            &state,
            &mut |_, step| {
                if known.insert(step.target.to_vec()) {
                    states.push(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
    }
    let all = permutations(columns);
    let least = |state: &Vec<u32>| all.iter().map(|p| permuted(system, state, p)).min();
    let least: HashSet<Option<Vec<u32>>> = known.iter().map(least).collect();
    least.len()
}

fn permutations(n: usize) -> Vec<Vec<u32>> {
    match n {
        0 => vec![Vec::new()],
        _ => permutations(n - 1)
            .into_iter()
            .flat_map(|shorter| {
                (0..n).map(move |at| {
                    let mut longer = shorter.clone();
                    longer.insert(at, n as u32 - 1);
                    longer
                })
            })
            .collect(),
    }
}

fn memory(seed: u64) -> Memory {
    [Memory::Any, Memory::Own, Memory::Nothing][seed as usize % 3]
}

#[test]
fn random_columns_obey_the_laws() {
    for seed in 0..40 {
        let system = Alike::new(2 + seed as usize % 3, memory(seed), seed);
        pins::check_permutations(&system, 200).expect("the laws hold");
        pins::check_laws(&system, 200).expect("the laws hold");
    }
}

#[test]
fn sorted_columns_are_one_state_for_each_orbit_and_weigh_as_much_as_all_states() {
    let mut reduced = 0;
    for seed in 0..60u64 {
        let columns = 2 + seed as usize % 3;
        let system = Alike::new(columns, Memory::Own, seed);
        let everything = plain(&system, 100_000);
        let states = everything.statistics.states;
        for order in [Order::Bfs, Order::Chaining] {
            let place = format!("seed {seed} {order:?}");
            let sorted = run(&system, (Representatives::Dynamic, order), 100_000, seed);
            let represented = sorted.statistics.symmetry.expect("columns are sorted");
            assert!(represented.is_precise, "{place}");
            assert_eq!(represented.states, Some(states.into()), "{place}");
            let orbits = orbits(&system, columns);
            assert_eq!(sorted.statistics.states, orbits.into(), "{place}");
            reduced += usize::from((orbits as u64) < states);
        }
    }
    assert!(reduced > 30, "{reduced}");
}

#[test]
fn verdicts_and_depths_are_those_of_plain_runs_and_paths_are_real() {
    let mut found = 0;
    for seed in 0..80u64 {
        let system = Alike::new(2 + seed as usize % 3, memory(seed), seed);
        let first = plain(&system, 1);
        let all = plain(&system, 100_000).statistics.states;
        for kind in [Representatives::Dynamic, Representatives::Multiple] {
            for order in [Order::Bfs, Order::Chaining] {
                let place = format!("seed {seed} {kind:?} {order:?}");
                let ours = run(&system, (kind, order), 1, seed);
                let count = ours.common.findings.len();
                assert_eq!(count, first.findings.len(), "{place}");
                assert!(ours.statistics.states <= all.into(), "{place}");
                for finding in &ours.common.findings {
                    found += 1;
                    assert_eq!(finding.path.len() as u32, finding.depth + 1, "{place}");
                    check_path(&system, finding, &place);
                }
                if let (Order::Bfs, [theirs, ..]) = (order, &first.findings[..]) {
                    assert_eq!(ours.common.findings[0].depth, theirs.depth, "{place}");
                }
            }
        }
    }
    assert!(found > 40, "{found}");
}
