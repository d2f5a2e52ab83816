//! A run ends open, with its reason, at limits, at halted evaluations and when somebody says stop.

use super::*;

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
            // A further thread adds one more, or holds a number that no state got.
            let further = threads as u64 - 1;
            assert!(
                (1000 - further..=1000 + further).contains(&states),
                "{states}"
            );
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
            for bytes in [600_000, 650_000] {
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
