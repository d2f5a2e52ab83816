//! Puts the states of a new level in an order that does not depend on threads.
//!
//! Technique: the key of a step is (position of the parent in its level, position of the step among the parent's
//! steps). Every thread offers its key to each state of the new level that it reaches; the least wins. A thread
//! lists the offers that were the least when made; its lists are sorted, because it takes the parents of a chunk
//! in order. At the end of the level the chunks' lists, filtered by "is still the least" and taken in the order
//! of chunks, are the states of the level sorted by key: exactly the order of a single thread.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use treetable::Column;

/// The least keys of the states of a new level.
pub struct Keys {
    /// Complements of keys, so that zero is "none" and the largest wins.
    best: Column<AtomicU64>,
    start: u32,
}

impl Keys {
    /// No offers for states from `start` on.
    pub fn new(start: u32) -> Keys {
        Keys {
            best: Column::new(),
            start,
        }
    }

    /// Offers a key for a state; whether it is the least so far. States of earlier levels want none.
    #[inline]
    pub fn offer(&self, state: u32, key: u64) -> bool {
        let Some(at) = state.checked_sub(self.start) else {
            return false;
        };
        let best = self.best.get_or_reserve(at as usize);
        let offer = !key;
        best.load(Relaxed) < offer && best.fetch_max(offer, Relaxed) < offer
    }

    /// A state has got another number; the old one may be given to another state. Nobody may offer meanwhile.
    pub fn renumber(&self, from: u32, to: u32) {
        let [from, to] = [from, to].map(|state| (state - self.start) as usize);
        let best = self.best.get_or_reserve(from).swap(0, Relaxed);
        self.best.get_or_reserve(to).store(best, Relaxed);
    }

    /// The least key of a state; `None` for states of earlier levels and without an offer.
    pub fn least(&self, state: u32) -> Option<u64> {
        let at = state.checked_sub(self.start)? as usize;
        let best = self.best.get_or_reserve(at).load(Relaxed);
        (best != 0).then_some(!best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_key_wins_whatever_the_order() {
        let keys = Keys::new(10);
        assert!(!keys.offer(9, 0), "a state of an earlier level");
        assert!(keys.offer(12, 70));
        assert!(!keys.offer(12, 70));
        assert!(!keys.offer(12, 71));
        assert!(keys.offer(12, 3));
        assert_eq!(keys.least(12), Some(3));
        assert_eq!(keys.least(11), None);
        assert_eq!(keys.least(2), None);
    }

    #[test]
    fn the_old_number_of_a_state_is_free_for_another() {
        let keys = Keys::new(10);
        assert!(keys.offer(14, 3));
        keys.renumber(14, 11);
        assert_eq!((keys.least(11), keys.least(14)), (Some(3), None));
        assert!(keys.offer(14, 70));
    }
}
