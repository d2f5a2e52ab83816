//! THE program: what Promela and Murphi are lowered to and every evaluator of processes and rules starts from.
//!
//! Bounded data with the overflow rule of its language, processes as graphs of locations and edges, rules as guarded
//! commands, properties over one expression language. Structuring is resolved: names are ids, macros and inlines are
//! gone, what an edge or rule is called stands beside it with its place in the text.
//! Invariant: every expression and every place has a type; every name is a variable, a local or an element.
//! Invariant: no evaluation code. The two evaluators share this crate's data and nothing else.

pub mod expr;
pub mod fault;
pub mod function;
pub mod place;
pub mod process;
pub mod property;
pub mod rule;
pub mod state;
pub mod stmt;
pub mod text;
pub mod ty;
pub mod value;

pub use expr::{Binary, ChannelQuestion, Expr, ExprId, Kind, Pattern, Quantifier, Unary};
pub use fault::{Fault, Reason};
pub use function::{Argument, Function, FunctionId, Local, LocalId, Mode};
pub use place::{Place, PlaceId, Root, Selector};
pub use process::{
    Act, Active, Channel, ChannelId, Direction, Edge, EdgeId, Event, Graph, Location, LocationId,
    Marks, Observer, Proctype, ProctypeId, Promise, Take, Then,
};
pub use property::{Claim, ClaimBody, Formula, FormulaId, FormulaKind, Property, PropertyKind};
pub use rule::{Binder, Domain, Rule, RuleId};
pub use state::{Process, Queue, State};
pub use stmt::{Arm, Print, Stmt, StmtId, StmtKind};
pub use ty::{
    RecordId, RecordTy, Sort, SortId, SortKind, Symbols, SymbolsId, Ty, TyId, Types, Width,
};
pub use value::Value;

use base::{Arena, Id, Name, Span};

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called: the file without its extension.
    pub name: Name,
    /// What its language says about values and steps.
    pub semantics: Semantics,
    /// Types, sorts, records and symbols.
    pub types: Types,
    /// The variables of a state that belong to no process, in the order of the text.
    pub variables: Arena<Variable>,
    /// Names bound inside expressions, statements, rules and functions.
    pub locals: Arena<Local>,
    /// All expressions.
    pub exprs: Arena<Expr>,
    /// All places that can be read or written.
    pub places: Arena<Place>,
    /// All statements.
    pub stmts: Arena<Stmt>,
    /// Functions and procedures.
    pub functions: Arena<Function>,
    /// Kinds of channels: one for each declaration with a capacity.
    pub channels: Arena<Channel>,
    /// Kinds of processes.
    pub proctypes: Arena<Proctype>,
    /// Gives global variables their first values, after each got the default of its type; `None` where the start
    /// states do that.
    pub prologue: Option<StmtId>,
    /// The processes that exist from the start, by pid.
    pub active: Vec<Active>,
    /// The observer of channel events.
    pub observer: Option<Observer>,
    /// The start states; none where processes start by themselves.
    pub starts: Vec<Rule>,
    /// The rules.
    pub rules: Arena<Rule>,
    /// What every state is asked.
    pub properties: Vec<Property>,
    /// Temporal formulas and claims that the text names.
    pub claims: Vec<Claim>,
    /// All formulas.
    pub formulas: Arena<Formula>,
    /// Whether the program mentions `_last`, which then is part of the state.
    pub has_last: bool,
    /// What the text asks for and a plain check does not cover.
    pub not_checked: Vec<String>,
}

/// Names a global variable.
pub type VarId = Id<Variable>;

/// A variable: of the program, or of each process of a kind.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name; one of a nested block may share it with another block's.
    pub name: Name,
    /// Its type.
    pub ty: TyId,
    /// Whether it is left out of states: it keeps its value within one step only and starts each step with its first
    /// value.
    pub is_hidden: bool,
    /// Where it is declared.
    pub span: Span,
}

/// What a language says about values and steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semantics {
    /// What happens when a result does not fit.
    pub arithmetic: Arithmetic,
    /// What a variable holds before anything is assigned.
    pub initial: Initial,
    /// Iterations of one loop before it is a fault.
    pub loop_limit: u64,
    /// Whether a send to a full channel loses the message instead of blocking.
    pub is_lossy: bool,
    /// Whether processes have priorities that count: some `priority` or `set_priority` stands in the text.
    pub has_priorities: bool,
    /// Whether it is a fault to use an end of a channel that another process has promised to use alone.
    pub tests_promises: bool,
    /// Whether a failed assertion ends its step with a fault (Murphi) or is reported while the step goes on (Promela).
    pub assertions_stop: bool,
}

/// What happens when the result of an operation does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Two's complement in 32 bits; stores cut to the width of the variable.
    Wrapping,
    /// 64 bits, beyond which is a fault; stores outside a range are faults.
    Checked,
}

/// What a variable holds before anything is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// 0 in every part.
    Zero,
    /// Nothing: reading it is a fault.
    Undefined,
}

impl Semantics {
    /// As in Promela: wrap-around, zero, assertions that are reported while the step goes on.
    pub fn wrapping() -> Semantics {
        Semantics {
            arithmetic: Arithmetic::Wrapping,
            initial: Initial::Zero,
            loop_limit: LOOP_LIMIT,
            is_lossy: false,
            has_priorities: false,
            tests_promises: false,
            assertions_stop: false,
        }
    }

    /// As in Murphi: ranges that fault, undefined values, assertions that end the step.
    pub fn checked() -> Semantics {
        Semantics {
            arithmetic: Arithmetic::Checked,
            initial: Initial::Undefined,
            assertions_stop: true,
            ..Semantics::wrapping()
        }
    }
}

/// Iterations of one loop before it is a fault, unless the user says otherwise.
pub const LOOP_LIMIT: u64 = 1_000_000;

/// Edges of one indivisible sequence before it is a fault.
pub const SEQUENCE_LIMIT: usize = 100_000;

/// Calls that may nest.
pub const CALL_LIMIT: usize = 1_000;

/// Processes that may live at once, and channels likewise: the limit of SPIN.
pub const MOST_PROCESSES: usize = 255;

impl Program {
    /// A program that says nothing yet.
    pub fn new(name: Name, semantics: Semantics) -> Program {
        Program {
            name,
            semantics,
            types: Types::new(),
            variables: Arena::new(),
            locals: Arena::new(),
            exprs: Arena::new(),
            places: Arena::new(),
            stmts: Arena::new(),
            functions: Arena::new(),
            channels: Arena::new(),
            proctypes: Arena::new(),
            prologue: None,
            active: Vec::new(),
            observer: None,
            starts: Vec::new(),
            rules: Arena::new(),
            properties: Vec::new(),
            claims: Vec::new(),
            formulas: Arena::new(),
            has_last: false,
            not_checked: Vec::new(),
        }
    }
}

/// Building a program.
impl Program {
    /// Adds an expression.
    pub fn expr(&mut self, kind: Kind, ty: TyId, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, ty, span })
    }

    /// Adds a place.
    pub fn place(&mut self, root: Root, path: Vec<Selector>, ty: TyId, span: Span) -> PlaceId {
        self.places.push(Place {
            root,
            path,
            ty,
            span,
        })
    }

    /// Adds a statement.
    pub fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.stmts.push(Stmt { kind, span })
    }
}
