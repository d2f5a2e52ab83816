//! One state per orbit: states that differ only by the names of interchangeable elements are taken for one.
//!
//! [`Quotient`] replaces every set-up, initial state and successor by a representative; each way to choose it is
//! a file: `exact.rs` and `canonical.rs` (a canonical form), `markers.rs` (the paper's markers), `flood.rs` (the
//! first one found, all its permutations being remembered). They stand on what is known of single words of slots
//! (`words.rs`, `paths.rs`) and on the proof that points can be exchanged (`cells.rs`); `alike.rs` spares choices.
//! `statics.rs` thins out the set-ups only, as ProB does. `forms.rs` gives canonical forms of single states, `unfold.rs` turns a path of representatives into a path of the unreduced system.
//! Where symmetries move whole slots, as those of processes do, `acting.rs` and its files choose instead.
//! `annotated.rs` gives the steps of representatives with the permutations that they need.
//! `adaptive.rs` makes use of what asymmetric steps leave of a symmetry.
//! `neighbours.rs` says what exchanges of two columns do, for engines that sort whole sets of states.
//! Preserves: deadlocks, faults and the truth of labels, all of which permuting does not change; for imprecise
//! markers only what is found.

mod acting;
mod adaptive;
mod alike;
mod annotated;
mod canonical;
mod cells;
mod contexts;
mod exact;
mod flood;
mod forms;
mod markers;
mod moved;
mod neighbours;
mod numbered;
mod orbits;
mod ordered;
mod paths;
mod quotient;
mod remembered;
mod statics;
mod trials;
mod unfold;
mod words;

pub(crate) use contexts::Held;

pub use acting::{Ends, Strategy, Yield};
pub use adaptive::{Adaptive, Deadlocks, Subgroups, Telling};
pub use annotated::{Annotated, AnnotatedStep};
pub use forms::Forms;
pub use neighbours::{Block, Exchange, Neighbours, Pairs};
pub use quotient::{Measure, Method, Quotient};
pub use statics::{Rule, Static};
pub use unfold::unfold;
