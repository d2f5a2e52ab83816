//! Finds out, while states are explored one by one, whether the symbolic engine would be done sooner: `--engine auto`.
//!
//! Technique: after so many states, and again whenever there are four times as many, the symbolic engine is tried with a
//! patience in proportion to the states so far. Only where it comes to an end is it chosen; otherwise the exploration goes on
//! as if nothing had been. A model with few states never comes to a trial, nor does one whose operations read most slots.
//! Invariant: what a trial does, and when there is one, depends on counts only, not on the clock.
//! Invariant: the symbolic engine is chosen only if it can tell everything that the report has.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::Shape;
use search::explicit::{Monitor, Open};
use search::symbolic;
use subject::{Ground, Parts};

use super::labels::Asked;
use super::run::{Run, in_system};
use super::{Ended, Hooks};
use crate::choice::{Engine, Evaluator, Order, Store, Wd};
use crate::plan::{Trial, is_about_formulas};

/// The first trial comes after so many states.
const FIRST: u64 = 1 << 16;
/// From one trial to the next.
const TIMES: u64 = 4;
/// So many states for one look of the symbolic engine at its watcher.
const STATES_PER_LOOK: u64 = 1 << 10;
/// What the diagrams of a trial may take.
const MOST_BYTES: u64 = 1 << 30;

/// The trials of a run.
pub(super) struct Trials<'a> {
    run: &'a Run<'a>,
    labels: &'a [Asked],
    hooks: &'a Hooks<'a>,
    started: Instant,
    /// The next one comes after so many states.
    pub(super) due: u64,
}

/// Watches a trial.
struct OnTrial<'a>(&'a Trials<'a>);

impl<'a> Trials<'a> {
    /// Trials, where the options leave the choice open and nothing depends on single states.
    pub(super) fn new(
        run: &'a Run<'a>,
        labels: &'a [Asked],
        hooks: &'a Hooks<'a>,
    ) -> Option<Trials<'a>> {
        let options = run.options;
        let is_open = options.engine == Engine::Auto
            && run.plan.engine.choice == Engine::Explicit
            && options.evaluator == Evaluator::Compiled
            && options.setting.wd != Wd::Lenient
            && !is_about_formulas(options);
        let wants_states = options.search != Order::Bfs
            || options.store != Store::Tree
            || options.threads > 1
            || options.dot.is_some()
            || options.certificate.is_some()
            || options.checkpoint.is_some()
            || options.resume.is_some();
        let limits = [options.max_states, options.max_setups, options.max_depth];
        let is_limited = limits.iter().any(Option::is_some);
        (is_open && !wants_states && !is_limited).then(|| Trials {
            run,
            labels,
            hooks,
            started: Instant::now(),
            due: FIRST,
        })
    }

    /// The trial that is due; `Some` when it came to an end.
    pub(super) fn attempt(&mut self) -> Option<Trial> {
        let looks = self.due / STATES_PER_LOOK;
        self.due = self.due.saturating_mul(TIMES);
        let most = symbolic::Patience::default().saturation;
        let patience = symbolic::Patience {
            saturation: (looks / 2).min(most),
            rest: Some(looks / 2),
        };
        // What cannot be tried is not chosen.
        self.best(patience).ok().flatten()
    }

    /// The trial in which the symbolic engine finds all states, and has all counts.
    fn best(&self, patience: symbolic::Patience) -> Result<Option<Trial>, Ended> {
        let mut options = self.run.options.clone();
        options.count_transitions = true;
        let mut trial = Trial {
            patience,
            parts: Parts::Worth,
        };
        let plan = self.run.plan.on_sets(&options, trial);
        let run = Run {
            options: &options,
            plan: &plan,
            ..*self.run
        };
        let worth = run.in_parts(trial.parts)?;
        let count = worth.as_ref().map_or(0, |ground| ground.split());
        let ground = match worth {
            Some(ground) => ground,
            None => run.whole_for_sets()?,
        };
        if self.finds_all(&run, &*ground, patience) {
            return Ok(Some(trial));
        }
        trial.parts = Parts::Everything;
        let more = run.in_parts(trial.parts)?;
        let more = more.filter(|ground| ground.split() > count);
        Ok(more
            .is_some_and(|ground| self.finds_all(&run, &*ground, patience))
            .then_some(trial))
    }

    fn finds_all(&self, run: &Run<'_>, ground: &dyn Ground, patience: symbolic::Patience) -> bool {
        let system = ground.system();
        if !is_sparse(system.shape()) {
            return false;
        }
        let mut config = run.symbolic_config(self.labels);
        config.patience = patience;
        let most = config.limits.max_memory.unwrap_or(MOST_BYTES);
        config.limits.max_memory = Some(most.min(MOST_BYTES));
        config.limits.max_time = None;
        config.checks = in_system(&config.checks, ground);
        let outcome = symbolic::explore(system, &config, &OnTrial(self));
        outcome.is_ok_and(|outcome| {
            let open = &outcome.common.open;
            outcome.statistics.is_exhausted
                && outcome.statistics.transitions.is_some()
                && open.iter().all(|why| matches!(why, Open::Cut))
                && outcome.common.notes.undefined_guards == 0
        })
    }
}

/// Whether operations read at most half of the slots on average: otherwise short vectors are as many as states.
fn is_sparse(shape: &Shape) -> bool {
    let reads: usize = shape
        .groups
        .iter()
        .map(|group| group.reads.iter().count())
        .sum();
    2 * reads <= shape.groups.len() * shape.slots.len()
}

impl Monitor for OnTrial<'_> {
    fn should_stop(&self) -> bool {
        let most = self.0.run.options.max_time.map(Duration::from_secs_f64);
        self.0.hooks.stop.load(Relaxed) || most.is_some_and(|most| self.0.started.elapsed() >= most)
    }
}
