//! What may go wrong, and what must come of it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pins::toy::{Toy, counters};
use pins::{Fault, Flow, Numbered, System, Worker};
use search::distributed::{Config, Outcome, Place, Team};
use search::explicit::{self, Monitor, Open, Quiet, Refused};

use super::{all, distributed, essence, graph, together};
use crate::teams::{self, Task};

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("burnside-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Ends the connections of a process when it has so many states.
struct Dies {
    team: Arc<Team>,
    after: u64,
}

impl Monitor for Dies {
    fn before_state(&self, states: u64) {
        if states >= self.after {
            self.team.hang_up();
        }
    }
}

/// Asks for an end when a process has so many states.
struct Stops(u64);

impl Monitor for Stops {
    fn should_stop(&self) -> bool {
        self.0 == 0
    }
}

/// A run of `processes` that saves itself, whose process `victim` dies.
fn dying(toy: &Toy, processes: usize, victim: usize, after: u64, config: &Config) -> Outcome {
    let tasks = vec![Task::new(toy, None); processes];
    let outcome = teams::together(&tasks, |at, team| {
        let monitor: Box<dyn Monitor> = match at == victim {
            true => Box::new(Dies {
                team: team.clone(),
                after,
            }),
            false => Box::new(Quiet),
        };
        (config.clone(), monitor)
    });
    outcome.expect("it was not refused")
}

fn resumed(system: &dyn System, processes: usize, config: &Config) -> Result<Outcome, Refused> {
    together(&vec![system; processes], config)
}

#[test]
fn a_lost_process_ends_the_run_saved_and_any_number_goes_on() {
    let toy = counters(5, 6);
    let config = all(&toy);
    let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
    for (round, after) in [400, 1500, 2600].into_iter().enumerate() {
        let folder = folder(&format!("lost-{round}"));
        let saving = Config {
            saves: Some(Place {
                folder: folder.clone(),
                every: Duration::ZERO,
            }),
            ..distributed(&config)
        };
        let outcome = dying(&toy, 2 + round % 2, 1, after, &saving);
        let [Open::Lost(why)] = outcome.search.open.as_slice() else {
            panic!("{:?}", outcome.search.open);
        };
        assert!(why.contains("process"), "{why}");
        assert!(!outcome.search.is_complete);
        if !folder.join("run").exists() {
            continue;
        }
        for processes in 1..=3 {
            let going_on = Config {
                resume: Some(folder.clone()),
                ..distributed(&config)
            };
            let outcome = resumed(&toy, processes, &going_on).unwrap();
            assert_eq!(essence(&outcome.search), essence(&alone), "{processes}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_with_its_findings_and_paths() {
    for seed in [0, 3, 6, 9] {
        let toy = graph(seed);
        let mut config = all(&toy);
        let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
        let folder = folder(&format!("stopped-{seed}"));
        let numbered = [3, 0, 7].map(|salt| Numbered::new(&toy, salt));
        let systems = numbered.each_ref().map(|n| n as &dyn System);
        config.limits.max_states = Some(alone.statistics.states / 2);
        let saving = Config {
            saves: Some(Place {
                folder: folder.clone(),
                every: Duration::from_secs(60),
            }),
            ..distributed(&config)
        };
        let outcome = together(&systems, &saving).unwrap();
        assert_eq!(outcome.search.open, [Open::MaxStates], "seed {seed}");
        config.limits.max_states = None;
        // The numbers of values are new in each process that goes on.
        let numbered = [0, 2].map(|salt| Numbered::new(&toy, salt));
        let systems = numbered.each_ref().map(|n| n as &dyn System);
        let going_on = Config {
            resume: Some(folder.clone()),
            ..distributed(&config)
        };
        let outcome = together(&systems, &going_on).unwrap();
        assert_eq!(essence(&outcome.search), essence(&alone), "seed {seed}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn an_interrupt_in_any_process_ends_all() {
    let toy = counters(6, 6);
    let tasks = vec![Task::new(&toy, None); 3];
    let config = distributed(&all(&toy));
    for victim in 0..3 {
        let outcome = teams::together(&tasks, |at, _| {
            let monitor = Stops(u64::from(at != victim));
            (config.clone(), Box::new(monitor))
        });
        assert_eq!(outcome.unwrap().search.open, [Open::Interrupted]);
    }
}

/// A system that never comes to the end of its set-ups.
struct Endless {
    toy: Toy,
}

impl System for Endless {
    pins::forward_system!(self.toy: shape);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(EndlessWorker {
            inner: self.toy.worker(),
        })
    }
}

struct EndlessWorker<'a> {
    inner: Box<dyn Worker + 'a>,
}

impl Worker for EndlessWorker<'_> {
    pins::forward!(self.inner: initial, successors, all_successors, label, take_notes);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        for number in 0.. {
            if emit(&[number, 0]) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }
}

#[test]
fn whoever_is_interrupted_while_set_ups_are_sought_ends_all() {
    let mut toy = counters(2, 3);
    toy.shape.has_setup = true;
    let endless = Endless { toy };
    let tasks = [Task::new(&endless, None); 3];
    let config = distributed(&explicit::Config::default());
    for victim in 0..3 {
        let outcome = teams::together(&tasks, |at, _| {
            let monitor = Stops(u64::from(at != victim));
            (config.clone(), Box::new(monitor))
        });
        assert_eq!(outcome.unwrap().search.open, [Open::Interrupted]);
    }
}

#[test]
fn limits_are_those_of_all_workers() {
    let toy = counters(6, 7);
    let mut config = all(&toy);
    config.limits.max_states = Some(2_000);
    let outcome = together(&[&toy, &toy], &distributed(&config)).unwrap();
    assert_eq!(outcome.search.open, [Open::MaxStates]);
    assert!(outcome.search.statistics.states >= 2_000);
    config.limits.max_states = None;
    config.limits.max_depth = Some(4);
    let alone = explicit::explore(&toy, &config, &Quiet).unwrap();
    let outcome = together(&[&toy, &toy], &distributed(&config)).unwrap();
    assert_eq!(essence(&outcome.search), essence(&alone));
    config.limits.max_depth = None;
    config.limits.max_time = Some(Duration::ZERO);
    let outcome = together(&[&toy, &toy], &distributed(&config)).unwrap();
    assert_eq!(outcome.search.open, [Open::MaxTime]);
}

#[test]
fn a_saved_run_of_another_model_or_with_a_part_missing_is_refused() {
    let (toy, other) = (counters(4, 5), counters(4, 6));
    let folder = folder("parts");
    let mut config = all(&toy);
    config.fingerprint = b"one".to_vec();
    config.limits.max_depth = None;
    config.limits.max_states = Some(100);
    let saving = Config {
        saves: Some(Place {
            folder: folder.clone(),
            every: Duration::from_secs(60),
        }),
        ..distributed(&config)
    };
    together(&[&toy, &toy], &saving).unwrap();
    let mut going_on = Config {
        resume: Some(folder.clone()),
        ..distributed(&config)
    };
    going_on.search.fingerprint = b"another".to_vec();
    let refused = together(&[&other, &other], &going_on).err().unwrap();
    assert!(refused.to_string().contains("another model"), "{refused}");
    going_on.search.fingerprint = b"one".to_vec();
    let mut parts = std::fs::read_dir(&folder).unwrap().flatten();
    let part = parts.find(|entry| entry.file_name().to_string_lossy().starts_with("part-1"));
    std::fs::remove_file(part.unwrap().path()).unwrap();
    let refused = together(&[&toy, &toy], &going_on).err().unwrap();
    assert!(refused.to_string().contains("part-1"), "{refused}");
    std::fs::remove_dir_all(folder).unwrap();
}
