//! Closes a set under relations from the bottom level up: small fixed points before large ones.
//!
//! Paper: [Ciardo, Marmorstein, Siminiceanu 2006]. A group belongs to the first level it touches; whatever a
//! group produces below its level is closed under the groups of lower levels before it is used.
//! Differs: relations are learned on the way. That does not spoil what is remembered: a relation is complete for
//! the vectors it was asked about, and further steps start elsewhere.
//! Invariant: the union of two sets that are closed under some groups is closed under them.
//! Invariant: a result that was cut short because of a stop is a subset of the true one and never remembered.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::cache::{Key, Op};
use crate::list::Few;
use crate::{Cx, Halt, Node, PatternId, Store};

/// The relations of a transition system, learned when they are needed.
pub trait Relations: Sync {
    /// The length of the vectors.
    fn depth(&self) -> usize;

    /// The groups whose first level is this one.
    fn groups(&self, level: usize) -> &[usize];

    /// The pattern of a group from its first level to the last level there is.
    fn pattern(&self, group: usize) -> PatternId;

    /// The relation of a group, complete for `set`: vectors from the group's first level on.
    ///
    /// # Errors
    /// See [`Halt`].
    fn learn(&self, alone: Alone<'_>, group: usize, set: Node) -> Result<Node, Halt>;

    /// The relation of a group as far as it was learned.
    fn relation(&self, group: usize) -> Node;
}

/// Operations in the thread that asks, not divided: for use under a lock.
#[derive(Clone, Copy)]
pub struct Alone<'s>(Cx<'s>);

impl Alone<'_> {
    /// As [`Store::union`].
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn union(self, a: Node, b: Node) -> Result<Node, Halt> {
        self.0.union(a, b)
    }

    /// As [`Store::minus`].
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn minus(self, a: Node, b: Node) -> Result<Node, Halt> {
        self.0.minus(a, b)
    }

    /// As [`Store::project`].
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn project(self, set: Node, pattern: PatternId) -> Result<Node, Halt> {
        self.0.project(set, pattern)
    }

    /// As [`Store::matching`].
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn matching(self, set: Node, short: Node, pattern: PatternId) -> Result<Node, Halt> {
        self.0.matching(set, short, pattern)
    }

    /// As [`Store::from_vectors`].
    ///
    /// # Errors
    /// See [`Halt`].
    pub fn from_vectors<V: AsRef<[u32]> + Ord>(self, vectors: &mut [V]) -> Result<Node, Halt> {
        vectors.sort_unstable_by(|a, b| b.cmp(a));
        self.0.build(vectors, 0)
    }

    /// The store, to look at sets.
    pub fn store(&self) -> &Store<'_> {
        self.0.store
    }
}

/// How far a saturation came before there was no room: kept between two attempts.
#[derive(Debug, Default)]
pub struct Progress {
    reached: Mutex<FxHashMap<(Node, u32), Node>>,
}

impl Progress {
    /// What must be kept when room is made.
    pub fn roots(&self) -> Vec<Node> {
        let reached = self.reached.lock().unwrap_or_else(|e| e.into_inner());
        reached
            .iter()
            .flat_map(|((from, _), to)| [*from, *to])
            .collect()
    }

    fn get(&self, from: Node, level: usize) -> Option<Node> {
        let reached = self.reached.lock().unwrap_or_else(|e| e.into_inner());
        reached.get(&(from, level as u32)).copied()
    }

    fn set(&self, from: Node, level: usize, to: Option<Node>) {
        let mut reached = self.reached.lock().unwrap_or_else(|e| e.into_inner());
        match to {
            Some(to) => reached.insert((from, level as u32), to),
            None => reached.remove(&(from, level as u32)),
        };
    }
}

impl Store<'_> {
    /// The least set that contains `set` and is closed under all groups; after a stop some subset of it.
    ///
    /// # Errors
    /// [`Halt::Full`]: make room, keeping the roots of `progress`, and ask again.
    pub fn saturate(
        &self,
        set: Node,
        relations: &dyn Relations,
        progress: &Progress,
    ) -> Result<Node, Halt> {
        let work = Work {
            relations,
            progress,
        };
        self.run(|cx| cx.saturate(work, set, 0))
    }

    /// Operations that are not divided among threads.
    pub fn alone(&self) -> Alone<'_> {
        Alone(Cx {
            store: self,
            me: rayon::current_thread_index().unwrap_or(0),
            forks: 0,
        })
    }
}

#[derive(Clone, Copy)]
struct Work<'w> {
    relations: &'w dyn Relations,
    progress: &'w Progress,
}

fn key_of(set: Node, level: usize) -> Key {
    Key::new(Op::Saturate, level as u32, set, Node::EMPTY, Node::EMPTY)
}

impl Cx<'_> {
    /// Closes a set of vectors from `level` on under the groups of this level and below.
    fn saturate(self, work: Work<'_>, set: Node, level: usize) -> Result<Node, Halt> {
        match self.saturate_whole(work, set, level) {
            Err(Halt::Stopped) => Ok(set),
            answer => answer,
        }
    }

    fn saturate_whole(self, work: Work<'_>, set: Node, level: usize) -> Result<Node, Halt> {
        if set.is_leaf() || self.store.is_stopping() {
            return Ok(set);
        }
        let key = key_of(set, level);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let mut items: Few<(u32, Node)> = self.store.siblings(set).collect();
        self.deeper().each(&mut items, &|cx, item| {
            item.1 = cx.saturate(work, item.1, level + 1)?;
            Ok(())
        })?;
        let closed_below = self.list(&items, Node::EMPTY)?;
        let done = self.close(work, closed_below, level)?;
        Ok(self.note(&key, done))
    }

    /// The same for a set that is closed below `level`.
    fn close(self, work: Work<'_>, set: Node, level: usize) -> Result<Node, Halt> {
        let groups = work.relations.groups(level);
        if groups.is_empty() || set.is_empty() || self.store.is_stopping() {
            return Ok(set);
        }
        let key = key_of(set, level);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        let earlier = work.progress.get(set, level);
        let mut reached = earlier.unwrap_or(set);
        match self.fixed_point(work, groups, &mut reached) {
            Ok(()) => {}
            Err(Halt::Stopped) => return Ok(reached),
            Err(Halt::Full) => {
                work.progress.set(set, level, Some(reached));
                return Err(Halt::Full);
            }
        }
        if earlier.is_some() {
            work.progress.set(set, level, None);
        }
        self.note(&key_of(reached, level), reached);
        Ok(self.note(&key, reached))
    }

    fn fixed_point(self, work: Work<'_>, groups: &[usize], reached: &mut Node) -> Result<(), Halt> {
        loop {
            let before = *reached;
            for group in groups {
                // One group until it gives nothing new: the next one has more to work on.
                loop {
                    let so_far = *reached;
                    let relation = self.learned(work, *group, so_far)?;
                    let fired = self.fire_first(work, *group, so_far, relation)?;
                    *reached = self.union(so_far, fired)?;
                    if self.store.is_stopping() {
                        return Err(Halt::Stopped);
                    }
                    if *reached == so_far {
                        break;
                    }
                }
            }
            if *reached == before {
                return Ok(());
            }
        }
    }

    /// The relation of a group, complete for a set. What was asked once need not be asked again.
    fn learned(self, work: Work<'_>, group: usize, set: Node) -> Result<Node, Halt> {
        let key = Key::new(Op::Learned, group as u32, set, Node::EMPTY, Node::EMPTY);
        if self.recall(&key).is_some() {
            return Ok(work.relations.relation(group));
        }
        let alone = Alone(Cx { forks: 0, ..self });
        let relation = work.relations.learn(alone, group, set)?;
        self.remember(&key, Node::UNIT);
        Ok(relation)
    }

    /// Applies a relation at the first level of its group.
    fn fire_first(
        self,
        work: Work<'_>,
        group: usize,
        set: Node,
        relation: Node,
    ) -> Result<Node, Halt> {
        let pattern = work.relations.pattern(group);
        let key = Key::new(Op::FireFirst, pattern.0, set, relation, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        let level = self.store.patterns.get(pattern);
        let rest = level.rest;
        let fired = self.step(level.role, set, relation, &|cx, set, relation| {
            cx.fire(work, set, relation, rest)
        })?;
        Ok(self.note(&key, fired))
    }

    /// Applies a relation below the first level of its group and closes what comes out.
    fn fire(
        self,
        work: Work<'_>,
        set: Node,
        relation: Node,
        pattern: PatternId,
    ) -> Result<Node, Halt> {
        if set.is_empty() || relation.is_empty() || self.store.is_stopping() {
            return Ok(Node::EMPTY);
        }
        let level = self.store.patterns.get(pattern);
        if level.is_idle {
            return Ok(set);
        }
        let key = Key::new(Op::Fire, pattern.0, set, relation, Node::EMPTY);
        if let Some(done) = self.recall(&key) {
            return Ok(done);
        }
        self.tick()?;
        let rest = level.rest;
        let fired = self.step(level.role, set, relation, &|cx, set, relation| {
            cx.fire(work, set, relation, rest)
        })?;
        let number = work.relations.depth() - level.length as usize;
        let done = self.close(work, fired, number)?;
        Ok(self.note(&key, done))
    }

    /// Remembers a result, unless it may have been cut short.
    fn note(self, key: &Key, done: Node) -> Node {
        if self.store.is_stopping() {
            return done;
        }
        self.remember(key, done)
    }
}
