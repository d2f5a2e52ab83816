//! Ends evaluations that take too long, or that nobody waits for any more: a session answers one request after the other, and a
//! formula typed into a page must not keep it from the next.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use workbench::Halt;

/// How often the clock and the client are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Runs an evaluation; what it is given is set after so long, or when the client gives up.
pub(crate) fn within<T>(limit: Duration, client: &Halt, body: impl FnOnce(Halt) -> T) -> T {
    let halt = Halt::default();
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let watched = halt.clone();
        scope.spawn(move || {
            let begin = Instant::now();
            while waiting.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if begin.elapsed() >= limit || client.is_set() {
                    watched.set();
                    return;
                }
            }
        });
        let answer = body(halt);
        drop(done);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_ends_when_its_time_is_over_or_nobody_waits() {
        let wait = |halt: Halt| {
            while !halt.is_set() {
                std::thread::sleep(LOOK);
            }
        };
        within(LOOK, &Halt::default(), wait);
        let client = Halt::default();
        client.set();
        within(Duration::MAX, &client, wait);
        assert_eq!(within(Duration::MAX, &Halt::default(), |_| 7), 7);
    }
}
