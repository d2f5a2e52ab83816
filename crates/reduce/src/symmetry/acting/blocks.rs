//! The slots that a permutation concerns, in groups that it maps to themselves: what a set of states has to be read at to be
//! permuted.

use super::{Acting, NONE};

impl Acting<'_> {
    /// The smallest groups of slots whose words after a permutation depend on their words before it and on nothing else;
    /// with each whether some word moves to another slot.
    pub(in crate::symmetry) fn blocks(&self, images: &[u32]) -> Vec<(bool, Vec<usize>)> {
        let slots = self.by_slot.len();
        let mut leader: Vec<usize> = (0..slots).collect();
        let mut is_touched = vec![false; slots];
        let mut moves = vec![false; slots];
        for spot in self.spots.iter().filter(|spot| self.touches(spot, images)) {
            let target = self.target(spot, images).field.slot;
            let own = spot.field.slot;
            is_touched[own] = true;
            is_touched[target] = true;
            join(&mut leader, own, target);
            if target != own {
                moves[own] = true;
            }
            if let Some((length, _)) = spot.within.filter(|_| spot.table != NONE) {
                is_touched[length.slot] = true;
                join(&mut leader, own, length.slot);
            }
        }
        let mut blocks: Vec<(bool, Vec<usize>)> = vec![(false, Vec::new()); slots];
        for slot in (0..slots).filter(|slot| is_touched[*slot]) {
            let leader = find(&mut leader, slot);
            blocks[leader].0 |= moves[slot];
            blocks[leader].1.push(slot);
        }
        blocks.retain(|(_, slots)| !slots.is_empty());
        blocks
    }

    /// The family of the one spot in a slot, if its place is named by one of these points alone.
    pub(in crate::symmetry) fn family_at(&self, slot: usize, own: &[u32]) -> Option<usize> {
        let mut spots = self.spots.iter().filter(|spot| spot.field.slot == slot);
        let spot = spots.next()?;
        let is_own = spot.arity == 1 && own.contains(&spot.index[0]);
        (is_own && spots.next().is_none()).then_some(spot.family as usize)
    }

    /// Whether permutations move no spot of a slot.
    pub(in crate::symmetry) fn stays(&self, slot: usize) -> bool {
        let mut spots = self.spots.iter().filter(|spot| spot.field.slot == slot);
        spots.all(|spot| spot.arity == 0)
    }

    /// The points that a slot's word names.
    pub(in crate::symmetry) fn points_in(&self, slot: usize, word: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for spot in self.spots.iter().filter(|spot| spot.field.slot == slot) {
            if spot.table == NONE {
                continue;
            }
            let bits = word >> spot.field.shift & spot.field.mask;
            match self.tables[spot.table as usize].point(bits) {
                NONE => {}
                point => found.push(point),
            }
        }
        found
    }
}

fn find(leader: &mut [usize], mut slot: usize) -> usize {
    while leader[slot] != slot {
        leader[slot] = leader[leader[slot]];
        slot = leader[slot];
    }
    slot
}

fn join(leader: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b);
}
