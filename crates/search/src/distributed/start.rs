//! Finds set-ups and initial states, by the first worker, and brings the states to their owners.
//!
//! Labels of set-ups are checked where set-ups are found, those of states by their owners.

use super::bytes::{put, write_state};
use super::messages::Kind;
use super::node::{Broken, GLANCE, Node, START};
use crate::explicit::config::{Checks, Config};
use crate::explicit::limits::Stop;
use crate::explicit::run::{Book, Run};

/// The parcels of initial states have about so many bytes.
const BATCH: usize = 1 << 15;

/// What the search for set-ups and initial states is told: nothing of labels of states.
pub fn config(config: &Config) -> Config {
    Config {
        checks: Checks {
            invariants: Vec::new(),
            assertions: Vec::new(),
            goal: None,
            ends: Vec::new(),
            ..config.checks.clone()
        },
        threads: 1,
        checkpoint: None,
        resume: None,
        ..config.clone()
    }
}

/// Finds set-ups and initial states in `origin`, which is a run for that alone, and heeds the other workers meanwhile.
pub fn find(node: &mut Node<'_>, origin: &Run<'_>) -> Result<Book, Broken> {
    std::thread::scope(|scope| {
        let finding = scope.spawn(|| {
            let mut book = Book::default();
            let start = || crate::explicit::start::start(origin, &mut book);
            crate::explicit::watch::watched(origin, start);
            book
        });
        let mut heard = Ok(());
        while !finding.is_finished() {
            if heard.is_ok() {
                heard = node.look_up(GLANCE);
            } else {
                std::thread::sleep(GLANCE);
            }
            match (&heard, node.run.signal.get()) {
                // Nobody waits for an answer.
                (Err(_), _) => origin.signal.raise(Stop::Interrupted),
                (Ok(()), stop) if stop != Stop::No && !stop.is_pause() => origin.signal.raise(stop),
                _ => {}
            }
        }
        let book = finding.join();
        heard?;
        Ok(book.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Decides what of a state counts for its owner, and tells the others.
pub fn decide_owners(node: &mut Node<'_>, origin: &Run<'_>) {
    let routing = &mut node.delivery.routing;
    if let Some(owners) = super::locality::choose(node.run, origin, routing) {
        node.heed_owners(owners);
    }
}

/// Brings the initial states of `origin` to their owners.
pub fn spread(node: &mut Node<'_>, origin: &Run<'_>) -> Result<(), Broken> {
    let mut session = origin.store.session();
    let mut batches: Vec<Vec<u8>> = vec![Vec::new(); node.port.peers()];
    let mut state = vec![0; node.state.len()];
    for id in 0..origin.store.len() as u32 {
        session.load(id, &mut state);
        let setup = origin.links.get(id).map_or(0, |(setup, _)| setup);
        let cell = node.delivery.routing.cell(&state);
        let owner = node.delivery.routing.owner(cell);
        if owner == node.me() {
            if !node.place(&state, (START, setup)) {
                break;
            }
            continue;
        }
        let batch = &mut batches[owner];
        if batch.is_empty() {
            batch.push(Kind::Start as u8);
        }
        put(batch, u64::from(setup));
        if let Err(problem) = write_state(&*node.run.system, &state, batch) {
            node.refusal.get_or_insert(problem);
            return Ok(());
        }
        if batch.len() >= BATCH {
            let batch = std::mem::take(batch);
            node.port.send(owner, batch);
            node.poll()?;
        }
    }
    for (owner, batch) in batches.into_iter().enumerate() {
        if !batch.is_empty() {
            node.port.send(owner, batch);
        }
    }
    if let Some(problem) = node.delivery.problem() {
        node.refusal.get_or_insert(problem);
    }
    node.check_fresh();
    Ok(())
}
