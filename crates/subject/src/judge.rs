//! The judge: an evaluator that shares no code with the one that searched.

use std::any::Any;
use std::fmt;
use std::rc::Rc;

use pins::{Fault, Halt};

use crate::claim::Predicate;
use crate::describe::EventId;
use crate::forbidden::{Forbids, Walked};
use crate::question::QuestionId;
use crate::trace::{Happening, Step};
use crate::value::Value;

/// A state as the judge sees it.
#[derive(Clone)]
pub struct Moment(Rc<dyn Any>);

impl Moment {
    /// A moment that its judge understands.
    pub fn new(state: impl Any) -> Moment {
        Moment(Rc::new(state))
    }

    /// What is inside, for the judge that made it.
    ///
    /// # Panics
    /// If another judge made it, which is a bug.
    pub fn state<T: Any>(&self) -> &T {
        self.0
            .downcast_ref()
            .expect("a moment goes back to the judge that made it")
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a moment")
    }
}

/// What can happen at a moment.
#[derive(Clone, Debug, Default)]
pub struct Possible {
    /// The steps.
    pub steps: Vec<Step>,
    /// Events with an outcome that has no value.
    pub faults: Vec<(EventId, Fault)>,
}

/// Judges steps and claims. A fault of kind `Budget` is no answer: the judge gave up.
pub trait Judge {
    /// From now on, gives up once `halt` is set, where an answer may take long.
    fn heed(&mut self, _halt: &Halt) {}

    /// Before anything has a value.
    fn beginning(&self) -> Moment;

    /// The moment after a step from a moment, as the step says it.
    fn after(&mut self, before: &Moment, step: &Step) -> Moment;

    /// A moment in the midst of a path: after a set-up or in a state, with these components. What only the judge can know
    /// of the others (the rules of infinite constants) is looked for.
    fn at(&mut self, values: &[Option<Value>]) -> Moment;

    /// Whether a step is one of the model; otherwise why it is none. The moment after a set-up may gain what only the
    /// judge can know (the rules of infinite constants).
    fn check(&mut self, before: &Moment, step: &Step, after: &mut Moment) -> Result<(), Fault>;

    /// Whether it may overlook that something is undefined, or see it where another evaluator does not: sets by rules over
    /// infinitely many values are looked at where they are asked about, and a rule may have no value elsewhere.
    fn may_overlook(&mut self) -> bool {
        false
    }

    /// The truth of a predicate.
    fn truth(&mut self, predicate: Predicate, at: &Moment) -> Result<bool, Fault>;

    /// Whether a state is one that can be made at all: whether what every state satisfies, and nobody checks, holds.
    fn is_makeable(&mut self, at: &Moment) -> Result<bool, Fault> {
        let _ = at;
        Ok(true)
    }

    /// The truth of a question over names, with their values.
    fn truth_of(
        &mut self,
        question: QuestionId,
        values: &[Value],
        at: &Moment,
    ) -> Result<bool, Fault>;

    /// The value of an expression; of a predicate, its truth as a value. One that was found by an enumeration that had to
    /// be cut is none: that is a fault of kind `Budget`.
    fn value(&mut self, question: QuestionId, at: &Moment) -> Result<Value, Fault>;

    /// Everything that can happen.
    fn possible(&mut self, at: &Moment) -> Result<Possible, Fault>;

    /// The steps of one event; the fault of one outcome does not keep the others from being given.
    fn steps(&mut self, event: EventId, at: &Moment) -> (Vec<Step>, Option<Fault>) {
        let Ok(Possible { mut steps, faults }) = self.possible(at) else {
            return (Vec::new(), None);
        };
        steps.retain(|step| step.happening == Happening::Event(event));
        let mut faults = faults.into_iter();
        let fault = faults.find(|(of, _)| *of == event);
        (steps, fault.map(|(_, fault)| fault))
    }

    /// What the fault of an event depends on, line by line: arguments, and names with their values.
    fn dependences(&mut self, event: EventId, at: &Moment) -> Vec<String> {
        let _ = (event, at);
        Vec::new()
    }

    /// The moments after a set-up, at most so many.
    fn setups(&mut self, most: usize) -> Result<Vec<Moment>, Fault>;

    /// The initial states after a set-up (from the beginning, when there is no set-up step), at most so many.
    fn initial(&mut self, setup: &Moment, most: usize) -> Result<Vec<Moment>, Fault>;

    /// Whether a path is one that must not be, by the meaning of what forbids it and not by an automaton.
    fn is_forbidden(&mut self, _forbids: Forbids, _path: Walked<'_>) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Why a predicate is false or undefined, line by line, no line twice.
    fn explain(&mut self, predicate: Predicate, at: &Moment) -> Vec<String>;

    /// Why an event cannot happen with these arguments, line by line, at least one; `None` for an argument that is left
    /// open.
    fn obstacles(
        &mut self,
        event: EventId,
        arguments: &[Option<Value>],
        at: &Moment,
    ) -> Vec<String>;
}
