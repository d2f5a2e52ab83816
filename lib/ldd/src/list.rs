//! Walks lists of siblings, and computes what belongs below them in one thread or several.
//!
//! Recursion goes down levels only: siblings may be many thousand, levels are few.
//! Invariant: values descend from left to right. Values are numbered as they come up, so a new one is mostly the
//! greatest: it goes before a list that is kept, where in the other order the whole list would be made anew.

use smallvec::SmallVec;

use crate::{Cx, Halt, Node, Store};

/// Siblings of a node, from left to right: value and what is below.
pub(crate) struct Siblings<'s> {
    store: &'s Store<'s>,
    at: Node,
}

impl Store<'_> {
    pub(crate) fn siblings(&self, node: Node) -> Siblings<'_> {
        Siblings {
            store: self,
            at: node,
        }
    }
}

impl Iterator for Siblings<'_> {
    type Item = (u32, Node);

    #[inline]
    fn next(&mut self) -> Option<(u32, Node)> {
        if self.at.is_leaf() {
            return None;
        }
        let (value, down, right) = self.store.parts(self.at);
        self.at = right;
        Some((value, down))
    }
}

/// So many siblings are a piece of work of their own.
const LONG: usize = 32;

/// Most lists are short.
pub(crate) type Few<T> = SmallVec<[T; 6]>;

impl Cx<'_> {
    /// A list of siblings with descending values; empty ones are left out.
    pub(crate) fn list(self, items: &[(u32, Node)], mut tail: Node) -> Result<Node, Halt> {
        // A list that grows by one at a time, as that of a counter does, would be made anew for ever unnoticed.
        if items.len() >= LONG {
            self.ticks((items.len() / LONG) as u32)?;
        }
        for (value, down) in items.iter().rev() {
            tail = self.node(*value, *down, tail)?;
        }
        Ok(tail)
    }

    /// Computes every item, divided among threads where that is allowed.
    pub(crate) fn each<T: Send + Sync>(
        self,
        items: &mut [T],
        work: &(impl Fn(Self, &mut T) -> Result<(), Halt> + Sync),
    ) -> Result<(), Halt> {
        if self.forks == 0 || items.len() < 2 {
            return items.iter_mut().try_for_each(|item| work(self, item));
        }
        let half = items.len() / 2;
        let (left, right) = items.split_at_mut(half);
        let (left, right) = rayon::join(
            || self.here().each(left, work),
            || self.here().each(right, work),
        );
        left.and(right)
    }

    /// The union of all, in pairs of about the same size.
    pub(crate) fn union_all(self, sets: &[Node]) -> Result<Node, Halt> {
        match sets {
            [] => Ok(Node::EMPTY),
            [one] => Ok(*one),
            _ => {
                let (left, right) = sets.split_at(sets.len() / 2);
                let (left, right) = (self.union_all(left)?, self.union_all(right)?);
                self.union(left, right)
            }
        }
    }
}
