//! The waist: what engines and reductions know of a model.
//!
//! A state is a vector of 32-bit slots. A [`System`] answers four questions: which set-ups, which initial
//! states, which successors for one group, which truth of one label. Everything else is plain data in its
//! [`Shape`].
//! Invariant: nothing above this crate knows a language, nothing below it knows an engine.

pub mod shape;
pub mod system;

pub use shape::{Group, GroupId, Label, LabelId, LabelKind, Shape, Slot, SlotId, SlotSet};
pub use system::{Fault, FaultKind, Flow, Notes, Step, System, Truth, Worker};
