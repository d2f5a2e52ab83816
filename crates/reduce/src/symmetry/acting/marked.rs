//! Symmetry markers for processes, as a permutation (exact) or as what stands for a state (approximate).
//!
//! Paper: [Bošnački, Donaldson, Leuschel, Massart 2007], definition 4 and algorithm 5.1. The marker of a process says which
//! global variables name it, what it holds itself, and how often others name it. Processes are sorted by marker, then by the
//! markers of those they name; `exact` applies that permutation, `approximate` also gives processes with equal markers one
//! name.
//! Differs: what belongs to a process (its channel with the messages in it) counts like its variables; several families of
//! processes, and groups that are not fully symmetric, by the walk of `chain.rs`.
//! Preserves: exact markers everything, with several representatives for some orbits; approximate ones only what is found,
//! unless nothing that belongs to a process names another (proposition 2): then both are one.

use canon::mix;

use super::chain::{Chain, Goal};
use super::flattened::Kept;
use super::strategy::Represent;
use super::{Acting, NONE};

/// Chooses by markers.
pub(super) struct Marked<'a> {
    acting: &'a Acting<'a>,
    /// For each family and position in its index the entry of a marker; for spots without index, by spot.
    width: usize,
    entries: Vec<usize>,
    kept: Option<&'a Kept>,
    chain: Chain,
    rows: Vec<u64>,
    order: Vec<u32>,
    keys: Vec<u64>,
    locals: Vec<u64>,
    key: Vec<u32>,
}

impl<'a> Marked<'a> {
    /// Markers as permutations.
    pub(super) fn exact(acting: &'a Acting<'a>) -> Marked<'a> {
        Marked::new(acting, None)
    }

    /// Markers as keys.
    pub(super) fn approximate(acting: &'a Acting<'a>, kept: &'a Kept) -> Marked<'a> {
        Marked::new(acting, Some(kept))
    }

    fn new(acting: &'a Acting<'a>, kept: Option<&'a Kept>) -> Marked<'a> {
        let mut width = 0;
        let mut entries = Vec::new();
        let mut of_family: Vec<Option<usize>> = vec![None; acting.families.len()];
        for spot in &acting.spots {
            // One entry for what is held, one for each position of the index.
            let needed = 1 + usize::from(spot.arity);
            let entry = match spot.arity {
                0 => None,
                _ => of_family[spot.family as usize],
            };
            entries.push(entry.unwrap_or_else(|| {
                width += needed;
                width - needed
            }));
            of_family[spot.family as usize] = entries.last().copied();
        }
        Marked {
            acting,
            width,
            entries,
            kept,
            chain: Chain::default(),
            rows: Vec::new(),
            order: Vec::new(),
            keys: Vec::new(),
            locals: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Definition 4, for every point.
    fn mark(&mut self, vector: &[u32]) {
        let (acting, width) = (self.acting, self.width);
        self.rows.clear();
        self.rows.resize(width * acting.points(), 0);
        for (spot, entry) in acting.spots.iter().zip(&self.entries) {
            let bits = spot.field.get(vector);
            let held = acting.held(spot, vector, bits);
            for at in 0..usize::from(spot.arity) {
                let row = spot.index[at] as usize * width + entry + 1 + at;
                let value = if held == NONE { u64::from(bits) + 1 } else { 0 };
                // A place that two points name counts for each of them, whatever the other is.
                self.rows[row] = match spot.arity {
                    1 => value,
                    _ => self.rows[row].wrapping_add(mix(value, 1)),
                };
            }
            if held != NONE {
                self.rows[held as usize * width + entry] += 1;
            }
        }
        self.rank();
    }

    /// Numbers the markers of each orbit in their order: `keys` holds the greatest place of an equal one, from 1 on.
    fn rank(&mut self) {
        let (acting, width) = (self.acting, self.width);
        let row = |point: u32| &self.rows[point as usize * width..(point as usize + 1) * width];
        let orbit = |point: u32| acting.orbits[point as usize];
        self.order.clear();
        self.order.extend(0..acting.points() as u32);
        self.order
            .sort_unstable_by(|a, b| (orbit(*a), row(*a)).cmp(&(orbit(*b), row(*b))));
        self.keys.resize(acting.points(), 0);
        let mut place = 0;
        let is_equal = |a: &u32, b: &u32| orbit(*a) == orbit(*b) && row(*a) == row(*b);
        for cell in self.order.chunk_by(is_equal) {
            place += cell.len() as u64;
            cell.iter().for_each(|p| self.keys[*p as usize] = place);
        }
    }

    /// What each point names, by the places of what it names; then what belongs to it.
    fn localise(&mut self, vector: &[u32]) {
        let acting = self.acting;
        self.locals.clear();
        self.locals.resize(acting.points(), 0);
        for spot in &acting.spots {
            let bits = spot.field.get(vector);
            let held = acting.held(spot, vector, bits);
            let mut named: u64 = match held {
                NONE => 0,
                held => self.keys[held as usize],
            };
            if spot.arity == 2 {
                let both = spot.index.map(|point| self.keys[point as usize]);
                named = mix(mix(both[0], both[1]), named + u64::from(bits));
            }
            if held != NONE || spot.arity == 2 {
                for point in &spot.index[..usize::from(spot.arity)] {
                    let local = &mut self.locals[*point as usize];
                    *local = local.wrapping_add(mix(spot.salt, named));
                }
            }
        }
        for (tag, process, point) in &acting.companions {
            let other = mix(self.keys[*point as usize], self.locals[*point as usize]);
            let local = &mut self.locals[*process as usize];
            *local = local.wrapping_add(mix(*tag, other));
        }
        for (key, local) in self.keys.iter_mut().zip(&self.locals) {
            *key = *key << 44 | local >> 20;
        }
    }
}

impl Represent for Marked<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        self.mark(vector);
        if self.acting.ties_points() || !self.acting.companions.is_empty() {
            self.localise(vector);
        }
        let acting = self.acting;
        let images = self
            .chain
            .least(acting, vector, &self.keys, Goal::First, out);
        let Some(kept) = self.kept else {
            return;
        };
        // Processes with equal keys get one name: the greatest place of one of them.
        let mut names: Vec<u32> = (0..acting.points() as u32).collect();
        for (point, image) in images.iter().enumerate() {
            let alike = images.iter().enumerate().filter(|(other, _)| {
                self.keys[*other] == self.keys[point]
                    && acting.orbits[*other] == acting.orbits[point]
            });
            let greatest = alike.map(|(_, image)| *image).max();
            names[*image as usize] = greatest.unwrap_or(*image);
        }
        out.clone_into(&mut self.key);
        for spot in &acting.spots {
            let bits = spot.field.get(out);
            match acting.held(spot, out, bits) {
                NONE => {}
                held => {
                    let name = names[held as usize] as usize;
                    let value = acting.tables[spot.table as usize].values[name];
                    spot.field.put(&mut self.key, value);
                }
            }
        }
        kept.first(&self.key, vector, out);
    }
}
