//! The syntax tree of a Promela program: what was written, after the preprocessor, with inlines put in.
//!
//! Expressions, statements and declared variables lie in arenas and refer to each other by id, so trees of any depth are
//! dropped without recursion. A call of an inline is the block that it becomes, with the place of the call beside it.
//! Invariant: names are not resolved here; `check` gives each reference its meaning.

use base::{Arena, Id, Name, Span};

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

/// Names an expression.
pub type ExprId = Id<Expr>;

/// An expression and its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
    /// How deep the tree below it is.
    pub depth: u32,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant, as it was written.
    Constant(i32, Form),
    /// A symbolic name.
    Mtype(Binding),
    /// A variable, an element, a field.
    Variable(Vec<Part>),
    /// An operator and its operand.
    Unary(Unary, ExprId),
    /// An operator and its operands.
    Binary(Binary, ExprId, ExprId),
    /// `(c -> a : b)`.
    Conditional(ExprId, ExprId, ExprId),
    /// `run P(…)`.
    Run {
        /// The proctype.
        name: Binding,
        /// The values of its parameters.
        arguments: Vec<ExprId>,
        /// `priority n`.
        priority: Option<ExprId>,
    },
    /// `len(c)`, `empty(c)`, ….
    Channel(ChannelQuestion, ExprId),
    /// `c?[…]`, `c??[…]`.
    Poll {
        /// The channel.
        channel: ExprId,
        /// As in a receive statement.
        arguments: Vec<ExprId>,
        /// Whether any message of the buffer will do.
        random: bool,
    },
    /// `eval(e)`, in receive statements only.
    Eval(ExprId),
    /// `enabled(p)`.
    Enabled(ExprId),
    /// `pc_value(p)`.
    PcValue(ExprId),
    /// `get_priority(p)`.
    GetPriority(ExprId),
    /// `timeout`.
    Timeout,
    /// `np_`.
    NonProgress,
    /// `P[p]@L` or `P@L`.
    RemoteLabel {
        /// The proctype.
        process: Binding,
        /// Which process.
        pid: Option<ExprId>,
        /// The label.
        label: Binding,
    },
    /// `P[p]:x` or `P:x`.
    RemoteVariable {
        /// The proctype.
        process: Binding,
        /// Which process.
        pid: Option<ExprId>,
        /// The variable.
        variable: Part,
    },
    /// What could not be read.
    Error,
}

/// How a constant is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Digits.
    Number,
    /// `'c'`.
    Character,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `skip`.
    Skip,
}

/// A name in a reference, with its index.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// The name.
    pub name: Binding,
    /// The index.
    pub index: Option<ExprId>,
}

/// Questions about channels that are asked like functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelQuestion {
    /// `len(c)`.
    Len,
    /// `empty(c)`.
    Empty,
    /// `nempty(c)`.
    NotEmpty,
    /// `full(c)`.
    Full,
    /// `nfull(c)`.
    NotFull,
}

impl ChannelQuestion {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            ChannelQuestion::Len => "len",
            ChannelQuestion::Empty => "empty",
            ChannelQuestion::NotEmpty => "nempty",
            ChannelQuestion::Full => "full",
            ChannelQuestion::NotFull => "nfull",
        }
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`.
    Minus,
    /// `~`.
    Complement,
    /// `!`.
    Not,
    /// `[]`.
    Always,
    /// `<>`.
    Eventually,
    /// `X`.
    Next,
}

impl Unary {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Unary::Minus => "-",
            Unary::Complement => "~",
            Unary::Not => "!",
            Unary::Always => "[]",
            Unary::Eventually => "<>",
            Unary::Next => "X ",
        }
    }
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the text that `text` gives")]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    BitAnd,
    BitXor,
    BitOr,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Implies,
    Equivalent,
    Until,
    WeakUntil,
    Release,
}

impl Binary {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Remainder => "%",
            Binary::BitAnd => "&",
            Binary::BitXor => "^",
            Binary::BitOr => "|",
            Binary::ShiftLeft => "<<",
            Binary::ShiftRight => ">>",
            Binary::Less => "<",
            Binary::LessEqual => "<=",
            Binary::Greater => ">",
            Binary::GreaterEqual => ">=",
            Binary::Equal => "==",
            Binary::NotEqual => "!=",
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Implies => "->",
            Binary::Equivalent => "<->",
            Binary::Until => "U",
            Binary::WeakUntil => "W",
            Binary::Release => "V",
        }
    }

    /// How tightly it binds; all bind to the left.
    pub fn level(self) -> u8 {
        match self {
            Binary::Implies | Binary::Equivalent => 1,
            Binary::Or => 2,
            Binary::And => 3,
            Binary::Until | Binary::WeakUntil | Binary::Release => 4,
            Binary::BitOr => 5,
            Binary::BitXor => 6,
            Binary::BitAnd => 7,
            Binary::Equal | Binary::NotEqual => 8,
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => 9,
            Binary::ShiftLeft | Binary::ShiftRight => 10,
            Binary::Add | Binary::Subtract => 11,
            Binary::Multiply | Binary::Divide | Binary::Remainder => 12,
        }
    }

    /// Whether it speaks of paths.
    pub fn is_temporal(self) -> bool {
        matches!(self, Binary::Until | Binary::WeakUntil | Binary::Release)
    }
}
