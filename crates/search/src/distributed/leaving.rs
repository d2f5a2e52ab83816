//! Holds successors of other workers back for a moment, so that what is needed to tell whether they were sent lately is there
//! when it is looked at.
//!
//! A state that many states lead to is not sent for each of them ([`treetable::Recent`]); finding that out costs a look at
//! memory that is far away, which the processor fetches while the next successors are computed.
//! Invariant: states leave in the order in which they came.

use treetable::Recent;

use super::delivery::Target;
use super::edge::Source;
use super::routing::hash_words;

/// Bytes that tell what was sent lately, about, and the most places.
const BYTES: usize = 1 << 21;
const PLACES: usize = 1 << 17;
/// So many states are held back: more than the processor can fetch at once.
const HELD: usize = 16;

/// States of other workers.
pub struct Leaving {
    slots: usize,
    lately: Recent,
    heads: Vec<Head>,
    vectors: Vec<u32>,
    changed: Vec<u64>,
}

#[derive(Clone, Copy)]
struct Head {
    hash: u64,
    owner: usize,
    source: Source,
}

/// A state that has to be sent.
pub struct Left<'l> {
    /// To whom.
    pub owner: usize,
    /// Where it comes from.
    pub source: Source,
    /// The state.
    pub vector: &'l [u32],
    /// The slots in which it differs from its parent.
    pub changed: &'l [u64],
}

impl Leaving {
    /// None.
    pub fn new(slots: usize) -> Leaving {
        Leaving {
            slots,
            lately: Recent::new(slots, BYTES, PLACES),
            heads: Vec::new(),
            vectors: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Adds a state; whether it is time to [`Leaving::take`] them.
    #[inline]
    pub fn add(&mut self, source: Source, target: Target<'_>) -> bool {
        let hash = hash_words(target.vector);
        self.lately.announce(hash);
        self.heads.push(Head {
            hash,
            owner: target.owner,
            source,
        });
        self.vectors.extend_from_slice(target.vector);
        self.changed.extend_from_slice(target.changed);
        self.heads.len() >= HELD
    }

    /// Lets go of all states; those that were not sent lately are to be sent.
    #[inline]
    pub fn take(&mut self, mut send: impl FnMut(Left<'_>)) {
        let words = self.changed.len() / self.heads.len().max(1);
        for (at, head) in self.heads.iter().enumerate() {
            let vector = &self.vectors[at * self.slots..][..self.slots];
            if !self.lately.meet(vector, head.hash) {
                send(Left {
                    owner: head.owner,
                    source: head.source,
                    vector,
                    changed: &self.changed[at * words..][..words],
                });
            }
        }
        self.heads.clear();
        self.vectors.clear();
        self.changed.clear();
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.lately.bytes()
    }
}
