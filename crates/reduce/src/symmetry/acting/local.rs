//! A state that no exchange makes smaller: hill climbing.
//!
//! Paper: [Donaldson, Miller 2006]: TopSPIN exchanges any two columns where the group is a product of symmetric groups (there
//! called *minimising set*, *sorted* in [Bošnački, Donaldson, Leuschel, Massart 2007]), and tries its generators otherwise.
//! Preserves: everything; an orbit may have several representatives, one for each local minimum.

use super::Acting;
use super::columns::swap;
use super::strategy::Represent;

/// Exchanges while that makes a state smaller.
pub(super) struct Local<'a> {
    acting: &'a Acting<'a>,
    moves: Vec<Vec<u32>>,
    next: Vec<u32>,
}

impl<'a> Local<'a> {
    pub(super) fn new(acting: &'a Acting<'a>) -> Local<'a> {
        let moves = match &acting.columns {
            Some(columns) => {
                let mut swaps = Vec::new();
                for columns in &columns.orbits {
                    for (at, a) in columns.iter().enumerate() {
                        let later = columns[at + 1..].iter();
                        swaps.extend(later.map(|b| swap(acting.points(), a, b)));
                    }
                }
                swaps
            }
            None => {
                let generators = acting.group.generators().iter();
                let both = generators.flat_map(|g| [g.clone(), permgroup::inverse(g)]);
                both.collect()
            }
        };
        Local {
            acting,
            moves,
            next: Vec::new(),
        }
    }

    /// Exchanges in a vector until nothing makes it smaller; `is_flat` when nothing in it names a process.
    pub(super) fn climb(&mut self, vector: &mut Vec<u32>, is_flat: bool) {
        let mut since = 0;
        while since < self.moves.len() {
            for images in &self.moves {
                match is_flat {
                    true => self.acting.apply_places(images, vector, &mut self.next),
                    false => self.acting.apply(images, vector, &mut self.next),
                }
                since += 1;
                if self.next < *vector {
                    std::mem::swap(vector, &mut self.next);
                    since = 0;
                }
                if since == self.moves.len() {
                    break;
                }
            }
        }
    }
}

impl Represent for Local<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        vector.clone_into(out);
        self.climb(out, false);
    }
}
