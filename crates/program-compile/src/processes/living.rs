//! Steps of processes that live and go on living have nothing to do with who else is created.
//!
//! `run` takes the first free place, so by its slots it may touch every process that it could create, and it asks of every
//! process whether somebody lives there. A process that makes a step lives: its place is not free, and if it does not die
//! it lives afterwards, too. So the two commute if they have nothing else in common. SPIN calls such steps safe by their
//! text; here it follows for whatever a step does beside.
//! Invariant: channels that are created are not places of processes; who uses one depends on who may create one.

use pins::{GroupId, SlotSet};

use super::groups::{Grouping, Groups, both};
use super::pairs::is_somebody;

impl Grouping<'_> {
    /// Groups that ask who lives, with groups of processes that go on living.
    pub(super) fn living(&self, groups: &Groups) -> Vec<(GroupId, GroupId)> {
        let asking = groups.asking.iter().enumerate();
        let asking = asking.filter_map(|(at, access)| Some((at, access.as_ref()?)));
        let asking: Vec<_> = asking
            .map(|(at, access)| {
                let mut places = access.living.clone();
                places.union_with(&access.filled);
                (at, access, places)
            })
            .collect();
        let mut commuting = Vec::new();
        if asking.is_empty() {
            return commuting;
        }
        for (at, group) in groups.groups.iter().enumerate() {
            let Some(own) = self.goes_on(groups, at) else {
                continue;
            };
            let is_own = |slots: &SlotSet, places: &SlotSet| {
                let mut common = slots.iter().filter(|slot| places.contains(*slot));
                common.all(|slot| own.contains(slot))
            };
            for (other, access, places) in &asking {
                let is_beside = access.is_apart(group)
                    && is_own(&group.reads, places)
                    && is_own(&group.may_write, places);
                if is_beside {
                    commuting.extend(both(at, *other));
                }
            }
        }
        commuting
    }

    /// The slots of those who make the steps of a group, if all of them live afterwards and nobody else is asked about.
    fn goes_on(&self, groups: &Groups, group: usize) -> Option<SlotSet> {
        if groups.asking[group].is_some() {
            return None;
        }
        let start = &groups.starts[group];
        let taker = start.taker.filter(|taker| is_somebody(*taker));
        let movers = std::iter::once(start.pid).chain(taker.map(|(pid, _)| pid as usize));
        let mut own = SlotSet::new();
        for pid in movers {
            let region = &self.layout.processes[pid];
            let mut leaves = groups.leaves[group].iter();
            let left = leaves.find(|leaves| leaves.slot == region.control)?;
            if !left.is_certain || left.words.contains(&0) {
                return None;
            }
            own.union_with(&region.slots());
        }
        Some(own)
    }
}
