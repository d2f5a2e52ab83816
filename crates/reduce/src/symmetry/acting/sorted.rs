//! A state with its main array sorted: one permutation that does it, whatever that makes of the rest.
//!
//! Paper: [Bošnački, Dams, Holenderski 2002], strategies *sorted* and *pc-sorted*.
//! Preserves: everything; where values of the main array are equal an orbit may have several representatives.

use super::Acting;
use super::chain::{Chain, Goal};
use super::main_array::Main;
use super::strategy::Represent;

/// Sorts the main array.
pub(super) struct Sorted<'a> {
    acting: &'a Acting<'a>,
    main: Main,
    chain: Chain,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(acting: &'a Acting<'a>, main: Main) -> Sorted<'a> {
        Sorted {
            acting,
            main,
            chain: Chain::default(),
        }
    }
}

impl Represent for Sorted<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        let keys = self.main.keys(self.acting, vector);
        self.chain
            .least(self.acting, vector, keys, Goal::First, out);
    }
}
