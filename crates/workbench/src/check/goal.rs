//! A goal that no run came to because findings ended it: it is looked for alone.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::together::Next;
use super::{Ended, Facts, Hooks, run};
use crate::plan::Options;

/// Looks for the goal alone where findings ended the run before it was met: it is a question of its own.
pub(super) fn seek(
    run: &run::Run<'_>,
    start: Instant,
    hooks: &Hooks<'_>,
    facts: &mut Facts,
) -> Result<(), Ended> {
    let is_open = facts
        .goal
        .as_ref()
        .is_some_and(|goal| goal.reached.is_none());
    let is_certain = run.plan.open_because.is_empty() && facts.open_because.is_empty();
    let is_stopped = hooks.stop.load(Relaxed) || !is_certain;
    if !is_open || is_stopped || facts.findings.is_empty() || run.options.goal_is_error {
        return Ok(());
    }
    Next::Goal.tell(run)?;
    let mut options = for_goal_alone(run.options);
    let left = |most: f64| (most - start.elapsed().as_secs_f64()).max(0.1);
    options.max_time = options.max_time.map(left);
    let run = run::Run {
        options: &options,
        ..*run
    };
    facts.goal = run.explore(hooks)?.goal;
    Ok(())
}

/// What is asked when nothing but the goal is looked for.
pub(super) fn for_goal_alone(options: &Options) -> Options {
    let mut options = options.clone();
    options.invariant = false;
    options.deadlock = false;
    options.only = None;
    options.setting.obligations.assertions = false;
    options
}
