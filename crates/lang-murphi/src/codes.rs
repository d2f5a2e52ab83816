//! The kinds of diagnostics of Murphi, with the long texts of `burnside --explain`.
//!
//! One table per stage: [`syntax`] (the parser), [`scope`] (names), [`typing`], [`support`] (what is recognised but not
//! supported), [`hints`] (warnings). Ids are never reused.

use base::Code;

pub mod hints;
pub mod scope;
pub mod support;
pub mod syntax;
pub mod typing;

/// Every code of Murphi.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        syntax::ALL,
        scope::ALL,
        typing::ALL,
        support::ALL,
        hints::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}
