//! One thread's share of a level: states are taken in chunks, their successors gathered and written when they are many.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use pins::{Fault, FaultKind, Flow, GroupId, Notes, Worker};
use runs::{Folder, Heap, Reader, Run as Sorted};
use rustc_hash::FxHashSet;

use super::{Duties, lock};
use crate::explicit::expand::{Expanded, Found, Raw, account, is_over, twin};
use crate::explicit::limits::Ticker;
use crate::explicit::outcome::FindingKind;
use crate::explicit::run::Run;
use crate::explicit::statistics::Tally;

/// So many states are taken at once.
const CHUNK: usize = 512;

/// The states of a level, to be taken by threads.
pub(super) struct Chunks {
    reader: Reader,
    taken: u64,
}

impl Chunks {
    pub(super) fn new(level: &Sorted) -> io::Result<Chunks> {
        Ok(Chunks {
            reader: level.read()?,
            taken: 0,
        })
    }

    /// The next states, one after the other; the rank of the first and how many.
    fn take(&mut self, states: &mut Vec<u32>) -> io::Result<(u64, usize)> {
        let (first, mut count) = (self.taken, 0);
        states.clear();
        while count < CHUNK && self.reader.advance()? {
            states.extend_from_slice(self.reader.vector());
            count += 1;
        }
        self.taken += count as u64;
        Ok((first, count))
    }
}

/// A finding with its state.
pub(super) struct Noted {
    pub(super) raw: Raw,
    pub(super) state: Vec<u32>,
    /// The depth of the state.
    pub(super) depth: u32,
}

impl Noted {
    /// The order of reports.
    pub(super) fn order(&self) -> (u32, FindingKind, u64) {
        (self.raw.depth, self.raw.kind, self.raw.key)
    }

    /// Takes what was found in a state; of a great many only those that come first in reports.
    pub(super) fn take(
        noted: &mut Vec<Noted>,
        found: &mut Found,
        (state, depth, number): (&[u32], u32, u64),
        wanted: usize,
    ) {
        found.unclean.clear();
        if found.findings.is_empty() {
            return;
        }
        noted.extend(found.findings.drain(..).map(|raw| Noted {
            raw: Raw {
                number: u32::try_from(number).ok(),
                ..raw
            },
            state: state.to_vec(),
            depth,
        }));
        if noted.len() > wanted.saturating_mul(2).saturating_add(1000) {
            noted.sort_by_key(Noted::order);
            noted.truncate(wanted);
        }
    }
}

/// What a thread came to.
pub(super) struct Yielded {
    pub(super) runs: Vec<Sorted>,
    pub(super) noted: Vec<Noted>,
    pub(super) found: Found,
    pub(super) tally: Tally,
    pub(super) notes: Notes,
}

/// One thread's means.
pub(super) struct Expander<'r> {
    run: &'r Run<'r>,
    depth: u32,
    /// The number of the first state of the level.
    first: u64,
    worker: Box<dyn Worker + 'r>,
    heap: Heap,
    runs: Vec<Sorted>,
    emitted: Vec<u32>,
    faults: Vec<(GroupId, Fault)>,
    coinciding: FxHashSet<Box<[u32]>>,
    ticker: Ticker,
    /// Those of the thread that tells how far the run is.
    duties: Option<Duties>,
    tally: Tally,
    found: Found,
    noted: Vec<Noted>,
}

impl<'r> Expander<'r> {
    /// For the level at a depth, with the number of its first state.
    pub(super) fn new(
        run: &'r Run<'r>,
        (depth, first): (u32, u64),
        budget: u64,
        is_chief: bool,
    ) -> Expander<'r> {
        let mut worker = run.system.worker();
        worker.heed(run.signal.halt.clone());
        Expander {
            run,
            depth,
            first,
            worker,
            heap: Heap::new(run.shape.slots.len(), budget),
            runs: Vec::new(),
            emitted: Vec::new(),
            faults: Vec::new(),
            coinciding: FxHashSet::default(),
            ticker: Ticker::new(),
            duties: is_chief.then(Duties::new),
            tally: Tally::new(run.shape.groups.len(), run.shape.slots.len()),
            found: Found::default(),
            noted: Vec::new(),
        }
    }

    /// Takes chunks until there are none or the signal says stop.
    pub(super) fn work(
        &mut self,
        chunks: &Mutex<Chunks>,
        folder: &Folder,
        expanded: &AtomicU64,
    ) -> io::Result<()> {
        let (run, slots) = (self.run, self.run.shape.slots.len());
        let mut states = Vec::new();
        loop {
            let (first, count) = lock(chunks).take(&mut states)?;
            if count == 0 {
                return Ok(());
            }
            let before = (self.tally.transitions, self.heap.bytes());
            let mut done = 0;
            while done < count
                && run.may_expand()
                && self.expand(
                    &states[done * slots..(done + 1) * slots],
                    first + done as u64,
                )
            {
                done += 1;
                if self.heap.is_full() {
                    self.runs.push(self.heap.spill(folder, 0)?);
                }
                if let Some(duties) = &mut self.duties {
                    duties.attend(run);
                }
            }
            expanded.fetch_add(done as u64, Relaxed);
            let signal = &run.signal;
            signal.expanded.fetch_add(done as u64, Relaxed);
            signal
                .transitions
                .fetch_add(self.tally.transitions - before.0, Relaxed);
            signal
                .growing
                .fetch_add(self.heap.bytes() - before.1, Relaxed);
            run.weigh();
            if done < count {
                return Ok(());
            }
        }
    }

    /// Gathers the successors of a state; `false` when it had to be given up.
    fn expand(&mut self, state: &[u32], rank: u64) -> bool {
        let run = self.run;
        let (emitted, faults, heap) = (&mut self.emitted, &mut self.faults, &mut self.heap);
        let (coinciding, ticker) = (&mut self.coinciding, &mut self.ticker);
        let (mut is_whole, mut is_halted, mut leads_away) = (true, false, false);
        emitted.clear();
        faults.clear();
        coinciding.clear();
        let mut emit = |group: GroupId, step: pins::Step<'_>| {
            if is_over(run, ticker) {
                is_whole = false;
                return Flow::Stop;
            }
            if let Some(twin) = twin(run, group, &step)
                && !coinciding.insert(twin)
            {
                return Flow::Continue;
            }
            emitted.push(group.index() as u32);
            if state != step.target {
                leads_away = true;
                heap.add(step.target);
            }
            Flow::Continue
        };
        self.worker
            .all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
                FaultKind::Halted => is_halted = true,
                _ => faults.push((group, fault)),
            });
        if !is_whole || is_halted {
            self.worker.give_up();
            return false;
        }
        let (worker, tally, depth) = (&mut *self.worker, &mut self.tally, self.depth);
        let expanded = Expanded {
            state,
            emitted,
            leads_away,
            faults,
        };
        account(run, worker, tally, &mut self.found, expanded, |step| Raw {
            kind: FindingKind::Fault,
            label: None,
            event: None,
            fault: None,
            state: None,
            setup: None,
            number: None,
            depth,
            key: rank << 32 | u64::from(step),
            is_new: false,
        });
        let place = (state, depth, self.first + rank);
        Noted::take(&mut self.noted, &mut self.found, place, run.wanted());
        true
    }

    /// All chunks are done.
    pub(super) fn finish(mut self, folder: &Folder) -> io::Result<Yielded> {
        if !self.heap.is_empty() {
            self.runs.push(self.heap.spill(folder, 0)?);
        }
        Ok(Yielded {
            notes: self.worker.take_notes(),
            runs: self.runs,
            noted: self.noted,
            found: self.found,
            tally: self.tally,
        })
    }
}
