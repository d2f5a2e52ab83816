//! Makes a transition system smaller without changing what is asked of it: one technique per file.
//!
//! Invariant: a reduction sees only [`pins`], `base` and `lib`: it knows no language and no engine.
//! Invariant: a reduction is a [`pins::System`] around another one, or a choice among the steps of its states; it says
//! what it preserves.

pub mod counters;
pub mod por;
pub mod symmetry;
