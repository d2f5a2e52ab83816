//! Certificates of models of set theory: the check is that of `crates/certify-sets`, the compiled evaluator only guides it.

use certify::{Accepted, Definedness, Guide, Manner, Rejected, Semantics as _};
use certify_sets::{Asked, Before, StepAtom};
use certify_temporal::Graph;
use model::{Value, VarId};
use reduce::symmetry::{Forms, Method, Quotient};
use subject::evidence::{self, Certifying, Claimed, Course, StepQuestion, Temporal};
use subject::{Ground, QuestionId};

use crate::Sets;
use crate::ground::Program;
use crate::program;

impl Certifying for Sets {
    fn classes(&self) -> Vec<Vec<u32>> {
        certify_sets::Sets::new(&self.model, &self.labels, Asked::default()).classes()
    }

    fn bounds(&self, wd: Definedness) -> Vec<String> {
        let sets = certify_sets::Sets::new(&self.model, &self.labels, Asked::default());
        let bounds = sets.evaluator(wd).starts(&[], &mut |_| Ok(()));
        bounds.unwrap_or_default()
    }

    fn certify(
        &self,
        claimed: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected> {
        self.with(claimed.temporal, ground, course, |semantics, manner| {
            evidence::certify(semantics, claimed, manner)
        })
    }

    fn explore(
        &self,
        claimed: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Graph, Rejected> {
        self.with(claimed.temporal, ground, course, |semantics, manner| {
            evidence::explore(semantics, claimed, manner)
        })
    }
}

impl Sets {
    /// Makes what the check needs.
    fn with<R>(
        &self,
        temporal: &Temporal,
        ground: &dyn Ground,
        course: &Course<'_>,
        check: impl FnOnce(&certify_sets::Sets<'_>, &Manner<'_, Value>) -> Result<R, Rejected>,
    ) -> Result<R, Rejected> {
        let asked = self.asked_by(temporal)?;
        let semantics = certify_sets::Sets::new(&self.model, &self.labels, asked);
        let program = program(ground);
        let quotient = program.and_then(|program| Quotient::new(&program.system, Method::Exact));
        let sorts = self.model.tys.sorts.iter();
        let sizes: Vec<_> = sorts
            .map(|(_, sort)| (sort.name, sort.elements.len()))
            .collect();
        let guide = || -> Option<Box<dyn Guide<Value> + '_>> {
            Some(Box::new(Guided {
                program: program?,
                forms: Forms::new(quotient.as_ref()?)?,
                sizes: sizes.clone(),
            }))
        };
        check(&semantics, &course.guided(&guide))
    }

    /// What formulas ask, as expressions of the model.
    fn asked_by(&self, temporal: &Temporal) -> Result<Asked, Rejected> {
        let expr = |question: &QuestionId| self.asked(*question).expr;
        let step = |question: &StepQuestion| match question {
            StepQuestion::Taken(event, arguments) => {
                let arguments = arguments.iter().map(|(position, question)| {
                    let asked = self.asked(*question);
                    Some((*position, asked.expr, *asked.names.first()?))
                });
                Some(StepAtom::Taken(
                    event.index(),
                    arguments.collect::<Option<_>>()?,
                ))
            }
            StepQuestion::Change(value, compare) => {
                let asked = self.asked(*compare);
                let before = Before::Value(expr(value));
                Some(StepAtom::After(
                    asked.expr,
                    vec![(*asked.names.first()?, before)],
                ))
            }
            StepQuestion::BeforeAfter(question, components) => {
                let asked = self.asked(*question);
                let before = components
                    .iter()
                    .map(|id| Before::Variable(VarId::new(id.index())));
                Some(StepAtom::After(
                    asked.expr,
                    asked.names.iter().copied().zip(before).collect(),
                ))
            }
            StepQuestion::Moves(_) => None,
        };
        let steps: Option<Vec<StepAtom>> = temporal.steps.iter().map(step).collect();
        Ok(Asked {
            states: temporal.states.iter().map(expr).collect(),
            steps: steps.ok_or(Rejected::Misfit("it asks what the language does not know"))?,
            names: temporal.names(),
        })
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
                Some(sort) => sort.images(&images),
                None => (0..*size as u32).collect(),
            }
        };
        Some(self.sizes.iter().map(of).collect())
    }
}
