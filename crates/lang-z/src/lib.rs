//! Z: LaTeX as fuzz reads it, LaTeX and Unicode of ISO 13568; one tree, one type checker, one toolkit.
//!
//! `lex` turns any notation into the same tokens, `parse` makes the tree, `sort` and `check` find what is wrong with it,
//! `print` writes it again. The toolkit is a specification in Z (`toolkit/toolkit.tex`) that is read before the text.
//! Invariant: no input makes this crate panic; the worst answer is a list of diagnostics.
//! Absent: values. Nothing is evaluated here.

pub mod check;
pub mod codes;
pub mod lex;
pub mod listing;
mod open;
pub mod ops;
pub mod parse;
pub mod print;
mod sort;
pub mod tree;

pub use check::{Checked, Global, GlobalId, GlobalKind, Meaning};
pub use lex::Dialect;
pub use open::{TOOLKIT, Typed, check_file, check_text, free_names, type_query};
