//! Interchangeable processes: groups that are found, and states counted under every strategy, against brute force.

mod found;
mod partial;
mod published;
mod random;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use base::{Name, Sources};
use lang_promela::preprocess::{self, Definition};
use lang_promela::{check, parse};
use permgroup::Group;
use pins::{Flow, System as _};
use program::{Program, State};
use program_compile::processes::{Options, Packing, System};
use program_interp::{End, Machine};
use program_symmetry::{Entries, Scanning, Symmetry, settled_locations};
use reduce::symmetry::{Method, Quotient, Strategy, Yield};

/// Lowers a text.
fn program(text: &str) -> Program {
    let mut sources = Sources::new();
    let file = sources.add("test.pml", text.to_owned());
    let options = preprocess::Options::default();
    let read = preprocess::text_of(file, &options, &base::Files::disk(), &mut sources);
    lowered(read, lower_promela::Options::default()).expect("the text is right")
}

/// Lowers a file with one macro, counted as SPIN counts by default.
fn program_in(path: &Path, processes: Option<usize>) -> Option<Program> {
    let mut sources = Sources::new();
    let macros = processes.map(|n| Definition::Define("N".to_owned(), n.to_string()));
    let options = preprocess::Options {
        macros: macros.into_iter().collect(),
        folders: Vec::new(),
    };
    let read = preprocess::run(path, &options, &base::Files::disk(), &mut sources)
        .expect("the file is there");
    let options = lower_promela::Options {
        spin_counts: true,
        ..lower_promela::Options::default()
    };
    lowered(read, options)
}

/// The program of a text without mistakes.
fn lowered(read: preprocess::Preprocessed, options: lower_promela::Options) -> Option<Program> {
    let checked = check::run(parse::program(read));
    let is_right = !checked.diagnostics.has_errors();
    is_right.then(|| lower_promela::lower(&checked, Name::new("test"), options))
}

/// The first settled states, by the reference evaluator.
fn entries(program: &Program) -> Entries {
    let settled: Vec<Vec<bool>> = program
        .proctypes
        .iter()
        .map(|(_, kind)| settled_locations(program, &kind.graph))
        .collect();
    let machine = Machine::new(program);
    let first = machine.initial().pop().expect("a start").state;
    let mut queue = VecDeque::from([first.expect("no fault").expect("a state")]);
    let mut states: Vec<State> = Vec::new();
    while let Some(state) = queue.pop_front() {
        let mut all = state.processes.iter();
        if all.all(|p| settled[p.proctype.index()][p.location.index()]) {
            states.push(state);
            continue;
        }
        let steps = machine.steps(&state).into_iter();
        queue.extend(steps.filter_map(|step| match step.end {
            End::State(next) => Some(next),
            _ => None,
        }));
    }
    Entries {
        states,
        is_complete: true,
    }
}

/// A system that can be permuted, with its symmetry.
fn symmetric(text: &str, packing: Packing) -> (System, Symmetry) {
    permuted(program(text), packing)
}

fn permuted(program: Program, packing: Packing) -> (System, Symmetry) {
    let program = Arc::new(program);
    let entries = entries(&program);
    let found = program_symmetry::find(&program, &entries, &[], &[]).expect("there is an answer");
    let mut system =
        System::with_packing(program, Options::default(), packing).expect("it has code");
    system.permute_by(&found, &entries.states[0]);
    (system, found)
}

fn order(text: &str) -> Option<u128> {
    symmetric(text, Packing::Separate).1.group.order()
}

/// The states of a system, breadth-first; none beyond so many.
fn explore(system: &dyn pins::System, most: usize) -> Option<BTreeSet<Vec<u32>>> {
    let mut worker = system.worker();
    let mut queue = VecDeque::new();
    let blank = vec![0; system.shape().slots.len()];
    worker
        .initial(&blank, &mut |state| {
            queue.push_back(state.to_vec());
            Flow::Continue
        })
        .expect("there is a start");
    let mut seen: BTreeSet<Vec<u32>> = queue.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        worker.all_successors(
            &state,
            &mut |_, step| {
                if seen.insert(step.target.to_vec()) {
                    queue.push_back(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
        if seen.len() > most {
            return None;
        }
    }
    worker.take_notes();
    Some(seen)
}

/// Whether a state has no step.
fn has_deadlock(system: &dyn pins::System) -> bool {
    let all = explore(system, usize::MAX).expect("there is no limit");
    let mut worker = system.worker();
    all.iter().any(|state| {
        let any = std::cell::Cell::new(false);
        worker.all_successors(
            state,
            &mut |_, _| {
                any.set(true);
                Flow::Continue
            },
            &mut |_, _| any.set(true),
        );
        !any.get()
    })
}

fn states(system: &dyn pins::System) -> u64 {
    explore(system, usize::MAX).map_or(0, |seen| seen.len() as u64)
}

/// All states, and how many are left when those that a permutation maps to each other are counted once.
fn brute_force(system: &System, found: &Symmetry) -> (usize, usize) {
    let seen = explore(system, usize::MAX).expect("there is no limit");
    let Some(action) = system.action() else {
        return (seen.len(), seen.len());
    };
    let lives = action.lives[..action.ends].iter();
    let ending: Vec<u32> = lives.map(|life| life.point).collect();
    // Where some processes have ended, states are permuted by what holds these.
    let chain = Group::with_base(found.points.count, action.generators.clone(), &ending);
    let groups: Vec<Group> = (0..=ending.len())
        .map(|ended| {
            let level = chain.levels().get(ended);
            let generators = level.map_or(Vec::new(), |level| level.generators().to_vec());
            Group::new(found.points.count, generators)
        })
        .collect();
    let least = |state: &Vec<u32>| {
        let mut least = state.clone();
        if let Some(stage) = action.stage(state) {
            groups[stage].each_element(&mut |images| {
                least = least.clone().min(action.permute(state, images));
                true
            });
        }
        least
    };
    let orbits: BTreeSet<Vec<u32>> = seen.iter().map(least).collect();
    (seen.len(), orbits.len())
}

const STRATEGIES: [Strategy; 9] = [
    Strategy::Enumerate,
    Strategy::Sorted,
    Strategy::Segmented,
    Strategy::PcSorted,
    Strategy::PcSegmented,
    Strategy::Local,
    Strategy::Flattened,
    Strategy::ExactMarkers,
    Strategy::ApproxMarkers,
];

/// Every strategy keeps its promise on a program; gives states and orbits.
fn hold_to_promises(text: &str) -> (u64, u64) {
    let mut both = BTreeMap::new();
    for packing in [Packing::Separate, Packing::Tight] {
        let (system, found) = symmetric(text, packing);
        pins::check_action(&system, 60).unwrap_or_else(|broken| panic!("{text}\n{broken:?}"));
        pins::check_groups(&system, 60).unwrap_or_else(|broken| panic!("{text}\n{broken:?}"));
        let is_moved = system.action().is_none_or(|a| !a.groups.is_empty());
        assert!(is_moved, "where steps are taken is not known: {text}");
        let (all, orbits) = brute_force(&system, &found);
        let (all, orbits) = (all as u64, orbits as u64);
        let Some(action) = system.action() else {
            both.insert((all, orbits), ());
            continue;
        };
        let is_stuck = has_deadlock(&system);
        for method in [Method::Exact, Method::Canonical] {
            let quotient = Quotient::new(&system, method.clone()).expect("there is a group");
            assert_eq!(states(&quotient), orbits, "{method:?} on {text}");
            let measure = quotient.measure();
            if action.keeps_start {
                assert_eq!(
                    measure.states,
                    Some(u128::from(all)),
                    "{method:?} on {text}"
                );
            }
            assert_eq!(has_deadlock(&quotient), is_stuck, "{method:?} on {text}");
        }
        for strategy in STRATEGIES {
            let method = Method::Acting(strategy);
            let quotient = Quotient::new(&system, method).expect("there is a group");
            let counted = states(&quotient);
            match strategy.promise(action) {
                Yield::One => assert_eq!(counted, orbits, "{strategy:?} on {text}"),
                Yield::Several => {
                    assert!(
                        counted >= orbits && counted <= all,
                        "{strategy:?} on {text}"
                    );
                }
                Yield::Merging => assert!(counted <= all, "{strategy:?} on {text}"),
            }
        }
        both.insert((all, orbits), ());
    }
    assert_eq!(both.len(), 1, "packing does not change counts of {text}");
    *both.keys().next().expect("there is one")
}

const MUTEX: &str = "
    byte inside; bit flag[4];
    proctype user() {
        do
        :: flag[_pid] = 1;
           atomic { inside == 0 -> inside++ };
           inside--; flag[_pid] = 0
        od
    }
    init { atomic { run user(); run user(); run user() } }";

#[test]
fn processes_of_one_text_are_interchangeable() {
    assert_eq!(order(MUTEX), Some(6));
    hold_to_promises(MUTEX);
}
