//! The expression tree: predicates and expressions in one arena.
//!
//! Predicates and expressions are different sorts of B's grammar, but one tree serves both: definitions,
//! conditionals and local bindings come in either sort, and a parser that reads both with one operator
//! table can say "this is an expression, a predicate is needed" instead of "unexpected token".
//! Invariant: children are older than their parents (smaller ids), so a tree has no cycles.

mod children;
mod same;

use base::{Arena, Id, Name, Span, deep};
use num_bigint::BigInt;
use smallvec::SmallVec;

use crate::op::Op;
pub use children::{for_each_child, map_children};
use same::same;

/// Names a node.
pub type ExprId = Id<Expr>;

/// The operands of an operator; nearly always one or two.
pub type Args = SmallVec<[ExprId; 2]>;

/// A node with its place in the text.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands, without enclosing parentheses.
    pub span: Span,
    /// Whether the text had parentheses around it; no part of the tree's meaning or equality.
    pub parenthesised: bool,
    /// The height of the tree below, bounded by [`deep::MAX_DEPTH`].
    pub depth: u32,
}

/// Whether a formula can be true, or has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// It has a value.
    Expression,
    /// It is true or false.
    Predicate,
}

impl Sort {
    /// "an expression", "a predicate".
    pub fn with_article(self) -> &'static str {
        match self {
            Sort::Expression => "an expression",
            Sort::Predicate => "a predicate",
        }
    }
}

/// A name introduced by a quantifier, a comprehension, a substitution or a header.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The name.
    pub name: Name,
    /// Where it is introduced.
    pub span: Span,
}

/// A field of `rec(…)` or `struct(…)`.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The field's name.
    pub name: Name,
    /// Where the name stands.
    pub span: Span,
    /// Its value, or the set of its values.
    pub value: ExprId,
}

/// A part of a template string.
#[derive(Clone, Debug, PartialEq)]
pub enum TemplatePart {
    /// Literal text.
    Text(Name),
    /// A value whose text is inserted, with the format options between `$` and `{`.
    Value(ExprId, Option<Name>),
}

/// Constructs that bind names over a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binder {
    /// `!x.(P)`
    Forall,
    /// `#x.(P)`
    Exists,
    /// `{x | P}`
    Comprehension,
    /// `{x . P | E}`
    Image,
    /// `%x.(P | E)`
    Lambda,
    /// `SIGMA(x).(P | E)`
    Sum,
    /// `PI(x).(P | E)`
    Product,
    /// `UNION(x).(P | E)`
    Union,
    /// `INTER(x).(P | E)`
    Inter,
}

impl Binder {
    /// Whether the construct has a value part after `|`.
    pub fn has_value(self) -> bool {
        !matches!(
            self,
            Binder::Forall | Binder::Exists | Binder::Comprehension
        )
    }
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Stands where the text could not be read; a diagnostic says why.
    Error,
    /// A name, possibly dotted (`inst.name`).
    Name(Name),
    /// `x$0`: the value before a substitution.
    Before(Name),
    /// An integer literal.
    Int(BigInt),
    /// A real literal, as written.
    Real(Name),
    /// A string literal, escapes resolved.
    Str(Name),
    /// A template string.
    Template(Vec<TemplatePart>),
    /// An operator of the table with its operands.
    Op(Op, Args),
    /// `f(a, b)`: function application, a definition with arguments, or a call.
    Apply(ExprId, Args),
    /// A function of the host (`STRING_LENGTH`, …), recognised when definitions are expanded.
    External(Name, Args),
    /// A quantifier, comprehension, lambda, sum, …
    Bind {
        /// Which.
        binder: Binder,
        /// The names it introduces.
        names: Vec<Binding>,
        /// The predicate over them.
        predicate: ExprId,
        /// The value part, iff [`Binder::has_value`].
        value: Option<ExprId>,
        /// Marked `/*@symbolic*/`: not to be enumerated.
        symbolic: bool,
    },
    /// `rec(a:E, …)`
    Record(Vec<Field>),
    /// `struct(a:S, …)`
    Struct(Vec<Field>),
    /// `E'a`
    Field(ExprId, Name),
    /// `IF P THEN E ELSIF … ELSE F END`, of either sort.
    If {
        /// Conditions with their results.
        branches: Vec<(ExprId, ExprId)>,
        /// The result when no condition is true.
        otherwise: ExprId,
    },
    /// `LET x BE x = E IN F END`, of either sort.
    Let {
        /// The names it introduces.
        names: Vec<Binding>,
        /// The conjunction of equations.
        equations: ExprId,
        /// Where they are visible.
        body: ExprId,
    },
    /// `[x := E] P`
    After {
        /// The names that change.
        targets: Vec<ExprId>,
        /// Their new values.
        values: Vec<ExprId>,
        /// The predicate afterwards.
        predicate: ExprId,
    },
    /// `/*@label L*/ P`
    Labelled(Name, ExprId),
    /// `P /*@desc text*/`
    Described(ExprId, Name),
}

/// A growing forest of nodes.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: Arena<Expr>,
}

impl std::ops::Index<ExprId> for Exprs {
    type Output = Expr;
    fn index(&self, id: ExprId) -> &Expr {
        &self.nodes[id]
    }
}

impl Exprs {
    /// An empty forest.
    pub fn new() -> Exprs {
        Exprs::default()
    }

    /// Adds a node. Its children must be there already.
    pub fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let mut depth = 0;
        for_each_child(&kind, |child| depth = depth.max(self.nodes[child].depth));
        self.nodes.push(Expr {
            kind,
            span,
            parenthesised: false,
            depth: depth + 1,
        })
    }

    /// Remembers that the text had parentheses around a node.
    pub fn parenthesise(&mut self, id: ExprId) {
        self.nodes[id].parenthesised = true;
    }

    /// Makes a node mean something else over the same children, or over fewer.
    pub fn replace(&mut self, id: ExprId, kind: ExprKind) {
        self.nodes[id].kind = kind;
    }

    /// Gives a node another place: a tree that was not read from text gets one when it is printed.
    pub fn set_span(&mut self, id: ExprId, span: Span) {
        self.nodes[id].span = span;
    }

    /// The kind of a node.
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.nodes[id].kind
    }

    /// The place of a node.
    pub fn span(&self, id: ExprId) -> Span {
        self.nodes[id].span
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> {
        self.nodes.iter().map(|(id, _)| id)
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Forgets the nodes from `len` on: a parser gives up an attempt.
    pub fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
    }

    /// The sort of a node; `None` where only the meaning of a name decides.
    pub fn sort(&self, id: ExprId) -> Option<Sort> {
        match self.kind(id) {
            ExprKind::Error | ExprKind::Name(_) | ExprKind::Apply(..) | ExprKind::External(..) => {
                None
            }
            ExprKind::Op(op, _) => Some(op.sort()),
            ExprKind::Bind { binder, .. } => Some(match binder {
                Binder::Forall | Binder::Exists => Sort::Predicate,
                _ => Sort::Expression,
            }),
            ExprKind::If {
                branches,
                otherwise,
            } => deep::recurse(|| {
                branches
                    .iter()
                    .map(|(_, result)| *result)
                    .chain([*otherwise])
                    .find_map(|result| self.sort(result))
            }),
            ExprKind::Let { body, .. } => deep::recurse(|| self.sort(*body)),
            ExprKind::Described(inner, _) => deep::recurse(|| self.sort(*inner)),
            ExprKind::After { .. } | ExprKind::Labelled(..) => Some(Sort::Predicate),
            ExprKind::Before(_)
            | ExprKind::Int(_)
            | ExprKind::Real(_)
            | ExprKind::Str(_)
            | ExprKind::Template(_)
            | ExprKind::Record(_)
            | ExprKind::Struct(_)
            | ExprKind::Field(..) => Some(Sort::Expression),
        }
    }

    /// Whether two trees are the same, places and parentheses apart.
    pub fn same(&self, id: ExprId, other: &Exprs, other_id: ExprId) -> bool {
        deep::recurse(|| same(self, id, other, other_id))
    }

    /// The conjuncts of a predicate, left to right, without their descriptions taken off.
    pub fn conjuncts(&self, id: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match self.kind(id) {
                ExprKind::Op(Op::And, args) => pending.extend(args.iter().rev()),
                _ => found.push(id),
            }
        }
        found
    }
}
