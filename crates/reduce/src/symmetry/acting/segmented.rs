//! The least image of a state under the permutations that sort its main array.
//!
//! Paper: [Bošnački, Dams, Holenderski 2002], strategies *segmented* and *pc-segmented*; [Donaldson, Miller 2007] for other groups.
//! Differs: for a group that is no full symmetric group "sorted" means the least array that the group can make.
//! Preserves: everything; one representative for each orbit. Costs the factorial of the longest segment.

use super::Acting;
use super::chain::{Chain, Goal};
use super::main_array::Main;
use super::strategy::Represent;

/// Tries the permutations that sort the main array.
pub(super) struct Segmented<'a> {
    acting: &'a Acting<'a>,
    main: Main,
    chain: Chain,
}

impl<'a> Segmented<'a> {
    pub(super) fn new(acting: &'a Acting<'a>, main: Main) -> Segmented<'a> {
        Segmented {
            acting,
            main,
            chain: Chain::default(),
        }
    }
}

impl Represent for Segmented<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        let keys = self.main.keys(self.acting, vector);
        self.chain
            .least(self.acting, vector, keys, Goal::Least, out);
    }
}
