//! Stores successors together, so that the processor waits for memory once and not once for each of them.
//!
//! Technique: a successor is staged where it is made, which asks for the memory that its insertion looks at first. Where nobody asks
//! for new states before the end of a level the successors of several states are inserted together: by then that memory has come. Of
//! several threads each one holds the numbers for what waits. Labels
//! are checked in those that are new, as soon as that is known.
//! Invariant: what waits while its state counts as expanded has room in the store for sure.
//! Invariant: what waits together comes from one level.

use rustc_hash::FxHashSet;
use treetable::{Found as InStore, Session};

use super::chosen::Watch;
use super::expand::Source;
use super::merge::Keys;
use super::run::Run;
use super::slots::for_each_slot;
use super::statistics::Tally;

/// The step that leads to a state.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The number of the state that it leaves.
    pub parent: u32,
    /// The position of that state in its level.
    pub rank: u32,
    /// Its position among the steps of that state.
    pub step: u32,
    /// Steps from an initial state.
    pub depth: u32,
    /// Whether all labels are known to be as wanted before it.
    pub is_clean: bool,
}

/// States that wait, or that are new: number, where they come from, vector, slots that differ from the parent.
#[derive(Debug, Default)]
pub struct Fresh {
    /// Of new ones.
    pub ids: Vec<u32>,
    pub origins: Vec<Origin>,
    pub vectors: Vec<u32>,
    pub changed: Vec<u64>,
    /// Those that an expansion stored which was given up: they count as new, but were looked at.
    pub adopted: FxHashSet<u32>,
}

/// Where one thread puts states, and what became of them.
pub struct Storing<'r> {
    pub session: Session<'r>,
    /// Successors that were not inserted yet.
    pub staged: Fresh,
    /// New successors of the last state.
    pub fresh: Fresh,
    /// States of the level that this thread reached first so far, with the key of the step; only with keys.
    pub news: Vec<(u32, u64)>,
    /// What an expansion stored that was given up, and that is made again: its states are new to it.
    pub orphans: FxHashSet<u32>,
    /// What was counted.
    pub tally: Tally,
}

/// Successors that wait to be inserted together.
pub struct Batch<'b, 'r> {
    run: &'r Run<'r>,
    to: &'b mut Storing<'r>,
    source: Source<'b>,
    keys: Option<&'b Keys>,
    keeps_vectors: bool,
    /// Looks for states that are expanded later.
    pub watch: Option<Watch<'b>>,
}

/// As many as one state usually has, and as the store takes at once.
const BATCH: usize = 32;
/// Longer vectors that are looked at do not wait: they would fill the near cache.
const LONG: usize = 128;

impl<'r> Storing<'r> {
    /// Nothing was stored yet.
    pub fn new(run: &'r Run<'r>) -> Storing<'r> {
        Storing {
            session: run.store.session(),
            staged: Fresh::default(),
            fresh: Fresh::default(),
            news: Vec::new(),
            orphans: FxHashSet::default(),
            tally: Tally::of(run.shape),
        }
    }
}

impl<'b, 'r> Batch<'b, 'r> {
    /// Successors of `source`.
    pub fn new(
        run: &'r Run<'r>,
        to: &'b mut Storing<'r>,
        source: Source<'b>,
        keys: Option<&'b Keys>,
    ) -> Batch<'b, 'r> {
        Batch {
            run,
            to,
            source,
            keys,
            keeps_vectors: source.vector.is_some() || !run.labels.is_empty(),
            watch: None,
        }
    }

    /// Adds a successor; `false` when there is no room.
    #[inline]
    pub fn add(&mut self, number: u32, target: &[u32], changed: &[u64]) -> bool {
        if !self.to.session.stage_successor(target, changed) && !self.stage_alone(target, changed) {
            self.run.no_room();
            return false;
        }
        self.to.staged.origins.push(self.source.step(number));
        if self.looks_at_vectors() {
            self.to.staged.vectors.extend_from_slice(target);
            match changed {
                [word] => self.to.staged.changed.push(*word),
                words => self.to.staged.changed.extend_from_slice(words),
            }
        }
        self.to.staged.origins.len() < BATCH || self.insert()
    }

    /// Where there was no room beside what waits there may be some after it.
    #[cold]
    fn stage_alone(&mut self, target: &[u32], changed: &[u64]) -> bool {
        self.to.session.staged() > 0
            && self.insert()
            && self.to.session.stage_successor(target, changed)
    }

    /// Whether new states are looked at themselves, not only counted.
    #[inline]
    pub fn looks_at_vectors(&self) -> bool {
        self.keeps_vectors || !self.run.shape.is_packed
    }

    /// A state has no more successors: inserts what was added, unless it may wait for more; `false` when there is no room.
    #[inline]
    pub fn end(&mut self) -> bool {
        let may_wait = self.source.may_wait
            && self.watch.is_none()
            && (!self.looks_at_vectors() || self.run.shape.slots.len() <= LONG);
        may_wait && self.can_wait() || self.insert()
    }

    #[inline]
    fn can_wait(&mut self) -> bool {
        let most = self.run.store.len() + BATCH;
        self.to.session.can_wait() && self.run.links.reserve(most)
    }

    /// Inserts what was added; `false` when there is no room.
    pub fn insert(&mut self) -> bool {
        let (slots, words) = (self.run.shape.slots.len(), self.run.labels.words());
        let (keeps_vectors, looks_at_vectors) = (self.keeps_vectors, self.looks_at_vectors());
        let (run, keys, watch) = (self.run, self.keys, &mut self.watch);
        let Storing {
            session,
            staged,
            fresh,
            news,
            orphans,
            tally,
        } = &mut *self.to;
        let mut has_room = true;
        session.insert_staged(|at, found| {
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
            if let Some(watch) = watch {
                watch.saw(id, is_new);
            }
            // With keys it is known at the end of the level who came first.
            if let Some(keys) = keys {
                if keys.offer(id, origin.key()) {
                    news.push((id, origin.key()));
                }
            } else if is_new {
                has_room &= run.links.set(id, origin.parent, origin.step);
            }
            let is_adopted = !is_new && !orphans.is_empty() && orphans.remove(&id);
            if is_adopted {
                fresh.adopted.insert(id);
            }
            if is_new || is_adopted {
                fresh.ids.push(id);
                fresh.origins.push(origin);
                if !looks_at_vectors {
                    return;
                }
                let target = &staged.vectors[at * slots..(at + 1) * slots];
                let changed = &staged.changed[at * words..(at + 1) * words];
                if keeps_vectors {
                    fresh.vectors.extend_from_slice(target);
                    fresh.changed.extend_from_slice(changed);
                }
                if is_new && !run.shape.is_packed {
                    for_each_slot(changed, |slot| tally.values[slot].note(target[slot]));
                }
            }
        });
        staged.clear();
        if !has_room {
            run.no_room();
        }
        has_room
    }
}

impl Origin {
    /// Tells the order in which one thread would come to the state.
    #[inline]
    pub fn key(&self) -> u64 {
        u64::from(self.rank) << 32 | u64::from(self.step)
    }
}

impl Fresh {
    pub fn clear(&mut self) {
        self.ids.clear();
        self.origins.clear();
        self.vectors.clear();
        self.changed.clear();
        self.adopted.clear();
    }
}
