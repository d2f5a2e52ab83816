//! Questions about one state: expressions, properties, ends.

use program::{ExprId, Fault, Property, PropertyKind, Value};

use crate::Machine;
use crate::moves::to_fault;
use crate::run::{Run, Stop};
use program::State;

impl<'p> Machine<'p> {
    /// The value of an expression over global variables, processes and channels.
    pub fn value(&self, state: &State, expr: ExprId) -> Result<Value, Fault> {
        let mut run = Run::new(self.program, state.clone());
        run.value(expr).map_err(to_fault)
    }

    /// Whether an expression is not 0.
    pub fn is_true(&self, state: &State, expr: ExprId) -> Result<bool, Fault> {
        let mut run = Run::new(self.program, state.clone());
        run.is_true(expr).map_err(to_fault)
    }

    /// Whether a property holds in a state: for all values of its binders, a cover or liveness for some.
    pub fn property(&self, state: &State, property: &'p Property) -> Result<bool, Fault> {
        let wants_all = matches!(
            property.kind,
            PropertyKind::Invariant | PropertyKind::Assumption
        );
        let Some(condition) = property.condition else {
            return Ok(false);
        };
        let mut answer = Ok(wants_all);
        let run = Run::new(self.program, state.clone());
        self.bind_all(&property.binders, Vec::new(), run, &mut |_, run| {
            // A cover is looked at for all values of its parameters: one without a value is a fault.
            if answer.is_err() || wants_all && answer == Ok(false) {
                return;
            }
            let truth = run
                .map_err(Stop::Fault)
                .and_then(|mut run| run.is_true(condition));
            match truth {
                Ok(truth) if truth == wants_all => {}
                Ok(truth) => answer = Ok(truth),
                Err(stop) => answer = Err(to_fault(stop)),
            }
        });
        answer
    }

    /// Whether a state without steps is where a program may end: every process at its end or a location marked so, the
    /// observer too, or all channels empty if that is wanted. Where nobody lives nothing is asked.
    pub fn may_end(&self, state: &State, empty_channels: bool) -> bool {
        if state.processes.is_empty() {
            return true;
        }
        let ends = state.processes.iter().all(|process| {
            let graph = &self.program.proctypes[process.proctype].graph;
            graph.locations[process.location].marks.is_end
        });
        let observer = match (&self.program.observer, state.observer) {
            // An observer that looks at nothing any more wants nothing either.
            (Some(observer), Some(at)) => {
                observer.graph.locations[at].marks.is_end || observer.graph.end == Some(at)
            }
            _ => true,
        };
        let channels = state.channels.iter();
        ends && if empty_channels {
            channels.clone().all(|channel| channel.messages.is_empty())
        } else {
            observer
        }
    }
}
