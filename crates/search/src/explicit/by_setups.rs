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
use super::run::{Held, Run};
use super::search::{Advance, Search, Standing, Whole};

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

/// Begins a search that `drive` carries on.
pub fn search<R>(
    system: &dyn System,
    config: &Config,
    reduction: Option<&Reduction<'_>>,
    monitor: &dyn Monitor,
    drive: impl FnOnce(Search<'_>) -> R,
) -> R {
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
        let result = drive(Search::series(Series {
            system,
            config,
            reduction,
            monitor,
            started: Instant::now(),
            halt: halt.clone(),
            seen: FxHashSet::default(),
            batches,
            ask,
            total: None,
            current: None,
            is_last: false,
        }));
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

/// A search of one batch of set-ups after the other.
pub struct Series<'a> {
    system: &'a dyn System,
    config: &'a Config,
    reduction: Option<&'a Reduction<'a>>,
    monitor: &'a dyn Monitor,
    started: Instant,
    halt: Halt,
    seen: FxHashSet<Box<[u32]>>,
    batches: Receiver<Batch>,
    ask: SyncSender<()>,
    /// What became of the batches before.
    total: Option<Outcome>,
    /// The batch that is searched now.
    current: Option<Current<'a>>,
    /// Whether all set-ups are known.
    is_last: bool,
}

/// The search of a batch.
struct Current<'a> {
    whole: Whole<'a>,
    /// How many set-ups it has.
    setups: u64,
    /// Why there are not all of them.
    stopped: Option<Open>,
    /// Whether no batch follows.
    is_last: bool,
}

impl<'a> Series<'a> {
    /// Goes on until there are `states` states in all batches together, or to the end.
    pub fn advance(&mut self, states: u64) -> Result<Advance, Refused> {
        loop {
            let mut current = match self.current.take() {
                Some(current) => current,
                None => self.begin()?,
            };
            let before = self.total.as_ref().map_or(0, |all| all.statistics.states);
            if current.whole.advance(states.saturating_sub(before)) == Advance::Paused {
                self.current = Some(current);
                return Ok(Advance::Paused);
            }
            let (is_last, is_stopped) = (current.is_last, current.stopped.is_some());
            let all = self.with(current);
            let is_over = all.findings.len() >= self.config.checks.stop_after.max(1)
                && all.findings.iter().any(|f| f.kind != FindingKind::Setup)
                || all.open.iter().any(is_a_limit);
            self.total = Some(all);
            if is_last || is_over || is_stopped {
                self.is_last = is_last;
                return Ok(Advance::Over);
            }
        }
    }

    /// Where it stands, with all batches so far.
    pub fn standing(&self) -> Standing {
        let current = self.current.as_ref();
        let now = current.map_or_else(Standing::default, |current| current.whole.standing());
        let before = self.total.as_ref().map(|all| &all.statistics);
        Standing {
            states: now.states + before.map_or(0, |all| all.states),
            left: now.left,
            starts: now.starts + before.map_or(0, |all| all.start_edges),
        }
    }

    /// What became of all batches.
    pub fn finish(mut self) -> Outcome {
        let mut all = match (self.current.take(), self.total.take()) {
            (Some(current), total) => {
                self.total = total;
                self.with(current)
            }
            (None, Some(all)) => all,
            (None, None) => Outcome::default(),
        };
        self.settle(&mut all, self.is_last);
        all
    }

    /// The outcome of all batches with that of one more.
    fn with(&mut self, current: Current<'a>) -> Outcome {
        let mut outcome = current.whole.finish();
        if self.halt.is_set() {
            outcome.statistics.setups = outcome.statistics.setups.max(current.setups);
        }
        if let Some(stopped) = current.stopped {
            outcome.is_complete = false;
            // Nothing follows from what was not found in time.
            outcome.findings.retain(|f| f.kind != FindingKind::Setup);
            if !outcome.open.contains(&stopped) {
                outcome.open.push(stopped);
            }
        }
        match self.total.take() {
            None => outcome,
            Some(total) => merged(total, outcome),
        }
    }

    /// Begins with the next batch, within what earlier ones left of the limits.
    fn begin(&mut self) -> Result<Current<'a>, Refused> {
        let (mut batch, stopped) = self.next();
        let is_halted = matches!(&batch.end, Some(Err(fault)) if fault.kind == FaultKind::Halted);
        let is_last = batch.end.is_some() && !is_halted;
        batch.setups.retain(|setup| self.seen.insert(setup.clone()));
        let setups = batch.setups.len() as u64;
        let mut config = self.config.clone();
        let limits = &mut config.limits;
        if let Some(before) = &self.total {
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
        let run = Run::over(
            Held::Owned(Box::new(slice)),
            self.system.shape(),
            Held::Owned(Box::new(config)),
            self.monitor,
            self.reduction,
        )?;
        Ok(Current {
            whole: Whole::new(run),
            setups,
            stopped: is_halted.then(|| stopped.unwrap_or(Open::Interrupted)),
            is_last,
        })
    }

    /// The next batch; with a reason when it is not all of one.
    fn next(&mut self) -> (Batch, Option<Open>) {
        let mut stopped = None;
        let asked = self.ask.send(()).is_ok();
        let batch = loop {
            let received = match asked {
                true => self.batches.recv_timeout(GLANCE),
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
