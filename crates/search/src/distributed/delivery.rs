//! Brings successors to their owners: into the store of this worker, or onto the edge to another one.
//!
//! Invariant: whatever reaches an owner is stored before the next round, and checked when it is new.

use pins::System;
use treetable::{Found as InStore, Session};

use super::edge::{Edge, Parent};
use super::lately::Lately;
use super::messages::{Kind, Traffic};
use super::routing::Routing;
use crate::explicit::expand::for_each_slot;
use crate::explicit::run::Run;
use crate::explicit::statistics::Tally;

/// Nobody wants to know whether a state is new.
pub const NOBODY: u32 = u32::MAX;

/// As many as the store takes at once.
const BATCH: usize = 32;

/// One worker's means of bringing states to their owners.
pub struct Delivery<'r> {
    run: &'r Run<'r>,
    /// The store of this worker.
    pub session: Session<'r>,
    /// Who owns what.
    pub routing: Routing<'r>,
    edges: Vec<Edge>,
    lately: Lately,
    staged: Staged,
    me: usize,
    /// States from this number on belong to the next level.
    pub later_from: u32,
    /// New states of this worker that were not checked yet.
    pub fresh: Fresh,
    /// What was counted.
    pub tally: Tally,
    /// Batches that are ready to go.
    pub outbox: Vec<(usize, Vec<u8>)>,
    /// For each worker whether the states it asked about are new, in the order of its questions.
    pub answers: Vec<Vec<u8>>,
    /// Whether this worker reached the next level since it was last set to `false`.
    pub has_progress: bool,
    crossing: u64,
    sends_questions: bool,
}

/// States that wait to be stored together.
#[derive(Default)]
struct Staged {
    origins: Vec<Origin>,
    vectors: Vec<u32>,
    changed: Vec<u64>,
}

/// Where a state comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The owner and the number of the parent.
    pub link: (u32, u32),
    /// Whether the parent is known to be clean.
    pub is_clean: bool,
    /// Who wants to know whether it is new.
    pub asker: u32,
}

/// New states: number, whether the parent is clean, vector, slots that differ from the parent.
#[derive(Default)]
pub struct Fresh {
    pub ids: Vec<u32>,
    pub clean: Vec<bool>,
    pub vectors: Vec<u32>,
    pub changed: Vec<u64>,
}

/// A step to deliver.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// Where it leads.
    pub vector: &'t [u32],
    /// The slots that differ from the source.
    pub changed: &'t [u64],
    /// The hash of the target.
    pub hash: u64,
}

impl<'r> Delivery<'r> {
    /// Of worker `me`; `near` says for each worker whether it is in this process.
    pub fn new(run: &'r Run<'r>, me: usize, near: &[bool], sends_questions: bool) -> Delivery<'r> {
        let slots = run.shape.slots.len();
        Delivery {
            run,
            session: run.store.session(),
            routing: Routing::new(&*run.system, near.len()),
            edges: near.iter().map(|near| Edge::new(slots, *near)).collect(),
            lately: Lately::new(slots),
            staged: Staged::default(),
            me,
            later_from: 0,
            fresh: Fresh::default(),
            tally: Tally::new(run.shape.groups.len(), slots),
            outbox: Vec::new(),
            answers: vec![Vec::new(); near.len()],
            has_progress: false,
            crossing: 0,
            sends_questions,
        }
    }

    /// The owner of a target.
    #[inline]
    pub fn owner(&self, target: &Target<'_>) -> usize {
        self.routing.owner(target.hash)
    }

    /// Delivers a successor; `false` when there is no room here.
    #[inline]
    pub fn deliver(&mut self, source: Parent<'_>, target: Target<'_>) -> bool {
        let owner = self.owner(&target);
        if owner == self.me {
            return self.keep(source, target, NOBODY);
        }
        self.crossing += 1;
        if !self.lately.has(target.hash, target.vector) {
            self.send(owner, source, target, false);
        }
        true
    }

    /// Stores a successor that this worker owns; `false` when there is no room.
    #[inline]
    pub fn keep(&mut self, source: Parent<'_>, target: Target<'_>, asker: u32) -> bool {
        let origin = Origin {
            link: (self.me as u32, source.number),
            is_clean: source.is_clean,
            asker,
        };
        self.stage(target.vector, target.changed, origin)
    }

    /// Sends a successor to its owner, and asks whether it is new.
    pub fn ask(&mut self, source: Parent<'_>, target: Target<'_>) -> usize {
        let owner = self.owner(&target);
        self.crossing += 1;
        self.send(owner, source, target, true);
        owner
    }

    fn send(&mut self, owner: usize, source: Parent<'_>, target: Target<'_>, asks: bool) {
        let edge = &mut self.edges[owner];
        let asks = self.sends_questions.then_some(asks);
        let (system, from): (&dyn System, _) = (&*self.run.system, self.routing.numbered_from());
        edge.add(system, from, source, (target.vector, target.changed), asks);
        if edge.is_full() {
            self.push_out(owner);
        }
    }

    fn push_out(&mut self, owner: usize) {
        let mut bytes = vec![Kind::States as u8];
        if self.edges[owner].take(&mut bytes) {
            self.outbox.push((owner, bytes));
        }
    }

    /// Makes ready to go what is on the edges.
    pub fn flush(&mut self) {
        for owner in 0..self.edges.len() {
            self.push_out(owner);
        }
    }

    /// A state for this worker that differs from the one loaded or based on last in the slots `changed`; `false` when
    /// there is no room.
    #[inline]
    pub fn stage(&mut self, vector: &[u32], changed: &[u64], origin: Origin) -> bool {
        if !self.session.stage_successor(vector, changed) {
            self.run.no_room();
            return false;
        }
        self.staged.origins.push(origin);
        self.staged.vectors.extend_from_slice(vector);
        self.staged.changed.extend_from_slice(changed);
        self.staged.origins.len() < BATCH || self.insert()
    }

    /// Stores what is staged; `false` when there is no room.
    pub fn insert(&mut self) -> bool {
        let (run, slots) = (self.run, self.run.shape.slots.len());
        let words = run.labels.words();
        let keeps_vectors = !run.labels.is_empty();
        let (staged, fresh, tally) = (&mut self.staged, &mut self.fresh, &mut self.tally);
        let (answers, has_progress) = (&mut self.answers, &mut self.has_progress);
        let (me, later_from) = (self.me as u32, self.later_from);
        let mut has_room = true;
        self.session.insert_staged(|at, found| {
            let origin = staged.origins[at];
            let (id, is_new) = match found {
                InStore::New(id) => (id, true),
                InStore::Seen(id) => (id, false),
                InStore::SeenSomewhere => return,
                InStore::Full => {
                    has_room = false;
                    return;
                }
            };
            if origin.asker == me {
                *has_progress |= id >= later_from;
            } else if origin.asker != NOBODY {
                answers[origin.asker as usize].push(u8::from(id >= later_from));
            }
            if !is_new {
                return;
            }
            has_room &= run.links.set(id, origin.link.0, origin.link.1);
            let target = &staged.vectors[at * slots..(at + 1) * slots];
            let changed = &staged.changed[at * words..(at + 1) * words];
            fresh.ids.push(id);
            fresh.clean.push(origin.is_clean);
            if keeps_vectors {
                fresh.vectors.extend_from_slice(target);
                fresh.changed.extend_from_slice(changed);
            }
            if !run.shape.is_packed {
                for_each_slot(changed, |slot| tally.values[slot].note(target[slot]));
            }
        });
        staged.origins.clear();
        staged.vectors.clear();
        staged.changed.clear();
        if !has_room {
            run.no_room();
        }
        has_room
    }

    /// Why a state cannot travel, if one could not.
    pub fn problem(&mut self) -> Option<String> {
        let mut edges = self.edges.iter_mut();
        let on_edges = edges.find_map(|edge| edge.problem.take());
        self.routing.problem.take().or(on_edges)
    }

    /// What was sent.
    pub fn traffic(&self) -> Traffic {
        let mut traffic = Traffic {
            crossing: self.crossing,
            ..Traffic::default()
        };
        for edge in &self.edges {
            traffic.sent += edge.states;
            traffic.bytes += edge.total;
            traffic.values += edge.values;
        }
        traffic
    }

    /// Bytes in use beside the store.
    pub fn held(&self) -> u64 {
        let edges: u64 = self.edges.iter().map(Edge::held).sum();
        edges + self.routing.bytes() + self.lately.bytes()
    }
}

impl Fresh {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.ids.clear();
        self.clean.clear();
        self.vectors.clear();
        self.changed.clear();
    }
}
