//! Temporal formulas as texts and trees: LTL with past and fairness, and CTL, in the notation that ProB users write.
//!
//! [`ltl`] and [`ctl`] read a formula, [`print()`] writes one, [`sections`] takes a file of named formulas apart. What
//! stands inside `{…}` and between the brackets of an operation belongs to the language of the model: it is kept as
//! [`Text`] with its place, and whoever knows the model gives it a meaning.
//! Invariant: no input makes it panic; nesting beyond [`MAX_DEPTH`] is a diagnostic.
//! Invariant: reading what [`print()`] wrote gives the same tree.

pub mod codes;
mod file;
mod lex;
mod parse;
mod pattern;
mod print;
mod syntax;

pub use file::{Section, sections};
pub use parse::{MAX_DEPTH, Parsed, ctl, ltl};
pub use print::print;
pub use syntax::{
    Argument, Atom, Binary, Change, Fairness, Formula, Logic, Node, NodeId, NodeKind, Path,
    Pattern, Place, Quantifier, Text, Unary,
};
