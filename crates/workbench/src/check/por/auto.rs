//! Decides by itself whether steps are left out: first nothing is; a model with many states gets a trial.
//!
//! Most models have few states, and what they have is best counted and shown as it is: the shortest path, every operation
//! that happens. So the search begins without reduction. If it does not come to an end soon, it is held up while the
//! relations between events are found and a trial shows how many steps and states stubborn sets leave out. If enough, the search begins
//! again with them. If not, it goes on where it was, and the report says who is to blame: paper [Dobrikov, Leuschel 2014]
//! found that checking the invariant often is.
//! Invariant: what is decided depends on counts, never on time.

use reduce::por::{Method, Visibility};
use search::explicit::{self, Config, Monitor};
use subject::Form;

use super::super::labels::Asked;
use super::super::relations::Effort;
use super::super::run::{Run, Watch};
use super::super::symmetry::Decided as Symmetry;
use super::super::{Ended, Hooks};
use super::instances::Analysed;
use super::{Decided, TRIAL_STATES, Tried, little};
use crate::report::{PorReduction, counted};

/// So many states are explored before a reduction is thought of: most models have fewer.
pub(in super::super) const FIRST_STATES: u64 = 100_000;

/// Fewer steps than this, in percent, are not worth leaving out: choosing them costs as much.
const LEAST_PERCENT: f64 = 20.0;

/// What became of a trial.
pub(in super::super) struct Decision {
    pub(in super::super) analysed: Analysed,
    pub(in super::super) pays: bool,
    pub(in super::super) because: String,
}

impl Run<'_> {
    /// Finds the relations between the events of a model, and tries how many steps can be left out.
    pub(in super::super) fn decide_auto(
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
        let leaves_out = tried.percent() >= LEAST_PERCENT;
        let mut because = tried.words(leaves_out);
        let config = self.config(labels, &Symmetry::off());
        let fewer = || analysed.fewer(tried, &config, &Watch(hooks));
        let pays = leaves_out && (tried.is_complete || fewer().is_none_or(is_much));
        if leaves_out && !pays {
            because += ", but hardly a state";
        }
        if !leaves_out && visibility.is_needed() {
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
}

/// Whether so many states in place of so many others are worth choosing steps.
fn is_much((few, all): (u64, u64)) -> bool {
    all * 100 >= few * (100 + LEAST_PERCENT as u64)
}

impl Analysed {
    /// How many states are found with the reduction, and how many without, as deep as a trial came: steps can be left out and
    /// lead to states that other ways lead to. `None` when it did not come deep enough to say.
    fn fewer(&self, tried: Tried, config: &Config, monitor: &dyn Monitor) -> Option<(u64, u64)> {
        let depth = tried.depth.checked_sub(1).filter(|depth| *depth > 0)?;
        let system = self.ground.system();
        let to_depth = |states| {
            let mut config = little(config, states);
            config.limits.max_depth = Some(depth);
            config
        };
        let reduction = self.prepared.reduction(system.shape());
        let few = explicit::explore_reduced(system, &to_depth(TRIAL_STATES), &reduction, monitor);
        let few = few.ok()?.statistics.states;
        let all = explicit::explore(system, &to_depth(2 * few), monitor);
        Some((few, all.ok()?.statistics.states))
    }
}

impl Decision {
    /// Says what is known of a reduction that is not made use of.
    pub(in super::super) fn tell(&self, labels: &[Asked], told: &mut PorReduction) {
        told.because = Some(self.because.clone());
        let ground = &*self.analysed.ground;
        let prepared = &self.analysed.prepared;
        prepared.tell_relations((ground, labels), told);
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
