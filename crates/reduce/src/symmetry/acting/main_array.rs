//! The main array of SymmSPIN: an array that processes index and that names none, sorted to choose a permutation.
//!
//! Paper: [Bošnački, Dams, Holenderski 2002]. The array is the first one that the program declares; without one, and for the
//! strategies that are called so, the places where processes are.

use super::{Acting, NONE};

/// The spots whose values are sorted, for each point.
#[derive(Clone, Debug)]
pub(super) struct Main {
    spots: Vec<Option<u32>>,
    keys: Vec<u64>,
}

impl Main {
    /// The first array of plain values that is indexed by processes and belongs to none, else where processes are.
    pub(super) fn array(acting: &Acting<'_>) -> Main {
        let is_array = |family: usize| {
            let places = &acting.families[family];
            let mut spots = places.spots.iter().filter(|spot| **spot != NONE);
            places.arity == 1
                && !places.is_control
                && spots.all(|spot| {
                    let cell = &acting.action.cells[*spot as usize];
                    let name = &acting.action.families[cell.family].name;
                    acting.spots[*spot as usize].table == NONE && name.ends_with("[]")
                })
        };
        let found = (0..acting.families.len()).find(|family| is_array(*family));
        match found {
            Some(family) => Main::of(acting, |own| own == family),
            None => Main::control(acting),
        }
    }

    /// Where processes are.
    pub(super) fn control(acting: &Acting<'_>) -> Main {
        Main::of(acting, |family| acting.families[family].is_control)
    }

    fn of(acting: &Acting<'_>, is_wanted: impl Fn(usize) -> bool) -> Main {
        let mut spots = vec![None; acting.points()];
        for (at, spot) in acting.spots.iter().enumerate() {
            if spot.arity == 1 && is_wanted(spot.family as usize) {
                spots[spot.index[0] as usize] = Some(at as u32);
            }
        }
        Main {
            keys: Vec::new(),
            spots,
        }
    }

    /// The values of the array, for each point.
    pub(super) fn keys(&mut self, acting: &Acting<'_>, vector: &[u32]) -> &[u64] {
        self.keys.clear();
        self.keys.extend(self.spots.iter().map(|spot| match spot {
            Some(spot) => u64::from(acting.spots[*spot as usize].field.get(vector)),
            None => 0,
        }));
        &self.keys
    }
}
