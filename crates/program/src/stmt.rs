//! Statements: deterministic bodies of rules, functions and single edges.

use base::{Id, Name, Span};

use crate::{Argument, Domain, ExprId, FunctionId, LocalId, PlaceId};

/// Names a statement.
pub type StmtId = Id<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// One after the other; none is a statement without effect.
    Block(Vec<StmtId>),
    /// Stores a value. The place is fixed first, then the value is computed. The type of the place decides: integers of a
    /// width are cut to it, a value outside a range, sort or union is a fault, values with parts are stored part by part.
    Assign(PlaceId, ExprId),
    /// Computes a value for its effect alone.
    Evaluate(ExprId),
    /// The first arm whose condition is true.
    If {
        /// Conditions with bodies.
        arms: Vec<(ExprId, StmtId)>,
        /// What happens otherwise.
        otherwise: Option<StmtId>,
    },
    /// The first arm that lists the value.
    Switch {
        /// Computed once.
        value: ExprId,
        /// Lists of values with bodies.
        arms: Vec<Arm>,
        /// What happens otherwise.
        otherwise: Option<StmtId>,
    },
    /// For each value of a domain, which is computed once.
    For {
        /// The name that takes the values.
        local: LocalId,
        /// Its values, in order.
        domain: Domain,
        /// What happens.
        body: StmtId,
    },
    /// As long as a condition is true; beyond the limit of iterations it is a fault.
    While {
        /// The condition.
        condition: ExprId,
        /// What happens.
        body: StmtId,
    },
    /// A name for a place, fixed on entry.
    Alias {
        /// The name, of mode reference.
        local: LocalId,
        /// The place.
        place: PlaceId,
        /// Where it is known.
        body: StmtId,
    },
    /// Calls a procedure, or a function whose result is not used.
    Call(FunctionId, Vec<Argument>),
    /// Ends the function, or the body of a rule.
    Return(Option<ExprId>),
    /// A condition that must be true.
    Assert {
        /// The condition.
        condition: ExprId,
        /// What is said otherwise: the message, or the text of the condition.
        text: Option<Name>,
    },
    /// Must not be reached.
    Error(Name),
    /// A condition without which the step does not exist.
    Assume(ExprId),
    /// A condition that must be true at this place in some reachable step; the number of the property it counts for.
    Cover(ExprId, u32),
    /// Text for people; its values are computed.
    Print(Vec<Print>),
    /// The least value in every part.
    Clear(PlaceId),
    /// Undefined in every part; a multiset becomes empty.
    Undefine(PlaceId),
    /// Adds an element to a multiset.
    MultisetAdd {
        /// The multiset.
        multiset: PlaceId,
        /// The element.
        value: ExprId,
    },
    /// Takes the element at a place out of a multiset.
    MultisetRemove {
        /// The multiset.
        multiset: PlaceId,
        /// The place of the element.
        element: ExprId,
    },
    /// Takes all elements that satisfy a predicate out of a multiset.
    MultisetRemoveIf {
        /// The place of the element.
        local: LocalId,
        /// The multiset.
        multiset: PlaceId,
        /// The predicate.
        condition: ExprId,
    },
    /// Changes the priority of a process.
    SetPriority {
        /// Its pid.
        pid: ExprId,
        /// The new priority, 1 to 255.
        priority: ExprId,
    },
}

/// An arm of a switch.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The values, computed one after the other until one is equal.
    pub values: Vec<ExprId>,
    /// What happens.
    pub body: StmtId,
}

/// A part of a printed text.
#[derive(Clone, Copy, Debug)]
pub enum Print {
    /// Text as it is.
    Text(Name),
    /// A value in decimal, by name where its type has names.
    Value(ExprId),
    /// A value by a conversion of C: `u`, `c`, `x`, `o`.
    Converted(char, ExprId),
    /// A place with all its parts.
    Whole(PlaceId),
}
