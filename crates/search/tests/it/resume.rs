//! Claims about checkpoints: a resumed run ends as if it had never stopped, and only the same model is resumed.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use base::Id;
use pins::toy::{Sparse, Toy, counters, sparse};
use pins::{LabelKind, Shape, System, Worker};
use search::explicit::{
    Advance, Checkpoint, Config, Monitor, Open, Order, Outcome, Quiet, Refused, StoreKind, explore,
    search,
};

fn graph(seed: u64) -> Toy {
    sparse(Sparse {
        nodes: 200,
        groups: 4,
        setups: seed as u32 % 3,
        fault_in: 61,
        violation_in: 53,
        seed,
    })
}

fn config(system: &dyn System, path: &str) -> (Config, PathBuf) {
    let name = format!("{}-{path}", std::process::id());
    let path = std::env::temp_dir().join(format!("search-resume-{name}"));
    let mut config = Config::default();
    for (at, label) in system.shape().labels.iter().enumerate() {
        match label.kind {
            LabelKind::Invariant => config.checks.invariants.push(Id::new(at)),
            LabelKind::Assertion => config.checks.assertions.push(Id::new(at)),
            LabelKind::Goal => config.checks.goal = Some(Id::new(at)),
            LabelKind::Cover => config.checks.covers.push(Id::new(at)),
            LabelKind::End => config.checks.ends.push(Id::new(at)),
        }
    }
    config.checks.deadlock = true;
    config.checks.stop_after = usize::MAX;
    config.limits.max_memory = Some(16 << 20);
    config.checkpoint = Some(Checkpoint {
        path: path.clone(),
        every: Duration::from_secs(3600),
    });
    (config, path)
}

/// Stops after so many questions.
struct StopAfter(AtomicU64);

impl Monitor for StopAfter {
    fn should_stop(&self) -> bool {
        self.0
            .fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// Everything but time and memory. Which labels need not be asked depends on where a run stopped; with a lossy store and
/// without levels so do depths, because it is not known which states an expansion stored that was given up.
fn same(outcome: &Outcome, expected: &Outcome, order: Order, context: &str) {
    let (mut one, mut other) = (outcome.statistics.clone(), expected.statistics.clone());
    for statistics in [&mut one, &mut other] {
        statistics.wall = Duration::ZERO;
        (
            statistics.label_calls,
            statistics.store_bytes,
            statistics.peak_bytes,
        ) = (0, 0, 0);
        if order != Order::Bfs && outcome.open.contains(&Open::LossyStore) {
            statistics.depth = 0;
        }
    }
    assert_eq!(one, other, "{context}");
    assert_eq!(outcome.open, expected.open, "{context}");
    assert_eq!(outcome.is_complete, expected.is_complete, "{context}");
    // A lossy store does not know which of two threads came first.
    if !outcome.open.contains(&Open::LossyStore) {
        assert_eq!(outcome.findings, expected.findings, "{context}");
    }
    let what = |outcome: &Outcome| {
        let mut findings: Vec<_> = outcome
            .findings
            .iter()
            .map(|found| {
                let last = found.path.last().map(|step| step.state.clone());
                (found.kind, last, found.label)
            })
            .collect();
        findings.sort();
        findings
    };
    assert_eq!(what(outcome), what(expected), "{context}");
}

#[test]
fn a_paused_search_ends_as_one_that_was_not() {
    for seed in 0..8 {
        let toy = graph(seed);
        for order in [Order::Bfs, Order::Dfs, Order::Mixed] {
            for threads in [1, 3] {
                let (mut config, _) = config(&toy, "paused");
                config.checkpoint = None;
                (config.order, config.threads) = (order, threads);
                let expected = explore(&toy, &config, &Quiet).expect("it is not refused");
                for step in [1, 7, 100] {
                    let outcome = search(&toy, &config, None, &Quiet, |mut search| {
                        let (mut until, mut pauses) = (0, 0);
                        while search.advance(until)? == Advance::Paused {
                            (until, pauses) = (until + step, pauses + 1);
                            let at = search.standing();
                            // Several threads hold numbers that they have not given to states yet.
                            assert!(threads > 1 || at.states >= until - step);
                            assert!(at.left <= at.states);
                            assert!(at.starts > 0 && at.starts <= expected.statistics.start_edges);
                        }
                        let at = search.standing();
                        assert_eq!((at.states, at.left), (expected.statistics.states, 0));
                        assert!(pauses > 1, "it was paused");
                        Ok::<Outcome, Refused>(search.finish())
                    });
                    let outcome = outcome.and_then(|outcome| outcome);
                    let outcome = outcome.expect("it is not refused");
                    let context = format!("{seed} {order:?} {threads} {step}");
                    same(&outcome, &expected, order, &context);
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_stopped_and_resumed_again_and_again_ends_as_one_that_was_not() {
    for seed in [1, 2] {
        let system = graph(seed);
        for order in [Order::Bfs, Order::Dfs, Order::Mixed] {
            for store in [
                StoreKind::Tree,
                StoreKind::Plain,
                StoreKind::Fingerprint,
                StoreKind::Bitstate,
            ] {
                for threads in [1, 3] {
                    let context = format!("{seed}-{order:?}-{store:?}-{threads}");
                    let (mut config, path) = config(&system, &context);
                    (config.order, config.store, config.threads) = (order, store, threads);
                    let expected = explore(&system, &config, &Quiet).unwrap();
                    let mut parts = 0;
                    let outcome = loop {
                        let monitor = StopAfter(AtomicU64::new(53 + 31 * parts));
                        let outcome = explore(&system, &config, &monitor).unwrap();
                        assert_eq!(outcome.warnings, [""; 0]);
                        if !outcome.open.contains(&Open::Interrupted) {
                            break outcome;
                        }
                        config.resume = Some(path.clone());
                        // The number of threads may change on the way.
                        config.threads = if threads == 1 {
                            1
                        } else {
                            1 + parts as usize % 3
                        };
                        parts += 1;
                    };
                    assert!(parts > 2, "{context}: {parts}");
                    same(&outcome, &expected, order, &context);
                    let _ = std::fs::remove_file(path);
                }
            }
        }
    }
}

#[test]
fn checkpoints_are_written_while_the_run_goes_on() {
    let system = counters(5, 9);
    for order in [Order::Bfs, Order::Dfs] {
        let (mut config, path) = config(&system, &format!("periodic-{order:?}"));
        config.order = order;
        let expected = explore(&system, &config, &Quiet).unwrap();
        assert!(!path.exists(), "a run that ends leaves no checkpoint");
        config.checkpoint = Some(Checkpoint {
            path: path.clone(),
            every: Duration::from_millis(1),
        });
        same(
            &explore(&system, &config, &Quiet).unwrap(),
            &expected,
            order,
            "paused",
        );
        assert!(path.exists());
        config.resume = Some(path.clone());
        same(
            &explore(&system, &config, &Quiet).unwrap(),
            &expected,
            order,
            "resumed",
        );
        let _ = std::fs::remove_file(path);
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let system = graph(1);
    let (mut config, path) = config(&system, "refused");
    config.fingerprint = b"model one".to_vec();
    explore(&system, &config, &StopAfter(AtomicU64::new(60))).unwrap();
    let resumed = |system: &dyn System, change: &dyn Fn(&mut Config)| {
        let mut config = config.clone();
        config.checkpoint = None;
        config.resume = Some(path.clone());
        change(&mut config);
        explore(system, &config, &Quiet)
            .map(|_| ())
            .map_err(|refused| refused.to_string())
    };
    assert_eq!(resumed(&system, &|_| {}), Ok(()));
    assert_eq!(resumed(&system, &|config| config.threads = 2), Ok(()));
    type Change<'c> = (&'c dyn Fn(&mut Config), &'c str);
    let changes: [Change<'_>; 4] = [
        (
            &|config| config.fingerprint = b"model two".to_vec(),
            "another model",
        ),
        (
            &|config| config.checks.deadlock = false,
            "another set of checks",
        ),
        (
            &|config| config.order = Order::Dfs,
            "another search order or store",
        ),
        (
            &|config| config.store = StoreKind::Plain,
            "another search order or store",
        ),
    ];
    for (change, reason) in changes {
        let refused = resumed(&system, change).unwrap_err();
        assert!(refused.contains(reason), "{refused}");
    }
    assert!(
        resumed(&counters(4, 3), &|_| {})
            .unwrap_err()
            .contains("another model")
    );
    let bytes = std::fs::read(&path).unwrap();
    for damage in 0..60 {
        let at = damage * bytes.len() / 60;
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        std::fs::write(&path, &damaged).unwrap();
        assert!(resumed(&system, &|_| {}).is_err(), "byte {at}");
        std::fs::write(&path, &bytes[..at]).unwrap();
        assert!(resumed(&system, &|_| {}).is_err(), "cut at {at}");
    }
    let _ = std::fs::remove_file(&path);
    assert!(
        resumed(&system, &|_| {})
            .unwrap_err()
            .contains("cannot be used")
    );
}

/// A system with a table that must survive.
struct WithTable<'a>(&'a Toy, AtomicU64);

impl System for WithTable<'_> {
    fn shape(&self) -> &Shape {
        self.0.shape()
    }
    fn worker(&self) -> Box<dyn Worker + '_> {
        self.0.worker()
    }
    fn save(&self) -> Vec<u8> {
        self.1.load(Relaxed).to_le_bytes().to_vec()
    }
    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let bytes = saved
            .try_into()
            .map_err(|_| "eight bytes are expected".to_string())?;
        self.1.store(u64::from_le_bytes(bytes), Relaxed);
        Ok(())
    }
}

#[test]
fn the_tables_of_the_system_are_restored() {
    let toy = graph(2);
    let system = WithTable(&toy, AtomicU64::new(4711));
    let (mut config, path) = config(&system, "tables");
    explore(&system, &config, &StopAfter(AtomicU64::new(60))).unwrap();
    let fresh = WithTable(&toy, AtomicU64::new(0));
    (config.resume, config.checkpoint) = (Some(path.clone()), None);
    explore(&fresh, &config, &Quiet).unwrap();
    assert_eq!(fresh.1.load(Relaxed), 4711);
    let refused = explore(&toy, &config, &Quiet).unwrap_err();
    assert!(refused.to_string().contains("keeps no tables"), "{refused}");
    let _ = std::fs::remove_file(path);
}

const CHILD: &str = "SEARCH_RESUME_CHILD";

fn slow_counters() -> Toy {
    let mut system = counters(4, 9);
    let fast = system.successors;
    system.successors = Box::new(move |state, group, target, emit| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_micros(20) {
            std::hint::spin_loop();
        }
        fast(state, group, target, emit)
    });
    system
}

/// Only does something in the process that the next test starts and kills.
#[test]
fn child_that_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let system = slow_counters();
    let (mut config, _) = config(&system, "unused");
    config.threads = 2;
    config.checkpoint = Some(Checkpoint {
        path: path.into(),
        every: Duration::from_millis(20),
    });
    explore(&system, &config, &Quiet).unwrap();
}

#[test]
fn a_killed_run_is_resumed_with_the_same_counts() {
    let system = slow_counters();
    let (mut config, path) = config(&system, "killed");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "resume::child_that_is_killed"])
        .env(CHILD, &path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while !path.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    child.kill().unwrap();
    child.wait().unwrap();
    config.checkpoint = None;
    let expected = explore(&counters(4, 9), &config, &Quiet).unwrap();
    config.resume = Some(path.clone());
    same(
        &explore(&system, &config, &Quiet).unwrap(),
        &expected,
        Order::Bfs,
        "killed",
    );
    let _ = std::fs::remove_file(path.with_added_extension("part"));
    let _ = std::fs::remove_file(path);
}
