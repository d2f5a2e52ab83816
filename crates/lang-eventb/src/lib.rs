//! Event-B: contexts and machines, from every form in which tools store them, to one typed tree.
//!
//! [`open`] recognises the form; the readers [`package`] (the Prolog terms exported for ProB), [`rodin`] (XML,
//! from a folder or [`archive`]) and [`text`](mod@text) give a [`syntax::Project`]; [`theory`] puts definitions in
//! the place of operators; [`check`] resolves names, checks the structure of refinement and infers types. Formulas are trees of `lang_math`.
//! Invariant: no input makes it panic; the worst answer is a list of diagnostics.
//! Invariant: nothing is evaluated here.

pub mod archive;
pub mod check;
pub mod codes;
pub mod math;
pub mod open;
pub mod package;
pub mod print;
pub mod rodin;
pub mod syntax;
pub mod text;
pub mod theory;
