//! Questions about all states that satisfy the invariant, asked of the compiled evaluator.

use std::sync::Arc;

use model::{Model, Tys};
use model_compile::constraints::{Answer, Constraints, Question};
use pins::Halt;
use subject::EventId;
use subject::constraints::{Constraining, Example, Finding, Inquiry};

use crate::ground::back_end;
use crate::value::{wrap, wrap_all};

/// Answers about one model.
pub(crate) struct Solver {
    constraints: Constraints,
    tys: Arc<Tys>,
    prunes: bool,
}

impl Solver {
    pub(crate) fn new(
        (model, tys): (&Model, Arc<Tys>),
        solver: subject::Solver,
        halt: Halt,
    ) -> Solver {
        Solver {
            constraints: Constraints::new(model, back_end(solver), halt),
            tys,
            prunes: !model.assumed.is_empty(),
        }
    }
}

impl Constraining for Solver {
    fn prunes(&self) -> bool {
        self.prunes
    }

    fn ask(&mut self, inquiry: &Inquiry) -> Finding {
        let question = match inquiry {
            Inquiry::Breaks(event) => Question::Breaks(event.index()),
            Inquiry::Deadlock => Question::Deadlock,
            Inquiry::Refutes(assertion) => Question::Refutes(*assertion),
            Inquiry::Happens(event) => Question::Happens(event.index()),
            Inquiry::Cut(event) => Question::Cut(event.index()),
            Inquiry::Path(events) => {
                Question::Path(events.iter().map(|event| event.index()).collect())
            }
            Inquiry::Base(depth) => Question::Base(*depth),
            Inquiry::Step(depth) => Question::Step(*depth),
        };
        let witness = match self.constraints.ask(&question) {
            Answer::No => return Finding::No,
            Answer::Open(why) => return Finding::Open(why),
            Answer::Yes(witness) => witness,
        };
        let tys = &self.tys;
        let steps = witness.steps.into_iter().map(|(action, arguments)| {
            let arguments = arguments.into_iter();
            let arguments = arguments.map(|value| Some(wrap(tys, value)));
            (EventId::new(action), arguments.collect())
        });
        Finding::Yes(Example {
            before: wrap_all(tys, witness.state),
            is_start: witness.is_start,
            steps: steps.collect(),
            label: witness.conjunct,
        })
    }
}
