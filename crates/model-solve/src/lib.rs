//! All solutions of a typed predicate over B values: constants, initial states, parameters, comprehensions, puzzles.
//!
//! A predicate over unknowns becomes a flat problem (`flatten`, `flat`); propagation and search solve it
//! (`propagate`, `search`), and where they meet too many dead ends a SAT solver does (`sat`).
//! That there is none can be shown by a proof that others check (`refute`).
//! Invariant: solutions come lazily, in an order that depends on nothing but the question, and none comes twice.
//! Invariant: a conjunct that is not understood is asked of the caller's evaluator once its unknowns have values;
//! nothing is approximated. A predicate that is undefined somewhere gives those valuations to the caller as well:
//! whether that is a fault is the caller's business.

mod cliques;
mod decode;
mod flat;
mod flatten;
mod prepared;
mod propagate;
mod refute;
mod sat;
mod search;
mod shapes;
mod solve;
mod store;
mod sym;

pub use solve::{Layer, Options, Outcome, Refutation, Solver, Task, refute, solve};

use model::{ExprId, LocalId, Value, VarId};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unknown {
    /// A constant or variable.
    Var(VarId),
    /// A local.
    Local(LocalId),
}

/// What an evaluator says of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Its value; of a predicate its truth.
    Known(Value),
    /// It has none.
    Undefined,
    /// It is a set that cannot be listed, or could not be evaluated.
    Unlisted,
}

/// The caller: evaluates what has no unknowns, and receives solutions.
pub trait Ground {
    /// The value of an expression, with these unknowns and bound names; all others are known to the caller.
    fn answer(&mut self, expr: ExprId, bound: &[(Unknown, Value)]) -> Answer;

    /// A solution, in the order of the unknowns; `false` to end the search.
    fn solution(&mut self, values: &[Value]) -> bool;

    /// Solutions may be followed by a refusal, because unknowns have no bounds: who solves otherwise then leaves out those that
    /// were given.
    fn provisional(&mut self) {}

    /// No other unknown gives this one its value, which lacks the bounds that are not said: where the caller cuts it, or `None`
    /// for a refusal of the question.
    fn cut(
        &mut self,
        _unknown: Unknown,
        _low: Option<i64>,
        _high: Option<i64>,
    ) -> Option<(i64, i64)> {
        None
    }

    /// The search ends because the caller said so: the most unknowns that had values together, and the numbers of
    /// the conjuncts that were not decided then.
    fn halted(&mut self, _best: &[(Unknown, Value)], _left: &[usize]) {}

    /// Whether to give up: asked now and then.
    fn stop(&mut self) -> bool {
        false
    }

    /// The same question, for a part that runs without coming back for long.
    fn probe(&self) -> Box<dyn Fn() -> bool> {
        Box::new(|| false)
    }
}
