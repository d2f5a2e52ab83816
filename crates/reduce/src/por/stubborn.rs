//! Stubborn sets, by guards: a set of groups, enabled or not, from which nothing outside can take anything away.
//!
//! Papers: [Valmari 1989] (strong stubborn sets), [Laarman, Pater, van de Pol, Weber 2013] (guards). The set is closed
//! under: with an enabled group all groups that depend on it; with a group that does not happen a *necessary enabling
//! set* of it, one member of which must happen before it can; with an enabled group that may mend a label all groups
//! that may break it. Its enabled members are explored.
//! Technique: a group that does not happen has a guard that is false, and only groups that may make that guard true
//! belong to the set; among several false guards the one that adds least is taken. Instead of them, all groups that
//! write what the guard reads will do, without those that have themselves a false guard about the same slots: until one
//! of the others has written one of these slots, that guard stays false. That covers necessary disabling sets: `pc = 3`
//! becomes true only after a group that can happen while `pc` is what it is.
//! A closure is tried from every enabled group; the one with the fewest steps that change something is taken: where
//! only deadlocks are looked for, a step that changes nothing shows at once that there is none.

use pins::{Shape, SlotSet, Worker};
use rustc_hash::FxHashMap;

use super::relations::{Relations, decides, writers};
use super::sets::GroupSet;
use super::visible::Visibility;

/// More answers than this are forgotten.
const MOST: usize = 1 << 14;

/// Adding an enabled group is worse than adding any number of others.
const ENABLED: u64 = 1 << 32;

/// What never changes: the same for all workers.
#[derive(Debug)]
pub(super) struct Tables<'s> {
    /// For each group its guards: position in the shape.
    guards: Vec<Vec<usize>>,
    /// For each guard the slots it reads.
    reads: Vec<&'s SlotSet>,
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

    pub(super) fn new(shape: &'s Shape, relations: &Relations) -> Tables<'s> {
        let groups = shape.groups.len();
        let mut guards = vec![Vec::new(); groups];
        for (at, guard) in shape.guards.iter().enumerate() {
            guards[guard.group.index()].push(at);
        }
        Tables {
            guards,
            reads: shape.guards.iter().map(|guard| &guard.reads).collect(),
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
    /// Answers questions about guards.
    pub worker: &'p mut (dyn Worker + 'w),
}

/// Chooses stubborn sets.
pub(super) struct Stubborn<'r> {
    relations: &'r Relations,
    visibility: &'r Visibility,
    tables: &'r Tables<'r>,
    /// For each set of enabled groups those that are worth starting from.
    seeds: FxHashMap<GroupSet, Vec<u32>>,
    /// Truth of guards in the state: a stamp, and what it was.
    truths: Vec<(u32, bool)>,
    stamp: u32,
    set: GroupSet,
    best: GroupSet,
    todo: Vec<usize>,
    enabling: GroupSet,
    least: GroupSet,
}

impl<'r> Stubborn<'r> {
    pub(super) fn new(
        relations: &'r Relations,
        visibility: &'r Visibility,
        tables: &'r Tables<'r>,
    ) -> Stubborn<'r> {
        let groups = tables.guards.len();
        let empty = GroupSet::new(groups);
        Stubborn {
            relations,
            visibility,
            tables,
            seeds: FxHashMap::default(),
            truths: vec![(0, false); tables.reads.len()],
            stamp: 0,
            set: empty.clone(),
            best: empty.clone(),
            todo: Vec::new(),
            enabling: empty.clone(),
            least: empty,
        }
    }

    /// The enabled groups of a stubborn set; `None` for all of them.
    pub(super) fn choose(&mut self, place: &mut Place<'_, '_>) -> Option<&GroupSet> {
        if !self.seeds.contains_key(place.enabled) {
            if self.seeds.len() >= MOST {
                self.seeds.clear();
            }
            let seeds = self.worth_starting(place.enabled);
            self.seeds.insert(place.enabled.clone(), seeds);
        }
        let seeds = std::mem::take(self.seeds.get_mut(place.enabled)?);
        self.stamp += 1;
        let all: u64 = place.enabled.iter().map(|g| weight(place, g)).sum();
        let (mut least, mut is_found) = (all, false);
        for seed in &seeds {
            if let Some(found) = self.close(*seed as usize, place, least) {
                (least, is_found) = (found, true);
                std::mem::swap(&mut self.set, &mut self.best);
                if found <= u64::from(place.must_change) {
                    break;
                }
            }
        }
        if let Some(kept) = self.seeds.get_mut(place.enabled) {
            *kept = seeds;
        }
        if !is_found {
            return None;
        }
        self.best.intersect_with(place.enabled);
        Some(&self.best)
    }

    /// Enabled groups that do not pull in all others, even if those that do not happen pull in nothing.
    fn worth_starting(&mut self, enabled: &GroupSet) -> Vec<u32> {
        let mut seeds: Vec<(usize, u32)> = Vec::new();
        for seed in enabled.iter() {
            let mut set = GroupSet::new(self.tables.guards.len());
            set.insert(seed);
            self.todo.push(seed);
            while let Some(next) = self.todo.pop() {
                let rows = std::iter::once(self.relations.dependent.row(next));
                for row in rows.chain(self.visibility.bound_to(next)) {
                    let mut more = row.clone();
                    more.intersect_with(enabled);
                    more.for_each_new(&set, |group| self.todo.push(group));
                    set.union_with(&more);
                }
            }
            if set != *enabled {
                seeds.push((set.len(), seed as u32));
            }
        }
        seeds.sort_unstable();
        seeds.into_iter().map(|(_, seed)| seed).collect()
    }

    /// Closes the set that holds `seed`; the steps of its enabled members, `None` when they are not below `limit`.
    fn close(&mut self, seed: usize, place: &mut Place<'_, '_>, limit: u64) -> Option<u64> {
        let (relations, visibility) = (self.relations, self.visibility);
        self.set.clear();
        self.set.insert(seed);
        self.todo.clear();
        self.todo.push(seed);
        let mut steps = weight(place, seed);
        while let Some(next) = self.todo.pop() {
            if steps >= limit {
                return None;
            }
            if place.enabled.contains(next) {
                steps += self.pull(relations.dependent.row(next), place);
                for breakers in visibility.bound_to(next) {
                    steps += self.pull(breakers, place);
                }
            } else {
                self.necessary(next, place);
                let row = std::mem::take(&mut self.least);
                steps += self.pull(&row, place);
                self.least = row;
            }
        }
        (steps < limit && (steps > 0 || !place.must_change)).then_some(steps)
    }

    /// Adds groups to the set; the steps that they add.
    fn pull(&mut self, groups: &GroupSet, place: &Place<'_, '_>) -> u64 {
        let (todo, mut steps) = (&mut self.todo, 0);
        groups.for_each_new(&self.set, |group| {
            todo.push(group);
            if place.enabled.contains(group) {
                steps += weight(place, group);
            }
        });
        self.set.union_with(groups);
        steps
    }

    /// Leaves in `least` a necessary enabling set of a group that does not happen, the one that adds least.
    fn necessary(&mut self, group: usize, place: &mut Place<'_, '_>) {
        let tables = self.tables;
        let mut least = u64::MAX;
        let mut has_false = false;
        for guard in &tables.guards[group] {
            if self.truth(*guard, place) {
                continue;
            }
            has_false = true;
            let relations = self.relations;
            self.offer(&relations.guard_enablers[*guard], None, place, &mut least);
            let slots = Some(tables.reads[*guard]);
            self.offer(&tables.guard_writers[*guard], slots, place, &mut least);
            if least == 0 {
                return;
            }
        }
        if !has_false {
            self.offer(&tables.enablers[group], None, place, &mut least);
            let slots = Some(tables.decides[group]);
            self.offer(&tables.writers[group], slots, place, &mut least);
        }
    }

    /// Takes the groups for `least` if they add less; with the slots that one of them has to write first, without
    /// those that cannot be that one.
    fn offer(
        &mut self,
        groups: &GroupSet,
        slots: Option<&SlotSet>,
        place: &mut Place<'_, '_>,
        least: &mut u64,
    ) {
        self.enabling.clear();
        let mut cost = 0;
        for group in groups.iter() {
            let is_known = self.set.contains(group);
            let is_enabled = place.enabled.contains(group);
            let may_wait = slots.filter(|_| !is_known && !is_enabled);
            if may_wait.is_some_and(|slots| self.waits(group, slots, place)) {
                continue;
            }
            self.enabling.insert(group);
            if !is_known {
                cost += if is_enabled {
                    ENABLED * (1 + weight(place, group))
                } else {
                    1
                };
                if cost >= *least {
                    return;
                }
            }
        }
        if cost < *least {
            *least = cost;
            std::mem::swap(&mut self.least, &mut self.enabling);
        }
    }

    /// Whether a group has a false guard about these slots only.
    fn waits(&mut self, group: usize, slots: &SlotSet, place: &mut Place<'_, '_>) -> bool {
        let tables = self.tables;
        let mut guards = tables.guards[group].iter();
        guards.any(|guard| tables.reads[*guard].is_within(slots) && !self.truth(*guard, place))
    }

    fn truth(&mut self, guard: usize, place: &mut Place<'_, '_>) -> bool {
        let known = &mut self.truths[guard];
        if known.0 != self.stamp {
            *known = (self.stamp, place.worker.guard(place.state, guard));
        }
        known.1
    }
}

/// What exploring a group costs: its steps, as far as they can lead to new states.
fn weight(place: &Place<'_, '_>, group: usize) -> u64 {
    u64::from(place.steps[group])
}
