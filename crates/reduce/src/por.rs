//! One interleaving per trace: in a state where independent groups can happen, only some of them are explored.
//!
//! `relations.rs` says which groups influence which, `visible.rs` which of them a checked label can see. `ample.rs`,
//! `stubborn.rs` and `deletion.rs` choose the groups of one state, the latter two by `necessary.rs`; `reduction.rs` puts the parts together for an engine, which
//! explores the chosen steps and adds the proviso of its search order. `closed.rs` fixes the proviso beforehand, for
//! engines that look for cycles.
//! A group with all its steps is one action with several outcomes. Two groups are *independent* when, in every state
//! where both happen, neither changes the set of outcomes of the other (faults included) and every pair of outcomes
//! commutes. So a group that gains a step by another one depends on it.
//! Papers: [Dobrikov, Leuschel 2014] ample sets for Event-B; [Valmari 1989], [Laarman, Pater, van de Pol, Weber
//! 2013] guard-based stubborn sets; [Bošnački, Leue, Lluch Lafuente 2006] the proviso for any search order.
//! Preserves: deadlocks; with visibility and the proviso also whether some state breaks a label; with the proviso
//! whether some group faults: a fault is an outcome, so nothing independent of its group can hide it, and every state
//! that is visited asks all groups, also those whose steps are left out.

mod ample;
mod closed;
mod deletion;
mod heights;
mod necessary;
mod reduction;
mod relations;
mod sets;
mod stubborn;
mod visible;

pub use closed::Closed;
pub use reduction::{Measure, Method, Reduction, Selector};
pub use relations::{Densities, Relations};
pub use sets::{GroupSet, Matrix};
pub use visible::Visibility;
