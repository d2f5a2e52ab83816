//! Breadth-first search whose states lie in files: memory holds a part of the level under construction and no more.
//!
//! Paper: [Stern, Dill 1998]: whether a successor is new is asked when its level is complete, of all successors at once
//! and in the order in which known states lie in files (`lib/runs`). Differs: known states lie in several sorted runs that
//! are put together when they are many, and of a run only blocks in which a successor can lie are read; no links are kept,
//! paths are found backwards (`ways.rs`).
//! Preserves: everything that a search of all states in memory does; counts and verdicts are the same.
//! Invariant: a level is complete before the next begins, so the tag of a state in a run is its depth.
//! Invariant: what cannot be written ends the run with a reason; files go with the run.

mod expand;
mod ways;

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use pins::System;
use runs::{Filter, Folder, Heap, Known, Merge, Run as Sorted, Writer};

use self::expand::{Chunks, Expander, Noted};
use super::config::{Config, Monitor};
use super::found::Found;
use super::limits::{Stop, Ticker};
use super::outcome::{Open, Outcome, Refused};
use super::run::{Book, Run};
use super::start;
use super::watch::watched;

/// Without a limit on memory successors take so much of it before they are written.
const MEMORY: u64 = 1 << 30;
/// With more runs than this the smallest are put together: each costs an open file and a comparison for every successor.
const MANY: usize = 12;

/// A level whose successors are fewer than this part of the known states is narrow: reading what is known costs more than
/// its states themselves.
const NARROW: u64 = 8;
/// With fewer successors than this part of the known states, looking them up reads less than making a filter.
const FEWEST: u64 = 1 << 14;

/// Explores `system` with its states in a new folder below `folder`. An error means that nothing was explored.
pub fn explore_on_disk(
    system: &dyn System,
    config: &Config,
    folder: &Path,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    let run = Run::new(system, config, monitor, None)?;
    let folder = Folder::create(folder).map_err(|error| {
        let place = folder.display();
        Refused(format!("no states can be kept in \"{place}\": {error}"))
    })?;
    let mut book = Book::default();
    let work = watched(&run, || start::start(&run, &mut book));
    if work.is_none() || run.signal.get() != Stop::No {
        return Ok(run.outcome(book, work.as_ref(), false));
    }
    let mut search = OnDisk {
        run: &run,
        folder,
        known: Vec::new(),
        filter: None,
        ends: Vec::new(),
        frontier: run.states(),
    };
    if let Err(error) = watched(&run, || search.explore(&mut book)) {
        book.open.push(Open::Disk(error.to_string()));
    }
    Ok(search.outcome(book))
}

/// A search, and the files it has.
struct OnDisk<'r> {
    run: &'r Run<'r>,
    folder: Folder,
    /// All states found, by runs.
    known: Vec<Arc<Sorted>>,
    /// Says of most successors that they are not known, once there was a narrow level.
    filter: Option<Filter>,
    /// The states that findings are about, with their depths: a finding has a position in this list, behind the numbers
    /// of initial states.
    ends: Vec<(Vec<u32>, u32)>,
    /// States that are not expanded.
    frontier: u64,
}

impl<'r> OnDisk<'r> {
    fn explore(&mut self, book: &mut Book) -> io::Result<()> {
        let run = self.run;
        let mut level = self.initial()?;
        while !level.is_empty() && book.findings.len() < run.wanted() {
            run.signal.depth.store(book.depth, Relaxed);
            let deepest = run.config.limits.max_depth;
            if deepest.is_some_and(|most| book.depth >= most) {
                book.open.push(Open::MaxDepth);
                break;
            }
            let mut noted = Vec::new();
            let candidates = self.expand(&level, book, &mut noted)?;
            let next = match run.signal.get() {
                Stop::No => self.keep_new(&candidates, book, &mut noted),
                _ => Ok(None),
            };
            self.write_down(noted, book);
            let Some(next) = next? else {
                break;
            };
            if !next.is_empty() {
                book.depth += 1;
            }
            level = next;
        }
        Ok(())
    }

    /// The initial states, which are in the store.
    fn initial(&mut self) -> io::Result<Arc<Sorted>> {
        let run = self.run;
        let mut heap = Heap::new(run.shape.slots.len(), u64::MAX);
        let mut state = vec![0; run.shape.slots.len()];
        let mut session = run.store.session();
        for number in 0..run.store.len() as u32 {
            session.load(number, &mut state);
            heap.add(&state);
        }
        let level = Arc::new(heap.spill(&self.folder, 0)?);
        self.known.push(level.clone());
        Ok(level)
    }

    /// The successors of a level, by runs that may share states.
    fn expand(
        &mut self,
        level: &Sorted,
        book: &mut Book,
        noted: &mut Vec<Noted>,
    ) -> io::Result<Vec<Sorted>> {
        let run = self.run;
        let threads = run.config.threads.clamp(1, 128);
        let budget = run.config.limits.max_memory.map_or(MEMORY, |all| all / 2);
        let chunks = Mutex::new(Chunks::new(level)?);
        let (depth, folder, expanded) = (book.depth, &self.folder, AtomicU64::new(0));
        let first = run.states() - level.len();
        let crew = |is_chief: bool| {
            let budget = budget / threads as u64;
            let mut expander = Expander::new(run, (depth, first), budget, is_chief);
            let ended = expander.work(&chunks, folder, &expanded);
            ended.map(|()| expander)
        };
        let crew = &crew;
        let done: Vec<io::Result<Expander<'_>>> = std::thread::scope(|scope| {
            let helpers: Vec<_> = (1..threads)
                .map(|_| scope.spawn(move || crew(false)))
                .collect();
            let mut done = vec![crew(true)];
            for helper in helpers {
                done.push(match helper.join() {
                    Ok(expander) => expander,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
            }
            done
        });
        self.frontier -= expanded.into_inner();
        let mut candidates = Vec::new();
        for expander in done {
            let mut yielded = expander?.finish(&self.folder)?;
            candidates.append(&mut yielded.runs);
            noted.append(&mut yielded.noted);
            book.tally.merge(&yielded.tally);
            book.notes.merge(yielded.notes);
            book.take(yielded.found);
        }
        run.account(book, 0);
        run.signal.growing.store(0, Relaxed);
        Ok(candidates)
    }

    /// Of successors those that are not known become the next level, and are looked at.
    fn keep_new(
        &mut self,
        candidates: &[Sorted],
        book: &mut Book,
        noted: &mut Vec<Noted>,
    ) -> io::Result<Option<Arc<Sorted>>> {
        let (run, depth) = (self.run, book.depth + 1);
        let most = run.config.limits.max_states.unwrap_or(u64::MAX);
        let mut worker = run.system.worker();
        worker.heed(run.signal.halt.clone());
        self.have_filter(candidates.iter().map(Sorted::len).sum())?;
        let mut writer = Writer::new(&self.folder, run.shape.slots.len())?;
        let filter = &mut self.filter;
        let mut known = Known::new(self.known.iter().map(|run| &**run))?;
        let mut merge = Merge::new(candidates)?;
        let (mut found, mut rank, first) = (Found::default(), 0, run.states());
        let mut duties = Duties::new();
        while run.signal.get() == Stop::No && merge.advance()? {
            duties.attend(run);
            let state = merge.vector();
            let may_be_known = filter.as_ref().is_none_or(|filter| filter.may_have(state));
            if may_be_known && known.has(state)? {
                continue;
            }
            if run.states() >= most {
                run.signal.raise(Stop::States);
                break;
            }
            writer.push(state, depth)?;
            if let Some(filter) = filter {
                filter.add(state);
            }
            run.elsewhere.fetch_add(1, Relaxed);
            if !run.shape.is_packed {
                for (values, value) in book.tally.values.iter_mut().zip(state) {
                    values.note(*value);
                }
            }
            let labels = &run.labels;
            book.tally.label_calls += labels.check(&mut *worker, state, None, |noticed| {
                if noticed.is_halted() {
                    run.signal.is_undecided.store(true, Relaxed);
                }
                found.notice(noticed, (0, depth, rank));
            });
            let place = (state, depth, first + rank);
            Noted::take(noted, &mut found, place, run.wanted());
            rank += 1;
        }
        book.take(found);
        book.notes.merge(worker.take_notes());
        drop(known);
        let next = Arc::new(writer.finish()?);
        self.frontier += next.len();
        self.known.push(next.clone());
        self.put_together()?;
        Ok((run.signal.get() == Stop::No).then_some(next))
    }

    /// Makes sure that there is a filter with room for so many successors, if they are few and there is memory for it.
    fn have_filter(&mut self, successors: u64) -> io::Result<()> {
        let (run, states) = (self.run, self.run.states());
        let is_narrow = (states / FEWEST..states / NARROW).contains(&successors);
        let is_wanted = match &self.filter {
            Some(filter) => filter.spare() < successors,
            None => is_narrow,
        };
        if !is_wanted {
            return Ok(());
        }
        // What it has is read from the files, so the old one goes first.
        self.filter = None;
        let room = (states + successors) * 2;
        let budget = run.config.limits.max_memory.map_or(MEMORY, |all| all / 4);
        if is_narrow && Filter::bytes_for(room) <= budget {
            let mut duties = Duties::new();
            let known = self.known.iter().map(|run| &**run);
            self.filter = Some(Filter::new(known, room, || duties.attend(run))?);
        }
        Ok(())
    }

    /// Puts the smallest runs together when there are many.
    fn put_together(&mut self) -> io::Result<()> {
        if self.known.len() <= MANY {
            return Ok(());
        }
        self.known.sort_by_key(|run| std::cmp::Reverse(run.len()));
        let small = self.known.split_off(MANY / 3);
        let mut merge = Merge::new(small.iter().map(|run| &**run))?;
        let mut writer = Writer::new(&self.folder, self.run.shape.slots.len())?;
        let mut duties = Duties::new();
        while merge.advance()? {
            duties.attend(self.run);
            writer.push(merge.vector(), merge.tag())?;
        }
        self.known.push(Arc::new(writer.finish()?));
        Ok(())
    }

    /// What was found in a level, in the order of reports.
    fn write_down(&mut self, mut noted: Vec<Noted>, book: &mut Book) {
        noted.sort_by_key(Noted::order);
        noted.truncate(self.run.wanted().saturating_sub(book.findings.len()));
        for Noted {
            mut raw,
            state,
            depth,
        } in noted
        {
            raw.state = Some(book.initial + self.ends.len() as u32);
            self.ends.push((state, depth));
            book.findings.push(raw);
        }
    }

    fn outcome(mut self, mut book: Book) -> Outcome {
        let run = self.run;
        let is_undecided = run.signal.is_undecided.load(Relaxed);
        let is_exhausted = self.frontier == 0 && !is_undecided && book.open.is_empty();
        let (initial, ends) = (book.initial, std::mem::take(&mut self.ends));
        let ways = match self.ways(ends) {
            Ok(ways) => ways,
            Err(error) => {
                book.open.push(Open::Disk(error.to_string()));
                Vec::new()
            }
        };
        let mut outcome = run.outcome_along(book, Some(self.frontier), is_exhausted, |raw| {
            let end = raw.state.and_then(|state| state.checked_sub(initial));
            match end {
                None => super::paths::path(run, raw, initial),
                Some(end) => ways.get(end as usize).cloned().unwrap_or_default(),
            }
        });
        let resident: u64 = self.known.iter().map(|run| run.resident()).sum();
        let filter = self.filter.as_ref().map_or(0, Filter::bytes);
        outcome.statistics.store_bytes += resident + filter;
        outcome.statistics.disk_bytes = self.folder.peak();
        outcome
    }
}

/// What is done beside long work: the clock, the limits, a word about how far it is.
struct Duties {
    ticker: Ticker,
    told: (Instant, u64),
}

impl Duties {
    fn new() -> Duties {
        Duties {
            ticker: Ticker::new(),
            told: (Instant::now(), 0),
        }
    }

    #[inline]
    fn attend(&mut self, run: &Run<'_>) {
        if let Some(now) = self.ticker.tick() {
            run.look(now);
            if now - self.told.0 >= super::expand::TELL {
                run.tell(&mut self.told);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
