//! Finds out, while states are explored one by one, whether the symbolic engine would be done sooner: `--engine auto`.
//!
//! Technique: after so many states, and again whenever there are four times as many, the symbolic engine is tried with a
//! patience in proportion to the questions asked so far, and with more as long as it finds states faster (decision 0330). Where it comes
//! to an end, its trial was the run; otherwise the exploration goes on as if nothing had been. A model with few states never comes to
//! a trial, nor does one whose operations read most slots or whose states are initial ones.
//! Invariant: what a trial does, and when there is one, depends on counts only, not on the clock.
//! Invariant: the symbolic engine is chosen only if it can tell everything that the report has.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use pins::Shape;
use search::explicit::{Monitor, Open, Standing};
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
/// So many ways to take a model apart are tried.
const WAYS: usize = 2;
/// A search of single states takes about as long for one as for so many nodes of diagrams.
const NODES_PER_STATE: u64 = 10;
/// With more patience than one look for so many states of the search a trial is not gone on with, however well it does.
const STATES_PER_LOOK: u64 = 4;
/// At least so many states for each initial one: diagrams do not find these faster.
const MOST_STARTS: u64 = 4;
/// A search of fewer states ...
const SMALL: u64 = 1 << 12;
/// ... of which less than one of so many is left to expand is about to end.
const FEW_LEFT: u64 = 16;
/// The time to put slots in an order grows with their square: a state is about as much work as so many pairs of them.
const SLOTS_PER_STATE: u64 = 8;
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
    /// How the model was taken apart in trials so far.
    ways: Vec<Tries>,
    /// Columns may be sorted, too, beside a search of representatives.
    sorting: Option<Sorting>,
}

/// A way to take a model apart, and what was tried with it.
struct Tries {
    /// `None` where there was nothing more to take apart, or where it promises nothing.
    way: Option<Way>,
    /// How much was taken apart.
    count: usize,
    /// The patience of the last trial, in looks.
    spent: u64,
}

/// Where the search of single states is when a trial is due.
pub(super) struct At {
    /// What it did.
    pub(super) standing: Standing,
    /// How many states those it found stand for, under symmetry.
    pub(super) stands_for: Option<u128>,
}

impl At {
    /// Whether a trial finds states faster than the search.
    fn is_outrun(&self, tried: &symbolic::Statistics) -> bool {
        let states = self.standing.states.max(1);
        let stands_for = self.stands_for.unwrap_or(states.into());
        &tried.states * NODES_PER_STATE * states >= BigUint::from(stands_for) * tried.peak_ldd_nodes
    }
}

/// A search of single states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searching {
    /// How many questions it asks about each state.
    pub(super) asked: u64,
    /// How many slots a state has.
    pub(super) slots: u64,
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
    pub(super) fn attempt(&mut self, at: &At) -> Option<Better> {
        let states = self.due;
        let asked = states.saturating_mul(self.searching.asked);
        let looks = (asked / QUESTIONS_PER_LOOK).max(LEAST_LOOKS);
        self.due = states.saturating_mul(TIMES);
        if !self.is_promising(at) {
            return None;
        }
        // What cannot be tried is not chosen.
        if let Ok(Some(tried)) = self.best(at, looks) {
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

    /// Whether diagrams have something to gain where the search stands.
    fn is_promising(&self, at: &At) -> bool {
        let Standing {
            states,
            left,
            starts,
        } = at.standing;
        // Initial states are found one by one in any case.
        let has_steps = self.searching.asked > 0 && starts.saturating_mul(MOST_STARTS) <= states;
        let is_ending = states < SMALL && left.saturating_mul(FEW_LEFT) < states;
        // Slots are put in an order before anything is asked.
        let slots = self.searching.slots;
        has_steps && !is_ending && slots.saturating_mul(slots) / SLOTS_PER_STATE <= states
    }

    /// The trial in which the symbolic engine finds all states, and has all counts.
    fn best(&mut self, at: &At, looks: u64) -> Result<Option<Tried>, Ended> {
        let mut options = self.run.options.clone();
        options.count_transitions = true;
        let plan = self.run.plan.on_sets(&options, trial(Parts::Worth, looks));
        let run = Run {
            options: &options,
            plan: &plan,
            ..*self.run
        };
        for number in 0..WAYS {
            if self.ways.len() == number {
                let way = next_way(&run, &self.ways)?;
                let count = way.as_ref().map_or(0, |way| way.ground.split());
                let way = way.filter(|way| is_sparse(way.ground.system().shape()));
                self.ways.push(Tries {
                    way,
                    count,
                    spent: 0,
                });
            }
            if let Some(tried) = self.try_way(number, &run, at, looks)? {
                return Ok(Some(tried));
            }
        }
        Ok(None)
    }

    /// Tries a way, with more patience as long as it gets on.
    fn try_way(
        &mut self,
        number: usize,
        run: &Run<'_>,
        at: &At,
        looks: u64,
    ) -> Result<Option<Tried>, Ended> {
        let Tries { way, spent, .. } = &self.ways[number];
        let Some(Way { ground, parts }) = way else {
            return Ok(None);
        };
        // With little more patience it comes hardly further than last time.
        if looks < spent.saturating_mul(TIMES) {
            return Ok(None);
        }
        let (ground, parts) = (Arc::clone(ground), *parts);
        let most = looks.max(at.standing.states / STATES_PER_LOOK);
        let mut looks = looks;
        let mut before: Option<BigUint> = None;
        loop {
            let trial = trial(parts, looks);
            let found = self.explore(run, &*ground, trial.patience)?;
            self.ways[number].spent = looks;
            if found.is_whole {
                return Ok(Some(Tried {
                    trial,
                    ground,
                    outcome: found.outcome,
                }));
            }
            if !found.outcome.common.findings.is_empty() {
                // That is told with the path of least depth, which the search finds.
                self.due = u64::MAX;
                return Ok(None);
            }
            let counted = &found.outcome.statistics;
            let is_growing = before.is_none_or(|before| &counted.states * 2u32 >= before * 3u32);
            looks = looks.saturating_mul(TIMES);
            if !counted.gave_up || !at.is_outrun(counted) || !is_growing || looks > most {
                return Ok(None);
            }
            before = Some(counted.states.clone());
        }
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

/// A trial of so many looks.
fn trial(parts: Parts, looks: u64) -> Trial {
    Trial {
        patience: patience(looks),
        parts,
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
fn next_way(run: &Run<'_>, tried: &[Tries]) -> Result<Option<Way>, Ended> {
    let Some(first) = tried.first() else {
        return Ok(Some(run.way(Parts::Worth)?));
    };
    let more = run.in_parts(Parts::Everything)?;
    let more = more.filter(|ground| ground.split() > first.count);
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
