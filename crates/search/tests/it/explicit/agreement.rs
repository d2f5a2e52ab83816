//! Counts, findings and paths are those of the simplest search, whatever the order, the store and the threads.

use super::*;

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
