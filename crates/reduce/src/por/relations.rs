//! Which groups influence which: independence, enabling, disabling, being enabled together.
//!
//! Paper: [Dobrikov, Leuschel 2014], definitions 1 to 3 and algorithm 2, for groups with several outcomes. What is
//! found here needs nothing but the sets of slots that groups read and write (*syntactic*); whoever can answer
//! questions about states takes pairs out of the relations afterwards.
//! Differs: algorithm 2 calls groups that write one slot dependent even if their guards exclude each other; here
//! groups that never happen together are independent, as definition 1 says.
//! Invariant: every relation errs on the side of "may".

use pins::{Guard, Shape, SlotSet};

use super::sets::{GroupSet, Matrix};

/// The relations between the groups of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relations {
    /// Groups that are not known to be independent; symmetric.
    pub dependent: Matrix,
    /// `(e, f)`: a step of `e` may lead from a state where `f` does not happen to one where it does.
    pub can_enable: Matrix,
    /// `(e, f)`: a step of `e` may lead from a state where `f` happens to one where it does not.
    pub can_disable: Matrix,
    /// Groups that may happen in one state; symmetric.
    pub together: Matrix,
    /// For each guard of the shape the groups that may make it true.
    pub guard_enablers: Vec<GroupSet>,
}

/// How many pairs of different groups are related, each of `pairs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Densities {
    /// Pairs of different groups.
    pub pairs: usize,
    /// Dependent ones.
    pub dependent: usize,
    /// Of which one may enable the other.
    pub can_enable: usize,
    /// Of which one may disable the other.
    pub can_disable: usize,
    /// That may happen in one state.
    pub together: usize,
}

impl Relations {
    /// The relations that follow from reads and writes.
    pub fn syntactic(shape: &Shape) -> Relations {
        let groups = shape.groups.len();
        let enabling: Vec<&SlotSet> = (0..groups).map(|group| decides(shape, group)).collect();
        let asked = asked(shape);
        let mut relations = Relations {
            dependent: Matrix::new(groups),
            can_enable: Matrix::new(groups),
            can_disable: Matrix::new(groups),
            together: Matrix::new(groups),
            guard_enablers: Vec::new(),
        };
        for (a, first) in shape.groups.iter().enumerate() {
            for (b, second) in shape.groups.iter().enumerate() {
                let is_together = a == b || !exclude_each_other(&asked[a], &asked[b]);
                let touches = first.may_write.intersects(enabling[b]) || !first.is_pure;
                relations.together.set(a, b, is_together);
                let may_enable = touches && may_leave_all(shape, a, &asked[b]);
                relations.can_enable.set(a, b, may_enable);
                relations.can_disable.set(a, b, touches && is_together);
                let is_free = first.is_pure
                    && second.is_pure
                    && !first.may_write.intersects(&second.may_write)
                    && !first.may_write.intersects(&second.reads)
                    && !second.may_write.intersects(&first.reads);
                relations
                    .dependent
                    .set(a, b, a == b || is_together && !is_free);
            }
        }
        let mut before = Matrix::new(groups);
        for (a, b) in &shape.commuting {
            let (a, b) = (a.index(), b.index());
            before.set(a, b, true);
            if before.row(b).contains(a) {
                relations.dependent.set(a, b, false);
                relations.dependent.set(b, a, false);
            }
            relations.can_disable.set(a, b, false);
            relations.can_disable.set(b, a, false);
        }
        let guards = shape.guards.iter();
        relations.guard_enablers = guards.map(|guard| enablers(shape, guard)).collect();
        relations
    }

    /// How many groups there are.
    pub(super) fn groups(&self) -> usize {
        self.dependent.groups()
    }

    /// How full the relations are.
    pub fn densities(&self) -> Densities {
        let (dependent, pairs) = self.dependent.density();
        Densities {
            pairs,
            dependent,
            can_enable: self.can_enable.density().0,
            can_disable: self.can_disable.density().0,
            together: self.together.density().0,
        }
    }
}

/// The groups that may make a guard true.
fn enablers(shape: &Shape, guard: &Guard) -> GroupSet {
    let mut found = writers(shape, &guard.reads);
    if let Some(equals) = guard.equals {
        for group in 0..shape.groups.len() {
            if !may_leave(shape, group, equals) {
                found.remove(group);
            }
        }
    }
    found
}

/// Whether a group may leave a word in a slot that it changes.
fn may_leave(shape: &Shape, group: usize, (slot, word): (usize, u32)) -> bool {
    let leaves = shape.leaves.get(group).into_iter().flatten();
    let mut known = leaves.filter(|leaves| leaves.slot == slot);
    known.all(|leaves| leaves.words.contains(&word))
}

/// Whether some step of a group leaves every word that is asked for.
fn may_leave_all(shape: &Shape, group: usize, wanted: &[(usize, u32)]) -> bool {
    let certain = |slot: usize| {
        let leaves = shape.leaves.get(group).into_iter().flatten();
        leaves.filter(move |leaves| leaves.is_certain && leaves.slot == slot)
    };
    let mut wanted = wanted.iter();
    wanted.all(|(slot, word)| certain(*slot).all(|leaves| leaves.words.contains(word)))
}

/// The groups that may write one of these slots.
pub(super) fn writers(shape: &Shape, slots: &SlotSet) -> GroupSet {
    let mut found = GroupSet::new(shape.groups.len());
    for (at, group) in shape.groups.iter().enumerate() {
        if group.may_write.intersects(slots) || !group.is_pure {
            found.insert(at);
        }
    }
    found
}

/// The slots that decide whether a group happens; all it reads where that is not known.
pub(super) fn decides(shape: &Shape, group: usize) -> &SlotSet {
    match shape.enabling.get(group) {
        Some(enabling) => &enabling.reads,
        None => &shape.groups[group].reads,
    }
}

/// For each group the slots of which it asks for a word, with the word.
pub(super) fn asked(shape: &Shape) -> Vec<Vec<(usize, u32)>> {
    let mut asked = vec![Vec::new(); shape.groups.len()];
    for guard in &shape.guards {
        asked[guard.group.index()].extend(guard.equals);
    }
    asked
}

/// Whether different words are asked for in one slot.
fn exclude_each_other(some: &[(usize, u32)], others: &[(usize, u32)]) -> bool {
    let differs = |(slot, word): &(usize, u32)| {
        let mut others = others.iter();
        others.any(|(other, wanted)| slot == other && word != wanted)
    };
    some.iter().any(differs)
}
