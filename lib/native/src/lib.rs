//! Machine code for small functions over words and numbers, behind an interface that is safe to use.
//!
//! A function works on `words: &mut [u32]` and `numbers: &mut [i64]` and answers with one number. It is written with a
//! [`Writer`] and becomes an [`Entry`] that anyone may call. Generated code never panics and never leaves its slices: where
//! it cannot go on it answers [`ASK`], and whoever called asks another evaluator.
//!
//! Invariant: every access has an index below what the function needs ([`Needs`], compared with the slices at each call), by
//! its static bound, or is compared with the number of words when it happens. In builds with assertions, which tests are, Cranelift's verifier
//! looks at each function: a mistake in what is written is a panic when code is made.

mod unit;
mod writer;

pub use unit::{Entry, Needs, Unit};
pub use writer::{Checked, Condition, Label, Order, Place, Plain, Value, Variable, Writer};

/// The answer of a function that cannot go on: something has no value, or an index is out of bounds.
pub const ASK: i64 = -1;
