//! Explores only some of the set-ups that differ by the names of elements, as ProB does by default.
//!
//! Technique: ProB's static symmetry detection. Elements are used in order: a scalar constant may name an element
//! that no earlier one names only if it is the least such; a total bijection lists the elements of one side in
//! order; the parts of a partition take the elements one part after the other.
//! Differs from `exact.rs`: states are not reduced at all, and only such constants are looked at.
//! Needs: rules that are about different sets of elements each.
//! Preserves: deadlocks, faults and the truth of labels, since every set-up is a permutation of one explored.

use canon::{Node, end_of};
use pins::symmetry::classes;
use pins::{Fault, Flow, Permute, System, Worker};

use super::words::Term;

/// Which set-ups are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The constants in these slots are elements, used in order.
    Scalars(Vec<usize>),
    /// The constant in this slot is a bijection; sorted by one side, the elements of the other side ascend.
    Bijection {
        /// The slot.
        slot: usize,
        /// Whether the right side ascends.
        is_right: bool,
    },
    /// The constants in these slots are disjoint sets that together have all elements.
    Partition(Vec<usize>),
}

/// A system with fewer set-ups.
pub struct Static<'a> {
    system: &'a dyn System,
    permute: &'a dyn Permute,
    classes: Vec<Vec<u32>>,
    rules: Vec<Rule>,
}

impl<'a> Static<'a> {
    /// Thins out the set-ups of `system`; `None` when there is nothing to go by.
    pub fn new(system: &'a dyn System, rules: &[Rule]) -> Option<Static<'a>> {
        let permute = system.symmetry()?;
        let classes = classes(permute.sorts());
        (!classes.is_empty() && !rules.is_empty()).then_some(Static {
            system,
            permute,
            classes,
            rules: rules.to_vec(),
        })
    }

    fn is_kept(&self, setup: &[u32]) -> bool {
        self.rules.iter().all(|rule| match rule {
            Rule::Scalars(slots) => self.are_in_order(setup, slots),
            Rule::Bijection { slot, is_right } => self.ascends(setup, *slot, *is_right),
            Rule::Partition(slots) => self.fills_up(setup, slots),
        })
    }

    fn term(&self, setup: &[u32], slot: usize) -> Option<Vec<Node>> {
        let mut term = Term::default();
        self.permute
            .view(slot, setup[slot], &mut term)
            .then_some(term.0)
    }

    fn are_in_order(&self, setup: &[u32], slots: &[usize]) -> bool {
        let mut used: Vec<usize> = vec![0; self.classes.len()];
        for slot in slots {
            let Some(&[Node::Point(point)]) = self.term(setup, *slot).as_deref() else {
                continue;
            };
            let place = self.classes.iter().enumerate().find_map(|(number, class)| {
                let at = class.iter().position(|member| *member == point)?;
                Some((number, at))
            });
            let Some((class, at)) = place else { continue };
            if at > used[class] {
                return false;
            }
            used[class] = used[class].max(at + 1);
        }
        true
    }

    fn ascends(&self, setup: &[u32], slot: usize, is_right: bool) -> bool {
        let Some(term) = self.term(setup, slot) else {
            return true;
        };
        // A set of pairs with a point on one side.
        let mut pairs: Vec<(&[Node], u32)> = Vec::new();
        let mut rest = &term[1..];
        while let Some((Node::Tuple(2), tail)) = rest.split_first() {
            let left = end_of(tail, 0);
            let right = end_of(&tail[left..], 0);
            let (this, other) = match is_right {
                true => (&tail[left..left + right], &tail[..left]),
                false => (&tail[..left], &tail[left..left + right]),
            };
            if let [Node::Point(point)] = this {
                pairs.push((other, *point));
            }
            rest = &tail[left + right..];
        }
        pairs.sort_unstable();
        pairs.is_sorted_by_key(|(_, point)| *point)
    }

    fn fills_up(&self, setup: &[u32], slots: &[usize]) -> bool {
        let mut all = Vec::new();
        for slot in slots {
            let Some(term) = self.term(setup, *slot) else {
                return true;
            };
            let start = all.len();
            all.extend(term.iter().filter_map(|node| match node {
                Node::Point(point) => Some(*point),
                _ => None,
            }));
            all[start..].sort_unstable();
        }
        all.is_sorted()
    }
}

impl System for Static<'_> {
    pins::forward_system!(self.system: shape, save, restore, bytes, values);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Fewer {
            system: self,
            inner: self.system.worker(),
        })
    }
}

struct Fewer<'s> {
    system: &'s Static<'s>,
    inner: Box<dyn Worker + 's>,
}

impl Worker for Fewer<'_> {
    pins::forward!(self.inner: initial, successors, all_successors, may_happen, guard, label, take_notes);
    pins::forward!(self.inner: give_up, heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let system = self.system;
        self.inner.setups(&mut |setup| match system.is_kept(setup) {
            true => emit(setup),
            false => Flow::Continue,
        })
    }
}
