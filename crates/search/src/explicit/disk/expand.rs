//! One thread's share of a level: states are taken in chunks, their successors gathered and written when they are many.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use pins::{Notes, Worker};
use runs::{Folder, Heap, Reader, Run as Sorted};

use super::{Duties, lock};
use crate::explicit::found::{Found, Raw};
use crate::explicit::outcome::FindingKind;
use crate::explicit::run::Run;
use crate::explicit::statistics::Tally;
use crate::explicit::steps::{Steps, Taken, account};

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
    steps: Steps,
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
            steps: Steps::new(),
            duties: is_chief.then(Duties::new),
            tally: Tally::of(run.shape),
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
        let (heap, steps) = (&mut self.heap, &mut self.steps);
        steps.begin();
        let is_whole = steps.each(run, &mut *self.worker, state, |_, step| {
            if state == step.target {
                return Taken::Stays;
            }
            heap.add(step.target);
            Taken::Leads
        });
        if !is_whole {
            self.worker.give_up();
            return false;
        }
        let (worker, tally, depth) = (&mut *self.worker, &mut self.tally, self.depth);
        let found = &mut self.found;
        account(run, worker, tally, found, (state, steps), |step| Raw {
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
