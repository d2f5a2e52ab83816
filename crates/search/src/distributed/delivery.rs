//! Brings successors to their owners: into the store of this worker, or onto the edge to another one.
//!
//! Invariant: whatever reaches an owner is stored before the next round, and checked when it is new.

use treetable::{Found as InStore, Kind as StoreKind, Session};

use super::edge::{Edge, Source, Words};
use super::leaving::Leaving;
use super::messages::{Kind, Traffic};
use super::routing::Routing;
use crate::explicit::run::Run;
use crate::explicit::slots::for_each_slot;
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
    leaving: Leaving,
    staged: Staged,
    /// Whether labels are checked in new states, and whether the values of slots are noted.
    keeps_vectors: bool,
    notes_values: bool,
    /// No slots.
    none: Vec<u64>,
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
}

/// States that wait to be stored together.
#[derive(Default)]
struct Staged {
    origins: Vec<Origin>,
    vectors: Vec<u32>,
    /// The slots whose values may be new to this worker.
    moved: Vec<u64>,
    /// The slots that differ from the parent.
    changed: Vec<u64>,
}

/// Where a state that is stored comes from.
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
    /// The slots that differ from the source; nothing where [`Delivery::needs_changes`] says no.
    pub changed: &'t [u64],
    /// Who owns it.
    pub owner: usize,
}

impl<'r> Delivery<'r> {
    /// Of worker `me`; `near` says for each worker whether it is in this process.
    pub fn new(run: &'r Run<'r>, me: usize, near: &[bool]) -> Delivery<'r> {
        let slots = run.shape.slots.len();
        Delivery {
            run,
            session: run.store.session(),
            routing: Routing::new(&*run.system, near.len()),
            edges: near
                .iter()
                .map(|near| Edge::new(slots, *near, !run.labels.is_empty()))
                .collect(),
            leaving: Leaving::new(slots),
            staged: Staged::default(),
            keeps_vectors: !run.labels.is_empty(),
            notes_values: !run.shape.is_packed,
            none: vec![0; run.labels.words()],
            me,
            later_from: 0,
            fresh: Fresh::default(),
            tally: Tally::of(run.shape),
            outbox: Vec::new(),
            answers: vec![Vec::new(); near.len()],
            has_progress: false,
            crossing: 0,
        }
    }

    /// Whether it matters in which slots a state differs from its parent, beyond that it does.
    pub fn needs_changes(&self) -> bool {
        self.run.store.kind() != StoreKind::Plain || self.keeps_vectors || self.notes_values
    }

    /// The owner of a successor of a state of this worker, whose hash is `cell`; `changed` are the slots that differ, where they are
    /// known.
    #[inline]
    pub fn owner(
        &mut self,
        cell: u64,
        (from, to): (&[u32], &[u32]),
        changed: Option<&[u64]>,
    ) -> usize {
        let next = self.routing.next_cell(cell, (from, to), changed);
        // Most steps change nothing that counts.
        match next == cell {
            true => self.me,
            false => self.routing.owner(next),
        }
    }

    /// Delivers a successor; `false` when there is no room here.
    #[inline]
    pub fn deliver(&mut self, source: Source, target: Target<'_>) -> bool {
        if target.owner == self.me {
            return self.keep(source, target, NOBODY);
        }
        self.crossing += 1;
        if self.leaving.add(source, target) {
            self.send_off();
        }
        true
    }

    /// Stores a successor that this worker owns; `false` when there is no room.
    #[inline]
    pub fn keep(&mut self, source: Source, target: Target<'_>, asker: u32) -> bool {
        let origin = Origin {
            link: (self.me as u32, source.number),
            is_clean: source.is_clean,
            asker,
        };
        if !self.session.stage_successor(target.vector, target.changed) {
            self.run.no_room();
            return false;
        }
        self.stage(target.vector, (target.changed, target.changed), origin)
    }

    /// Sends a successor to its owner, and asks whether it is new.
    pub fn ask(&mut self, source: Source, target: Target<'_>) {
        self.crossing += 1;
        let asks = true;
        let edge = &mut self.edges[target.owner];
        let words = Words {
            system: &*self.run.system,
            numbers: self.routing.numbers(),
        };
        let source = Source { asks, ..source };
        edge.add(words, source, target.vector, target.changed);
        if edge.is_full() {
            push_out(edge, target.owner, &mut self.outbox);
        }
    }

    /// Puts states that leave onto their edges.
    fn send_off(&mut self) {
        let (edges, outbox) = (&mut self.edges, &mut self.outbox);
        let words = Words {
            system: &*self.run.system,
            numbers: self.routing.numbers(),
        };
        self.leaving.take(|left| {
            let edge = &mut edges[left.owner];
            edge.add(words, left.source, left.vector, left.changed);
            if edge.is_full() {
                push_out(edge, left.owner, outbox);
            }
        });
    }

    /// Makes ready to go what is held back and what is on the edges.
    pub fn flush(&mut self) {
        self.send_off();
        for (owner, edge) in self.edges.iter_mut().enumerate() {
            push_out(edge, owner, &mut self.outbox);
        }
    }

    /// A state that came from elsewhere: it differs from the one loaded or taken last only in the slots `moved`, and from
    /// its parent, if that is clean, in the slots `changed`. `false` when there is no room.
    #[inline]
    pub fn arrive(
        &mut self,
        vector: &[u32],
        (moved, changed): (&[u64], &[u64]),
        origin: Origin,
    ) -> bool {
        let has_room =
            self.session.rebase(vector, moved) && self.session.stage_successor(vector, &self.none);
        if !has_room {
            self.run.no_room();
            return false;
        }
        self.stage(vector, (moved, changed), origin)
    }

    /// Notes where the state that the store was just told of comes from; `false` when there is no room.
    #[inline]
    fn stage(
        &mut self,
        vector: &[u32],
        (moved, changed): (&[u64], &[u64]),
        origin: Origin,
    ) -> bool {
        self.staged.origins.push(origin);
        let (keeps, notes) = (self.keeps_vectors, self.notes_values);
        if keeps || notes {
            self.staged.vectors.extend_from_slice(vector);
        }
        if keeps {
            extend(&mut self.staged.changed, changed);
        }
        if notes {
            extend(&mut self.staged.moved, moved);
        }
        self.staged.origins.len() < BATCH || self.insert()
    }

    /// A state has no more successors: stores what is staged, unless it may wait for more because there is room for sure;
    /// `false` when there is none.
    #[inline]
    pub fn insert_or_wait(&mut self) -> bool {
        let most = self.run.store.len() + BATCH;
        self.session.can_wait() && self.run.links.reserve(most) || self.insert()
    }

    /// Stores what is staged; `false` when there is no room.
    pub fn insert(&mut self) -> bool {
        let (run, slots) = (self.run, self.run.shape.slots.len());
        let words = run.labels.words();
        let (keeps_vectors, notes_values) = (self.keeps_vectors, self.notes_values);
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
            let (vector, part) = (at * slots..(at + 1) * slots, at * words..(at + 1) * words);
            if keeps_vectors {
                fresh.ids.push(id);
                fresh.clean.push(origin.is_clean);
                fresh
                    .vectors
                    .extend_from_slice(&staged.vectors[vector.clone()]);
                extend(&mut fresh.changed, &staged.changed[part.clone()]);
            }
            if notes_values {
                let target = &staged.vectors[vector];
                for_each_slot(&staged.moved[part], |slot| {
                    tally.values[slot].note(target[slot]);
                });
            }
        });
        staged.origins.clear();
        staged.vectors.clear();
        staged.moved.clear();
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
            traffic.value_bytes += edge.value_bytes;
        }
        traffic
    }

    /// Bytes in use beside the store.
    pub fn held(&self) -> u64 {
        let edges: u64 = self.edges.iter().map(Edge::held).sum();
        edges + self.routing.bytes() + self.leaving.bytes()
    }
}

/// Adds a set of slots, which mostly is one word.
#[inline]
fn extend(all: &mut Vec<u64>, set: &[u64]) {
    match set {
        [word] => all.push(*word),
        words => all.extend_from_slice(words),
    }
}

fn push_out(edge: &mut Edge, owner: usize, outbox: &mut Vec<(usize, Vec<u8>)>) {
    let mut bytes = vec![Kind::States as u8];
    if edge.take(&mut bytes) {
        outbox.push((owner, bytes));
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
