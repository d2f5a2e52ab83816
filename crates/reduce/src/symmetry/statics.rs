//! Explores only some of the set-ups that differ by the names of elements, as ProB does by default.
//!
//! Technique: ProB's static symmetry detection: scalar constants of a set with interchangeable elements use the
//! elements in order: a constant may name one that no earlier constant names only if it is the least such.
//! Differs from `exact.rs`: states are not reduced at all, and constants of other types are not looked at.
//! Preserves: deadlocks, faults and the truth of labels, since every set-up is a permutation of one explored.

use pins::symmetry::classes;
use pins::{
    Fault, Flow, GroupId, Halt, LabelId, Notes, Permute, Shape, Step, System, Truth, View, Worker,
};

/// A system with fewer set-ups.
pub struct Static<'a> {
    system: &'a dyn System,
    permute: &'a dyn Permute,
    classes: Vec<Vec<u32>>,
    /// Scalar constants in the order in which they may use new elements.
    scalars: Vec<usize>,
}

impl<'a> Static<'a> {
    /// Thins out the set-ups of `system`; `None` when none of its constants is an interchangeable element.
    /// `order` lists the slots of constants that take elements first.
    pub fn new(system: &'a dyn System, order: &[usize]) -> Option<Static<'a>> {
        let permute = system.symmetry()?;
        let classes = classes(permute.sorts());
        let scalars: Vec<usize> = order.to_vec();
        (!classes.is_empty() && !scalars.is_empty()).then_some(Static {
            system,
            permute,
            classes,
            scalars,
        })
    }

    /// Whether elements are used in order.
    fn is_first(&self, setup: &[u32]) -> bool {
        let mut used: Vec<u32> = vec![0; self.classes.len()];
        for slot in &self.scalars {
            let mut shown = Shown(None);
            if !self.permute.view(*slot, setup[*slot], &mut shown) {
                continue;
            }
            let Some(point) = shown.0 else { continue };
            let place = self.classes.iter().enumerate().find_map(|(number, class)| {
                let at = class.iter().position(|member| *member == point)?;
                Some((number, at as u32))
            });
            let Some((class, at)) = place else { continue };
            if at > used[class] {
                return false;
            }
            used[class] = used[class].max(at + 1);
        }
        true
    }
}

/// The point that a scalar is.
struct Shown(Option<u32>);

impl View for Shown {
    fn atom(&mut self, _: &[u64]) {}
    fn point(&mut self, point: u32) {
        self.0.get_or_insert(point);
    }
    fn tuple(&mut self, _: usize) {}
    fn set(&mut self, _: usize) {}
}

impl System for Static<'_> {
    fn shape(&self) -> &Shape {
        self.system.shape()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Fewer {
            system: self,
            inner: self.system.worker(),
        })
    }

    fn save(&self) -> Vec<u8> {
        self.system.save()
    }

    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        self.system.restore(saved)
    }

    fn bytes(&self) -> u64 {
        self.system.bytes()
    }
}

struct Fewer<'s> {
    system: &'s Static<'s>,
    inner: Box<dyn Worker + 's>,
}

impl Worker for Fewer<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let system = self.system;
        self.inner
            .setups(&mut |setup| match system.is_first(setup) {
                true => emit(setup),
                false => Flow::Continue,
            })
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        self.inner.initial(setup, emit)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        self.inner.successors(state, group, emit)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        self.inner.all_successors(state, emit, fault);
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.inner.label(state, label)
    }

    fn take_notes(&mut self) -> Notes {
        self.inner.take_notes()
    }

    fn heed(&mut self, halt: Halt) {
        self.inner.heed(halt);
    }
}
