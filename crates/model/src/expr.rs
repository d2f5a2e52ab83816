//! Expressions and predicates of the model: resolved and typed.
//!
//! Meaning, definedness and order of evaluation: `docs/meaning.md`, Definedness:
//! strict, left to right; `&`, `or`, `=>` and IF skip what they need not look at; a quantifier or
//! comprehension is undefined as soon as a candidate that passes the earlier conjuncts is.

use base::{Id, Name, Span};
use lang_math::{Binder, Op};
use num_bigint::BigInt;
use smallvec::SmallVec;

use crate::ty::{FreeId, SortId, TyId};

/// Names an expression or predicate.
pub type ExprId = Id<Expr>;
/// Names a constant or variable of the state.
pub type VarId = Id<Variable>;
/// Names a local.
pub type LocalId = Id<Local>;

/// A component of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name, with the prefix of the machine's instance.
    pub name: Name,
    /// Its type.
    pub ty: TyId,
    /// Whether it never changes after the set-up.
    pub is_constant: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A name bound inside a formula or statement.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name.
    pub name: Name,
    /// Its type.
    pub ty: TyId,
    /// Where it is bound.
    pub span: Span,
}

/// An expression (with a type) or predicate (`ty` is `None`).
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Its type; `None` for predicates.
    pub ty: Option<TyId>,
    /// Where it comes from.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An integer.
    Int(BigInt),
    /// A real.
    Real(f64),
    /// A string.
    Str(Name),
    /// An element of a carrier set, by position.
    Element(SortId, u32),
    /// A whole carrier set.
    Carrier(SortId),
    /// All values of a free type.
    FreeSet(FreeId),
    /// A constructor without argument, as a value; or with an argument, as a function.
    Constructor(FreeId, u32),
    /// A constant or variable of the state, before the statement that is being executed.
    Var(VarId),
    /// A local.
    Local(LocalId),
    /// An operator with its operands. `Minus` and `Times` are resolved: `Minus` is arithmetic, set
    /// difference is `SetMinus`; `Times` is arithmetic, the product of sets is `Cartesian`.
    Op(Op, SmallVec<[ExprId; 2]>),
    /// `f(a)`; several arguments have become one pair.
    Apply(ExprId, ExprId),
    /// A function or predicate of the host.
    External(Name, Vec<ExprId>),
    /// A quantifier, comprehension, lambda, sum, …; several names form a left-nested tuple.
    Bind {
        /// Which.
        binder: Binder,
        /// The names it introduces, in order.
        names: Vec<LocalId>,
        /// The predicate over them. For `Forall` the whole body, an implication in general.
        predicate: ExprId,
        /// The value part.
        value: Option<ExprId>,
        /// Not to be enumerated unless needed.
        symbolic: bool,
    },
    /// `rec(…)`, fields sorted by name.
    Record(Vec<(Name, ExprId)>),
    /// `struct(…)`, fields sorted by name.
    Struct(Vec<(Name, ExprId)>),
    /// `E'f`
    Field(ExprId, Name),
    /// `IF … THEN … ELSE … END`, of either sort.
    If(ExprId, ExprId, ExprId),
    /// `LET x BE x = E IN … END`, of either sort; the value is evaluated once, and even if it is not used.
    Let(LocalId, ExprId, ExprId),
    /// A template string: literal texts and values in turn.
    Template(Vec<Part>),
}

/// A part of a template string.
#[derive(Clone, Debug)]
pub enum Part {
    /// Literal text.
    Text(Name),
    /// A value, shown.
    Value(ExprId),
}

impl Kind {
    /// Calls `visit` for each direct child, left to right.
    pub fn for_each_child(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Kind::Int(_)
            | Kind::Real(_)
            | Kind::Str(_)
            | Kind::Element(..)
            | Kind::Carrier(_)
            | Kind::FreeSet(_)
            | Kind::Constructor(..)
            | Kind::Var(_)
            | Kind::Local(_) => {}
            Kind::Op(_, args) => args.iter().copied().for_each(visit),
            Kind::External(_, args) => args.iter().copied().for_each(visit),
            Kind::Apply(function, argument) => {
                visit(*function);
                visit(*argument);
            }
            Kind::Bind {
                predicate, value, ..
            } => {
                visit(*predicate);
                value.iter().copied().for_each(visit);
            }
            Kind::Record(fields) | Kind::Struct(fields) => {
                fields.iter().for_each(|(_, value)| visit(*value));
            }
            Kind::Field(record, _) => visit(*record),
            Kind::If(condition, yes, no) => {
                visit(*condition);
                visit(*yes);
                visit(*no);
            }
            Kind::Let(_, value, body) => {
                visit(*value);
                visit(*body);
            }
            Kind::Template(parts) => {
                for part in parts {
                    if let Part::Value(value) = part {
                        visit(*value);
                    }
                }
            }
        }
    }

    /// The same with another expression in the place of each direct child.
    pub fn map_children(self, mut map: impl FnMut(ExprId) -> ExprId) -> Kind {
        match self {
            Kind::Op(op, args) => Kind::Op(op, args.into_iter().map(map).collect()),
            Kind::External(name, args) => Kind::External(name, args.into_iter().map(map).collect()),
            Kind::Apply(function, argument) => Kind::Apply(map(function), map(argument)),
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                symbolic,
            } => Kind::Bind {
                binder,
                names,
                predicate: map(predicate),
                value: value.map(map),
                symbolic,
            },
            Kind::Record(fields) => Kind::Record(map_fields(fields, map)),
            Kind::Struct(fields) => Kind::Struct(map_fields(fields, map)),
            Kind::Field(record, name) => Kind::Field(map(record), name),
            Kind::If(condition, yes, no) => Kind::If(map(condition), map(yes), map(no)),
            Kind::Let(local, value, body) => Kind::Let(local, map(value), map(body)),
            Kind::Template(parts) => Kind::Template(
                parts
                    .into_iter()
                    .map(|part| match part {
                        Part::Value(value) => Part::Value(map(value)),
                        text => text,
                    })
                    .collect(),
            ),
            leaf => leaf,
        }
    }
}

fn map_fields(
    fields: Vec<(Name, ExprId)>,
    mut map: impl FnMut(ExprId) -> ExprId,
) -> Vec<(Name, ExprId)> {
    let fields = fields.into_iter();
    fields.map(|(name, value)| (name, map(value))).collect()
}
