//! The canonical form of single states, for those who look states up without searching.
//!
//! Invariant: states of one orbit, and only they, have one form; it is the one that [`Method::Exact`] explores.
//!
//! [`Method::Exact`]: super::Method::Exact

use pins::{Permute, System};

use super::exact::{Depth, Formed, Former, Part};
use super::quotient::{Means, Quotient};

/// Finds canonical forms.
pub struct Forms<'a> {
    former: Former<'a>,
    permute: &'a dyn Permute,
}

impl<'a> Forms<'a> {
    /// Forms of the states of a system that was reduced; `None` where symmetries move whole slots.
    pub fn new(quotient: &'a Quotient<'_>) -> Option<Forms<'a>> {
        let (system, means) = quotient.parts();
        match means {
            Means::Elements(permute, classes) => Some(Forms::of(system, *permute, classes)),
            Means::Acting(..) => None,
        }
    }

    pub(super) fn of(
        system: &'a dyn System,
        permute: &'a dyn Permute,
        classes: &'a [Vec<u32>],
    ) -> Forms<'a> {
        Forms {
            former: Former::new(permute, system.shape(), classes, Depth::Decided),
            permute,
        }
    }

    /// The permutation of a state to its canonical form, and that form.
    pub fn form(&mut self, state: &[u32]) -> (Vec<u32>, Vec<u32>) {
        match self.former.form(state, Part::State) {
            Formed::Opaque => {
                let points = pins::symmetry::points(self.permute.sorts()) as u32;
                ((0..points).collect(), state.to_vec())
            }
            Formed::Same | Formed::Moved => {
                let mut out = Vec::new();
                self.former.apply(state, Part::State, &mut out);
                (self.former.images.clone(), out)
            }
        }
    }
}
