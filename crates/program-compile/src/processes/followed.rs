//! What edges look at and change together with all that follows them without a state in between: sequences and handshakes.

use pins::{Counts, Leaves, SlotSet};
use program::Then;
use rustc_hash::FxHashMap;

use super::access::Access;
use super::acts::Made;
use super::groups::{Grouping, Place};
use super::pairs::By;
use super::tables::Act;

/// What a sequence of edges reads and writes, and where it may leave whom: process numbers and control words.
#[derive(Default)]
pub(super) struct Followed {
    pub access: Access,
    pub arrivals: Vec<(usize, u32)>,
    /// What parts count, and what they change in any other way.
    pub counts: Vec<Counts>,
    pub sets: SlotSet,
    /// Where somebody may take what a part offers.
    pub takers: Vec<(usize, u32)>,
}

/// A process number, a kind and a location.
type Point = (usize, usize, usize);

impl Grouping<'_> {
    /// What decides whether a process may run at all.
    pub(super) fn rights(&self, pid: usize, kind: usize) -> Access {
        let mut rights = Access::default();
        rights.add_condition(&self.provided[pid][kind]);
        if self.program.semantics.has_priorities {
            // Whether others can run is asked of their edges, which may fault.
            (rights.asks_all, rights.may_fault) = (true, true);
        }
        rights
    }

    /// What decides whether an edge by itself is possible, with whoever takes what it offers.
    pub(super) fn possible(&self, pid: usize, made: &Made, by: By) -> Access {
        let mut access = Access::default();
        let (enabling, effect) = by.own(made);
        access.add_condition(enabling);
        if !made.offers.is_empty() {
            // The message is computed before anybody is asked.
            access.add_condition(effect);
        }
        for (taker, taking) in self.takers(pid, made, by) {
            access.read(self.layout.processes[taker.pid].control, 1);
            access.add_condition(&self.rights(taker.pid, taker.kind));
            access.add_condition(&taking.direct.enabling);
        }
        access
    }

    /// The edges of others that may take what an edge offers; of one process at one place, if it is for that.
    pub(super) fn takers<'s>(
        &'s self,
        pid: usize,
        made: &'s Made,
        by: By,
    ) -> impl Iterator<Item = (&'s Place, &'s Made)> {
        let taking = if made.offers.is_empty() {
            &[][..]
        } else {
            &self.taking[..]
        };
        let edges = taking.iter().map(|(place, level, position)| {
            let place = &self.places[*place];
            (place, &place.levels[*level][*position].1)
        });
        edges.filter(move |(place, taking)| {
            let takes = &taking.takes;
            place.pid != pid
                && by.includes(place)
                && takes.iter().any(|number| made.offers.contains(number))
        })
    }

    /// What an edge and all that follows it without a state in between read and write.
    pub(super) fn sequence(&self, (pid, kind): (usize, usize), made: &Made, by: By) -> Followed {
        let mut total = Followed::default();
        let mut open: Vec<Point> = Vec::new();
        self.part((pid, kind), (made, by), &mut total, &mut open);
        let mut ways: FxHashMap<Point, Vec<Point>> = FxHashMap::default();
        while let Some(point) = open.pop() {
            if ways.contains_key(&point) {
                continue;
            }
            let (pid, kind, location) = point;
            total.access.add_condition(&self.rights(pid, kind));
            let mut next = Vec::new();
            if let Some(first) = self.index[pid][kind] {
                for (_, edge) in self.places[first + location].levels.iter().flatten() {
                    self.part((pid, kind), (edge, by.later()), &mut total, &mut next);
                }
            }
            open.extend(&next);
            ways.insert(point, next);
        }
        // It may go round for ever.
        total.access.may_fault |= has_cycle(&ways);
        total
    }

    /// What a sequence leaves in the control words of those who move in it.
    pub(super) fn leaves(
        &self,
        (pid, taker): (usize, Option<usize>),
        arrivals: Vec<(usize, u32)>,
        creates: bool,
    ) -> Vec<Leaves> {
        let mut leaves: Vec<Leaves> = Vec::new();
        for (mover, word) in arrivals {
            if creates && mover != pid {
                continue;
            }
            let slot = self.layout.processes[mover].control;
            match leaves.iter_mut().find(|leaves| leaves.slot == slot) {
                Some(known) => known.words.push(word),
                None => leaves.push(Leaves {
                    slot,
                    words: vec![word],
                    // Others move in some of the ways only.
                    is_certain: mover == pid || taker == Some(mover),
                }),
            }
        }
        leaves
    }

    /// Whether some edge of a location is always possible.
    fn never_blocks(&self, pid: usize, kind: usize, location: usize) -> bool {
        let Some(first) = self.index[pid][kind] else {
            return false;
        };
        let mut edges = self.places[first + location].levels.iter().flatten();
        edges.any(|(_, made)| match &made.edge.act {
            Act::Do(_) | Act::Else => true,
            Act::Guard(code) => code.constant().is_some_and(|value| value != 0),
            _ => false,
        })
    }

    /// One edge of a sequence, and where it may go on.
    fn part(
        &self,
        (pid, kind): (usize, usize),
        (made, by): (&Made, By),
        total: &mut Followed,
        open: &mut Vec<Point>,
    ) {
        let arrive = |pid: usize, made: &Made, own: (&Access, &Access), total: &mut Followed| {
            let control = self.layout.processes[pid].control;
            let is_dead = matches!(made.edge.act, Act::End);
            let word = if is_dead { 0 } else { made.edge.to };
            total.arrivals.push((pid, word));
            match made.counts {
                Some(counts) => total.counts.push(counts),
                None => total.sets.union_with(&own.1.writes),
            }
            let total = &mut total.access;
            total.add(own.0);
            total.add(own.1);
            total.read(control, 1);
            total.write(control, 1);
            if let Some(last) = self.layout.last {
                total.write(last, 1);
            }
        };
        arrive(pid, made, by.own(made), total);
        total.access.add_condition(&self.possible(pid, made, by));
        let mut go_on = |pid: usize, kind: usize, made: &Made, total: &mut Followed| {
            if made.edge.then != Then::Anybody {
                let location = super::layout::at(made.edge.to).1;
                let may_block = made.edge.then == Then::First;
                total.access.may_fault |= may_block && !self.never_blocks(pid, kind, location);
                open.push((pid, kind, location));
            }
        };
        for (taker, taking) in self.takers(pid, made, by) {
            total.takers.push((taker.pid, taker.control()));
            let own = (&taking.direct.enabling, &taking.direct.effect);
            arrive(taker.pid, taking, own, total);
            go_on(taker.pid, taker.kind, taking, total);
        }
        // A sender goes on by itself only if there was a buffer.
        let is_direct = matches!(by, By::Only(_)) || made.always_offers;
        if made.offers.is_empty() || !is_direct {
            go_on(pid, kind, made, total);
        }
    }
}

impl Followed {
    /// What a sequence counts and changes in no other way.
    pub(super) fn counted(&self) -> Vec<Counts> {
        let (counts, sets) = (&self.counts, &self.sets);
        let is_one_way = |counter: &Counts| {
            let mut same = counts.iter().filter(|other| other.slot == counter.slot);
            same.all(|other| other == counter) && !sets.contains(counter.slot)
        };
        let mut counted: Vec<Counts> = counts.iter().copied().filter(is_one_way).collect();
        counted.sort_unstable();
        counted.dedup();
        counted
    }
}

/// Whether one can come back to where one was: depth first, a point that is still on the way is met again.
fn has_cycle(ways: &FxHashMap<Point, Vec<Point>>) -> bool {
    let mut is_left: FxHashMap<Point, bool> = FxHashMap::default();
    for start in ways.keys() {
        let mut way = vec![(*start, 0)];
        if is_left.contains_key(start) {
            continue;
        }
        is_left.insert(*start, false);
        while let Some((point, at)) = way.last_mut() {
            match ways[point].get(*at) {
                None => {
                    is_left.insert(*point, true);
                    way.pop();
                }
                Some(next) => {
                    *at += 1;
                    match is_left.get(next) {
                        Some(true) => {}
                        Some(false) => return true,
                        None => {
                            is_left.insert(*next, false);
                            way.push((*next, 0));
                        }
                    }
                }
            }
        }
    }
    false
}
