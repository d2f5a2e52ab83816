//! Holds any [`Permute`] to its numbered laws, on states it really reaches: one line in a test.

use std::collections::{BTreeSet, HashSet, VecDeque};

use crate::laws::Broken;
use crate::shape::{GroupId, LabelId};
use crate::symmetry::{Permute, View, classes, permuted, points, targets as targets_of};
use crate::system::{Flow, System, Truth, Worker};

/// Checks the laws on the first `samples` states in breadth-first order; how many there were.
///
/// # Errors
/// The first law that does not hold.
pub fn check_permutations(system: &dyn System, samples: usize) -> Result<usize, Broken> {
    let Some(permute) = system.symmetry() else {
        return Ok(0);
    };
    let mut check = Check {
        system,
        permute,
        worker: system.worker(),
        images: generators(permute),
    };
    let states = check.reach(samples);
    for state in &states {
        check.group_and_view(state)?;
        check.automorphism(state)?;
    }
    Ok(states.len())
}

struct Check<'a> {
    system: &'a dyn System,
    permute: &'a dyn Permute,
    worker: Box<dyn Worker + 'a>,
    /// Exchanges of neighbours, and a rotation of each class.
    images: Vec<Vec<u32>>,
}

type Steps = BTreeSet<(usize, Vec<u32>, Vec<u32>)>;

fn generators(permute: &dyn Permute) -> Vec<Vec<u32>> {
    let identity: Vec<u32> = (0..points(permute.sorts()) as u32).collect();
    let mut all = Vec::new();
    for class in classes(permute.sorts()) {
        for pair in class.windows(2) {
            let mut images = identity.clone();
            images.swap(pair[0] as usize, pair[1] as usize);
            all.push(images);
        }
        let mut images = identity.clone();
        for (at, point) in class.iter().enumerate() {
            images[*point as usize] = class[(at + 1) % class.len()];
        }
        all.push(images);
    }
    all
}

impl Check<'_> {
    fn reach(&mut self, samples: usize) -> Vec<Vec<u32>> {
        let mut setups = Vec::new();
        let _ = self.worker.setups(&mut |setup| {
            setups.push(setup.to_vec());
            if setups.len() < samples {
                Flow::Continue
            } else {
                Flow::Stop
            }
        });
        let mut queue = VecDeque::new();
        for setup in setups {
            let _ = self.worker.initial(&setup, &mut |state| {
                queue.push_back(state.to_vec());
                if queue.len() < samples {
                    Flow::Continue
                } else {
                    Flow::Stop
                }
            });
        }
        let mut known: HashSet<Vec<u32>> = queue.iter().cloned().collect();
        let mut states = Vec::new();
        while let Some(state) = queue.pop_front() {
            if states.len() == samples {
                break;
            }
            for (_, _, target) in self.steps(&state) {
                if known.insert(target.clone()) {
                    queue.push_back(target);
                }
            }
            states.push(state);
        }
        states
    }

    fn steps(&mut self, state: &[u32]) -> Steps {
        let mut steps = Steps::new();
        self.worker.all_successors(
            state,
            &mut |group, step| {
                steps.insert((group.index(), step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            &mut |_, _| {},
        );
        steps
    }

    fn apply(&self, state: &[u32], images: &[u32]) -> Vec<u32> {
        permuted(self.permute, state, images)
    }

    /// Laws 1, 2, 5 and 6.
    fn group_and_view(&self, state: &[u32]) -> Result<(), Broken> {
        let identity: Vec<u32> = (0..points(self.permute.sorts()) as u32).collect();
        if self.apply(state, &identity) != state {
            return broken(1, format!("the identity changes {state:?}"));
        }
        for first in &self.images {
            let once = self.apply(state, first);
            let action = self.permute.as_action();
            if action.is_some_and(|action| action.permute(state, first) != once) {
                return broken(5, format!("the action permutes {state:?} otherwise"));
            }
            for second in &self.images {
                let product: Vec<u32> = first.iter().map(|image| second[*image as usize]).collect();
                if self.apply(&once, second) != self.apply(state, &product) {
                    return broken(
                        1,
                        format!("two permutations of {state:?} are not their product"),
                    );
                }
            }
            let moved = targets_of(self.permute.places(), first);
            let Some(moved) = moved else {
                return broken(4, "a place has no image".to_owned());
            };
            for slot in (0..state.len()).filter(|slot| self.permute.moves(*slot)) {
                let mut before = Tree::default();
                let mut after = Tree::default();
                let is_shown = self.permute.view(slot, state[slot], &mut before);
                if !is_shown && !self.permute.may_hide(slot) {
                    return broken(6, format!("slot {slot} of {state:?} hides points"));
                }
                if !is_shown {
                    continue;
                }
                let target = moved.get(slot).copied().unwrap_or(slot);
                self.permute.view(target, once[target], &mut after);
                if before.part(first) != after.part(&identity) {
                    return broken(2, format!("slot {slot} of {state:?} is shown otherwise"));
                }
                let (word, image) = (state[slot], once[target]);
                if word != image && self.permute.is_still(slot, word) {
                    return broken(6, format!("slot {slot} of {state:?} is not still"));
                }
                let order = self.permute.compare(slot, word, image);
                let reversed = self.permute.compare(slot, image, word).reverse();
                if order != reversed || order.is_eq() != (word == image) {
                    return broken(6, format!("slot {slot} of {state:?} is not in order"));
                }
            }
        }
        Ok(())
    }

    /// Law 4: what law 3 says, up to the groups of steps and the numbers of labels.
    fn automorphism_in_places(&mut self, state: &[u32]) -> Result<(), Broken> {
        let groups = &self.system.shape().groups;
        let written = |group: usize| -> Vec<usize> { groups[group].may_write.iter().collect() };
        let targets = |steps: Steps| -> BTreeSet<(Vec<usize>, Vec<u32>)> {
            let steps = steps.into_iter();
            steps
                .map(|(group, _, target)| (written(group), target))
                .collect()
        };
        let steps = targets(self.steps(state));
        let truths = self.count_true(state);
        for images in self.images.clone() {
            let image = self.apply(state, &images);
            let moved = targets_of(self.permute.places(), &images).unwrap_or_default();
            let expected = steps.iter().map(|(slots, to)| {
                let mut slots: Vec<usize> = slots.iter().map(|slot| moved[*slot]).collect();
                slots.sort_unstable();
                (slots, self.apply(to, &images))
            });
            let expected: BTreeSet<(Vec<usize>, Vec<u32>)> = expected.collect();
            if targets(self.steps(&image)) != expected {
                let what = format!("the steps of {state:?} are not permuted with it");
                return broken(4, what);
            }
            if self.count_true(&image) != truths {
                return broken(4, format!("another number of labels is true in {state:?}"));
            }
        }
        Ok(())
    }

    fn count_true(&mut self, state: &[u32]) -> usize {
        let labels = 0..self.system.shape().labels.len();
        let truths = labels.map(|label| self.worker.label(state, LabelId::new(label)));
        truths.filter(|truth| *truth == Truth::True).count()
    }

    /// Law 3.
    fn automorphism(&mut self, state: &[u32]) -> Result<(), Broken> {
        if !self.permute.places().is_empty() {
            return self.automorphism_in_places(state);
        }
        let steps = self.steps(state);
        for images in self.images.clone() {
            let image = self.apply(state, &images);
            let expected: Steps = steps
                .iter()
                .map(|(group, label, target)| {
                    let label = self
                        .permute
                        .permute_label(GroupId::new(*group), label, &images);
                    (*group, label, self.apply(target, &images))
                })
                .collect();
            if self.steps(&image) != expected {
                return broken(
                    3,
                    format!("the steps of {state:?} are not permuted with it"),
                );
            }
            for label in 0..self.system.shape().labels.len() {
                let label = LabelId::new(label);
                let kind = |truth: Truth| match truth {
                    Truth::True => 0,
                    Truth::False => 1,
                    Truth::Undefined(_) => 2,
                    Truth::Unknown(_) => 3,
                };
                let truth = kind(self.worker.label(state, label));
                if kind(self.worker.label(&image, label)) != truth {
                    return broken(3, format!("label {} changes in {state:?}", label.index()));
                }
            }
        }
        Ok(())
    }
}

fn broken<T>(law: u8, message: String) -> Result<T, Broken> {
    Err(Broken { law, message })
}

/// A value as it is shown, node by node: a node before its parts.
#[derive(Debug, Default)]
pub struct Tree(pub Vec<Shown>);

/// A node of a value that was shown.
#[derive(Debug)]
pub enum Shown {
    /// Something that no permutation touches.
    Atom(Vec<u64>),
    /// A point.
    Point(u32),
    /// A tuple of so many parts.
    Tuple(usize),
    /// A set of so many parts.
    Set(usize),
}

/// A value with its sets sorted.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Atom(Vec<u64>),
    Point(u32),
    Tuple(Vec<Part>),
    Set(Vec<Part>),
}

impl Tree {
    /// The value with its points exchanged.
    fn part(&self, images: &[u32]) -> Option<Part> {
        let mut stack: Vec<Part> = Vec::new();
        for node in self.0.iter().rev() {
            let part = match node {
                Shown::Atom(words) => Part::Atom(words.clone()),
                Shown::Point(point) => Part::Point(images[*point as usize]),
                Shown::Tuple(count) => Part::Tuple(stack.split_off(stack.len() - count)),
                Shown::Set(count) => {
                    let mut parts = stack.split_off(stack.len() - count);
                    parts.sort();
                    Part::Set(parts)
                }
            };
            stack.push(part);
        }
        stack.pop()
    }
}

impl View for Tree {
    fn atom(&mut self, words: &[u64]) {
        self.0.push(Shown::Atom(words.to_vec()));
    }
    fn point(&mut self, point: u32) {
        self.0.push(Shown::Point(point));
    }
    fn tuple(&mut self, parts: usize) {
        self.0.push(Shown::Tuple(parts));
    }
    fn set(&mut self, parts: usize) {
        self.0.push(Shown::Set(parts));
    }
}
