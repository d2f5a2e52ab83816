//! Claims about the explicit engine, held against a search that is too simple to be wrong.

mod agreement;
mod ends;
mod setups;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use pins::Event;
use pins::toy::{Sparse, Toy, counters, group, label, philosophers, sparse, toy, undefined};
use pins::{
    Fault, Flow, GroupId, Halt, LabelId, LabelKind, Notes, Shape, Step, System, Truth, Worker,
};
use search::explicit::{
    Config, Finding, FindingKind, Limits, Monitor, Open, Order, Outcome, Progress, Quiet,
    StoreKind, explore, explore_on_disk,
};

const ORDERS: [Order; 3] = [Order::Bfs, Order::Dfs, Order::Mixed];
const STORES: [StoreKind; 4] = [
    StoreKind::Tree,
    StoreKind::Plain,
    StoreKind::Fingerprint,
    StoreKind::Bitstate,
];

/// Everything is checked; nothing ends the run early.
fn all(system: &Toy) -> Config {
    let mut config = crate::distributed::all(system);
    // A bitstate store takes half of this.
    config.limits.max_memory = Some(64 << 20);
    config
}

fn run(system: &dyn System, config: &Config) -> Outcome {
    explore(system, config, &Quiet).expect("the run is not refused")
}

fn graph(seed: u64) -> Toy {
    sparse(Sparse {
        nodes: 60 + (seed as u32 * 37) % 700,
        groups: 2 + seed as u32 % 5,
        setups: seed as u32 % 4,
        fault_in: if seed.is_multiple_of(2) { 41 } else { 0 },
        violation_in: if seed.is_multiple_of(3) { 53 } else { 0 },
        seed,
    })
}

/// A system slow enough that levels are shared among threads.
fn slow(mut system: Toy) -> Toy {
    let fast = system.successors;
    system.successors = Box::new(move |state, group, target, emit| {
        let begin = std::time::Instant::now();
        while begin.elapsed() < Duration::from_micros(3) {
            std::hint::spin_loop();
        }
        fast(state, group, target, emit)
    });
    system
}

/// What the simplest search finds: counts, and the depth and kind of every finding.
#[derive(Debug, Default, PartialEq)]
struct Reference {
    states: u64,
    setups: u64,
    transitions: u64,
    start_edges: u64,
    calls: u64,
    depth: u32,
    groups: Vec<u64>,
    values: Vec<usize>,
    findings: Vec<(u32, FindingKind)>,
}

fn reference(system: &Toy, config: &Config) -> Reference {
    let mut worker = system.worker();
    let mut found = Reference::default();
    let (mut depths, mut queue) = (HashMap::new(), VecDeque::new());
    let groups = system.shape.groups.len();
    found.groups = vec![0; groups];
    let mut values = vec![HashSet::new(); system.shape.slots.len()];
    if system.shape.has_setup {
        found.setups = system.setups.len() as u64;
        found.start_edges = found.setups;
        found.calls = 1;
    }
    for (setup, initial) in system.setups.iter().zip(&system.initial) {
        found.calls += 1;
        for label in &config.checks.setup_labels {
            if system.shape.has_setup && (system.truth)(setup, label.index()) != Truth::True {
                found.findings.push((0, FindingKind::Assertion));
            }
        }
        let distinct: HashSet<_> = initial.iter().collect();
        found.start_edges += distinct.len() as u64;
        for state in initial {
            if depths.insert(state.clone(), 0).is_none() {
                queue.push_back(state.clone());
            }
        }
    }
    while let Some(state) = queue.pop_front() {
        let depth = depths[&state];
        found.depth = found.depth.max(depth);
        found.states += 1;
        for (values, value) in values.iter_mut().zip(&state) {
            values.insert(*value);
        }
        for (labels, kind, wanted) in [
            (&config.checks.invariants[..], FindingKind::Invariant, true),
            (&config.checks.assertions, FindingKind::Assertion, true),
            (config.checks.goal.as_slice(), FindingKind::Goal, false),
        ] {
            for label in labels {
                match (system.truth)(&state, label.index()) {
                    Truth::Undefined(_) => found.findings.push((depth, FindingKind::Fault)),
                    truth if (truth == Truth::True) != wanted => found.findings.push((depth, kind)),
                    _ => {}
                }
            }
        }
        let mut steps = HashSet::new();
        let mut faults = 0;
        let mut targets = Vec::new();
        worker.all_successors(
            &state,
            &mut |group, step| {
                if steps.insert((group, step.label.to_vec(), step.target.to_vec())) {
                    found.transitions += 1;
                    found.groups[group.index()] += 1;
                }
                targets.push(step.target.to_vec());
                Flow::Continue
            },
            &mut |_, _| faults += 1,
        );
        found.calls += groups as u64;
        if steps.is_empty() && faults == 0 {
            found.findings.push((depth, FindingKind::Deadlock));
        }
        for _ in 0..faults {
            found.findings.push((depth + 1, FindingKind::Fault));
        }
        for target in targets {
            if !depths.contains_key(&target) {
                depths.insert(target.clone(), depth + 1);
                queue.push_back(target);
            }
        }
    }
    found.findings.sort();
    found.values = values.iter().map(HashSet::len).collect();
    found
}

fn summary(outcome: &Outcome) -> Reference {
    let statistics = &outcome.statistics;
    Reference {
        states: statistics.states,
        setups: statistics.setups,
        transitions: statistics.transitions,
        start_edges: statistics.start_edges,
        calls: statistics.next_state_calls,
        depth: statistics.depth,
        groups: statistics.group_transitions.clone(),
        values: statistics
            .slot_values
            .iter()
            .map(|values| values.count as usize)
            .collect(),
        findings: outcome
            .findings
            .iter()
            .map(|found| (found.depth, found.kind))
            .collect(),
    }
}

/// Depth-first runs find the same at other depths.
fn without_depths(mut reference: Reference) -> Reference {
    reference.depth = 0;
    for (depth, _) in &mut reference.findings {
        *depth = 0;
    }
    reference.findings.sort();
    reference
}

/// Every step of every path is a step of the system, and the end is what the finding says.
fn check_paths(system: &Toy, outcome: &Outcome) {
    for finding in &outcome.findings {
        check_path(system, finding);
    }
}

fn check_path(system: &Toy, finding: &Finding) {
    let mut path = finding.path.iter();
    let setup = if system.shape.has_setup {
        let step = path.next().expect("a path begins with the set-up");
        assert_eq!(step.event, Event::Setup);
        step.state.clone()
    } else {
        system.setups[0].clone()
    };
    let at = system
        .setups
        .iter()
        .position(|known| *known == setup)
        .expect("a set-up");
    if finding.state.is_none() {
        assert!(path.next().is_none());
        return;
    }
    let first = path.next().expect("then an initial state");
    assert_eq!(first.event, Event::Initialisation);
    assert!(system.initial[at].contains(&first.state));
    let mut state = first.state.clone();
    let mut worker = system.worker();
    let mut steps = 0;
    for step in path {
        let Event::Group(group) = step.event else {
            panic!("{step:?}");
        };
        let mut is_there = false;
        let _ = worker.successors(&state, group, &mut |given| {
            is_there |= given.label == step.words && given.target == step.state;
            Flow::Continue
        });
        assert!(is_there, "{step:?} from {state:?}");
        state.clone_from(&step.state);
        steps += 1;
    }
    let faulted = u32::from(finding.event.is_some());
    assert_eq!(finding.depth, steps + faulted);
    match (finding.kind, finding.label, finding.event) {
        (FindingKind::Invariant | FindingKind::Assertion, Some(label), _) => {
            assert_eq!((system.truth)(&state, label.index()), Truth::False);
        }
        (FindingKind::Goal, Some(label), _) => {
            assert_eq!((system.truth)(&state, label.index()), Truth::True);
        }
        (FindingKind::Fault, _, Some(Event::Group(group))) => {
            let answer = worker.successors(&state, group, &mut |_| Flow::Continue);
            assert_eq!(answer.err(), finding.fault);
        }
        (FindingKind::Deadlock, ..) => {
            let mut none = |_, _: pins::Step<'_>| panic!("a deadlock has no successors");
            worker.all_successors(&state, &mut none, &mut |_, _| panic!("nor faults"));
        }
        _ => panic!("{finding:?}"),
    }
}

#[test]
fn a_conjunct_is_asked_again_exactly_when_one_of_its_slots_changed_or_the_parent_was_bad() {
    let asked = std::sync::Arc::new(AtomicU64::new(0));
    let mut system = counters(2, 10);
    let count = asked.clone();
    system.truth = Box::new(move |state, label| {
        count.fetch_add(1, Relaxed);
        // Counter 1 is bad from 8 on: 9 is only noticed if 8 does not count as checked.
        if label == 1 && state[1] >= 8 {
            Truth::False
        } else {
            Truth::True
        }
    });
    let outcome = run(&system, &all(&system));
    assert_eq!(
        outcome.findings.len(),
        20,
        "every bad state is reported, also after a bad parent"
    );
    // Two labels for the initial state; one for each new state of a good parent, two of a bad one.
    let total = asked.load(Relaxed);
    assert_eq!(total, outcome.statistics.label_calls);
    assert!((2 + 99..2 + 99 + 30).contains(&total), "{total}");
}

#[test]
fn groups_of_one_name_share_their_transitions() {
    let mut system = toy(
        1,
        vec![0],
        vec![group("step", &[0], &[0]), group("step", &[0], &[0])],
        Box::new(|state, group, _, emit| {
            if state[0] < 5 {
                emit(&[7], &[state[0] + 1]);
                emit(&[group as u32], &[state[0] + 1]);
            }
            Ok(())
        }),
    );
    let outcome = run(&system, &all(&system));
    assert_eq!(outcome.statistics.transitions, 5 * 3);
    system.shape.groups[1].name = "other".into();
    assert_eq!(run(&system, &all(&system)).statistics.transitions, 5 * 4);
}

#[test]
fn a_system_without_slots_has_one_state() {
    for order in ORDERS {
        for store in STORES {
            let system = toy(
                0,
                vec![],
                vec![group("skip", &[], &[])],
                Box::new(|_, _, _, emit| {
                    emit(&[3], &[]);
                    Ok(())
                }),
            );
            let mut config = all(&system);
            (config.order, config.store) = (order, store);
            let outcome = run(&system, &config);
            assert_eq!(
                (outcome.statistics.states, outcome.statistics.transitions),
                (1, 1)
            );
            assert_eq!(outcome.findings, []);
        }
    }
}
