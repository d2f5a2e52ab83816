//! Decides by itself whether steps are left out: first nothing is; a model with many states gets a trial.
//!
//! Most models have few states, and what they have is best counted and shown as it is: the shortest path, every operation
//! that happens. So the search begins without reduction. If it does not come to an end soon, it is held up while the
//! relations between events are found and a trial shows how many steps stubborn sets leave out. If enough, the search begins
//! again with them. If not, it goes on where it was, and the report says who is to blame: paper [Dobrikov, Leuschel 2014]
//! found that checking the invariant often is.
//! Invariant: what is decided depends on counts, never on time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use reduce::por::{Method, Visibility};
use search::explicit::{self, Monitor, Open};
use subject::{Form, Ground};

use super::super::labels::Asked;
use super::super::relations::Effort;
use super::super::run::{Exploring, Run, Watch};
use super::super::symmetry::Decided as Symmetry;
use super::super::{Ended, Hooks};
use super::instances::Analysed;
use super::{Decided, Tried};
use crate::choice::Por;
use crate::plan::Options;
use crate::report::{Report, counted, grouped};

/// So many states are explored before a reduction is thought of: most models have fewer.
const FIRST_STATES: u64 = 100_000;

/// Fewer steps than this, in percent, are not worth leaving out: choosing them costs as much.
const LEAST_PERCENT: f64 = 20.0;

/// What became of a trial.
struct Decision {
    analysed: Analysed,
    pays: bool,
    because: String,
}

impl Run<'_> {
    /// Explores a model; if it has many states and a trial shows that this pays, once more, leaving out steps.
    pub(in super::super) fn explore_auto(
        &self,
        ground: &dyn Ground,
        labels: &[Asked],
        symmetry: &Symmetry,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let begun = Instant::now();
        let made = Mutex::new(None);
        let decide = || {
            let decision = self.decide_auto(labels, symmetry, hooks);
            // An error ends the search as well.
            let is_enough = decision.as_ref().map_or(true, |decision| decision.pays);
            *made.lock().unwrap_or_else(PoisonError::into_inner) = Some(decision);
            is_enough
        };
        let waiting = Waiting {
            watch: Watch(hooks),
            expanded: AtomicU64::new(0),
            is_enough: AtomicBool::new(false),
            decide: &decide,
        };
        let config = self.config(labels, symmetry);
        let exploring = Exploring {
            config: &config,
            decided: symmetry,
            reduction: None,
            labels,
            monitor: &waiting,
        };
        let mut first = report.clone();
        let outcome = self.reduced(ground.system(), &exploring, &mut first)?;
        let decision = made.into_inner().unwrap_or_else(PoisonError::into_inner);
        let decision = decision.transpose()?;
        let is_over = hooks.stop.load(Relaxed) || outcome.open.iter().any(is_limit);
        match decision {
            Some(decision) if decision.pays && !is_over => {
                drop(outcome);
                let told = &mut report.reductions.por;
                told.method = Por::Stubborn;
                told.because = Some(decision.because);
                let options = self.options_after(begun);
                let rest = Run {
                    options: &options,
                    ..*self
                };
                rest.search_fewer(decision.analysed, labels, symmetry, hooks, report)
            }
            decision => {
                *report = first;
                if let Some(decision) = &decision {
                    decision.tell(labels, report);
                } else {
                    let few = format!("no more than {} states", grouped(FIRST_STATES));
                    report.reductions.por.because = Some(few);
                }
                self.conclude(&outcome, None, (ground, labels, symmetry), report)
            }
        }
    }

    /// Finds the relations between the events of a model, and tries how many steps can be left out.
    fn decide_auto(
        &self,
        labels: &[Asked],
        symmetry: &Symmetry,
        hooks: &Hooks<'_>,
    ) -> Result<Decision, Ended> {
        let guarded = self.ground(&Form {
            guards: true,
            symmetry: symmetry.permuted(),
            statics: symmetry.statics(),
            ..self.form()
        })?;
        let por = Decided {
            method: Method::Stubborn,
            dependence: self.options.dependence,
            effort: Effort::Little,
        };
        let analysed = self.analyse(guarded, labels, symmetry, por, hooks)?;
        let visibility = &analysed.prepared.related.visibility;
        let attempt = |visibility: &Visibility| {
            let config = self.config(labels, &Symmetry::off());
            let prepared = &analysed.prepared;
            prepared.trial(&*analysed.ground, visibility, &config, &Watch(hooks))
        };
        let tried = analysed.tried.unwrap_or_else(|| attempt(visibility));
        let pays = tried.percent() >= LEAST_PERCENT;
        let mut because = tried.words(pays);
        if !pays && visibility.is_needed() {
            let nobody = Visibility::new(analysed.ground.system().shape(), &[]);
            let percent = attempt(&nobody).percent();
            if percent >= LEAST_PERCENT {
                because += &format!("; if only deadlocks were looked for, {percent:.0} % would be");
            }
        }
        Ok(Decision {
            analysed,
            pays,
            because,
        })
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

/// Whether a run ended because the user set a limit.
fn is_limit(open: &Open) -> bool {
    matches!(
        open,
        Open::MaxStates | Open::MaxSetups | Open::MaxTime | Open::MaxMemory | Open::MaxDepth
    )
}

impl Decision {
    /// Says what is known of a reduction that is not made use of.
    fn tell(&self, labels: &[Asked], report: &mut Report) {
        report.reductions.por.because = Some(self.because.clone());
        let ground = &*self.analysed.ground;
        self.analysed
            .prepared
            .tell_relations((ground, labels), report);
    }
}

impl Tried {
    /// What a trial showed, as a reason.
    fn words(self, pays: bool) -> String {
        let only = if pays { "" } else { "only " };
        let (states, percent) = (counted(self.states, "state"), self.percent());
        format!("in a trial of {states} {only}{percent:.0} % of the steps were left out")
    }
}

/// Waits for many states; then a decision is made, once, while the search waits.
struct Waiting<'a> {
    watch: Watch<'a>,
    expanded: AtomicU64,
    is_enough: AtomicBool,
    /// Whether the search should end.
    decide: &'a (dyn Fn() -> bool + Sync),
}

impl Monitor for Waiting<'_> {
    fn progress(&self, progress: &explicit::Progress) {
        self.watch.progress(progress);
    }

    fn should_stop(&self) -> bool {
        self.watch.should_stop()
    }

    fn is_enough(&self) -> bool {
        if self.expanded.load(Relaxed) <= FIRST_STATES
            && self.expanded.fetch_add(1, Relaxed) == FIRST_STATES
            && (self.decide)()
        {
            self.is_enough.store(true, Relaxed);
        }
        self.is_enough.load(Relaxed)
    }
}
