//! The mathematical language that classical B, Event-B and Z share: one expression tree, one table of
//! operators, one notion of type.
//!
//! Invariant: nothing here reads text; the front ends do, each with its own notation and priorities.
//! Invariant: a tree refers to names, never to declarations; what a name means is the front end's business.

pub mod expr;
pub mod op;
pub mod print;
pub mod query;
pub mod scheme;
pub mod types;

pub use expr::{Args, Binder, Binding, Expr, ExprId, ExprKind, Exprs, Field, Sort, TemplatePart};
pub use op::{Assoc, Notation, Op};
pub use query::{Place, Query, QueryName};
pub use types::{Mismatch, Type, TypeId, Types};
