//! Certificates of models of set theory: the check is that of `crates/certify-sets`, the compiled evaluator only guides it.

use certify::{Accepted, Certificate, Guide, Manner, Rejected, Semantics as _};
use model::Value;
use pins::symmetry::Sort;
use reduce::symmetry::{Forms, Method, Quotient};
use subject::Ground;
use subject::evidence::{Certifying, Course};

use crate::Sets;
use crate::ground::Program;
use crate::program;

impl Certifying for Sets {
    fn classes(&self) -> Vec<Vec<u32>> {
        certify_sets::Sets::new(&self.model, &self.labels).classes()
    }

    fn certify(
        &self,
        certificate: &Certificate,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected> {
        let semantics = certify_sets::Sets::new(&self.model, &self.labels);
        let program = program(ground);
        let quotient = program.and_then(|program| Quotient::new(&program.system, Method::Exact));
        let guide = || -> Option<Box<dyn Guide<Value> + '_>> {
            Some(Box::new(Guided {
                program: program?,
                forms: Forms::new(quotient.as_ref()?)?,
                sizes: self
                    .model
                    .tys
                    .sorts
                    .iter()
                    .map(|(_, sort)| (sort.name, sort.elements.len()))
                    .collect(),
            }))
        };
        let manner = Manner {
            threads: course.threads,
            stop: course.stop,
            progress: course.progress,
            guide: &guide,
        };
        certify::certify(&semantics, certificate, &manner)
    }
}

/// Finds the permutation to the canonical form with the compiled evaluator.
struct Guided<'g> {
    program: &'g Program,
    forms: Forms<'g>,
    /// The sets of elements with their sizes.
    sizes: Vec<(base::Name, usize)>,
}

impl Guide<Value> for Guided<'_> {
    fn permutation(&mut self, state: &[Value]) -> Option<Vec<Vec<u32>>> {
        let words = self.program.system.encode(state);
        let (images, _) = self.forms.form(&words);
        let sorts = pins::System::symmetry(&self.program.system)?.sorts();
        let of = |(name, size): &(base::Name, usize)| -> Vec<u32> {
            match sorts.iter().find(|sort| sort.name == *name) {
                Some(Sort { first, classes, .. }) => {
                    let first = *first as usize;
                    let images = images[first..first + classes.len()].iter();
                    images.map(|image| image - first as u32).collect()
                }
                None => (0..*size as u32).collect(),
            }
        };
        Some(self.sizes.iter().map(of).collect())
    }
}
