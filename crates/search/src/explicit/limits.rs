//! Ends a run early, or pauses it, at the boundary between two states.
//!
//! Invariant: the first reason wins; every worker sees it before its next state, or, when that takes too long, in
//! the middle of an evaluation (`watch.rs`).
//! Invariant: memory is what the run itself accounts for, so a limit ends runs at the same place everywhere.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

use pins::Halt;

/// Why workers stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Stop {
    /// They do not.
    No = 0,
    /// A checkpoint is due.
    Pause,
    /// The monitor asked.
    Interrupted,
    /// The limit on states.
    States,
    /// The limit on time.
    Time,
    /// The limit on memory.
    Memory,
    /// As many states as the caller wanted to hear of.
    Milestone,
}

const STOPS: [Stop; 7] = [
    Stop::No,
    Stop::Pause,
    Stop::Interrupted,
    Stop::States,
    Stop::Time,
    Stop::Memory,
    Stop::Milestone,
];

impl Stop {
    /// Whether the run goes on after it.
    pub fn is_pause(self) -> bool {
        matches!(self, Stop::Pause | Stop::Milestone)
    }

    /// What `as u8` gave; `None` for any other number.
    pub fn from_code(code: u8) -> Option<Stop> {
        STOPS.get(usize::from(code)).copied()
    }
}

/// What all workers look at.
#[derive(Debug, Default)]
pub struct Signal {
    stop: AtomicU8,
    /// Transitions so far, for progress only.
    pub transitions: AtomicU64,
    /// States expanded so far, for progress only.
    pub expanded: AtomicU64,
    /// Steps from an initial state, for progress only.
    pub depth: AtomicU32,
    /// Bytes of the level under construction.
    pub growing: AtomicU64,
    /// Ends evaluations that go on long after the run should have ended.
    pub halt: Halt,
    /// Whether a label of a stored state was left undecided because of that.
    pub is_undecided: AtomicBool,
}

impl Signal {
    /// The reason to stop.
    #[inline]
    pub fn get(&self) -> Stop {
        STOPS[self.stop.load(Relaxed) as usize]
    }

    /// Stops everybody, unless somebody was faster; an end does not wait for a pause.
    pub fn raise(&self, stop: Stop) {
        let set = |from: Stop| {
            let (from, to) = (from as u8, stop as u8);
            self.stop.compare_exchange(from, to, Relaxed, Relaxed)
        };
        if let Err(earlier) = set(Stop::No)
            && let Some(earlier) = Stop::from_code(earlier)
            && earlier.is_pause()
            && !stop.is_pause()
        {
            // Fails when the pause is over, and then the next look finds the reason again.
            let _ = set(earlier);
        }
    }

    /// Goes on after a pause, unless there is an end.
    pub fn clear(&self, pause: Stop) {
        let (pause, no) = (pause as u8, Stop::No as u8);
        let _ = self.stop.compare_exchange(pause, no, Relaxed, Relaxed);
    }
}

/// Reads the clock rarely enough to cost nothing and often enough to be on time.
#[derive(Debug)]
pub struct Ticker {
    left: u32,
    interval: u32,
    last: Instant,
}

/// Between two looks at the clock.
const AIM: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(8));

impl Ticker {
    /// Looks at the clock after the first piece of work.
    pub fn new() -> Ticker {
        Ticker {
            left: 1,
            interval: 1,
            last: Instant::now(),
        }
    }

    /// One piece of work is done; the time when it is time to look.
    #[inline]
    pub fn tick(&mut self) -> Option<Instant> {
        self.left -= 1;
        if self.left > 0 {
            return None;
        }
        Some(self.look_up())
    }

    #[cold]
    fn look_up(&mut self) -> Instant {
        let now = Instant::now();
        let passed = now - self.last;
        self.last = now;
        if passed < AIM.0 {
            self.interval = (self.interval * 2).min(4096);
        } else if passed > AIM.1 {
            self.interval = (self.interval / 2).max(1);
        }
        self.left = self.interval;
        now
    }
}
