//! The distributed engine against the explicit one: equal counts, verdicts and depths, whatever dies and however it is
//! resumed. Processes are threads with a system of their own each, connected over loopback as processes are.

mod faults;
mod handshake;

use base::Id;
use pins::toy::{Sparse, Toy, counters, philosophers, sparse};
use pins::{LabelKind, Numbered, Numbers, System, Worker};
use search::distributed::{self, Outcome};
use search::explicit::{self, Config, FindingKind, Quiet, Refused};

use crate::teams::{Task, config as distributed, essence};

/// Everything is checked; nothing ends the run early.
pub fn all(system: &Toy) -> Config {
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
    config
}

/// A random graph, some with set-ups, faults and violations.
pub fn graph(seed: u64) -> Toy {
    sparse(Sparse {
        nodes: 60 + (seed as u32 * 37) % 700,
        groups: 2 + seed as u32 % 5,
        setups: seed as u32 % 4,
        fault_in: if seed.is_multiple_of(2) { 41 } else { 0 },
        violation_in: if seed.is_multiple_of(3) { 53 } else { 0 },
        seed,
    })
}

/// Explores with one process for each system; what the first one says.
pub fn together(systems: &[&dyn System], config: &distributed::Config) -> Result<Outcome, Refused> {
    let tasks: Vec<Task<'_>> = systems
        .iter()
        .map(|system| Task::new(*system, None))
        .collect();
    crate::teams::together(&tasks, |_, _| (config.clone(), Box::new(Quiet)))
}

#[test]
fn random_graphs_have_equal_counts_and_findings() {
    for seed in 0..9 {
        let toy = graph(seed);
        let config = all(&toy);
        let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
        for processes in 1..=3 {
            let systems: Vec<&dyn System> = vec![&toy; processes];
            let outcome = together(&systems, &distributed(&config)).unwrap();
            assert_eq!(
                essence(&outcome.search),
                essence(&alone),
                "seed {seed}, {processes} processes"
            );
        }
    }
}

#[test]
fn the_first_finding_has_least_depth() {
    for seed in 0..8 {
        let toy = graph(seed);
        let mut config = all(&toy);
        config.checks.stop_after = 1;
        let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
        let outcome = together(&[&toy, &toy], &distributed(&config)).unwrap();
        let kinds = |outcome: &explicit::Outcome| {
            let found = outcome.findings.first();
            found.map(|finding| (finding.depth, finding.kind))
        };
        assert_eq!(kinds(&outcome.search), kinds(&alone), "seed {seed}");
        let (ours, theirs) = (&outcome.search.statistics, &alone.statistics);
        assert_eq!((ours.states, ours.depth), (theirs.states, theirs.depth));
    }
}

#[test]
fn paths_are_steps_of_the_system() {
    let toy = philosophers(7);
    let mut config = all(&toy);
    config.checks.stop_after = 1;
    let outcome = together(&[&toy, &toy, &toy], &distributed(&config)).unwrap();
    let [finding] = outcome.search.findings.as_slice() else {
        panic!("there is one deadlock");
    };
    assert_eq!((finding.kind, finding.depth), (FindingKind::Deadlock, 7));
    let mut worker = toy.worker();
    let states = finding.path.iter().map(|step| step.state.clone());
    let states: Vec<Vec<u32>> = states.collect();
    assert_eq!(states[0], [0; 7]);
    assert_eq!(states[7], [1; 7]);
    for pair in states.windows(2) {
        let mut is_step = false;
        let mut emit = |_, step: pins::Step<'_>| {
            is_step |= step.target == pair[1];
            pins::Flow::Continue
        };
        worker.all_successors(&pair[0], &mut emit, &mut |_, _| {});
        assert!(is_step);
    }
}

#[test]
fn numbers_of_values_may_differ_in_every_process() {
    for seed in 0..5 {
        let toy = graph(seed);
        let config = all(&toy);
        let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
        let numbered = [0, 5, 11].map(|salt| Numbered::new(&toy, salt));
        for processes in 2..=3 {
            let systems = numbered[..processes].iter();
            let systems: Vec<&dyn System> = systems.map(|n| n as &dyn System).collect();
            let outcome = together(&systems, &distributed(&config)).unwrap();
            assert_eq!(essence(&outcome.search), essence(&alone), "seed {seed}");
            let values: u64 = outcome.parts.iter().map(|p| p.traffic.values).sum();
            assert!(values > 0);
        }
    }
}

#[test]
fn several_workers_in_a_process_count_the_same() {
    let toy = counters(5, 5);
    let config = all(&toy);
    let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
    for (processes, threads) in [(1, 3), (2, 2)] {
        let systems: Vec<&dyn System> = vec![&toy; processes];
        let config = distributed::Config {
            threads,
            ..distributed(&config)
        };
        let outcome = together(&systems, &config).unwrap();
        assert_eq!(essence(&outcome.search), essence(&alone));
        assert_eq!(outcome.parts.len(), processes * threads);
    }
}

/// A system whose slots may hold numbers of values and hold plain words.
struct Plain<'t> {
    toy: &'t Toy,
}

impl System for Plain<'_> {
    pins::forward_system!(self.toy: shape);

    fn worker(&self) -> Box<dyn Worker + '_> {
        self.toy.worker()
    }

    fn numbers(&self, _slot: usize) -> Option<Numbers> {
        Some(Numbers {
            first: 1 << 20,
            last: u32::MAX,
        })
    }
}

#[test]
fn most_steps_stay_where_they_are() {
    let toy = counters(3, 24);
    let config = all(&toy);
    let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
    let numbered = [0, 5, 11].map(|salt| Numbered::new(&toy, salt));
    let plain: Vec<&dyn System> = vec![&toy; 3];
    let holding = Plain { toy: &toy };
    let mixed: Vec<&dyn System> = vec![&holding; 2];
    let numbered: Vec<&dyn System> = numbered.iter().map(|n| n as &dyn System).collect();
    for (systems, most) in [
        (&plain[..2], 0.3),
        (&mixed[..], 0.3),
        (&plain[..], 0.4),
        (&numbered[..2], 0.5),
    ] {
        let outcome = together(systems, &distributed(&config)).unwrap();
        assert_eq!(essence(&outcome.search), essence(&alone));
        let crossing: u64 = outcome.parts.iter().map(|p| p.traffic.crossing).sum();
        let share = crossing as f64 / outcome.search.statistics.transitions as f64;
        assert!(share < most, "{share}");
        let fair = outcome.search.statistics.states / systems.len() as u64;
        for part in &outcome.parts {
            assert!(part.states * 4 > fair * 3, "{} of {fair}", part.states);
        }
    }
}
