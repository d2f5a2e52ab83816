//! The code of a whole program, as engines use it.

use base::Span;
use program::Then;

use super::channels::{Receive, Send};
use super::code::{Action, Code, Int, Test};
use super::layout::Layout;
use super::observer::Observing;
use super::packing::Packed;
use super::pairs::Pair;
use super::size::Room;
use std::sync::Arc;

/// Everything an engine needs.
pub(super) struct Tables {
    pub layout: Layout,
    /// How vectors are packed, if they are.
    pub packed: Option<Packed>,
    /// For each process number, the bodies of the kinds that can be there, by kind.
    pub bodies: Vec<Vec<Option<Body>>>,
    /// For each group the slots that its steps may change, where they are few.
    pub touched: Vec<Option<Box<[u32]>>>,
    /// Whoever sees channel events.
    pub observer: Option<Observing>,
    /// What had no room.
    pub room: Arc<Room>,
    /// What hidden variables hold when a step starts.
    pub hidden: Vec<u32>,
    /// Whether some process may run only under a condition: its own, or that nobody is more important.
    pub has_conditions: bool,
    /// Whether priorities count.
    pub has_priorities: bool,
    /// Whether some kind of process must never have two possible steps.
    pub has_deterministic: bool,
    /// Whether a send to a full channel loses the message.
    pub is_lossy: bool,
    /// Rounds of a `d_step` before it is a fault.
    pub loop_limit: u64,
    /// For each kind of process the locations that are marked as progress.
    pub progress: Vec<Vec<bool>>,
    /// For each kind of process the numbers of its locations.
    pub numbers: Vec<Vec<u32>>,
}

impl Tables {
    /// Tables without processes, for code that needs none.
    pub fn bare(layout: Layout) -> Tables {
        Tables {
            bodies: Vec::new(),
            touched: Vec::new(),
            observer: None,
            room: Arc::default(),
            hidden: vec![0; layout.words - layout.slots],
            has_conditions: false,
            has_priorities: false,
            has_deterministic: false,
            is_lossy: false,
            loop_limit: 0,
            progress: Vec::new(),
            numbers: Vec::new(),
            packed: None,
            layout,
        }
    }
}

/// What a process of a kind does at its number.
pub(super) struct Body {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The first values of its variables.
    pub prologue: Option<Action>,
    /// Where it starts, as a control word.
    pub start: u32,
    /// A condition on its steps.
    pub provided: Option<Int>,
    /// Whether it must never have two possible steps.
    pub is_deterministic: bool,
    /// Its locations.
    pub locations: Vec<Location>,
}

/// A parameter of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameter {
    /// Its word.
    pub slot: usize,
    /// What becomes of an argument.
    pub cut: super::code::Cut,
    /// The value that code was made for.
    pub known: Option<i32>,
}

/// The code of a location.
pub(super) struct Location {
    /// The edges, level by level.
    pub levels: Vec<Vec<Edge>>,
    /// Whether some edge receives.
    pub receives: bool,
    /// Whether an indivisible sequence has one way on from here, and does not come back.
    pub is_straight: bool,
}

/// The code of an edge at a location.
pub(super) struct Edge {
    /// The group that it is the first part of.
    pub group: u32,
    /// Who can take what it offers, with the groups for that; nobody where one group is for all.
    pub pairs: Box<[Pair]>,
    /// A comparison without which it is not possible: most edges that are asked about are not.
    pub needed: Option<Test>,
    /// What it does.
    pub act: Act,
    /// The control word after it.
    pub to: u32,
    /// Who goes on.
    pub then: Then,
    /// Where it stands.
    pub span: Span,
}

/// What an edge does.
pub(super) enum Act {
    /// Possible when the value is not 0.
    Guard(Code),
    /// Possible when the value is not 0, and computing it may change something.
    Creating(Int),
    /// Always possible.
    Do(Action),
    /// A send.
    Send(Send),
    /// A receive.
    Receive(Receive),
    /// Possible when nothing before it is.
    Else,
    /// Death.
    End,
}
