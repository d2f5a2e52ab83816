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

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use base::Name;
use pins::symmetry::{hides, permuted, points};
use pins::{
    Event, Fault, FaultKind, Flow, GroupId, LabelId, Path, PathStep, Permute, Shape, Slot, SlotSet,
    Step, System, Truth, Worker,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::exact::{Depth, Formed, Former, Part};

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
    /// Whether a deadlock of some permutation counts as one of the abstract state.
    finds_deadlocks: bool,
    /// The first slot with a word that may hide points.
    hidden: OnceLock<usize>,
}

/// Cells of points.
struct Partition {
    /// The number of each point's cell.
    cells: Vec<u32>,
    /// The points of each cell with more than one.
    classes: Vec<Vec<u32>>,
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

/// So many partitions at most: more mean that hardly anything is symmetric.
const MOST_PARTITIONS: usize = 4096;

impl<'a> Adaptive<'a> {
    /// The reduced system; `None` when there is nothing to exchange, or far too many partitions.
    pub fn new(
        system: &'a dyn System,
        groups: &[Telling],
        finds_deadlocks: bool,
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
            finds_deadlocks,
            hidden: OnceLock::new(),
        })
    }

    /// A slot with a word that may hide points, if one was met. Permutations of its state are not known, so there the run is open.
    pub fn hidden(&self) -> Option<usize> {
        self.hidden.get().copied()
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
        Walking {
            adaptive: self,
            inner: self.system.worker(),
            formers: self.partitions.iter().map(|_| None).collect(),
        }
    }
}

impl Partition {
    fn new(cells: Vec<u32>) -> Partition {
        let count = cells.iter().max().map_or(0, |most| most + 1) as usize;
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (point, cell) in cells.iter().enumerate() {
            classes[*cell as usize].push(point as u32);
        }
        classes.retain(|class| class.len() > 1);
        Partition { cells, classes }
    }
}

/// The cell of each point by the classes of its sort and by what is told apart.
fn cells(permute: &dyn Permute, told: &Telling) -> Vec<u32> {
    let mut keys: Vec<(u32, u32, u32)> = Vec::with_capacity(points(permute.sorts()));
    for sort in permute.sorts() {
        let told = told.iter().find(|(name, _)| *name == sort.name);
        for (at, class) in sort.classes.iter().enumerate() {
            let own = told.and_then(|(_, classes)| classes.get(at));
            keys.push((sort.first, *class, own.copied().unwrap_or(0)));
        }
    }
    numbered(&keys)
}

/// Points are in one cell that both have in one cell.
fn refined(a: &[u32], b: &[u32]) -> Vec<u32> {
    let both: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    numbered(&both)
}

/// Keys as numbers, in the order of their first occurrence.
fn numbered<K: PartialEq>(keys: &[K]) -> Vec<u32> {
    let mut seen: Vec<&K> = Vec::new();
    let numbers = keys.iter().map(|key| {
        let at = seen.iter().position(|known| *known == key);
        at.unwrap_or_else(|| {
            seen.push(key);
            seen.len() - 1
        }) as u32
    });
    numbers.collect()
}

/// A worker with what it needs to permute.
struct Walking<'q> {
    adaptive: &'q Adaptive<'q>,
    inner: Box<dyn Worker + 'q>,
    formers: Vec<Option<Former<'q>>>,
}

/// A step of an abstract state.
type Found = (GroupId, Vec<u32>, Vec<u32>);

impl<'q> Walking<'q> {
    /// The canonical form of a state under a partition, and the permutation to it.
    fn form(&mut self, partition: usize, state: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let adaptive = self.adaptive;
        let former = self.formers[partition].get_or_insert_with(|| {
            let classes = &adaptive.partitions[partition].classes;
            let shape = adaptive.system.shape();
            Former::new(adaptive.permute, shape, classes, Depth::Decided, None)
        });
        former.begin_anew();
        match former.form(state, Part::State) {
            Formed::Moved => {
                let mut out = Vec::new();
                former.apply(state, Part::State, &mut out);
                (out, former.images())
            }
            Formed::Same | Formed::Opaque => {
                let points = adaptive.partitions[partition].cells.len() as u32;
                (state.to_vec(), (0..points).collect())
            }
        }
    }

    /// The abstract state that stands for a state under a partition: a known one, or a new one. There is none for a state with words that
    /// hide points.
    fn choose(&mut self, partition: usize, state: &[u32]) -> Result<Vec<u32>, Fault> {
        let adaptive = self.adaptive;
        let hidden = adaptive.hiding.iter().find(|slot| {
            let slot = **slot;
            hides(adaptive.permute, slot, state[slot])
        });
        if let Some(slot) = hidden {
            let first = adaptive.hidden.get_or_init(|| *slot);
            return Err(Fault {
                kind: FaultKind::Budget,
                span: None,
                message: format!("slot {first} may hide elements"),
            });
        }
        let (own, _) = self.form(partition, state);
        let before = adaptive.known().chosen[partition].get(&own[..]).copied();
        for coarser in &adaptive.coarser[partition] {
            let is_passed = match before {
                Some(before) => before != *coarser,
                None => *coarser != partition && adaptive.known().forms[*coarser].is_empty(),
            };
            if is_passed {
                continue;
            }
            let (mut form, _) = self.form(*coarser, state);
            let mut known = adaptive.known();
            if *coarser == partition || known.forms[*coarser].contains(&form[..]) {
                known.forms[*coarser].insert(form.clone().into());
                known.chosen[partition].insert(own.into(), *coarser);
                form.push(*coarser as u32);
                return Ok(form);
            }
        }
        unreachable!("a partition is among those that are not finer")
    }

    /// The permutations of a state under one partition that a finer one tells apart.
    fn variants(&mut self, state: &[u32], from: usize, to: usize) -> Vec<Vec<u32>> {
        if from == to {
            return vec![state.to_vec()];
        }
        let adaptive = self.adaptive;
        let (coarse, fine) = (&adaptive.partitions[from], &adaptive.partitions[to]);
        let mut all = vec![(0..fine.cells.len() as u32).collect::<Vec<u32>>()];
        for class in &coarse.classes {
            let places: Vec<u32> = class.iter().map(|p| fine.cells[*p as usize]).collect();
            let orders = arrangements(&places);
            let mut more = Vec::new();
            for images in &all {
                for order in &orders {
                    let mut images = images.clone();
                    for (point, at) in class.iter().zip(order) {
                        images[*point as usize] = class[*at];
                    }
                    more.push(images);
                }
            }
            all = more;
        }
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for images in all {
            let image = permuted(adaptive.permute, state, &images);
            let (form, _) = self.form(to, &image);
            if seen.insert(form.clone()) {
                found.push(form);
            }
        }
        found
    }

    /// The steps of a group from an abstract state.
    fn steps(
        &mut self,
        state: &[u32],
        group: GroupId,
        found: &mut Vec<Found>,
    ) -> Result<(), Fault> {
        let (own, partition) = split(state);
        let to = self.adaptive.after[partition][group.index()];
        let start = found.len();
        let mut answer = Ok(());
        for source in self.variants(own, partition, to) {
            let mut raw: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
            let here = self.inner.successors(&source, group, &mut |step| {
                raw.push((step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            });
            for (label, target) in raw {
                match self.choose(to, &target) {
                    Ok(target) => {
                        let step = (group, label, target);
                        if !found[start..].contains(&step) {
                            found.push(step);
                        }
                    }
                    Err(fault) => answer = answer.and(Err(fault)),
                }
            }
            answer = answer.and(here);
        }
        answer
    }

    /// A permutation of a state in which nothing can happen. It is looked for before any target is chosen: what is chosen counts
    /// as known, and has to be explored.
    fn dead_variant(&mut self, state: &[u32]) -> Option<Vec<u32>> {
        let (own, partition) = split(state);
        // A group that tells nothing apart has a step from all permutations or from none.
        let row = &self.adaptive.after[partition];
        let mut alike = (0..row.len()).filter(|group| row[*group] == partition);
        if alike.any(|group| self.can_happen(own, GroupId::new(group))) {
            return None;
        }
        let finest = self.adaptive.finest[partition];
        let groups = row.len();
        let variants = self.variants(own, partition, finest);
        variants
            .into_iter()
            .find(|variant| !(0..groups).any(|group| self.can_happen(variant, GroupId::new(group))))
    }

    /// Whether a group has a step, or a fault.
    fn can_happen(&mut self, state: &[u32], group: GroupId) -> bool {
        let mut has_step = false;
        let answer = self.inner.successors(state, group, &mut |_| {
            has_step = true;
            Flow::Stop
        });
        has_step || answer.is_err()
    }

    /// The words of a step to a wanted state, and the state before it.
    fn before(
        &mut self,
        abstract_before: &[u32],
        group: GroupId,
        passage: &PathStep,
        wanted: &[u32],
    ) -> Option<(Vec<u32>, Vec<u32>)> {
        let (own, partition) = split(abstract_before);
        let to = self.adaptive.after[partition][group.index()];
        let (form, images) = self.form(to, wanted);
        let back = permgroup::inverse(&images);
        for source in self.variants(own, partition, to) {
            let mut raw: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
            // A fault after the step does not matter here.
            let _ = self.inner.successors(&source, group, &mut |step| {
                if step.label == passage.words {
                    raw.push((step.label.to_vec(), step.target.to_vec()));
                }
                Flow::Continue
            });
            for (label, target) in raw {
                let (target_form, there) = self.form(to, &target);
                if target_form == form {
                    let names = permgroup::then(&there, &back);
                    let permute = self.adaptive.permute;
                    let words = permute.permute_label(group, &label, &names);
                    return Some((words, permuted(permute, &source, &names)));
                }
            }
        }
        None
    }
}

/// A state without its partition, and that.
fn split(state: &[u32]) -> (&[u32], usize) {
    match state {
        [own @ .., partition] => (own, *partition as usize),
        [] => unreachable!("an abstract state has a partition"),
    }
}

/// Ways to send positions to positions that differ in which cell a position goes to.
fn arrangements(cells: &[u32]) -> Vec<Vec<usize>> {
    fn extend(cells: &[u32], taken: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if taken.len() == cells.len() {
            all.push(taken.clone());
            return;
        }
        let mut tried = Vec::new();
        for at in 0..cells.len() {
            if !taken.contains(&at) && !tried.contains(&cells[at]) {
                tried.push(cells[at]);
                taken.push(at);
                extend(cells, taken, all);
                taken.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(cells, &mut Vec::new(), &mut all);
    all
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

impl Worker for Walking<'_> {
    pins::forward!(self.inner: take_notes, give_up, heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        self.inner.setups(&mut |setup| {
            let mut longer = setup.to_vec();
            longer.push(0);
            emit(&longer)
        })
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let mut all = Vec::new();
        let answer = self.inner.initial(split(setup).0, &mut |state| {
            all.push(state.to_vec());
            Flow::Continue
        });
        for state in all {
            let chosen = self.choose(0, &state)?;
            if emit(&chosen) == Flow::Stop {
                break;
            }
        }
        answer
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let mut found = Vec::new();
        let answer = self.steps(state, group, &mut found);
        for (_, label, target) in &found {
            if emit(Step { label, target }) == Flow::Stop {
                return Ok(());
            }
        }
        answer
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        if self.adaptive.finds_deadlocks
            && let Some(dead) = self.dead_variant(state)
        {
            self.adaptive.known().dead.insert(state.into(), dead);
            return;
        }
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        for group in (0..self.adaptive.shape.groups.len()).map(GroupId::new) {
            if let Err(problem) = self.steps(state, group, &mut found) {
                faults.push((group, problem));
            }
        }
        for (group, label, target) in &found {
            if emit(*group, Step { label, target }) == Flow::Stop {
                return;
            }
        }
        faults
            .into_iter()
            .for_each(|(group, found)| fault(group, found));
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.inner.label(split(state).0, label)
    }

    fn stutters(&mut self, state: &[u32]) -> bool {
        self.inner.stutters(split(state).0)
    }
}
