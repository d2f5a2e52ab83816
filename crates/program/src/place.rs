//! Places: what can be read, written, passed by reference and named by an alias.

use base::{Id, Span};

use crate::{ExprId, LocalId, ProctypeId, TyId, VarId, Variable};

/// Names a place.
pub type PlaceId = Id<Place>;

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts.
    pub root: Root,
    /// Which part, from the outside in.
    pub path: Vec<Selector>,
    /// The type of the part.
    pub ty: TyId,
    /// Where it is written.
    pub span: Span,
}

/// The variable a place starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A variable of the program.
    Global(VarId),
    /// A variable of the process that runs, by its position in [`crate::Graph::variables`].
    Process(Id<Variable>),
    /// A parameter, local, bound name or alias.
    Local(LocalId),
    /// A variable of another process: `P[pid]:x`. Without a pid, the only living process of that kind; it is read only.
    Remote {
        /// The kind of process.
        proctype: ProctypeId,
        /// Which one.
        pid: Option<ExprId>,
        /// Its variable.
        variable: Id<Variable>,
    },
}

/// One step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    /// A field of a record, by position.
    Field(u32),
    /// An element of an array; an index that its type does not hold is a fault.
    Index(ExprId),
    /// An element of a multiset by its place, as binders give it.
    Element(ExprId),
}
