//! Prints formulas and components in the notation of Rodin.
//!
//! Parentheses are those that the grammar demands and no others.

mod component;
mod formula;

pub use component::{file, project};
pub use formula::{Printed, Style, formula, types};
