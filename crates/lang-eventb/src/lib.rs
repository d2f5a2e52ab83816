//! Event-B: contexts and machines, from every form in which tools store them, to one typed tree.
//!
//! Readers ([`package`]: the Prolog terms exported for ProB) give a [`syntax::Project`]; [`check`] resolves
//! names, checks the structure of refinement and infers types. Formulas are trees of `lang_math`.
//! Invariant: no input makes it panic; the worst answer is a list of diagnostics.
//! Invariant: nothing is evaluated here.

pub mod check;
pub mod codes;
pub mod math;
pub mod open;
pub mod package;
pub mod print;
pub mod syntax;
