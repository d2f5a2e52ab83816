//! Turns a path of representatives into a path of the unreduced system, with consistent names of elements.
//!
//! Technique: the way from the names of the representative to the real ones is carried along. A step from a
//! representative leads to a state that a permutation maps to the next representative; the inverse of it is
//! appended. By symmetry the permuted step is a step of the permuted state.
//! Invariant: every step of the result is a step of the unreduced system; whoever shows it replays it.

use pins::{Event, Flow, GroupId, Path, PathStep, Permute, System, Worker};

use super::forms::Forms;
use super::quotient::{Means, Quotient};

/// The path of the unreduced system that a path of representatives stands for; `None` when there is none, which
/// is a bug.
pub fn unfold(quotient: &Quotient<'_>, path: &[PathStep]) -> Option<Path> {
    let (system, means) = quotient.parts();
    let elements = match means {
        Means::Acting(stages, _) => return super::acting::unfold(system, stages, path),
        Means::Elements(elements) => elements,
    };
    let permute = elements.permute;
    let points = pins::symmetry::points(permute.sorts()) as u32;
    let mut unfolding = Unfolding {
        system,
        permute,
        worker: system.worker(),
        forms: Forms::of(system, elements),
        names: (0..points).collect(),
    };
    // The path may lead past a fault; that its steps exist is all that counts here.
    unfolding.worker.go_past_faults();
    let mut real = Vec::with_capacity(path.len());
    let mut before: Option<&PathStep> = None;
    for passage in path {
        real.push(unfolding.step(before, passage)?);
        before = Some(passage);
    }
    Some(real)
}

struct Unfolding<'a> {
    system: &'a dyn System,
    permute: &'a dyn Permute,
    worker: Box<dyn Worker + 'a>,
    forms: Forms<'a>,
    /// The real point for each point of the representative.
    names: Vec<u32>,
}

/// A step of the unreduced system to a state that `images` maps to the representative.
struct Found {
    words: Vec<u32>,
    vector: Vec<u32>,
    images: Vec<u32>,
    group: Option<GroupId>,
}

impl Unfolding<'_> {
    fn step(&mut self, before: Option<&PathStep>, passage: &PathStep) -> Option<PathStep> {
        if passage.event == Event::Setup {
            // Any permutation of a set-up is a set-up.
            return Some(passage.clone());
        }
        let found = match passage.event {
            Event::Group(group) => {
                let source = &before?.state;
                self.successor(source, Some((group, &passage.words)), &passage.state)
                    .or_else(|| self.successor(source, None, &passage.state))?
            }
            _ => self.initial(before, &passage.state)?,
        };
        let event = found.group.map_or(passage.event, Event::Group);
        let real = PathStep {
            event,
            words: match event {
                Event::Group(group) => self.permute.permute_label(group, &found.words, &self.names),
                _ => Vec::new(),
            },
            state: self.rename(&found.vector),
        };
        // A point of the next representative comes from one of this state, which has a real name.
        let mut names = self.names.clone();
        for (point, image) in found.images.iter().enumerate() {
            names[*image as usize] = self.names[point];
        }
        self.names = names;
        Some(real)
    }

    fn rename(&self, vector: &[u32]) -> Vec<u32> {
        let words = vector.iter().enumerate();
        words
            .map(|(slot, word)| match self.permute.moves(slot) {
                true => self.permute.permute(slot, *word, &self.names),
                false => *word,
            })
            .collect()
    }

    fn initial(&mut self, setup: Option<&PathStep>, target: &[u32]) -> Option<Found> {
        let blank = match setup {
            Some(setup) => setup.state.clone(),
            None => {
                let mut first = None;
                let _ = self.worker.setups(&mut |vector| {
                    first = Some(vector.to_vec());
                    Flow::Stop
                });
                first?
            }
        };
        let mut all = Vec::new();
        // A fault after the state does not matter here.
        let _ = self.worker.initial(&blank, &mut |state| {
            all.push(state.to_vec());
            Flow::Continue
        });
        let wanted = self.forms.form(target);
        all.into_iter().find_map(|vector| {
            let images = self.meets(&vector, target, &wanted)?;
            Some(Found {
                words: Vec::new(),
                vector,
                images,
                group: None,
            })
        })
    }

    fn successor(
        &mut self,
        source: &[u32],
        wanted: Option<(GroupId, &[u32])>,
        target: &[u32],
    ) -> Option<Found> {
        let mut all = Vec::new();
        for index in 0..self.system.shape().groups.len() {
            let group = GroupId::new(index);
            if wanted.is_some_and(|(wanted, _)| wanted != group) {
                continue;
            }
            let _ = self.worker.successors(source, group, &mut |step| {
                if wanted.is_none_or(|(_, words)| words == step.label) {
                    all.push((group, step.label.to_vec(), step.target.to_vec()));
                }
                Flow::Continue
            });
        }
        let form = self.forms.form(target);
        all.into_iter().find_map(|(group, words, vector)| {
            let images = self.meets(&vector, target, &form)?;
            Some(Found {
                words,
                vector,
                images,
                group: Some(group),
            })
        })
    }

    /// The permutation of `vector` to `target`, if they are symmetric.
    fn meets(
        &mut self,
        vector: &[u32],
        target: &[u32],
        wanted: &(Vec<u32>, Vec<u32>),
    ) -> Option<Vec<u32>> {
        if vector == target {
            return Some((0..self.names.len() as u32).collect());
        }
        let (there, form) = self.forms.form(vector);
        if form != wanted.1 {
            return None;
        }
        let mut back = vec![0; there.len()];
        for (point, image) in wanted.0.iter().enumerate() {
            back[*image as usize] = point as u32;
        }
        Some(there.iter().map(|image| back[*image as usize]).collect())
    }
}
