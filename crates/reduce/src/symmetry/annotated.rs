//! The quotient with its permutations: every step of a representative, with the permutation that takes its target to the next
//! representative.
//!
//! Papers: [Emerson, Sistla 1997], [Gyuris, Sistla 1999]: the annotated quotient structure. What is said of single elements, such
//! as fairness of every instance of an event, is followed along these permutations.
//! Invariant: the representatives are those of [`Method::Exact`].
//!
//! [`Method::Exact`]: super::Method::Exact

use std::cell::RefCell;

use pins::{Flow, GroupId, Permute, Worker};

use super::forms::Forms;
use super::quotient::{Means, Method, Quotient};

/// Gives steps with permutations.
pub struct Annotated<'a> {
    permute: &'a dyn Permute,
    asking: RefCell<(Box<dyn Worker + 'a>, Forms<'a>)>,
}

/// A step of a representative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedStep {
    /// Its group.
    pub group: GroupId,
    /// Arguments, then results.
    pub label: Vec<u32>,
    /// The representative of its target.
    pub target: Vec<u32>,
    /// The image of every point on the way from the target to its representative.
    pub images: Vec<u32>,
}

impl<'a> Annotated<'a> {
    /// The steps of a quotient of elements by [`Method::Exact`]; `None` for others.
    pub fn new(quotient: &'a Quotient<'a>) -> Option<Annotated<'a>> {
        let (system, means) = quotient.parts();
        let Means::Elements(elements) = means else {
            return None;
        };
        if *quotient.method() != Method::Exact {
            return None;
        }
        let forms = Forms::new(quotient)?;
        Some(Annotated {
            permute: elements.permute,
            asking: RefCell::new((system.worker(), forms)),
        })
    }

    /// All steps out of a representative.
    pub fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep> {
        let mut asking = self.asking.borrow_mut();
        let (worker, forms) = &mut *asking;
        let mut steps = Vec::new();
        worker.all_successors(
            state,
            &mut |group, step| {
                steps.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            // What faults is told of where the quotient is explored.
            &mut |_, _| {},
        );
        let steps = steps.into_iter().map(|(group, label, target)| {
            let (images, target) = forms.form(&target);
            AnnotatedStep {
                group,
                label,
                target,
                images,
            }
        });
        steps.collect()
    }

    /// A label with its points exchanged.
    pub fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> Vec<u32> {
        self.permute.permute_label(group, label, images)
    }
}
