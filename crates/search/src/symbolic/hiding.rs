//! Ends a search of representatives where a word may hold points that nobody sees, such as a set that is not listed and captured some.
//!
//! An exchange of columns leaves such a word as it is and moves everything around it, so what it makes of a state need be no
//! permutation of it, and a verdict would say nothing about the model. Words are looked at once each, before anything is exchanged.
//! Invariant: no state with such a word is sorted, checked or counted.

use ldd::{Node, PatternId};

use super::run::{Run, Stopped};

/// A slot with words that may hide points.
#[derive(Clone, Copy)]
pub(super) struct Hiding {
    slot: usize,
    reads: PatternId,
    /// Words that do not.
    pub(super) plain: Node,
}

impl Hiding {
    /// Nothing is known of the words of this slot, which a pattern reads.
    pub(super) fn new(slot: usize, reads: PatternId) -> Hiding {
        Hiding {
            slot,
            reads,
            plain: Node::EMPTY,
        }
    }
}

impl Run<'_> {
    /// Ends the run when a word of a set hides points; only what one class of groups may write was not seen before, if one is given.
    pub(super) fn reject_hidden(
        &mut self,
        set: Node,
        class: Option<usize>,
        keep: &[Node],
    ) -> Result<(), Stopped> {
        let mut keep = keep.to_vec();
        keep.push(set);
        let count = self.orbits.as_ref().map_or(0, |orbits| orbits.hiding.len());
        for at in 0..count {
            let Some(known) = self.hiding(at, class) else {
                continue;
            };
            let fresh = self.attempt(&keep, |run| {
                let short = run.store.project(set, known.reads)?;
                run.store.minus(short, known.plain)
            })?;
            keep.push(fresh);
            let plain = self.attempt(&keep, |run| run.store.union(known.plain, fresh))?;
            keep.pop();
            let Some(orbits) = &mut self.orbits else {
                break;
            };
            self.store.for_each(fresh, &mut |word| {
                if orbits.neighbours.hides(known.slot, word[0]) {
                    orbits.hidden = Some(known.slot);
                }
                orbits.hidden.is_none()
            });
            if orbits.hidden.is_some() {
                return Err(Stopped);
            }
            orbits.hiding[at].plain = plain;
        }
        Ok(())
    }

    /// A slot that may hide points, if the class may write it.
    fn hiding(&self, at: usize, class: Option<usize>) -> Option<Hiding> {
        let hiding = *self.orbits.as_ref()?.hiding.get(at)?;
        let writes = |class: usize| {
            let mut members = self.learner.classes[class].members.iter();
            members.any(|group| self.shape.groups[*group].may_write.contains(hiding.slot))
        };
        class.is_none_or(writes).then_some(hiding)
    }
}
