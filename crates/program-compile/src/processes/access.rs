//! What a piece of code looks at and changes, gathered while it is made.

use pins::SlotSet;

/// Slots read and written, and what else matters for who influences whom.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    /// Slots whose words the code may look at.
    pub reads: SlotSet,
    /// Slots that it may change.
    pub writes: SlotSet,
    /// Slots of processes of which it matters only whether somebody lives there.
    pub living: SlotSet,
    /// Slots of processes that it changes only where nobody lives.
    pub filled: SlotSet,
    /// Whether it may fault.
    pub may_fault: bool,
    /// Whether computing its value changes something (`run`).
    pub has_effect: bool,
    /// Whether it asks if nothing else can happen: it then depends on everything.
    pub asks_timeout: bool,
    /// Whether it depends on what every process can do.
    pub asks_all: bool,
}

impl Access {
    /// Adds slots `from..from + count` that are read.
    pub fn read(&mut self, from: usize, count: usize) {
        (from..from + count).for_each(|slot| self.reads.insert(slot));
    }

    /// Adds slots `from..from + count` that are written.
    pub fn write(&mut self, from: usize, count: usize) {
        (from..from + count).for_each(|slot| self.writes.insert(slot));
    }

    /// Adds everything of `other`.
    pub fn add(&mut self, other: &Access) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.living.union_with(&other.living);
        self.filled.union_with(&other.filled);
        self.may_fault |= other.may_fault;
        self.has_effect |= other.has_effect;
        self.asks_timeout |= other.asks_timeout;
        self.asks_all |= other.asks_all;
    }

    /// Adds what `other` reads, as a condition that is only looked at.
    pub fn add_condition(&mut self, other: &Access) {
        self.reads.union_with(&other.reads);
        // What it writes while it is tried it may have to look at before.
        self.reads.union_with(&other.writes);
        self.living.union_with(&other.living);
        self.living.union_with(&other.filled);
        self.may_fault |= other.may_fault;
        self.asks_timeout |= other.asks_timeout;
        self.asks_all |= other.asks_all;
    }

    /// The same without some slots.
    pub fn without(mut self, slots: &SlotSet) -> Access {
        for set in [&mut self.reads, &mut self.writes] {
            let mut others = SlotSet::new();
            let kept = set.iter().filter(|slot| !slots.contains(*slot));
            kept.for_each(|slot| others.insert(slot));
            *set = others;
        }
        self
    }

    /// The same, where who lives is a matter of slots like any other.
    pub fn whole(mut self) -> Access {
        self.reads.union_with(&self.living);
        self.reads.union_with(&self.filled);
        self.writes.union_with(&self.filled);
        self
    }

    /// Whether it has nothing to do with what a group reads and writes, apart from who lives.
    pub fn is_apart(&self, group: &pins::Group) -> bool {
        !self.asks_timeout
            && !self.asks_all
            && !self.writes.intersects(&group.may_write)
            && !self.writes.intersects(&group.reads)
            && !self.reads.intersects(&group.may_write)
    }
}
