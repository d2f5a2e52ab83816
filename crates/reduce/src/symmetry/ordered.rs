//! Sorted normal forms: points in the order of their colours, and where colours tie, the least of a few permutations.
//!
//! Paper: [Ip, Dill 1996], section 6; CMurphi's `-sym3 -permlimit N`. Differs: colours (`words.rs`) are those of `exact.rs`,
//! which tell more points apart than the first use in the state vector. It is there to be compared with: `exact.rs` costs
//! hardly more.
//! Preserves: everything that permuting preserves. Several states of one orbit may remain, so sizes of orbits are not known.
//! Invariant: what a state is replaced by is a permutation of it.

use pins::{Fault, Permute, Shape};

use super::exact::{Depth, Formed, Former, Part};
use super::quotient::{Chooser, Tally};

/// Replaces states by a sorted form.
pub(super) struct Sorted<'a> {
    former: Former<'a>,
    /// So many permutations of tied points are compared.
    limit: u32,
    other: Vec<u32>,
}

impl<'a> Sorted<'a> {
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &Shape,
        classes: &'a [Vec<u32>],
        limit: u32,
    ) -> Sorted<'a> {
        Sorted {
            former: Former::new(permute, shape, classes, Depth::Colours, None),
            limit,
            other: Vec::new(),
        }
    }
}

impl Chooser for Sorted<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.former.begin(state);
        None
    }

    fn begin_setup(&mut self, _setup: &[u32]) -> Option<u128> {
        self.former.begin_anew();
        None
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        if self.former.form(vector, part) == Formed::Opaque {
            out.clear();
            out.extend_from_slice(vector);
            return Ok(());
        }
        self.former.apply(vector, part, out);
        for _ in 1..self.limit {
            if !self.former.permute_ties() {
                break;
            }
            self.former.apply(vector, part, &mut self.other);
            if self.other < *out {
                std::mem::swap(&mut self.other, out);
            }
        }
        Ok(())
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.opaque += std::mem::take(&mut self.former.opaque);
    }
}
