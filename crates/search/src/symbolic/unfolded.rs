//! Finds the way to a representative in the unreduced system: backwards through levels and through the exchanges that led to
//! it, then forwards with real names.
//!
//! Technique: the image of a level is sorted once more and every stage is kept. A state after an exchange was there before it
//! and stayed, or is the exchange of one that was; so a state of the image is found without searching its orbit. Then
//! permutations are carried along from the initial state.
//! Invariant: every step of a path is a step that the system gives for the state before it.

use ldd::{Node, Relations};
use permgroup::{inverse, then};
use pins::{Event, PathStep};

use super::orbits::Stages;
use super::run::{Run, Stopped};

/// A state, and the permutation to its representative.
type Origin = (Vec<u32>, Vec<u32>);

impl Run<'_> {
    /// The path to a state that a representative of a level stands for.
    pub(super) fn unfolded(
        &mut self,
        vector: &[u32],
        level: usize,
        keep: &[Node],
    ) -> Result<Vec<PathStep>, Stopped> {
        let mut way = Vec::new();
        let mut state = vector.to_vec();
        for at in (0..level).rev() {
            let image = self.image_of(self.levels[at], keep)?;
            let (target, images) = self.origin(image, &state, keep)?;
            let (_, before) = self.predecessor(&target, at, keep)?;
            way.push((target, images));
            state = before;
        }
        let (first, images) = self.origin(self.first, &state, keep)?;
        let mut names = inverse(&images);
        let mut real = self.to_slots(&first);
        let mut path = self.beginning(&real);
        for (target, images) in way.into_iter().rev() {
            let target = self.permuted(&names, &self.to_slots(&target))?;
            let step = self.step_between(&real, &target).ok_or(Stopped)?;
            path.push(step);
            names = then(&inverse(&images), &names);
            real = target;
        }
        Ok(path)
    }

    /// Everything that one step leads to, as it is.
    pub(super) fn image_of(&mut self, set: Node, keep: &[Node]) -> Result<Node, Stopped> {
        let mut image = Node::EMPTY;
        for class in 0..self.learner.classes.len() {
            let relation = self.learner.relation(class);
            let mut keep = keep.to_vec();
            keep.push(image);
            image = self.attempt(&keep, |run| {
                let pattern = run.learner.classes[class].whole;
                let more = run.store.forward(set, relation, pattern)?;
                run.store.union(image, more)
            })?;
        }
        Ok(image)
    }

    /// A state of a set with this representative.
    fn origin(&mut self, set: Node, vector: &[u32], keep: &[Node]) -> Result<Origin, Stopped> {
        let mut stages = Stages::new();
        self.sort(set, keep, Some(&mut stages))?;
        let orbits = self.orbits.as_ref().ok_or(Stopped)?;
        let neighbours = &orbits.neighbours;
        let mut images = neighbours.identity();
        let mut state = self.to_slots(vector);
        if !neighbours.applies(&state) {
            return Ok((vector.to_vec(), images));
        }
        for ((family, at), before) in stages.into_iter().rev() {
            let exchange = &neighbours.families()[family][at];
            let is_there = self.store.contains(before, &self.to_levels(&state));
            if !is_there || neighbours.is_greater(exchange, &state) {
                state = neighbours.apply(&inverse(&exchange.images), &state);
                images = then(&exchange.images, &images);
            }
        }
        Ok((self.to_levels(&state), images))
    }

    fn permuted(&self, images: &[u32], state: &[u32]) -> Result<Vec<u32>, Stopped> {
        let orbits = self.orbits.as_ref().ok_or(Stopped)?;
        Ok(orbits.neighbours.apply(images, state))
    }

    /// A state as the diagrams have it.
    fn to_levels(&self, state: &[u32]) -> Vec<u32> {
        self.order.iter().map(|slot| state[*slot]).collect()
    }

    /// A step from one state to another, whichever group has it.
    fn step_between(&self, from: &[u32], to: &[u32]) -> Option<PathStep> {
        let groups = self.learner.groups.iter();
        groups.map(|group| group.id).find_map(|id| {
            let (words, state) = (self.words_between(from, to, id)?, to.to_vec());
            Some(PathStep {
                event: Event::Group(id),
                words,
                state,
            })
        })
    }
}
