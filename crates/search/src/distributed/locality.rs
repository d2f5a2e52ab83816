//! Chooses what of a state decides who owns it, so that few steps lead to a state of another owner.
//!
//! Technique: a sample of states and steps (`survey`). Candidates
//! are single bits of words, and pieces of the bytes of interned values. One after the other the candidate is
//! taken that tells most states apart for the steps that change it, until the cells that are told apart are enough to
//! be spread, and then those of the same slots that no more steps change. Of some ways to give cells to workers the one
//! is taken for which all wait least for the busiest worker at the end of each level of the sample. Where there are never enough cells, everything counts.
//! Differs from hashing whole states (LTSmin, TLC), which sends all but one of `W` steps away, and from partitions given by
//! hand (DiVinE, Murphi): nothing of the model is known here but its steps.
//! Invariant: the choice depends on the sample alone, which depends on counts and never on the clock.

use pins::{Numbers, System};
use rustc_hash::FxHashMap;

use super::routing::{Feature, Owners, PIECES, Routing, hash_pieces};
use super::survey::{Sample, survey};
use crate::explicit::run::Run;

/// So many levels are one slice of the sample: a level alone has few states there.
const SLICE: u32 = 8;
/// The most candidates that are compared with each other.
const MOST_CANDIDATES: usize = 64;
/// Cells that are wanted for each worker, times the logarithm of their number.
const CELLS: f64 = 12.0;
/// So many ways to give cells to workers are compared.
const SALTS: u64 = 128;
/// The most cells that are wanted: a sample does not tell more apart.
const MOST_CELLS: f64 = 1024.0;
/// A candidate that changes in fewer of the steps is no better.
const RARE: f64 = 0.002;

/// Something that may count, and its value in each state of the sample.
struct Candidate {
    feature: Feature,
    values: Vec<u32>,
}

/// What counts for the workers of `routing`, by a sample from the initial states of `origin`; `None` when too little was seen.
pub fn choose(run: &Run<'_>, origin: &Run<'_>, routing: &mut Routing<'_>) -> Option<Owners> {
    let peers = routing.peers();
    if peers == 1 {
        return None;
    }
    let sample = survey(run, origin);
    let wanted = CELLS * peers as f64 * (peers as f64).log2();
    let candidates = candidates(&sample, &*run.system);
    let features = pick(
        &candidates,
        &sample.group,
        &sample.steps,
        wanted.min(MOST_CELLS),
    )?;
    let owners = Owners { features, salt: 0 };
    routing.heed(owners.clone()).ok()?;
    let cells: Vec<u64> = (0..sample.len() as u32)
        .map(|number| routing.cell(sample.state(number)))
        .collect();
    let load = Load::new(&sample, &cells);
    let loads = (0..SALTS).map(|salt| (load.most(routing, salt), salt));
    let (_, salt) = loads.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Owners { salt, ..owners })
}

/// How the states of a sample are spread over its cells.
struct Load {
    /// How many states are in each cell, in each slice of the levels.
    slices: Vec<Vec<(u64, f64)>>,
    /// How many steps lead from a cell to another one.
    leaving: Vec<((u64, u64), f64)>,
    steps: f64,
}

impl Load {
    /// Of a sample; `cells` has the cell of each state.
    fn new(sample: &Sample, cells: &[u64]) -> Load {
        let pairs =
            (sample.steps.iter()).map(|(from, to)| (cells[*from as usize], cells[*to as usize]));
        let slice = |number: &u32| sample.levels[*number as usize] / SLICE;
        let mut group = sample.group.clone();
        group.sort_by_key(slice);
        let slices = group.chunk_by(|a, b| slice(a) == slice(b));
        let cell = |number: &u32| cells[*number as usize];
        Load {
            slices: slices.map(|slice| count(slice.iter().map(cell))).collect(),
            leaving: count(pairs.filter(|(from, to)| from != to)),
            steps: sample.steps.len().max(1) as f64,
        }
    }

    /// What the busiest worker of each slice has to do: its share of the states, for all wait for it at the end of a level, and a step
    /// to another worker costs about as much as one that stays.
    fn most(&self, routing: &Routing<'_>, salt: u64) -> f64 {
        let owner = |cell| routing.salted_owner(cell, salt);
        let mut busiest = 0.0;
        for slice in &self.slices {
            let mut shares = vec![0.0; routing.peers()];
            for (cell, count) in slice {
                shares[owner(*cell)] += count;
            }
            busiest += shares.into_iter().fold(0.0, f64::max);
        }
        let crossing = self.leaving.iter();
        let crossing = crossing.filter(|((from, to), _)| owner(*from) != owner(*to));
        let crossing: f64 = crossing.map(|(_, count)| count).sum();
        busiest * (1.0 + crossing / self.steps)
    }
}

/// How often there is what, in the order in which it comes first.
fn count<T: Copy + Eq + std::hash::Hash>(all: impl Iterator<Item = T>) -> Vec<(T, f64)> {
    let mut places: FxHashMap<T, usize> = FxHashMap::default();
    let mut counts = Vec::new();
    for one in all {
        let place = *places.entry(one).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1.0,
            None => counts.push((one, 1.0)),
        }
    }
    counts
}

/// All bits of words, and all pieces of values, that are not the same in all states of a sample.
fn candidates(sample: &Sample, system: &dyn System) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for slot in 0..sample.slots {
        let column = || sample.column(slot);
        let numbers = system.numbers(slot);
        bits((slot, numbers), &column, &mut candidates);
        if let Some(numbers) = numbers {
            pieces(system, (slot, numbers), &column, &mut candidates);
        }
    }
    candidates
}

/// The bits of the words of a slot that are no numbers.
fn bits<I: Iterator<Item = u32>>(
    (slot, numbers): (usize, Option<Numbers>),
    column: &dyn Fn() -> I,
    out: &mut Vec<Candidate>,
) {
    let is_plain = |word: u32| numbers.and_then(|numbers| numbers.of(word)).is_none();
    let plain = || column().filter(|word| is_plain(*word));
    let first = plain().next().unwrap_or_default();
    let varying = plain().fold(0, |bits, word| bits | (word ^ first));
    for bit in (0..32).filter(|bit| varying >> bit & 1 != 0) {
        let value = |word: u32| match is_plain(word) {
            true => word >> bit & 1,
            false => u32::MAX,
        };
        out.push(Candidate {
            feature: Feature {
                slot: slot as u32,
                mask: 1 << bit,
                pieces: 0,
            },
            values: column().map(value).collect(),
        });
    }
}

fn pieces<I: Iterator<Item = u32>>(
    system: &dyn System,
    (slot, numbers): (usize, Numbers),
    column: &dyn Fn() -> I,
    out: &mut Vec<Candidate>,
) {
    let mut bytes = Vec::new();
    let mut known: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
    for word in column().filter(|word| numbers.of(*word).is_some()) {
        known.entry(word).or_insert_with(|| {
            bytes.clear();
            // What cannot be written is told when it has to travel.
            let _ = system.write_value(slot, word, &mut bytes);
            bytes.clone()
        });
    }
    for piece in 0..PIECES {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let values = column().map(|word| {
            // What is no number has no pieces; no hash is 0.
            let bytes = known.get(&word);
            let hash = bytes.map_or(0, |bytes| hash_pieces(bytes, 1 << piece));
            let next = numbers.len() as u32;
            *numbers.entry(hash).or_insert(next)
        });
        let values: Vec<u32> = values.collect();
        if numbers.len() > 1 {
            out.push(Candidate {
                feature: Feature {
                    slot: slot as u32,
                    mask: 0,
                    pieces: 1 << piece,
                },
                values,
            });
        }
    }
}

/// Cells that states are told apart into.
struct Cells<'s> {
    group: &'s [u32],
    steps: &'s [(u32, u32)],
    /// For each state its cell.
    of: Vec<u32>,
    /// As many cells of one size would be spread as evenly as these.
    many: f64,
    /// The share of the steps that lead to another cell.
    leaving: f64,
}

impl Cells<'_> {
    /// How many there would be, and how many steps would leave them, if a candidate counted too.
    fn with(&self, candidate: &Candidate) -> (f64, f64) {
        let values = &candidate.values;
        let mut counts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for number in self.group {
            let cell = (self.of[*number as usize], values[*number as usize]);
            *counts.entry(cell).or_default() += 1;
        }
        let squares: f64 = counts.values().map(|count| f64::from(*count).powi(2)).sum();
        let many = (self.group.len() as f64).powi(2) / squares.max(1.0);
        let leaves = |(from, to): &&(u32, u32)| {
            let (from, to) = (*from as usize, *to as usize);
            self.of[from] != self.of[to] || values[from] != values[to]
        };
        let leaving = self.steps.iter().filter(leaves).count();
        let leaving = leaving as f64 / self.steps.len().max(1) as f64;
        (many, leaving)
    }

    /// From now on the candidate counts.
    fn split(&mut self, candidate: &Candidate) {
        (self.many, self.leaving) = self.with(candidate);
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        for (cell, value) in self.of.iter_mut().zip(&candidate.values) {
            let next = numbers.len() as u32;
            *cell = *numbers.entry((*cell, *value)).or_insert(next);
        }
    }

    /// What a candidate is worth: how much better states are spread, for the steps that leave their cell.
    fn worth(&self, candidate: &Candidate) -> f64 {
        let (many, leaving) = self.with(candidate);
        (many / self.many).ln() / (leaving - self.leaving).max(RARE)
    }
}

/// Takes candidates until there are as many cells as are wanted, and then more of the same slots that cost nothing; `None` when there
/// never are enough.
fn pick(
    candidates: &[Candidate],
    group: &[u32],
    steps: &[(u32, u32)],
    wanted: f64,
) -> Option<Vec<Feature>> {
    let states = candidates.first().map_or(0, |first| first.values.len());
    let mut cells = Cells {
        group,
        steps,
        of: vec![0; states],
        many: 1.0,
        leaving: 0.0,
    };
    let worths = candidates.iter().map(|candidate| cells.worth(candidate));
    let mut worths: Vec<(f64, usize)> = worths.zip(0..).collect();
    worths.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    worths.truncate(MOST_CANDIDATES);
    let mut left: Vec<usize> = worths.into_iter().map(|(_, at)| at).collect();
    let mut features: Vec<Feature> = Vec::new();
    while cells.many < MOST_CELLS {
        if cells.many >= wanted {
            left.retain(|at| {
                let (candidate, mut known) = (&candidates[*at], features.iter());
                known.any(|feature| feature.slot == candidate.feature.slot)
                    && cells.with(candidate).1 - cells.leaving <= RARE
            });
        }
        let worths = left.iter().map(|at| cells.worth(&candidates[*at]));
        let best = worths
            .zip(0..)
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, at)) = best.filter(|(worth, _)| *worth > 0.0) else {
            break;
        };
        let candidate = &candidates[left.remove(at)];
        cells.split(candidate);
        add(&mut features, candidate.feature);
    }
    (cells.many >= wanted).then_some(features)
}

/// One feature for each slot.
fn add(features: &mut Vec<Feature>, more: Feature) {
    match features.iter_mut().find(|known| known.slot == more.slot) {
        Some(known) => {
            known.mask |= more.mask;
            known.pieces |= more.pieces;
        }
        None => features.push(more),
    }
}
