//! Expressions: computed left to right, `And`, `Or`, `Implies`, `Choice` and quantifiers only as far as decided.
//!
//! Every value of an expression is simple but that of [`Kind::Copy`], [`Kind::Part`] and [`Kind::Call`], which may have
//! parts.
//! Arithmetic is in 32 or 64 bits as [`crate::Arithmetic`] says; whatever is not 0 counts as true.
//! Only [`Kind::Run`], [`Kind::NewChannel`] and calls of functions that write have an effect.

use base::{Id, Span};

use crate::{
    Argument, ChannelId, Direction, Domain, FunctionId, LocalId, LocationId, PlaceId, ProctypeId,
    Selector, TyId,
};

/// Names an expression.
pub type ExprId = Id<Expr>;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// The type of its value.
    pub ty: TyId,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A simple value: a number, truth, or the code of an element.
    Constant(i64),
    /// The value of no type, to be stored or compared.
    Undefined,
    /// The simple value at a place; undefined is a fault.
    Read(PlaceId),
    /// The value at a place with all its parts, undefined or not.
    Copy(PlaceId),
    /// An operation on one value.
    Unary(Unary, ExprId),
    /// An operation on two values.
    Binary(Binary, ExprId, ExprId),
    /// `if c then a else b`.
    Choice(ExprId, ExprId, ExprId),
    /// A quantified predicate.
    Quantified {
        /// Which.
        quantifier: Quantifier,
        /// The bound name.
        local: LocalId,
        /// Its values, in order.
        domain: Domain,
        /// The predicate.
        body: ExprId,
    },
    /// How many elements of a multiset satisfy a predicate.
    Count {
        /// The place of the element in the multiset.
        local: LocalId,
        /// The multiset.
        multiset: PlaceId,
        /// The predicate.
        body: ExprId,
    },
    /// Whether the simple value at a place is undefined.
    IsUndefined(PlaceId),
    /// Whether a value, which may be undefined, is one of a type.
    IsMember(ExprId, TyId),
    /// A part of a value with parts, such as the result of a function.
    Part(ExprId, Selector),
    /// The result of a function; it may have parts and undefined ones among them.
    Call(FunctionId, Vec<Argument>),
    /// The pid of the process that runs.
    SelfPid,
    /// How many processes live.
    Processes,
    /// The pid of the process that made the last step, 0 before the first.
    Last,
    /// Creates a process; its pid. Arguments are stored in its first variables.
    Run {
        /// Of which kind.
        proctype: ProctypeId,
        /// One for each parameter.
        arguments: Vec<ExprId>,
        /// Its priority; 1 if none is given.
        priority: Option<ExprId>,
    },
    /// Creates a channel; its reference.
    NewChannel(ChannelId),
    /// A question about the length of a channel.
    Ask(ChannelQuestion, ExprId),
    /// Whether a message could be received now, without receiving it.
    Poll {
        /// The channel.
        channel: ExprId,
        /// Whether any message counts, or only the first.
        is_any: bool,
        /// What the message must look like; nothing is stored.
        patterns: Vec<Pattern>,
    },
    /// Whether a process can make a step now.
    Enabled(ExprId),
    /// The number of the location of a process ([`crate::Location::number`]).
    LocationOf(ExprId),
    /// The priority of a process.
    PriorityOf(ExprId),
    /// Whether a process is at one of some locations: `P[pid]@label`. Without a pid, the only living process of that
    /// kind.
    At {
        /// The kind of process.
        proctype: ProctypeId,
        /// Which one.
        pid: Option<ExprId>,
        /// The locations that carry the label.
        locations: Vec<LocationId>,
    },
    /// Whether no process can make a step that does not wait for this.
    Timeout,
    /// Whether no process is at a location marked as progress.
    NoProgress,
}

/// An operation on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// `-x`.
    Minus,
    /// 1 if x is 0, else 0.
    Not,
    /// Every bit the other way.
    Complement,
}

/// An operation on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, towards zero.
    Divide,
    /// Remainder, with the sign of the dividend.
    Remainder,
    /// Bits of both.
    BitAnd,
    /// Bits of either.
    BitOr,
    /// Bits of one.
    BitXor,
    /// Bits moved up. In 32 bits the lowest five bits of the distance count; in 64 bits a distance outside 0..63 gives 0.
    ShiftLeft,
    /// Bits moved down, keeping the sign. Distances as above; in 64 bits one outside 0..63 gives 0 or -1.
    ShiftRight,
    /// Equal, also for values with parts; undefined equals undefined only.
    Equal,
    /// Not [`Binary::Equal`].
    Unequal,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
    /// Both; the second only if the first is true. 0 or 1.
    And,
    /// One of them; the second only if the first is false. 0 or 1.
    Or,
    /// The second if the first; it is not computed otherwise. 0 or 1.
    Implies,
}

/// Which quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// True until one is false.
    All,
    /// False until one is true.
    Some,
}

/// A question about the length of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelQuestion {
    /// How many messages it holds.
    Length,
    /// Whether it holds none.
    IsEmpty,
    /// Whether it holds as many as it can.
    IsFull,
    /// Whether it holds some.
    IsNotEmpty,
    /// Whether it could hold more.
    IsNotFull,
}

impl ChannelQuestion {
    /// The ends of a channel that whoever asks uses.
    pub fn ends(self) -> &'static [Direction] {
        match self {
            ChannelQuestion::IsNotEmpty => &[Direction::Receive],
            ChannelQuestion::IsNotFull => &[Direction::Send],
            ChannelQuestion::Length | ChannelQuestion::IsEmpty | ChannelQuestion::IsFull => {
                Direction::BOTH
            }
        }
    }
}

/// What one field of a message must look like, or where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Equal to a value: a constant or `eval(e)`.
    Equal(ExprId),
    /// Anything; it is stored. The fields are stored from the first to the last, after all conditions were looked at.
    Store(PlaceId),
    /// Anything; it is thrown away.
    Any,
}
