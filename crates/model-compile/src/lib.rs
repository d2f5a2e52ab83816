//! The fast evaluator: a model becomes slots and specialised code, and answers as a [`pins::System`].
//!
//! Types are given a representation once scopes are fixed (`rep`), expressions become closures over that
//! representation (`code`), enumerations become planned loops (`planner`, `plan`), statements run in
//! continuation-passing style over a write buffer (`stmt`). Values that do not fit a slot are interned in a
//! table that all workers share (`table`).
//! Invariant: no evaluation code is shared with the reference evaluator, so that each can judge the other.

mod apart;
mod arithmetic;
mod blame;
mod certain;
mod code;
pub mod constraints;
mod cx;
mod defined;
mod doubt;
mod enumerate;
mod external;
mod facts;
mod guarded;
pub mod influence;
mod ops;
mod permute;
mod plan;
mod planner;
mod pointwise;
mod profile;
mod rep;
mod saved;
mod simulate;
mod solving;
pub mod split;
mod stmt;
mod symbolic;
mod system;
mod table;
mod trap;
mod value;

pub use model_solve::{Solver, Unknown};
pub use system::{Asking, Compiled, Conflict, Question, Questions, Setups, compile};

use base::Span;
use model::ExprId;

/// What the undefined means (`docs/meaning.md`, Definedness).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wd {
    /// An undefined guard is false, an undefined action a fault.
    #[default]
    Default,
    /// Undefined guards are faults too.
    Strict,
    /// An undefined action gives no transition.
    Lenient,
}

/// How to compile a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the undefined means.
    pub wd: Wd,
    /// A predicate to look for; it becomes the last label.
    pub goal: Option<ExprId>,
    /// Whether the invariant's conjuncts become labels.
    pub invariants: bool,
    /// Whether the assertions become labels.
    pub assertions: bool,
    /// The most elements of a set that is built.
    pub max_set: usize,
    /// The most turns of one loop.
    pub max_turns: u64,
    /// Which back end solves what is not worth enumerating.
    pub solver: model_solve::Solver,
    /// Whether the shape tells when groups happen, and guards can be asked.
    pub guards: bool,
    /// Whether the steps of guards are counted ([`Compiled::profile`]).
    pub profile: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            wd: Wd::Default,
            goal: None,
            invariants: true,
            assertions: true,
            max_set: 2_000_000,
            max_turns: 100_000_000,
            solver: model_solve::Solver::Auto,
            guards: false,
            profile: false,
        }
    }
}

/// A construct that cannot be compiled.
#[derive(Clone, Debug)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub span: Option<Span>,
}
