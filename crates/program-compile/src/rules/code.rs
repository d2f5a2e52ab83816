//! The code that rules are compiled to: expressions, addresses and operations in arenas, addressed by small numbers.
//!
//! The memory is one array of words: the state first, then the frames of the rule and of the functions it calls. Names of
//! type number (counters of loops) live in an array of their own. A value that is undefined is [`UNDEFINED`], which no
//! computation yields: beyond 63 bits arithmetic faults.

use base::{Name, Span};
use program::{Binary, Reason, Unary};

use super::layout::{self, Bag};

/// Stands for an undefined value.
pub(crate) const UNDEFINED: i64 = i64::MIN;

/// The number of a node in [`Code::nodes`].
pub(crate) type NodeId = u32;
/// The number of an address in [`Code::addresses`].
pub(crate) type AddressId = u32;
/// The number of an operation in [`Code::ops`].
pub(crate) type OpId = u32;

/// A computation of one integer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// A value.
    Constant(i64),
    /// The word at a fixed address; undefined is a fault.
    Load(u32, i64),
    /// The word at a fixed address, undefined or not.
    Copy(u32, i64),
    /// The word at an address; undefined is a fault.
    LoadAt(AddressId, i64),
    /// The word at an address, undefined or not.
    CopyAt(AddressId, i64),
    /// A number of the frame.
    Counter(u32),
    /// Whether a fixed word has a value; undefined is a fault.
    Is(u32, u32),
    /// Whether a fixed word has a value or is not another one; undefined is a fault.
    IsNot(u32, u32),
    /// Whether a fixed word is this one, undefined being a word like others.
    Word(u32, u32),
    /// Whether a fixed word is not this one.
    NotWord(u32, u32),
    /// Whether two fixed words of one type are equal, undefined being a word like others.
    SameWords(u32, u32),
    /// A value that must not be undefined.
    Defined(NodeId),
    /// An operation.
    Unary(Unary, NodeId),
    /// An operation.
    Binary(Binary, NodeId, NodeId),
    /// All of a list, in order, as far as needed.
    All(u32, u32),
    /// One of a list, in order, as far as needed.
    Any(u32, u32),
    /// `if c then a else b`.
    Choice(NodeId, NodeId, NodeId),
    /// A quantifier that is not unrolled: true at the end for all, false for some.
    Quantified(bool, u32),
    /// How many elements of a multiset satisfy a condition: counter, multiset, condition.
    Count(u32),
    /// Whether the word at an address is undefined.
    IsUndefined(AddressId),
    /// Whether a value is one of a type.
    IsMember(NodeId, u32),
    /// The simple result of a function.
    Call(u32),
    /// Whether two blocks of words are equal, or not.
    SameBlocks(bool, BlockId, BlockId, u32),
    /// A computation that is nested deeply: it may need a new piece of stack.
    Deep(NodeId),
    /// The word inside a block, undefined or not: words from the start, bias.
    InBlock(BlockId, AddressId, i64),
}

/// The number of a block in [`Code::blocks`].
pub(crate) type BlockId = u32;

/// Where the words of a value with parts are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Block {
    /// At an address.
    At(AddressId),
    /// The result of a function, left in the frame.
    Call(u32),
    /// A part of another block: an address relative to its start.
    Part(BlockId, AddressId),
    /// One of two, by a condition.
    Choice(NodeId, BlockId, BlockId),
}

/// An address in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Address {
    /// Fixed.
    Fixed(u32),
    /// In the frame of the rule or function.
    Frame(u32),
    /// Where the word of the frame says, plus a distance.
    Reference(u32, u32),
    /// A distance from another address.
    Offset(AddressId, u32),
    /// An element of an array: base, index, position in [`Code::indices`].
    Index(AddressId, NodeId, u32),
    /// The element at a place of a multiset: base, place, position in [`Code::bags`].
    Element(AddressId, NodeId, u32),
}

/// How an index becomes an address.
#[derive(Clone, Debug)]
pub(crate) struct IndexShape {
    /// The values of the index.
    pub ranges: Vec<(i64, i64)>,
    /// The words of an element.
    pub stride: u32,
}

impl IndexShape {
    /// How many elements come before that of a value; `None` when it has none.
    #[inline]
    pub fn position(&self, value: i64) -> Option<u32> {
        layout::position(value, &self.ranges)
    }
}

/// How a value is stored in a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Store {
    /// The least value.
    pub low: i64,
    /// The greatest value.
    pub high: i64,
    /// Whether every value between is one; else the ranges of the type are looked at.
    pub is_solid: bool,
    /// The type, as a position in [`Code::members`].
    pub ty: u32,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Operations one after the other, a part of [`Code::lists`].
    Block(u32, u32),
    /// A word at a fixed address.
    Set(u32, u32),
    /// A word from a fixed address to another.
    Move(u32, u32),
    /// A value to a fixed address: how, value.
    StoreFixed(u32, NodeId, u32),
    /// A value to an address: how, value.
    Store(AddressId, NodeId, u32),
    /// A value to a counter.
    StoreCounter(u32, NodeId),
    /// A block of words: target, source, words.
    StoreBlock(AddressId, BlockId, u32),
    /// Constant words, a part of [`Code::words`]: target, start, count.
    Fill(AddressId, u32, u32),
    /// The first condition that is true decides: a part of [`Code::lists`] with pairs, then the other case.
    If(u32, u32, OpId),
    /// A switch: position in [`Code::switches`].
    Switch(u32),
    /// A loop: position in [`Code::loops`].
    For(u32),
    /// A loop with a condition.
    While(NodeId, OpId),
    /// Fixes an address in a word of the frame.
    Bind(u32, AddressId),
    /// Calls a function for its effect.
    Call(u32),
    /// Computes a value for its effect.
    Evaluate(NodeId),
    /// Leaves the function or rule.
    Return,
    /// Leaves the function with a simple value.
    ReturnValue(NodeId, u32),
    /// Leaves the function with a block of so many words, left at a word of the frame.
    ReturnBlock(BlockId, u32, u32),
    /// A condition that must hold: position in [`Code::messages`].
    Assert(NodeId, u32),
    /// Must not be reached.
    Fail(u32),
    /// A condition without which the step does not exist.
    Assume(NodeId),
    /// A cover that is met when the condition is true.
    Cover(NodeId, u32),
    /// Adds a simple value to a multiset: position in [`Code::additions`].
    Add(u32),
    /// Takes an element out: multiset, place, position in [`Code::bags`].
    Remove(AddressId, NodeId, u32),
    /// Takes elements out: position in [`Code::scans`].
    RemoveIf(u32),
}

/// What a loop or quantifier goes through.
#[derive(Clone, Debug)]
pub(crate) enum Rounds {
    /// Values of a type.
    Values(Vec<(i64, i64)>),
    /// From, to, by.
    Count(NodeId, NodeId, Option<NodeId>),
    /// Taken places of a multiset.
    Places(AddressId, Bag),
}

/// A loop over values.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// What it goes through.
    pub rounds: Rounds,
    /// The counter that takes the values, or the word and its bias.
    pub target: Target,
    /// An operation, or the node of a quantifier.
    pub body: u32,
}

/// Where a bound value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A counter of the frame.
    Counter(u32),
    /// A word of the frame, with its bias.
    Word(u32, i64),
}

/// A switch.
#[derive(Clone, Debug)]
pub(crate) struct Switch {
    /// The value.
    pub value: NodeId,
    /// Candidates and what to do.
    pub arms: Vec<(Vec<NodeId>, OpId)>,
    /// Otherwise.
    pub otherwise: OpId,
}

/// A scan through the places of a multiset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// The counter that names the place.
    pub counter: Target,
    /// The multiset.
    pub multiset: AddressId,
    /// Its places.
    pub bag: Bag,
    /// The condition.
    pub condition: NodeId,
}

/// An element that is added to a multiset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addition {
    /// The multiset.
    pub multiset: AddressId,
    /// Its places.
    pub bag: Bag,
    /// What is added.
    pub value: Added,
}

/// What is added to a multiset.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Added {
    /// A simple value, stored as said.
    Value(NodeId, u32),
    /// A block of words.
    Block(BlockId),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The function, as a position in [`Code::routines`].
    pub routine: u32,
    /// Arguments in order.
    pub arguments: Vec<Argument>,
    /// The words of the caller's frame: the callee's begins behind them.
    pub frame: u32,
    /// The counters of the caller's frame.
    pub counters: u32,
}

/// How an argument is passed. A parameter is a reference in the callee's frame; a value lies behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// The address itself.
    Reference(AddressId),
    /// A simple value: stored in the word given, as said.
    Value(NodeId, u32, u32),
    /// A block of words, copied to the word given.
    Block(BlockId, u32, u32),
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    /// What it does.
    pub body: OpId,
    /// The words of its frame: a reference for each parameter first, then values and locals.
    pub frame: u32,
    /// The counters of its frame.
    pub counters: u32,
    /// Where a result with parts is left in its frame.
    pub result: Option<u32>,
    /// The parameters whose words it may change.
    pub changes: Vec<u32>,
    /// Whether it must return a value.
    pub is_function: bool,
    /// Where it stands.
    pub span: Span,
}

/// All code of a program.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub nodes: Vec<Node>,
    /// The place of each node.
    pub spans: Vec<Span>,
    pub addresses: Vec<Address>,
    pub blocks: Vec<Block>,
    pub ops: Vec<Op>,
    /// The place of each operation.
    pub op_spans: Vec<Span>,
    pub lists: Vec<u32>,
    pub words: Vec<u32>,
    pub indices: Vec<IndexShape>,
    pub bags: Vec<Bag>,
    pub members: Vec<Vec<(i64, i64)>>,
    pub stores: Vec<Store>,
    pub loops: Vec<Loop>,
    pub switches: Vec<Switch>,
    pub scans: Vec<Scan>,
    pub additions: Vec<Addition>,
    pub calls: Vec<Call>,
    pub routines: Vec<Routine>,
    pub messages: Vec<Option<Name>>,
}

/// Why a computation ends before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Something has no value, or must not happen.
    Fault(Reason, Span),
    /// An assumption does not hold.
    Discarded,
    /// Somebody asked for an end.
    Halted,
    /// More work than a step may take.
    Budget(Span),
}

/// A computation that may end before its end; the reason is boxed to keep answers in registers.
pub(crate) type Run<T> = Result<T, Box<Stop>>;

impl Code {
    /// The word of a defined value in a type; `None` when the type does not hold it.
    #[inline]
    pub fn word(&self, value: i64, store: u32) -> Option<u32> {
        let store = self.stores[store as usize];
        let is_within = |(low, high): &(i64, i64)| *low <= value && value <= *high;
        let fits = is_within(&(store.low, store.high))
            && (store.is_solid || self.members[store.ty as usize].iter().any(is_within));
        fits.then(|| (value - store.low) as u32 + 1)
    }
}
