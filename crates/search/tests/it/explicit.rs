//! Claims about the explicit engine, held against a search that is too simple to be wrong.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use base::Id;
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
    let mut config = Config::default();
    for (at, label) in system.shape.labels.iter().enumerate() {
        match (label.kind, label.name.as_str()) {
            (LabelKind::Invariant, _) => config.checks.invariants.push(Id::new(at)),
            (LabelKind::Assertion, "setup") => config.checks.setup_labels.push(Id::new(at)),
            (LabelKind::Assertion, _) => config.checks.assertions.push(Id::new(at)),
            (LabelKind::Goal, _) => config.checks.goal = Some(Id::new(at)),
            (LabelKind::Cover, _) => config.checks.covers.push(Id::new(at)),
            (LabelKind::End, _) => config.checks.ends.push(Id::new(at)),
        }
    }
    config.checks.deadlock = true;
    config.checks.stop_after = usize::MAX;
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
fn counters_and_philosophers_have_their_known_counts() {
    let outcome = run(&counters(4, 7), &all(&counters(4, 7)));
    assert!(outcome.is_complete, "{:?}", outcome.open);
    assert_eq!(outcome.findings, []);
    let statistics = &outcome.statistics;
    assert_eq!(statistics.states, 7 * 7 * 7 * 7);
    assert_eq!(statistics.transitions, 4 * 6 * 7 * 7 * 7 + 1);
    assert_eq!(statistics.edges(), statistics.transitions + 1);
    assert_eq!(statistics.nodes(), statistics.states + 1);
    assert_eq!(statistics.next_state_calls, statistics.states * 5 + 1);
    assert_eq!(statistics.depth, 24);
    let table = philosophers(5);
    let outcome = run(&table, &all(&table));
    let deadlocks: Vec<_> = outcome
        .findings
        .iter()
        .map(|found| (found.kind, found.depth))
        .collect();
    assert_eq!(deadlocks, [(FindingKind::Deadlock, 5)]);
}

#[test]
fn every_order_store_and_number_of_threads_agrees_with_the_reference() {
    for seed in 0..12 {
        let system = graph(seed);
        let mut config = all(&system);
        let expected = reference(&system, &config);
        for order in ORDERS {
            for store in STORES {
                for threads in [1, 2, 3] {
                    (config.order, config.store, config.threads) = (order, store, threads);
                    let outcome = run(&system, &config);
                    let context = format!("seed {seed} {order:?} {store:?} {threads}");
                    check_paths(&system, &outcome);
                    if order == Order::Bfs {
                        assert_eq!(summary(&outcome), expected, "{context}");
                    } else {
                        let (found, expected) = (summary(&outcome), reference(&system, &config));
                        assert_eq!(without_depths(found), without_depths(expected), "{context}");
                    }
                    assert_eq!(outcome.is_complete, store.is_exact(), "{context}");
                    assert_eq!(outcome.open.is_empty(), store.is_exact(), "{context}");
                }
            }
        }
    }
}

fn run_on_disk(system: &dyn System, config: &Config) -> Outcome {
    let folder = std::env::temp_dir();
    explore_on_disk(system, config, &folder, &Quiet).expect("the run is not refused")
}

#[test]
fn states_in_files_give_what_states_in_memory_give() {
    for seed in 0..12 {
        let system = graph(seed);
        let mut config = all(&system);
        let expected = reference(&system, &config);
        for (threads, memory) in [(1, 64 << 20), (3, 64 << 20), (1, 1 << 18)] {
            config.threads = threads;
            config.limits.max_memory = Some(memory);
            let outcome = run_on_disk(&system, &config);
            check_paths(&system, &outcome);
            let context = format!("seed {seed}, {threads} threads, {memory} bytes");
            assert_eq!(summary(&outcome), expected, "{context}");
            assert!(outcome.is_complete, "{context}");
            assert!(outcome.statistics.disk_bytes > 0, "{context}");
        }
    }
    // Many levels, so that runs are put together again and again, and a path through all of them.
    let system = counters(3, 40);
    let outcome = run_on_disk(&system, &all(&system));
    assert_eq!(outcome.statistics.states, 40 * 40 * 40);
    assert_eq!(outcome.statistics.depth, 3 * 39);
    let table = philosophers(7);
    let outcome = run_on_disk(&table, &all(&table));
    check_paths(&table, &outcome);
    assert_eq!(outcome.findings.len(), 1);
}

#[test]
fn states_in_files_end_at_limits_with_a_reason() {
    let system = counters(4, 12);
    let mut config = all(&system);
    config.limits.max_states = Some(1000);
    let outcome = run_on_disk(&system, &config);
    assert_eq!(outcome.open, [Open::MaxStates]);
    assert_eq!(outcome.statistics.states, 1000);
    config.limits.max_states = None;
    config.limits.max_depth = Some(5);
    let outcome = run_on_disk(&system, &config);
    assert_eq!(outcome.open, [Open::MaxDepth]);
    assert_eq!(outcome.statistics.depth, 5);
    assert!(outcome.statistics.frontier > 0);
    let nowhere = std::env::temp_dir().join("no such folder");
    assert!(explore_on_disk(&system, &config, &nowhere, &Quiet).is_err());
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

#[test]
fn findings_and_paths_do_not_depend_on_threads() {
    for seed in [0, 6, 12, 18, 24] {
        let system = slow(graph(seed));
        let mut config = all(&system);
        for stop_after in [1, 3, usize::MAX] {
            config.checks.stop_after = stop_after;
            config.threads = 1;
            let alone = run(&system, &config);
            config.threads = 4;
            let shared = run(&system, &config);
            assert_eq!(alone.findings, shared.findings, "seed {seed}");
            assert_eq!(summary(&alone), summary(&shared), "seed {seed}");
            assert!(alone.findings.len() <= stop_after);
        }
    }
}

#[test]
fn at_one_depth_invariants_come_before_assertions_faults_and_deadlocks() {
    // From 0 to 1, 2 and 3; 1 faults on its way on, 2 violates the assertion, 3 the invariant, 4 is a deadlock.
    let groups = vec![group("go", &[0], &[0])];
    let mut system = toy(
        1,
        vec![0],
        groups,
        Box::new(|state, _, _, emit| {
            match state[0] {
                0 => [1, 2, 3].into_iter().for_each(|to| _ = emit(&[to], &[to])),
                1 => return Err(undefined("one")),
                2 => _ = emit(&[4], &[4]),
                3 => _ = emit(&[5], &[5]),
                5 => _ = emit(&[5], &[5]),
                _ => {}
            }
            Ok(())
        }),
    );
    system.shape.labels = vec![
        label(LabelKind::Invariant, "inv", &[0]),
        label(LabelKind::Assertion, "ass", &[0]),
    ];
    system.truth = Box::new(|state, label| match (state[0], label) {
        (3 | 5, 0) | (2 | 5, 1) => Truth::False,
        (4, 1) => Truth::Undefined(undefined("four")),
        _ => Truth::True,
    });
    let outcome = run(&system, &all(&system));
    let found: Vec<_> = outcome
        .findings
        .iter()
        .map(|found| (found.depth, found.kind, found.state))
        .collect();
    use FindingKind::{Assertion, Deadlock, Fault, Invariant};
    let expected = [
        (1, Invariant, Some(3)),
        (1, Assertion, Some(2)),
        (2, Invariant, Some(5)),
        (2, Assertion, Some(5)),
        (2, Fault, Some(1)),
        (2, Fault, Some(4)),
        (2, Deadlock, Some(4)),
    ];
    assert_eq!(found, expected);
    let mut first = all(&system);
    first.checks.stop_after = 1;
    let outcome = run(&system, &first);
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(outcome.findings[0].kind, Invariant);
    assert!(!outcome.is_complete && outcome.open.is_empty());
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
fn no_set_up_and_no_initial_state_are_findings() {
    let mut none = graph(1);
    (none.setups, none.initial) = (vec![], vec![]);
    let outcome = run(&none, &all(&none));
    assert_eq!(outcome.findings[0].kind, FindingKind::Setup);
    assert_eq!(outcome.findings[0].event, Some(Event::Setup));
    assert_eq!(outcome.statistics.nodes(), 1);
    assert_eq!(outcome.statistics.edges(), 0);
    let mut stuck = graph(1);
    stuck.initial = vec![vec![]; stuck.setups.len()];
    let outcome = run(&stuck, &all(&stuck));
    assert_eq!(outcome.findings[0].event, Some(Event::Initialisation));
    assert_eq!(outcome.statistics.states, 0);
}

#[test]
fn labels_on_set_ups_are_asked_of_every_set_up() {
    let system = sparse(Sparse {
        nodes: 50,
        groups: 2,
        setups: 8,
        fault_in: 0,
        violation_in: 0,
        seed: 5,
    });
    let config = all(&system);
    let outcome = run(&system, &config);
    // Set-up 5 is the one that violates it.
    let found = &outcome.findings[0];
    assert_eq!((found.kind, found.state), (FindingKind::Assertion, None));
    assert_eq!(found.path.len(), 1);
    assert_eq!(found.path[0].state[0], 5);
}

#[test]
fn limits_end_a_run_open_with_what_was_found() {
    let system = counters(5, 10);
    for order in ORDERS {
        for threads in [1, 2] {
            let limited = |limits: Limits| {
                let mut config = all(&system);
                (config.order, config.threads, config.limits) = (order, threads, limits);
                run(&system, &config)
            };
            let outcome = limited(Limits {
                max_states: Some(1000),
                ..Limits::default()
            });
            assert_eq!(outcome.open, [Open::MaxStates]);
            assert!(!outcome.is_complete);
            let states = outcome.statistics.states;
            assert!((1000..1000 + threads as u64).contains(&states), "{states}");
            assert!(outcome.statistics.frontier > 0);
            let outcome = limited(Limits {
                max_depth: Some(3),
                ..Limits::default()
            });
            assert_eq!(outcome.open, [Open::MaxDepth]);
            if order == Order::Bfs {
                assert_eq!(outcome.statistics.states, 56);
            }
            let outcome = limited(Limits {
                max_time: Some(Duration::ZERO),
                ..Limits::default()
            });
            assert_eq!(outcome.open, [Open::MaxTime]);
            for bytes in [300_000, 1_000_000] {
                let outcome = limited(Limits {
                    max_memory: Some(bytes),
                    ..Limits::default()
                });
                assert_eq!(outcome.open, [Open::MaxMemory], "{order:?} {threads}");
                let peak = outcome.statistics.peak_bytes;
                assert!(peak <= bytes + bytes / 8, "{peak} of {bytes}");
                assert!(outcome.statistics.states > 1000);
            }
        }
    }
    let system = graph(3);
    let mut config = all(&system);
    config.limits.max_setups = Some(1);
    let outcome = run(&system, &config);
    assert_eq!(outcome.open, [Open::MaxSetups]);
    assert_eq!(outcome.statistics.setups, 1);
    assert!(outcome.statistics.states > 1);
}

#[test]
fn a_run_that_just_fits_its_limit_on_states_is_complete() {
    let system = counters(3, 10);
    for order in ORDERS {
        for store in STORES {
            let limited = |most| {
                let mut config = all(&system);
                (config.order, config.store) = (order, store);
                config.limits.max_states = Some(most);
                run(&system, &config)
            };
            let outcome = limited(1000);
            assert_eq!(outcome.statistics.states, 1000);
            assert!(
                !outcome.open.contains(&Open::MaxStates),
                "{order:?} {store:?}"
            );
            assert_eq!(outcome.is_complete, store.is_exact());
            let outcome = limited(999);
            assert_eq!(outcome.statistics.states, 999);
            assert!(
                outcome.open.contains(&Open::MaxStates),
                "{order:?} {store:?}"
            );
        }
    }
}

/// Counters that violate a label at 1 and are lost in one evaluation at `trap`, until they are halted.
struct Endless {
    toy: Toy,
    trap: u32,
    /// Whether a label is the trap, and not a group.
    in_label: bool,
}

struct EndlessWorker<'a>(&'a Endless, Box<dyn Worker + 'a>, Halt);

impl Endless {
    fn is_trap(&self, state: &[u32]) -> bool {
        state.iter().sum::<u32>() == self.trap
    }
}

impl System for Endless {
    fn shape(&self) -> &Shape {
        &self.toy.shape
    }
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(EndlessWorker(self, self.toy.worker(), Halt::default()))
    }
}

impl EndlessWorker<'_> {
    fn stay(&self) -> Fault {
        while !self.2.is_set() {
            std::thread::yield_now();
        }
        Halt::fault()
    }
}

impl Worker for EndlessWorker<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        self.1.setups(emit)
    }
    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        self.1.initial(setup, emit)
    }
    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        if self.0.is_trap(state) && !self.0.in_label {
            return Err(self.stay());
        }
        self.1.successors(state, group, emit)
    }
    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.0.toy.shape.groups.len();
        let ask =
            |group, emit: &mut dyn FnMut(Step<'_>) -> Flow| self.successors(state, group, emit);
        pins::group_by_group(groups, ask, emit, fault);
    }
    fn label(&mut self, state: &[u32], _label: LabelId) -> Truth {
        if self.0.is_trap(state) && self.0.in_label {
            return Truth::Undefined(self.stay());
        }
        match state.iter().sum::<u32>() {
            1 => Truth::False,
            _ => Truth::True,
        }
    }
    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
    fn heed(&mut self, halt: Halt) {
        self.2 = halt;
    }
}

#[test]
fn an_evaluation_without_end_is_halted_and_what_was_found_is_told() {
    for in_label in [false, true] {
        let mut toy = counters(2, 9);
        toy.shape.labels = vec![label(LabelKind::Invariant, "small", &[0, 1])];
        let system = Endless {
            toy,
            trap: 5,
            in_label,
        };
        for (order, threads) in [(Order::Bfs, 1), (Order::Bfs, 2), (Order::Dfs, 1)] {
            let mut config = all(&system.toy);
            (config.order, config.threads) = (order, threads);
            config.checks.stop_after = 100;
            config.limits.max_time = Some(Duration::from_millis(400));
            let outcome = run(&system, &config);
            assert_eq!(outcome.open, [Open::MaxTime], "{order:?} {threads}");
            assert!(!outcome.is_complete);
            let kinds = outcome.findings.iter().map(|found| found.kind);
            assert!(kinds.clone().count() >= 1);
            assert!(kinds.into_iter().all(|kind| kind == FindingKind::Invariant));
        }
    }
}

#[test]
fn a_run_halted_in_a_check_leaves_the_checkpoint_as_it_was() {
    let mut toy = counters(2, 9);
    toy.shape.labels = vec![label(LabelKind::Invariant, "small", &[0, 1])];
    let system = Endless {
        toy,
        trap: 5,
        in_label: true,
    };
    let path = std::env::temp_dir().join(format!("burnside-halted-{}", std::process::id()));
    let mut config = all(&system.toy);
    config.checks.stop_after = 100;
    config.limits.max_time = Some(Duration::from_millis(400));
    config.checkpoint = Some(search::explicit::Checkpoint {
        path: path.clone(),
        every: Duration::from_secs(1000),
    });
    let outcome = run(&system, &config);
    assert!(!path.exists());
    assert!(
        outcome.warnings[0].contains("halted"),
        "{:?}",
        outcome.warnings
    );
}

struct StopAt {
    states: u64,
    asked: AtomicU64,
    told: AtomicU64,
}

impl Monitor for StopAt {
    fn progress(&self, progress: &Progress) {
        assert!(progress.states >= progress.frontier);
        self.told.fetch_add(1, Relaxed);
    }
    fn should_stop(&self) -> bool {
        self.asked.fetch_add(1, Relaxed) >= self.states
    }
}

#[test]
fn the_monitor_is_told_and_can_stop() {
    let system = counters(6, 10);
    for order in ORDERS {
        let mut config = all(&system);
        config.order = order;
        let monitor = StopAt {
            states: 5000,
            asked: AtomicU64::new(0),
            told: AtomicU64::new(0),
        };
        let outcome = explore(&system, &config, &monitor).unwrap();
        assert_eq!(outcome.open, [Open::Interrupted]);
        let left = outcome.statistics.states - outcome.statistics.frontier;
        assert!((4000..=5000).contains(&left), "{left}");
    }
}

#[test]
fn faults_of_the_budget_and_notes_make_a_run_open() {
    let mut system = counters(1, 3);
    system.successors = Box::new(|state, _, _, emit| {
        if state[0] == 2 {
            let mut fault = undefined("too large");
            fault.kind = pins::FaultKind::Budget;
            return Err(fault);
        }
        emit(&[], &[state[0] + 1]);
        Ok(())
    });
    system.shape.groups.truncate(1);
    let outcome = run(&system, &all(&system));
    assert_eq!(outcome.findings, []);
    assert!(
        matches!(&outcome.open[..], [Open::Budget(1, _)]),
        "{:?}",
        outcome.open
    );
    assert_eq!(outcome.notes, Notes::default());
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

#[test]
fn a_panic_in_the_system_is_a_panic_of_the_run() {
    let mut system = slow(counters(4, 6));
    let fine = system.successors;
    system.successors = Box::new(move |state, group, target, emit| {
        assert!(state.iter().sum::<u32>() < 12, "broken");
        fine(state, group, target, emit)
    });
    let mut config = all(&system);
    config.threads = 3;
    let run = std::panic::AssertUnwindSafe(|| explore(&system, &config, &Quiet));
    assert!(std::panic::catch_unwind(run).is_err());
}

/// As many set-ups as wanted, each with a counter that goes to 2.
fn many_setups(count: u32) -> Toy {
    let mut many = toy(
        2,
        vec![0, 0],
        vec![group("count", &[1], &[1])],
        Box::new(|state, _, target, emit| {
            if state[1] < 2 {
                target.clear();
                target.extend_from_slice(&[state[0], state[1] + 1]);
                emit(&[], target);
            }
            Ok(())
        }),
    );
    many.shape.slots[0].is_constant = true;
    many.shape.has_setup = true;
    many.setups = (0..count).map(|i| vec![i, 0]).collect();
    many.initial = (0..count).map(|i| vec![vec![i, 0]]).collect();
    many
}

#[test]
fn very_many_setups_are_explored_in_batches_with_the_counts_of_one_run() {
    let many = many_setups(45_000);
    let outcome = explore(&many, &Config::default(), &Quiet).unwrap();
    let counted = &outcome.statistics;
    assert!(outcome.is_complete);
    assert_eq!(outcome.findings, []);
    assert_eq!((counted.setups, counted.states), (45_000, 135_000));
    assert_eq!((counted.transitions, counted.start_edges), (90_000, 90_000));
    assert_eq!(counted.depth, 2);
    assert_eq!(outcome.warnings.len(), 1, "{:?}", outcome.warnings);
    let mut limited = Config::default();
    limited.limits.max_states = Some(70_000);
    let outcome = explore(&many, &limited, &Quiet).unwrap();
    assert_eq!(outcome.open, [Open::MaxStates]);
    assert_eq!(outcome.statistics.states, 70_000);
    limited.limits.max_states = None;
    limited.limits.max_setups = Some(30_000);
    let outcome = explore(&many, &limited, &Quiet).unwrap();
    assert_eq!(outcome.open, [Open::MaxSetups]);
    assert_eq!(outcome.statistics.setups, 30_000);
}

/// A system whose set-ups are never found.
struct Hard(Shape);

struct Seeking(Halt);

impl System for Hard {
    fn shape(&self) -> &Shape {
        &self.0
    }
    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Seeking(Halt::default()))
    }
}

impl Worker for Seeking {
    fn setups(&mut self, _: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        while !self.0.is_set() {
            std::thread::yield_now();
        }
        Err(Halt::fault())
    }
    fn initial(&mut self, _: &[u32], _: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        Ok(())
    }
    fn successors(
        &mut self,
        _: &[u32],
        _: GroupId,
        _: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        Ok(())
    }
    fn all_successors(
        &mut self,
        _: &[u32],
        _: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        _: &mut dyn FnMut(GroupId, Fault),
    ) {
    }
    fn label(&mut self, _: &[u32], _: LabelId) -> Truth {
        Truth::True
    }
    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
    fn heed(&mut self, halt: Halt) {
        self.0 = halt;
    }
}

#[test]
fn setups_that_are_not_found_in_time_leave_the_run_open() {
    let hard = Hard(many_setups(1).shape);
    let mut config = Config::default();
    config.limits.max_time = Some(Duration::from_millis(100));
    let outcome = explore(&hard, &config, &Quiet).unwrap();
    assert_eq!(outcome.findings, []);
    assert_eq!(outcome.open, [Open::MaxTime]);
    assert!(!outcome.is_complete);
}
