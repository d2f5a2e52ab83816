//! Counts as `docs/meaning.md` defines them.
//!
//! Invariant: sums over states, so they do not depend on who expanded which state.

use std::time::Duration;

use pins::Shape;
use rustc_hash::FxHashSet;

/// The counts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states.
    pub states: u64,
    /// Solutions of the constants; 0 without a set-up step.
    pub setups: u64,
    /// Distinct (source, event, arguments, results, target).
    pub transitions: u64,
    /// Edges from the root to set-ups and from set-ups (or the root) to initial states.
    pub start_edges: u64,
    /// Questions "successors of this state for this group", set-up and initialisation included.
    pub next_state_calls: u64,
    /// Questions for the truth of a label.
    pub label_calls: u64,
    /// Steps from an initial state to the states farthest away (breadth-first: least numbers of steps).
    pub depth: u32,
    /// States found but not expanded.
    pub frontier: u64,
    /// Transitions of each group.
    pub group_transitions: Vec<u64>,
    /// Distinct values of each slot.
    pub slot_values: Vec<Distinct>,
    /// Time, earlier parts of a resumed run included.
    pub wall: Duration,
    /// Bytes of the store.
    pub store_bytes: u64,
    /// The most bytes of files at once.
    pub disk_bytes: u64,
    /// The most that store, links, frontier and tables of the system took together.
    pub peak_bytes: u64,
}

impl Statistics {
    /// States, set-ups and the root.
    pub fn nodes(&self) -> u64 {
        self.states + self.setups + 1
    }

    /// All edges between nodes.
    pub fn edges(&self) -> u64 {
        self.transitions + self.start_edges
    }
}

/// How many different values there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    /// So many, or at least so many.
    pub count: u32,
    /// Whether counting stopped there.
    pub is_at_least: bool,
}

/// Counting distinct values stops here: enough to see which slot explodes.
pub(crate) const MOST_VALUES: usize = 4096;
/// Values below this are kept as bits: slots mostly hold small numbers.
const SMALL: u32 = 1024;

/// The values of one slot.
#[derive(Clone, Debug, Default)]
pub struct Values {
    small: Vec<u64>,
    large: FxHashSet<u32>,
}

impl Values {
    /// Adds a value.
    #[inline]
    pub fn note(&mut self, value: u32) {
        if value < SMALL {
            let at = value as usize / 64;
            if self.small.len() <= at {
                self.small.resize(at + 1, 0);
            }
            self.small[at] |= 1 << (value % 64);
        } else if self.large.len() < MOST_VALUES {
            self.large.insert(value);
        }
    }

    /// Adds all values of another worker.
    pub fn merge(&mut self, other: &Values) {
        other.iter().for_each(|value| self.note(value));
    }

    /// All values kept.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let small = self.small.iter().enumerate().flat_map(|(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| at as u32 * 64 + bit)
        });
        small.chain(self.large.iter().copied())
    }

    /// How many.
    pub fn count(&self) -> Distinct {
        let small: u32 = self.small.iter().map(|word| word.count_ones()).sum();
        let count = small + self.large.len() as u32;
        Distinct {
            count: count.min(MOST_VALUES as u32),
            is_at_least: count >= MOST_VALUES as u32,
        }
    }
}

/// What one worker counts.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Transitions.
    pub transitions: u64,
    /// Calls for successors.
    pub next_state_calls: u64,
    /// Calls for labels.
    pub label_calls: u64,
    /// Transitions of each group.
    pub groups: Vec<u64>,
    /// Values of each slot.
    pub values: Vec<Values>,
}

impl Tally {
    /// Nothing counted.
    pub fn of(shape: &Shape) -> Tally {
        Tally {
            groups: vec![0; shape.groups.len()],
            values: vec![Values::default(); shape.slots.len()],
            ..Tally::default()
        }
    }

    /// Adds transitions, by their groups.
    pub fn count(&mut self, groups: &[u32]) {
        self.transitions += groups.len() as u64;
        for group in groups {
            self.groups[*group as usize] += 1;
        }
    }

    /// Adds what another worker counted.
    pub fn merge(&mut self, other: &Tally) {
        self.transitions += other.transitions;
        self.next_state_calls += other.next_state_calls;
        self.label_calls += other.label_calls;
        for (mine, theirs) in self.groups.iter_mut().zip(&other.groups) {
            *mine += theirs;
        }
        for (mine, theirs) in self.values.iter_mut().zip(&other.values) {
            mine.merge(theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_values_are_counted_up_to_a_bound() {
        let mut values = Values::default();
        for value in [3, 3, 900, 70_000, 70_000, 0] {
            values.note(value);
        }
        let expected = Distinct {
            count: 4,
            is_at_least: false,
        };
        assert_eq!(values.count(), expected);
        (0..100_000).for_each(|value| values.note(value));
        assert!(values.count().is_at_least);
        assert_eq!(values.count().count, MOST_VALUES as u32);
    }
}
