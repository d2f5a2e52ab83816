//! What is asked of a program beyond its steps: properties of states, temporal formulas, claims.

use base::{Id, Name, Span};

use crate::{Binder, ExprId, Graph};

/// Names a formula.
pub type FormulaId = Id<Formula>;

/// A property of states, for all values of its binders.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name in the text, or a short form of it.
    pub name: Name,
    /// What kind.
    pub kind: PropertyKind,
    /// Names known in the condition, bound in this order.
    pub binders: Vec<Binder>,
    /// The condition; `None` for a cover that stands in statements ([`crate::StmtKind::Cover`]).
    pub condition: Option<ExprId>,
    /// Where it stands.
    pub span: Span,
}

/// What a property asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// True in every state.
    Invariant,
    /// States where it is false are left out.
    Assumption,
    /// True in some state (for some value of the binders).
    Cover,
    /// From every state, a state where it is true can be reached.
    Liveness,
}

/// A temporal property with a name.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name: `ltl_0`, `never_0` … where the text has none.
    pub name: Name,
    /// What it says.
    pub body: ClaimBody,
    /// Where it stands.
    pub span: Span,
}

/// What a claim says.
#[derive(Clone, Debug)]
pub enum ClaimBody {
    /// Every run satisfies the formula.
    Formula(FormulaId),
    /// No run, stuttering at its end if it has one, is accepted by the automaton or brings it to an end. Its edges are
    /// guards, `Else` and statements without effect on the program.
    Never(Box<Graph>),
}

/// A temporal formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it says.
    pub kind: FormulaKind,
    /// Where it stands.
    pub span: Span,
}

/// What a temporal formula says.
#[derive(Clone, Copy, Debug)]
pub enum FormulaKind {
    /// An expression is not 0 now.
    Now(ExprId),
    /// Not.
    Not(FormulaId),
    /// Both.
    And(FormulaId, FormulaId),
    /// One of them.
    Or(FormulaId, FormulaId),
    /// The second if the first.
    Implies(FormulaId, FormulaId),
    /// Both or none.
    Equivalent(FormulaId, FormulaId),
    /// After the next step.
    Next(FormulaId),
    /// From now on.
    Always(FormulaId),
    /// Some time.
    Eventually(FormulaId),
    /// The first until the second, which comes.
    Until(FormulaId, FormulaId),
    /// The first until the second, if that comes.
    WeakUntil(FormulaId, FormulaId),
    /// The second until and including the time the first holds, if that comes.
    Release(FormulaId, FormulaId),
}
