//! Which elements are inside atomic sequences, and which end them.
//!
//! Reference: SPIN 6.5.2, flow.c (marks) and pangen2.c (gotos that leave or join).

use crate::flow::{ElementId, Flow, Node, Sequence, SequenceId};

impl Flow<'_> {
    /// Marks the elements of `atomic { … }`; the last one ends it.
    pub(crate) fn mark_atomic(&mut self, id: SequenceId) {
        self.walk(id);
        self.mark_last(id);
    }

    /// Marks the elements of `d_step { … }`: blocks inside are plain ones.
    pub(crate) fn mark_d_step(&mut self, id: SequenceId) {
        self.walk_d_step(id);
    }

    fn mark_last(&mut self, id: SequenceId) {
        let Some(last) = self.sequences[id].last else {
            return;
        };
        match self.elements[last].node {
            Node::Block(inner) | Node::Atomic(inner) => self.mark_atomic(inner),
            Node::Unless => {
                let main = self.elements[last].sub[0];
                self.mark_atomic(main);
            }
            _ => {
                self.elements[last].is_atomic = false;
                self.elements[last].ends_atomic = true;
            }
        }
    }

    fn elements_in(&self, id: SequenceId) -> Vec<ElementId> {
        let Sequence { first, last, .. } = self.sequences[id];
        let mut all = Vec::new();
        let mut at = first;
        while let Some(element) = at {
            all.push(element);
            at = if Some(element) == last {
                None
            } else {
                self.elements[element].next
            };
        }
        all
    }

    fn walk(&mut self, id: SequenceId) {
        for element in self.elements_in(id) {
            self.elements[element].is_atomic = true;
            match self.elements[element].node {
                Node::Atomic(inner) | Node::Block(inner) => {
                    self.elements[element].node = Node::Block(inner);
                    base::deep::recurse(|| self.walk(inner));
                }
                _ => {}
            }
            for sub in self.elements[element].sub.clone() {
                base::deep::recurse(|| self.walk(sub));
            }
        }
    }

    fn walk_d_step(&mut self, id: SequenceId) {
        for element in self.elements_in(id) {
            match self.elements[element].node {
                Node::Atomic(inner) | Node::Block(inner) | Node::DStep(inner) => {
                    self.elements[element].node = Node::Block(inner);
                    base::deep::recurse(|| self.walk_d_step(inner));
                }
                _ => {}
            }
            for sub in self.elements[element].sub.clone() {
                base::deep::recurse(|| self.walk_d_step(sub));
            }
        }
    }

    /// Gotos that leave an atomic sequence end it; gotos from the end of one into another go on.
    pub(crate) fn bridge(&mut self, id: SequenceId) {
        let Sequence { first, extent, .. } = self.sequences[id];
        let mut at = first;
        while let Some(element) = at {
            if let Node::Goto(target) = self.elements[element].node {
                let target = &self.elements[self.target(target)];
                let joins = target.is_atomic || target.ends_atomic;
                let inside = &mut self.elements[element];
                if (inside.is_atomic || inside.ends_atomic) && !joins {
                    inside.is_atomic = false;
                    inside.ends_atomic = true;
                }
                if inside.ends_atomic && joins {
                    inside.ends_atomic = false;
                    inside.is_atomic = true;
                }
            } else {
                for sub in self.elements[element].sub.clone() {
                    base::deep::recurse(|| self.bridge(sub));
                }
            }
            at = if Some(element) == extent {
                None
            } else {
                self.elements[element].next
            };
        }
    }
}
