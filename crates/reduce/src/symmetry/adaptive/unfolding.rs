//! Paths of states with partitions as paths of the unreduced system.
//!
//! Technique: backwards. Any permutation of a state that is wanted was reached from a permutation of the one before. Where the first
//! states that can be permuted are permuted to each other, the way to the one that is wanted is searched from the start.
//! Invariant: every step of the result is a step of the unreduced system.

use std::collections::VecDeque;

use pins::{Event, Flow, GroupId, Path, PathStep};
use rustc_hash::FxHashMap;

use super::Adaptive;
use super::means::Means;
use super::walking::{Walking, split};

/// The state before a step, its group and its words.
type From = (Vec<u32>, GroupId, Vec<u32>);

/// What happened, its words, and the state before it.
type Before = (Event, Vec<u32>, Vec<u32>);

impl Adaptive<'_> {
    /// A path of the unreduced system to a state that the last one of a path stands for; `None` when there is none, which is a
    /// bug.
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
            let (event, words, before) = match passage.event {
                Event::Group(group) => {
                    let earlier = &path.get(at.wrapping_sub(1))?.state;
                    if self.begins_to_apply(split(earlier).0, &wanted) {
                        let setups = path.iter().filter(|step| step.event == Event::Setup);
                        let mut start: Path = setups
                            .map(|step| PathStep {
                                state: self.setup_of(step, &wanted),
                                ..step.clone()
                            })
                            .collect();
                        start.extend(walking.way_to(&wanted)?);
                        start.extend(real.into_iter().rev());
                        return Some(start);
                    }
                    walking.before(earlier, group, passage, &wanted)?
                }
                event => (event, Vec::new(), wanted.clone()),
            };
            let state = match passage.event {
                Event::Setup => self.setup_of(passage, &wanted),
                _ => wanted,
            };
            real.push(PathStep {
                event,
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
        let slots = self.system.shape().slots.iter();
        let slots = slots.zip(state).zip(&passage.state);
        slots
            .map(|((slot, word), blank)| if slot.is_constant { *word } else { *blank })
            .collect()
    }
}

impl Walking<'_> {
    /// What happened before a wanted state, which a state stands for that was reached by a step of a group.
    fn before(
        &mut self,
        abstract_before: &[u32],
        group: GroupId,
        passage: &PathStep,
        wanted: &[u32],
    ) -> Option<Before> {
        let (own, partition) = split(abstract_before);
        let to = self.after(partition, group);
        let (form, images) = self.form(to, wanted);
        let back = permgroup::inverse(&images);
        for source in self.variants(own, partition, to).ok()? {
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
                if target_form != form {
                    continue;
                }
                let names = permgroup::then(&there, &back);
                let before = self.adaptive.means.permuted(&source, &names);
                let happened = match &self.adaptive.means {
                    Means::Elements(permute, _) => {
                        let words = permute.permute_label(group, &label, &names);
                        Some((group, words))
                    }
                    Means::Steps(..) => self.step_between(&before, group, wanted),
                };
                if let Some((group, words)) = happened {
                    return Some((Event::Group(group), words, before));
                }
            }
        }
        None
    }

    /// A step from one state to another, of a group if there is one. Permutations take steps of one group to those of another.
    fn step_between(
        &mut self,
        from: &[u32],
        group: GroupId,
        to: &[u32],
    ) -> Option<(GroupId, Vec<u32>)> {
        let mut found: Option<(GroupId, Vec<u32>)> = None;
        self.inner.all_successors(
            from,
            &mut |own, step| {
                if step.target == to && (found.is_none() || own == group) {
                    found = Some((own, step.label.to_vec()));
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
        found
    }

    /// A path to one of the first states that can be permuted.
    fn way_to(&mut self, wanted: &[u32]) -> Option<Path> {
        let adaptive = self.adaptive;
        let mut open: VecDeque<Vec<u32>> = VecDeque::new();
        let blank = vec![0; adaptive.system.shape().slots.len()];
        // Faults were looked for before.
        let _ = self.inner.initial(&blank, &mut |state| {
            open.push_back(state.to_vec());
            Flow::Continue
        });
        let mut known: FxHashMap<Vec<u32>, Option<From>> =
            open.iter().map(|state| (state.clone(), None)).collect();
        while let Some(state) = open.pop_front() {
            if state == wanted {
                break;
            }
            if adaptive
                .settled
                .is_some_and(|at| adaptive.means.applies(at, &state))
            {
                continue;
            }
            self.inner.all_successors(
                &state,
                &mut |group, step| {
                    if !known.contains_key(step.target) {
                        let from = (state.clone(), group, step.label.to_vec());
                        known.insert(step.target.to_vec(), Some(from));
                        open.push_back(step.target.to_vec());
                    }
                    Flow::Continue
                },
                &mut |_, _| {},
            );
        }
        let mut path = Path::new();
        let mut at = wanted.to_vec();
        while let Some((before, group, words)) = known.get(&at)?.clone() {
            path.push(PathStep {
                event: Event::Group(group),
                words,
                state: std::mem::replace(&mut at, before),
            });
        }
        path.push(PathStep {
            event: Event::Initialisation,
            words: Vec::new(),
            state: at,
        });
        path.reverse();
        Some(path)
    }
}
