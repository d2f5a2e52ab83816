//! Partial symmetry: a state stands for its permutations under what the asymmetric steps on the way to it left of the group.
//!
//! Paper: [Wahl 2007]: adaptive symmetry reduction. An abstract state is a state with a partition of the
//! points; only points of one cell are exchanged. A step of a group that tells points apart is taken from every permutation of
//! the state that matters to it, and refines the partition. A state is left out when a known one of its orbit has a
//! coarser partition.
//! Differs: which points a group tells apart is known before the search (the model's text names them), so there are no more
//! partitions than the groups generate. A group's cells may be on any sorts.
//! Preserves: which states are reached, so verdicts on labels and deadlocks; paths. Not counts, and not time.
//! Invariant: the permutations of an abstract state are all reached: the subgroup of its partition maps every step on the way
//! to it to a step.
//! Invariant: which state is left out depends on what was asked before, so questions are asked level by level, by one thread.

mod partitions;
mod walking;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use base::Name;
use pins::{Event, Path, PathStep, Permute, Shape, Slot, SlotSet, System, Worker};
use rustc_hash::{FxHashMap, FxHashSet};

use partitions::{Partition, cells, refined};
use walking::Walking;

/// What a group tells apart: for sorts by their names, the class of each element. Sorts that are not named are alike to it.
pub type Telling = Vec<(Name, Vec<u32>)>;

/// A system with one state for each orbit under what is left of the symmetry.
pub struct Adaptive<'a> {
    system: &'a dyn System,
    permute: &'a dyn Permute,
    shape: Shape,
    partitions: Vec<Partition>,
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
        let finest = (0..all.len()).map(|at| (0..own.len()).fold(at, |at, group| after[at][group]));
        let finest = finest.collect();
        let is_coarser = |a: usize, b: usize| refined(&all[a], &all[b]) == all[b];
        let count = |at: usize| all[at].iter().max().map_or(0, |most| most + 1);
        let coarser = (0..all.len()).map(|at| {
            let mut found: Vec<usize> = (0..all.len()).filter(|b| is_coarser(*b, at)).collect();
            found.sort_by_key(|at| count(*at));
            found
        });
        let coarser = coarser.collect();
        let mut shape = system.shape().clone();
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
        Some(Adaptive {
            system,
            permute,
            shape,
            known: Mutex::new(Known {
                forms: vec![FxHashSet::default(); all.len()],
                chosen: vec![FxHashMap::default(); all.len()],
                ..Known::default()
            }),
            partitions: all.into_iter().map(Partition::new).collect(),
            after,
            finest,
            coarser,
            hiding: (0..system.shape().slots.len())
                .filter(|slot| permute.may_hide(*slot))
                .collect(),
            deadlocks,
            dies_in_part: OnceLock::new(),
            hidden: OnceLock::new(),
        })
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
        self.partitions.len()
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

    /// A path of the unreduced system to a state that the last one of a path stands for; `None` when there is none, which is a
    /// bug. It is found backwards: any permutation of a state's that is wanted was reached from a permutation of the one before.
    pub fn unfold(&self, path: &[PathStep]) -> Option<Path> {
        let mut walking = self.walking();
        walking.inner.go_past_faults();
        let Some(last) = path.last().map(|last| &last.state) else {
            return Some(Vec::new());
        };
        let dead = self.known().dead.get(&last[..]).cloned();
        let width = self.system.shape().slots.len();
        let mut wanted = dead.unwrap_or_else(|| last[..width].to_vec());
        let mut real: Path = Vec::new();
        for at in (0..path.len()).rev() {
            let passage = &path[at];
            let (words, before) = match passage.event {
                Event::Group(group) => {
                    let (words, before) = walking.before(
                        &path.get(at.wrapping_sub(1))?.state,
                        group,
                        passage,
                        &wanted,
                    )?;
                    (words, before)
                }
                _ => (Vec::new(), wanted.clone()),
            };
            let state = match passage.event {
                Event::Setup => self.setup_of(passage, &wanted),
                _ => wanted,
            };
            real.push(PathStep {
                event: passage.event,
                words,
                state,
            });
            wanted = before;
        }
        real.reverse();
        Some(real)
    }

    /// The set-up of a state.
    fn setup_of(&self, passage: &PathStep, state: &[u32]) -> Vec<u32> {
        let slots = self
            .system
            .shape()
            .slots
            .iter()
            .zip(state)
            .zip(&passage.state);
        slots
            .map(|((slot, word), blank)| if slot.is_constant { *word } else { *blank })
            .collect()
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
