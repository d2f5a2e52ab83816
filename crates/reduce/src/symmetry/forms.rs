//! The canonical form of single states, for those who look states up without searching.
//!
//! Invariant: states of one orbit, and only they, have one form; it is the one that [`Method::Exact`] explores.
//!
//! [`Method::Exact`]: super::Method::Exact

use pins::{Permute, System};

use super::exact::{Depth, Formed, Former, Part};
use super::quotient::{Elements, Means, Quotient};

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
            Means::Elements(elements) => Some(Forms::of(system, elements)),
            Means::Acting(..) => None,
        }
    }

    pub(super) fn of(system: &'a dyn System, elements: &'a Elements<'_>) -> Forms<'a> {
        Forms {
            former: elements.former(system.shape(), Depth::Decided),
            permute: elements.permute,
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
                (self.former.images(), out)
            }
        }
    }
}
