//! Who must happen before a group that does not happen now: necessary enabling sets, by its guards.
//!
//! Paper: [Laarman, Pater, van de Pol, Weber 2013]. A group that does not happen has a guard that is false, and one of
//! the groups that may make that guard true must happen first. Instead of them, all groups that write what the guard
//! reads will do, without those that have themselves a false guard about the same slots: until one of the others has
//! written one of these slots, that guard stays false. That covers necessary disabling sets: `pc = 3` becomes true only
//! after a group that can happen while `pc` is what it is.
//! A process that nobody else can move or write to, as long as it is where it is, has to move itself ([`Shape::held`]).
//! Invariant: every set that is offered is necessary, so a selector may take any of them.

use std::ops::ControlFlow;

use pins::{Shape, SlotSet, Worker};

use super::relations::{Relations, decides, writers};
use super::sets::GroupSet;

/// What never changes: the same for all workers.
#[derive(Debug)]
pub(super) struct Tables<'s> {
    /// For each group those that a set with it holds, too, where it happens: the dependent ones, but for those that may as well
    /// come after it.
    needs: Vec<GroupSet>,
    /// For each group that its first guard holds that guard, and who asks for the same.
    held: Vec<Option<(usize, GroupSet)>>,
    /// For each group its guards: position in the shape.
    guards: Vec<Vec<usize>>,
    /// For each guard the slots it reads.
    reads: Vec<&'s SlotSet>,
    /// For each guard the only slot it reads, if it is one.
    single: Vec<Option<usize>>,
    /// For each group the slots that decide.
    decides: Vec<&'s SlotSet>,
    /// For each group who may enable it.
    enablers: Vec<GroupSet>,
    /// For each guard who may write what it reads.
    guard_writers: Vec<GroupSet>,
    /// For each group who may write what decides.
    writers: Vec<GroupSet>,
}

impl<'s> Tables<'s> {
    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.guards.len()
    }

    /// The groups that a set with one holds, too, where it happens.
    pub(super) fn needs(&self, group: usize) -> &GroupSet {
        &self.needs[group]
    }

    pub(super) fn new(shape: &'s Shape, relations: &Relations) -> Tables<'s> {
        let groups = shape.groups.len();
        let mut guards = vec![Vec::new(); groups];
        for (at, guard) in shape.guards.iter().enumerate() {
            guards[guard.group.index()].push(at);
        }
        let rows = (0..groups).map(|group| relations.dependent.row(group).clone());
        let mut needs: Vec<GroupSet> = rows.collect();
        for (first, second) in shape.commuting.iter().chain(&shape.alike) {
            needs[first.index()].remove(second.index());
        }
        for eager in &shape.eager {
            needs[eager.index()].clear();
        }
        let mut held = vec![None; groups];
        for group in &shape.held {
            let first: usize = guards[group.index()][0];
            held[group.index()] = Some((first, askers(shape, first)));
        }
        Tables {
            needs,
            held,
            guards,
            reads: shape.guards.iter().map(|guard| &guard.reads).collect(),
            single: shape.guards.iter().map(|g| single(&g.reads)).collect(),
            decides: (0..groups).map(|group| decides(shape, group)).collect(),
            enablers: (0..groups)
                .map(|to| relations.can_enable.column(to))
                .collect(),
            guard_writers: shape
                .guards
                .iter()
                .map(|g| writers(shape, &g.reads))
                .collect(),
            writers: (0..groups)
                .map(|g| writers(shape, decides(shape, g)))
                .collect(),
        }
    }
}

/// The groups that ask for the same word of the same slot as a guard does.
fn askers(shape: &Shape, guard: usize) -> GroupSet {
    let wanted = shape.guards[guard].equals;
    let mut askers = GroupSet::new(shape.groups.len());
    for guard in shape.guards.iter().filter(|guard| guard.equals == wanted) {
        askers.insert(guard.group.index());
    }
    askers
}

/// The only slot of a set, if it is one.
fn single(slots: &SlotSet) -> Option<usize> {
    let mut slots = slots.iter();
    slots.next().filter(|_| slots.next().is_none())
}

/// A state to choose in.
pub(super) struct Place<'p, 'w> {
    /// The state.
    pub state: &'p [u32],
    /// The groups that happen.
    pub enabled: &'p GroupSet,
    /// For each group how many of its steps change something here.
    pub steps: &'p [u32],
    /// Whether the steps of a set that change nothing are of no use.
    pub must_change: bool,
    /// Groups that are of no use in a set.
    pub turning: &'p GroupSet,
    /// Answers questions about guards.
    pub worker: &'p mut (dyn Worker + 'w),
}

impl Place<'_, '_> {
    /// What exploring a group costs: its steps, as far as they can lead to new states.
    pub(super) fn weight(&self, group: usize) -> u64 {
        u64::from(self.steps[group])
    }

    /// Whether a group is of no use in a set.
    pub(super) fn turns(&self, group: usize) -> bool {
        self.turning.contains(group)
    }

    /// The same for the enabled groups of a set.
    pub(super) fn weight_of(&self, set: &GroupSet) -> u64 {
        let enabled = set.iter().filter(|group| self.enabled.contains(*group));
        enabled.map(|group| self.weight(group)).sum()
    }
}

/// A necessary enabling set: these groups, without those that wait for one of these slots to be written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer<'r> {
    /// The groups.
    pub groups: &'r GroupSet,
    /// The slots that one of them has to write first.
    pub slots: Option<&'r SlotSet>,
}

/// Finds necessary enabling sets in one state after the other.
#[derive(Debug)]
pub(super) struct Necessary<'r> {
    relations: &'r Relations,
    tables: &'r Tables<'r>,
    /// Truth of guards in the state: a stamp, and what it was.
    truths: Vec<(u64, bool)>,
    stamp: u64,
}

impl<'r> Necessary<'r> {
    pub(super) fn new(relations: &'r Relations, tables: &'r Tables<'r>) -> Necessary<'r> {
        Necessary {
            relations,
            tables,
            truths: vec![(0, false); tables.reads.len()],
            stamp: 0,
        }
    }

    /// Begins a state.
    pub(super) fn begin(&mut self) {
        self.stamp += 1;
    }

    /// Offers necessary enabling sets of a group that does not happen, at least one, until `take` has enough.
    pub(super) fn offer<'p, 'w>(
        &mut self,
        group: usize,
        place: &mut Place<'p, 'w>,
        mut take: impl FnMut(&mut Self, Offer<'r>, &mut Place<'p, 'w>) -> ControlFlow<()>,
    ) {
        let (tables, relations) = (self.tables, self.relations);
        if let Some((first, groups)) = &tables.held[group]
            && self.truth(*first, place)
        {
            let slots = None;
            // There is no smaller one.
            let _ = take(self, Offer { groups, slots }, place);
            return;
        }
        let mut has_false = false;
        for guard in &tables.guards[group] {
            if self.truth(*guard, place) {
                continue;
            }
            has_false = true;
            for (groups, slots) in [
                (&relations.guard_enablers[*guard], None),
                (&tables.guard_writers[*guard], Some(tables.reads[*guard])),
            ] {
                if take(self, Offer { groups, slots }, place).is_break() {
                    return;
                }
            }
        }
        if has_false {
            return;
        }
        for (groups, slots) in [
            (&tables.enablers[group], None),
            (&tables.writers[group], Some(tables.decides[group])),
        ] {
            if take(self, Offer { groups, slots }, place).is_break() {
                return;
            }
        }
    }

    /// Whether a group that does not happen has a false guard about these slots only.
    pub(super) fn waits(
        &mut self,
        group: usize,
        slots: &SlotSet,
        place: &mut Place<'_, '_>,
    ) -> bool {
        let tables = self.tables;
        let mut guards = tables.guards[group].iter();
        guards.any(|guard| {
            let is_within = match tables.single[*guard] {
                Some(slot) => slots.contains(slot),
                None => tables.reads[*guard].is_within(slots),
            };
            is_within && !self.truth(*guard, place)
        })
    }

    fn truth(&mut self, guard: usize, place: &mut Place<'_, '_>) -> bool {
        let known = &mut self.truths[guard];
        if known.0 != self.stamp {
            *known = (self.stamp, place.worker.guard(place.state, guard));
        }
        known.1
    }
}
