//! Functions, procedures and the names that are bound inside them.

use base::{Id, Name, Span};

use crate::{ExprId, PlaceId, StmtId, TyId};

/// Names a local.
pub type LocalId = Id<Local>;
/// Names a function.
pub type FunctionId = Id<Function>;

/// A name bound by a rule, a function, a statement or an expression. It is no part of states.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: TyId,
    /// What it holds.
    pub mode: Mode,
    /// Where it is bound.
    pub span: Span,
}

/// What a local holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A value of its own; undefined until it is assigned.
    Value,
    /// A place, fixed when the name is bound: an alias, or a parameter by reference.
    Reference,
}

/// A function or procedure.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its parameters; their mode says how arguments are passed.
    pub parameters: Vec<LocalId>,
    /// All other names bound in its body: each call has its own.
    pub locals: Vec<LocalId>,
    /// The type of its result: a procedure has none.
    pub result: Option<TyId>,
    /// What it does. A function that comes to its end is a fault.
    pub body: StmtId,
    /// Where it is declared.
    pub span: Span,
}

/// An argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// For a parameter of mode value: stored in its type.
    Value(ExprId),
    /// For a parameter of mode reference: the place is fixed before the call.
    Reference(PlaceId),
}
