//! Threads that wait for a common piece of work, do it together and wait again.
//!
//! Invariant: a panic in one of them is a panic of the leader, never a wait without end.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The meeting point; `J` is the work.
pub struct Crew<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    job: Option<Arc<J>>,
    turn: u64,
    running: usize,
    is_closed: bool,
    has_panicked: bool,
}

impl<J> Crew<J> {
    /// Nobody works.
    pub fn new() -> Crew<J> {
        Crew {
            state: Mutex::new(State {
                job: None,
                turn: 0,
                running: 0,
                is_closed: false,
                has_panicked: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Takes part in every job until the crew is closed.
    pub fn help(&self, mut work: impl FnMut(&J)) {
        let mut turn = 0;
        loop {
            let mut state = self.lock();
            while state.turn == turn && !state.is_closed {
                state = self.wait(state);
            }
            turn = state.turn;
            let (Some(job), false) = (state.job.clone(), state.is_closed) else {
                return;
            };
            drop(state);
            let _done = Done(self);
            work(&job);
            drop(job);
        }
    }

    /// Leads a job with `helpers` others and returns when all are done.
    ///
    /// # Panics
    /// When a helper did.
    pub fn lead(&self, job: J, helpers: usize, work: impl FnOnce(&J)) -> J {
        let job = Arc::new(job);
        let mut state = self.lock();
        state.job = Some(job.clone());
        state.turn += 1;
        state.running = helpers;
        drop(state);
        self.changed.notify_all();
        work(&job);
        let mut state = self.lock();
        while state.running > 0 && !state.has_panicked {
            state = self.wait(state);
        }
        state.job = None;
        assert!(!state.has_panicked, "a thread of the search panicked");
        drop(state);
        Arc::into_inner(job).expect("helpers give the job back before they are done")
    }

    /// Sends everybody home; also when the leader panics.
    pub fn close_at_end(&self) -> impl Drop + '_ {
        Close(self)
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<J>>) -> MutexGuard<'s, State<J>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

struct Done<'c, J>(&'c Crew<J>);

impl<J> Drop for Done<'_, J> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running -= 1;
        state.has_panicked |= std::thread::panicking();
        drop(state);
        self.0.changed.notify_all();
    }
}

struct Close<'c, J>(&'c Crew<J>);

impl<J> Drop for Close<'_, J> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn everybody_takes_part_in_every_job() {
        let crew = Crew::new();
        std::thread::scope(|scope| {
            let _close = crew.close_at_end();
            for _ in 0..3 {
                scope.spawn(|| crew.help(|count: &AtomicU32| _ = count.fetch_add(1, Relaxed)));
            }
            for _ in 0..100 {
                let count = crew.lead(AtomicU32::new(0), 3, |count| {
                    _ = count.fetch_add(1, Relaxed)
                });
                assert_eq!(count.into_inner(), 4);
            }
        });
    }

    #[test]
    #[should_panic = "a thread of the search panicked"]
    fn a_helper_that_panics_is_noticed() {
        let crew = Crew::new();
        let helper = std::panic::AssertUnwindSafe(&crew);
        std::thread::scope(|scope| {
            let _close = crew.close_at_end();
            scope.spawn(move || {
                let helper = helper;
                let caught = std::panic::catch_unwind(|| helper.help(|()| panic!("broken")));
                assert!(caught.is_err());
            });
            crew.lead((), 1, |()| {});
        });
    }
}
