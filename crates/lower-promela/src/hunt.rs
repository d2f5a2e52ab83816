//! Where control rests after a step: gotos, meeting points and the heads of `unless` are passed over.
//!
//! Reference: SPIN 6.5.2, pangen1.c. A step of an atomic sequence does not pass over the last element of it, so control stays
//! with the process until that one is done.

use crate::flow::{ElementId, Flow, Node};

impl Flow<'_> {
    /// Where control comes to rest on the way from `start`, for a step that is atomic or not.
    pub(crate) fn rest(&self, start: ElementId, atomic: bool) -> ElementId {
        let mut at = start;
        for _ in 0..=self.elements.len() {
            let next = match self.elements[at].node {
                Node::Goto(target) => self.target(target),
                Node::Dot | Node::Break => match self.elements[at].next {
                    Some(next) => next,
                    None => return at,
                },
                Node::Unless => match self.sequences[self.elements[at].sub[0]].first {
                    Some(first) => base::deep::recurse(|| self.rest(first, atomic)),
                    None => return at,
                },
                _ => return at,
            };
            if atomic && !self.elements[next].is_atomic {
                return at;
            }
            at = next;
        }
        at
    }

    /// As [`Flow::rest`], but not beyond `stop`.
    pub(crate) fn hop(&self, start: ElementId, atomic: bool, stop: ElementId) -> ElementId {
        let mut at = start;
        for _ in 0..=self.elements.len() {
            if at == stop {
                break;
            }
            let next = match self.elements[at].node {
                Node::Goto(target) => self.target(target),
                Node::Dot | Node::Break => match self.elements[at].next {
                    Some(next) => next,
                    None => break,
                },
                Node::Unless => match self.sequences[self.elements[at].sub[0]].first {
                    Some(first) => first,
                    None => break,
                },
                _ => break,
            };
            if atomic && !self.elements[next].is_atomic {
                break;
            }
            at = next;
        }
        at
    }

    /// The element that an option or a block begins with.
    pub(crate) fn beginning(&self, start: ElementId) -> ElementId {
        let mut at = start;
        for _ in 0..=self.elements.len() {
            let next = match self.elements[at].node {
                Node::Dot => self.elements[at].next,
                Node::Unless => self.sequences[self.elements[at].sub[0]].first,
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => return at,
            }
        }
        at
    }
}
