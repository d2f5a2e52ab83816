//! Decides which partial order reduction a run makes use of, and says what it did.
//!
//! Without symmetry the model is explored in parts where that pays: relations are then between instances of operations
//! that touch single elements; a trial tells. Under symmetry it is explored as it is: an operation with all its instances is mapped to
//! itself by every permutation, so its relations are symmetric, and both reductions may be used together.
//! `instances.rs` looks for the parts, `auto.rs` decides when nobody asked for a reduction.
//! Invariant: the verdict is that of the unreduced model; what the reduction preserves is said in `reduce::por`.

mod auto;
mod instances;

pub(super) use auto::{Decision, FIRST_STATES};
pub(super) use instances::Analysed;

use std::collections::BTreeSet;

use pins::{GroupId, LabelId, Shape};
use reduce::por::{Measure, Method, Reduction, Visibility};
use search::explicit::{self, Checks, Config, Limits, Monitor, Order, Outcome};
use subject::{EventId, Ground, Subject};

use super::labels::Asked;
use super::relations::{Effort, Manner, Related, relate};
use crate::choice::{Dependence, Por};
use crate::plan::Options;
use crate::report::{Densities, PorReduction};

/// What a run does about the order of independent steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decided {
    /// How steps are chosen.
    pub(super) method: Method,
    /// How independence is decided.
    pub(super) dependence: Dependence,
    /// How much is asked for it.
    pub(super) effort: Effort,
}

/// Decides what is done.
pub(super) fn decide(options: &Options) -> Option<Decided> {
    let method = match options.por {
        Por::Auto | Por::Off => return None,
        Por::Ample => Method::Ample,
        Por::Stubborn => Method::Stubborn,
        Por::Deletion => Method::Deletion,
    };
    Some(Decided {
        method,
        dependence: options.dependence,
        effort: Effort::Full,
    })
}

/// A trial looks at so many states.
const TRIAL_STATES: u64 = 4_000;

/// See [`TRIAL_STATES`].
const TRIAL_SETUPS: u64 = 8;

/// What is told to a search that looks at so many states and checks nothing.
fn little(config: &Config, states: u64) -> Config {
    Config {
        checks: Checks::default(),
        limits: Limits {
            max_states: Some(states),
            max_setups: Some(TRIAL_SETUPS),
            ..config.limits.clone()
        },
        order: Order::Bfs,
        threads: 1,
        keep_paths: false,
        checkpoint: None,
        resume: None,
        ..config.clone()
    }
}

/// What a trial showed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tried {
    /// States that were expanded.
    states: u64,
    /// Steps that they have.
    steps: u64,
    /// Of these, how many were left out.
    left_out: u64,
    /// Whether it came to an end.
    is_complete: bool,
    /// How deep the states are that were found last.
    depth: u32,
}

impl Tried {
    /// How many steps of a state are left out on average.
    fn per_state(self) -> f64 {
        self.left_out as f64 / self.states.max(1) as f64
    }

    /// Whether it came to an end, and with fewer states than another trial if that did, too; if neither did, whether it left
    /// out more.
    fn is_better_than(self, other: Tried) -> bool {
        match self.is_complete && other.is_complete {
            true => self.states < other.states,
            false => self.is_complete || self.percent() > other.percent(),
        }
    }

    /// The part of all steps that is left out, in percent.
    fn percent(self) -> f64 {
        100.0 * self.left_out as f64 / self.steps.max(1) as f64
    }
}

/// The labels that are checked in states.
fn labels(checks: &Checks) -> Vec<LabelId> {
    let labels = checks.invariants.iter().chain(&checks.assertions);
    let labels = labels.chain(&checks.covers);
    labels.chain(checks.goal.iter()).copied().collect()
}

/// Everything that a reduction of one system needs.
pub(super) struct Prepared {
    related: Related,
    method: Method,
    dependence: Dependence,
    cycles: Cycles,
    /// The names of the operations of the model.
    names: Vec<String>,
}

/// Who sees to it that nothing is left out for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cycles {
    /// What closes cycles is known beforehand, if it can be.
    Known,
    /// The same, where states are permuted before they are seen again.
    KnownOfPermuted,
    /// The search looks where steps lead.
    Searched,
}

impl Prepared {
    /// Analyses a compiled model of which these labels are checked.
    fn new(
        subject: &dyn Subject,
        ground: &dyn Ground,
        checks: &Checks,
        decided: Decided,
        options: &Options,
    ) -> Prepared {
        let events = subject.description().events.iter();
        let labels = labels(checks);
        Prepared {
            related: relate(
                subject,
                ground,
                &labels,
                Manner {
                    dependence: decided.dependence,
                    goal: options.goal.as_deref(),
                    cache: options.cache.as_deref(),
                    effort: decided.effort,
                },
            ),
            method: decided.method,
            dependence: decided.dependence,
            cycles: Cycles::Known,
            names: events.map(|event| event.name.to_string()).collect(),
        }
    }

    /// Explores a little of the system.
    fn trial(
        &self,
        ground: &dyn Ground,
        visibility: &Visibility,
        config: &Config,
        monitor: &dyn Monitor,
    ) -> Tried {
        let system = ground.system();
        let reduction = self.with(system.shape(), visibility.clone());
        let config = little(config, TRIAL_STATES);
        // What goes wrong here goes wrong again, and is told then.
        let explored = explicit::explore_reduced(system, &config, &reduction, monitor);
        let outcome = explored.unwrap_or_default();
        let measure = reduction.measure();
        let left_out = measure.steps - measure.explored;
        Tried {
            states: measure.states,
            steps: outcome.statistics.transitions + left_out,
            left_out,
            is_complete: outcome.is_complete,
            depth: outcome.statistics.depth,
        }
    }

    /// The reduction.
    pub(super) fn reduction<'s>(&'s self, shape: &'s Shape) -> Reduction<'s> {
        self.with(shape, self.related.visibility.clone())
    }

    fn with<'s>(&'s self, shape: &'s Shape, visibility: Visibility) -> Reduction<'s> {
        let reduction = Reduction::new(shape, &self.related.relations, visibility, self.method);
        match self.cycles {
            Cycles::Known => reduction,
            Cycles::KnownOfPermuted => reduction.of_permuted(),
            Cycles::Searched => reduction.left_to_the_search(),
        }
    }

    /// For a system whose states are permuted before they are seen again.
    fn of_permuted(mut self) -> Prepared {
        self.cycles = Cycles::KnownOfPermuted;
        self
    }

    /// Leaves cycles to the search if a trial of that is better than the one that is known, and says what it showed.
    fn try_searched(
        &mut self,
        shape: &Shape,
        known: Tried,
        trial: impl FnOnce(&Prepared) -> Tried,
    ) -> Tried {
        if !self.reduction(shape).knows_cycles() {
            return known;
        }
        self.cycles = Cycles::Searched;
        let tried = trial(self);
        if tried.is_better_than(known) {
            return tried;
        }
        self.cycles = Cycles::Known;
        known
    }

    /// Puts what the reduction did into the report.
    pub(super) fn tell(
        &self,
        (ground, labels): (&dyn Ground, &[Asked]),
        reduction: &Reduction<'_>,
        outcome: &Outcome,
        told: &mut PorReduction,
    ) {
        let measure: Measure = reduction.measure();
        let wall = outcome.statistics.wall.as_secs_f64();
        self.tell_relations((ground, labels), told);
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
    }

    /// Puts what is known before a reduction into the report.
    fn tell_relations(&self, (ground, labels): (&dyn Ground, &[Asked]), told: &mut PorReduction) {
        let densities = self.related.relations.densities();
        let share = |count: usize| count as f64 / densities.pairs.max(1) as f64;
        told.dependence = Some(self.dependence.word());
        told.questions = Some(self.related.asked).filter(|asked| *asked > 0);
        told.unanswered = told.questions.map(|_| self.related.unanswered);
        told.groups = Some(ground.system().shape().groups.len());
        told.densities = Some(Densities {
            dependent: share(densities.dependent),
            can_enable: share(densities.can_enable),
            can_disable: share(densities.can_disable),
            together: share(densities.together),
        });
        told.visible = Some(self.related.visibility.visible().len());
        told.culprits = self.culprits(ground, labels);
    }

    /// The labels that see most, each with the operations that may mend it.
    fn culprits(&self, ground: &dyn Ground, labels: &[Asked]) -> Vec<String> {
        let mut found: Vec<(LabelId, BTreeSet<EventId>)> = Vec::new();
        for (label, groups) in self.related.visibility.culprits() {
            let whole = ground.label(label);
            let actions = groups.iter().map(|at| ground.event(GroupId::new(at)));
            match found.iter_mut().find(|(known, _)| *known == whole) {
                Some((_, known)) => known.extend(actions),
                None => found.push((whole, actions.collect())),
            }
        }
        found.truncate(MOST_CULPRITS);
        found
            .into_iter()
            .map(|(whole, actions)| {
                let name = labels.get(whole.index());
                let name = name.map(|asked| asked.name.clone()).unwrap_or_default();
                let few = actions.iter().take(MOST_NAMES);
                let few: Vec<&str> = few.map(|at| self.names[at.index()].as_str()).collect();
                let more = match actions.len().saturating_sub(MOST_NAMES) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("{name} (changed by {}{more})", few.join(", "))
            })
            .collect()
    }
}

/// More conjuncts than this are not named.
const MOST_CULPRITS: usize = 5;

/// More operations than this are not named.
const MOST_NAMES: usize = 4;
