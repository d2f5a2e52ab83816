//! Decides which partial order reduction a run makes use of, and says what it did.
//!
//! Without symmetry the model is explored in parts, where operations touch single elements: relations are then between
//! instances of operations. Under symmetry it is explored as it is: an operation with all its instances is mapped to
//! itself by every permutation, so its relations are symmetric, and both reductions may be used together.
//! Invariant: the verdict is that of the unreduced model; what the reduction preserves is said in `reduce::por`.

use model::Model;
use model_compile::Compiled;
use pins::{LabelId, Shape};
use reduce::por::{Measure, Method, Reduction};
use search::explicit::{Checks, Outcome};

use super::decode::Decode;
use super::relations::{Related, relate};
use crate::choice::{Dependence, Por};
use crate::plan::Options;
use crate::report::{Densities, PorReduction, Report};

/// What a run does about the order of independent steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    /// How steps are chosen.
    pub(super) method: Method,
    /// How independence is decided.
    pub(super) dependence: Dependence,
}

/// Decides what is done.
pub(super) fn decide(options: &Options) -> Option<Decided> {
    let method = match options.por {
        Por::Auto | Por::Off => return None,
        Por::Ample => Method::Ample,
        Por::Stubborn => Method::Stubborn,
    };
    Some(Decided {
        method,
        dependence: options.dependence,
    })
}

/// Everything that a reduction of one system needs.
pub(super) struct Prepared {
    related: Related,
    method: Method,
    dependence: Dependence,
}

impl Prepared {
    /// Analyses a compiled model of which these labels are checked.
    pub(super) fn new(
        model: &Model,
        system: &Compiled,
        checks: &Checks,
        decided: Decided,
    ) -> Prepared {
        let labels: Vec<LabelId> = checks
            .invariants
            .iter()
            .chain(&checks.assertions)
            .chain(checks.goal.iter())
            .copied()
            .collect();
        Prepared {
            related: relate(model, system, &labels, decided.dependence),
            method: decided.method,
            dependence: decided.dependence,
        }
    }

    /// The reduction.
    pub(super) fn reduction<'s>(&'s self, shape: &'s Shape) -> Reduction<'s> {
        let visibility = self.related.visibility.clone();
        Reduction::new(shape, &self.related.relations, visibility, self.method)
    }

    /// Puts what the reduction did into the report.
    pub(super) fn tell(
        &self,
        (shape, decode): (&Shape, &dyn Decode),
        reduction: &Reduction<'_>,
        outcome: &Outcome,
        report: &mut Report,
    ) {
        let measure: Measure = reduction.measure();
        let densities = self.related.relations.densities();
        let share = |count: usize| count as f64 / densities.pairs.max(1) as f64;
        let wall = outcome.statistics.wall.as_secs_f64();
        let told: &mut PorReduction = &mut report.reductions.por;
        told.dependence = Some(self.dependence.word());
        told.questions = Some(self.related.asked).filter(|asked| *asked > 0);
        told.unanswered = told.questions.map(|_| self.related.unanswered);
        told.groups = Some(shape.groups.len());
        told.densities = Some(Densities {
            dependent: share(densities.dependent),
            can_enable: share(densities.can_enable),
            can_disable: share(densities.can_disable),
            together: share(densities.together),
        });
        told.visible = Some(self.related.visibility.visible().len());
        told.proviso = Some(reduction.needs_proviso());
        told.reduced_states = Some(measure.reduced);
        told.forced_states = Some(measure.forced);
        if measure.reduced > 0 {
            told.average_size = Some(measure.explored as f64 / measure.reduced as f64);
            told.average_enabled = Some(measure.steps as f64 / measure.reduced as f64);
        }
        if wall > 0.0 && measure.choices > 0 {
            told.time_share = Some((measure.time().as_secs_f64() / wall).min(1.0));
        }
        told.culprits = self.culprits(shape, decode);
    }

    /// The labels that see most, with how many groups they see.
    fn culprits(&self, shape: &Shape, decode: &dyn Decode) -> Vec<String> {
        let mut found: Vec<(usize, String, usize)> = Vec::new();
        for (label, groups) in self.related.visibility.culprits() {
            let whole = decode.label(label.index());
            match found.iter_mut().find(|(known, ..)| *known == whole) {
                Some((_, _, most)) => *most = groups.max(*most),
                None => {
                    let name = shape.labels[label.index()].name.to_string();
                    found.push((whole, name, groups));
                }
            }
        }
        found.truncate(MOST_CULPRITS);
        found
            .into_iter()
            .map(|(_, name, groups)| format!("{name} (changed by {groups})"))
            .collect()
    }
}

/// More conjuncts than this are not named.
const MOST_CULPRITS: usize = 5;
