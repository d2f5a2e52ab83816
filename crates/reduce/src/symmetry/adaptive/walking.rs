//! The worker of partial symmetry: steps of states with partitions, and the states before wanted ones.
//!
//! Invariant: what is chosen for a target counts as known and is given to whoever asked, so it is explored.

use pins::{Fault, FaultKind, Flow, GroupId, LabelId, Step, Truth, Worker};
use rustc_hash::FxHashSet;

use super::means::Forming;
use super::{Adaptive, Deadlocks};

/// A worker with what it needs to permute.
pub(super) struct Walking<'q> {
    pub(super) adaptive: &'q Adaptive<'q>,
    pub(super) inner: Box<dyn Worker + 'q>,
    forming: Vec<Option<Forming<'q>>>,
}

/// A step of an abstract state.
type Found = (GroupId, Vec<u32>, Vec<u32>);

/// What a state with a word that hides points, or with too many permutations, leaves open.
fn open(message: String) -> Fault {
    Fault {
        kind: FaultKind::Budget,
        span: None,
        message,
    }
}

impl<'q> Walking<'q> {
    pub(super) fn new(adaptive: &'q Adaptive<'q>) -> Walking<'q> {
        Walking {
            adaptive,
            inner: adaptive.system.worker(),
            forming: adaptive.after.iter().map(|_| None).collect(),
        }
    }

    fn forming(&mut self, partition: usize) -> &mut Forming<'q> {
        let adaptive = self.adaptive;
        self.forming[partition]
            .get_or_insert_with(|| adaptive.means.forming(partition, adaptive.system.shape()))
    }

    /// The canonical form of a state under a partition, and the permutation to it.
    pub(super) fn form(&mut self, partition: usize, state: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let points = self.adaptive.points as u32;
        let found = self.forming(partition).form(state);
        found.unwrap_or_else(|| (state.to_vec(), (0..points).collect()))
    }

    /// Whether a state has the same permutations under a coarser partition.
    fn is_alike(&mut self, coarser: usize, partition: usize, state: &[u32]) -> bool {
        let Some(most) = self.forming(coarser).orbit(state) else {
            return false;
        };
        self.forming(partition).orbit(state) == Some(most)
    }

    /// The abstract state that stands for a state under a partition: a known one, or a new one. There is none for a state with words that
    /// hide points.
    fn choose(&mut self, partition: usize, state: &[u32]) -> Result<Vec<u32>, Fault> {
        let adaptive = self.adaptive;
        if let Some(slot) = adaptive.hides(state) {
            return Err(open(format!("slot {slot} may hide elements")));
        }
        let (own, _) = self.form(partition, state);
        let before = adaptive.known().chosen[partition].get(&own[..]).copied();
        for coarser in &adaptive.coarser[partition] {
            let is_own = *coarser == partition;
            if before.is_some_and(|before| before != *coarser)
                || !is_own && !adaptive.means.applies(*coarser, state)
            {
                continue;
            }
            let (mut form, _) = self.form(*coarser, state);
            let is_known = || adaptive.known().forms[*coarser].contains(&form[..]);
            if is_own || is_known() || self.is_alike(*coarser, partition, state) {
                let mut known = adaptive.known();
                known.forms[*coarser].insert(form.clone().into());
                known.chosen[partition].insert(own.into(), *coarser);
                form.push(*coarser as u32);
                return Ok(form);
            }
        }
        unreachable!("a partition is among those that are not finer")
    }

    /// The permutations of a state under one partition that a finer one tells apart.
    pub(super) fn variants(
        &mut self,
        state: &[u32],
        from: usize,
        to: usize,
    ) -> Result<Vec<Vec<u32>>, Fault> {
        if from == to {
            return Ok(vec![state.to_vec()]);
        }
        let means = &self.adaptive.means;
        let Some(all) = means.variants(from, to) else {
            return Err(open("a step tells too many permutations apart".to_owned()));
        };
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for images in all {
            let image = means.permuted(state, &images);
            let (form, _) = self.form(to, &image);
            if seen.insert(form.clone()) {
                found.push(form);
            }
        }
        Ok(found)
    }

    /// The partition after a step of a group.
    pub(super) fn after(&self, partition: usize, group: GroupId) -> usize {
        self.adaptive.after[partition][group.index()]
    }

    /// The steps of a group from an abstract state.
    fn steps(
        &mut self,
        state: &[u32],
        group: GroupId,
        found: &mut Vec<Found>,
    ) -> Result<(), Fault> {
        let (own, partition) = split(state);
        let to = self.after(partition, group);
        let start = found.len();
        let mut answer = Ok(());
        for source in self.variants(own, partition, to)? {
            let mut raw: Vec<Found> = Vec::new();
            let here = self.inner.successors(&source, group, &mut |step| {
                raw.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            });
            let chosen = self.targets(state, (raw, start), found);
            answer = answer.and(chosen).and(here);
        }
        answer
    }

    /// The abstract targets of steps of one group, without those that were found from `start` on.
    fn targets(
        &mut self,
        state: &[u32],
        (raw, start): (Vec<Found>, usize),
        found: &mut Vec<Found>,
    ) -> Result<(), Fault> {
        let (own, partition) = split(state);
        let adaptive = self.adaptive;
        let mut answer = Ok(());
        for (group, label, target) in raw {
            let mut to = self.after(partition, group);
            if adaptive.begins_to_apply(own, &target) {
                to = adaptive.settled.unwrap_or(to);
            }
            let chosen = match adaptive.means.applies(to, &target) || to == adaptive.first {
                true => self.choose(to, &target),
                false => Err(open("a state cannot be permuted any more".to_owned())),
            };
            match chosen {
                Ok(target) => {
                    let step = (group, label, target);
                    if !found[start..].contains(&step) {
                        found.push(step);
                    }
                }
                Err(fault) => answer = answer.and(Err(fault)),
            }
        }
        answer
    }

    /// The steps of groups that tell nothing apart that the partition of a state does not, and the faults of such groups.
    fn alike_steps(&mut self, state: &[u32]) -> (Vec<Found>, Vec<(GroupId, Fault)>) {
        let (own, partition) = split(state);
        let row = &self.adaptive.after[partition];
        let is_alike = |group: GroupId| row[group.index()] == partition;
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        self.inner.all_successors(
            own,
            &mut |group, step| {
                if is_alike(group) {
                    found.push((group, step.label.to_vec(), step.target.to_vec()));
                }
                Flow::Continue
            },
            &mut |group, fault| {
                if is_alike(group) {
                    faults.push((group, fault));
                }
            },
        );
        // Groups are answered in any order.
        found.sort_by_key(|step: &Found| step.0);
        (found, faults)
    }

    /// A permutation of a state in which nothing can happen, where groups that tell nothing apart have no step.
    fn dead_variant(&mut self, state: &[u32]) -> Result<Option<Vec<u32>>, Fault> {
        let (own, partition) = split(state);
        let finest = self.adaptive.finest[partition];
        let groups = self.adaptive.after[partition].len();
        let variants = self.variants(own, partition, finest)?;
        let mut variants = variants.into_iter();
        Ok(variants.find(|variant| {
            !(0..groups).any(|group| self.can_happen(variant, GroupId::new(group)))
        }))
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
}

impl Worker for Walking<'_> {
    pins::forward!(self.inner: take_notes, give_up, heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        self.inner.setups(&mut |setup| {
            let mut longer = setup.to_vec();
            longer.push(self.adaptive.first as u32);
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
            let chosen = self.choose(self.adaptive.start(&state), &state)?;
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
        // A deadlock is looked for before any target is chosen: what is chosen counts as known, and has to be explored.
        let (alike, mut faults) = self.alike_steps(state);
        let is_asked = self.adaptive.deadlocks != Deadlocks::Unseen;
        let may_die = is_asked && alike.is_empty() && faults.is_empty();
        let dead = match may_die {
            true => self.dead_variant(state),
            false => Ok(None),
        };
        let dies_in_part = match dead {
            Ok(Some(dead)) if self.adaptive.deadlocks == Deadlocks::End => {
                self.adaptive.known().dead.insert(state.into(), dead);
                return;
            }
            Ok(dead) => dead.is_some(),
            Err(unknown) => {
                faults.push((GroupId::new(0), unknown));
                false
            }
        };
        let (_, partition) = split(state);
        let mut found = Vec::new();
        let mut alike = alike.into_iter().peekable();
        for group in (0..self.adaptive.shape.groups.len()).map(GroupId::new) {
            let answer = match self.after(partition, group) == partition {
                true => {
                    let mut own = Vec::new();
                    while let Some(step) = alike.next_if(|step| step.0 == group) {
                        own.push(step);
                    }
                    let start = found.len();
                    self.targets(state, (own, start), &mut found)
                }
                false => self.steps(state, group, &mut found),
            };
            faults.extend(answer.err().map(|fault| (group, fault)));
        }
        if dies_in_part && !found.is_empty() {
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
pub(super) fn split(state: &[u32]) -> (&[u32], usize) {
    match state {
        [own @ .., partition] => (own, *partition as usize),
        [] => unreachable!("an abstract state has a partition"),
    }
}
