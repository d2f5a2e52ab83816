//! The syntax tree of a Promela program: what was written, after the preprocessor, with inlines put in.
//!
//! Expressions, statements and declared variables lie in arenas and refer to each other by id, so trees of any depth are
//! dropped without recursion. A call of an inline is the block that it becomes, with the place of the call beside it.
//! Invariant: names are not resolved here; `check` gives each reference its meaning.

mod expression;

use base::{Arena, Id, Name, Span};

pub use expression::{Binary, ChannelQuestion, Expr, ExprId, ExprKind, Form, Part, Unary};

/// A name and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    /// The name.
    pub name: Name,
    /// Its place.
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All expressions.
    pub exprs: Arena<Expr>,
    /// All statements.
    pub stmts: Arena<Stmt>,
    /// All declared variables, parameters and fields of structures.
    pub vars: Arena<Variable>,
    /// What the text consists of, in its order; temporal formulas stand where they were written.
    pub units: Vec<Unit>,
    /// The inlines as they were written; calls of them are blocks already.
    pub inlines: Vec<Inline>,
}

/// `inline f(a, b) { … }`.
#[derive(Clone, Debug)]
pub struct Inline {
    /// Its name.
    pub name: Binding,
    /// Its parameters.
    pub parameters: Vec<Binding>,
    /// All of it.
    pub span: Span,
}

/// A part of a program.
#[derive(Clone, Debug)]
pub enum Unit {
    /// `mtype = { … }`.
    Mtype(MtypeList),
    /// `typedef T { … }`.
    Typedef(Typedef),
    /// Global variables.
    Variables(Declaration),
    /// `proctype P() { … }` or `init { … }`.
    Process(Process),
    /// `never { … }`.
    Never(Claim),
    /// `ltl f { … }`.
    Ltl(Formula),
    /// `trace { … }` or `notrace { … }`.
    Trace(Trace),
}

/// A list of symbolic names.
#[derive(Clone, Debug)]
pub struct MtypeList {
    /// The name of a subset, as in `mtype:fruit`.
    pub subset: Option<Binding>,
    /// The names, as written; the last one is the smallest number.
    pub names: Vec<Binding>,
    /// The whole.
    pub span: Span,
}

/// A structure.
#[derive(Clone, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Binding,
    /// Its fields.
    pub fields: Vec<Declaration>,
    /// The whole.
    pub span: Span,
}

/// How a variable is shown or stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// `hidden`: no part of the state.
    Hidden,
    /// `show`.
    Show,
    /// `local`: used by one process only.
    Local,
}

/// A type as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bit`.
    Bit,
    /// `bool`.
    Bool,
    /// `byte`.
    Byte,
    /// `pid`.
    Pid,
    /// `short`.
    Short,
    /// `int`.
    Int,
    /// `unsigned`; the width stands with the variable.
    Unsigned,
    /// `mtype` or `mtype:subset`.
    Mtype(Option<Binding>),
    /// `chan`.
    Chan,
    /// The name of a structure.
    Named(Binding),
}

/// Variables declared together.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What stands before the type.
    pub visibility: Option<Visibility>,
    /// Their type.
    pub ty: Type,
    /// The variables.
    pub vars: Vec<VarId>,
    /// The whole.
    pub span: Span,
}

/// Names a declared variable.
pub type VarId = Id<Variable>;

/// A declared variable, parameter or field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Binding,
    /// Its type, as the declaration says.
    pub ty: Type,
    /// What stands before the type.
    pub visibility: Option<Visibility>,
    /// The number of elements of an array.
    pub size: Option<ExprId>,
    /// The number of bits of an `unsigned`.
    pub width: Option<ExprId>,
    /// Its first value.
    pub init: Option<Initialiser>,
}

/// The first value of a variable.
#[derive(Clone, Debug)]
pub enum Initialiser {
    /// `= e`.
    Value(ExprId),
    /// `= { 1, 2 }`.
    List(Vec<ExprId>),
    /// `= [n] of { … }`.
    Channel {
        /// How many messages it holds.
        capacity: ExprId,
        /// The types of a message.
        fields: Vec<Type>,
        /// The whole.
        span: Span,
    },
}

/// A proctype, or `init`.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name; `init` has the name "init".
    pub name: Binding,
    /// Which of the two.
    pub kind: ProcessKind,
    /// How many run from the beginning: `active [n]`.
    pub active: Option<Active>,
    /// Its parameters.
    pub parameters: Vec<Declaration>,
    /// `priority n`.
    pub priority: Option<ExprId>,
    /// `provided (e)`.
    pub provided: Option<ExprId>,
    /// What it does.
    pub body: Vec<StmtId>,
    /// The brace that closes the body.
    pub end: Span,
}

/// How a process is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessKind {
    /// `init`.
    Init,
    /// `proctype`.
    Proctype,
    /// `D_proctype`: must be deterministic.
    Deterministic,
}

/// `active` or `active [n]`.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    /// The number, if it is given.
    pub count: Option<ExprId>,
    /// The word.
    pub span: Span,
}

/// A never claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name, if it has one.
    pub name: Option<Binding>,
    /// Its statements.
    pub body: Vec<StmtId>,
    /// The word.
    pub span: Span,
    /// The brace that closes the body.
    pub end: Span,
}

/// A temporal formula.
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name, if it has one.
    pub name: Option<Binding>,
    /// What it says.
    pub formula: ExprId,
    /// The word.
    pub span: Span,
    /// All of it.
    pub whole: Span,
}

/// An assertion about the messages of channels.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether it says what must not happen.
    pub negated: bool,
    /// The events.
    pub body: Vec<StmtId>,
    /// The word.
    pub span: Span,
    /// The brace that closes the body.
    pub end: Span,
}

/// Names a statement.
pub type StmtId = Id<Stmt>;

/// A statement and its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its place.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Local variables.
    Declare(Declaration),
    /// `xr c` (`receive`) or `xs c`: only this process uses the channel so.
    Exclusive {
        /// Whether it is about receiving.
        receive: bool,
        /// The channels.
        channels: Vec<ExprId>,
    },
    /// `L: s`; a label before nothing has a statement `skip` of its own.
    Labelled(Binding, StmtId),
    /// An expression that must be true.
    Expression(ExprId),
    /// `x = e`.
    Assign(ExprId, ExprId),
    /// `x++`.
    Increment(ExprId),
    /// `x--`.
    Decrement(ExprId),
    /// `c!…`, sorted as `c!!…`.
    Send {
        /// The channel.
        channel: ExprId,
        /// The fields.
        arguments: Vec<ExprId>,
        /// Whether it keeps the buffer in order.
        sorted: bool,
    },
    /// `c?…`, `c??…`, `c?<…>`, `c??<…>`.
    Receive {
        /// The channel.
        channel: ExprId,
        /// Variables, constants and `eval(…)`.
        arguments: Vec<ExprId>,
        /// Whether any message of the buffer will do.
        random: bool,
        /// Whether the message stays in the buffer.
        keep: bool,
    },
    /// `assert(e)`.
    Assert(ExprId),
    /// `printf("…", …)`.
    Print {
        /// The string with its quotes.
        format: Name,
        /// The values.
        arguments: Vec<ExprId>,
    },
    /// `printm(e)`.
    PrintMtype(ExprId),
    /// `set_priority(p, n)`.
    SetPriority(ExprId, ExprId),
    /// `if … fi`.
    If(Vec<Choice>),
    /// `do … od`.
    Do(Vec<Choice>),
    /// `for (i : a .. b) { … }`.
    For {
        /// The variable.
        variable: ExprId,
        /// What it runs over.
        range: Range,
        /// What is done each time.
        body: Vec<StmtId>,
    },
    /// `select (i : a .. b)`.
    Select {
        /// The variable.
        variable: ExprId,
        /// The smallest value.
        from: ExprId,
        /// The largest value.
        to: ExprId,
        /// Whether it is one choice among all values; otherwise it counts up.
        at_once: bool,
    },
    /// `atomic { … }`.
    Atomic(Vec<StmtId>),
    /// `d_step { … }`.
    DStep(Vec<StmtId>),
    /// `{ … }`; `call` is the place of the call when an inline became this block.
    Block {
        /// The statements.
        body: Vec<StmtId>,
        /// Where the inline was called.
        call: Option<Binding>,
    },
    /// `s unless t`.
    Unless(StmtId, StmtId),
    /// `else`.
    Else,
    /// `break`.
    Break,
    /// `goto L`.
    Goto(Binding),
    /// What could not be read.
    Error,
}

/// An option of `if` or `do`.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Its statements.
    pub body: Vec<StmtId>,
    /// The `::`.
    pub span: Span,
}

/// What `for` runs over.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// `: a .. b`.
    Between(ExprId, ExprId),
    /// `in a`: the elements of an array, or the messages of a channel.
    In(ExprId),
}
