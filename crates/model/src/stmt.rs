//! Statements: what actions do.
//!
//! A statement relates a state to outcomes: sets of writes, *no outcome* (a branch that is not enabled), or
//! a fault. Every outcome becomes a transition.

use base::{Id, Name, Span};

use crate::expr::{ExprId, LocalId, VarId};

/// Names a statement.
pub type StmtId = Id<Stmt>;

/// What an assignment changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A variable of the state.
    Var(VarId),
    /// A local of VAR, or a result.
    Local(LocalId),
}

/// Why a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The precondition of the called operation.
    Precondition(Name),
    /// An ASSERT.
    Assert,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Nothing changes.
    Skip,
    /// All values are evaluated first, then all targets change. `f(a) := E` has become `f := f <+ {a|->E}`.
    Assign(Vec<(Target, ExprId)>),
    /// One outcome for every valuation of the locals that satisfies the predicate, and every outcome of the
    /// body; none when there is no such valuation. Also `x :: S` and `x : (P)`.
    Any {
        /// The locals.
        names: Vec<LocalId>,
        /// The predicate over them.
        predicate: ExprId,
        /// What happens then.
        body: StmtId,
    },
    /// The local has one value; an undefined value is a fault.
    Let(LocalId, ExprId, StmtId),
    /// Locals that the body assigns; reading one before is a fault.
    Var(Vec<LocalId>, StmtId),
    /// The outcomes of all branches whose guard is true, or of `otherwise` when none is; none without it.
    Select(Vec<(ExprId, StmtId)>, Option<StmtId>),
    /// The first branch whose condition is true, or the last one.
    If(Vec<(ExprId, StmtId)>, StmtId),
    /// The outcomes of all.
    Choice(Vec<StmtId>),
    /// One after the other, each in the state the earlier ones leave.
    Sequence(Vec<StmtId>),
    /// All at once, all in the state before; their writes are put together.
    Parallel(Vec<StmtId>),
    /// A condition whose failure is a fault.
    Assert(ExprId, Why, StmtId),
    /// A loop.
    While {
        /// Its condition.
        condition: ExprId,
        /// Its body.
        body: StmtId,
        /// Holds before and after every turn, else a fault.
        invariant: ExprId,
        /// A natural number that every turn makes smaller, else a fault.
        variant: ExprId,
        /// Where it stands.
        span: Span,
    },
    /// A substitution of the host (`PRINT`): changes nothing.
    External(Name, Vec<ExprId>),
}
