//! The worker of partial symmetry: steps of states with partitions, and the states before wanted ones.
//!
//! Invariant: what is chosen for a target counts as known and is given to whoever asked, so it is explored.

use pins::symmetry::{hides, permuted};
use pins::{Fault, FaultKind, Flow, GroupId, LabelId, PathStep, Step, Truth, Worker};
use rustc_hash::FxHashSet;

use super::super::exact::{Depth, Formed, Former, Part};
use super::partitions::arrangements;
use super::{Adaptive, Deadlocks};

/// A worker with what it needs to permute.
pub(super) struct Walking<'q> {
    adaptive: &'q Adaptive<'q>,
    pub(super) inner: Box<dyn Worker + 'q>,
    formers: Vec<Option<Former<'q>>>,
}

/// A step of an abstract state.
type Found = (GroupId, Vec<u32>, Vec<u32>);

impl<'q> Walking<'q> {
    pub(super) fn new(adaptive: &'q Adaptive<'q>) -> Walking<'q> {
        Walking {
            adaptive,
            inner: adaptive.system.worker(),
            formers: adaptive.partitions.iter().map(|_| None).collect(),
        }
    }

    /// The canonical form of a state under a partition, and the permutation to it.
    pub(super) fn form(&mut self, partition: usize, state: &[u32]) -> (Vec<u32>, Vec<u32>) {
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
    pub(super) fn before(
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
        if self.adaptive.deadlocks == Deadlocks::End
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
        if self.adaptive.deadlocks == Deadlocks::Watched
            && !found.is_empty()
            && self.dead_variant(state).is_some()
        {
            self.adaptive.dies_in_part.get_or_init(|| ());
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

/// A state without its partition, and that.
fn split(state: &[u32]) -> (&[u32], usize) {
    match state {
        [own @ .., partition] => (own, *partition as usize),
        [] => unreachable!("an abstract state has a partition"),
    }
}
