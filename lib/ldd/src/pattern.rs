//! Says level by level what an operation does with a vector: which levels it keeps, reads, writes or copies.
//!
//! Invariant: equal remainders of patterns have equal numbers, so the cache shares what groups have in common.
//! Invariant: a pattern is as long as the vectors from its first level on; so its length tells the level.

use rustc_hash::FxHashMap;

use crate::Store;
use crate::cache::MOST_DETAILS;

/// What happens at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Nothing: a projection leaves the level out, a relation copies it and has no level for it.
    Skip,
    /// Its value is kept by a projection, and must be the relation's.
    Read,
    /// It is overwritten: the relation has the new value.
    Write,
    /// Its value must be the relation's first, and becomes the relation's second.
    ReadWrite,
    /// The relation has 0 and leaves it alone, or 1 and then the value that overwrites it.
    MayWrite,
}

/// Names a pattern of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PatternId(pub(crate) u32);

/// A level of a pattern.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    pub(crate) role: Role,
    pub(crate) rest: PatternId,
    /// How many levels there are from here on.
    pub(crate) length: u32,
    /// Whether nothing happens from here on.
    pub(crate) is_idle: bool,
}

/// All patterns of a store.
pub(crate) struct Patterns {
    levels: Vec<Level>,
    known: FxHashMap<(Role, PatternId), PatternId>,
}

impl Patterns {
    pub(crate) fn new() -> Patterns {
        let end = Level {
            role: Role::Skip,
            rest: PatternId(0),
            length: 0,
            is_idle: true,
        };
        Patterns {
            levels: vec![end],
            known: FxHashMap::default(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: PatternId) -> &Level {
        &self.levels[id.0 as usize]
    }

    fn add(&mut self, role: Role, rest: PatternId) -> PatternId {
        if let Some(known) = self.known.get(&(role, rest)) {
            return *known;
        }
        let id = PatternId(self.levels.len() as u32);
        assert!(
            id.0 < MOST_DETAILS,
            "a store has fewer than 2^26 levels of patterns"
        );
        let below = *self.get(rest);
        self.levels.push(Level {
            role,
            rest,
            length: below.length + 1,
            is_idle: below.is_idle && role == Role::Skip,
        });
        self.known.insert((role, rest), id);
        id
    }
}

impl Store<'_> {
    /// The pattern with these roles from its first level to the last level of the vectors.
    pub fn pattern(&mut self, roles: &[Role]) -> PatternId {
        let mut id = PatternId(0);
        for role in roles.iter().rev() {
            id = self.patterns.add(*role, id);
        }
        id
    }
}
