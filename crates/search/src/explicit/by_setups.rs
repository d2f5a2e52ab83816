//! Explores a system with very many set-ups a batch of them at a time.
//!
//! Constants are part of a state, so the states of different set-ups are never the same: each batch is a run of its own
//! with a store of its own, and the counts add up. The set-ups come from a thread that stands still while a batch is
//! explored, because enumerations here push their answers and this one has to wait.
//! Invariant: up to [`MANY`] set-ups are one run, breadth-first over all of them; findings then have least depth.
//! With more of them they have least depth in their batch, and a warning says so.
//! Invariant: a set-up is explored once, also when a reduction gives it again.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use pins::{Fault, FaultKind, Flow, Halt, Notes, System, Worker};
use reduce::por::Reduction;
use rustc_hash::FxHashSet;

use super::config::{Config, Monitor};
use super::outcome::{FindingKind, Open, Outcome, Refused};
use super::run::Run;

/// Set-ups that are explored together: about a second of work to find them.
const MANY: u64 = 20_000;

/// Between two looks at the clock while set-ups are sought.
const GLANCE: Duration = Duration::from_millis(50);

/// Whether a run has set-ups to divide; one that is saved or resumed is not divided.
pub fn applies(system: &dyn System, config: &Config) -> bool {
    system.shape().has_setup && config.checkpoint.is_none() && config.resume.is_none()
}

/// Set-ups as they were found.
struct Batch {
    setups: Vec<Box<[u32]>>,
    /// The end of the enumeration, and how; `None` when there are more.
    end: Option<Result<(), Fault>>,
    notes: Notes,
}

/// Explores.
pub fn explore(
    system: &dyn System,
    config: &Config,
    reduction: Option<&Reduction<'_>>,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    let limits = &config.limits;
    // One more than a limit shows that the limit was met.
    let most = [limits.max_setups, limits.max_states].into_iter().flatten();
    let size = most.fold(MANY, u64::min).saturating_add(1);
    let halt = Halt::default();
    std::thread::scope(|scope| {
        let (give, batches) = sync_channel(0);
        let (ask, asked) = sync_channel(0);
        let ending = halt.clone();
        scope.spawn(move || generate(system, size, ending, &give, &asked));
        let mut series = Series {
            system,
            config,
            reduction,
            monitor,
            started: Instant::now(),
            halt: &halt,
            seen: FxHashSet::default(),
        };
        let result = series.explore(&batches, &ask);
        halt.set();
        result
    })
}

/// Finds set-ups, a batch for each question.
fn generate(
    system: &dyn System,
    size: u64,
    halt: Halt,
    give: &SyncSender<Batch>,
    asked: &Receiver<()>,
) {
    let mut worker = system.worker();
    worker.heed(halt);
    let mut setups: Vec<Box<[u32]>> = Vec::new();
    let mut size = size;
    let mut is_wanted = asked.recv().is_ok();
    let answer = worker.setups(&mut |setup| {
        setups.push(setup.into());
        if (setups.len() as u64) < size {
            return Flow::Continue;
        }
        let batch = Batch {
            setups: std::mem::take(&mut setups),
            end: None,
            notes: Notes::default(),
        };
        size = MANY;
        is_wanted = give.send(batch).is_ok() && asked.recv().is_ok();
        match is_wanted {
            true => Flow::Continue,
            false => Flow::Stop,
        }
    });
    if is_wanted {
        // Nobody listens any more when this fails.
        let _ = give.send(Batch {
            setups,
            end: Some(answer),
            notes: worker.take_notes(),
        });
    }
}

struct Series<'a> {
    system: &'a dyn System,
    config: &'a Config,
    reduction: Option<&'a Reduction<'a>>,
    monitor: &'a dyn Monitor,
    started: Instant,
    halt: &'a Halt,
    seen: FxHashSet<Box<[u32]>>,
}

impl Series<'_> {
    fn explore(
        &mut self,
        batches: &Receiver<Batch>,
        ask: &SyncSender<()>,
    ) -> Result<Outcome, Refused> {
        let mut total: Option<Outcome> = None;
        loop {
            let (batch, stopped) = self.next(batches, ask);
            let is_halted =
                matches!(&batch.end, Some(Err(fault)) if fault.kind == FaultKind::Halted);
            let is_last = batch.end.is_some() && !is_halted;
            let stopped = match is_halted {
                true => stopped.or(Some(Open::Interrupted)),
                false => None,
            };
            let mut outcome = self.run(batch, total.as_ref())?;
            if let Some(stopped) = stopped {
                outcome.is_complete = false;
                // Nothing follows from what was not found in time.
                outcome.findings.retain(|f| f.kind != FindingKind::Setup);
                if !outcome.open.contains(&stopped) {
                    outcome.open.push(stopped);
                }
            }
            let mut all = match total.take() {
                None => outcome,
                Some(total) => merged(total, outcome),
            };
            let is_over = all.findings.len() >= self.config.checks.stop_after.max(1)
                && all.findings.iter().any(|f| f.kind != FindingKind::Setup)
                || all.open.iter().any(is_a_limit);
            if is_last || is_over || is_halted {
                self.settle(&mut all, is_last);
                return Ok(all);
            }
            total = Some(all);
        }
    }

    /// The next batch; with a reason when it is not all of one.
    fn next(&mut self, batches: &Receiver<Batch>, ask: &SyncSender<()>) -> (Batch, Option<Open>) {
        let mut stopped = None;
        let asked = ask.send(()).is_ok();
        let batch = loop {
            let received = match asked {
                true => batches.recv_timeout(GLANCE),
                false => Err(RecvTimeoutError::Disconnected),
            };
            match received {
                Ok(batch) => break batch,
                Err(RecvTimeoutError::Timeout) => {
                    let limit = self.config.limits.max_time;
                    if limit.is_some_and(|most| self.started.elapsed() >= most) {
                        stopped = Some(Open::MaxTime);
                    } else if self.monitor.should_stop() {
                        stopped = Some(Open::Interrupted);
                    }
                    if stopped.is_some() {
                        self.halt.set();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    break Batch {
                        setups: Vec::new(),
                        end: Some(Ok(())),
                        notes: Notes::default(),
                    };
                }
            }
        };
        (batch, stopped)
    }

    /// Explores the set-ups of a batch within what earlier ones left of the limits.
    fn run(&mut self, mut batch: Batch, before: Option<&Outcome>) -> Result<Outcome, Refused> {
        batch.setups.retain(|setup| self.seen.insert(setup.clone()));
        let found = batch.setups.len() as u64;
        let mut config = self.config.clone();
        let limits = &mut config.limits;
        if let Some(before) = before {
            let done = &before.statistics;
            limits.max_states = limits.max_states.map(|n| n.saturating_sub(done.states));
            limits.max_setups = limits.max_setups.map(|n| n.saturating_sub(done.setups));
        }
        let elapsed = self.started.elapsed();
        limits.max_time = limits.max_time.map(|most| most.saturating_sub(elapsed));
        let slice = Slice {
            system: self.system,
            batch: Mutex::new(Some(batch)),
        };
        let mut outcome = Run::new(&slice, &config, self.monitor, self.reduction)?.explore()?;
        if self.halt.is_set() {
            outcome.statistics.setups = outcome.statistics.setups.max(found);
        }
        Ok(outcome)
    }

    /// What holds of all batches together.
    fn settle(&self, all: &mut Outcome, is_last: bool) {
        all.statistics.wall = self.started.elapsed();
        all.is_complete &= is_last;
        let mut reasons: Vec<Open> = Vec::new();
        all.open.retain(|open| {
            let is_new = !reasons.contains(open);
            if is_new {
                reasons.push(open.clone());
            }
            is_new
        });
        let setups = all.statistics.setups;
        if setups > MANY {
            all.warnings.push(format!(
                "there are many set-ups: they were explored {MANY} at a time, and a path is shortest among those only"
            ));
        }
        // One batch without an initial state says nothing of the others.
        if all.statistics.states > 0 || !is_last {
            all.findings.retain(|f| f.kind != FindingKind::Setup);
        }
        all.findings.truncate(self.config.checks.stop_after.max(1));
    }
}

fn is_a_limit(open: &Open) -> bool {
    matches!(
        open,
        Open::MaxStates | Open::MaxSetups | Open::MaxTime | Open::MaxMemory | Open::Interrupted
    )
}

/// The outcome of two batches.
fn merged(mut total: Outcome, next: Outcome) -> Outcome {
    let offset = u32::try_from(total.statistics.states).unwrap_or(u32::MAX);
    total
        .findings
        .extend(next.findings.into_iter().map(|mut f| {
            f.state = f.state.map(|number| number.saturating_add(offset));
            f
        }));
    let (sum, more) = (&mut total.statistics, next.statistics);
    sum.states += more.states;
    sum.setups += more.setups;
    sum.transitions += more.transitions;
    sum.start_edges += more.start_edges;
    // The question for set-ups was asked once.
    sum.next_state_calls += more.next_state_calls.saturating_sub(1);
    sum.label_calls += more.label_calls;
    sum.depth = sum.depth.max(more.depth);
    sum.frontier += more.frontier;
    for (count, more) in sum.group_transitions.iter_mut().zip(more.group_transitions) {
        *count += more;
    }
    for (values, more) in sum.slot_values.iter_mut().zip(more.slot_values) {
        // Which values they were is forgotten.
        if *values != more {
            values.is_at_least = true;
        }
        values.count = values.count.max(more.count);
    }
    sum.store_bytes = sum.store_bytes.max(more.store_bytes);
    sum.peak_bytes = sum.peak_bytes.max(more.peak_bytes);
    total.notes.merge(next.notes);
    total.is_complete &= next.is_complete;
    for open in next.open {
        if !total.open.contains(&open) {
            total.open.push(open);
        }
    }
    total.states.0.extend(next.states.0);
    for warning in next.warnings {
        if !total.warnings.contains(&warning) {
            total.warnings.push(warning);
        }
    }
    total
}

/// A system with some of its set-ups only.
struct Slice<'a> {
    system: &'a dyn System,
    /// Taken by the worker that is asked for set-ups.
    batch: Mutex<Option<Batch>>,
}

impl System for Slice<'_> {
    pins::forward_system!(self.system: shape, save, restore, bytes, values, symmetry);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Sliced {
            batch: &self.batch,
            worker: self.system.worker(),
            notes: Notes::default(),
        })
    }
}

struct Sliced<'a> {
    batch: &'a Mutex<Option<Batch>>,
    worker: Box<dyn Worker + 'a>,
    notes: Notes,
}

impl Worker for Sliced<'_> {
    pins::forward!(self.worker: initial, successors, all_successors, may_happen, guard, label);
    pins::forward!(self.worker: give_up, heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let batch = self.batch.lock().ok().and_then(|mut batch| batch.take());
        let Some(batch) = batch else {
            return Ok(());
        };
        self.notes.merge(batch.notes);
        for setup in &batch.setups {
            if emit(setup) == Flow::Stop {
                return Ok(());
            }
        }
        match batch.end {
            Some(Err(fault)) if fault.kind != FaultKind::Halted => Err(fault),
            _ => Ok(()),
        }
    }

    fn take_notes(&mut self) -> Notes {
        let mut notes = std::mem::take(&mut self.notes);
        notes.merge(self.worker.take_notes());
        notes
    }
}
