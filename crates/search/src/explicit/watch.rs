//! Looks at the clock, the memory and the monitor beside the workers, and ends evaluations that do not end.
//!
//! Workers look for themselves between states and steps, and end there. One that is in the middle of a long
//! evaluation does neither: after a while it is halted, and the state it was asked for counts as not expanded.
//! While constants are solved nobody else tells how far the run is, so that is done here.
//! Invariant: nothing is halted unless the signal says stop.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::limits::Stop;
use super::run::Run;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(20);
/// From the signal to the halt: most evaluations end by themselves before that, and then nothing is lost.
const GRACE: Duration = Duration::from_millis(200);
/// Between two words about a run without states.
const WORD: Duration = Duration::from_millis(200);

/// Whether the work is done.
#[derive(Default)]
struct Bell {
    is_rung: Mutex<bool>,
    rings: Condvar,
}

/// Does `work` under observation.
pub fn watched<T>(run: &Run<'_>, work: impl FnOnce() -> T) -> T {
    let bell = Bell::default();
    std::thread::scope(|scope| {
        scope.spawn(|| bell.watch(run));
        let _ring = Ring(&bell);
        work()
    })
}

impl Bell {
    fn watch(&self, run: &Run<'_>) {
        let mut since = None;
        let mut told = (Instant::now(), 0);
        let mut is_rung = self.is_rung.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_rung {
            let waited = self.rings.wait_timeout(is_rung, LOOK);
            is_rung = waited.unwrap_or_else(PoisonError::into_inner).0;
            if *is_rung {
                break;
            }
            let now = Instant::now();
            run.look(now);
            if run.store.is_empty() && now - told.0 >= WORD {
                run.tell(&mut told);
            }
            if run.monitor.should_stop() {
                run.signal.raise(Stop::Interrupted);
            }
            let stop = run.signal.get();
            if stop != Stop::No && !stop.is_pause() && now - *since.get_or_insert(now) >= GRACE {
                run.signal.halt.set();
            }
        }
    }
}

/// Rings when the work is done, or panicked.
struct Ring<'b>(&'b Bell);

impl Drop for Ring<'_> {
    fn drop(&mut self) {
        let is_rung = self.0.is_rung.lock();
        *is_rung.unwrap_or_else(PoisonError::into_inner) = true;
        self.0.rings.notify_all();
    }
}
