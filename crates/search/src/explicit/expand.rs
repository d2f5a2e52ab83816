//! Computes the successors of one state, stores them and checks the new ones.
//!
//! Invariant: a state is expanded completely or not at all: when it has to be given up midway its transitions
//! are not counted and it stays to be expanded; states found on the way are stored and checked.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::{Fault, FaultKind, Flow, GroupId, LabelId, Notes, Worker};
use rustc_hash::FxHashSet;
use treetable::{Kind, Session};

use super::batch::{Batch, Fresh, Origin};
use super::chosen::{Chosen, Part, Watch};
use super::labels::Noticed;
use super::limits::{Stop, Ticker};
use super::merge::Keys;
use super::outcome::FindingKind;
use super::run::Run;
use super::stack::Entry;
use super::statistics::Tally;
use pins::Event;

/// One thread's means of expanding states.
pub struct Expander<'r> {
    run: &'r Run<'r>,
    worker: Box<dyn Worker + 'r>,
    session: Session<'r>,
    state: Vec<u32>,
    changed: Vec<u64>,
    emitted: Vec<u32>,
    /// Whether a step of the state leads to another one.
    leads_away: bool,
    faults: Vec<(GroupId, Fault)>,
    coinciding: FxHashSet<Box<[u32]>>,
    staged: Fresh,
    /// What an expansion stored that was given up, and that is made again: its states are new to it.
    pub orphans: FxHashSet<u32>,
    /// Chooses steps, when there is a reduction.
    chosen: Option<Chosen<'r>>,
    /// Looks at the clock between steps.
    ticker: Ticker,
    /// Looks at the clock between states; one ticker for both would be heard by only one of them.
    states: Ticker,
    chief: Option<Chief>,
    /// New successors of the last state.
    pub fresh: Fresh,
    /// States of the level that this thread reached first so far, with the key of the step; only with keys.
    pub news: Vec<(u32, u64)>,
    /// What was counted.
    pub tally: Tally,
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

/// What workers noticed.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of discovery.
    pub findings: Vec<Raw>,
    /// How often a budget of the evaluator did not suffice, and the first time.
    pub budget: (u64, Option<Fault>),
    /// States in which some label is not as wanted.
    pub unclean: Vec<u32>,
}

/// A finding before its path is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Raw {
    pub kind: FindingKind,
    pub label: Option<LabelId>,
    pub event: Option<Event>,
    pub fault: Option<Fault>,
    /// The number in the store.
    pub state: Option<u32>,
    /// The set-up, when there is no state.
    pub setup: Option<u32>,
    /// The number in breadth-first order.
    pub number: Option<u32>,
    pub depth: u32,
    /// Position of the parent in its level, then of the step.
    pub key: u64,
    /// Whether the state is one of the next level.
    pub is_new: bool,
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
            session: run.store.session(),
            state: vec![0; slots],
            changed: vec![0; run.labels.words()],
            emitted: Vec::new(),
            leads_away: false,
            faults: Vec::new(),
            coinciding: FxHashSet::default(),
            staged: Fresh::default(),
            chosen: run
                .reduction
                .map(|reduction| Chosen::new(reduction.selector(), run.shape.groups.len())),
            ticker: Ticker::new(),
            states: Ticker::new(),
            chief: is_chief.then_some(Chief {
                told: (now, 0),
                saved: (now, Duration::ZERO),
            }),
            fresh: Fresh::default(),
            news: Vec::new(),
            tally: Tally::new(run.shape.groups.len(), slots),
            found: Found::default(),
            orphans: FxHashSet::default(),
        }
    }

    /// Expands a state. `false` when it had to be given up; the signal says why.
    pub fn expand(&mut self, source: Source<'_>, keys: Option<&Keys>) -> bool {
        let run = self.run;
        self.session.breathe();
        self.session.take_blocks(keys.is_some());
        match source.vector {
            Some(vector) => self.state.copy_from_slice(vector),
            None => self.session.load(source.id, &mut self.state),
        }
        self.fresh.clear();
        self.emitted.clear();
        self.leads_away = false;
        self.coinciding.clear();
        let is_whole = match self.chosen.take() {
            None => self.steps(source, keys),
            Some(mut chosen) => {
                let is_whole = self.chosen_steps(source, keys, &mut chosen);
                self.chosen = Some(chosen);
                is_whole
            }
        };
        if is_whole {
            let expanded = Expanded {
                state: &self.state,
                emitted: &self.emitted,
                leads_away: self.leads_away,
                faults: &mut self.faults,
            };
            let (worker, tally) = (&mut *self.worker, &mut self.tally);
            account(run, worker, tally, &mut self.found, expanded, |step| {
                source.finding(step)
            });
        }
        if !is_whole {
            self.worker.give_up();
        }
        self.check_fresh();
        is_whole
    }

    fn steps(&mut self, source: Source<'_>, keys: Option<&Keys>) -> bool {
        let run = self.run;
        let (state, emitted, changed) = (&self.state, &mut self.emitted, &mut self.changed);
        let (coinciding, ticker) = (&mut self.coinciding, &mut self.ticker);
        let mut batch = Batch {
            run,
            source,
            keys,
            keeps_vectors: source.vector.is_some() || !run.labels.is_empty(),
            session: &mut self.session,
            staged: &mut self.staged,
            fresh: &mut self.fresh,
            news: &mut self.news,
            tally: &mut self.tally,
            orphans: &mut self.orphans,
            watch: None,
        };
        let is_plain = run.store.kind() == Kind::Plain && !batch.looks_at_vectors();
        let (mut is_whole, mut is_halted) = (true, false);
        let (faults, leads_away) = (&mut self.faults, &mut self.leads_away);
        faults.clear();
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
            let number = emitted.len() as u32;
            emitted.push(group.index() as u32);
            // Nobody looks at the words of packed vectors one by one.
            let differs = match is_plain {
                true => state != step.target,
                false => differences(state, step.target, changed),
            };
            if !differs {
                return Flow::Continue;
            }
            *leads_away = true;
            is_whole = batch.add(number, step.target, changed);
            if is_whole { Flow::Continue } else { Flow::Stop }
        };
        self.worker
            .all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
                FaultKind::Halted => is_halted = true,
                _ => faults.push((group, fault)),
            });
        batch.end() && is_whole && !is_halted
    }

    /// Like `steps`, of the steps that are chosen.
    fn chosen_steps(
        &mut self,
        source: Source<'_>,
        keys: Option<&Keys>,
        chosen: &mut Chosen<'r>,
    ) -> bool {
        let run = self.run;
        let (state, ticker, faults) = (&self.state, &mut self.ticker, &mut self.faults);
        let mut is_whole = true;
        faults.clear();
        chosen.begin();
        let mut emit = |group: GroupId, step: pins::Step<'_>| {
            if is_over(run, ticker) {
                is_whole = false;
                return Flow::Stop;
            }
            let twin = twin(run, group, &step);
            chosen.push(group.index(), (state, step.target), twin);
            Flow::Continue
        };
        let mut is_halted = false;
        self.worker
            .all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
                FaultKind::Halted => is_halted = true,
                _ => faults.push((group, fault)),
            });
        if !is_whole || is_halted {
            return false;
        }
        for (group, _) in faults.iter() {
            chosen.selector.faults(group.index());
        }
        let is_reduced = chosen.choose(state, &mut *self.worker);
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
            chosen.selector.explored(self.emitted.len(), chosen.len());
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
        let (emitted, changed) = (&mut self.emitted, &mut self.changed);
        let mut batch = Batch {
            run,
            source,
            keys,
            keeps_vectors: source.vector.is_some() || !run.labels.is_empty(),
            session: &mut self.session,
            staged: &mut self.staged,
            fresh: &mut self.fresh,
            news: &mut self.news,
            tally: &mut self.tally,
            orphans: &mut self.orphans,
            watch,
        };
        for (group, number, target) in chosen.steps(part) {
            // One number is one step, whichever of its groups was chosen.
            if chosen.has_twins() && !self.coinciding.insert(Box::new([number])) {
                continue;
            }
            emitted.push(group);
            if !differences(state, target, changed) {
                continue;
            }
            self.leads_away = true;
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
        for at in 0..self.fresh.ids.len() {
            if self.fresh.adopted.contains(&self.fresh.ids[at]) {
                continue;
            }
            let state = &self.fresh.vectors[at * slots..(at + 1) * slots];
            let changed = &self.fresh.changed[at * words..(at + 1) * words];
            let origin = self.fresh.origins[at];
            let place = (self.fresh.ids[at], origin.depth, origin.key());
            let changed = origin.is_clean.then_some(changed);
            let found = &mut self.found;
            self.tally.label_calls +=
                run.labels
                    .check(&mut *self.worker, state, changed, |noticed| {
                        if noticed.is_halted() {
                            run.signal.is_undecided.store(true, Relaxed);
                        }
                        found.notice(noticed, place);
                    });
        }
    }

    /// Stores what waits.
    pub fn flush(&mut self) {
        if self.staged.origins.is_empty() {
            return;
        }
        self.fresh.clear();
        let mut batch = Batch {
            run: self.run,
            source: Source::default(),
            keys: None,
            keeps_vectors: !self.run.labels.is_empty(),
            session: &mut self.session,
            staged: &mut self.staged,
            fresh: &mut self.fresh,
            news: &mut self.news,
            tally: &mut self.tally,
            orphans: &mut self.orphans,
            watch: None,
        };
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
        self.session.release();
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

impl Found {
    /// Whether nothing was noticed.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty() && self.budget.0 == 0 && self.unclean.is_empty()
    }

    /// States of the next level have got other numbers.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for raw in self.findings.iter_mut().filter(|raw| raw.is_new) {
            raw.state = raw.state.map(&number);
        }
        for state in &mut self.unclean {
            *state = number(*state);
        }
    }

    /// A fault is a finding, unless it says nothing about the model.
    pub fn fault(&mut self, raw: Raw) {
        match raw.fault {
            Some(fault) if fault.kind.leaves_open() => leave_open(&mut self.budget, fault),
            _ => self.findings.push(raw),
        }
    }

    /// A label that is not as wanted in a new state: number, depth and key.
    pub fn notice(&mut self, noticed: Noticed, (state, depth, key): (u32, u32, u64)) {
        if self.unclean.last() != Some(&state) {
            self.unclean.push(state);
        }
        self.fault(Raw {
            kind: noticed.kind,
            label: Some(noticed.label),
            event: None,
            fault: noticed.fault,
            state: Some(state),
            setup: None,
            number: None,
            depth,
            key,
            is_new: true,
        });
    }
}

/// What was found when a state was expanded as a whole.
pub(crate) struct Expanded<'e> {
    pub(crate) state: &'e [u32],
    /// The groups of its steps.
    pub(crate) emitted: &'e [u32],
    /// Whether a step leads to another state.
    pub(crate) leads_away: bool,
    pub(crate) faults: &'e mut Vec<(GroupId, Fault)>,
}

/// Counts the steps of a state, and notes that it has none, or what it could not do. `raw` is a finding in the state, at a
/// step.
pub(crate) fn account(
    run: &Run<'_>,
    worker: &mut dyn Worker,
    tally: &mut Tally,
    found: &mut Found,
    expanded: Expanded<'_>,
    raw: impl Fn(u32) -> Raw,
) {
    tally.next_state_calls += run.shape.groups.len() as u64;
    tally.count(expanded.emitted);
    if run.config.checks.deadlock && is_dead(run, worker, &expanded) {
        found.findings.push(Raw {
            kind: FindingKind::Deadlock,
            ..raw(u32::MAX)
        });
    }
    for (group, fault) in expanded.faults.drain(..) {
        let raw = raw(group.index() as u32);
        found.fault(Raw {
            kind: kind_of(&fault),
            event: Some(Event::Group(group)),
            fault: Some(fault),
            depth: raw.depth + u32::from(!run.shape.faults_stay),
            ..raw
        });
    }
}

/// Whether a state has no step, as deadlock is understood, and does not end properly.
fn is_dead(run: &Run<'_>, worker: &mut dyn Worker, expanded: &Expanded<'_>) -> bool {
    let checks = &run.config.checks;
    let leads_nowhere = match checks.stuttering {
        true => !expanded.leads_away,
        false => expanded.emitted.is_empty(),
    };
    if !leads_nowhere || !expanded.faults.is_empty() {
        return false;
    }
    // What was given may be less than there is: images of a state are other states.
    if !expanded.emitted.is_empty() && !worker.stutters(expanded.state) {
        return false;
    }
    let mut ends = checks.ends.iter();
    !ends.any(|label| worker.label(expanded.state, *label) == pins::Truth::True)
}

/// What tells a step from those of other groups of the same name; `None` when no other group has the name.
#[inline]
pub(crate) fn twin(run: &Run<'_>, group: GroupId, step: &pins::Step<'_>) -> Option<Box<[u32]>> {
    let name = run.twins[group.index()]?;
    let head = [name, step.label.len() as u32];
    Some([&head, step.label, step.target].concat().into())
}

/// Whether the run has to end in the middle of a state.
#[inline]
pub(crate) fn is_over(run: &Run<'_>, ticker: &mut Ticker) -> bool {
    let Some(now) = ticker.tick() else {
        return false;
    };
    run.look(now);
    if run.monitor.should_stop() {
        run.signal.raise(Stop::Interrupted);
    }
    let stop = run.signal.get();
    stop != Stop::No && !stop.is_pause()
}

/// Marks the slots in which the vectors differ; whether there are any.
#[inline]
pub(crate) fn differences(from: &[u32], to: &[u32], changed: &mut [u64]) -> bool {
    if let [word] = changed
        && let len @ ..=8 = from.len()
    {
        let (from, to) = (&from[..len], &to[..len]);
        *word = (0..len).fold(0, |bits, slot| {
            bits | u64::from(from[slot] != to[slot]) << slot
        });
        return *word != 0;
    }
    changed.fill(0);
    let (fours, others) = (from.as_chunks::<4>().0, to.as_chunks::<4>().0);
    let mut any = false;
    // Four slots are compared at once: most of them are equal.
    for at in 0..fours.len() {
        if fours[at] != others[at] {
            any = true;
            let mut bits = 0;
            for slot in 0..4 {
                bits |= u64::from(fours[at][slot] != others[at][slot]) << slot;
            }
            changed[at / 16] |= bits << (at % 16 * 4);
        }
    }
    for slot in fours.len() * 4..from.len() {
        let bit = u64::from(from[slot] != to[slot]);
        any |= bit != 0;
        changed[slot / 64] |= bit << (slot % 64);
    }
    any
}

#[inline]
pub(crate) fn for_each_slot(set: &[u64], mut each: impl FnMut(usize)) {
    for (at, word) in set.iter().enumerate() {
        let mut bits = *word;
        while bits != 0 {
            each(at * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

/// What a fault of a step is told as.
pub(super) fn kind_of(fault: &Fault) -> FindingKind {
    match fault.kind {
        FaultKind::Assertion | FaultKind::Observed => FindingKind::Assertion,
        _ => FindingKind::Fault,
    }
}

/// An answer that is not known: a budget that did not suffice is counted; the notes tell what was cut, and the signal why
/// an evaluation was halted.
pub(crate) fn leave_open(budget: &mut (u64, Option<Fault>), fault: Fault) {
    if fault.kind == FaultKind::Budget {
        budget.0 += 1;
        budget.1.get_or_insert(fault);
    }
}
