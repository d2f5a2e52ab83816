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
    /// The step must be one of the refined machine too.
    Refinement(Obligation),
}

/// What a step of a refinement owes to the machine it refines. A step that fails is no transition, and is
/// reported; the other steps of the action stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obligation {
    /// The guards of the refined event hold.
    Guard,
    /// The refined event can change what both machines know in the same way.
    Simulation,
    /// A value of what disappears satisfies its witness.
    Witness,
    /// One of the merged events can happen.
    Merge,
    /// The variant is a natural number, or a finite set, and becomes smaller, or does not become larger.
    Variant,
    /// A theorem among the guards of the event follows from the others.
    Theorem,
    /// The precondition of the refined operation implies that of its refinement.
    Precondition,
    /// The refined operation can do something where its refinement did.
    Step,
    /// The refined operation can give this result.
    Result,
    /// The refined operation can change a variable that both machines have in the same way.
    Shared,
    /// The refined operation can make values that the gluing invariant relates to those of the refinement.
    Gluing,
}

impl Obligation {
    /// What a failure means, in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Obligation::Guard => "the guards do not imply this guard of the refined event",
            Obligation::Simulation => "the refined event cannot do this step",
            Obligation::Witness => "no value satisfies the witness",
            Obligation::Merge => "none of the merged events can happen",
            Obligation::Variant => "the variant is not a bound of this event",
            Obligation::Theorem => "the guards do not imply this theorem among them",
            Obligation::Precondition => {
                "the precondition of the refined operation does not imply this precondition"
            }
            Obligation::Step => "the refined operation cannot do this step",
            Obligation::Result => "the refined operation cannot give this result",
            Obligation::Shared => {
                "the refined operation cannot change this variable in the same way"
            }
            Obligation::Gluing => "the refined operation cannot do a step after which this is true",
        }
    }
}

/// A step of the refined machine beside one that has happened: the outcomes of `body` for which all conditions hold then,
/// each followed by the outcomes of `then`. Where no outcome satisfies the conditions, the step is none of the refined
/// machine: it is dropped, and a fault is reported.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// What the refined machine does.
    pub body: StmtId,
    /// What must be so afterwards: equal results and variables, the gluing invariant.
    pub conditions: Vec<(ExprId, Obligation)>,
    /// A formula that stands for the place of the refined operation.
    pub place: ExprId,
    /// What follows.
    pub then: StmtId,
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
    /// What the refined machine does in a step that has happened.
    Simulate(Simulation),
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

impl Stmt {
    /// Calls `expr` for each formula and `stmt` for each statement directly below, in the order of the text.
    pub fn for_each_part(&self, mut expr: impl FnMut(ExprId), mut stmt: impl FnMut(StmtId)) {
        match self {
            Stmt::Skip => {}
            Stmt::Assign(assignments) => assignments.iter().for_each(|(_, value)| expr(*value)),
            Stmt::Any {
                predicate: part,
                body,
                ..
            }
            | Stmt::Let(_, part, body)
            | Stmt::Assert(part, _, body) => {
                expr(*part);
                stmt(*body);
            }
            Stmt::Var(_, body) => stmt(*body),
            Stmt::Select(branches, otherwise) => {
                for (guard, body) in branches {
                    expr(*guard);
                    stmt(*body);
                }
                otherwise.iter().copied().for_each(stmt);
            }
            Stmt::If(branches, otherwise) => {
                for (condition, body) in branches {
                    expr(*condition);
                    stmt(*body);
                }
                stmt(*otherwise);
            }
            Stmt::Choice(parts) | Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
                parts.iter().copied().for_each(stmt);
            }
            Stmt::Simulate(step) => {
                step.conditions.iter().for_each(|(part, _)| expr(*part));
                expr(step.place);
                [step.body, step.then].into_iter().for_each(stmt);
            }
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                ..
            } => {
                [condition, invariant, variant]
                    .into_iter()
                    .for_each(|part| expr(*part));
                stmt(*body);
            }
            Stmt::External(_, arguments) => arguments.iter().copied().for_each(expr),
        }
    }
}
