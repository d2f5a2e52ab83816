//! Promela: text to checked tree, with diagnostics.
//!
//! [`preprocess`] replaces macros and includes files, [`parse`] builds the [`syntax`] tree and always
//! returns one, [`check`] resolves names and looks at the rules of SPIN,
//! [`mod@print`] writes a tree back.
//! Invariant: no input makes this crate panic; the worst answer is a list of diagnostics.

pub mod check;
pub mod codes;
pub mod files;
pub mod lex;
pub mod parse;
pub mod preprocess;
pub mod print;
pub mod syntax;
pub mod walk;
