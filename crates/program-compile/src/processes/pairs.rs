//! Handshakes with one group for each place where somebody can take the message.
//!
//! A send without buffer that several processes can receive is several events: who does not take the message has nothing
//! to do with it. With one group for all of them every step of a possible taker would depend on the send.
//! Where a send may fault before anybody is asked, or may find a buffer, its own group is for that, and takes part in no
//! handshake.
//! Invariant: programs in which conditions or observers look at a handshake as a whole have one group for it.

use pins::GroupId;
use program::Then;

use super::access::Access;
use super::acts::Made;
use super::groups::{Grouping, Groups, Place, both};
use super::layout::at;

/// More further groups than this are not made: relations are between all pairs of groups.
const MOST: usize = 1 << 10;

/// Whether handshakes are groups as a whole, or by who takes the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handing {
    /// One group for all takers.
    Whole,
    /// One group for each.
    ByTaker,
}

/// Somebody who can take a message, and the group for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The number of the taker.
    pub pid: u32,
    /// Where it is, as a control word.
    pub control: u32,
    /// The group.
    pub group: u32,
}

impl Pair {
    /// Whether the taker is at a place.
    pub fn is_at(&self, place: &Place) -> bool {
        self.pid as usize == place.pid && at(self.control) == (place.kind, place.location)
    }
}

/// Who is asked to take what an edge offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Whoever can.
    Anybody,
    /// One process at one place; what follows is offered to anybody.
    Only(Pair),
    /// Everybody but the process of this number, now and later.
    Without(usize),
    /// Nobody; what follows is offered to anybody.
    Nobody,
}

/// What stands in the place of a taker where nobody is asked: no process has this number.
const NOBODY: (u32, u32) = (u32::MAX, 0);

/// Whether somebody is asked.
pub(super) fn is_somebody(asked: (u32, u32)) -> bool {
    asked != NOBODY
}

impl By {
    /// Who is asked in the first group of an edge.
    pub fn first(made: &Made) -> By {
        match made.edge.pairs.first() {
            None => By::Anybody,
            Some(pair) if pair.group == made.edge.group => By::Only(*pair),
            Some(_) => By::Nobody,
        }
    }

    /// The one who is asked.
    pub fn taker(self) -> Option<Pair> {
        match self {
            By::Only(pair) => Some(pair),
            _ => None,
        }
    }

    /// Who alone may take what is offered, as an engine is told.
    pub fn asked(self) -> Option<(u32, u32)> {
        match self {
            By::Only(pair) => Some((pair.pid, pair.control)),
            By::Nobody => Some(NOBODY),
            By::Anybody | By::Without(_) => None,
        }
    }

    /// What the edge itself looks at to be possible, and beyond that.
    pub fn own(self, made: &Made) -> (&Access, &Access) {
        match self {
            By::Only(_) => (&made.direct.enabling, &made.direct.effect),
            _ => (&made.enabling, &made.effect),
        }
    }

    /// Whether whoever is at a place is asked.
    pub fn includes(self, place: &Place) -> bool {
        match self {
            By::Anybody => true,
            By::Only(pair) => pair.is_at(place),
            By::Without(pid) => place.pid != pid,
            By::Nobody => false,
        }
    }

    /// Who is asked by what follows.
    pub fn later(self) -> By {
        match self {
            By::Only(_) | By::Nobody => By::Anybody,
            By::Anybody | By::Without(_) => self,
        }
    }
}

/// A group beyond the first of an edge: its place, level, position and taker.
type Further = (usize, usize, usize, Pair);

impl Grouping<'_> {
    /// Whether conditions or an observer look at handshakes as a whole.
    fn is_watched(&self) -> bool {
        let mut kinds = self.program.proctypes.iter().map(|(_, kind)| kind);
        self.program.semantics.has_priorities
            || self.program.observer.is_some()
            || kinds.any(|kind| kind.provided.is_some() || kind.is_deterministic)
    }

    /// Gives each send its takers; the groups that come after `number`, in order.
    pub(super) fn pairs(&mut self, number: u32) -> Vec<Further> {
        if self.is_watched() {
            return Vec::new();
        }
        let mut further: Vec<Further> = Vec::new();
        let mut found = Vec::new();
        for (at, place) in self.places.iter().enumerate() {
            for (level, edges) in place.levels.iter().enumerate() {
                for (position, (_, made)) in edges.iter().enumerate() {
                    let mut pairs = self.pairs_of(place, made);
                    let may_fault = made.enabling.may_fault || made.effect.may_fault;
                    let has_own = may_fault || !made.always_offers;
                    for pair in pairs.iter_mut().skip(usize::from(!has_own)) {
                        pair.group = number + further.len() as u32;
                        further.push((at, level, position, *pair));
                    }
                    if !pairs.is_empty() {
                        found.push((at, level, position, pairs));
                    }
                }
            }
        }
        if further.len() > MOST {
            return Vec::new();
        }
        for (at, level, position, pairs) in found {
            self.places[at].levels[level][position].1.edge.pairs = pairs.into();
        }
        further
    }

    /// The takers of an edge, each with the first group.
    fn pairs_of(&self, place: &Place, made: &Made) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = self
            .takers(place.pid, made, By::Anybody)
            .map(|(taker, _)| Pair {
                pid: taker.pid as u32,
                control: taker.control(),
                group: made.edge.group,
            })
            .collect();
        pairs.dedup();
        pairs
    }

    /// Groups that may hand something to whoever takes it, with groups of such a process that do not start where it could
    /// take it: it has nothing to do with what is handed over now. If they do not end there either, both commute. If they
    /// do, whatever can be handed over now still can be later, to the same processes or to one more, as long as nothing
    /// else follows without a state in between: only those are left that wait where nobody takes.
    pub(super) fn passing(&self, groups: &Groups) -> Vec<(GroupId, GroupId)> {
        let mut passing = Vec::new();
        let is_watched = self.is_watched();
        let edges = self.places.iter().flat_map(|place| {
            let edges = place.levels.iter().flatten();
            edges.map(move |(_, made)| (place, made))
        });
        for (place, made) in edges.filter(|(_, made)| made.edge.pairs.is_empty()) {
            let whole = self.sequence((place.pid, place.kind), made, By::Anybody);
            let mut takers: Vec<usize> = whole.takers.iter().map(|(pid, _)| *pid).collect();
            takers.sort_unstable();
            takers.dedup();
            takers.retain(|taker| *taker != place.pid);
            let group = made.edge.group as usize;
            let mut parts = self.takers(place.pid, made, By::Anybody);
            let is_single = !is_watched
                && made.edge.then == Then::Anybody
                && parts.all(|(_, taking)| taking.edge.then == Then::Anybody);
            for taker in takers {
                let access = self.without(place, made, groups, taker);
                let takes = |word: &u32| whole.takers.contains(&(taker, *word));
                for (other, may_take) in self.moves(groups, taker, &takes) {
                    if !access.is_apart(&groups.groups[other]) {
                        continue;
                    }
                    match may_take {
                        false => passing.extend(both(group, other)),
                        true if is_single => {
                            passing.push((GroupId::new(other), GroupId::new(group)));
                        }
                        true => {}
                    }
                }
            }
        }
        passing
    }

    /// What a group touches where one process takes nothing.
    fn without(&self, place: &Place, made: &Made, groups: &Groups, pid: usize) -> Access {
        let group = made.edge.group as usize;
        let by = By::Without(pid);
        let mut access = self.sequence((place.pid, place.kind), made, by).access;
        let mut conditions = self.rights(place.pid, place.kind);
        let start = &groups.starts[group];
        for other in self.before(place, (start.level, start.position)) {
            conditions.add_condition(&self.possible(place.pid, other, By::Anybody));
        }
        access.add(&conditions);
        access.whole()
    }

    /// The groups that move a process from places where it does not take, and whether they may lead to one where it does.
    fn moves<'s>(
        &'s self,
        groups: &'s Groups,
        pid: usize,
        takes: &'s dyn Fn(&u32) -> bool,
    ) -> impl Iterator<Item = (usize, bool)> + 's {
        let slot = self.layout.processes[pid].control;
        let asked = groups.guards.iter().filter_map(move |guard| {
            let (asked, word) = guard.equals?;
            (asked == slot && !takes(&word)).then_some(guard.group.index())
        });
        asked.filter_map(move |group| {
            let mut leaves = groups.leaves[group].iter().filter(|l| l.slot == slot);
            let left = leaves.find(|leaves| leaves.is_certain)?;
            Some((group, left.words.iter().any(takes)))
        })
    }
}
