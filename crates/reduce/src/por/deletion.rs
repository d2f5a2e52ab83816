//! Stubborn sets by deletion: beginning with all groups, one enabled group after the other is taken out if it can be.
//!
//! Papers: [Valmari 1989], [Varpaaniemi 1998] the deletion algorithm, [Laarman, Pater, van de Pol, Weber 2013] with guards.
//! A group that is taken out takes others with it: an enabled one that depends on it or may mend a label that it may
//! break; one that does not happen when no necessary enabling set of it is left whole. If nothing useful is left, all
//! that is put back.
//! Differs from `stubborn.rs`: that one closes a set from below and decides for one necessary enabling set as it goes;
//! here all of them stay possible until the end, for which all of them are computed in every state.
//! Invariant: what is left can lose no further enabled group; it need not be the set with the fewest steps.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::necessary::{Necessary, Place, Tables};
use super::relations::Relations;
use super::sets::GroupSet;
use super::visible::Visibility;

/// Chooses stubborn sets by deletion.
#[derive(Debug)]
pub(super) struct Deletion<'r> {
    relations: &'r Relations,
    visibility: &'r Visibility,
    necessary: Necessary<'r>,
    /// For each group those that may mend a label that it may break.
    menders: Vec<GroupSet>,
    /// What is left.
    set: GroupSet,
    /// Necessary enabling sets of this state: whose, and whether none of its groups was taken out.
    options: Vec<(u32, bool)>,
    /// For each group the options that it is in.
    used_in: Vec<Vec<u32>>,
    /// For each group that does not happen how many of its options are whole.
    whole: Vec<u32>,
    /// What an attempt took out.
    taken: Vec<usize>,
    /// The options that an attempt spoilt.
    spoilt: Vec<u32>,
}

impl<'r> Deletion<'r> {
    pub(super) fn new(
        relations: &'r Relations,
        visibility: &'r Visibility,
        tables: &'r Tables<'r>,
    ) -> Deletion<'r> {
        let groups = tables.groups();
        let mut menders = vec![GroupSet::new(groups); groups];
        for mender in 0..groups {
            for breakers in visibility.bound_to(mender) {
                for breaker in breakers.iter() {
                    menders[breaker].insert(mender);
                }
            }
        }
        Deletion {
            relations,
            visibility,
            necessary: Necessary::new(relations, tables),
            menders,
            set: GroupSet::new(groups),
            options: Vec::new(),
            used_in: vec![Vec::new(); groups],
            whole: vec![0; groups],
            taken: Vec::new(),
            spoilt: Vec::new(),
        }
    }

    /// The enabled groups of a stubborn set; `None` for all of them.
    pub(super) fn choose(&mut self, place: &mut Place<'_, '_>) -> Option<&GroupSet> {
        self.fill(place);
        let mut order: Vec<usize> = place.enabled.iter().collect();
        order.sort_by_key(|group| Reverse(place.weight(*group)));
        for group in order {
            if self.set.contains(group) {
                self.try_without(group, place);
            }
        }
        self.set.intersect_with(place.enabled);
        let is_less = place.weight_of(&self.set) < place.weight_of(place.enabled);
        is_less.then_some(&self.set)
    }

    /// Begins with the enabled groups and all that they may need.
    fn fill(&mut self, place: &mut Place<'_, '_>) {
        self.necessary.begin();
        self.options.clear();
        self.used_in.iter_mut().for_each(Vec::clear);
        self.whole.fill(0);
        self.set.clear();
        self.set.union_with(place.enabled);
        let mut todo: Vec<usize> = place.enabled.iter().collect();
        while let Some(next) = todo.pop() {
            if place.enabled.contains(next) {
                let dependent = std::iter::once(self.relations.dependent.row(next));
                for row in dependent.chain(self.visibility.bound_to(next)) {
                    row.for_each_new(&self.set, |group| todo.push(group));
                    self.set.union_with(row);
                }
                continue;
            }
            let (options, used_in) = (&mut self.options, &mut self.used_in);
            let (set, whole) = (&mut self.set, &mut self.whole[next]);
            self.necessary
                .offer(next, place, |necessary, offer, place| {
                    let option = options.len() as u32;
                    options.push((next as u32, true));
                    *whole += 1;
                    for group in offer.groups.iter() {
                        let slots = offer.slots.filter(|_| !place.enabled.contains(group));
                        if slots.is_some_and(|slots| necessary.waits(group, slots, place)) {
                            continue;
                        }
                        used_in[group].push(option);
                        if set.insert(group) {
                            todo.push(group);
                        }
                    }
                    ControlFlow::Continue(())
                });
        }
    }

    /// Takes out a group with all that cannot stay without it, unless nothing useful is left then.
    fn try_without(&mut self, group: usize, place: &Place<'_, '_>) {
        self.taken.clear();
        self.spoilt.clear();
        self.take(group);
        let mut at = 0;
        while let Some(next) = self.taken.get(at).copied() {
            at += 1;
            for needing in [self.relations.dependent.row(next), &self.menders[next]] {
                let (set, taken) = (&mut self.set, &mut self.taken);
                for group in needing.iter() {
                    if place.enabled.contains(group) && set.contains(group) {
                        set.remove(group);
                        taken.push(group);
                    }
                }
            }
            for at in 0..self.used_in[next].len() {
                let option = self.used_in[next][at];
                let (owner, is_whole) = &mut self.options[option as usize];
                if std::mem::replace(is_whole, false) {
                    self.spoilt.push(option);
                    let owner = *owner as usize;
                    self.whole[owner] -= 1;
                    if self.whole[owner] == 0 && self.set.contains(owner) {
                        self.take(owner);
                    }
                }
            }
        }
        let is_useful = self.set.iter().any(|group| {
            place.enabled.contains(group) && (place.weight(group) > 0 || !place.must_change)
        });
        if !is_useful {
            for group in self.taken.drain(..) {
                self.set.insert(group);
            }
            for option in self.spoilt.drain(..) {
                let (owner, is_whole) = &mut self.options[option as usize];
                *is_whole = true;
                self.whole[*owner as usize] += 1;
            }
        }
    }

    fn take(&mut self, group: usize) {
        self.set.remove(group);
        self.taken.push(group);
    }
}
