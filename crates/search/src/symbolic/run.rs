//! What a symbolic run holds, how it makes room, and its course from start to outcome.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ldd::{Halt, Node, Store};
use num_traits::ToPrimitive;
use pins::{Fault, Notes, Shape, System};

use super::checks::{Labels, Raw};
use super::config::Config;
use super::insertion::disorders;
use super::orbits::{self, Orbits};
use super::order::Reorder;
use super::outcome::{Diagram, Outcome, Represented, Statistics};
use super::relations::{Learner, Wanted};
use super::{order, paths, start};
use crate::explicit;
use crate::explicit::{Distinct, Finding, Monitor, Open, Progress, Refused};

/// Explores.
pub(super) fn explore(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    let (outcome, ()) = explore_then(system, config, monitor, |_, _| ())?;
    Ok(outcome)
}

/// Explores, and does something with the states before the account is made; it is told whether they are all.
pub(super) fn explore_then<T>(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
    then: impl FnOnce(&mut Run<'_>, bool) -> T,
) -> Result<(Outcome, T), Refused> {
    let mut run = Run::new(system, config, monitor)?;
    let watcher = Arc::clone(&run.watcher);
    // A stop ends the search, not the account of it.
    let (is_exhausted, done) = watcher.beside(|| {
        let is_exhausted = match start::start(&mut run) {
            Ok(true) => run.search().unwrap_or(false),
            Ok(false) => run.book.open.is_empty(),
            Err(Stopped) => false,
        };
        run.rest(is_exhausted);
        let done = then(&mut run, is_exhausted);
        (is_exhausted, done)
    });
    Ok((run.outcome(is_exhausted)?, done))
}

/// The run was stopped; the watcher knows why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// Everything a run needs and finds.
pub(super) struct Run<'a> {
    pub(super) system: &'a dyn System,
    pub(super) shape: &'a Shape,
    pub(super) config: &'a Config,
    pub(super) watcher: Arc<Watcher<'a>>,
    /// The slot of each level.
    pub(super) order: Vec<usize>,
    pub(super) store: Store<'a>,
    pub(super) learner: Learner<'a>,
    pub(super) labels: Labels,
    /// How symmetric states are represented by some of them, if they are.
    pub(super) orbits: Option<Orbits<'a>>,
    /// The initial states before representatives were chosen.
    pub(super) first: Node,
    pub(super) initial: Node,
    pub(super) visited: Node,
    /// States by depth: all of them after breadth-first search, else as far as paths were looked for.
    pub(super) levels: Vec<Node>,
    /// The union of all levels.
    pub(super) searched: Node,
    /// Sets that a fixed point works on while others are asked about them.
    pub(super) held: Vec<Node>,
    pub(super) book: Book,
}

/// What is written down on the way.
#[derive(Default)]
pub(super) struct Book {
    pub(super) setups: Vec<Vec<u32>>,
    pub(super) start_calls: u64,
    pub(super) start_edges: u64,
    pub(super) label_calls: u64,
    pub(super) rounds: u64,
    pub(super) raws: Vec<Raw>,
    /// Faults of each group that were reported.
    pub(super) told_faults: Vec<usize>,
    pub(super) budget: (u64, Option<Fault>),
    pub(super) open: Vec<Open>,
    /// Patience ended before the search did.
    pub(super) gave_up: bool,
}

/// Looks at the clock and at the monitor while diagrams are computed.
pub(super) struct Watcher<'a> {
    monitor: &'a dyn Monitor,
    started: Instant,
    most: Option<Duration>,
    reason: AtomicU8,
    pub(super) states: AtomicU64,
    pub(super) depth: AtomicU32,
    pub(super) bytes: AtomicU64,
    told: Mutex<Instant>,
    /// After so many looks at the watcher from within operations these end, as far as they came; zero is for ever.
    pub(super) patience: AtomicU64,
    is_tired: AtomicBool,
    /// Ends an evaluation that does not end by itself.
    halt: pins::Halt,
}

const INTERRUPTED: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;
const STATES: u8 = 4;
/// Between two looks of the thread beside the run.
const LOOK: Duration = Duration::from_millis(20);
/// From the stop to the halt: most evaluations end by themselves before that.
const GRACE: Duration = Duration::from_millis(200);
/// Progress is told five times a second.
const TELL: Duration = Duration::from_millis(200);
/// Without a limit tables may take all the address space there is.
const NO_LIMIT: usize = usize::MAX / 16;
/// Counting distinct values of a slot stops here.
const MOST_VALUES: usize = 4096;

impl Watcher<'_> {
    /// Whether the run should stop.
    fn look(&self) -> bool {
        if self.monitor.should_stop() {
            self.reason.store(INTERRUPTED, Relaxed);
            return true;
        }
        let elapsed = self.started.elapsed();
        if self.most.is_some_and(|most| elapsed >= most) {
            self.reason.store(TIME, Relaxed);
            return true;
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.elapsed() >= TELL {
            *told = Instant::now();
            self.monitor.progress(&Progress {
                states: self.states.load(Relaxed),
                depth: self.depth.load(Relaxed),
                bytes: self.bytes.load(Relaxed),
                elapsed,
                ..Progress::default()
            });
        }
        false
    }

    /// Does `work`, and halts an evaluation in it that goes on for long after the run should stop.
    fn beside<T>(&self, work: impl FnOnce() -> T) -> T {
        let (sender, done) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut since = None;
                while done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if self.look() && since.get_or_insert_with(Instant::now).elapsed() >= GRACE {
                        self.halt.set();
                    }
                }
            });
            // Dropped when the work is done, or panicked.
            let _sender = sender;
            work()
        })
    }

    /// One look from within an operation; whether patience is at its end.
    fn wears_out(&self) -> bool {
        let left = self.patience.load(Relaxed);
        if left == 0 {
            return false;
        }
        self.patience.store(left - 1, Relaxed);
        if left == 1 {
            self.is_tired.store(true, Relaxed);
        }
        left == 1
    }

    /// Whether operations ended because patience did, and for no other reason.
    pub(super) fn is_tired(&self) -> bool {
        self.is_tired.load(Relaxed) && self.reason.load(Relaxed) == 0
    }

    /// Takes up operations again with the patience that it has now.
    pub(super) fn rest(&self) {
        self.is_tired.store(false, Relaxed);
    }

    /// The limit on states was reached.
    pub(super) fn stop_at_states(&self) -> Stopped {
        self.reason.store(STATES, Relaxed);
        Stopped
    }

    pub(super) fn open(&self) -> Option<Open> {
        match self.reason.load(Relaxed) {
            INTERRUPTED => Some(Open::Interrupted),
            TIME => Some(Open::MaxTime),
            MEMORY => Some(Open::MaxMemory),
            STATES => Some(Open::MaxStates),
            _ => None,
        }
    }
}

impl<'a> Run<'a> {
    fn new(
        system: &'a dyn System,
        config: &'a Config,
        monitor: &'a dyn Monitor,
    ) -> Result<Run<'a>, Refused> {
        let shape = system.shape();
        let now = Instant::now();
        let watcher = Arc::new(Watcher {
            monitor,
            started: now,
            most: config.limits.max_time,
            reason: AtomicU8::new(0),
            states: AtomicU64::new(0),
            depth: AtomicU32::new(0),
            bytes: AtomicU64::new(0),
            told: Mutex::new(now),
            patience: AtomicU64::new(0),
            is_tired: AtomicBool::new(false),
            halt: pins::Halt::default(),
        });
        let mut store = Store::new(NO_LIMIT, config.threads).map_err(Refused)?;
        let watching = Arc::clone(&watcher);
        store.set_watch(Box::new(move || watching.look() || watching.wears_out()));
        let mut order = order::order(shape, config.reorder);
        let neighbours = config
            .symmetry
            .and_then(|kind| orbits::neighbours(system, kind, &watcher.halt));
        if let Some(neighbours) = neighbours
            .as_ref()
            .filter(|_| config.reorder == Reorder::Best)
        {
            order = orbits::by_columns(neighbours, &order);
        }
        let mut worker = system.worker();
        worker.heed(watcher.halt.clone());
        let wanted = Wanted {
            outcomes: config.count_transitions,
            moves: config.checks.must_leave(),
            merges: config.reorder != order::Reorder::None,
        };
        let learner = Learner::new(shape, &order, worker, &mut store, wanted);
        let labels = Labels::new(&config.checks, shape, &order, &mut store);
        let orbits = neighbours.zip(config.symmetry).and_then(|(found, kind)| {
            let classes = learner.classes.iter().map(|class| &class.members[..]);
            let classes: Vec<&[usize]> = classes.collect();
            let disorders = disorders(&found, kind, shape, &classes);
            Orbits::new(found, kind, &order, &mut store, disorders)
        });
        Ok(Run {
            system,
            shape,
            config,
            watcher,
            order,
            store,
            learner,
            labels,
            orbits,
            first: Node::EMPTY,
            initial: Node::EMPTY,
            visited: Node::EMPTY,
            levels: Vec::new(),
            searched: Node::EMPTY,
            held: Vec::new(),
            book: Book {
                told_faults: vec![0; shape.groups.len()],
                ..Book::default()
            },
        })
    }

    /// Asks for something in the diagrams, and makes room and asks again when there was none. Sets that are not
    /// fields of the run, and that the question needs, are passed in `more`.
    pub(super) fn attempt<T>(
        &mut self,
        more: &[Node],
        ask: impl Fn(&Run<'a>) -> Result<T, Halt>,
    ) -> Result<T, Stopped> {
        if self.config.collects_always {
            let roots = self.roots(more);
            self.store.collect(&roots);
        }
        loop {
            match ask(self) {
                Ok(answer) => return Ok(answer),
                Err(Halt::Stopped) => return Err(Stopped),
                Err(Halt::Full) => self.make_room(more)?,
            }
        }
    }

    /// What must survive a collection.
    fn roots(&self, more: &[Node]) -> Vec<Node> {
        let mut roots = vec![self.first, self.initial, self.visited, self.searched];
        for sets in [&self.levels, &self.held, more] {
            roots.extend_from_slice(sets);
        }
        self.learner.roots(&mut roots);
        self.labels.roots(&mut roots);
        if let Some(orbits) = &self.orbits {
            orbits.roots(&mut roots);
        }
        self.book.raws.iter().for_each(|raw| roots.push(raw.states));
        roots
    }

    /// Keeps all roots and makes room; `Stopped` when the limit on memory does not allow it.
    pub(super) fn make_room(&mut self, more: &[Node]) -> Result<(), Stopped> {
        let roots = self.roots(more);
        if let Some(most) = self.config.limits.max_memory {
            let left = most.saturating_sub(self.system.bytes());
            self.store.set_budget(left as usize);
        }
        let has_room = self.store.make_room(&roots);
        let bytes = self.store.bytes() as u64 + self.system.bytes();
        self.watcher.bytes.store(bytes, Relaxed);
        has_room.map_err(|_| {
            self.watcher.reason.store(MEMORY, Relaxed);
            Stopped
        })
    }

    /// The account of a search is made with as much patience as it takes.
    fn rest(&mut self, is_exhausted: bool) {
        self.watcher.patience.store(0, Relaxed);
        if self.watcher.is_tired() {
            self.book.gave_up |= !is_exhausted && !self.has_enough();
            self.watcher.rest();
            self.store.go_on();
        }
    }

    /// Stops when an evaluation was halted.
    pub(super) fn halted_by(&self, fault: &Fault) -> Result<(), Halt> {
        match fault.kind {
            pins::FaultKind::Halted => self.store.stop(),
            _ => Ok(()),
        }
    }

    /// How many findings end the run.
    pub(super) fn wanted(&self) -> usize {
        self.config.checks.stop_after.max(1)
    }

    /// A vector of a diagram as the system has it.
    pub(super) fn to_slots(&self, vector: &[u32]) -> Vec<u32> {
        let mut state = vec![0; self.order.len()];
        for (slot, value) in self.order.iter().zip(vector) {
            state[*slot] = *value;
        }
        state
    }

    /// What the representatives stand for.
    fn represented(&mut self) -> Option<Represented> {
        let orbits = self.orbits.as_ref()?;
        let is_precise = !orbits.neighbours.finds_several();
        let hidden = orbits.hidden;
        let states = match orbits.is_exact() && hidden.is_none() {
            true => self.weight(self.visited).ok(),
            false => None,
        };
        Some(Represented {
            is_precise,
            states,
            hidden,
        })
    }

    /// Paths need a worker that was not halted.
    fn renew_worker(&self) {
        let mut state = self.learner.state();
        let notes = state.worker.take_notes();
        state.notes.merge(notes);
        state.worker = self.system.worker();
    }

    fn outcome(mut self, is_exhausted: bool) -> Result<Outcome, Refused> {
        self.renew_worker();
        let mut findings = paths::findings(&mut self);
        findings.truncate(self.wanted());
        let counts = self.config.count_transitions && self.orbits.is_none();
        let counted = if self.visited.is_empty() || counts && is_exhausted {
            super::count::transitions(&mut self).ok()
        } else {
            None
        };
        let symmetry = self.represented();
        let mut state = self.learner.state();
        let notes = std::mem::take(&mut state.notes);
        let mut book = self.book;
        let count = state.budget.0 + book.budget.0;
        let fault = book.budget.1.or(state.budget.1.take());
        let more = open_ends(self.watcher.open(), &notes, (count, fault));
        book.open.extend(more);
        let states = self.store.count(self.visited);
        let table = self.store.statistics();
        let enabled = |learned: &super::relations::Learned| !learned.known.enabled.is_empty();
        let statistics = Statistics {
            symmetry,
            transitions: counted.as_ref().map(|counts| counts.iter().sum()),
            group_transitions: counted,
            is_enabled: state.learned.iter().map(enabled).collect(),
            levels: book.rounds,
            is_exhausted,
            gave_up: book.gave_up,
            ldd_nodes: self.store.size(self.visited),
            peak_ldd_nodes: table.peak_nodes,
            peak_ldd_bytes: table.peak_bytes,
            collections: table.collections,
            cache: (table.lookups, table.hits),
            states,
        };
        let mut slot_values = vec![Distinct::default(); self.order.len()];
        let values = self.store.level_values(self.visited, MOST_VALUES);
        for (slot, (values, is_all)) in self.order.iter().zip(values) {
            slot_values[*slot] = Distinct {
                count: values.len() as u32,
                is_at_least: !is_all,
            };
        }
        let depths = findings.iter().map(|found: &Finding| found.depth);
        let common = explicit::Statistics {
            states: statistics.states.to_u64().unwrap_or(u64::MAX),
            setups: match self.shape.has_setup {
                true => book.setups.len() as u64,
                false => 0,
            },
            start_edges: book.start_edges,
            next_state_calls: state.calls + book.start_calls,
            label_calls: book.label_calls + state.guard_calls,
            depth: depths.max().unwrap_or(0),
            slot_values,
            wall: self.watcher.started.elapsed(),
            store_bytes: table.bytes,
            peak_bytes: table.peak_bytes + self.system.bytes(),
            ..explicit::Statistics::default()
        };
        Ok(Outcome {
            common: explicit::Outcome {
                findings,
                statistics: common,
                notes,
                is_complete: is_exhausted && book.open.is_empty(),
                open: book.open,
                warnings: Vec::new(),
                states: explicit::Kept::default(),
            },
            statistics,
            set: self.config.keep_states.then(|| Diagram {
                nodes: self.store.lists(self.visited),
                order: self.order,
            }),
        })
    }
}

/// Why a run is open: limits, what was cut, and a budget that did not suffice so often.
fn open_ends(
    limit: Option<Open>,
    notes: &Notes,
    (count, fault): (u64, Option<Fault>),
) -> Vec<Open> {
    let cut = (!notes.cuts.is_empty()).then_some(Open::Cut);
    let dropped = (notes.dropped_faults > 0).then_some(Open::Dropped);
    let budget = fault.map(|fault| Open::Budget(count, fault));
    [limit, cut, dropped, budget]
        .into_iter()
        .flatten()
        .collect()
}
