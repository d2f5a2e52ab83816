//! A search that can be paused: it comes back at a milestone with all that it has, and goes on from there.
//!
//! What is done at a milestone is not the engine's business: a caller may try another way and leave the search as it is.
//! Invariant: a milestone is a number of states, so where a search with one thread pauses depends on counts and not on the
//! clock; a search that was paused ends as one that was not.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::by_setups::Series;
use super::checkpoint;
use super::levels;
use super::limits::Stop;
use super::outcome::{Kept, Outcome, Refused};
use super::run::{Book, Run, Work};
use super::stack;
use super::start;
use super::watch::watched;

/// How far a search came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// To the milestone; it can go on.
    Paused,
    /// To its end, or to a limit.
    Over,
}

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// States found.
    pub states: u64,
    /// Of these, how many were not expanded yet.
    pub left: u64,
    /// Set-ups and initial states of set-ups that were found.
    pub starts: u64,
}

/// A search of one system.
pub struct Search<'a>(Course<'a>);

/// How a system is searched.
enum Course<'a> {
    /// As a whole.
    Whole(Box<Whole<'a>>),
    /// Some of its set-ups after others.
    Series(Box<Series<'a>>),
}

impl<'a> Search<'a> {
    pub(super) fn whole(run: Run<'a>) -> Search<'a> {
        Search(Course::Whole(Box::new(Whole::new(run))))
    }

    pub(super) fn series(series: Series<'a>) -> Search<'a> {
        Search(Course::Series(Box::new(series)))
    }

    /// Goes on until there are `states` states, or to the end.
    pub fn advance(&mut self, states: u64) -> Result<Advance, Refused> {
        match &mut self.0 {
            Course::Whole(whole) => Ok(whole.advance(states)),
            Course::Series(series) => series.advance(states),
        }
    }

    /// Where it stands between two calls of [`Search::advance`].
    pub fn standing(&self) -> Standing {
        match &self.0 {
            Course::Whole(whole) => whole.standing(),
            Course::Series(series) => series.standing(),
        }
    }

    /// What became of it.
    pub fn finish(self) -> Outcome {
        match self.0 {
            Course::Whole(whole) => whole.finish(),
            Course::Series(series) => series.finish(),
        }
    }
}

/// A run over one system, and what is left to do.
pub struct Whole<'a> {
    run: Run<'a>,
    book: Book,
    work: Option<Work>,
    stage: Stage,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was done.
    New,
    /// The initial states are known.
    Begun,
    /// It was stopped before all initial states were known: there is nothing that could be resumed.
    Stillborn,
}

/// Why a run that is stopped leaves the last checkpoint as it is.
const UNDECIDED: &str = "no checkpoint was written at the end: a check of a state was halted";

impl<'a> Whole<'a> {
    pub fn new(run: Run<'a>) -> Whole<'a> {
        Whole {
            run,
            book: Book::default(),
            work: None,
            stage: Stage::New,
        }
    }

    /// Goes on until there are `states` states, or to the end; several threads count numbers that they hold for further ones.
    pub fn advance(&mut self, states: u64) -> Advance {
        if self.stage == Stage::New {
            self.begin();
        }
        if self.stage == Stage::Stillborn {
            return Advance::Over;
        }
        self.run.milestone = states;
        let (run, book, work) = (&self.run, &mut self.book, &mut self.work);
        watched(run, || match work {
            Some(Work::Level(level)) => levels::explore(run, level, book),
            Some(Work::Stack(stack)) => stack::explore(run, stack, book),
            None => {}
        });
        match run.signal.get() {
            Stop::Milestone => {
                run.signal.clear(Stop::Milestone);
                Advance::Paused
            }
            _ => Advance::Over,
        }
    }

    /// Finds the initial states, or takes up what was saved.
    fn begin(&mut self) {
        match self.run.saved.take() {
            Some(saved) => {
                self.book = saved.book;
                self.work = Some(saved.work);
            }
            None => {
                let (run, book) = (&self.run, &mut self.book);
                self.work = watched(run, || start::start(run, book));
            }
        }
        let run = &self.run;
        if run.signal.get() != Stop::No {
            self.stage = Stage::Stillborn;
            return;
        }
        self.stage = Stage::Begun;
        let left = self.work.as_ref().map_or(0, |work| work.left(run));
        let expanded = run.store.len() as u64 - left;
        run.signal.expanded.store(expanded, Relaxed);
        let transitions = self.book.tally.transitions;
        run.signal.transitions.store(transitions, Relaxed);
    }

    /// Where it stands.
    pub fn standing(&self) -> Standing {
        Standing {
            states: self.run.store.len() as u64,
            left: self.work.as_ref().map_or(0, |work| work.left(&self.run)),
            starts: self.book.start_edges,
        }
    }

    /// What became of it; a checkpoint is written where one is wanted and something is left to do.
    pub fn finish(self) -> Outcome {
        let Whole {
            run,
            mut book,
            mut work,
            stage,
        } = self;
        if stage != Stage::Begun {
            return run.outcome(book, work.as_ref(), false);
        }
        let is_undecided = run.signal.is_undecided.load(Relaxed);
        let is_expanded = work.as_ref().is_some_and(|work| work.left(&run) == 0);
        let is_exhausted = is_expanded && !is_undecided;
        let stopped_early = run.signal.get() != Stop::No;
        if let (true, Some(checkpoint), Some(work)) = (stopped_early, &run.config.checkpoint, &work)
        {
            // A resumed run does not check again what is stored.
            let answer = match is_undecided {
                true => Err(UNDECIDED.to_string()),
                false => checkpoint::write(&checkpoint.path, &run, &book, work),
            };
            book.warnings.extend(answer.err());
        }
        // After the checkpoint: a resumed run finishes the level before it orders what was found in it.
        if let Some(Work::Level(level)) = &mut work {
            level.settle(&mut book);
        }
        let mut outcome = run.outcome(book, work.as_ref(), is_exhausted);
        if run.config.keep_states && run.config.store.is_exact() {
            outcome.states = Kept(vec![Arc::new(run.store)]);
        }
        outcome
    }
}
