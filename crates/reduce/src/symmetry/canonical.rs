//! Every state is replaced by a canonical form that is searched for: the yardstick for `exact.rs`.
//!
//! Paper: [Turner, Leuschel, Spermann, Butler 2007], [Spermann, Leuschel 2008]. Differs: the structure of values is searched
//! directly (`lib/canon`), records and sets of sets included, and is not translated to a graph first.
//! Preserves: everything that permuting preserves; the count is the number of orbits.

use canon::Exchanges;
use pins::{Fault, Permute, Shape};

use super::exact::{Depth, Former, Part};
use super::quotient::{Chooser, Tally, replace};

/// Replaces states by a canonical form.
pub(super) struct Canonical<'a>(Former<'a>);

impl<'a> Canonical<'a> {
    /// `depth` says whether colours may decide.
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &Shape,
        classes: &'a [Vec<u32>],
        depth: Depth,
    ) -> Canonical<'a> {
        Canonical(Former::new(permute, shape, classes, depth))
    }
}

impl Chooser for Canonical<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.0.begin(state);
        self.0.form(state, Part::State);
        self.0.orbit()
    }

    fn begin_setup(&mut self, setup: &[u32]) -> Option<u128> {
        self.0.begin_anew();
        self.0.form(setup, Part::Setup);
        self.0.orbit()
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        replace(&mut self.0, vector, part, out);
        Ok(())
    }

    fn exchanges(&mut self, found: &mut Exchanges) {
        self.0.exchanges(found);
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.searched += std::mem::take(&mut self.0.searched);
        tally.opaque += std::mem::take(&mut self.0.opaque);
    }
}
