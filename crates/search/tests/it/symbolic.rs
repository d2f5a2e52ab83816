//! The symbolic engine against the explicit one, on systems with known counts and on random ones.

use pins::toy::{Sparse, counters, philosophers, sparse};
use pins::{LabelId, System};
use search::explicit::{self, Checks, FindingKind, Limits, Open, Quiet};
use search::symbolic::order::Reorder;
use search::symbolic::{self, Config, Order, Outcome};

const ORDERS: [Order; 3] = [Order::Bfs, Order::Chaining, Order::Saturation];

fn all_checks(system: &dyn System, stop_after: usize) -> Checks {
    let mut checks = Checks {
        deadlock: true,
        stop_after,
        ..Checks::default()
    };
    for (at, label) in system.shape().labels.iter().enumerate() {
        let id = LabelId::new(at);
        match label.kind {
            pins::LabelKind::Invariant => checks.invariants.push(id),
            pins::LabelKind::Assertion if label.name.as_str() == "setup" => {
                checks.setup_labels.push(id);
            }
            pins::LabelKind::Assertion => checks.assertions.push(id),
            pins::LabelKind::Goal => {}
            pins::LabelKind::Cover => checks.covers.push(id),
            pins::LabelKind::End => checks.ends.push(id),
        }
    }
    checks
}

fn symbolic(system: &dyn System, config: Config) -> Outcome {
    symbolic::explore(system, &config, &Quiet).expect("the run starts")
}

fn explicit(system: &dyn System, checks: Checks) -> explicit::Outcome {
    let config = explicit::Config {
        checks,
        ..explicit::Config::default()
    };
    explicit::explore(system, &config, &Quiet).expect("the run starts")
}

fn config(order: Order, threads: usize, checks: Checks) -> Config {
    Config {
        order,
        threads,
        checks,
        count_transitions: true,
        ..Config::default()
    }
}

#[test]
fn known_counts_are_found_in_every_order_and_with_threads() {
    for order in ORDERS {
        for threads in [1, 2] {
            for reorder in [Reorder::None, Reorder::Best] {
                let system = counters(6, 5);
                let config = Config {
                    reorder,
                    ..config(order, threads, all_checks(&system, 1))
                };
                let outcome = symbolic(&system, config);
                assert_eq!(outcome.statistics.states, 15_625u32.into(), "{order:?}");
                assert!(outcome.common.is_complete);
                // Five short vectors for each counter, and all states for the reset, plus the start.
                assert_eq!(
                    outcome.common.statistics.next_state_calls,
                    6 * 5 + 15_625 + 1
                );
                let system = philosophers(9);
                let outcome = symbolic(
                    &system,
                    Config {
                        reorder,
                        ..Config {
                            order,
                            threads,
                            ..Config::default()
                        }
                    },
                );
                let expected = explicit(&system, Checks::default());
                let states = expected.statistics.states;
                assert_eq!(outcome.statistics.states, states.into());
            }
        }
    }
}

#[test]
fn diagrams_hold_more_states_than_any_store() {
    let system = philosophers(120);
    let config = Config {
        order: Order::Saturation,
        ..Config::default()
    };
    let outcome = symbolic(&system, config);
    assert!(outcome.common.is_complete);
    assert!(
        outcome.statistics.states.bits() > 150,
        "{}",
        outcome.statistics.states
    );
    assert!(outcome.statistics.ldd_nodes < 5_000);
}

#[test]
fn random_systems_have_the_states_transitions_and_findings_of_explicit_search() {
    for seed in 0..80u64 {
        let system = sparse(Sparse {
            nodes: 60 + seed as u32,
            groups: 4,
            setups: seed as u32 % 4,
            fault_in: [0, 0, 40][seed as usize % 3],
            violation_in: [0, 30][seed as usize % 2],
            seed,
        });
        // Some steps lead back, and some only where a slot holds what they write without reading it.
        let checks = |stop_after: usize| Checks {
            stuttering: seed % 5 < 2,
            ..all_checks(&system, stop_after)
        };
        let everything = explicit(&system, checks(100_000));
        let first = explicit(&system, checks(1));
        for order in ORDERS {
            let place = format!("seed {seed} {order:?}");
            // What is not kept between two operations shows when garbage is collected before each of them.
            let all = symbolic(
                &system,
                Config {
                    collects_always: true,
                    ..config(order, 1, checks(100_000))
                },
            );
            assert_eq!(
                all.statistics.states,
                everything.statistics.states.into(),
                "{place}"
            );
            let transitions = everything.statistics.transitions;
            assert_eq!(
                all.statistics.transitions,
                Some(transitions.into()),
                "{place}"
            );
            assert_eq!(all.common.statistics.setups, everything.statistics.setups);
            assert_eq!(
                all.common.statistics.start_edges,
                everything.statistics.start_edges
            );
            assert_eq!(kinds(&all.common), kinds(&everything), "{place}");
            let one = symbolic(&system, config(order, 1, checks(1)));
            assert_eq!(one.common.findings.len(), first.findings.len(), "{place}");
            for finding in &one.common.findings {
                check_path(&system, finding, &place);
            }
            if let (Order::Bfs, [theirs, ..]) = (order, &first.findings[..]) {
                let ours = &one.common.findings[0];
                assert_eq!(
                    (ours.depth, ours.kind),
                    (theirs.depth, theirs.kind),
                    "{place}"
                );
            }
        }
    }
}

/// Which labels are false or undefined, which groups fault, whether there are deadlocks.
fn kinds(outcome: &explicit::Outcome) -> Vec<(FindingKind, Option<LabelId>, Option<pins::Event>)> {
    let findings = outcome.findings.iter();
    let mut kinds: Vec<_> = findings.map(|f| (f.kind, f.label, f.event)).collect();
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    kinds
}

/// Every step of a path is one that the system gives.
pub fn check_path(system: &dyn System, finding: &explicit::Finding, place: &str) {
    let mut worker = system.worker();
    for pair in finding.path.windows(2) {
        let (from, step) = (&pair[0], &pair[1]);
        let mut is_given = false;
        match step.event {
            pins::Event::Setup => panic!("{place}: a set-up is the first step"),
            pins::Event::Initialisation => {
                let _ = worker.initial(&from.state, &mut |state| {
                    is_given |= state == step.state;
                    pins::Flow::Continue
                });
            }
            pins::Event::Group(group) => {
                let _ = worker.successors(&from.state, group, &mut |given| {
                    is_given |= given.target == step.state && given.label == step.words;
                    pins::Flow::Continue
                });
            }
        }
        assert!(is_given, "{place}: {step:?} does not follow");
    }
    let steps = finding.path.iter();
    let steps = steps
        .filter(|step| matches!(step.event, pins::Event::Group(_)))
        .count();
    let is_step = matches!(finding.event, Some(pins::Event::Group(_)));
    if finding.state.is_some() {
        assert_eq!(
            finding.depth as usize,
            steps + usize::from(is_step),
            "{place}"
        );
    }
}

#[test]
fn limits_end_a_run_open_with_what_was_reached() {
    let system = counters(8, 9);
    let limited = |limits: Limits, order: Order| {
        symbolic(
            &system,
            Config {
                limits,
                order,
                ..Config::default()
            },
        )
    };
    let by_states = Limits {
        max_states: Some(1000),
        ..Limits::default()
    };
    for order in [Order::Bfs, Order::Chaining] {
        let outcome = limited(by_states.clone(), order);
        assert_eq!(outcome.common.open, [Open::MaxStates], "{order:?}");
        assert!(outcome.statistics.states >= 1000u32.into());
        assert!(!outcome.common.is_complete);
    }
    let by_depth = Limits {
        max_depth: Some(2),
        ..Limits::default()
    };
    let outcome = limited(by_depth, Order::Bfs);
    assert_eq!(outcome.common.open, [Open::MaxDepth]);
    assert_eq!(outcome.statistics.states, (1 + 8 + 36u32).into());
    for order in ORDERS {
        let by_time = Limits {
            max_time: Some(std::time::Duration::ZERO),
            ..Limits::default()
        };
        let outcome = limited(by_time, order);
        assert_eq!(outcome.common.open, [Open::MaxTime], "{order:?}");
        assert!(outcome.statistics.states >= 1u32.into());
    }
}

#[test]
fn a_small_budget_gives_the_same_counts_or_an_open_end() {
    let system = philosophers(14);
    let expected = symbolic(&system, Config::default()).statistics.states;
    for order in ORDERS {
        for megabytes in [2, 4, 400] {
            let outcome = symbolic(
                &system,
                Config {
                    order,
                    limits: Limits {
                        max_memory: Some(megabytes << 20),
                        ..Limits::default()
                    },
                    ..Config::default()
                },
            );
            match &outcome.common.open[..] {
                [] => assert_eq!(outcome.statistics.states, expected, "{order:?} {megabytes}"),
                [Open::MaxMemory] => assert!(outcome.statistics.states <= expected),
                open => panic!("{open:?}"),
            }
        }
    }
}
