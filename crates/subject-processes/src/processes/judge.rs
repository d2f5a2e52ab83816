//! The reference evaluator as a judge.

use pins::Fault;
use program::State;
use program_interp::{End, Machine, What};
use subject::{
    EventId, Forbids, Happening, Judge, Moment, Possible, Predicate, QuestionId, Step, Value,
    Walked,
};

use super::Processes;
use super::{describe, forbidden, value};
use crate::judging::{fault, misfit, none, state};

/// The reference evaluator of a program.
pub(crate) struct Referee<'s> {
    processes: &'s Processes,
    machine: Machine<'s>,
}

impl<'s> Referee<'s> {
    pub(crate) fn new(processes: &'s Processes) -> Referee<'s> {
        Referee {
            processes,
            machine: Machine::new(&processes.program),
        }
    }

    /// All steps of a state with the events they belong to, and what does not hold on the way.
    fn all(&self, state: &State) -> (Vec<Step>, Vec<(EventId, Fault)>) {
        let program = &*self.processes.program;
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        for taken in self.machine.steps(state) {
            let parts: Vec<_> = taken
                .parts
                .iter()
                .filter_map(|part| match &part.what {
                    What::Edge {
                        pid,
                        proctype,
                        edge,
                    } => Some((*pid, *proctype, *edge)),
                    What::Rule { .. } => None,
                })
                .collect();
            let event = EventId::new(parts.first().map_or(0, |(_, proctype, _)| proctype.index()));
            faults.extend(
                taken
                    .failures
                    .iter()
                    .map(|failure| (event, fault(&failure.fault))),
            );
            match taken.end {
                End::State(next) => steps.push(Step {
                    happening: Happening::Event(event),
                    arguments: describe::arguments(program, &self.processes.lines, &parts),
                    results: Vec::new(),
                    after: describe::values(program, &next),
                }),
                End::Fault(found) => faults.push((event, fault(&found))),
                End::Discarded => {}
            }
        }
        (steps, faults)
    }

    fn start(&self) -> Result<State, Fault> {
        let mut found = self.machine.initial();
        match found.pop().map(|initial| initial.state) {
            Some(Ok(Some(state))) => Ok(state),
            Some(Err(problem)) => Err(fault(&problem)),
            _ => Err(none("there is no initial state")),
        }
    }

    fn question(&self, question: QuestionId, state: &State) -> Result<i64, Fault> {
        let asked = &self.processes.asked[question.index()];
        asked.about.judged(&self.machine, state)
    }
}

impl Judge for Referee<'_> {
    fn beginning(&self) -> Moment {
        Moment::new(None::<State>)
    }

    fn after(&mut self, _before: &Moment, step: &Step) -> Moment {
        Moment::new(value::state_of(&step.after).cloned())
    }

    fn at(&mut self, values: &[Option<Value>]) -> Moment {
        Moment::new(value::state_of(values).cloned())
    }

    fn check(&mut self, before: &Moment, step: &Step, after: &mut Moment) -> Result<(), Fault> {
        let wanted = state(after)?;
        let found = match step.happening {
            Happening::Setup | Happening::Initialisation => self.start()? == *wanted,
            Happening::Event(_) => {
                let (steps, _) = self.all(state(before)?);
                steps.iter().any(|found| {
                    found.happening == step.happening
                        && found.arguments == step.arguments
                        && value::state_of(&found.after) == Some(wanted)
                })
            }
        };
        match found {
            true => Ok(()),
            false => Err(misfit("no process can make this step")),
        }
    }

    fn truth(&mut self, predicate: Predicate, at: &Moment) -> Result<bool, Fault> {
        match predicate {
            Predicate::Question(question) => Ok(self.question(question, state(at)?)? != 0),
            Predicate::Label(_) => Ok(self
                .machine
                .may_end(state(at)?, self.processes.setting.processes.end_empty)),
        }
    }

    fn truth_of(
        &mut self,
        question: QuestionId,
        _values: &[Value],
        at: &Moment,
    ) -> Result<bool, Fault> {
        Ok(self.question(question, state(at)?)? != 0)
    }

    fn value(&mut self, question: QuestionId, at: &Moment) -> Result<Value, Fault> {
        self.question(question, state(at)?).map(value::number)
    }

    fn possible(&mut self, at: &Moment) -> Result<Possible, Fault> {
        let (steps, faults) = self.all(state(at)?);
        Ok(Possible { steps, faults })
    }

    fn setups(&mut self, _most: usize) -> Result<Vec<Moment>, Fault> {
        Ok(vec![self.beginning()])
    }

    fn initial(&mut self, _setup: &Moment, _most: usize) -> Result<Vec<Moment>, Fault> {
        Ok(vec![Moment::new(Some(self.start()?))])
    }

    fn is_forbidden(&mut self, forbids: Forbids, path: Walked<'_>) -> Result<bool, Fault> {
        let states: Result<Vec<&State>, Fault> = path.states.iter().map(state).collect();
        forbidden::is_forbidden(
            self.processes,
            &self.machine,
            forbids,
            (&states?, path.then),
        )
    }

    fn explain(&mut self, predicate: Predicate, at: &Moment) -> Vec<String> {
        match (predicate, state(at)) {
            (Predicate::Question(question), Ok(state)) => {
                let asked = &self.processes.asked[question.index()];
                match self.question(question, state) {
                    Ok(number) => vec![format!("{} = {number}", asked.text)],
                    Err(fault) => vec![fault.message],
                }
            }
            _ => Vec::new(),
        }
    }

    fn obstacles(
        &mut self,
        event: EventId,
        _arguments: &[Option<Value>],
        _at: &Moment,
    ) -> Vec<String> {
        let name = self.processes.description.events[event.index()].name;
        vec![format!("no process of {name} can make a step here")]
    }
}
