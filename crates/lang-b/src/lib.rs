//! Classical B: text to typed tree, with diagnostics.
//!
//! [`parse`] builds the [`syntax`] tree and always returns one, [`mod@print`] writes it back; [`check`]
//! follows references between files, expands definitions, resolves names and infers types.
//! Invariant: no input makes this crate panic; the worst answer is a list of diagnostics.

pub mod check;
pub mod codes;
pub mod expand;
pub mod load;
pub mod parse;
pub mod preferences;
pub mod print;
mod same;
pub mod stdlib;
pub mod syntax;
