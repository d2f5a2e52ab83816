//! Decides which partial order reduction a run makes use of, and says what it did.
//!
//! Without symmetry the model is explored in parts where that pays: relations are then between instances of operations
//! that touch single elements; a trial tells. Under symmetry it is explored as it is: an operation with all its instances is mapped to
//! itself by every permutation, so its relations are symmetric, and both reductions may be used together.
//! Invariant: the verdict is that of the unreduced model; what the reduction preserves is said in `reduce::por`.

use model::Model;
use model_compile::Compiled;
use pins::{LabelId, Shape, System};
use reduce::por::{Measure, Method, Reduction};
use search::explicit::{self, Checks, Config, Limits, Monitor, Order, Outcome};

use super::decode::Decode;
use super::labels::Asked;
use super::relations::{Manner, Related, relate};
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

/// Whether parts leave out so many more steps of a state than what is known that they are worth their price.
pub(super) fn is_worth_it(left_out: f64, known: f64) -> bool {
    left_out > known * 1.1 + 0.5
}

/// A trial looks at so many states.
const TRIAL_STATES: u64 = 4_000;

/// More slots and groups than this cost more than a reduction saves.
const MOST: (usize, usize) = (160, 400);

/// Whether a model in parts is small enough to be explored state by state.
pub(super) fn is_handy(shape: &Shape) -> bool {
    shape.slots.len() <= MOST.0 && shape.groups.len() <= MOST.1
}

/// See [`TRIAL_STATES`].
const TRIAL_SETUPS: u64 = 8;

/// The labels that are checked in states.
fn labels(checks: &Checks) -> Vec<LabelId> {
    let labels = checks.invariants.iter().chain(&checks.assertions);
    labels.chain(checks.goal.iter()).copied().collect()
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
        options: &Options,
    ) -> Prepared {
        let labels = labels(checks);
        Prepared {
            related: relate(
                model,
                system,
                &labels,
                Manner {
                    dependence: decided.dependence,
                    wd: options.wd,
                    goal: options.goal.as_deref(),
                    cache: options.cache.as_deref(),
                },
            ),
            method: decided.method,
            dependence: decided.dependence,
        }
    }

    /// Explores a little of the system: how many steps of a state are left out on average.
    pub(super) fn trial(&self, system: &Compiled, config: &Config, monitor: &dyn Monitor) -> f64 {
        let reduction = self.reduction(system.shape());
        let config = Config {
            checks: Checks::default(),
            limits: Limits {
                max_states: Some(TRIAL_STATES),
                max_setups: Some(TRIAL_SETUPS),
                ..config.limits.clone()
            },
            order: Order::Bfs,
            threads: 1,
            keep_paths: false,
            checkpoint: None,
            resume: None,
            ..config.clone()
        };
        // What goes wrong here goes wrong again, and is told then.
        let _ = explicit::explore_reduced(system, &config, &reduction, monitor);
        let measure = reduction.measure();
        (measure.steps - measure.explored) as f64 / measure.states.max(1) as f64
    }

    /// The reduction.
    pub(super) fn reduction<'s>(&'s self, shape: &'s Shape) -> Reduction<'s> {
        let visibility = self.related.visibility.clone();
        Reduction::new(shape, &self.related.relations, visibility, self.method)
    }

    /// Puts what the reduction did into the report.
    pub(super) fn tell(
        &self,
        (shape, decode, labels): (&Shape, &dyn Decode, &[Asked<'_>]),
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
        told.culprits = self.culprits(decode, labels);
    }

    /// The labels that see most, with how many groups they see.
    fn culprits(&self, decode: &dyn Decode, labels: &[Asked<'_>]) -> Vec<String> {
        let mut found: Vec<(usize, String, usize)> = Vec::new();
        for (label, groups) in self.related.visibility.culprits() {
            let whole = decode.label(label.index());
            match found.iter_mut().find(|(known, ..)| *known == whole) {
                Some((_, _, most)) => *most = groups.max(*most),
                None => {
                    let name = labels.get(whole).map(Asked::name).unwrap_or_default();
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
