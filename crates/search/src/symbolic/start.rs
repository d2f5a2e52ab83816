//! Finds the set-ups and the initial states, one by one, and puts the states into a diagram.
//!
//! Invariant: "there is no set-up" and "there is no initial state" are said only when the search for them was
//! exhaustive and met no fault.

use ldd::Node;
use pins::{Fault, Flow, Truth};
use rustc_hash::FxHashSet;

use super::checks::Raw;
use super::run::{Run, Stopped};
use crate::explicit::{FindingKind, Open, leave_open};
use pins::Event;

/// So many states go into the diagram at once.
const BATCH: usize = 4096;

/// Fills `initial`; whether there are initial states.
pub(super) fn start(run: &mut Run<'_>) -> Result<bool, Stopped> {
    setups(run)?;
    if run.shape.has_setup {
        run.book.start_calls += 1;
        run.book.start_edges += run.book.setups.len() as u64;
    }
    for number in 0..run.book.setups.len() {
        if run.shape.has_setup {
            check_setup(run, number);
        }
        initial(run, number)?;
    }
    let is_exhaustive = run.book.open.is_empty()
        && run.book.raws.is_empty()
        && run.book.budget.0 == 0
        && !has_gaps(run);
    if is_exhaustive && run.book.setups.is_empty() {
        report(run, FindingKind::Setup, Event::Setup, None, None);
    } else if is_exhaustive && run.initial.is_empty() {
        let setup = run.shape.has_setup.then_some(0);
        report(run, FindingKind::Setup, Event::Initialisation, None, setup);
    }
    run.first = run.initial;
    run.reject_hidden(run.first, None, &[])?;
    run.initial = run.representatives(run.first, &[])?;
    run.visited = run.initial;
    run.searched = run.initial;
    run.levels = vec![run.initial];
    Ok(!run.initial.is_empty())
}

/// Whether an enumeration was cut or a branch dropped. The notes are put back by merging: workers give them once.
fn has_gaps(run: &mut Run<'_>) -> bool {
    let mut state = run.learner.state();
    let notes = state.worker.take_notes();
    let has_gaps = !notes.cuts.is_empty() || notes.dropped_faults > 0;
    state.notes.merge(notes);
    has_gaps
}

fn setups(run: &mut Run<'_>) -> Result<(), Stopped> {
    let most = run.config.limits.max_setups.unwrap_or(u64::MAX);
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let (mut is_cut, mut halted) = (false, Ok(()));
    let (store, has_setup) = (&run.store, run.shape.has_setup);
    let answer = run.learner.state().worker.setups(&mut |setup| {
        if found.len() % 64 == 63 {
            halted = store.poll();
        }
        if halted.is_err() {
            return Flow::Stop;
        }
        if found.len() as u64 >= most && has_setup {
            is_cut = true;
            return Flow::Stop;
        }
        if seen.insert(setup.to_vec()) {
            found.push(setup.to_vec());
        }
        Flow::Continue
    });
    run.book.setups = found;
    if is_cut {
        run.book.open.push(Open::MaxSetups);
    }
    if let Err(fault) = answer {
        halted = halted.and(run.halted_by(&fault));
        faulted(run, fault, Event::Setup, None);
    }
    halted.map_err(|_| Stopped)
}

fn initial(run: &mut Run<'_>, number: usize) -> Result<(), Stopped> {
    let setup = run.book.setups[number].clone();
    let (mut seen, mut halted) = (FxHashSet::default(), Ok(()));
    let mut vectors = Vec::new();
    let (store, order) = (&run.store, &run.order);
    let answer = run.learner.state().worker.initial(&setup, &mut |state| {
        if vectors.len() % 64 == 63 {
            halted = store.poll();
        }
        if halted.is_err() {
            return Flow::Stop;
        }
        let vector: Vec<u32> = order.iter().map(|slot| state[*slot]).collect();
        if seen.insert(vector.clone()) {
            vectors.push(vector);
        }
        Flow::Continue
    });
    run.book.start_calls += 1;
    run.book.start_edges += vectors.len() as u64;
    for batch in vectors.chunks(BATCH) {
        run.initial = run.attempt(&[], |run| {
            let more = run.store.from_vectors(&mut batch.to_vec())?;
            run.store.union(run.initial, more)
        })?;
    }
    if let Err(fault) = answer {
        halted = halted.and(run.halted_by(&fault));
        faulted(run, fault, Event::Initialisation, Some(number));
    }
    halted.map_err(|_| Stopped)
}

fn check_setup(run: &mut Run<'_>, number: usize) {
    let setup = run.book.setups[number].clone();
    for label in &run.config.checks.setup_labels {
        run.book.label_calls += 1;
        let truth = run.learner.state().worker.label(&setup, *label);
        let (kind, fault) = match truth {
            Truth::True => continue,
            Truth::False => (FindingKind::Assertion, None),
            Truth::Unknown(fault) => {
                faulted(run, fault, Event::Setup, Some(number));
                continue;
            }
            Truth::Undefined(fault) => (FindingKind::Fault, Some(fault)),
        };
        report(run, kind, Event::Setup, fault, Some(number));
        if let Some(raw) = run.book.raws.last_mut() {
            raw.label = Some(*label);
            raw.event = None;
        }
    }
}

fn faulted(run: &mut Run<'_>, fault: Fault, event: Event, setup: Option<usize>) {
    if fault.kind.leaves_open() {
        leave_open(&mut run.book.budget, fault);
    } else {
        report(run, FindingKind::Fault, event, Some(fault), setup);
    }
}

fn report(
    run: &mut Run<'_>,
    kind: FindingKind,
    event: Event,
    fault: Option<Fault>,
    setup: Option<usize>,
) {
    run.book.raws.push(Raw {
        kind,
        label: None,
        event: Some(event),
        fault,
        states: Node::EMPTY,
        setup,
        depth: Some(0),
    });
}
