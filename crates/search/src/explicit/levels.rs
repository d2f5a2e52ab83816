//! Breadth-first search, level by level, by one or several threads.
//!
//! Technique: the states of a level are cut into chunks that threads take from a shared counter; a level that is
//! too small to be worth waking anybody is done by the leader alone. What a chunk yields is put together in the
//! order of chunks (`merge.rs`), so numbering, findings and paths are those of one thread.
//! Invariant: all states of a level are expanded before the first of the next, also when something was found.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::batch::Origin;
use super::checkpoint;
use super::crew::Crew;
use super::expand::{Expander, Source};
use super::level::{Chunk, Level};
use super::limits::Stop;
use super::merge::Keys;
use super::outcome::Open;
use super::run::{Book, Run, Work};
use super::statistics::Tally;

/// One pass of all threads over what is pending.
struct Sweep {
    level: Level,
    tasks: Vec<(u32, u32)>,
    cursor: AtomicUsize,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Done {
    chunks: Vec<Chunk>,
    left: Vec<(u32, u32)>,
    tally: Option<Tally>,
}

/// A chunk has at most so many states.
const CHUNK: u32 = 256;
/// A level of at most so many states needs no chunks.
const NARROW: u32 = 64;
/// After so many states in narrow levels the leader looks up.
const BREATH: u64 = 4096;
/// Work below this is not worth waking other threads.
const WORTH_WAKING: Duration = Duration::from_micros(200);

/// Explores from `level` on until nothing is left, enough is found, or the signal says stop.
pub fn explore(run: &Run<'_>, level: &mut Level, book: &mut Book) {
    let helpers = run.config.threads.clamp(1, 128) - 1;
    let crew = Crew::new();
    std::thread::scope(|scope| {
        let _close = crew.close_at_end();
        for _ in 0..helpers {
            scope.spawn(|| {
                let mut expander = Expander::new(run, false);
                crew.help(|sweep: &Sweep| {
                    sweep.work(run, &mut expander);
                    let tally = fresh_tally(run, &mut expander);
                    let mut done = sweep.done.lock().unwrap_or_else(PoisonError::into_inner);
                    match &mut done.tally {
                        Some(sum) => sum.merge(&tally),
                        none => *none = Some(tally),
                    }
                });
            });
        }
        let mut lead = || {
            Leader {
                run,
                crew: &crew,
                helpers,
                expander: Expander::new(run, true),
                pace: (Duration::ZERO, 0),
            }
            .explore(level, book);
        };
        if helpers == 0 {
            return lead();
        }
        // A thread of its own has memory of its own: what it writes all the time does not lie among what was made
        // before and is read by all.
        if let Err(panic) = scope.spawn(lead).join() {
            std::panic::resume_unwind(panic);
        }
    });
}

struct Leader<'r> {
    run: &'r Run<'r>,
    crew: &'r Crew<Sweep>,
    helpers: usize,
    expander: Expander<'r>,
    /// Time and states of the last sweeps, to guess what a level will take.
    pace: (Duration, u64),
}

/// How far the leader came alone.
#[derive(PartialEq)]
enum Descent {
    /// Nowhere.
    None,
    /// To an untouched level.
    Advanced,
    /// Into a level: it is expanded as far as the signal allowed.
    Expanded,
}

impl Leader<'_> {
    fn explore(&mut self, level: &mut Level, book: &mut Book) {
        let run = self.run;
        loop {
            if level.len == 0 {
                break;
            }
            book.depth = level.depth;
            if book.findings.len() >= run.wanted() {
                break;
            }
            run.signal.depth.store(level.depth, Relaxed);
            if run
                .config
                .limits
                .max_depth
                .is_some_and(|most| level.depth >= most)
            {
                book.open.push(Open::MaxDepth);
                break;
            }
            match self.descend(level, book) {
                Descent::Expanded => {}
                Descent::Advanced => continue,
                Descent::None => self.sweep(level, book),
            }
            run.account(book, 0);
            match run.signal.get() {
                Stop::No => {
                    let next = level.finish(run, book);
                    *level = next;
                }
                Stop::Pause => {
                    book.tally.merge(&fresh_tally(run, &mut self.expander));
                    let begun = Instant::now();
                    pause(run, level, book);
                    self.expander.saved(begun);
                }
                _ => break,
            }
        }
        book.tally.merge(&fresh_tally(run, &mut self.expander));
        run.signal.growing.store(0, Relaxed);
    }

    /// Goes down through levels that are too small for anything but expanding one state after the other, until
    /// one is wide, or something happens. Some models are a million levels deep.
    fn descend(&mut self, level: &mut Level, book: &mut Book) -> Descent {
        let run = self.run;
        let deepest = run.config.limits.max_depth.unwrap_or(u32::MAX);
        let (begin, mut states, mut descent) = (Instant::now(), 0, Descent::None);
        let before = self.expander.storing.tally.transitions;
        while states < BREATH
            && level.len <= NARROW
            && level.depth < deepest
            && level.is_untouched(run)
            && !self.is_worth_sharing(u64::from(level.len))
        {
            let done = level.expand(run, &mut self.expander);
            states += u64::from(done);
            let next = run.store.len() as u32;
            let is_eventless = self.expander.found.is_empty() && next > level.next_start;
            if done < level.len || !is_eventless {
                level.pending.clear();
                if done < level.len {
                    level.pending.push((done, level.len));
                }
                let found = std::mem::take(&mut self.expander.found);
                level.chunks.push(Chunk {
                    found,
                    ..Chunk::default()
                });
                descent = Descent::Expanded;
                break;
            }
            level.advance(next);
            descent = Descent::Advanced;
        }
        if descent != Descent::None {
            book.depth = level.depth;
            book.notes.merge(self.expander.notes());
            let transitions = self.expander.storing.tally.transitions - before;
            run.signal.transitions.fetch_add(transitions, Relaxed);
            run.signal.expanded.fetch_add(states, Relaxed);
            run.signal.depth.store(level.depth, Relaxed);
            self.keep_pace(begin.elapsed(), states);
        }
        descent
    }

    fn sweep(&mut self, level: &mut Level, book: &mut Book) {
        let run = self.run;
        let pending: u64 = level
            .pending
            .iter()
            .map(|(from, to)| u64::from(to - from))
            .sum();
        let begun = level.pending != [(0, level.len)];
        let is_shared = self.is_worth_sharing(pending);
        if !begun && is_shared && run.config.store.is_exact() && level.keys.is_none() {
            level.keys = Some(Box::new(Keys::new(level.next_start)));
        }
        // A level begun alone is ended alone: its first states have no keys.
        let is_shared = is_shared && (level.keys.is_some() || !run.config.store.is_exact());
        let helpers = if is_shared { self.helpers } else { 0 };
        let size = (pending / (8 * (helpers as u64 + 1))).clamp(1, u64::from(CHUNK)) as u32;
        let is_solo = helpers == 0 && run.config.store.is_exact();
        let size = if is_solo { u32::MAX } else { size };
        let begin = Instant::now();
        run.signal.growing.store(level.bytes(), Relaxed);
        let sweep = Sweep {
            tasks: cut(&level.pending, size),
            level: std::mem::take(level),
            cursor: AtomicUsize::new(0),
            done: Mutex::default(),
        };
        let expander = &mut self.expander;
        let sweep = if helpers == 0 {
            sweep.work(run, expander);
            sweep
        } else {
            self.crew
                .lead(sweep, helpers, |sweep| sweep.work(run, expander))
        };
        let Sweep {
            level: back,
            tasks,
            cursor,
            done,
        } = sweep;
        *level = back;
        let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        level.chunks.extend(done.chunks);
        level.renumber(run.store.close_gaps());
        level.pending = done.left;
        let taken = cursor.into_inner().min(tasks.len());
        level.pending.extend_from_slice(&tasks[taken..]);
        level.pending.sort_unstable();
        if let Some(tally) = done.tally {
            book.tally.merge(&tally);
        }
        let left: u64 = level
            .pending
            .iter()
            .map(|(from, to)| u64::from(to - from))
            .sum();
        self.keep_pace(begin.elapsed() * (helpers as u32 + 1), pending - left);
    }

    fn keep_pace(&mut self, time: Duration, states: u64) {
        self.pace.0 = self.pace.0 / 2 + time;
        self.pace.1 = self.pace.1 / 2 + states;
    }

    fn is_worth_sharing(&self, pending: u64) -> bool {
        if self.helpers == 0 || self.pace.1 == 0 || pending < 2 {
            return false;
        }
        let each = self.pace.0.as_nanos() as f64 / self.pace.1 as f64;
        pending as f64 * each >= WORTH_WAKING.as_nanos() as f64
    }
}

impl Sweep {
    /// Takes chunks until there are none or the signal says stop.
    fn work<'r>(&self, run: &'r Run<'r>, expander: &mut Expander<'r>) {
        loop {
            let at = self.cursor.fetch_add(1, Relaxed);
            let Some((from, to)) = self.tasks.get(at).copied() else {
                break;
            };
            let before = expander.storing.tally.transitions;
            let mut chunk = Chunk {
                first: from,
                ..Chunk::default()
            };
            let mut rank = from;
            while rank < to && run.may_expand() && self.expand(run, expander, rank, &mut chunk) {
                rank += 1;
                expander.after();
            }
            expander.flush(self.level.keys.as_deref());
            run.signal
                .expanded
                .fetch_add(u64::from(rank - from), Relaxed);
            let transitions = expander.storing.tally.transitions - before;
            run.signal.transitions.fetch_add(transitions, Relaxed);
            chunk.news.append(&mut expander.storing.news);
            chunk.found = std::mem::take(&mut expander.found);
            chunk.notes = expander.notes();
            run.signal.growing.fetch_add(chunk.bytes(), Relaxed);
            run.weigh();
            let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
            done.chunks.push(chunk);
            if rank < to {
                done.left.push((rank, to));
                break;
            }
        }
        expander.rest();
    }

    fn expand<'r>(
        &self,
        run: &'r Run<'r>,
        expander: &mut Expander<'r>,
        rank: u32,
        chunk: &mut Chunk,
    ) -> bool {
        let level = &self.level;
        let slots = run.shape.slots.len();
        let is_exact = run.config.store.is_exact();
        let at = rank as usize * slots;
        let source = Source {
            vector: (!is_exact).then(|| &level.vectors[at..at + slots]),
            ..level.source(run, rank)
        };
        let is_whole = expander.expand(source, level.keys.as_deref());
        if !is_exact {
            let fresh = &expander.storing.fresh;
            chunk.vectors.extend_from_slice(&fresh.vectors);
            let keys = fresh.origins.iter().map(Origin::key);
            chunk.news.extend(fresh.ids.iter().copied().zip(keys));
        }
        is_whole
    }
}

fn pause(run: &Run<'_>, level: &mut Level, book: &mut Book) {
    let work = Work::Level(std::mem::take(level));
    if let Some(checkpoint) = &run.config.checkpoint
        && let Err(error) = checkpoint::write(&checkpoint.path, run, book, &work)
    {
        book.warnings.push(error);
    }
    if let Work::Level(back) = work {
        *level = back;
    }
    run.signal.clear(Stop::Pause);
}

fn fresh_tally<'r>(run: &'r Run<'r>, expander: &mut Expander<'r>) -> Tally {
    std::mem::replace(&mut expander.storing.tally, Tally::of(run.shape))
}

/// Cuts ranges into pieces of at most `size`.
fn cut(ranges: &[(u32, u32)], size: u32) -> Vec<(u32, u32)> {
    let pieces = ranges.iter().flat_map(|(from, to)| {
        let starts = (*from..*to).step_by(size as usize);
        starts.map(|start| (start, (*to).min(start.saturating_add(size))))
    });
    pieces.collect()
}
