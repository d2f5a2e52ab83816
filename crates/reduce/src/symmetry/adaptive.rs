//! Partial symmetry: a state stands for its permutations under what the asymmetric steps on the way to it left of the group.
//!
//! Paper: [Wahl 2007]: adaptive symmetry reduction. An abstract state is a state with a partition of the
//! points; only points of one cell are exchanged. A step of a group that tells points apart is taken from every permutation of
//! the state that matters to it, and refines the partition. A state is left out when a known one of its orbit has a
//! coarser partition.
//! Differs: which points a group tells apart is known before the search (the model's text names them), so there are no more
//! partitions than the groups generate. A group's cells may be on any sorts; groups of processes that move whole slots need not be
//! products of symmetric groups (`subgroups.rs`). There a partition becomes coarser again where a state has as many permutations
//! under a coarser one: it is symmetric itself, as after an asymmetric start that was left behind (decision 0310).
//! Preserves: which states are reached, so verdicts on labels and deadlocks; paths. Not counts, and not time.
//! Invariant: the permutations of an abstract state are all reached: the subgroup of its partition maps every step on the way
//! to it to a step.
//! Invariant: which state is left out depends on what was asked before, so questions are asked level by level, by one thread.

mod means;
mod partitions;
mod subgroups;
mod unfolding;
mod walking;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use base::Name;
use pins::symmetry::hides;
use pins::{Shape, Slot, SlotSet, System, Worker};
use rustc_hash::{FxHashMap, FxHashSet};

pub use subgroups::Subgroups;

use means::Means;
use partitions::{Partition, cells, refined};
use walking::Walking;

/// What a group tells apart: for sorts by their names, the class of each element. Sorts that are not named are alike to it.
pub type Telling = Vec<(Name, Vec<u32>)>;

/// A system with one state for each orbit under what is left of the symmetry.
pub struct Adaptive<'a> {
    system: &'a dyn System,
    means: Means<'a>,
    shape: Shape,
    /// How many points there are.
    points: usize,
    /// The partition of initial states, and that of the first states that can be permuted where they are reached from others.
    first: usize,
    settled: Option<usize>,
    /// For each partition and group, the partition after its step.
    after: Vec<Vec<usize>>,
    /// For each partition, the one that tells apart whatever some group does.
    finest: Vec<usize>,
    /// For each partition those that are coarser, itself included, coarsest first.
    coarser: Vec<Vec<usize>>,
    known: Mutex<Known>,
    /// Slots with words that may hide points.
    hiding: Vec<usize>,
    deadlocks: Deadlocks,
    /// Whether some permutations of an abstract state are deadlocks and others have steps.
    dies_in_part: OnceLock<()>,
    /// The first slot with a word that may hide points.
    hidden: OnceLock<usize>,
}

#[derive(Default)]
struct Known {
    /// For each partition the forms of its states.
    forms: Vec<FxHashSet<Box<[u32]>>>,
    /// For each partition the partition under which a form was first chosen. Asked again, as paths are when they are made,
    /// the answer is the same, whatever coarser states were found since.
    chosen: Vec<FxHashMap<Box<[u32]>, usize>>,
    /// Abstract states with a permutation that is dead.
    dead: FxHashMap<Box<[u32]>, Vec<u32>>,
}

/// What becomes of an abstract state some of whose permutations are deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadlocks {
    /// Nobody looks at them.
    Unseen,
    /// It has no steps.
    End,
    /// It has the steps of the others, and [`Adaptive::dies_in_part`] tells.
    Watched,
}

/// The shape of a system whose steps are those of permuted states.
fn blurred(shape: &Shape) -> Shape {
    let mut shape = shape.clone();
    shape.slots.push(Slot {
        name: Name::new("partition"),
        is_constant: false,
    });
    let mut every = SlotSet::new();
    (0..shape.slots.len()).for_each(|slot| every.insert(slot));
    for group in &mut shape.groups {
        group.reads = every.clone();
        group.may_write = every.clone();
        group.must_write = SlotSet::new();
    }
    // A guard is asked about one state and not about its permutations.
    shape.guards.clear();
    shape.guard_reads.clear();
    shape
}

/// So many partitions at most: more mean that hardly anything is symmetric.
const MOST_PARTITIONS: usize = 4096;

impl<'a> Adaptive<'a> {
    /// The reduced system; `None` when there is nothing to exchange, or far too many partitions.
    pub fn new(
        system: &'a dyn System,
        groups: &[Telling],
        deadlocks: Deadlocks,
    ) -> Option<Adaptive<'a>> {
        let permute = system.symmetry().filter(|p| p.places().is_empty())?;
        let base = cells(permute, &Vec::new());
        let own: Vec<Vec<u32>> = groups.iter().map(|told| cells(permute, told)).collect();
        let mut all = vec![base];
        let mut after: Vec<Vec<usize>> = Vec::new();
        while let Some(cells) = all.get(after.len()).cloned() {
            let mut row = Vec::new();
            for told in &own {
                let next = refined(&cells, told);
                let at = all.iter().position(|known| *known == next);
                row.push(at.unwrap_or(all.len()));
                if at.is_none() {
                    all.push(next);
                }
            }
            after.push(row);
            if all.len() > MOST_PARTITIONS {
                return None;
            }
        }
        let partitions = all.iter().cloned().map(Partition::new).collect();
        let means = Means::Elements(permute, partitions);
        Some(Adaptive::made(system, means, (&all, after), deadlocks))
    }

    /// The reduced system of one with an action whose steps may tell points apart; `None` when there is nothing to exchange.
    pub fn of_steps(
        system: &'a dyn System,
        subgroups: &'a Subgroups,
        deadlocks: Deadlocks,
    ) -> Option<Adaptive<'a>> {
        let action = system.action()?;
        let means = Means::steps(subgroups)?;
        let known = (&subgroups.cells[..], subgroups.after.clone());
        let mut adaptive = Adaptive::made(system, means, known, deadlocks);
        (adaptive.first, adaptive.settled) = match action.keeps_start {
            true => (subgroups.finest, Some(0)),
            false => (subgroups.finest, None),
        };
        Some(adaptive)
    }

    fn made(
        system: &'a dyn System,
        means: Means<'a>,
        (all, after): (&[Vec<u32>], Vec<Vec<usize>>),
        deadlocks: Deadlocks,
    ) -> Adaptive<'a> {
        let groups = system.shape().groups.len();
        let finest = (0..all.len()).map(|at| (0..groups).fold(at, |at, group| after[at][group]));
        let finest = finest.collect();
        let is_coarser = |a: usize, b: usize| refined(&all[a], &all[b]) == all[b];
        let count = |at: usize| all[at].iter().max().map_or(0, |most| most + 1);
        let coarser = (0..all.len()).map(|at| {
            let mut found: Vec<usize> = (0..all.len()).filter(|b| is_coarser(*b, at)).collect();
            found.sort_by_key(|at| count(*at));
            found
        });
        let coarser = coarser.collect();
        Adaptive {
            system,
            shape: blurred(system.shape()),
            known: Mutex::new(Known {
                forms: vec![FxHashSet::default(); all.len()],
                chosen: vec![FxHashMap::default(); all.len()],
                ..Known::default()
            }),
            points: all.first().map_or(0, Vec::len),
            first: 0,
            settled: None,
            after,
            finest,
            coarser,
            hiding: means.hiding(system.shape().slots.len()),
            means,
            deadlocks,
            dies_in_part: OnceLock::new(),
            hidden: OnceLock::new(),
        }
    }

    /// A slot with a word that may hide points, if one was met. Permutations of its state are not known, so there the run is open.
    pub fn hidden(&self) -> Option<usize> {
        self.hidden.get().copied()
    }

    /// Whether an abstract state was met some of whose permutations are deadlocks while others have steps, if that is watched.
    pub fn dies_in_part(&self) -> bool {
        self.dies_in_part.get().is_some()
    }

    /// Whether a group tells points apart that are alike to whatever is no group: what it does may differ between them.
    pub fn tells_apart(&self, group: pins::GroupId) -> bool {
        self.after[0][group.index()] != 0
    }

    /// How many partitions the groups make.
    pub fn partitions(&self) -> usize {
        self.after.len()
    }

    /// How many abstract states turned out to be parts of others: a coarser partition of their orbit was found after they were explored.
    pub fn replaced(&self) -> u64 {
        let mut walking = self.walking();
        let mut count = 0;
        for (partition, coarser) in self.coarser.iter().enumerate() {
            let forms: Vec<Box<[u32]>> = self.known().forms[partition].iter().cloned().collect();
            for form in forms {
                let mut others = coarser.iter().filter(|other| **other != partition);
                let is_replaced = others.any(|other| {
                    if !self.means.applies(*other, &form) {
                        return false;
                    }
                    let (form, _) = walking.form(*other, &form);
                    self.known().forms[*other].contains(&form[..])
                });
                count += u64::from(is_replaced);
            }
        }
        count
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The partition under which an initial state is seen.
    fn start(&self, state: &[u32]) -> usize {
        let settled = self.settled.filter(|at| self.means.applies(*at, state));
        settled.unwrap_or(self.first)
    }

    /// Whether a step leads to one of the first states that can be permuted, where these are permuted to themselves.
    fn begins_to_apply(&self, from: &[u32], to: &[u32]) -> bool {
        self.settled
            .is_some_and(|at| !self.means.applies(at, from) && self.means.applies(at, to))
    }

    /// A slot of a state with a word that hides points.
    fn hides(&self, state: &[u32]) -> Option<usize> {
        let Means::Elements(permute, _) = &self.means else {
            return None;
        };
        let mut slots = self.hiding.iter();
        let slot = slots.find(|slot| hides(*permute, **slot, state[**slot]))?;
        Some(*self.hidden.get_or_init(|| *slot))
    }

    fn walking(&self) -> Walking<'_> {
        Walking::new(self)
    }
}

impl System for Adaptive<'_> {
    pins::forward_system!(self.system: values, bytes);

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.walking())
    }
}
