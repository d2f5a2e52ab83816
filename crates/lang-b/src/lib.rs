//! Classical B: text to typed tree, with diagnostics.
//!
//! [`lex`] splits the text, [`parse`] builds the [`syntax`] tree and always returns one, [`mod@print`] writes
//! it back; [`load`] follows references between files, [`expand`] replaces definitions, [`check`] resolves
//! names and infers types, and then warns of what is correct but probably not meant.
//! Invariant: no input makes this crate panic; the worst answer is a list of diagnostics.

pub mod check;
pub mod codes;
pub mod expand;
mod hints;
pub mod lex;
pub mod load;
pub mod parse;
pub mod preferences;
pub mod print;
mod same;
pub mod stdlib;
pub mod syntax;
pub mod temporal;
