//! The subgroups of an action that steps leave when they tell points apart.
//!
//! Technique: the colours of a group of steps ([`Action::told`]) refine a partition, and a partition stands for the permutations that
//! keep it. Where states cannot be permuted yet (processes are being created), or the start is not symmetric, a
//! state begins with the partition that tells all points apart, or with one that leaves the state as it is.
//! Invariant: what a partition stands for is a group, and a finer one stands for a subgroup.
//! Invariant: where a partition holds a process that may end, its states may be permuted after it has ended.

use std::sync::{Mutex, PoisonError};

use permgroup::{Group, identity};
use pins::{Action, Flow, System};
use rustc_hash::{FxHashMap, FxHashSet};

use super::partitions::refined;

/// More permutations of one state are not looked at.
const MOST_VARIANTS: usize = 5_040;

/// More partitions are not made.
const MOST_PARTITIONS: usize = 512;

/// States that are looked at before all processes are there.
const MOST_STATES: usize = 2_000;

/// Starts whose own symmetry is looked at.
const MOST_STARTS: usize = 16;

/// An action with its subgroups by partition.
pub struct Subgroups {
    groups: Vec<Group>,
    /// For each partition the action of what keeps it.
    pub(super) actions: Vec<Action>,
    pub(super) cells: Vec<Vec<u32>>,
    /// For each partition and group of steps the partition after a step.
    pub(super) after: Vec<Vec<usize>>,
    /// The partition that tells all points apart.
    pub(super) finest: usize,
    /// For two partitions the permutations that the first allows and that differ for the second.
    variants: Mutex<Variants>,
}

/// By partitions; none where they are too many.
type Variants = FxHashMap<(usize, usize), Option<Vec<Vec<u32>>>>;

impl Subgroups {
    /// The subgroups of a system's action; `None` when it has none, or there are far too many of them.
    pub fn new(system: &dyn System) -> Option<Subgroups> {
        let action = system.action()?;
        let points = action.points.len();
        let base: Vec<u32> = (0..action.processes as u32).collect();
        let whole = Group::with_base(points, action.generators.clone(), &base);
        let every: Vec<u32> = (0..points as u32).collect();
        let mut all = vec![vec![0; points], every];
        if !action.keeps_start {
            for start in starts(system, action) {
                let own = own_colours(action, &whole, &start);
                if !all.contains(&own) {
                    all.push(own);
                }
            }
        }
        let after = after(action, system.shape().groups.len(), &mut all)?;
        let groups: Vec<Group> = all.iter().map(|cells| whole.keeping(cells)).collect();
        let actions = groups.iter().map(|group| restricted(action, group));
        Some(Subgroups {
            actions: actions.collect(),
            groups,
            cells: all,
            after,
            finest: 1,
            variants: Mutex::default(),
        })
    }

    /// Permutations that one partition allows, one for each way to be different for a finer one; `None` when they are too many.
    pub(super) fn variants(&self, from: usize, to: usize) -> Option<Vec<Vec<u32>>> {
        let mut known = self.variants.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.entry((from, to));
        let found =
            found.or_insert_with(|| self.groups[from].recolourings(&self.cells[to], MOST_VARIANTS));
        found.clone()
    }
}

/// For each partition and group of steps the partition after a step; partitions are added. `None` when there are too many.
fn after(action: &Action, groups: usize, all: &mut Vec<Vec<u32>>) -> Option<Vec<Vec<usize>>> {
    let mut kinds: Vec<&[u32]> = Vec::new();
    let told = (0..groups).map(|group| {
        let told = action.told.get(group).filter(|told| !told.is_empty())?;
        let known = kinds.iter().position(|known| *known == &told[..]);
        Some(known.unwrap_or_else(|| {
            kinds.push(told);
            kinds.len() - 1
        }))
    });
    let told: Vec<Option<usize>> = told.collect();
    let mut after: Vec<Vec<usize>> = Vec::new();
    while let Some(cells) = all.get(after.len()).cloned() {
        let next = kinds.iter().map(|told| {
            let next = refined(&cells, told);
            let at = all.iter().position(|known| *known == next);
            at.unwrap_or_else(|| {
                all.push(next);
                all.len() - 1
            })
        });
        let next: Vec<usize> = next.collect();
        let here = after.len();
        let row = told.iter().map(|kind| kind.map_or(here, |kind| next[kind]));
        after.push(row.collect());
        if all.len() > MOST_PARTITIONS {
            return None;
        }
    }
    Some(after)
}

/// The action of a subgroup. Where it holds the processes that end first, it may be applied after they have.
fn restricted(action: &Action, group: &Group) -> Action {
    let mut conditions = action.conditions.clone();
    let holds = |point: u32| {
        let mut generators = group.generators().iter();
        generators.all(|images| images[point as usize] == point)
    };
    let ending = action.lives[..action.ends].iter();
    for life in ending.take_while(|life| holds(life.point)) {
        let own = conditions
            .iter_mut()
            .filter(|(field, _)| *field == life.control);
        for (_, values) in own.filter(|(_, values)| values.first() != Some(&0)) {
            values.insert(0, 0);
        }
    }
    Action {
        generators: group.generators().to_vec(),
        groups: Vec::new(),
        told: Vec::new(),
        lives: Vec::new(),
        ends: 0,
        conditions,
        ..action.clone()
    }
}

/// Some of the first states that can be permuted.
fn starts(system: &dyn System, action: &Action) -> Vec<Vec<u32>> {
    let mut worker = system.worker();
    let mut open: Vec<Vec<u32>> = Vec::new();
    let blank = vec![0; system.shape().slots.len()];
    // A fault is found by the search.
    let _ = worker.initial(&blank, &mut |state| {
        open.push(state.to_vec());
        Flow::Continue
    });
    let mut seen: FxHashSet<Vec<u32>> = open.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(state) = open.pop() {
        if action.applies(&state) {
            found.push(state);
            if found.len() == MOST_STARTS {
                break;
            }
            continue;
        }
        if seen.len() > MOST_STATES {
            break;
        }
        worker.all_successors(
            &state,
            &mut |_, step| {
                if seen.insert(step.target.to_vec()) {
                    open.push(step.target.to_vec());
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
    }
    found
}

/// Points that exchanges of processes take to each other which leave a state as it is.
fn own_colours(action: &Action, whole: &Group, state: &[u32]) -> Vec<u32> {
    let count = action.points.len();
    let mut idle: Vec<Vec<u32>> = Vec::new();
    let mut colours: Vec<u32> = identity(count);
    for orbit in whole.orbits() {
        let processes = orbit.iter().filter(|p| (**p as usize) < action.processes);
        let own: Vec<u32> = processes.copied().collect();
        for (at, one) in own.iter().enumerate() {
            let lesser = own[..at].iter().rev().find_map(|other| {
                let images = exchange(whole, &own, *one, *other)?;
                (action.permute(state, &images) == state).then_some(images)
            });
            idle.extend(lesser);
        }
    }
    for orbit in permgroup::orbits(count, &idle) {
        let least = orbit[0];
        orbit.iter().for_each(|p| colours[*p as usize] = least);
    }
    refined(&colours, &colours)
}

/// What exchanges two points of some and holds the others.
fn exchange(whole: &Group, points: &[u32], one: u32, other: u32) -> Option<Vec<u32>> {
    let wanted = points.iter().map(|point| match *point {
        point if point == one => (point, other),
        point if point == other => (point, one),
        point => (point, point),
    });
    whole.taking(&wanted.collect::<Vec<_>>())
}
