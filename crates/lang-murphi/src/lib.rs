//! Murphi: text to typed tree, with diagnostics; the dialects of CMurphi 5.4 and Rumur 2022 together.
//!
//! [`lex`] splits the text, [`parse`] builds the [`syntax`] tree and always returns one, [`mod@print`] writes it back,
//! [`check`] resolves names, evaluates constants and gives every expression its type.
//! Invariant: no input makes this crate panic; the worst answer is a list of diagnostics.

pub mod check;
pub mod codes;
pub mod lex;
pub mod parse;
pub mod print;
pub mod syntax;
