//! THE model: what every language is lowered to and every evaluator, reduction and engine starts from.
//!
//! Carrier sets with their sizes, constants with properties, variables, invariant conjuncts, and guarded
//! actions over one expression language. Structuring is flattened, names are resolved, scopes are fixed,
//! calls are inlined.
//! Invariant: every expression has a ground type; every name is a variable, a local or an element.
//! Invariant: the model has no evaluation code; `model-interp` and `model-compile` share only its data.

pub mod codes;
pub mod expr;
pub mod scope;
pub mod sizes;
pub mod sorts;
pub mod stmt;
pub mod text;
pub mod ty;
pub mod value;

pub use expr::{Expr, ExprId, Kind, Local, LocalId, VarId, Variable};
pub use stmt::{Obligation, Simulation, Stmt, StmtId, Target, Why};
pub use ty::{FreeId, FreeType, Notation, Sort, SortId, SortOrigin, Ty, TyId, Tys};
pub use value::{Int, Value};

use base::{Arena, Name, Span};
use lang_math::Op;

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of the main component.
    pub name: Name,
    /// Types, carrier sets and free types.
    pub tys: Tys,
    /// Constants first, then variables: the components of a state.
    pub variables: Arena<Variable>,
    /// Names bound inside formulas and statements, parameters and results of actions.
    pub locals: Arena<Local>,
    /// All expressions and predicates.
    pub exprs: Arena<Expr>,
    /// All statements.
    pub stmts: Arena<Stmt>,
    /// What the constants satisfy.
    pub properties: Vec<Conjunct>,
    /// Whether there is a set-up step: constants, parameters, or a PROPERTIES clause (`docs/meaning.md`, Counting).
    pub has_setup: bool,
    /// What every state must satisfy.
    pub invariants: Vec<Conjunct>,
    /// What every state satisfies by the way it is made: nothing leads to another one, so it is not checked. Questions
    /// about all states suppose it.
    pub assumed: Vec<Conjunct>,
    /// What follows from the properties (checked once per set-up) or the invariant (checked per state).
    pub assertions: Vec<Assertion>,
    /// How variables start.
    pub initialisation: StmtId,
    /// What can happen.
    pub actions: Vec<Action>,
    /// `MININT` and `MAXINT`.
    pub min_int: i64,
    /// See [`Model::min_int`].
    pub max_int: i64,
    /// String literals of the model, sorted: the fallback when STRING must be enumerated.
    pub strings: Vec<Name>,
    /// What the model asks for and a check of invariants does not cover (`not_checked` of the report).
    pub not_checked: Vec<String>,
    /// The definition that is the goal of the model; nobody looks for it unasked.
    pub goal: Option<Name>,
    /// What was chosen for each carrier set and preference, for the report.
    pub scopes: Vec<String>,
    /// Remarks for the report.
    pub warnings: Vec<String>,
}

/// A formula from outside, lowered into a model.
#[derive(Debug)]
pub struct Formula {
    /// The expression or predicate.
    pub expr: ExprId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
    /// Its own names: those that stand for values before a step, then those that it was given.
    pub names: Vec<LocalId>,
    /// The variables whose values before a step the first names stand for.
    pub before: Vec<VarId>,
}

/// A conjunct of the properties or the invariant.
#[derive(Clone, Copy, Debug)]
pub struct Conjunct {
    /// The predicate.
    pub predicate: ExprId,
    /// Its label in the text, if it has one.
    pub label: Option<Name>,
    /// Where it stands.
    pub span: Span,
}

/// An assertion.
#[derive(Clone, Copy, Debug)]
pub struct Assertion {
    /// The predicate.
    pub conjunct: Conjunct,
    /// Whether it is about constants only.
    pub is_static: bool,
}

/// An operation or event: for every value of its parameters that satisfies the guard, its body may happen.
#[derive(Clone, Debug)]
pub struct Action {
    /// The name.
    pub name: Name,
    /// Its parameters, visible in guard and body.
    pub parameters: Vec<LocalId>,
    /// Its results, assigned by the body; their values are part of the transition, not of the state.
    pub results: Vec<LocalId>,
    /// The conjuncts of its outermost PRE or SELECT, in the order of the text. An undefined conjunct counts
    /// as false under the default `--wd` (`docs/meaning.md`, Definedness).
    pub guard: Vec<ExprId>,
    /// What it does.
    pub body: StmtId,
    /// Where it is declared.
    pub span: Span,
}

/// The operators of predicates that name elements.
const NAMING: [Op; 8] = [
    Op::And,
    Op::Equal,
    Op::NotEqual,
    Op::Not,
    Op::Member,
    Op::Partition,
    Op::SetExtension,
    Op::Card,
];

impl Model {
    /// Whether an expression is by its form the set of all values of its type.
    pub fn is_whole(&self, set: ExprId) -> bool {
        base::deep::recurse(|| match &self.exprs[set].kind {
            Kind::Carrier(_) | Kind::FreeSet(_) => true,
            Kind::Op(Op::Integers | Op::Strings | Op::Reals | Op::Booleans, _) => true,
            Kind::Op(Op::PowerSet | Op::Cartesian | Op::Relations, args) => {
                args.iter().all(|arg| self.is_whole(*arg))
            }
            Kind::Struct(fields) => fields.iter().all(|(_, set)| self.is_whole(*set)),
            _ => false,
        })
    }

    /// A model that says nothing yet: its initialisation does nothing, its integers have the default bounds.
    pub fn empty(name: Name, tys: Tys) -> Model {
        let mut stmts = Arena::new();
        let initialisation = stmts.push(Stmt::Skip);
        Model {
            name,
            tys,
            variables: Arena::new(),
            locals: Arena::new(),
            exprs: Arena::new(),
            stmts,
            properties: Vec::new(),
            has_setup: false,
            invariants: Vec::new(),
            assumed: Vec::new(),
            assertions: Vec::new(),
            initialisation,
            actions: Vec::new(),
            min_int: scope::DEFAULT_MIN_INT,
            max_int: scope::DEFAULT_MAX_INT,
            strings: Vec::new(),
            not_checked: Vec::new(),
            goal: None,
            scopes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Whether a predicate only says which names the elements of carrier sets have, and that they differ.
    pub fn only_names(&self, predicate: ExprId) -> bool {
        let (mut only, mut names) = (true, false);
        self.walk(predicate, &mut |expr| match &expr.kind {
            Kind::Element(..) => names = true,
            Kind::Carrier(sort) => {
                names |= self.tys.sorts[*sort].origin == SortOrigin::Named;
            }
            Kind::Int(_) => {}
            Kind::Op(op, _) => only &= NAMING.contains(op),
            _ => only = false,
        });
        only && names
    }

    /// Calls `visit` for an expression and everything below it.
    pub fn walk(&self, id: ExprId, visit: &mut dyn FnMut(&Expr)) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let expr = &self.exprs[id];
            visit(expr);
            expr.kind.for_each_child(|child| pending.push(child));
        }
    }
}
