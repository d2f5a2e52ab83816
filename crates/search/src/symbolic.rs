//! Explores sets of states at once: reachability in list decision diagrams.
//!
//! Paper: [Bendisposto et al. 2016], sections 3.1 to 3.3. A group is asked for successors once for each short
//! vector of the slots it reads; what it answers is a relation that is applied to whole sets.
//! Differs: no second process; a slot that may be written, but need not be and is not read, is not part of the
//! short vector (`relations.rs`); saturation learns on the way too.
//! Preserves: states, verdicts, findings. With [`Order::Bfs`] findings have least depth.
//! Invariant: counts do not depend on the order of fixed points, the order of slots or threads.
//! Invariant: a limit, an interrupt or a full table ends the run with the states reached so far and a reason.

mod branching;
mod checks;
mod config;
mod count;
mod fixed_points;
mod groups;
mod hiding;
mod insertion;
mod orbits;
mod outcome;
mod paths;
mod regroup;
mod relations;
mod run;
mod start;
mod stuttering;
mod unfolded;
mod weight;

pub mod order;

use pins::System;

use crate::explicit::{Monitor, Refused};

pub use branching::{SetAtom, check_branching};
pub use config::{Config, Order, Patience, Representatives};
pub use outcome::{Diagram, Outcome, Represented, Statistics};

/// Explores `system` as `config` says. An error means that nothing was explored.
///
/// # Errors
/// When threads cannot be started.
pub fn explore(
    system: &dyn System,
    config: &Config,
    monitor: &dyn Monitor,
) -> Result<Outcome, Refused> {
    run::explore(system, config, monitor)
}
