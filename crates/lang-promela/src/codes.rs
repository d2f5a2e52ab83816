//! The kinds of diagnostics of Promela, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`preprocess`], [`syntax`] (the parser), [`names`] (declarations and kinds), [`structure`] (the
//! rules of SPIN about statements). Ids are never reused.

use base::Code;

pub mod names;
pub mod preprocess;
pub mod structure;
pub mod syntax;

/// Every code of Promela.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [preprocess::ALL, syntax::ALL, names::ALL, structure::ALL]
        .into_iter()
        .flatten()
        .copied()
}
