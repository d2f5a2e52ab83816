//! Decides by itself whether steps are left out: first nothing is; a model with many states gets a trial.
//!
//! Most models have few states, and what they have is best counted and shown as it is: the shortest path, every operation
//! that happens. So the search begins without reduction. If it does not come to an end soon, the relations between events
//! are found and a trial shows how many steps stubborn sets leave out. If too few, the report says who is to blame: paper
//! [Dobrikov, Leuschel 2014] found that checking the invariant often is.
//! Invariant: what is decided depends on counts, never on time.

use std::time::Instant;

use model::Model;
use pins::System;
use reduce::por::{Method, Visibility};
use search::explicit::Open;

use super::super::labels::Asked;
use super::super::run::{Run, Watch};
use super::super::symmetry::{Action, Decided as Symmetry};
use super::super::{Ended, Hooks, compiled};
use super::instances::Analysed;
use super::{Decided, Tried};
use crate::choice::Por;
use crate::plan::Options;
use crate::report::{Report, grouped};

/// So many states are explored before anything is left out: about what the analysis of a model costs.
const FIRST_STATES: u64 = 50_000;

/// Fewer steps than this, in percent, are not worth leaving out: choosing them costs as much.
const LEAST_PERCENT: f64 = 20.0;

impl Run<'_> {
    /// Explores a model, and leaves out steps if it has many states and a trial shows that this pays.
    pub(in super::super) fn explore_auto(
        &self,
        model: &Model,
        program: &compiled::Program<'_>,
        labels: &[Asked<'_>],
        symmetry: &Symmetry,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let begun = Instant::now();
        let most = self.options.max_states;
        let is_cut = most.is_none_or(|most| most > FIRST_STATES);
        let mut config = self.config(labels, symmetry);
        config.limits.max_states = most
            .map_or(FIRST_STATES, |most| most.min(FIRST_STATES))
            .into();
        let mut first = report.clone();
        let outcome = self.reduced(&program.system, &config, symmetry, None, hooks, &mut first)?;
        let has_more = outcome.findings.is_empty() && outcome.open.contains(&Open::MaxStates);
        if !(is_cut && has_more) {
            *report = first;
            report.reductions.por.because =
                Some(format!("no more than {} states", grouped(FIRST_STATES)));
            return self.conclude(&outcome, None, (program, labels, symmetry), report);
        }
        drop(outcome);
        let left = self.options_after(begun);
        let rest = Run {
            options: &left,
            ..*self
        };
        let (wd, solver) = (self.options.wd, self.options.solver);
        let mut guarded = compiled::with_guards(model, self.goal, wd, solver)?;
        if symmetry.action != Action::Off {
            guarded.system = guarded.system.with_symmetry(self.model, &symmetry.sorts);
        }
        let por = Decided {
            method: Method::Stubborn,
            dependence: self.options.dependence,
        };
        let analysed = rest.analyse(model, &guarded, labels, symmetry, por, hooks)?;
        let visibility = analysed.prepared.related.visibility.clone();
        let tried = match analysed.tried {
            Some(tried) => tried,
            None => rest.try_with(&guarded, &analysed, &visibility, hooks, labels),
        };
        let pays = tried.percent() >= LEAST_PERCENT;
        let mut because = tried.words(pays);
        if !pays && visibility.is_needed() {
            let blind = Visibility::new(guarded.system.shape(), &[]);
            let unseen = rest.try_with(&guarded, &analysed, &blind, hooks, labels);
            if unseen.percent() >= LEAST_PERCENT {
                because = format!(
                    "{because}; if only deadlocks were looked for, it would be {:.0} %",
                    unseen.percent()
                );
            }
        }
        report.reductions.por.because = Some(because);
        let left = self.options_after(begun);
        let rest = Run {
            options: &left,
            ..*self
        };
        if pays {
            report.reductions.por.method = Por::Stubborn.word();
            return rest.search_fewer(&guarded, analysed, labels, symmetry, hooks, report);
        }
        analysed.tell(&guarded, labels, report);
        drop((analysed, guarded));
        let system = &program.system;
        rest.search(system, program, labels, symmetry, None, hooks, report)
    }

    /// A trial of what was analysed, when these labels are looked at.
    fn try_with(
        &self,
        whole: &compiled::Program<'_>,
        analysed: &Analysed<'_>,
        visibility: &Visibility,
        hooks: &Hooks<'_>,
        labels: &[Asked<'_>],
    ) -> Tried {
        let config = self.config(labels, &Symmetry::off());
        let system = match &analysed.parts {
            Some(parts) => &parts.system,
            None => &whole.system,
        };
        let prepared = &analysed.prepared;
        prepared.trial(system, visibility, &config, &Watch(hooks))
    }

    /// The options, with what is left of the time.
    fn options_after(&self, begun: Instant) -> Options {
        let spent = begun.elapsed().as_secs_f64();
        Options {
            max_time: self.options.max_time.map(|most| (most - spent).max(0.0)),
            ..self.options.clone()
        }
    }
}

impl Analysed<'_> {
    /// Says what is known of a reduction that is not made use of.
    fn tell(&self, whole: &compiled::Program<'_>, labels: &[Asked<'_>], report: &mut Report) {
        let about = match &self.parts {
            Some(parts) => (parts.system.shape(), parts as _, labels),
            None => (whole.system.shape(), whole as _, labels),
        };
        self.prepared.tell_relations(about, report);
    }
}

impl Tried {
    /// What a trial showed, as a reason.
    fn words(self, pays: bool) -> String {
        let only = if pays { "" } else { " only" };
        let (states, percent) = (grouped(self.states), self.percent());
        format!("in a trial of {states} states{only} {percent:.0} % of the steps were left out")
    }
}
