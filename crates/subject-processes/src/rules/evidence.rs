//! Certificates of rules: elements of scalarsets are exchanged by the check, in the way that the compiled evaluator says.

use certify::{Accepted, Guide, Manner, Rejected};
use certify_programs::{Label, Words};
use certify_temporal::Graph;
use program::SortKind;
use reduce::symmetry::{Forms, Method, Quotient};
use subject::evidence::{Certifying, Claimed, Course};
use subject::{Ground, QuestionId};

use super::RuleSet;
use super::ground::Compiled;
use crate::evidence::{Checking, texts};

impl RuleSet {
    fn with<R>(
        &self,
        ground: &dyn Ground,
        course: &Course<'_>,
        check: impl FnOnce(&Checking<'_>, &Manner<'_, Words>) -> R,
    ) -> R {
        let question = |id: QuestionId| Some(Label::Value(self.asked.get(id.index())?.expr));
        let checking = Checking {
            program: &self.program,
            labels: self.labels.iter().map(|at| Label::Property(*at)).collect(),
            question: &question,
        };
        let compiled = ground.as_any().downcast_ref::<Compiled>();
        let quotient = compiled.and_then(|compiled| Quotient::new(&compiled.rules, Method::Exact));
        let guide = || -> Option<Box<dyn Guide<Words> + '_>> {
            Some(Box::new(Canonical {
                rules: self,
                compiled: compiled?,
                forms: Forms::new(quotient.as_ref()?)?,
            }))
        };
        check(&checking, &course.guided(&guide))
    }
}

/// Finds the permutation to the canonical form with the compiled evaluator.
struct Canonical<'g> {
    rules: &'g RuleSet,
    compiled: &'g Compiled,
    forms: Forms<'g>,
}

impl Guide<Words> for Canonical<'_> {
    fn permutation(&mut self, state: &[Words]) -> Option<Vec<Vec<u32>>> {
        let program = &self.rules.program;
        let state = certify_programs::state(program, state)?;
        let words = self.compiled.rules.encode(&state)?;
        let (images, _) = self.forms.form(&words);
        let sorts = pins::System::symmetry(&self.compiled.rules)?.sorts();
        let of = |sort: &program::Sort| -> Vec<u32> {
            let known = sorts.iter().find(|known| Some(known.name) == sort.name);
            match known.filter(|_| sort.kind == SortKind::Scalarset) {
                Some(known) => known.images(&images),
                None => (0..sort.elements.len() as u32).collect(),
            }
        };
        let sorts = program.types.sorts.iter();
        Some(sorts.map(|(_, sort)| of(sort)).collect())
    }
}

impl Certifying for RuleSet {
    fn classes(&self) -> Vec<Vec<u32>> {
        let sorts = self.program.types.sorts.iter();
        let classes = sorts.map(|(_, sort)| match sort.kind {
            SortKind::Scalarset => vec![0; sort.elements.len()],
            SortKind::Enumeration => (0..sort.elements.len() as u32).collect(),
        });
        classes.collect()
    }

    fn components(&self, ground: &dyn Ground, state: &[u32]) -> Option<Vec<String>> {
        let compiled = ground.as_any().downcast_ref::<Compiled>()?;
        Some(texts(&compiled.rules.decode(state)))
    }

    fn certify(
        &self,
        claimed: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected> {
        self.with(ground, course, |checking, manner| {
            checking.certify(claimed, manner)
        })
    }

    fn explore(
        &self,
        claimed: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Graph, Rejected> {
        self.with(ground, course, |checking, manner| {
            checking.explore(claimed, manner)
        })
    }
}
