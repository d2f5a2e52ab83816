//! Permutations that keep colours: the elements of a group that take each point to one of its colour, and its cosets.
//!
//! Technique: from the last level of the chain up, for each point of an orbit an element that holds what is above and keeps all
//! colours is looked for by depth first, as in Seress, "Permutation Group Algorithms" (2003), section 9.1. Differs: orbits of what
//! was found prune, double cosets do not; the search ends after so many nodes, and then fewer elements may be found.
//! Law 6 (tested like the others): *Colours*: what is found is all elements that keep the colours, where the search does not end
//! early; a permutation of each coset is given once.

use std::collections::HashSet;

use crate::chain::{Group, orbits};
use crate::permutation::{identity, is_identity, then};

/// So many choices are tried for one element.
const MOST_CHOICES: usize = 20_000;

impl Group {
    /// The elements that take each point to one of its colour: all of them, or a subgroup where they are hard to find.
    pub fn keeping(&self, colours: &[u32]) -> Group {
        let points = self.points();
        let mut found: Vec<Vec<u32>> = Vec::new();
        for (at, level) in self.levels().iter().enumerate().rev() {
            for point in &level.orbit {
                let is_known = *point == level.base
                    || orbits(points, &found)
                        .iter()
                        .any(|orbit| orbit.contains(point) && orbit.contains(&level.base));
                if is_known || colours[*point as usize] != colours[level.base as usize] {
                    continue;
                }
                let Some(step) = level.to(*point) else {
                    continue;
                };
                let mut left = MOST_CHOICES;
                found.extend(self.below_keeping(at + 1, step, colours, &mut left));
            }
        }
        Group::new(points, found)
    }

    /// An element that keeps colours: one of a level and those below it, then `after`.
    fn below_keeping(
        &self,
        at: usize,
        after: &[u32],
        colours: &[u32],
        left: &mut usize,
    ) -> Option<Vec<u32>> {
        *left = left.checked_sub(1)?;
        let colour = |point: u32| colours[point as usize];
        let Some(level) = self.levels().get(at) else {
            let mut points = 0..after.len() as u32;
            let keeps = points.all(|point| colour(after[point as usize]) == colour(point));
            return keeps.then(|| after.to_vec());
        };
        level.orbit.iter().find_map(|point| {
            let is_fine = colour(after[*point as usize]) == colour(level.base);
            let step = level.to(*point).filter(|_| is_fine)?;
            self.below_keeping(at + 1, &then(step, after), colours, left)
        })
    }

    /// Elements that differ in which colours they take points to, the identity first; `None` when there are more than `most`.
    pub fn recolourings(&self, colours: &[u32], most: usize) -> Option<Vec<Vec<u32>>> {
        let seen_through =
            |images: &[u32]| -> Vec<u32> { images.iter().map(|p| colours[*p as usize]).collect() };
        let first = identity(self.points());
        let mut seen = HashSet::from([seen_through(&first)]);
        let mut all = vec![first];
        let mut at = 0;
        while at < all.len() {
            for generator in self.generators() {
                debug_assert!(!is_identity(generator), "generators move points");
                let next = then(generator, &all[at]);
                if seen.insert(seen_through(&next)) {
                    if all.len() == most {
                        return None;
                    }
                    all.push(next);
                }
            }
            at += 1;
        }
        Some(all)
    }
}
