//! A computation under way: the state it works on, who runs, which names are bound.

use base::Span;
use program::{Fault, LocalId, Program, Reason, Value};

use crate::places::Target;
use crate::sequences::Failure;
use program::State;

/// Why a computation ends before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Something has no value.
    Fault(Fault),
    /// An assumption does not hold: the step does not exist.
    Discarded,
}

/// A computation under way.
pub(crate) struct Run<'p> {
    pub program: &'p Program,
    pub state: State,
    /// The process that runs.
    pub me: Option<usize>,
    /// Names bound by calls, the innermost last.
    pub frames: Vec<Frame>,
    /// Whether nothing else can happen; `None` where it has to be found out.
    pub timeout: Option<bool>,
    /// Assertions that did not hold while the step went on.
    pub failures: Vec<Failure>,
    /// Covers that were met.
    pub covered: Vec<u32>,
    /// What was printed.
    pub printed: String,
}

/// The names bound by one call.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Names that hold values or places, the newest last.
    pub bound: Vec<(LocalId, Bound)>,
}

/// What a name holds.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Value(Value),
    Place(Target),
}

impl<'p> Run<'p> {
    /// A computation that starts in a state.
    pub fn new(program: &'p Program, state: State) -> Run<'p> {
        Run {
            program,
            state,
            me: None,
            frames: vec![Frame::default()],
            timeout: None,
            failures: Vec::new(),
            covered: Vec::new(),
            printed: String::new(),
        }
    }

    /// Binds a name in the innermost call.
    pub fn bind(&mut self, local: LocalId, bound: Bound) {
        let frame = self.frames.last_mut().expect("a computation has a frame");
        frame.bound.push((local, bound));
    }

    /// How many names the innermost call has bound, to be given to [`Run::forget`].
    pub fn mark(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.bound.len())
    }

    /// Forgets the names bound since `mark`.
    pub fn forget(&mut self, mark: usize) {
        let frame = self.frames.last_mut().expect("a computation has a frame");
        frame.bound.truncate(mark);
    }
}

/// A fault as the end of a computation.
pub(crate) fn fault<T>(reason: Reason, span: Span) -> Result<T, Stop> {
    Err(Stop::Fault(Fault { reason, span }))
}
