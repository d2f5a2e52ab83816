//! Finds the set-ups and the initial states.
//!
//! Invariant: "there is no set-up" and "there is no initial state" are said only when the search for them was
//! exhaustive and met no fault.

use std::time::Instant;

use pins::{Fault, FaultKind, Flow, LabelId, Truth, Worker};
use rustc_hash::FxHashSet;
use treetable::Found as InStore;

use super::found::{Found, kind_of, leave_open};
use super::limits::{Stop, Ticker};
use super::outcome::{FindingKind, Open};
use super::run::{Book, Run, Work};
use super::statistics::Tally;
use pins::Event;

/// Fills the store with initial states; `None` when there are none.
pub fn start(run: &Run<'_>, book: &mut Book) -> Option<Work> {
    let mut worker = run.system.worker();
    worker.heed(run.signal.halt.clone());
    let slots = run.shape.slots.len();
    book.tally = Tally::of(run.shape);
    setups(run, book, &mut *worker);
    if run.shape.has_setup {
        book.tally.next_state_calls += 1;
        book.start_edges += run.setups.len() as u64;
    }
    let mut vectors = Vec::new();
    let mut found = Found::default();
    let mut setup = vec![0; slots];
    let mut session = run.setups.session();
    for number in 0..run.setups.len() as u32 {
        if run.signal.get() != Stop::No {
            break;
        }
        session.load(number, &mut setup);
        if run.shape.has_setup {
            check_setup(run, book, &mut *worker, &setup, number);
        }
        let fault = initial(
            run,
            book,
            &mut *worker,
            (number, &setup),
            &mut vectors,
            &mut found,
        );
        if let Err(fault) = fault {
            report(book, fault, Event::Initialisation, Some(number));
        }
    }
    book.initial = run.store.len() as u32;
    for raw in &mut found.findings {
        raw.number = raw.state;
    }
    let unclean = std::mem::take(&mut found.unclean);
    book.take(found);
    book.findings.sort_by_key(|raw| (raw.kind, raw.key));
    book.notes.merge(worker.take_notes());
    let is_exhaustive = run.signal.get() == Stop::No
        && book.open.is_empty()
        && book.notes.cuts.is_empty()
        && book.notes.dropped_faults == 0
        && book.budget.0 == 0
        && book.findings.is_empty();
    if is_exhaustive && run.setups.is_empty() {
        book.report(FindingKind::Setup, Event::Setup, None, None);
    } else if is_exhaustive && run.store.is_empty() {
        let setup = run.shape.has_setup.then_some(0);
        book.report(FindingKind::Setup, Event::Initialisation, None, setup);
    }
    run.account(book, vectors.len() as u64 * 4);
    (!run.store.is_empty()).then(|| Work::initial(run, vectors, unclean))
}

fn setups(run: &Run<'_>, book: &mut Book, worker: &mut dyn Worker) {
    let mut session = run.setups.session();
    let mut ticker = Ticker::new();
    let most = run.config.limits.max_setups.unwrap_or(u64::MAX);
    let most_states = run.config.limits.max_states.unwrap_or(u64::MAX);
    let (mut is_cut, mut is_enough) = (false, false);
    let answer = worker.setups(&mut |setup| {
        if is_stopped(run, &mut ticker) {
            return Flow::Stop;
        }
        if run.setups.len() as u64 >= most && run.shape.has_setup {
            is_cut = true;
            return Flow::Stop;
        }
        // Each set-up has a state of its own or is a finding: more of them than states are never looked at.
        if run.setups.len() as u64 >= most_states && run.shape.has_setup {
            is_enough = true;
            return Flow::Stop;
        }
        match session.insert(setup) {
            InStore::Full => {
                run.signal.raise(Stop::Memory);
                Flow::Stop
            }
            _ => Flow::Continue,
        }
    });
    if is_cut {
        book.open.push(Open::MaxSetups);
    }
    if is_enough {
        book.open.push(Open::MaxStates);
    }
    if let Err(fault) = answer {
        report(book, fault, Event::Setup, None);
    }
}

fn initial(
    run: &Run<'_>,
    book: &mut Book,
    worker: &mut dyn Worker,
    (number, setup): (u32, &[u32]),
    vectors: &mut Vec<u32>,
    found: &mut Found,
) -> Result<(), Fault> {
    let slots = run.shape.slots.len();
    let is_exact = run.config.store.is_exact();
    let mut session = run.store.session();
    let mut ticker = Ticker::new();
    let mut edges = FxHashSet::default();
    let mut fresh = Vec::new();
    let mut fresh_vectors = Vec::new();
    let mut step = 0u32;
    let answer = worker.initial(setup, &mut |state| {
        if is_stopped(run, &mut ticker) {
            return Flow::Stop;
        }
        if edges.insert(treetable::hash_words(state, 2)) {
            book.start_edges += 1;
        }
        match session.insert(state) {
            InStore::New(id) => {
                if !run.links.set(id, number, step) {
                    run.signal.raise(Stop::Memory);
                }
                fresh.push((id, step));
                fresh_vectors.extend_from_slice(state);
            }
            InStore::Full => {
                run.no_room();
                return Flow::Stop;
            }
            _ => {}
        }
        step += 1;
        Flow::Continue
    });
    book.tally.next_state_calls += 1;
    for (at, (id, step)) in fresh.into_iter().enumerate() {
        let state = &fresh_vectors[at * slots..(at + 1) * slots];
        for (values, value) in book.tally.values.iter_mut().zip(state) {
            values.note(*value);
        }
        let key = u64::from(number) << 32 | u64::from(step);
        let place = (id, 0, key);
        book.tally.label_calls += run
            .labels
            .check(worker, state, None, |noticed| found.notice(noticed, place));
    }
    if !is_exact {
        vectors.append(&mut fresh_vectors);
    }
    answer
}

fn check_setup(
    run: &Run<'_>,
    book: &mut Book,
    worker: &mut dyn Worker,
    setup: &[u32],
    number: u32,
) {
    let labels: &[LabelId] = &run.config.checks.setup_labels;
    for label in labels {
        book.tally.label_calls += 1;
        let (kind, fault) = match worker.label(setup, *label) {
            Truth::True => continue,
            Truth::False => (FindingKind::Assertion, None),
            Truth::Unknown(fault) if fault.kind == FaultKind::Halted => return,
            Truth::Unknown(fault) => {
                leave_open(&mut book.budget, fault);
                continue;
            }
            Truth::Undefined(fault) => (FindingKind::Fault, Some(fault)),
        };
        book.report(kind, Event::Setup, fault, Some(number));
        if let Some(raw) = book.findings.last_mut() {
            raw.label = Some(*label);
            raw.event = None;
            raw.key = u64::from(number) << 32;
        }
    }
}

fn report(book: &mut Book, fault: Fault, event: Event, setup: Option<u32>) {
    if fault.kind.leaves_open() {
        leave_open(&mut book.budget, fault);
    } else {
        book.report(kind_of(&fault), event, Some(fault), setup);
    }
}

fn is_stopped(run: &Run<'_>, ticker: &mut Ticker) -> bool {
    if let Some(now) = ticker.tick() {
        let now: Instant = now;
        run.look(now);
        if run.monitor.should_stop() {
            run.signal.raise(Stop::Interrupted);
        }
    }
    run.signal.get() != Stop::No
}
