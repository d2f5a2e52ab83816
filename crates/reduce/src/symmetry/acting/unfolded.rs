//! Turns a path of representatives into a path of the unreduced system.
//!
//! Technique: the permutation from the representative to the real state is carried along. A step of the representative leads
//! to a state that a permutation takes to the next representative; seen from the real state it is the step to the
//! permuted target, which is looked for among the real steps. Ends of processes that are permuted (`stages.rs`) are left out: in the
//! real state the process may have to wait, and nothing else sees that. A path to a state without steps is followed by the ends
//! that are possible there.
//! Invariant: every step of the result is a step of the unreduced system.

use permgroup::{identity, inverse, then};
use pins::{Action, Event, Flow, GroupId, Path, PathStep, System, Worker};

use super::{Acting, Refined, Stages};

/// The path of the unreduced system that a path of representatives stands for; `None` when there is none, which is a bug.
pub(in crate::symmetry) fn unfold(
    system: &dyn System,
    stages: &Stages<'_>,
    path: &[PathStep],
) -> Option<Path> {
    let action = stages.whole().action;
    let refined = stages.all();
    let mut unfolding = Unfolding {
        system,
        stages,
        action,
        worker: system.worker(),
        refined: refined
            .map(|acting| acting.map(|acting| (acting, Refined::new(acting, false))))
            .collect(),
        names: identity(action.points.len()),
    };
    unfolding.worker.go_past_faults();
    let mut real: Path = Vec::with_capacity(path.len());
    for (at, passage) in path.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &path[at]);
        let step = match passage.event {
            Event::Setup => Some(passage.clone()),
            Event::Group(_) => {
                let source = real.last()?.state.clone();
                unfolding.step(before?, passage, &source)?
            }
            _ => Some(unfolding.initial(passage)?),
        };
        real.extend(step);
    }
    if stages.has_ends() {
        unfolding.end(&path.last()?.state, &mut real);
    }
    Some(real)
}

struct Unfolding<'a> {
    system: &'a dyn System,
    stages: &'a Stages<'a>,
    action: &'a Action,
    worker: Box<dyn Worker + 'a>,
    /// By how many processes have ended.
    refined: Vec<Option<(&'a Acting<'a>, Refined<'a>)>>,
    /// From the points of the representative to the real ones.
    names: Vec<u32>,
}

/// A step of a state.
struct Found {
    group: GroupId,
    words: Vec<u32>,
    target: Vec<u32>,
    /// The permutation of the state before the step was taken.
    moved: Vec<u32>,
    is_end: bool,
}

impl Unfolding<'_> {
    fn initial(&mut self, passage: &PathStep) -> Option<PathStep> {
        let mut all = Vec::new();
        let blank = vec![0; self.system.shape().slots.len()];
        let _ = self.worker.initial(&blank, &mut |state| {
            all.push(state.to_vec());
            Flow::Continue
        });
        let (state, images) = all.into_iter().find_map(|state| {
            self.meets(&state, &passage.state)
                .map(|images| (state, images))
        })?;
        self.names = inverse(&images);
        Some(PathStep {
            state,
            ..passage.clone()
        })
    }

    /// The real step; nothing for the end of a process that nobody sees.
    fn step(
        &mut self,
        before: &PathStep,
        passage: &PathStep,
        source: &[u32],
    ) -> Option<Option<PathStep>> {
        let mut steps = self.steps(&before.state);
        steps.extend(self.other_ends(&before.state));
        let is_meant = |step: &&Found| {
            passage.event == Event::Group(step.group) && passage.words == step.words
        };
        let meant: Vec<&Found> = steps.iter().filter(is_meant).collect();
        let others = steps.iter().filter(|step| !is_meant(step));
        let (taken, images) = meant.into_iter().chain(others).find_map(|step| {
            let images = self.meets(&step.target, &passage.state)?;
            Some((step, images))
        })?;
        // A point of the next representative comes from one of this target, which has a real name.
        let names = then(&inverse(&taken.moved), &self.names);
        let next = then(&inverse(&images), &names);
        if taken.is_end && self.stages.has_ends() {
            self.names = next;
            return Some(None);
        }
        let wanted = self.without_over(&self.action.permute(&taken.target, &names));
        let real = self.steps(source).into_iter();
        let step = real
            .filter(|step| self.without_over(&step.target) == wanted)
            .min_by_key(|step| (step.is_end, passage.event != Event::Group(step.group)))?;
        self.names = next;
        Some(Some(step.into()))
    }

    /// Lets processes end, where the representative has nothing left to do.
    fn end(&mut self, representative: &[u32], real: &mut Path) {
        if !self.steps(representative).is_empty() || !self.other_ends(representative).is_empty() {
            return;
        }
        while let Some(last) = real.last() {
            let state = last.state.clone();
            let Some(end) = self.steps(&state).into_iter().find(|step| step.is_end) else {
                return;
            };
            real.push(end.into());
        }
    }

    fn without_over(&self, vector: &[u32]) -> Vec<u32> {
        let mut vector = vector.to_vec();
        if self.stages.has_ends() {
            self.stages.forget_over(&mut vector);
        }
        vector
    }

    fn steps(&mut self, state: &[u32]) -> Vec<Found> {
        let mut all = Vec::new();
        let (action, moved) = (self.action, identity(self.action.points.len()));
        self.worker.all_successors(
            state,
            &mut |group, step| {
                all.push(Found {
                    group,
                    words: step.label.to_vec(),
                    target: step.target.to_vec(),
                    moved: moved.clone(),
                    is_end: action.is_end(state, step.target),
                });
                Flow::Continue
            },
            &mut |_, _| {},
        );
        all
    }

    /// The ends of processes from other states of an orbit.
    fn other_ends(&mut self, state: &[u32]) -> Vec<Found> {
        let mut states = Vec::new();
        self.stages
            .each_end(state, &mut |acting, images, permuted| {
                states.push((acting.widened(images), permuted.to_vec()));
            });
        let mut all = Vec::new();
        for (moved, permuted) in states {
            let ends = self.steps(&permuted).into_iter();
            all.extend(ends.filter(|step| step.is_end).map(|step| Found {
                moved: moved.clone(),
                ..step
            }));
        }
        all
    }

    /// The permutation of one state to another, if they are symmetric.
    fn meets(&mut self, from: &[u32], to: &[u32]) -> Option<Vec<u32>> {
        if from == to {
            return Some(identity(self.action.points.len()));
        }
        let stage = self.stages.stage(from)?;
        let (acting, refined) = self.refined.get_mut(stage)?.as_mut()?;
        let (mut form, mut wanted) = (Vec::new(), Vec::new());
        refined.form(from, &mut form);
        let there = refined.images.clone();
        refined.form(to, &mut wanted);
        let images = then(&there, &inverse(&refined.images));
        (form == wanted).then(|| acting.widened(&images))
    }
}

impl From<Found> for PathStep {
    fn from(step: Found) -> PathStep {
        PathStep {
            event: Event::Group(step.group),
            words: step.words,
            state: step.target,
        }
    }
}
