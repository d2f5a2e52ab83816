//! Explores sets of states, with variables in parts where the engine gets further with them.
//!
//! Technique: what is worth splitting cannot be seen from the text alone: a variable that one operation needs as a whole
//! may still be better in parts for all the others. So the choice made from the text is tried for a while; if it does not
//! come to an end, the model is tried with everything in parts; and the one that found more states does the run. A run that
//! ends in its trial costs nothing more.
//! Invariant: what is chosen depends on counts only, not on the clock.

use std::time::{Duration, Instant};

use std::sync::Arc;

use search::explicit::Open;
use search::symbolic::{self, Patience};
use subject::{Form, Ground, Parts};

use super::columns::Sorted;
use super::facts::Facts;
use super::labels::Asked;
use super::run::{Run, Watch, in_system, name_labels};
use super::sorting::{PART, Sorting};
use super::symmetry::Decided;
use super::{Ended, Hooks, counting};
use crate::choice::{Reorder, Split, SymbolicOrder, Symmetry, Topic};
use crate::report::{Choice, counted};

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
pub(super) struct Way {
    /// The model so taken apart.
    pub(super) ground: Arc<dyn Ground>,
    /// How.
    pub(super) parts: Parts,
}

impl Run<'_> {
    /// Explores sets of states; `facts` is what is known before.
    pub(super) fn search_sets(
        &self,
        labels: &[Asked],
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        let started = Instant::now();
        if crate::plan::sorts_columns(self.options) {
            return self.search_columns(labels, started, hooks, facts);
        }
        let explore = |way: &Way, trial: Option<Patience>| {
            let config = self.symbolic_config(labels);
            self.explore_sets(&*way.ground, config, trial, started, hooks)
        };
        let conclude = |way: &Way, outcome: symbolic::Outcome| {
            self.tell_parts(way.parts, way.ground.split(), &mut facts.choices);
            self.conclude_sets(&outcome, (&*way.ground, labels), facts)
        };
        let first = self.way(self.parts())?;
        let is_open = matches!(self.options.split, None | Some(Split::Auto));
        let mut second = match is_open && self.plan.trial.is_none() {
            true => self.in_parts(Parts::Everything)?,
            false => None,
        };
        let has_choice = second
            .as_ref()
            .is_some_and(|second| second.split() > first.ground.split());
        let second = second.take().filter(|_| has_choice).map(|ground| Way {
            ground,
            parts: Parts::Everything,
        });
        let because = "in a trial diagrams of sorted columns got further";
        let sorting = Sorting::of(self, because).filter(|_| is_open);
        if second.is_none() && sorting.is_none() {
            return conclude(&first, explore(&first, None)?);
        }
        // Without a second way, trials are for columns alone, and one is enough.
        let rounds = if second.is_some() { TRIALS.len() } else { 1 };
        let mut is_second = false;
        for trial in &TRIALS[..rounds] {
            let tried = explore(&first, Some(*trial))?;
            if !tried.statistics.gave_up {
                return conclude(&first, tried);
            }
            let mut most = tried.statistics.states.clone();
            if let Some(second) = &second {
                let other = explore(second, Some(*trial))?;
                if has_gaps(&other) && !has_gaps(&tried) {
                    break;
                }
                if !other.statistics.gave_up {
                    return conclude(second, other);
                }
                is_second = other.statistics.states > tried.statistics.states;
                most = most.max(other.statistics.states);
            }
            if let Some(sorting) = &sorting {
                let sorted = sorting.run(self);
                let spent = trial.saturation + trial.rest.unwrap_or(0);
                let tried = sorted.try_columns(labels, spent / PART, started, hooks)?;
                if tried.is_some_and(|tried| tried.is_done || tried.states > most) {
                    let facts = Facts::planned(sorted.plan, sorted.options);
                    match sorted.sort_columns(labels, started, hooks, facts)? {
                        Sorted::Done(facts) => return Ok(*facts),
                        // An `auto` refuses nothing.
                        Sorted::Hidden(_) => break,
                    }
                }
            }
        }
        let way = second.filter(|_| is_second).unwrap_or(first);
        conclude(&way, explore(&way, None)?)
    }

    /// The model in parts, or as a whole where nothing can be taken apart.
    pub(super) fn way(&self, parts: Parts) -> Result<Way, Ended> {
        let ground = match self.in_parts(parts)? {
            Some(ground) => ground,
            None => self.whole_for_sets()?,
        };
        Ok(Way { ground, parts })
    }

    /// The model as a whole, with guards.
    pub(super) fn whole_for_sets(&self) -> Result<Arc<dyn Ground>, Ended> {
        self.ground(&Form {
            guards: true,
            ..self.form()
        })
    }

    /// How much is taken apart at first.
    pub(super) fn parts(&self) -> Parts {
        match (self.options.split, self.plan.trial) {
            (Some(Split::On), _) => Parts::Everything,
            (_, Some(trial)) => trial.parts,
            _ => Parts::Worth,
        }
    }

    /// The model with its sets and functions in parts; `None` when there is nothing to take apart.
    pub(super) fn in_parts(&self, parts: Parts) -> Result<Option<Arc<dyn Ground>>, Ended> {
        self.take_apart(&self.form(), parts)
    }

    /// A form of the model in parts; `None` when there is nothing to take apart.
    pub(super) fn take_apart(
        &self,
        form: &Form<'_>,
        parts: Parts,
    ) -> Result<Option<Arc<dyn Ground>>, Ended> {
        // The levels of a diagram that is written are whole variables.
        if self.options.split == Some(Split::Off) || self.options.certificate.is_some() {
            return Ok(None);
        }
        let form = Form {
            guards: true,
            parts,
            counts: self.options.count_transitions,
            ..*form
        };
        Ok(self.subject.ground(&form)?)
    }

    /// Explores one system; with patience for a trial, else to the end.
    pub(super) fn explore_sets(
        &self,
        ground: &dyn Ground,
        mut config: symbolic::Config,
        trial: Option<Patience>,
        started: Instant,
        hooks: &Hooks<'_>,
    ) -> Result<symbolic::Outcome, Ended> {
        config.checks = in_system(&config.checks, ground);
        config.patience = trial.unwrap_or(config.patience);
        let left = |most: Duration| most.saturating_sub(started.elapsed());
        config.limits.max_time = config.limits.max_time.map(left);
        let mut outcome = symbolic::explore(ground.system(), &config, &Watch(hooks))
            .map_err(|refused| self.refuse(&refused))?;
        name_labels(ground, &mut outcome.common);
        self.unsupported(&outcome.common)?;
        Ok(outcome)
    }

    /// Adds what was found.
    pub(super) fn conclude_sets(
        &self,
        outcome: &symbolic::Outcome,
        (ground, labels): (&dyn Ground, &[Asked]),
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        let symbolic::Outcome {
            common,
            statistics,
            set,
        } = outcome;
        facts.statistics = counting::statistics(common);
        let none = Decided::off();
        self.conclude(
            common,
            Some(statistics),
            (ground, labels, &none),
            &mut facts,
        )?;
        if let Some(set) = set {
            let checks = self.checks(labels);
            self.certify_set(set, common, (ground, &checks), &mut facts);
        }
        Ok(facts)
    }

    /// Says how many variables are in parts, and why if that was ours to choose.
    pub(super) fn tell_parts(&self, parts: Parts, count: usize, choices: &mut [Choice]) {
        let Some(choice) = choices.iter_mut().find(|c| c.option == Topic::Split) else {
            return;
        };
        choice.chosen = match count {
            0 => "off".to_owned(),
            _ => format!("on ({})", counted(count, "variable")),
        };
        let is_asked = matches!(self.options.split, Some(Split::On | Split::Off));
        choice.because = (!is_asked).then_some(match (count, parts) {
            (0, _) => "no variable has parts that pay",
            (_, Parts::Whole | Parts::Worth) => "events touch single elements",
            (_, Parts::Everything) if self.options.symmetry == Symmetry::Counters => {
                "elements are counted by what lies in slots of their own"
            }
            (_, Parts::Everything) if crate::plan::sorts_columns(self.options) => {
                "columns are sorted by what lies in slots of their own"
            }
            (_, Parts::Everything) => "in a trial it went further with everything in parts",
        });
    }

    pub(super) fn symbolic_config(&self, labels: &[Asked]) -> symbolic::Config {
        let config = self.config(labels, &Decided::off());
        symbolic::Config {
            order: match self.plan.order.and_then(|order| order.choice) {
                Some(SymbolicOrder::Bfs) => symbolic::Order::Bfs,
                Some(SymbolicOrder::Chaining) => symbolic::Order::Chaining,
                Some(SymbolicOrder::Saturation) => symbolic::Order::Saturation,
                None => symbolic::Order::Auto,
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
            symmetry: None,
            keep_states: self.options.certificate.is_some(),
            collects_always: false,
        }
    }
}

/// Whether some question had no answer, or not all of it: a part may be harder to evaluate than the whole.
fn has_gaps(outcome: &symbolic::Outcome) -> bool {
    let mut open = outcome.common.open.iter();
    open.any(|why| matches!(why, Open::Budget(..) | Open::Cut))
}
