//! Turns a path of representatives into a path of the unreduced system.
//!
//! Technique: the permutation from the representative to the real state is carried along. A step of the representative leads
//! to a state that a permutation takes to the next representative; seen from the real state it is the step to the
//! permuted target, which is looked for among the real steps.
//! Invariant: every step of the result is a step of the unreduced system.

use permgroup::{identity, inverse, then};
use pins::{Event, Flow, GroupId, Path, PathStep, System, Worker};

use super::{Acting, Refined};

/// The path of the unreduced system that a path of representatives stands for; `None` when there is none, which is a bug.
pub(in crate::symmetry) fn unfold(
    system: &dyn System,
    acting: &Acting<'_>,
    path: &[PathStep],
) -> Option<Path> {
    let mut unfolding = Unfolding {
        system,
        acting,
        worker: system.worker(),
        refined: Refined::new(acting, false),
        names: identity(acting.points()),
    };
    unfolding.worker.go_past_faults();
    let mut real: Path = Vec::with_capacity(path.len());
    for (at, passage) in path.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &path[at]);
        let step = match passage.event {
            Event::Setup => passage.clone(),
            Event::Group(_) => {
                let source = real.last()?.state.clone();
                unfolding.step(before?, passage, &source)?
            }
            _ => unfolding.initial(passage)?,
        };
        real.push(step);
    }
    Some(real)
}

struct Unfolding<'a> {
    system: &'a dyn System,
    acting: &'a Acting<'a>,
    worker: Box<dyn Worker + 'a>,
    refined: Refined<'a>,
    /// From the points of the representative to the real ones.
    names: Vec<u32>,
}

type Found = (GroupId, Vec<u32>, Vec<u32>);

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

    fn step(&mut self, before: &PathStep, passage: &PathStep, source: &[u32]) -> Option<PathStep> {
        let steps = self.steps(&before.state);
        let is_meant = |(group, words, _): &&Found| {
            passage.event == Event::Group(*group) && passage.words == *words
        };
        let meant: Vec<&Found> = steps.iter().filter(is_meant).collect();
        let others = steps.iter().filter(|step| !is_meant(step));
        let (target, images) = meant.into_iter().chain(others).find_map(|(_, _, target)| {
            let images = self.meets(target, &passage.state)?;
            Some((target, images))
        })?;
        let mut state = Vec::new();
        match permgroup::is_identity(&self.names) {
            true => state.clone_from(target),
            false => self.acting.apply(&self.names, target, &mut state),
        }
        let real = self.steps(source).into_iter();
        let (group, words, _) = real
            .filter(|(_, _, found)| *found == state)
            .min_by_key(|(group, _, _)| passage.event != Event::Group(*group))?;
        // A point of the next representative comes from one of this target, which has a real name.
        self.names = then(&inverse(&images), &self.names);
        Some(PathStep {
            event: Event::Group(group),
            words,
            state,
        })
    }

    fn steps(&mut self, state: &[u32]) -> Vec<Found> {
        let mut all = Vec::new();
        self.worker.all_successors(
            state,
            &mut |group, step| {
                all.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            &mut |_, _| {},
        );
        all
    }

    /// The permutation of one state to another, if they are symmetric.
    fn meets(&mut self, from: &[u32], to: &[u32]) -> Option<Vec<u32>> {
        if from == to {
            return Some(identity(self.acting.points()));
        }
        let (mut form, mut wanted) = (Vec::new(), Vec::new());
        self.refined.form(from, &mut form);
        let there = self.refined.images.clone();
        self.refined.form(to, &mut wanted);
        (form == wanted).then(|| then(&there, &inverse(&self.refined.images)))
    }
}
