//! The least image of a state under all permutations: the yardstick of every other strategy.
//!
//! Paper: [Donaldson, Miller 2006], section 3 (enumeration by a stabiliser chain).
//! Preserves: everything; one representative for each orbit. Costs as many images as the group has elements.

use super::Acting;
use super::chain::{Chain, Goal};
use super::strategy::Represent;

/// Tries all permutations.
pub(super) struct Enumerate<'a> {
    acting: &'a Acting<'a>,
    chain: Chain,
    keys: Vec<u64>,
}

impl<'a> Enumerate<'a> {
    pub(super) fn new(acting: &'a Acting<'a>) -> Enumerate<'a> {
        Enumerate {
            acting,
            chain: Chain::default(),
            keys: vec![0; acting.points()],
        }
    }
}

impl Represent for Enumerate<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        self.chain
            .least(self.acting, vector, &self.keys, Goal::Least, out);
    }
}
