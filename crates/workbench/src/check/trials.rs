//! Finds out, while states are explored one by one, whether the symbolic engine would be done sooner: `--engine auto`.
//!
//! Technique: after so many states, and again whenever there are four times as many, the symbolic engine is tried with a
//! patience in proportion to the questions asked so far; with more when it is ahead. Where it comes to an end, its trial was the
//! run; otherwise the exploration goes on as if nothing had been. A model with few states never comes to a trial, nor does
//! one whose operations read most slots.
//! Invariant: what a trial does, and when there is one, depends on counts only, not on the clock.
//! Invariant: the symbolic engine is chosen only if it can tell everything that the report has.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::Shape;
use search::explicit::{Monitor, Open};
use search::symbolic;
use subject::{Ground, Parts};

use super::labels::Asked;
use super::run::{Run, in_system, name_labels};
use super::sets::Way;
use super::sorting::Sorting;
use super::{Ended, Hooks};
use crate::choice::{Engine, Evaluator, Order, Store, Wd};
use crate::plan::{Trial, is_about_formulas};

/// The first trial comes after so many states.
const FIRST: u64 = 1 << 10;
/// From one trial to the next.
const TIMES: u64 = 4;
/// So many questions of a search of single states for one look of the symbolic engine at its watcher, which is a thousand
/// questions or some thousand operations on diagrams: a trial takes some hundredths of what the search took so far.
const QUESTIONS_PER_LOOK: u64 = 1 << 15;
/// Columns are sorted on trial after so many representatives: before that a search of them is done soon, and tells more.
const FIRST_SORTED: u64 = 1 << 20;
/// Why columns are sorted.
const BECAUSE: &str =
    "in a trial diagrams of sorted columns came to an end, and states one by one had not yet";
/// A trial has patience for so many looks at least.
const LEAST_LOOKS: u64 = 4;
/// So often a trial is given four times the patience when it is ahead of the search of single states.
const EXTENSIONS: u32 = 2;
/// So many ways to take a model apart are tried.
const WAYS: usize = 2;
/// A trial is ahead when it has so many times the states of the search.
const AHEAD: u64 = 2;
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
    /// The search that it is compared with.
    searching: Searching,
    /// How the model was taken apart in trials so far; `None` where there was nothing more to take apart.
    ways: Vec<Option<Way>>,
    /// Columns may be sorted, too, beside a search of representatives.
    sorting: Option<Sorting>,
}

/// A search of single states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searching {
    /// How many questions it asks about each state.
    pub(super) asked: u64,
    /// Whether it visits every state, and not some that stand for others.
    pub(super) has_all: bool,
}

/// What a trial that came to an end says.
pub(super) enum Better {
    /// It is the run.
    Sets(Box<Tried>),
    /// With columns sorted it comes to an end.
    Columns(Box<Sorting>),
}

/// A trial that came to an end: it is the run.
pub(super) struct Tried {
    /// What was tried.
    pub(super) trial: Trial,
    /// On what.
    pub(super) ground: Arc<dyn Ground>,
    /// What it came to.
    pub(super) outcome: symbolic::Outcome,
}

/// What a trial found.
struct Found {
    outcome: symbolic::Outcome,
    /// All states, with everything that the report has.
    is_whole: bool,
}

/// Watches a trial.
struct OnTrial<'a>(&'a Trials<'a>);

impl<'a> Trials<'a> {
    /// Trials, where the options leave the choice open and nothing depends on single states.
    pub(super) fn new(
        run: &'a Run<'a>,
        labels: &'a [Asked],
        searching: Searching,
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
            || options.induction
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
            searching,
            ways: Vec::new(),
            sorting: match searching.has_all {
                true => None,
                false => Sorting::of(run, BECAUSE),
            },
        })
    }

    /// The trial that is due; `Some` when it came to an end.
    pub(super) fn attempt(&mut self) -> Option<Better> {
        let states = self.due;
        let asked = states.saturating_mul(self.searching.asked);
        let looks = (asked / QUESTIONS_PER_LOOK).max(LEAST_LOOKS);
        self.due = states.saturating_mul(TIMES);
        // What cannot be tried is not chosen.
        if let Ok(Some(tried)) = self.best(states, looks) {
            return Some(Better::Sets(Box::new(tried)));
        }
        let sorting = self.sorting.as_ref().filter(|_| states >= FIRST_SORTED)?;
        let run = sorting.run(self.run);
        let looks = asked / QUESTIONS_PER_LOOK;
        let tried = run.try_columns(self.labels, looks, self.started, self.hooks);
        match tried {
            Ok(Some(tried)) if tried.is_done => {
                self.sorting.take().map(Box::new).map(Better::Columns)
            }
            Ok(Some(_)) => None,
            // Nothing can be sorted, now or later.
            Ok(None) | Err(_) => {
                self.sorting = None;
                None
            }
        }
    }

    /// The trial in which the symbolic engine finds all states, and has all counts.
    fn best(&mut self, states: u64, looks: u64) -> Result<Option<Tried>, Ended> {
        let mut options = self.run.options.clone();
        options.count_transitions = true;
        let trial = |parts, looks| Trial {
            patience: patience(looks),
            parts,
        };
        let plan = self.run.plan.on_sets(&options, trial(Parts::Worth, looks));
        let run = Run {
            options: &options,
            plan: &plan,
            ..*self.run
        };
        for number in 0..WAYS {
            if self.ways.len() == number {
                self.ways.push(next_way(&run, &self.ways)?);
            }
            let Some(Way { ground, parts }) = &self.ways[number] else {
                continue;
            };
            if !is_sparse(ground.system().shape()) {
                continue;
            }
            let mut looks = looks;
            // Where states stand for others, more states do not mean more was done.
            let extensions = if self.searching.has_all {
                EXTENSIONS
            } else {
                0
            };
            for _ in 0..=extensions {
                let trial = trial(*parts, looks);
                let found = self.explore(&run, &**ground, trial.patience)?;
                if found.is_whole {
                    return Ok(Some(Tried {
                        trial,
                        ground: ground.clone(),
                        outcome: found.outcome,
                    }));
                }
                let counted = &found.outcome.statistics;
                if !counted.gave_up || counted.states < states.saturating_mul(AHEAD).into() {
                    break;
                }
                looks *= TIMES;
            }
        }
        Ok(None)
    }

    /// Explores sets of states as long as the patience lasts.
    fn explore(
        &self,
        run: &Run<'_>,
        ground: &dyn Ground,
        patience: symbolic::Patience,
    ) -> Result<Found, Ended> {
        let system = ground.system();
        let mut config = run.symbolic_config(self.labels);
        config.patience = patience;
        let most = config.limits.max_memory.unwrap_or(MOST_BYTES);
        config.limits.max_memory = Some(most.min(MOST_BYTES));
        config.limits.max_time = None;
        config.checks = in_system(&config.checks, ground);
        let outcome = symbolic::explore(system, &config, &OnTrial(self));
        let mut outcome = outcome.map_err(|refused| run.refuse(&refused))?;
        let open = &outcome.common.open;
        let is_whole = outcome.statistics.is_exhausted
            && outcome.statistics.transitions.is_some()
            && open.iter().all(|why| matches!(why, Open::Cut))
            && outcome.common.notes.undefined_guards == 0;
        name_labels(ground, &mut outcome.common);
        Ok(Found { outcome, is_whole })
    }
}

/// So much patience: most of it for saturation, which needs the fewest nodes.
fn patience(looks: u64) -> symbolic::Patience {
    let most = symbolic::Patience::default().saturation;
    symbolic::Patience {
        saturation: (looks - looks / 4).min(most),
        rest: Some(looks / 4),
    }
}

/// The next way to take the model apart, after those that were tried: where that seems to be worth it, then wherever it can be.
fn next_way(run: &Run<'_>, tried: &[Option<Way>]) -> Result<Option<Way>, Ended> {
    let Some(first) = tried.first() else {
        return Ok(Some(run.way(Parts::Worth)?));
    };
    let count = first.as_ref().map_or(0, |way| way.ground.split());
    let more = run.in_parts(Parts::Everything)?;
    let more = more.filter(|ground| ground.split() > count);
    Ok(more.map(|ground| Way {
        ground,
        parts: Parts::Everything,
    }))
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
