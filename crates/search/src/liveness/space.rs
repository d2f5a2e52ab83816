//! The graph of a system, found on demand and kept: states are asked about once, however many formulas visit them.
//!
//! States lie in a compact store; the steps out of a state are pairs of a target and a letter, eight bytes each.
//! Steps of one state with the same target and letter are one.
//! Invariant: a state with a step that faulted has its other steps, and is no deadlock; where those are not known it has
//! none, and whoever needs them is told of the fault.

use std::collections::hash_map::Entry;
use std::mem::size_of;

use pins::{Fault, Flow, GroupId, Notes, System};
use rustc_hash::{FxHashMap, FxHashSet};
use treetable::{Found, Session, Store};

use super::Config;
use super::outcome::Verdict;
use super::stepper::{Stepper, Unanswered};
use super::threads::Annotations;
use super::watch::{Stopped, Watch};
use crate::explicit::limits::Stop;
use crate::explicit::slots::differences;
use crate::explicit::{Open, leave_open};
use pins::Event;

/// A system as far as it was explored.
pub struct Space<'s> {
    pub(crate) system: &'s dyn System,
    pub(crate) stepper: Stepper<'s>,
    /// The permutations of steps, when the system is a quotient and labels count.
    pub(crate) annotated: Option<&'s dyn Annotations>,
    pub(crate) watch: &'s Watch<'s>,
    store: &'s Store,
    session: Session<'s>,
    state: Vec<u32>,
    changed: Vec<u64>,
    heads: Vec<Head>,
    edges: Vec<Edge>,
    /// Initial states with their set-ups.
    pub(crate) initial: Vec<(u32, u32)>,
    pub(crate) setups: Vec<Box<[u32]>>,
    /// Steps out of states that faulted.
    faults: FxHashMap<u32, (GroupId, Fault)>,
    /// States with steps that are not known, because something was not looked at.
    incomplete: FxHashSet<u32>,
    /// Such states that were passed by, in the order in which they were found.
    passed: Vec<u32>,
    pub(super) config: &'s Config,
    beginning: Option<Result<(), Verdict>>,
    notes: Notes,
    open: Vec<Open>,
    expanded: u64,
    transitions: u64,
    /// Formulas that are still to be checked.
    expected: usize,
    /// Bytes of the check that goes on.
    pub(crate) busy_bytes: u64,
}

/// A step of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) target: u32,
    /// The letter of the step.
    pub(crate) letter: u32,
}

#[derive(Clone, Copy)]
struct Head {
    from: u64,
    len: u32,
    letter: u32,
}

/// A state that was not expanded.
const NOT_YET: u32 = u32::MAX;

/// Between two accounts of memory.
const ACCOUNT: u64 = 64;

/// Why a search ended before its end.
pub(crate) enum Trouble {
    /// A limit; the watch knows which.
    Stopped,
    /// Evaluating the steps out of a state faulted.
    Event(u32),
    /// An atom that matters has no value: in a state, or in a step out of it.
    Atom(u32, Option<Edge>, u32),
}

impl From<Stopped> for Trouble {
    fn from(_: Stopped) -> Trouble {
        Trouble::Stopped
    }
}

/// What was explored for all formulas together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct states found.
    pub states: u64,
    /// States whose steps are known.
    pub expanded: u64,
    /// Their steps.
    pub transitions: u64,
    /// Set-ups; 0 without a set-up step.
    pub setups: u64,
    /// Bytes of the store, the graph and the system's tables.
    pub bytes: u64,
}

impl<'s> Space<'s> {
    pub(crate) fn new(
        system: &'s dyn System,
        stepper: Stepper<'s>,
        store: &'s Store,
        watch: &'s Watch<'s>,
        config: &'s Config,
    ) -> Space<'s> {
        let slots = stepper.slots();
        Space {
            system,
            stepper,
            annotated: None,
            watch,
            store,
            session: store.session(),
            state: vec![0; slots],
            changed: vec![0; slots.div_ceil(64).max(1)],
            heads: Vec::new(),
            edges: Vec::new(),
            initial: Vec::new(),
            setups: Vec::new(),
            faults: FxHashMap::default(),
            incomplete: FxHashSet::default(),
            passed: Vec::new(),
            config,
            beginning: None,
            notes: Notes::default(),
            open: Vec::new(),
            expanded: 0,
            transitions: 0,
            expected: 1,
            busy_bytes: 0,
        }
    }

    /// Finds set-ups and initial states; what every formula is told when there are none.
    pub(crate) fn start(&mut self) -> Result<(), Verdict> {
        if self.beginning.is_none() {
            self.watch.share_time(1);
            self.beginning = Some(self.find_initial());
            // When some initial states are missing, no formula is proved.
            self.open.extend(self.watch.reason());
        }
        self.watch.share_time(self.expected);
        self.expected = self.expected.saturating_sub(1);
        self.beginning.clone().unwrap_or(Ok(()))
    }

    /// Says how many formulas will be checked from now on, so that each has its share of the time.
    pub fn expect(&mut self, formulas: usize) {
        self.expected = formulas;
    }

    fn find_initial(&mut self) -> Result<(), Verdict> {
        let (mut faults, mut is_cut) = (Vec::new(), false);
        let has_setup = self.system.shape().has_setup;
        let most = self.config.limits.max_setups.unwrap_or(u64::MAX);
        let (setups, watch) = (&mut self.setups, self.watch);
        let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::default();
        let answer = self.stepper.worker().setups(&mut |setup| {
            if has_setup && setups.len() as u64 >= most {
                is_cut = true;
                return Flow::Stop;
            }
            if setups.len() % 64 == 63 && watch.go_on().is_err() {
                return Flow::Stop;
            }
            if seen.insert(setup.into()) {
                setups.push(setup.into());
            }
            Flow::Continue
        });
        drop(seen);
        faults.extend(answer.err().map(|fault| (fault, Event::Setup, None)));
        if is_cut {
            self.open.push(Open::MaxSetups);
        }
        for number in 0..self.setups.len() {
            if watch.go_on().is_err() {
                break;
            }
            let answer = self.initial(number);
            faults.extend(
                answer
                    .err()
                    .map(|fault| (fault, Event::Initialisation, Some(number))),
            );
        }
        for (fault, event, setup) in faults {
            if fault.kind.leaves_open() {
                leave_open(&mut self.stepper.budget, fault);
            } else {
                return Err(Verdict::Fault {
                    fault,
                    atom: None,
                    event: Some(event),
                    path: setup.map_or(Vec::new(), |setup| self.setup_step(setup as u32)),
                });
            }
        }
        if self.initial.is_empty() {
            let open = self.stopped();
            return Err(match (open.is_empty(), self.setups.is_empty()) {
                (false, _) => Verdict::Open(open),
                (true, true) => Verdict::NoInitialState(Event::Setup),
                (true, false) => Verdict::NoInitialState(Event::Initialisation),
            });
        }
        Ok(())
    }

    fn initial(&mut self, number: usize) -> Result<(), Fault> {
        let (session, heads) = (&mut self.session, &mut self.heads);
        let (watch, store, initial) = (self.watch, self.store, &mut self.initial);
        self.stepper
            .worker()
            .initial(&self.setups[number], &mut |state| {
                if watch.go_on().is_err() {
                    return Flow::Stop;
                }
                match session.insert(state) {
                    Found::New(id) => {
                        add_head(heads, id);
                        initial.push((id, number as u32));
                        Flow::Continue
                    }
                    Found::Full => {
                        no_room(watch, store);
                        Flow::Stop
                    }
                    Found::Seen(_) | Found::SeenSomewhere => Flow::Continue,
                }
            })
    }

    /// Makes sure that the steps out of a state are known.
    #[inline]
    pub(crate) fn expand(&mut self, state: u32) -> Result<(), Trouble> {
        if self.heads[state as usize].letter != NOT_YET {
            return Ok(());
        }
        self.expand_new(state)
    }

    fn expand_new(&mut self, state: u32) -> Result<(), Trouble> {
        if self.faults.contains_key(&state) {
            return Err(Trouble::Event(state));
        }
        self.watch.go_on()?;
        if self.expanded.is_multiple_of(ACCOUNT) {
            self.account()?;
        }
        self.session.load(state, &mut self.state);
        match self.stepper.ask(&self.state, self.watch) {
            Ok(()) => {}
            Err(Unanswered::Stopped) => return Err(Trouble::Stopped),
            Err(Unanswered::Fault(group, fault)) => {
                self.faults.insert(state, (group, fault));
                return Err(Trouble::Event(state));
            }
        }
        for (group, fault) in &self.stepper.missing {
            if fault.kind.leaves_open() {
                self.incomplete.insert(state);
            } else if let Entry::Vacant(place) = self.faults.entry(state) {
                place.insert((*group, fault.clone()));
                self.passed.push(state);
            }
        }
        let from = self.edges.len();
        let mut staged: Vec<usize> = Vec::new();
        for (at, letter) in self.stepper.letters_of_steps.iter().enumerate() {
            let target = self.stepper.steps.get(at).target;
            let is_self = !differences(&self.state, target, &mut self.changed);
            self.edges.push(Edge {
                target: state,
                letter: *letter,
            });
            if is_self {
                continue;
            }
            if !self.session.stage_successor(target, &self.changed) {
                self.edges.truncate(from);
                self.session.insert_staged(|_, _| {});
                no_room(self.watch, self.store);
                return Err(Trouble::Stopped);
            }
            staged.push(from + at);
        }
        let (edges, heads) = (&mut self.edges, &mut self.heads);
        let mut has_room = true;
        self.session.insert_staged(|at, found| match found {
            Found::New(id) => {
                add_head(heads, id);
                edges[staged[at]].target = id;
            }
            Found::Seen(id) => edges[staged[at]].target = id,
            Found::Full | Found::SeenSomewhere => has_room = false,
        });
        if !has_room {
            self.edges.truncate(from);
            no_room(self.watch, self.store);
            return Err(Trouble::Stopped);
        }
        self.transitions += (self.edges.len() - from) as u64;
        remove_copies(&mut self.edges, from);
        self.heads[state as usize] = Head {
            from: from as u64,
            len: (self.edges.len() - from) as u32,
            letter: self.stepper.state_letter,
        };
        self.expanded += 1;
        Ok(())
    }

    /// The steps out of an expanded state.
    #[inline]
    pub(crate) fn edges(&self, state: u32) -> &[Edge] {
        let head = self.heads[state as usize];
        &self.edges[head.from as usize..][..head.len as usize]
    }

    /// Whether paths end in an expanded state: nothing is possible there.
    #[inline]
    pub(crate) fn is_end(&self, state: u32) -> bool {
        self.heads[state as usize].len == 0 && !self.is_faulty(state) && !self.is_incomplete(state)
    }

    /// Whether an expanded state may have steps that are not known.
    #[inline]
    pub(crate) fn is_incomplete(&self, state: u32) -> bool {
        !self.incomplete.is_empty() && self.incomplete.contains(&state)
    }

    /// Whether a step out of an expanded state faulted.
    #[inline]
    pub(crate) fn is_faulty(&self, state: u32) -> bool {
        !self.faults.is_empty() && self.faults.contains_key(&state)
    }

    /// How many faults were passed by so far.
    pub(crate) fn passed_faults(&self) -> u64 {
        self.passed.len() as u64
    }

    /// The first fault that was passed by, with the way there.
    pub fn passed_fault(&mut self) -> Option<Verdict> {
        let state = *self.passed.first()?;
        Some(self.event_fault(state))
    }

    /// The letter of an expanded state.
    #[inline]
    pub(crate) fn letter(&self, state: u32) -> u32 {
        self.heads[state as usize].letter
    }

    /// Whether a state is expanded.
    #[inline]
    pub(crate) fn is_expanded(&self, state: u32) -> bool {
        self.heads[state as usize].letter != NOT_YET
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.heads.len()
    }

    /// How many states are expanded.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Reads a state.
    pub(crate) fn load(&mut self, state: u32) -> Vec<u32> {
        let mut vector = vec![0; self.state.len()];
        self.session.load(state, &mut vector);
        vector
    }

    /// The fault of a state's steps.
    pub(crate) fn fault(&self, state: u32) -> Option<&(GroupId, Fault)> {
        self.faults.get(&state)
    }

    /// Compares with the limit on memory.
    pub(crate) fn account(&self) -> Result<(), Stopped> {
        let states = self.heads.len() as u64;
        self.watch
            .note(self.bytes() + self.busy_bytes, states, self.transitions)
    }

    fn bytes(&self) -> u64 {
        let own = self.heads.capacity() * size_of::<Head>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.setups.len() * self.state.len() * 4
            + self.stepper.state_letters.bytes()
            + self.stepper.step_letters.bytes()
            + self.store.bytes();
        own as u64 + self.system.bytes()
    }

    /// Why a search was stopped, and why it would prove less than it could.
    pub(crate) fn stopped(&mut self) -> Vec<Open> {
        let mut open = self.reasons();
        let stop = self.watch.reason();
        open.extend(stop.filter(|stop| !self.open.contains(stop)));
        open
    }

    /// Why a search that went to its end proves less than it could.
    pub(crate) fn reasons(&mut self) -> Vec<Open> {
        self.notes.merge(self.stepper.notes());
        let mut open = self.open.clone();
        if !self.notes.cuts.is_empty() {
            open.push(Open::Cut);
        }
        if self.notes.dropped_faults > 0 {
            open.push(Open::Dropped);
        }
        if let (count, Some(fault)) = &self.stepper.budget {
            open.push(Open::Budget(*count, fault.clone()));
        }
        open
    }

    /// What the system noticed so far.
    pub fn notes(&mut self) -> Notes {
        self.notes.merge(self.stepper.notes());
        self.notes.clone()
    }

    /// What was explored so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            states: self.heads.len() as u64,
            expanded: self.expanded,
            transitions: self.transitions,
            setups: if self.system.shape().has_setup {
                self.setups.len() as u64
            } else {
                0
            },
            bytes: self.bytes(),
        }
    }
}

fn add_head(heads: &mut Vec<Head>, id: u32) {
    debug_assert_eq!(heads.len(), id as usize, "new states are numbered in order");
    heads.push(Head {
        from: 0,
        len: 0,
        letter: NOT_YET,
    });
}

fn no_room(watch: &Watch<'_>, store: &Store) {
    watch.raise(match store.is_complete() {
        true => Stop::States,
        false => Stop::Memory,
    });
}

/// Keeps the first of equal edges from `from` on.
fn remove_copies(edges: &mut Vec<Edge>, from: usize) {
    let count = edges.len() - from;
    let mut kept = from;
    if count <= 16 {
        for at in from..edges.len() {
            let edge = edges[at];
            if !edges[from..kept].contains(&edge) {
                edges[kept] = edge;
                kept += 1;
            }
        }
    } else {
        let mut seen = FxHashSet::default();
        for at in from..edges.len() {
            let edge = edges[at];
            if seen.insert(u64::from(edge.target) << 32 | u64::from(edge.letter)) {
                edges[kept] = edge;
                kept += 1;
            }
        }
    }
    edges.truncate(kept);
}
