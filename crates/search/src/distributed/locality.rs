//! Chooses what of a state decides who owns it, so that few steps lead to a state of another owner.
//!
//! Technique: a sample of states and steps, the first ones breadth-first and some along random walks, which come further. Candidates
//! are single bits of words, and pieces of the bytes of interned values. One after the other the candidate is
//! taken that tells most states apart for the steps that change it, until the cells that are told apart are enough to
//! be spread evenly. Where they never are, everything counts.
//! Differs from hashing whole states (LTSmin, TLC), which sends all but one of `W` steps away, and from partitions given by
//! hand (DiVinE, Murphi): nothing of the model is known here but its steps.
//! Invariant: the choice depends on the sample alone, which depends on counts and never on the clock.

use std::collections::hash_map::Entry;

use pins::{Flow, System, Worker};
use rustc_hash::FxHashMap;

use super::routing::{Feature, PIECES, hash_pieces};
use crate::explicit::run::Run;

/// States that are expanded breadth-first.
const EARLY: usize = 512;
/// Random walks, and the steps of each.
const WALKS: usize = 8;
const LENGTH: usize = 128;
/// The most states and steps of a sample.
const MOST_STATES: usize = 1 << 14;
const MOST_STEPS: usize = 1 << 16;
/// The most states that are looked at to tell how cells are spread.
const MOST_COUNTED: usize = 1 << 12;
/// The most candidates that are compared with each other.
const MOST_CANDIDATES: usize = 64;
/// Cells that are wanted for each worker: with so many a worker has a tenth more than its share once in a hundred times.
const CELLS: f64 = 128.0;
/// The most cells that are wanted: a sample does not tell more apart.
const MOST_CELLS: f64 = 1024.0;
/// A candidate that changes in fewer of the steps is no better.
const RARE: f64 = 0.002;

/// What was seen of a system.
struct Sample {
    slots: usize,
    words: Vec<u32>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    steps: Vec<(u32, u32)>,
}

/// Something that may count, and its value in each state of the sample.
struct Candidate {
    feature: Feature,
    values: Vec<u32>,
}

/// What counts for `peers` workers, by a sample from the initial states of `origin`; nothing when too little was seen.
pub fn choose(run: &Run<'_>, origin: &Run<'_>, peers: usize) -> Vec<Feature> {
    if peers == 1 {
        return Vec::new();
    }
    let mut sample = Sample {
        slots: run.shape.slots.len(),
        words: Vec::new(),
        numbers: FxHashMap::default(),
        steps: Vec::new(),
    };
    let mut session = origin.store.session();
    let mut state = vec![0; sample.slots];
    for number in 0..origin.store.len().min(MOST_STATES) as u32 {
        session.load(number, &mut state);
        sample.number(&state);
    }
    let mut worker = run.system.worker();
    worker.heed(run.signal.halt.clone());
    let groups = sample.draw(&mut *worker, &|| run.may_expand());
    let wanted = (CELLS * peers as f64).min(MOST_CELLS);
    let candidates = sample.candidates(&*run.system);
    pick(candidates, &groups, &sample.steps, wanted)
}

impl Sample {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn state(&self, number: u32) -> &[u32] {
        &self.words[number as usize * self.slots..][..self.slots]
    }

    fn number(&mut self, state: &[u32]) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.entry(state.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                place.insert(next);
                self.words.extend_from_slice(state);
                next
            }
        }
    }

    /// Adds the steps of a state; where they are in the list.
    fn expand(&mut self, worker: &mut dyn Worker, number: u32) -> std::ops::Range<usize> {
        let state = self.state(number).to_vec();
        let from = self.steps.len();
        let mut emit = |_, step: pins::Step<'_>| {
            if self.len() >= MOST_STATES || self.steps.len() >= MOST_STEPS {
                return Flow::Stop;
            }
            let target = self.number(step.target);
            if target != number {
                self.steps.push((number, target));
            }
            Flow::Continue
        };
        // A step that faults is none; the search itself will tell.
        worker.all_successors(&state, &mut emit, &mut |_, _| {});
        from..self.steps.len()
    }

    /// Takes the sample. Two groups of states in each of which cells have to be spread: those near the beginning, and those
    /// far from it.
    fn draw(&mut self, worker: &mut dyn Worker, go_on: &dyn Fn() -> bool) -> Vec<Vec<u32>> {
        let mut at = 0;
        while at < EARLY.min(self.len()) && go_on() {
            self.expand(worker, at as u32);
            at += 1;
        }
        let early = self.len() as u32;
        let mut late = Vec::new();
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut draw = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((random >> 33) as usize * below) >> 31
        };
        let is_all = at == self.len();
        for _ in 0..if is_all { 0 } else { WALKS } {
            let mut number = draw(early as usize) as u32;
            for step in 0..LENGTH {
                let steps = self.expand(worker, number);
                if steps.is_empty() || !go_on() {
                    break;
                }
                let (first, count) = (steps.start, steps.len());
                if step >= LENGTH / 2 {
                    late.extend(self.steps[steps].iter().map(|step| step.1));
                }
                number = self.steps[first + draw(count)].1;
            }
        }
        [(0..early).collect(), late].map(thin).to_vec()
    }

    /// All bits of words, and all pieces of values, that are not the same in all states.
    fn candidates(&self, system: &dyn System) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for slot in 0..self.slots {
            let column = || self.words.iter().skip(slot).step_by(self.slots).copied();
            match system.numbered_from(slot) {
                None => self.bits(slot, &column, &mut candidates),
                Some(from) => pieces(system, (slot, from), &column, &mut candidates),
            }
        }
        candidates
    }

    fn bits<I: Iterator<Item = u32>>(
        &self,
        slot: usize,
        column: &dyn Fn() -> I,
        out: &mut Vec<Candidate>,
    ) {
        let first = self.words.get(slot).copied().unwrap_or_default();
        let varying = column().fold(0, |bits, word| bits | (word ^ first));
        for bit in (0..32).filter(|bit| varying >> bit & 1 != 0) {
            out.push(Candidate {
                feature: Feature {
                    slot: slot as u32,
                    mask: 1 << bit,
                    pieces: 0,
                },
                values: column().map(|word| word >> bit & 1).collect(),
            });
        }
    }
}

fn pieces<I: Iterator<Item = u32>>(
    system: &dyn System,
    (slot, from): (usize, u32),
    column: &dyn Fn() -> I,
    out: &mut Vec<Candidate>,
) {
    let mut bytes = Vec::new();
    let mut known: FxHashMap<u32, Vec<u8>> = FxHashMap::default();
    for word in column().filter(|word| *word >= from) {
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
            let hash = match known.get(&word) {
                Some(bytes) => hash_pieces(bytes, 1 << piece),
                None => u64::from(word),
            };
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

/// Some of a list, when it is long.
fn thin(list: Vec<u32>) -> Vec<u32> {
    let stride = list.len().div_ceil(MOST_COUNTED).max(1);
    list.into_iter().step_by(stride).collect()
}

/// Cells that states are told apart into.
struct Cells<'s> {
    groups: &'s [Vec<u32>],
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
        let many = self.groups.iter().filter(|group| !group.is_empty());
        let many = many.map(|group| {
            let mut counts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for number in group {
                let cell = (self.of[*number as usize], values[*number as usize]);
                *counts.entry(cell).or_default() += 1;
            }
            let squares: f64 = counts.values().map(|count| f64::from(*count).powi(2)).sum();
            (group.len() as f64).powi(2) / squares
        });
        let leaves = |(from, to): &&(u32, u32)| {
            let (from, to) = (*from as usize, *to as usize);
            self.of[from] != self.of[to] || values[from] != values[to]
        };
        let leaving = self.steps.iter().filter(leaves).count();
        let leaving = leaving as f64 / self.steps.len().max(1) as f64;
        (many.fold(f64::INFINITY, f64::min), leaving)
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

/// Takes candidates until there are as many cells as are wanted.
fn pick(
    candidates: Vec<Candidate>,
    groups: &[Vec<u32>],
    steps: &[(u32, u32)],
    wanted: f64,
) -> Vec<Feature> {
    let states = candidates.first().map_or(0, |first| first.values.len());
    let mut cells = Cells {
        groups,
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
    while cells.many < wanted {
        let worths = left.iter().map(|at| cells.worth(&candidates[*at]));
        let best = worths.zip(0..).max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((worth, at)) = best else {
            return Vec::new();
        };
        if worth <= 0.0 {
            return Vec::new();
        }
        let candidate = &candidates[left.remove(at)];
        cells.split(candidate);
        add(&mut features, candidate.feature);
    }
    features
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
