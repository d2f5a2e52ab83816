//! How a program starts.

use program::{Fault, Program, Value};

use crate::Machine;
use crate::moves::to_fault;
use crate::run::{Run, Stop};
use crate::sequences::Failure;
use crate::store::first;
use program::State;

/// An initial state, or why there is none.
#[derive(Clone, Debug)]
pub struct Initial {
    /// The start state of the text, where it has such.
    pub start: Option<usize>,
    /// The values of its parameters.
    pub arguments: Vec<Value>,
    /// The state; `None` if an assumption leaves it out.
    pub state: Result<Option<State>, Fault>,
    /// What did not hold on the way.
    pub failures: Vec<Failure>,
    /// What was printed.
    pub printed: String,
}

impl<'p> Machine<'p> {
    /// A machine for a program.
    pub fn new(program: &'p Program) -> Machine<'p> {
        let mut machine = Machine {
            program,
            hidden: Vec::new(),
        };
        let mut run = Run::new(program, machine.blank());
        let result = program.prologue.map(|prologue| run.exec(prologue));
        let globals = match result {
            Some(Err(_)) => machine.blank().globals,
            _ => run.state.globals,
        };
        for (id, variable) in program.variables.iter() {
            if variable.is_hidden {
                let value = globals[id.index()].clone();
                machine.hidden.push((id.index(), value));
            }
        }
        machine
    }

    /// All initial states.
    pub fn initial(&self) -> Vec<Initial> {
        // Rules without a start state never begin.
        if self.program.prologue.is_some() || !self.program.proctypes.is_empty() {
            return vec![self.start_of_processes()];
        }
        let mut found = Vec::new();
        for (number, start) in self.program.starts.iter().enumerate() {
            self.instances(start, &self.blank(), &mut |arguments, run| {
                let mut initial = Initial {
                    start: Some(number),
                    arguments,
                    state: Ok(None),
                    failures: Vec::new(),
                    printed: String::new(),
                };
                match run
                    .map_err(Stop::Fault)
                    .and_then(|run| self.finish(run, start))
                {
                    Err(Stop::Discarded) => {}
                    Err(Stop::Fault(fault)) => initial.state = Err(fault),
                    Ok(run) => {
                        initial.failures = run.failures;
                        initial.printed = run.printed;
                        let is_assumed = self.is_assumed(&run.state);
                        initial.state = is_assumed.map(|yes| yes.then_some(run.state));
                    }
                }
                found.push(initial);
            });
        }
        found
    }

    fn start_of_processes(&self) -> Initial {
        let mut run = Run::new(self.program, self.blank());
        let mut begin = || {
            if let Some(prologue) = self.program.prologue {
                run.exec(prologue)?;
            }
            for active in &self.program.active {
                let span = self.program.proctypes[active.proctype].span;
                run.create_with(active.proctype, &[], active.priority, span)?;
            }
            Ok(())
        };
        let result = begin().map_err(to_fault);
        self.reset_hidden(&mut run.state);
        Initial {
            start: None,
            arguments: Vec::new(),
            state: result.map(|()| Some(run.state)),
            failures: run.failures,
            printed: run.printed,
        }
    }

    /// The state before anything was assigned.
    fn blank(&self) -> State {
        let program = self.program;
        let variables = program.variables.iter();
        State {
            globals: variables.map(|(_, v)| first(program, v.ty)).collect(),
            processes: Vec::new(),
            channels: Vec::new(),
            last: 0,
            observer: program.observer.as_ref().and_then(|o| o.graph.start),
        }
    }
}
