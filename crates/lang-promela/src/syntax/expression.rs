//! Expressions, places and the operators between them.

use base::{Id, Span};

use super::*;

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
