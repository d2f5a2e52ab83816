//! The mathematical language of Event-B: symbols, priorities, parser.
//!
//! Its trees are those of `lang_math`; its priorities are its own: operators of one group combine only as the
//! table of [`symbols`] says, everything else needs parentheses.

pub mod lex;
pub mod parse;
pub mod symbols;
#[cfg(test)]
mod tests;
