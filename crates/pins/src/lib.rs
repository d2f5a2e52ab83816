//! The waist: what engines and reductions know of a model.
//!
//! A state is a vector of 32-bit slots. A [`System`] answers four questions: which set-ups, which initial
//! states, which successors for one group, which truth of one label. Everything else is plain data in its
//! [`Shape`].
//! Invariant: nothing above this crate knows a language, nothing below it knows an engine.

pub mod action;
pub mod actions;
mod answer;
pub mod checked;
mod forward;
mod influence;
pub mod laws;
pub mod numbered;
mod path;
pub mod permutations;
mod profile;
pub mod shape;
pub mod symmetry;
pub mod system;
pub mod toy;

pub use action::Action;
pub use actions::{check_action, check_groups};
pub use checked::Checked;
pub use influence::InfluenceQuestion;
pub use laws::check_laws;
pub use numbered::Numbered;
pub use path::{Event, Path, PathStep};
pub use permutations::check_permutations;
pub use profile::{Profile, ProfileStep};
pub use shape::{
    Counts, Enabling, Group, GroupId, Guard, Label, LabelId, LabelKind, Leaves, Shape, Slot,
    SlotId, SlotSet,
};
pub use symmetry::{LabelPart, Permute, Sort, View};
pub use system::{
    Fault, FaultKind, Flow, Halt, Notes, Numbers, Step, System, Truth, Unsolved, Worker,
    group_by_group,
};
