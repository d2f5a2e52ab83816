//! The first state found of an orbit stands for it; all its permutations are remembered as done.
//!
//! Paper: [Leuschel, Butler, Spermann, Turner 2007]. Differs: the orbit is closed under exchanges of neighbours, so its
//! states are visited, not the n! permutations.
//! Preserves: everything that permuting preserves; the count is the number of orbits.
//! Invariant: a vector is in the table exactly when its whole orbit is; threads flood one at a time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pins::{Fault, FaultKind, Permute, Shape};
use rustc_hash::FxHashMap;

use super::exact::Part;
use super::quotient::{Chooser, Tally};
use super::words::Term;

/// What all workers remember.
pub(super) struct Flooded {
    budget: u64,
    tables: Mutex<[Table; 2]>,
}

#[derive(Default)]
struct Table {
    /// The number of the representative of every vector.
    known: FxHashMap<Box<[u32]>, u32>,
    representatives: Vec<Representative>,
}

struct Representative {
    vector: Box<[u32]>,
    orbit: u64,
}

impl Flooded {
    pub(super) fn new(budget: u64) -> Flooded {
        Flooded {
            budget,
            tables: Mutex::default(),
        }
    }

    fn tables(&self) -> MutexGuard<'_, [Table; 2]> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many states are remembered.
    pub(super) fn len(&self) -> u64 {
        self.tables()[1].known.len() as u64
    }

    pub(super) fn bytes(&self) -> u64 {
        self.tables().iter().map(Table::bytes).sum()
    }

    pub(super) fn save(&self) -> Vec<u8> {
        let mut saved = Vec::new();
        for table in &*self.tables() {
            saved.extend((table.representatives.len() as u64).to_le_bytes());
            for one in &table.representatives {
                saved.extend(one.vector.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        saved
    }

    /// Floods again what was saved.
    pub(super) fn restore(
        &self,
        saved: &[u8],
        permute: &dyn Permute,
        classes: &[Vec<u32>],
        shape: &Shape,
    ) -> Result<(), String> {
        let mut flooding = Flooding::new(permute, shape, classes, self);
        let slots = shape.slots.len();
        let short = || "the table of permutations is cut short".to_owned();
        let mut rest = saved;
        for part in [Part::Setup, Part::State] {
            let (head, tail) = rest.split_first_chunk::<8>().ok_or_else(short)?;
            let bytes = u64::from_le_bytes(*head) as usize * slots * 4;
            let vectors = tail.get(..bytes).ok_or_else(short)?;
            rest = &tail[bytes..];
            let words = vectors.chunks_exact(4);
            let words: Vec<u32> = words
                .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
                .collect();
            for vector in words.chunks_exact(slots.max(1)) {
                flooding
                    .choose(vector, part, &mut Vec::new())
                    .map_err(|fault| fault.message)?;
            }
        }
        Ok(())
    }
}

impl Table {
    fn bytes(&self) -> u64 {
        let width = self
            .representatives
            .first()
            .map_or(0, |one| one.vector.len() * 4);
        // A vector, its number, and the load of the table.
        (self.known.len() * (width + 48)) as u64
    }
}

/// Floods orbits.
pub(super) struct Flooding<'a> {
    permute: &'a dyn Permute,
    flooded: &'a Flooded,
    setup_slots: Vec<usize>,
    slots: Vec<usize>,
    /// Exchanges of neighbours: they generate all permutations.
    exchanges: Vec<Vec<u32>>,
    /// How many vectors could not be permuted.
    opaque: u64,
}

impl<'a> Flooding<'a> {
    pub(super) fn new(
        permute: &'a dyn Permute,
        shape: &Shape,
        classes: &[Vec<u32>],
        flooded: &'a Flooded,
    ) -> Flooding<'a> {
        let points = pins::symmetry::points(permute.sorts()) as u32;
        let neighbours = classes.iter().flat_map(|class| class.windows(2));
        let exchanges = neighbours.map(|pair| {
            let mut images: Vec<u32> = (0..points).collect();
            images.swap(pair[0] as usize, pair[1] as usize);
            images
        });
        let slots: Vec<usize> = (0..shape.slots.len())
            .filter(|slot| permute.moves(*slot))
            .collect();
        Flooding {
            permute,
            flooded,
            setup_slots: slots
                .iter()
                .copied()
                .filter(|slot| shape.slots[*slot].is_constant)
                .collect(),
            slots,
            exchanges: exchanges.collect(),
            opaque: 0,
        }
    }

    fn orbit(&self, vector: &[u32], part: Part) -> Option<u128> {
        let tables = self.flooded.tables();
        let table = &tables[part as usize];
        let Some(number) = table.known.get(vector) else {
            // It could not be permuted.
            return Some(1);
        };
        Some(u128::from(table.representatives[*number as usize].orbit))
    }
}

impl Chooser for Flooding<'_> {
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.orbit(state, Part::State)
    }

    fn begin_setup(&mut self, setup: &[u32]) -> Option<u128> {
        self.orbit(setup, Part::Setup)
    }

    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault> {
        out.clear();
        let mut tables = self.flooded.tables();
        let table = &mut tables[part as usize];
        if let Some(number) = table.known.get(vector) {
            out.extend_from_slice(&table.representatives[*number as usize].vector);
            return Ok(());
        }
        let slots = match part {
            Part::Setup => &self.setup_slots,
            Part::State => &self.slots,
        };
        let mut term = Term::default();
        let is_shown = |slot: &usize| self.permute.view(*slot, vector[*slot], &mut term);
        if !slots.iter().all(is_shown) {
            // It holds something that cannot be permuted and stands for itself.
            self.opaque += 1;
            out.extend_from_slice(vector);
            return Ok(());
        }
        let number = table.representatives.len() as u32;
        let before = table.known.len();
        table.representatives.push(Representative {
            vector: vector.into(),
            orbit: 0,
        });
        table.known.insert(vector.into(), number);
        let mut pending: Vec<Box<[u32]>> = vec![vector.into()];
        while let Some(state) = pending.pop() {
            for images in &self.exchanges {
                let mut image = state.clone();
                for slot in slots {
                    image[*slot] = self.permute.permute(*slot, state[*slot], images);
                }
                if !table.known.contains_key(&image) {
                    table.known.insert(image.clone(), number);
                    pending.push(image);
                }
            }
            if table.bytes() > self.flooded.budget {
                return Err(Fault {
                    kind: FaultKind::Budget,
                    span: None,
                    message: "the permutations of the states need too much memory".to_owned(),
                });
            }
        }
        table.representatives[number as usize].orbit = (table.known.len() - before) as u64;
        out.extend_from_slice(vector);
        Ok(())
    }

    fn tally(&mut self, tally: &mut Tally) {
        tally.opaque += std::mem::take(&mut self.opaque);
    }
}
