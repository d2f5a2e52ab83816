//! Stubborn sets, by guards: a set of groups, enabled or not, from which nothing outside can take anything away.
//!
//! Papers: [Valmari 1989] (strong stubborn sets), [Laarman, Pater, van de Pol, Weber 2013] (guards). The set is closed
//! under: with an enabled group all groups that depend on it, unless they may as well come after it; with a group that does not happen a *necessary enabling
//! set* of it (`necessary.rs`), one member of which must happen before it can; with an enabled group that may mend a
//! label all groups that may break it. Its enabled members are explored.
//! Technique: among several necessary enabling sets the one that adds least is taken. A closure is tried from every
//! enabled group; the one with the fewest steps that change something is taken: where only deadlocks are looked for, a
//! step that changes nothing shows at once that there is none.
//! Differs: an ample set is the enabled part of a stubborn set, too, one that is found by looking at who can enable whom
//! in the end instead of at guards; where it has fewer steps, it is taken.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::ample::Ample;
use super::necessary::{Necessary, Offer, Place, Tables};
use super::relations::Relations;
use super::sets::GroupSet;
use super::visible::Visibility;

/// More answers than this are forgotten.
const MOST: usize = 1 << 14;

/// Adding an enabled group is worse than adding any number of others.
const ENABLED: u64 = 1 << 32;

/// Chooses stubborn sets.
pub(super) struct Stubborn<'r> {
    tables: &'r Tables<'r>,
    visibility: &'r Visibility,
    necessary: Necessary<'r>,
    ample: Ample<'r>,
    /// For each set of enabled groups those that are worth starting from.
    seeds: FxHashMap<GroupSet, Vec<u32>>,
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
        ample: Ample<'r>,
    ) -> Stubborn<'r> {
        let empty = GroupSet::new(tables.groups());
        Stubborn {
            tables,
            visibility,
            necessary: Necessary::new(relations, tables),
            ample,
            seeds: FxHashMap::default(),
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
        self.necessary.begin();
        let all = place.weight_of(place.enabled);
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
        if least > u64::from(place.must_change)
            && let Some(ample) = self.ample.choose(place.enabled, place.turning)
        {
            let steps = place.weight_of(ample);
            if steps < least && (steps > 0 || !place.must_change) {
                is_found = true;
                self.best.clone_from(ample);
            }
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
            let mut set = GroupSet::new(self.tables.groups());
            set.insert(seed);
            // A closure that was given up leaves some behind; a choice depends on the state alone.
            self.todo.clear();
            self.todo.push(seed);
            while let Some(next) = self.todo.pop() {
                let rows = std::iter::once(self.tables.needs(next));
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
        let (tables, visibility) = (self.tables, self.visibility);
        self.set.clear();
        self.set.insert(seed);
        self.todo.clear();
        self.todo.push(seed);
        let mut steps = place.weight(seed);
        while let Some(next) = self.todo.pop() {
            if steps >= limit {
                return None;
            }
            if place.enabled.contains(next) {
                if place.turns(next) {
                    return None;
                }
                steps += self.pull(tables.needs(next), place);
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
                steps += place.weight(group);
            }
        });
        self.set.union_with(groups);
        steps
    }

    /// Leaves in `least` a necessary enabling set of a group that does not happen, the one that adds least.
    fn necessary(&mut self, group: usize, place: &mut Place<'_, '_>) {
        let (set, enabling, best) = (&self.set, &mut self.enabling, &mut self.least);
        let mut least = u64::MAX;
        self.necessary
            .offer(group, place, |necessary, offer, place| {
                if let Some(cost) = added(offer, (set, least), necessary, place, enabling) {
                    least = cost;
                    std::mem::swap(best, enabling);
                }
                match least {
                    0 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            });
    }
}

/// Leaves in `enabling` what an offer comes to, without groups that wait unless the set has them anyway; what it adds
/// to the set, if that is below `least`.
fn added(
    offer: Offer<'_>,
    (set, least): (&GroupSet, u64),
    necessary: &mut Necessary<'_>,
    place: &mut Place<'_, '_>,
    enabling: &mut GroupSet,
) -> Option<u64> {
    enabling.clear();
    let mut cost = 0;
    for group in offer.groups.iter() {
        let is_known = set.contains(group);
        let is_enabled = place.enabled.contains(group);
        let may_wait = offer.slots.filter(|_| !is_known && !is_enabled);
        if may_wait.is_some_and(|slots| necessary.waits(group, slots, place)) {
            continue;
        }
        enabling.insert(group);
        if !is_known {
            cost += match is_enabled {
                true => ENABLED * (1 + place.weight(group)),
                false => 1,
            };
            if cost >= least {
                return None;
            }
        }
    }
    (cost < least).then_some(cost)
}
