//! Depth-first and mixed search: a state is expanded completely, its new successors go on a stack.
//!
//! Differs from recursive depth-first search: all successors are stored at once, so the store is asked only once
//! for each transition; visits are in the same order, the first successor first.
//! Mixed takes the oldest state in one of three cases, chosen by a generator with a fixed seed.
//! Invariant: one thread; same counts as breadth-first for complete runs, findings may be deeper.
//! Invariant: an expansion that was given up is the first thing that a resumed run does, with the states that it had
//! stored as if they were new; so the order of visits does not depend on where runs were ended. A reduction needs that:
//! its proviso asks which states are expanded later ([`super::chosen`]), and the states that wait, the given up one and its
//! own among them, are exactly those. What was left out before is therefore taken later, across any number of resumes.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use rustc_hash::FxHashSet;

use super::batch::Fresh;
use super::checkpoint;
use super::config::Order;
use super::expand::{Expander, Source};
use super::limits::Stop;
use super::outcome::Open;
use super::run::{Book, Run, Work};
use super::statistics::Tally;

/// The states to expand.
#[derive(Default)]
pub struct Stack {
    pub states: VecDeque<Entry>,
    /// States in which some label is not as wanted.
    pub unclean: FxHashSet<u32>,
    /// States that are too deep to be expanded.
    pub too_deep: u64,
    /// The generator for mixed search.
    pub seed: u64,
    /// The state whose expansion had to be given up, and what it had stored by then.
    pub given_up: Option<(Entry, Vec<Entry>)>,
}

/// A state on the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub id: u32,
    pub depth: u32,
    /// The state itself, when the store cannot give it back; empty otherwise.
    pub vector: Box<[u32]>,
}

impl Stack {
    /// All states of the store, which are initial.
    pub fn initial(run: &Run<'_>, vectors: Vec<u32>) -> Stack {
        let slots = run.shape.slots.len();
        let mut stack = Stack {
            seed: 0x9e37_79b9_7f4a_7c15,
            ..Stack::default()
        };
        for id in (0..run.store.len() as u32).rev() {
            let at = id as usize * slots;
            stack.states.push_back(Entry {
                id,
                depth: 0,
                vector: vectors.get(at..at + slots).unwrap_or_default().into(),
            });
        }
        stack
    }

    /// States found but not expanded.
    pub fn left(&self) -> u64 {
        let given_up = self.given_up.as_ref().map_or(0, |(_, own)| 1 + own.len());
        self.states.len() as u64 + self.too_deep + given_up as u64
    }

    fn source<'e>(&self, run: &Run<'_>, entry: &'e Entry) -> Source<'e> {
        Source {
            id: entry.id,
            rank: 0,
            depth: entry.depth,
            is_clean: entry.id >= run.known_from && !self.unclean.contains(&entry.id),
            vector: (!run.config.store.is_exact()).then_some(&entry.vector),
            later_from: None,
            may_wait: false,
        }
    }

    fn pop(&mut self, order: Order) -> Option<Entry> {
        if order == Order::Mixed {
            self.seed ^= self.seed << 13;
            self.seed ^= self.seed >> 7;
            self.seed ^= self.seed << 17;
            if self.seed.is_multiple_of(3) {
                return self.states.pop_front();
            }
        }
        self.states.pop_back()
    }
}

/// New states at a depth, the first one to be taken first.
fn entries(run: &Run<'_>, fresh: &Fresh, depth: u32) -> Vec<Entry> {
    let slots = run.shape.slots.len();
    let ids = fresh.ids.iter().enumerate().rev();
    let entry = |(at, id): (usize, &u32)| Entry {
        id: *id,
        depth,
        vector: match run.config.store.is_exact() {
            true => Box::default(),
            false => fresh.vectors[at * slots..(at + 1) * slots].into(),
        },
    };
    ids.map(entry).collect()
}

/// Explores until nothing is left, enough is found, or the signal says stop.
pub fn explore(run: &Run<'_>, stack: &mut Stack, book: &mut Book) {
    let mut expander = Expander::new(run, true);
    let given_up = stack.given_up.iter();
    let given_up = given_up.flat_map(|(entry, own)| std::iter::once(entry).chain(own));
    expander.close_all_but(stack.states.iter().chain(given_up));
    let slots = run.shape.slots.len();
    let entry_bytes = (std::mem::size_of::<Entry>()
        + if run.config.store.is_exact() {
            0
        } else {
            slots * 4
        }) as u64;
    let deepest = run.config.limits.max_depth.unwrap_or(u32::MAX);
    while book.findings.len() < run.wanted() {
        if !run.may_expand() {
            if run.signal.get() != Stop::Pause {
                break;
            }
            pause(run, stack, book, &mut expander);
            continue;
        }
        let (entry, own) = match stack.given_up.take() {
            Some(given_up) => given_up,
            None => match stack.pop(run.config.order) {
                Some(entry) => (entry, Vec::new()),
                None => break,
            },
        };
        expander
            .storing
            .orphans
            .extend(own.iter().map(|entry| entry.id));
        if entry.depth >= deepest {
            stack.too_deep += 1;
            continue;
        }
        book.depth = book.depth.max(entry.depth);
        run.signal.depth.store(entry.depth, Relaxed);
        let is_whole = expander.expand(stack.source(run, &entry), None);
        stack.unclean.extend(expander.found.unclean.drain(..));
        let mut found = std::mem::take(&mut expander.found);
        for raw in &mut found.findings {
            raw.number = raw.state;
        }
        found.findings.sort_by_key(|raw| (raw.kind, raw.key));
        book.take(found);
        let mut next = entries(run, &expander.storing.fresh, entry.depth + 1);
        if !next.is_empty() {
            book.depth = book.depth.max(entry.depth + 1);
        }
        // What was not met again: the store does not tell, or the expansion was given up once more.
        let orphans = &mut expander.storing.orphans;
        next.extend(own.into_iter().filter(|entry| orphans.remove(&entry.id)));
        if is_whole {
            stack.states.extend(next);
        } else {
            stack.given_up = Some((entry, next));
        }
        run.signal.expanded.fetch_add(1, Relaxed);
        run.signal.transitions.store(
            book.tally.transitions + expander.storing.tally.transitions,
            Relaxed,
        );
        run.signal
            .growing
            .store(stack.states.len() as u64 * entry_bytes, Relaxed);
        expander.after();
    }
    if stack.too_deep > 0 && !book.open.contains(&Open::MaxDepth) {
        book.open.push(Open::MaxDepth);
    }
    run.account(book, 0);
    run.signal.growing.store(0, Relaxed);
    book.tally.merge(&expander.storing.tally);
    book.notes.merge(expander.notes());
}

fn pause<'r>(run: &'r Run<'r>, stack: &mut Stack, book: &mut Book, expander: &mut Expander<'r>) {
    let begun = Instant::now();
    expander.rest();
    run.account(book, 0);
    book.tally.merge(&expander.storing.tally);
    expander.storing.tally = Tally::of(run.shape);
    book.notes.merge(expander.notes());
    let work = Work::Stack(std::mem::take(stack));
    if let Some(checkpoint) = &run.config.checkpoint
        && let Err(error) = checkpoint::write(&checkpoint.path, run, book, &work)
    {
        book.warnings.push(error);
    }
    if let Work::Stack(back) = work {
        *stack = back;
    }
    expander.saved(begun);
    run.signal.clear(Stop::Pause);
}
