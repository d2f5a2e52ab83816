//! Ends a check early: the clock, the memory, the monitor, and evaluations that do not end.
//!
//! Invariant: the first reason wins, and nothing is halted unless there is one.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use crate::explicit::limits::{Signal, Stop};
use crate::explicit::{Limits, Monitor, Open, Progress};

/// Between two looks of the thread beside the check.
const LOOK: Duration = Duration::from_millis(20);
/// From the signal to the halt: most evaluations end by themselves before that.
const GRACE: Duration = Duration::from_millis(200);
/// Progress is told five times a second.
const TELL: Duration = Duration::from_millis(200);

/// The check was stopped; the watch knows why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// What the check and the thread beside it share.
pub(crate) struct Watch<'a> {
    monitor: &'a dyn Monitor,
    limits: &'a Limits,
    started: Instant,
    pub(crate) signal: Signal,
    /// Bytes in use, as the check counts them now and then.
    pub(crate) bytes: AtomicU64,
    /// States found.
    pub(crate) states: AtomicU64,
    /// Transitions found.
    pub(crate) transitions: AtomicU64,
    has_stopped: AtomicBool,
    /// When the share of time of the formula that is checked ends, in milliseconds since the start.
    share_end: AtomicU64,
    is_share_over: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(limits: &'a Limits, monitor: &'a dyn Monitor) -> Watch<'a> {
        Watch {
            monitor,
            limits,
            started: Instant::now(),
            signal: Signal::default(),
            bytes: AtomicU64::new(0),
            states: AtomicU64::new(0),
            transitions: AtomicU64::new(0),
            has_stopped: AtomicBool::new(false),
            share_end: AtomicU64::new(u64::MAX),
            is_share_over: AtomicBool::new(false),
        }
    }

    /// Compares with the limits that need the clock or the memory.
    fn look(&self) {
        let elapsed = self.started.elapsed();
        if self.limits.max_time.is_some_and(|most| elapsed >= most) {
            self.raise(Stop::Time);
        }
        if elapsed.as_millis() >= u128::from(self.share_end.load(Relaxed)) {
            self.is_share_over.store(true, Relaxed);
        }
        let bytes = self.bytes.load(Relaxed);
        if self.limits.max_memory.is_some_and(|most| bytes > most) {
            self.raise(Stop::Memory);
        }
        if self.monitor.should_stop() {
            self.raise(Stop::Interrupted);
        }
    }

    /// Stops the check for this reason, unless there is one. At the limit on states only the search that needs a
    /// further state ends: other formulas may be decided by what is known.
    pub(crate) fn raise(&self, stop: Stop) -> Stopped {
        self.signal.raise(stop);
        if stop != Stop::States {
            self.has_stopped.store(true, Relaxed);
        }
        Stopped
    }

    /// Whether the check may go on; asked before every state.
    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), Stopped> {
        if self.monitor.should_stop() {
            return Err(self.raise(Stop::Interrupted));
        }
        if self.has_stopped.load(Relaxed) || self.is_share_over.load(Relaxed) {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Begins the check of one of so many formulas: each may take its share of the time that is left.
    pub(crate) fn share_time(&self, formulas: usize) {
        let end = self.limits.max_time.filter(|_| formulas > 1).map(|most| {
            let elapsed = self.elapsed();
            let share = most.saturating_sub(elapsed) / u32::try_from(formulas).unwrap_or(u32::MAX);
            (elapsed + share).as_millis()
        });
        let end = end.and_then(|end| u64::try_from(end).ok());
        self.share_end.store(end.unwrap_or(u64::MAX), Relaxed);
        self.is_share_over.store(false, Relaxed);
    }

    /// New counts, given now and then.
    pub(crate) fn note(&self, bytes: u64, states: u64, transitions: u64) -> Result<(), Stopped> {
        self.bytes.store(bytes, Relaxed);
        self.states.store(states, Relaxed);
        self.transitions.store(transitions, Relaxed);
        if self.limits.max_memory.is_some_and(|most| bytes > most) {
            return Err(self.raise(Stop::Memory));
        }
        Ok(())
    }

    /// Since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Does `work`, and halts an evaluation in it that goes on for long after the check should stop.
    pub(crate) fn beside<T>(&self, work: impl FnOnce() -> T) -> T {
        let (sender, done) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut since = None;
                let mut told = (Instant::now(), 0);
                while done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    self.look();
                    let has_stopped = self.has_stopped.load(Relaxed);
                    if has_stopped && since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                        self.signal.halt.set();
                    }
                    if told.0.elapsed() >= TELL {
                        self.tell(&mut told);
                    }
                }
            });
            // Dropped when the work is done, or panicked.
            let _sender = sender;
            work()
        })
    }

    fn tell(&self, since: &mut (Instant, u64)) {
        let states = self.states.load(Relaxed);
        let passed = since.0.elapsed().as_secs_f64().max(1e-9);
        self.monitor.progress(&Progress {
            states,
            transitions: self.transitions.load(Relaxed),
            rate: states.saturating_sub(since.1) as f64 / passed,
            bytes: self.bytes.load(Relaxed),
            elapsed: self.elapsed(),
            ..Progress::default()
        });
        *since = (Instant::now(), states);
    }

    /// Why the check was stopped.
    pub(crate) fn reason(&self) -> Option<Open> {
        match self.signal.get() {
            Stop::No | Stop::Pause | Stop::Milestone => {
                let is_over = self.is_share_over.load(Relaxed);
                is_over.then_some(Open::MaxTime)
            }
            Stop::Interrupted => Some(Open::Interrupted),
            Stop::States => Some(Open::MaxStates),
            Stop::Time => Some(Open::MaxTime),
            Stop::Memory => Some(Open::MaxMemory),
        }
    }
}
