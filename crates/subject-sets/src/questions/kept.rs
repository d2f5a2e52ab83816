//! A list that grows while its entries are lent: what a ground compiled for questions stays as long as the ground.

use std::sync::OnceLock;

/// A list that only grows.
pub(crate) struct Kept<T> {
    first: OnceLock<Box<Entry<T>>>,
}

struct Entry<T> {
    value: T,
    next: OnceLock<Box<Entry<T>>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept {
            first: OnceLock::new(),
        }
    }
}

impl<T> Kept<T> {
    /// Keeps a value and lends it.
    pub(crate) fn keep(&self, value: T) -> &T {
        let mut entry = Box::new(Entry {
            value,
            next: OnceLock::new(),
        });
        let mut at = &self.first;
        loop {
            // Somebody else may have been faster at this place.
            match at.set(entry) {
                Ok(()) => match at.get() {
                    Some(kept) => return &kept.value,
                    None => unreachable!("it was set a line above"),
                },
                Err(refused) => entry = refused,
            }
            if let Some(taken) = at.get() {
                at = &taken.next;
            }
        }
    }
}
