//! Visits every reachable state one by one: the reference for every other engine.
//!
//! Breadth-first in levels by one or several threads over one shared store ([`Order::Bfs`], findings at least
//! depth), or from a stack ([`Order::Dfs`], [`Order::Mixed`]).
//! Invariant: verdict and counts of a complete run with an exact store do not depend on order, store or threads;
//! its breadth-first findings and their paths do not depend on threads either.
//! Invariant: a limit, an interrupt or a full store ends the run with what was found and a reason.

mod batch;
mod by_setups;
pub(crate) mod checkpoint;
pub(crate) mod chosen;
pub(crate) mod codec;
pub(crate) mod config;
mod crew;
mod disk;
mod expand;
pub(crate) mod found;
pub(crate) mod labels;
mod level;
mod levels;
pub(crate) mod limits;
pub(crate) mod links;
mod lock;
mod merge;
pub(crate) mod outcome;
pub(crate) mod paths;
pub(crate) mod run;
mod search;
pub(crate) mod slots;
mod stack;
pub(crate) mod start;
pub(crate) mod statistics;
pub(crate) mod steps;
pub(crate) mod watch;

use pins::System;
use reduce::por::Reduction;

pub use config::{Checkpoint, Checks, Config, Limits, Monitor, Order, Progress, Quiet};
pub use disk::explore_on_disk;
pub(crate) use found::leave_open;
pub use outcome::{Finding, FindingKind, Kept, Open, Outcome, Refused};
pub use search::{Advance, Search, Standing};
pub use statistics::{Distinct, Statistics};
pub use treetable::Kind as StoreKind;

/// Explores `system` as `config` says. An error means that nothing was explored: a checkpoint of another model,
/// or no memory for even an empty store.
pub fn explore(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    search(system, config, None, monitor, to_the_end)?
}

/// The same, of each state only the steps that `reduction` chooses, with the proviso that the order of visits needs.
pub fn explore_reduced(
    system: &dyn System,
    config: &Config,
    reduction: &Reduction<'_>,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    search(system, config, Some(reduction), monitor, to_the_end)?
}

fn to_the_end(mut search: Search<'_>) -> Result<Outcome, Refused> {
    search.advance(u64::MAX)?;
    Ok(search.finish())
}

/// Begins a search that `drive` carries on, from milestone to milestone.
pub fn search<R>(
    system: &dyn System,
    config: &Config,
    reduction: Option<&Reduction<'_>>,
    monitor: &dyn Monitor,
    drive: impl FnOnce(Search<'_>) -> R,
) -> Result<R, Refused> {
    if by_setups::applies(system, config) {
        return Ok(by_setups::search(system, config, reduction, monitor, drive));
    }
    let run = run::Run::new(system, config, monitor, reduction)?;
    Ok(drive(Search::whole(run)))
}
