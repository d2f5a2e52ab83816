//! Computes the successors of one state, stores them and checks the new ones.
//!
//! Invariant: a state is expanded completely or not at all: when it has to be given up midway its transitions
//! are not counted and it stays to be expanded; states found on the way are stored and checked.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::{Notes, Worker};
use rustc_hash::FxHashSet;
use treetable::Kind;

use super::batch::{Batch, Origin, Storing};
use super::chosen::{Chosen, Part, Watch};
use super::found::{Found, Raw};
use super::limits::{Stop, Ticker};
use super::merge::Keys;
use super::outcome::FindingKind;
use super::run::Run;
use super::slots::differences;
use super::stack::Entry;
use super::steps::{Steps, Taken, account};

/// One thread's means of expanding states.
pub struct Expander<'r> {
    run: &'r Run<'r>,
    worker: Box<dyn Worker + 'r>,
    /// Where new states are put, and what became of them.
    pub storing: Storing<'r>,
    state: Vec<u32>,
    changed: Vec<u64>,
    steps: Steps,
    /// Chooses steps, when there is a reduction.
    chosen: Option<Chosen<'r>>,
    /// Looks at the clock between states; one ticker for states and steps would be heard by only one of them.
    states: Ticker,
    chief: Option<Chief>,
    /// What was noticed.
    pub found: Found,
}

/// The thread that also looks after progress and checkpoints.
struct Chief {
    told: (Instant, u64),
    /// When the last checkpoint was complete, and how long it took.
    saved: (Instant, Duration),
}

/// A state to expand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source<'s> {
    /// Its number in the store.
    pub id: u32,
    /// Its position in the level.
    pub rank: u32,
    /// Steps from an initial state.
    pub depth: u32,
    /// Whether all labels are known to be as wanted in it.
    pub is_clean: bool,
    /// The state itself, when the store cannot give it back.
    pub vector: Option<&'s [u32]>,
    /// States from this number on are expanded later than this one; from a stack nothing says so.
    pub later_from: Option<u32>,
    /// Whether new states may be stored later, by [`Expander::flush`] at the latest: nobody asks for them before.
    pub may_wait: bool,
}

/// Progress is told five times a second.
pub(super) const TELL: Duration = Duration::from_millis(200);

impl<'r> Expander<'r> {
    /// A new one for the calling thread; the chief looks after progress and checkpoints.
    pub fn new(run: &'r Run<'r>, is_chief: bool) -> Expander<'r> {
        let slots = run.shape.slots.len();
        let now = Instant::now();
        let mut worker = run.system.worker();
        worker.heed(run.signal.halt.clone());
        Expander {
            run,
            worker,
            storing: Storing::new(run),
            state: vec![0; slots],
            changed: vec![0; run.labels.words()],
            steps: Steps::new(),
            chosen: run
                .reduction
                .map(|reduction| Chosen::new(reduction.selector(), run.shape.groups.len())),
            states: Ticker::new(),
            chief: is_chief.then_some(Chief {
                told: (now, 0),
                saved: (now, Duration::ZERO),
            }),
            found: Found::default(),
        }
    }

    /// Expands a state. `false` when it had to be given up; the signal says why.
    pub fn expand(&mut self, source: Source<'_>, keys: Option<&Keys>) -> bool {
        let run = self.run;
        if self.storing.session.is_awaited() {
            self.flush(keys);
            self.storing.session.release();
        }
        self.storing.session.take_blocks(keys.is_some());
        match source.vector {
            Some(vector) => self.state.copy_from_slice(vector),
            None => self.storing.session.load(source.id, &mut self.state),
        }
        self.storing.fresh.clear();
        self.steps.begin();
        let is_whole = match self.chosen.take() {
            None => self.all_steps(source, keys),
            Some(mut chosen) => {
                let is_whole = self.chosen_steps(source, keys, &mut chosen);
                self.chosen = Some(chosen);
                is_whole
            }
        };
        if is_whole {
            let (worker, tally) = (&mut *self.worker, &mut self.storing.tally);
            let state = (&self.state[..], &mut self.steps);
            account(run, worker, tally, &mut self.found, state, |step| {
                source.finding(step)
            });
        }
        if !is_whole {
            self.worker.give_up();
        }
        self.check_fresh();
        is_whole
    }

    fn all_steps(&mut self, source: Source<'_>, keys: Option<&Keys>) -> bool {
        let (run, state, changed) = (self.run, &self.state, &mut self.changed);
        let mut batch = Batch::new(run, &mut self.storing, source, keys);
        let is_plain = run.store.kind() == Kind::Plain && !batch.looks_at_vectors();
        let steps = &mut self.steps;
        let is_whole = steps.each(run, &mut *self.worker, state, |number, step| {
            // Nobody looks at the words of packed vectors one by one.
            let differs = match is_plain {
                true => state != step.target,
                false => differences(state, step.target, changed),
            };
            if !differs {
                Taken::Stays
            } else if batch.add(number, step.target, changed) {
                Taken::Leads
            } else {
                Taken::NoRoom
            }
        });
        batch.end() && is_whole
    }

    /// Like `all_steps`, of the steps that are chosen.
    fn chosen_steps(
        &mut self,
        source: Source<'_>,
        keys: Option<&Keys>,
        chosen: &mut Chosen<'r>,
    ) -> bool {
        let run = self.run;
        let worker = &mut *self.worker;
        let Some(is_reduced) = self.steps.choose(run, worker, &self.state, chosen) else {
            return false;
        };
        let part = if is_reduced { Part::Chosen } else { Part::All };
        let must_leave = run.config.checks.must_leave();
        let needs_progress = is_reduced && (chosen.selector.needs_proviso() || must_leave);
        let watch = needs_progress.then(|| chosen.watch(source.later_from));
        let Some(has_progress) = self.store_part(source, keys, chosen, part, watch) else {
            return false;
        };
        if is_reduced && !has_progress {
            chosen.selector.forced();
            if self
                .store_part(source, keys, chosen, Part::Others, None)
                .is_none()
            {
                return false;
            }
        } else if is_reduced {
            chosen
                .selector
                .explored(self.steps.emitted.len(), chosen.len());
        }
        if source.later_from.is_none() {
            chosen.close(source.id);
        }
        true
    }

    /// Stores the steps of a part; whether `watch` saw progress, which it did if there is none. `None` when there is
    /// no room.
    fn store_part(
        &mut self,
        source: Source<'_>,
        keys: Option<&Keys>,
        chosen: &Chosen<'r>,
        part: Part,
        watch: Option<Watch<'_>>,
    ) -> Option<bool> {
        let (run, state) = (self.run, &self.state);
        let (steps, changed) = (&mut self.steps, &mut self.changed);
        let mut batch = Batch::new(run, &mut self.storing, source, keys);
        batch.watch = watch;
        for (group, number, target) in chosen.steps(part) {
            // One number is one step, whichever of its groups was chosen.
            if chosen.has_twins() && !steps.is_first(number) {
                continue;
            }
            steps.emitted.push(group);
            if !differences(state, target, changed) {
                continue;
            }
            steps.leads_away = true;
            if !batch.add(number, target, changed) {
                return None;
            }
        }
        let has_room = batch.insert();
        has_room.then(|| batch.watch.is_none_or(|watch| watch.has_progress))
    }

    /// All states but those that wait were expanded, which only a reduction has to know.
    pub fn close_all_but<'e>(&mut self, waiting: impl Iterator<Item = &'e Entry>) {
        if let Some(chosen) = &mut self.chosen {
            let open: FxHashSet<u32> = waiting.map(|entry| entry.id).collect();
            let states = 0..self.run.store.len() as u32;
            for id in states.filter(|id| !open.contains(id)) {
                chosen.close(id);
            }
        }
    }

    /// Checks the labels in what was stored for the first time.
    fn check_fresh(&mut self) {
        let (run, slots) = (self.run, self.state.len());
        if run.labels.is_empty() {
            return;
        }
        let words = run.labels.words();
        for at in 0..self.storing.fresh.ids.len() {
            if self
                .storing
                .fresh
                .adopted
                .contains(&self.storing.fresh.ids[at])
            {
                continue;
            }
            let state = &self.storing.fresh.vectors[at * slots..(at + 1) * slots];
            let changed = &self.storing.fresh.changed[at * words..(at + 1) * words];
            let origin = self.storing.fresh.origins[at];
            let place = (self.storing.fresh.ids[at], origin.depth, origin.key());
            let changed = origin.is_clean.then_some(changed);
            let found = &mut self.found;
            self.storing.tally.label_calls +=
                run.labels
                    .check(&mut *self.worker, state, changed, |noticed| {
                        if noticed.is_halted() {
                            run.signal.is_undecided.store(true, Relaxed);
                        }
                        found.notice(noticed, place);
                    });
        }
    }

    /// Stores what waits, of states that were expanded with these keys.
    pub fn flush(&mut self, keys: Option<&Keys>) {
        if self.storing.staged.origins.is_empty() {
            return;
        }
        self.storing.fresh.clear();
        let mut batch = Batch::new(self.run, &mut self.storing, Source::default(), keys);
        // There is room for what waits; were there none, the run would end with that reason.
        batch.insert();
        self.check_fresh();
    }

    /// After each state: limits that need the clock, and the chief's duties.
    pub fn after(&mut self) {
        let run = self.run;
        let Some(now) = self.states.tick() else {
            return;
        };
        run.look(now);
        let Some(chief) = &mut self.chief else {
            return;
        };
        if now - chief.told.0 >= TELL {
            run.tell(&mut chief.told);
        }
        if let Some(checkpoint) = &run.config.checkpoint
            // At most half of the time goes to checkpoints, however often they are wanted.
            && now.saturating_duration_since(chief.saved.0) >= checkpoint.every.max(chief.saved.1)
        {
            run.signal.raise(Stop::Pause);
        }
    }

    /// A checkpoint is complete that was begun then.
    pub fn saved(&mut self, begun: Instant) {
        if let Some(chief) = &mut self.chief {
            chief.saved = (Instant::now(), begun.elapsed());
        }
    }

    /// What the system noticed since the last time.
    pub fn notes(&mut self) -> Notes {
        self.worker.take_notes()
    }

    /// Lets go of the store before the thread waits.
    pub fn rest(&mut self) {
        self.storing.session.release();
    }
}

impl Source<'_> {
    /// A step of the state.
    #[inline]
    pub(super) fn step(&self, number: u32) -> Origin {
        Origin {
            parent: self.id,
            rank: self.rank,
            step: number,
            depth: self.depth + 1,
            is_clean: self.is_clean,
        }
    }

    /// A finding in the state itself.
    fn finding(&self, step: u32) -> Raw {
        Raw {
            kind: FindingKind::Fault,
            label: None,
            event: None,
            fault: None,
            state: Some(self.id),
            setup: None,
            number: None,
            depth: self.depth,
            key: u64::from(self.rank) << 32 | u64::from(step),
            is_new: false,
        }
    }
}
