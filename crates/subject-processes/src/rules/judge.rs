//! The reference evaluator as the judge of paths.

use base::Name;
use pins::{Fault, FaultKind};
use program::{Domain, State, Value as Inner};
use program_interp::{End, Machine, What};
use subject::{EventId, Happening, Judge, Moment, Possible, Predicate, QuestionId, Step, Value};

use super::{RuleSet, describe, value};
use crate::judging::{fault, misfit, none, state};

/// Judges with the reference evaluator.
pub(crate) struct Referee<'s> {
    subject: &'s RuleSet,
    machine: Machine<'s>,
}

impl<'s> Referee<'s> {
    pub(crate) fn new(subject: &'s RuleSet) -> Referee<'s> {
        Referee {
            subject,
            machine: Machine::new(&subject.program),
        }
    }

    fn state_of(&self, values: &[Option<Value>]) -> Option<State> {
        let globals: Option<Vec<Inner>> = values
            .iter()
            .map(|found| found.as_ref().and_then(value::inner).cloned())
            .collect();
        Some(State {
            globals: globals?,
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            observer: None,
        })
    }

    /// Every step of a state, and the faults of rules.
    fn all(&self, state: &State) -> (Vec<Step>, Vec<(EventId, Fault)>) {
        let program = &self.subject.program;
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        for step in self.machine.steps(state) {
            let What::Rule { rule, arguments } = &step.parts[0].what else {
                continue;
            };
            let event = EventId::new(rule.index());
            match step.end {
                End::State(next) => steps.push(Step {
                    happening: Happening::Event(event),
                    arguments: self.arguments(*rule, arguments),
                    results: Vec::new(),
                    after: describe::values(program, &next),
                }),
                End::Fault(found) => faults.push((event, fault(&found))),
                // The rule can be fired; where it leads is left out.
                End::Discarded => {}
            }
        }
        (steps, faults)
    }

    /// The values of parameters; a chosen element is named by its place here, which tells nothing to others.
    fn arguments(&self, rule: program::RuleId, arguments: &[Inner]) -> Vec<Option<Value>> {
        let program = &self.subject.program;
        let parameters = describe::parameters(&program.rules[rule]).zip(arguments);
        let value = |((local, domain), inner): ((program::LocalId, Domain), &Inner)| match domain {
            Domain::Elements(_) => None,
            _ => Some(value::of(program, program.locals[local].ty, inner.clone())),
        };
        parameters.map(value).collect()
    }

    fn initial_states(&self) -> (Vec<State>, Option<Fault>) {
        let (mut states, mut first) = (Vec::new(), None);
        for initial in self.machine.initial() {
            match initial.state {
                Ok(Some(state)) => states.push(state),
                Ok(None) => {}
                Err(found) => first = first.or(Some(fault(&found))),
            }
        }
        (states, first)
    }

    /// The start state that leads to a state, with its parameters.
    pub(crate) fn beginning_of(
        &self,
        after: &[Option<Value>],
    ) -> Option<(Name, Vec<(Name, Value)>)> {
        let program = &self.subject.program;
        let wanted = self.state_of(after)?;
        let initial = self.machine.initial().into_iter();
        let mut initial =
            initial.filter(|initial| matches!(&initial.state, Ok(Some(state)) if *state == wanted));
        let found = initial.next()?;
        let start = &program.starts[found.start?];
        let parameters = describe::parameters(start).zip(found.arguments);
        let parameters = parameters.map(|((local, _), inner)| {
            let local = &program.locals[local];
            (local.name, value::of(program, local.ty, inner))
        });
        Some((start.name, parameters.collect()))
    }

    fn question(&self, question: QuestionId, state: &State) -> Result<Inner, Fault> {
        let asked = &self.subject.asked[question.index()];
        self.machine
            .value(state, asked.expr)
            .map_err(|found| fault(&found))
    }

    fn is_true(&self, question: QuestionId, state: &State) -> Result<bool, Fault> {
        match self.question(question, state)? {
            Inner::Int(number) => Ok(number != 0),
            _ => Err(Fault {
                kind: FaultKind::Undefined,
                ..none("the formula is undefined")
            }),
        }
    }
}

/// Whether arguments agree as far as both are known.
fn agree(some: &[Option<Value>], others: &[Option<Value>]) -> bool {
    some.len() == others.len()
        && some.iter().zip(others).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        })
}

impl Judge for Referee<'_> {
    fn beginning(&self) -> Moment {
        Moment::new(None::<State>)
    }

    fn after(&mut self, _before: &Moment, step: &Step) -> Moment {
        Moment::new(self.state_of(&step.after))
    }

    fn at(&mut self, values: &[Option<Value>]) -> Moment {
        Moment::new(self.state_of(values))
    }

    fn check(&mut self, before: &Moment, step: &Step, after: &mut Moment) -> Result<(), Fault> {
        let wanted = state(after)?;
        let found = match step.happening {
            Happening::Setup => true,
            Happening::Initialisation => self.initial_states().0.contains(wanted),
            Happening::Event(_) => {
                let (steps, _) = self.all(state(before)?);
                steps.iter().any(|found| {
                    found.happening == step.happening
                        && agree(&found.arguments, &step.arguments)
                        && self.state_of(&found.after).as_ref() == Some(wanted)
                })
            }
        };
        match found {
            true => Ok(()),
            false => Err(misfit("no rule leads there")),
        }
    }

    fn truth(&mut self, predicate: Predicate, at: &Moment) -> Result<bool, Fault> {
        match predicate {
            Predicate::Question(question) => self.is_true(question, state(at)?),
            Predicate::Label(label) => {
                let property = &self.subject.program.properties[self.subject.labels[label.index()]];
                self.machine
                    .property(state(at)?, property)
                    .map_err(|found| fault(&found))
            }
        }
    }

    fn truth_of(
        &mut self,
        question: QuestionId,
        _values: &[Value],
        at: &Moment,
    ) -> Result<bool, Fault> {
        self.is_true(question, state(at)?)
    }

    fn value(&mut self, question: QuestionId, at: &Moment) -> Result<Value, Fault> {
        let found = self.question(question, state(at)?)?;
        let asked = &self.subject.asked[question.index()];
        Ok(value::of(
            &self.subject.program,
            self.subject.program.exprs[asked.expr].ty,
            found,
        ))
    }

    fn possible(&mut self, at: &Moment) -> Result<Possible, Fault> {
        let (steps, faults) = self.all(state(at)?);
        Ok(Possible { steps, faults })
    }

    fn setups(&mut self, _most: usize) -> Result<Vec<Moment>, Fault> {
        Ok(vec![self.beginning()])
    }

    fn initial(&mut self, _setup: &Moment, most: usize) -> Result<Vec<Moment>, Fault> {
        let (states, fault) = self.initial_states();
        match fault {
            Some(fault) => Err(fault),
            None => Ok(states
                .into_iter()
                .take(most)
                .map(|state| Moment::new(Some(state)))
                .collect()),
        }
    }

    fn explain(&mut self, predicate: Predicate, at: &Moment) -> Vec<String> {
        match self.truth(predicate, at) {
            Err(fault) => vec![fault.message],
            Ok(_) => Vec::new(),
        }
    }

    fn obstacles(
        &mut self,
        event: EventId,
        _arguments: &[Option<Value>],
        _at: &Moment,
    ) -> Vec<String> {
        let name = self.subject.description.events[event.index()].name;
        vec![format!("the guard of {name} is false")]
    }
}
