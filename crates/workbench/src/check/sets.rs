//! Explores sets of states, with variables in parts where the engine gets further with them.
//!
//! Technique: what is worth splitting cannot be seen from the text alone: a variable that one operation needs as a whole
//! may still be better in parts for all the others. So the choice made from the text is tried for a while; if it does not
//! come to an end, the model is tried with everything in parts; and the one that found more states does the run. A run that
//! ends in its trial costs nothing more.
//! Invariant: what is chosen depends on counts only, not on the clock.

use std::time::{Duration, Instant};

use model::{ExprId, Model};
use search::explicit::Open;
use search::symbolic::{self, Patience};

use super::decode::{Decode, Numbered};
use super::in_parts::{self, InParts, Manner};
use super::labels::Asked;
use super::run::{Run, Watch, in_system};
use super::symmetry::Decided;
use super::{Ended, Hooks, compiled};
use crate::choice::{Reorder, Split};
use crate::plan::Extent;
use crate::report::{Report, counted};

/// The patience of trials: some tenths of a second, and about a second.
const TRIALS: [Patience; 2] = [
    Patience {
        saturation: 64,
        rest: Some(64),
    },
    Patience {
        saturation: 256,
        rest: Some(256),
    },
];

/// A way to take the model apart.
struct Way<'m> {
    parts: Option<InParts<'m>>,
    extent: Extent,
}

impl Way<'_> {
    fn system<'w>(&'w self, whole: &'w compiled::Program<'_>) -> Numbered<'w> {
        self.parts
            .as_ref()
            .map_or(whole.numbered(), InParts::numbered)
    }

    fn count(&self) -> usize {
        self.parts.as_ref().map_or(0, InParts::count)
    }
}

impl Run<'_> {
    /// Explores sets of states and fills the report.
    pub(super) fn search_sets(
        &self,
        whole: &compiled::Program<'_>,
        labels: &[Asked<'_>],
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let started = Instant::now();
        let explore = |way: &Way<'_>, trial: Option<Patience>| {
            self.explore_sets(way.system(whole), labels, trial, started, hooks)
        };
        let mut conclude = |way: &Way<'_>, outcome: symbolic::Outcome| {
            self.tell_parts(way.extent, way.count(), report);
            self.conclude_sets(outcome, (way.system(whole).1, labels), report)
        };
        let first = self.way(whole, self.extent())?;
        let is_open = matches!(self.options.split, None | Some(Split::Auto));
        let has_choice = is_open
            && self.plan.trial.is_none()
            && self.parts((self.model, self.goal), whole, Extent::Everything) > first.count();
        if !has_choice {
            return conclude(&first, explore(&first, None)?);
        }
        let mut second = None;
        let mut is_second = false;
        for trial in TRIALS {
            let tried = explore(&first, Some(trial))?;
            if !tried.statistics.gave_up {
                return conclude(&first, tried);
            }
            let second = match &second {
                Some(second) => second,
                None => second.insert(self.way(whole, Extent::Everything)?),
            };
            let other = explore(second, Some(trial))?;
            if has_gaps(&other) && !has_gaps(&tried) {
                break;
            }
            if !other.statistics.gave_up {
                return conclude(second, other);
            }
            is_second = other.statistics.states > tried.statistics.states;
        }
        let way = second.filter(|_| is_second).unwrap_or(first);
        conclude(&way, explore(&way, None)?)
    }

    fn way<'m>(&'m self, whole: &compiled::Program<'m>, extent: Extent) -> Result<Way<'m>, Ended> {
        let parts = self.take_apart((self.model, self.goal), whole, extent)?;
        Ok(Way { parts, extent })
    }

    /// How much is taken apart at first.
    pub(super) fn extent(&self) -> Extent {
        match (self.options.split, self.plan.trial) {
            (Some(Split::On), _) => Extent::Everything,
            (_, Some(trial)) => trial.extent,
            _ => Extent::Worth,
        }
    }

    /// The model with its sets and functions in parts; `None` when there is nothing to take apart.
    pub(super) fn take_apart<'m>(
        &self,
        (model, goal): (&'m Model, Option<ExprId>),
        whole: &compiled::Program<'m>,
        extent: Extent,
    ) -> Result<Option<InParts<'m>>, Ended> {
        if self.decided("split") == Some("off") {
            return Ok(None);
        }
        let manner = self.manner(extent);
        Ok(in_parts::compile(model, whole, goal, manner)?)
    }

    /// How many variables would be taken apart.
    pub(super) fn parts(
        &self,
        (model, goal): (&Model, Option<ExprId>),
        whole: &compiled::Program<'_>,
        extent: Extent,
    ) -> usize {
        let splitting = in_parts::split(model, whole, goal, self.manner(extent));
        splitting.map_or(0, |splitting| splitting.count())
    }

    fn manner(&self, extent: Extent) -> Manner {
        Manner {
            everything: extent == Extent::Everything,
            counts: self.options.count_transitions,
            guards: true,
            wd: self.options.wd,
            solver: self.options.solver,
        }
    }

    /// Explores one system; with patience for a trial, else to the end.
    pub(super) fn explore_sets(
        &self,
        (system, decode): Numbered<'_>,
        labels: &[Asked<'_>],
        trial: Option<Patience>,
        started: Instant,
        hooks: &Hooks<'_>,
    ) -> Result<symbolic::Outcome, Ended> {
        let mut config = self.symbolic_config(labels);
        config.checks = in_system(&config.checks, system, decode);
        config.patience = trial.unwrap_or(config.patience);
        let left = |most: Duration| most.saturating_sub(started.elapsed());
        config.limits.max_time = config.limits.max_time.map(left);
        let mut outcome = symbolic::explore(system, &config, &Watch(hooks))
            .map_err(|refused| self.refuse(&refused))?;
        decode.name_labels(&mut outcome.common);
        self.unsupported(&outcome.common)?;
        Ok(outcome)
    }

    /// Puts what was found into the report.
    pub(super) fn conclude_sets(
        &self,
        outcome: symbolic::Outcome,
        (decode, labels): (&dyn Decode, &[Asked<'_>]),
        report: &mut Report,
    ) -> Result<(), Ended> {
        self.count(&outcome.common, report);
        let counted = Some(outcome.statistics);
        let none = Decided::off();
        self.conclude(&outcome.common, counted, (decode, labels, &none), report)
    }

    /// Says how many variables are in parts, and why if that was ours to choose.
    pub(super) fn tell_parts(&self, extent: Extent, count: usize, report: &mut Report) {
        let Some(choice) = report.choices.iter_mut().find(|c| c.option == "split") else {
            return;
        };
        choice.chosen = match count {
            0 => "off".to_owned(),
            _ => format!("on ({})", counted(count, "variable")),
        };
        let is_asked = matches!(self.options.split, Some(Split::On | Split::Off));
        choice.because = (!is_asked).then_some(match (count, extent) {
            (0, _) => "no variable has parts that pay",
            (_, Extent::Worth) => "operations touch single elements",
            (_, Extent::Everything) => "in a trial it went further with everything in parts",
        });
    }

    pub(super) fn symbolic_config(&self, labels: &[Asked<'_>]) -> symbolic::Config {
        let config = self.config(labels, &Decided::off());
        symbolic::Config {
            order: match self.decided("order") {
                Some("bfs") => symbolic::Order::Bfs,
                Some("chaining") => symbolic::Order::Chaining,
                Some("saturation") => symbolic::Order::Saturation,
                _ => symbolic::Order::Auto,
            },
            reorder: match self.options.reorder {
                None => symbolic::order::Reorder::Best,
                Some(Reorder::None) => symbolic::order::Reorder::None,
                Some(Reorder::Sloan) => symbolic::order::Reorder::Sloan,
                Some(Reorder::CuthillMckee) => symbolic::order::Reorder::CuthillMckee,
                Some(Reorder::Force) => symbolic::order::Reorder::Force,
                Some(Reorder::Anneal) => symbolic::order::Reorder::Anneal,
            },
            threads: self.options.threads,
            checks: config.checks,
            limits: config.limits,
            count_transitions: self.options.count_transitions,
            patience: symbolic::Patience {
                rest: None,
                ..self
                    .plan
                    .trial
                    .map_or_else(Patience::default, |trial| trial.patience)
            },
            finds_all: self.plan.trial.is_some(),
            collects_always: false,
        }
    }
}

/// Whether some question had no answer, or not all of it: a part may be harder to evaluate than the whole.
fn has_gaps(outcome: &symbolic::Outcome) -> bool {
    let mut open = outcome.common.open.iter();
    open.any(|why| matches!(why, Open::Budget(..) | Open::Cut))
}
