//! How long an answer may take: until a limit on time, or until Ctrl-C.
//!
//! One thread looks at the clock for all questions of a command; each question begins with a halt of its own, so one that
//! took too long does not end the others.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use workbench::{Halt, Workbench};

use crate::interrupt;

/// How often the clock and Ctrl-C are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Ends what takes too long.
pub(crate) struct Patience {
    /// The question under way and when it began.
    current: Arc<Mutex<(Halt, Instant)>>,
}

impl Patience {
    /// Every question may take so many seconds.
    pub(crate) fn new(seconds: Option<f64>) -> Patience {
        let asked = interrupt::install();
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let current = Arc::new(Mutex::new((Halt::default(), Instant::now())));
        let watched = current.clone();
        std::thread::spawn(move || {
            loop {
                let (halt, begin) = watched
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone();
                let is_late = limit.is_some_and(|limit| begin.elapsed() >= limit);
                if is_late || asked.load(Ordering::SeqCst) {
                    halt.set();
                }
                std::thread::sleep(LOOK);
            }
        });
        Patience { current }
    }

    /// A workbench whose models heed Ctrl-C, for a command that asks one question.
    pub(crate) fn on(bench: Workbench) -> Workbench {
        Workbench {
            halt: Patience::new(None).begin(),
            ..bench
        }
    }

    /// A question begins now; its halt is set when it takes too long.
    pub(crate) fn begin(&self) -> Halt {
        interrupt::forget();
        let halt = Halt::default();
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current = (halt.clone(), Instant::now());
        halt
    }
}
