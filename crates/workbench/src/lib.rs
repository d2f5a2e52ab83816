//! What users do with a model, as functions: an application only parses options and shows results.
//!
//! Each command is one file: [`lint()`], [`print()`], [`analyse()`] and [`check::check`] take a path, [`Expressions`] formulas in
//! the context of a file, [`Session`] formulas to evaluate in its first state, [`explain()`] a diagnostic code;
//! [`animate`], [`replay()`], [`export`] and [`coverage`] step through a [`Runnable`].
//! All of them choose the front end by [`Language`]. [`plan`] is the one place that decides how a model is
//! checked, [`report`] the one form of what was found.
//! Invariant: nothing here writes to a terminal, reads options or ends the process; what went wrong is
//! [`base::Diagnostics`].

mod analyse;
pub mod animate;
pub mod check;
pub mod choice;
pub mod codes;
pub mod coverage;
mod eval;
mod explain;
pub mod export;
mod expressions;
mod free;
mod language;
mod lint;
mod loaded;
mod matrix;
pub mod plan;
mod print;
mod relations;
mod replay;
pub mod report;
mod runnable;
mod setting;
mod solve;

pub use analyse::{Analysed, Analysis, Reason, SortReport, VariableReport, analyse};
pub use eval::Session;
pub use explain::{Unknown, explain};
pub use expressions::{Answer, Expressions, Formula};
pub use lang_math::print::Style;
pub use language::Language;
pub use lint::{Lint, Report, exit, lint, unreadable};
pub use matrix::{Matrices, Matrix, matrices};
pub use model::scope::Scopes;
pub use pins::Halt;
pub use print::{Printed, print, print_model};
pub use relations::{EventRelations, RelationsReport, RelationsWanted, relations};
pub use replay::{Outcome, Problem, Replayed, Rest, replay};
pub use report::FindingKind;
pub use runnable::{Judged, Move, Moves, Place, Runnable};
pub use setting::Setting;
pub use solve::{Question, Solution, Solved, solve};
