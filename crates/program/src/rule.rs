//! Rules: guarded commands with parameters, and the domains that bound names range over.

use base::{Id, Name, Span};

use crate::{ExprId, LocalId, PlaceId, StmtId, TyId};

/// Names a rule.
pub type RuleId = Id<Rule>;

/// A rule or start state: for all values of its binders for which the guard is true, its body is one step.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name in the text, or `Rule 3`.
    pub name: Name,
    /// Names known in guard and body, bound in this order.
    pub binders: Vec<Binder>,
    /// All other names bound in it: undefined when the body starts.
    pub locals: Vec<LocalId>,
    /// When it may happen; always if there is none.
    pub guard: Option<ExprId>,
    /// What happens.
    pub body: StmtId,
    /// Of all rules that may happen in a state only those with the least number do.
    pub priority: i64,
    /// Where it stands.
    pub span: Span,
}

/// A name bound around a rule, start state or property.
#[derive(Clone, Copy, Debug)]
pub enum Binder {
    /// A parameter: each of its values is an instance of its own.
    Parameter {
        /// The name.
        local: LocalId,
        /// Its values.
        domain: Domain,
    },
    /// A name for a place, fixed here.
    Alias {
        /// The name, of mode reference.
        local: LocalId,
        /// The place.
        place: PlaceId,
    },
    /// A name for a value, computed here.
    Value {
        /// The name, of mode value.
        local: LocalId,
        /// The value.
        value: ExprId,
    },
}

/// What a bound name ranges over, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// All values of a simple type.
    Type(TyId),
    /// `from`, `from + by`, … not beyond `to`; bounds are computed once. `by` is 1 if not given; downwards if negative.
    Count {
        /// The first value.
        from: ExprId,
        /// The bound.
        to: ExprId,
        /// The distance.
        by: Option<ExprId>,
    },
    /// The places of a multiset that hold an element.
    Elements(PlaceId),
}
