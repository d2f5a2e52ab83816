//! What all workers of a run share, and what it writes down.

use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::{Fault, Notes, Path, Shape, System};
use reduce::por::Reduction;
use rustc_hash::FxHashMap;
use treetable::{Kind, Store, Terms};

use super::checkpoint::{self, Saved};
use super::config::{Config, Monitor, Order, Progress};
use super::found::{Found, Raw};
use super::labels::Labels;
use super::level::Level;
use super::limits::{Signal, Stop};
use super::links::Links;
use super::lock::Lock;
use super::outcome::{Finding, FindingKind, Kept, Open, Outcome, Refused};
use super::paths;
use super::stack::Stack;
use super::statistics::{Statistics, Tally};
use pins::Event;

/// What is shared and does not change hands.
pub struct Run<'a> {
    pub system: Held<'a, dyn System + 'a>,
    pub shape: &'a Shape,
    pub config: Held<'a, Config>,
    pub monitor: &'a dyn Monitor,
    pub labels: Labels,
    /// Which steps are explored; all without it.
    pub reduction: Option<&'a Reduction<'a>>,
    pub store: Store,
    pub setups: Store,
    pub links: Links,
    /// States that are kept elsewhere than in the store.
    pub elsewhere: AtomicU64,
    pub signal: Signal,
    /// For each group whose name another group has too: a number of that name. Their steps may coincide.
    pub twins: Vec<Option<u32>>,
    /// States below this number were found before the run was resumed: what holds in them is not known.
    pub known_from: u32,
    /// So many states pause the run; the most there is for none.
    pub milestone: u64,
    started: Instant,
    /// What a resumed run took before.
    pub earlier: Duration,
    /// Where a resumed run goes on.
    pub saved: Option<Saved>,
    /// Held until the run is over.
    _lock: Option<Lock>,
}

/// What a run looks at: somebody else's, or its own.
pub enum Held<'a, T: ?Sized> {
    /// Somebody else has it.
    Borrowed(&'a T),
    /// Made for this run.
    Owned(Box<T>),
}

impl<T: ?Sized> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Held::Borrowed(held) => held,
            Held::Owned(held) => held,
        }
    }
}

/// What the run writes down as it goes; only the leading thread has it.
#[derive(Default)]
pub struct Book {
    pub tally: Tally,
    pub notes: Notes,
    pub findings: Vec<Raw>,
    pub budget: (u64, Option<Fault>),
    pub initial: u32,
    pub start_edges: u64,
    pub depth: u32,
    pub peak: u64,
    pub open: Vec<Open>,
    pub warnings: Vec<String>,
}

/// What is left to do.
pub enum Work {
    /// Breadth-first.
    Level(Level),
    /// From a stack.
    Stack(Stack),
}

/// Without a limit the store may take all the address space there is.
const NO_LIMIT: usize = usize::MAX / 16;

impl<'a> Run<'a> {
    /// Prepares a run, from a checkpoint if the configuration names one.
    pub fn new(
        system: &'a dyn System,
        config: &'a Config,
        monitor: &'a dyn Monitor,
        reduction: Option<&'a Reduction<'a>>,
    ) -> Result<Run<'a>, Refused> {
        let (held, config) = (Held::Borrowed(system), Held::Borrowed(config));
        Run::over(held, system.shape(), config, monitor, reduction)
    }

    /// The same over what may be its own.
    pub fn over(
        system: Held<'a, dyn System + 'a>,
        shape: &'a Shape,
        config: Held<'a, Config>,
        monitor: &'a dyn Monitor,
        reduction: Option<&'a Reduction<'a>>,
    ) -> Result<Run<'a>, Refused> {
        let (for_states, for_setups) = terms(&config);
        let resume = config.resume.clone();
        let mut run = Run {
            system,
            shape,
            monitor,
            labels: Labels::new(&config.checks, shape),
            reduction,
            store: new_store(kept(&config, shape), shape, for_states)?,
            setups: new_store(Kind::Tree, shape, for_setups)?,
            links: Links::new(&config),
            elsewhere: AtomicU64::new(0),
            signal: Signal::default(),
            twins: twins(shape),
            known_from: 0,
            milestone: u64::MAX,
            started: Instant::now(),
            earlier: Duration::ZERO,
            saved: None,
            _lock: match &config.checkpoint {
                Some(checkpoint) => Some(Lock::take(&checkpoint.path).map_err(Refused)?),
                None => None,
            },
            config,
        };
        if let Some(path) = &resume {
            let (stores, saved) =
                checkpoint::read(path, &run, (for_states, for_setups)).map_err(Refused)?;
            (run.store, run.setups, run.links) = stores;
            run.known_from = run.store.len() as u32;
            run.earlier = saved.elapsed;
            run.saved = Some(saved);
        }
        Ok(run)
    }

    /// What became of the run; `work` is what is left of it.
    pub fn outcome(&self, book: Book, work: Option<&Work>, is_exhausted: bool) -> Outcome {
        let frontier = work.map(|work| work.left(self));
        let initial = book.initial;
        self.outcome_along(book, frontier, is_exhausted, |raw| {
            paths::path(self, raw, initial)
        })
    }

    /// The same with `frontier` states left, if anything was begun, and paths from elsewhere.
    pub fn outcome_along(
        &self,
        mut book: Book,
        frontier: Option<u64>,
        is_exhausted: bool,
        mut path: impl FnMut(&Raw) -> Path,
    ) -> Outcome {
        book.give_reasons(
            self.signal.get(),
            is_exhausted,
            self.config.store.is_exact(),
        );
        book.findings.truncate(self.wanted());
        book.leave_out_alike(self.config.alike);
        let findings = book.findings.iter().map(|raw| Finding {
            kind: raw.kind,
            label: raw.label,
            event: raw.event,
            fault: raw.fault.clone(),
            state: raw.number,
            depth: raw.depth,
            path: path(raw),
        });
        let findings = findings.collect();
        self.account(&mut book, 0);
        let tally = &book.tally;
        Outcome {
            findings,
            statistics: Statistics {
                states: self.states(),
                setups: if self.shape.has_setup {
                    self.setups.len() as u64
                } else {
                    0
                },
                transitions: tally.transitions,
                start_edges: book.start_edges,
                next_state_calls: tally.next_state_calls,
                label_calls: tally.label_calls,
                depth: book.depth,
                frontier: frontier.unwrap_or(0),
                group_transitions: tally.groups.clone(),
                slot_values: tally.values.iter().map(|values| values.count()).collect(),
                wall: self.elapsed(),
                store_bytes: self.store.bytes() as u64,
                disk_bytes: 0,
                peak_bytes: book.peak,
            },
            is_complete: book.open.is_empty() && (is_exhausted || frontier.is_none()),
            open: book.open,
            notes: book.notes,
            warnings: book.warnings,
            states: Kept::default(),
        }
    }

    /// States found so far.
    #[inline]
    pub fn states(&self) -> u64 {
        self.store.len() as u64 + self.elsewhere.load(Relaxed)
    }

    /// How many findings end the run.
    pub fn wanted(&self) -> usize {
        self.config.checks.stop_after.max(1)
    }

    /// Since the start of the first run.
    pub fn elapsed(&self) -> Duration {
        self.earlier + self.started.elapsed()
    }

    /// The bytes of everything that grows, `more` for what the caller holds.
    pub fn bytes(&self, more: u64) -> u64 {
        let states = self.store.len();
        let own = self.store.bytes() + self.setups.bytes() + self.links.bytes(states);
        own as u64 + self.system.bytes() + self.signal.growing.load(Relaxed) + more
    }

    /// Remembers the most that was in use.
    pub fn account(&self, book: &mut Book, more: u64) {
        book.peak = book.peak.max(self.bytes(more));
    }

    /// Compares with the limits, the clock having been read.
    pub fn look(&self, now: Instant) {
        let limits = &self.config.limits;
        // A resumed run has a time of its own.
        let elapsed = now - self.started;
        if limits.max_time.is_some_and(|most| elapsed >= most) {
            self.signal.raise(Stop::Time);
        }
        self.weigh();
    }

    /// Compares with the limit on memory: whenever the clock is read, and whenever a piece of a level is done.
    pub fn weigh(&self) {
        let limit = self.config.limits.max_memory;
        if limit.is_some_and(|most| self.bytes(0) > most) {
            self.signal.raise(Stop::Memory);
        }
    }

    /// A state could not be stored.
    pub fn no_room(&self) {
        self.signal.raise(match self.store.is_complete() {
            true => Stop::States,
            false => Stop::Memory,
        });
    }

    /// Compares with what may change with every state.
    #[inline]
    pub fn may_expand(&self) -> bool {
        let states = self.states();
        self.monitor.before_state(states);
        if self.monitor.should_stop() {
            self.signal.raise(Stop::Interrupted);
        } else if states >= self.milestone {
            self.signal.raise(Stop::Milestone);
        }
        self.signal.get() == Stop::No
    }

    /// Tells the monitor how far the run is.
    pub fn tell(&self, since: &mut (Instant, u64)) {
        let states = self.states();
        let passed = since.0.elapsed().as_secs_f64().max(1e-9);
        let expanded = self.signal.expanded.load(Relaxed);
        self.monitor.progress(&Progress {
            states,
            transitions: self.signal.transitions.load(Relaxed),
            frontier: states.saturating_sub(expanded),
            depth: self.signal.depth.load(Relaxed),
            rate: states.saturating_sub(since.1) as f64 / passed,
            bytes: self.bytes(0),
            elapsed: self.elapsed(),
        });
        *since = (Instant::now(), states);
    }
}

impl Book {
    /// Of findings that differ in their states only the first are kept: each has a path that is made and judged.
    fn leave_out_alike(&mut self, most: usize) {
        let mut counts: FxHashMap<_, usize> = FxHashMap::default();
        let before = self.findings.len();
        self.findings.retain(|raw| {
            let fault = raw.fault.as_ref();
            let fault = fault.map(|fault| (fault.span, fault.message.clone()));
            let alike = (raw.kind, raw.label, raw.event, fault);
            let count = counts.entry(alike).or_default();
            *count += 1;
            *count <= most
        });
        let left_out = before - self.findings.len();
        if left_out > 0 {
            self.warnings.push(format!(
                "{left_out} findings are left out that are like others, in other states"
            ));
        }
    }

    /// Takes over what workers noticed.
    pub fn take(&mut self, found: Found) {
        self.budget.0 += found.budget.0;
        if self.budget.1.is_none() {
            self.budget.1 = found.budget.1;
        }
        self.findings.extend(found.findings);
    }

    /// Why the run proves less than it could: the signal, and what was noticed.
    pub fn give_reasons(&mut self, stop: Stop, is_exhausted: bool, is_exact: bool) {
        self.open.extend(match stop {
            // The signal came when nothing was left to do.
            _ if is_exhausted => None,
            Stop::No | Stop::Pause | Stop::Milestone => None,
            Stop::Interrupted => Some(Open::Interrupted),
            Stop::States => Some(Open::MaxStates),
            Stop::Time => Some(Open::MaxTime),
            Stop::Memory => Some(Open::MaxMemory),
        });
        if !is_exact {
            self.open.push(Open::LossyStore);
        }
        if !self.notes.cuts.is_empty() {
            self.open.push(Open::Cut);
        }
        if self.notes.dropped_faults > 0 {
            self.open.push(Open::Dropped);
        }
        if let (count, Some(fault)) = &self.budget {
            self.open.push(Open::Budget(*count, fault.clone()));
        }
    }

    /// A finding without a state.
    pub fn report(
        &mut self,
        kind: FindingKind,
        event: Event,
        fault: Option<Fault>,
        setup: Option<u32>,
    ) {
        self.findings.push(Raw {
            kind,
            label: None,
            event: Some(event),
            fault,
            state: None,
            setup,
            number: None,
            depth: 0,
            key: u64::MAX,
            is_new: false,
        });
    }
}

impl Work {
    /// States found but not expanded.
    pub fn left(&self, run: &Run<'_>) -> u64 {
        match self {
            Work::Level(level) => level.left(run.store.len()),
            Work::Stack(stack) => stack.left(),
        }
    }

    /// Nothing expanded yet: all states so far are initial.
    pub fn initial(run: &Run<'_>, vectors: Vec<u32>, unclean: Vec<u32>) -> Work {
        let unclean = unclean.into_iter().collect();
        match run.config.order {
            Order::Bfs => Work::Level(Level {
                unclean,
                ..Level::initial(run, vectors)
            }),
            Order::Dfs | Order::Mixed => Work::Stack(Stack {
                unclean,
                ..Stack::initial(run, vectors)
            }),
        }
    }
}

/// How the stores of states and of set-ups are used: set-ups are sought by one thread.
fn terms(config: &Config) -> (Terms, Terms) {
    let limits = &config.limits;
    let setups = Terms {
        budget: limits.max_memory.map_or(NO_LIMIT, |bytes| bytes as usize),
        threads: 1,
        ..Terms::default()
    };
    let states = Terms {
        most: limits.max_states.map_or(usize::MAX, |most| most as usize),
        threads: match config.order {
            Order::Bfs => config.threads.max(1),
            Order::Dfs | Order::Mixed => 1,
        },
        ..setups
    };
    (states, setups)
}

/// Packed vectors of so many words, and permuted ones, are kept as they are: folding them takes longer than it saves. Of a vector
/// that was permuted most words differ from those of the state before.
const NARROW: usize = 32;
const NARROW_PERMUTED: usize = 64;

/// What the store keeps of a state.
pub(super) fn kept(config: &Config, shape: &Shape) -> Kind {
    match config.store {
        Kind::Tree if shape.is_packed && shape.slots.len() <= NARROW => Kind::Plain,
        Kind::Tree if shape.is_whole && shape.slots.len() <= NARROW_PERMUTED => Kind::Plain,
        kind => kind,
    }
}

fn new_store(kind: Kind, shape: &Shape, terms: Terms) -> Result<Store, Refused> {
    let no_memory = || Refused("there is no memory for the store".to_string());
    Store::of_bits(kind, shape.slots.len(), &shape.bits, terms).ok_or_else(no_memory)
}

fn twins(shape: &Shape) -> Vec<Option<u32>> {
    if shape.is_told_by_group {
        return vec![None; shape.groups.len()];
    }
    let mut names = FxHashMap::default();
    for group in &shape.groups {
        let number = names.len() as u32;
        names.entry(group.name).or_insert((number, 0)).1 += 1;
    }
    let twin = |group: &pins::Group| {
        let (number, count) = names[&group.name];
        (count > 1).then_some(number)
    };
    shape.groups.iter().map(twin).collect()
}
