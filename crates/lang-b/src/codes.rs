//! The kinds of diagnostics of classical B, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`syntax`] (the parser), [`structure`] (files and references), [`definitions`],
//! [`scope`] (names), [`typing`], [`hints`] (warnings). Ids are never reused.

use base::Code;

pub mod definitions;
pub mod hints;
pub mod scope;
pub mod structure;
pub mod syntax;
pub mod typing;

/// "none is given", "1 is given", "2 are given".
pub(crate) fn given(count: usize) -> String {
    match count {
        0 => "none is given".to_owned(),
        1 => "1 is given".to_owned(),
        _ => format!("{count} are given"),
    }
}

/// Every code of classical B.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        syntax::ALL,
        structure::ALL,
        definitions::ALL,
        scope::ALL,
        typing::ALL,
        hints::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}
