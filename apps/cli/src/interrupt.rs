//! Ctrl-C: the first one asks the run to end with what it has, the second one ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the run is asked to end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// The exit code of a process that the user ended: 128 and the number of SIGINT, as shells have it.
pub(crate) const EXIT: u8 = 130;

/// What was asked to end has ended: the next Ctrl-C is the first one again.
pub(crate) fn forget() {
    ASKED.store(false, Ordering::SeqCst);
}

/// Whether what is under way was asked to end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// From now on Ctrl-C sets the flag that is returned.
pub(crate) fn install() -> &'static AtomicBool {
    // Without a handler Ctrl-C simply ends the process: nothing is lost but the partial answer.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(EXIT.into());
        }
    });
    &ASKED
}
