//! States as plain data: what the reference evaluator computes with, the compiled one decodes to, and people are shown.

use crate::{ChannelId, LocationId, ProctypeId, Value};

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Global variables by number; hidden ones hold their first value.
    pub globals: Vec<Value>,
    /// Living processes by pid.
    pub processes: Vec<Process>,
    /// Channels by reference, from 1 on.
    pub channels: Vec<Queue>,
    /// The process that made the last step, if the program asks for it.
    pub last: i64,
    /// Where the observer of channel events is.
    pub observer: Option<LocationId>,
}

/// A living process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its kind.
    pub proctype: ProctypeId,
    /// Where it is.
    pub location: LocationId,
    /// Its variables by number.
    pub variables: Vec<Value>,
    /// Its priority; 1 where priorities do not count.
    pub priority: u8,
}

/// A channel that exists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    /// Its kind.
    pub kind: ChannelId,
    /// How many processes lived when it was created: it goes with the last of them.
    pub above: usize,
    /// Its messages, the oldest first.
    pub messages: Vec<Vec<i64>>,
}
