//! What users do with a model, as functions: an application only parses options and shows results.
//!
//! Each command is one file: [`lint()`], [`print()`], [`analyse()`] and [`check::check`] take a path, [`Expressions`] formulas in
//! the context of a file, [`Session`] formulas to evaluate in its first state, [`explain()`] a diagnostic code;
//! [`animate`], [`replay()`], [`export`] and [`coverage`] step through a [`Runnable`].
//! All of them open a file through the [`Workbench`], which holds the languages that a program links. [`plan`] is the one place that decides how a model is
//! checked, [`report`] the one form of what was found.
//! Invariant: nothing here writes to a terminal, reads options or ends the process; what went wrong is
//! [`base::Diagnostics`].

mod analyse;
pub mod animate;
pub mod certify;
pub mod check;
pub mod choice;
pub mod codes;
mod constrain;
pub mod coverage;
pub mod edit;
pub mod eval;
mod explain;
pub mod export;
mod expressions;
mod lint;
mod matrix;
mod open;
pub mod plan;
mod print;
mod profile;
pub mod proofs;
mod relations;
mod replay;
pub mod report;
mod runnable;
mod solve;
mod suite;

pub use analyse::{Analysed, Analysis, EventReport, Reason, SortReport, VariableReport, analyse};
pub use constrain::{Answered, Answers, Asked, constrain};
pub use eval::Session;
pub use explain::{Unknown, explain};
pub use expressions::{Answer, Expressions, Formula};
pub use lint::{Lint, Report, exit, lint, unreadable};
pub use matrix::{Matrices, Matrix, matrices};
pub use open::Workbench;
pub use pins::Halt;
pub use print::{Printed, print, print_model};
pub use profile::{EventProfile, Profile, Profiled, StepProfile, profile};
pub use relations::{EventRelations, RelationsReport, RelationsWanted, relations};
pub use replay::{Outcome, Problem, Replayed, Rest, replay};
pub use report::FindingKind;
pub use runnable::{Judged, Move, Moves, Place, Runnable, View};
pub use search::distributed::{PATIENCE, Secret, Team, Waiting};
pub use search::explicit::Refused;
pub use solve::{Optimum, Solution, Solved, Task, solve};
pub use subject::{Scopes, Setting, Style};
pub use suite::{Case, Cover, Suite, SuiteWanted, suite};
