//! What can go wrong at run time, as data: both evaluators must give the same reason at the same place.

use base::{Name, Span};

use crate::Direction;

/// Something has no value, or must not happen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// Why.
    pub reason: Reason,
    /// Where: the expression, place or statement.
    pub span: Span,
}

/// Why a step or an expression faults.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A value that was never assigned, or taken away, is read.
    Undefined,
    /// A value is stored in a type that does not hold it.
    OutOfRange(i64),
    /// An index outside its array.
    Index(i64),
    /// Division or remainder by zero.
    DivisionByZero,
    /// A result beyond 64 bits.
    Overflow,
    /// A step of 0 in a counting loop.
    StepZero,
    /// A loop that runs longer than the limit.
    EndlessLoop,
    /// Calls that nest too deeply.
    EndlessRecursion,
    /// A function that ends without a result.
    NoResult,
    /// An element is added to a multiset that is full.
    MultisetFull,
    /// A place of a multiset that holds nothing.
    NoElement,
    /// A channel variable that names no channel.
    NoChannel,
    /// A channel that died with its process.
    DeadChannel,
    /// A message with another number of fields than the channel has.
    Fields {
        /// How many the channel has.
        expected: u32,
        /// How many are given.
        given: u32,
    },
    /// A question about messages that a channel without buffer cannot answer.
    PollRendezvous,
    /// An end of a channel that another process has promised to use alone.
    Promised(Direction),
    /// Somebody has promised to use a channel without buffer alone.
    PromisedRendezvous,
    /// More processes than there may be.
    TooManyProcesses,
    /// More channels than there may be.
    TooManyChannels,
    /// A `d_step` that cannot go on after its first statement.
    Blocked,
    /// Several steps where only one is allowed.
    Nondeterminism,
    /// A reference to a process that does not live, or is of another kind.
    NoProcess(i64),
    /// An assertion that does not hold, with its text or message.
    Assertion(Option<Name>),
    /// An error statement, with its message.
    Error(Name),
    /// A step that the observer of channel events does not allow, or that brings a forbidden one to its end.
    Observed,
    /// An indivisible sequence that does not come to an end within the limit.
    EndlessSequence,
}

impl Reason {
    /// One sentence.
    pub fn sentence(&self) -> String {
        match self {
            Reason::Undefined => "an undefined value is read".to_string(),
            Reason::OutOfRange(value) => format!("the value {value} is out of range"),
            Reason::Index(index) => format!("the index {index} is out of range"),
            Reason::DivisionByZero => "division by zero".to_string(),
            Reason::Overflow => "the result does not fit in 64 bits".to_string(),
            Reason::StepZero => "a loop counts in steps of 0".to_string(),
            Reason::EndlessLoop => "a loop does not end within the limit".to_string(),
            Reason::EndlessRecursion => "calls nest too deeply".to_string(),
            Reason::NoResult => "a function ends without a result".to_string(),
            Reason::MultisetFull => "an element is added to a full multiset".to_string(),
            Reason::NoElement => "the multiset holds nothing at this place".to_string(),
            Reason::NoChannel => "the channel is not initialised".to_string(),
            Reason::DeadChannel => "the channel died with its process".to_string(),
            Reason::Fields { expected, given } => {
                format!("{given} message fields where the channel has {expected}")
            }
            Reason::PollRendezvous => "a rendezvous channel is polled".to_string(),
            Reason::Promised(Direction::Send) => {
                "another process has promised that it alone sends to this channel (xs)".to_string()
            }
            Reason::Promised(Direction::Receive) => {
                "another process has promised that it alone receives from this channel (xr)"
                    .to_string()
            }
            Reason::PromisedRendezvous => {
                "xr and xs are for channels with a buffer, and this is a rendezvous channel"
                    .to_string()
            }
            Reason::TooManyProcesses => "too many processes (255 may live at once)".to_string(),
            Reason::TooManyChannels => "too many channels (255 may exist at once)".to_string(),
            Reason::Blocked => "a d_step blocks after its first statement".to_string(),
            Reason::Nondeterminism => {
                "several steps are possible where only one is allowed".to_string()
            }
            Reason::NoProcess(pid) => format!("no such process has pid {pid}"),
            Reason::Assertion(None) => "an assertion does not hold".to_string(),
            Reason::Assertion(Some(text)) => format!("the assertion \"{text}\" does not hold"),
            Reason::Error(message) => format!("error \"{message}\""),
            Reason::Observed => "the trace does not allow this event".to_string(),
            Reason::EndlessSequence => "an indivisible sequence does not end".to_string(),
        }
    }
}
