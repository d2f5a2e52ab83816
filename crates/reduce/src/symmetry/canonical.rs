//! Every state is replaced by a canonical form that is searched for: the yardstick for `exact.rs`.
//!
//! Paper: [Turner, Leuschel, Spermann, Butler 2007], [Spermann, Leuschel 2008]. Differs: the structure of values is searched
//! directly (`lib/canon`), records and sets of sets included, and is not translated to a graph first.
//! Preserves: everything that permuting preserves; the count is the number of orbits.

use canon::Exchanges;
use pins::Fault;

use super::exact::{Formed, Former, Part};
use super::quotient::{Chooser, Tally, replace};

/// Replaces states by a canonical form.
pub(super) struct Canonical<'a> {
    former: Former<'a>,
    is_own: bool,
}

impl<'a> Canonical<'a> {
    /// The forms are those of `former`.
    pub(super) fn new(former: Former<'a>) -> Canonical<'a> {
        Canonical {
            former,
            is_own: false,
        }
    }
}

impl Chooser for Canonical<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.former.begin(state);
        self.is_own = self.former.form(state, Part::State) == Formed::Same;
        self.former.orbit()
    }

    fn is_own(&self) -> bool {
        self.is_own
    }

    fn begin_setup(&mut self, setup: &[u32]) -> Option<u128> {
        self.former.begin_anew();
        self.former.form(setup, Part::Setup);
        self.former.orbit()
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        replace(&mut self.former, vector, part, out);
        Ok(())
    }

    fn exchanges(&mut self, found: &mut Exchanges) {
        self.former.exchanges(found);
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.searched += std::mem::take(&mut self.former.searched);
        tally.opaque += std::mem::take(&mut self.former.opaque);
    }
}
