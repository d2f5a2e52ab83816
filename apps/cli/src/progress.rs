//! The progress line on standard error: states, rate, queue, depth, memory, elapsed.
//!
//! Invariant: a line is rewritten in place on a terminal and is a line of its own anywhere else.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use workbench::check::Progress;

use crate::args::check::Progress as When;

/// How often the line changes: on a terminal, and in a file.
const ON_TERMINAL: Duration = Duration::from_millis(200);
const IN_FILE: Duration = Duration::from_secs(2);

/// The line.
pub(crate) struct ProgressLine {
    in_place: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: Option<Instant>,
    shown: bool,
}

impl ProgressLine {
    /// The line, if one is wanted.
    pub(crate) fn new(when: When) -> Option<ProgressLine> {
        let in_place = std::io::stderr().is_terminal();
        let wanted = match when {
            When::Auto => in_place,
            When::Always => true,
            When::Never => false,
        };
        wanted.then(|| ProgressLine {
            in_place,
            state: Mutex::default(),
        })
    }

    /// Shows how far the run is, unless it did so a moment ago.
    pub(crate) fn update(&self, progress: &Progress) {
        self.say(|| line(progress));
    }

    /// Shows a line, unless one was shown a moment ago.
    pub(crate) fn say(&self, line: impl FnOnce() -> String) {
        let Ok(mut state) = self.state.lock() else {
            return;
        };
        let pause = if self.in_place { ON_TERMINAL } else { IN_FILE };
        let now = Instant::now();
        if state.last.is_some_and(|last| now - last < pause) {
            return;
        }
        state.last = Some(now);
        state.shown = true;
        let line = line();
        let mut err = std::io::stderr().lock();
        // Nobody is told when standard error is closed.
        let _ = match self.in_place {
            true => write!(err, "\r\x1b[K{line}").and_then(|()| err.flush()),
            false => writeln!(err, "{line}"),
        };
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if self.in_place && self.state.lock().is_ok_and(|state| state.shown) {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}

fn line(progress: &Progress) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    if progress.states == 0 {
        let memory = progress.memory_bytes as f64 / 1e6;
        return format!("looking for constants and initial states, {memory:.0} MB, {seconds:.0} s");
    }
    let rate = progress.states as f64 / seconds.max(1e-3);
    format!(
        "{} states, {}/s, queue {}, depth {}, {:.0} MB, {:.0} s",
        short(progress.states as f64),
        short(rate),
        short(progress.queue as f64),
        progress.depth,
        progress.memory_bytes as f64 / 1e6,
        seconds
    )
}

/// `950`, `12.3k`, `4.56M`
fn short(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.1}k", n / 1e3),
        n if n < 1e9 => format!("{:.2}M", n / 1e6),
        n => format!("{:.2}G", n / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_every_figure() {
        let progress = Progress {
            states: 1_234_567,
            transitions: 2_000_000,
            queue: 50_000,
            depth: 42,
            memory_bytes: 64_000_000,
            elapsed: Duration::from_secs(2),
        };
        assert_eq!(
            line(&progress),
            "1.23M states, 617.3k/s, queue 50.0k, depth 42, 64 MB, 2 s"
        );
    }
}
