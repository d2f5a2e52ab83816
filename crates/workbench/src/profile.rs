//! Says how the events of a model are found, and what that costs: `analyse --plan`, as database users know it from
//! EXPLAIN ANALYZE.
//!
//! States are looked at one by one, breadth-first, as far as a limit allows; each event is asked in each of them, on the clock.
//! Invariant: counts are those of the states that were looked at; times are measured and differ from run to run.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use pins::{Flow, GroupId};
use serde::Serialize;
use subject::{Description, Form, Ground, Setting};

use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::report::{counted, grouped};
use crate::runnable::whole;

/// What was found about a file.
#[derive(Debug)]
pub struct Profiled {
    /// What is wrong with the file.
    pub lint: Lint,
    /// What its events cost.
    pub profile: Option<Profile>,
}

/// What the events of a model cost.
#[derive(Clone, Debug, Serialize)]
pub struct Profile {
    /// The model.
    pub model: String,
    /// So many states were looked at.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
    /// So many seconds were spent on events.
    pub seconds: f64,
    /// The events, the one that takes most of the time first.
    pub events: Vec<EventProfile>,
}

/// What one event costs.
#[derive(Clone, Debug, Serialize)]
pub struct EventProfile {
    /// Its name.
    pub name: String,
    /// Its share of the time, in percent.
    pub percent: f64,
    /// How often it happens in the states that were looked at.
    pub transitions: u64,
    /// How often its condition was worked on; `null` in a language whose conditions are not planned.
    pub asked: Option<u64>,
    /// What was done, in order.
    pub steps: Vec<StepProfile>,
}

/// One step on the way to the instances of an event.
#[derive(Clone, Debug, Serialize)]
pub struct StepProfile {
    /// The names that it gives values to; none for a test.
    pub binds: Vec<String>,
    /// The conditions that it decides.
    pub conditions: Vec<String>,
    /// So many candidates got past it.
    pub passed: u64,
}

/// Explores the model in a file as far as `max_states` states, and counts.
pub fn profile(bench: &Workbench, path: &Path, setting: &Setting, max_states: usize) -> Profiled {
    let Opened { mut lint, subject } = match bench.open(path, setting) {
        Ok(opened) => opened,
        Err(lint) => {
            return Profiled {
                lint: *lint,
                profile: None,
            };
        }
    };
    let form = Form {
        wd: setting.wd,
        profile: true,
        ..Form::default()
    };
    let ground = match whole(&*subject, &form) {
        Ok(ground) => ground,
        Err(diagnostics) => {
            lint.diagnostics.extend(diagnostics);
            return Profiled {
                lint,
                profile: None,
            };
        }
    };
    let description = subject.description();
    let system = ground.system();
    let mut seen = Seen::new(max_states);
    let mut worker = system.worker();
    worker.heed(bench.halt.clone());
    // What goes wrong is told by a check; here only what happens counts.
    let mut setups: Vec<Box<[u32]>> = Vec::new();
    let _ = worker.setups(&mut |setup| {
        setups.push(setup.into());
        match setups.len() < max_states {
            true => Flow::Continue,
            false => Flow::Stop,
        }
    });
    for setup in setups {
        let _ = worker.initial(&setup, &mut |state| seen.add(state));
    }
    let groups = system.shape().groups.len();
    let mut times = vec![Duration::ZERO; groups];
    let mut transitions = vec![0; groups];
    let mut states = 0;
    while let Some(state) = seen.waiting.pop_front() {
        if bench.halt.is_set() {
            seen.complete = false;
            break;
        }
        states += 1;
        for group in 0..groups {
            let begun = Instant::now();
            let _ = worker.successors(&state, GroupId::new(group), &mut |step| {
                transitions[group] += 1;
                seen.add(step.target)
            });
            times[group] += begun.elapsed();
        }
    }
    let all: Duration = times.iter().sum();
    let event = |group: usize| {
        let share = times[group].as_secs_f64() / all.as_secs_f64().max(1e-9);
        let counts = (share, transitions[group]);
        event_profile(description, &*ground, GroupId::new(group), counts)
    };
    let mut events: Vec<EventProfile> = (0..groups).map(event).collect();
    events.sort_by(|one, other| other.percent.total_cmp(&one.percent));
    Profiled {
        profile: Some(Profile {
            model: description.name.clone(),
            states,
            complete: seen.complete,
            seconds: all.as_secs_f64(),
            events,
        }),
        lint,
    }
}

/// What a group took of all the time, and what it did.
fn event_profile(
    description: &Description,
    ground: &dyn Ground,
    group: GroupId,
    (share, transitions): (f64, u64),
) -> EventProfile {
    let counted = ground.profile(group);
    let asked = counted.as_ref().map(|counted| counted.asked);
    let steps = counted.into_iter().flat_map(|counted| counted.steps);
    let steps = steps.map(|step| StepProfile {
        binds: step.binds,
        conditions: step.conditions,
        passed: step.passed,
    });
    EventProfile {
        name: description.event(ground.event(group)).name.to_string(),
        percent: (1000.0 * share).round() / 10.0,
        transitions,
        asked,
        steps: steps.collect(),
    }
}

/// The states that were met, as far as a limit allows.
struct Seen {
    known: HashSet<Box<[u32]>>,
    waiting: VecDeque<Box<[u32]>>,
    most: usize,
    complete: bool,
}

impl Seen {
    fn new(most: usize) -> Seen {
        Seen {
            known: HashSet::new(),
            waiting: VecDeque::new(),
            most,
            complete: true,
        }
    }

    fn add(&mut self, state: &[u32]) -> Flow {
        if self.known.contains(state) {
            return Flow::Continue;
        }
        if self.known.len() >= self.most {
            self.complete = false;
            return Flow::Continue;
        }
        self.known.insert(state.into());
        self.waiting.push_back(state.into());
        Flow::Continue
    }
}

impl Profile {
    /// The profile for people.
    pub fn text(&self) -> String {
        let cut = if self.complete {
            ""
        } else {
            ", not all there are"
        };
        let mut text = format!(
            "{}: {} looked at{cut}, {:.2} s in events\n",
            self.model,
            counted(self.states as u64, "state"),
            self.seconds
        );
        for event in &self.events {
            let asked = match event.asked {
                Some(asked) => format!("worked on {} times, ", grouped(asked)),
                None => String::new(),
            };
            let _ = writeln!(
                text,
                "{} {:.1} %: {asked}happens {} times",
                event.name,
                event.percent,
                grouped(event.transitions)
            );
            for step in &event.steps {
                let what = match step.binds.is_empty() {
                    true => "test".to_owned(),
                    false => format!("each {}", step.binds.join(", ")),
                };
                let conditions = match step.conditions.is_empty() {
                    true => "of its type".to_owned(),
                    false => step.conditions.join(" & "),
                };
                let passed = grouped(step.passed);
                let _ = writeln!(text, "  {passed:>12}  {what}: {conditions}");
            }
        }
        text
    }
}
