//! Rules: their instances in a state, and where each leads.

use program::{Binder, Fault, PropertyKind, Rule, RuleId, Value};

use crate::Machine;
use crate::run::{Bound, Run, Stop};
use crate::sequences::{End, Part, Step, What};
use crate::store::settle;
use program::State;

/// An instance of a rule that may happen.
struct Instance<'p> {
    rule: RuleId,
    arguments: Vec<Value>,
    /// The computation with its names bound, or why the guard has no value.
    run: Result<Run<'p>, Fault>,
}

impl<'p> Machine<'p> {
    /// The steps of all rules: of those that may happen, the ones with the least number.
    pub(crate) fn rule_steps(&self, state: &State) -> Vec<Step> {
        let mut instances = Vec::new();
        for (id, rule) in self.program.rules.iter() {
            self.instances(rule, state, &mut |arguments, run| {
                let run = match run {
                    Ok(mut run) => match rule.guard.map_or(Ok(true), |guard| run.is_true(guard)) {
                        Ok(true) => Ok(run),
                        Ok(false) | Err(Stop::Discarded) => return,
                        Err(Stop::Fault(fault)) => Err(fault),
                    },
                    Err(fault) => Err(fault),
                };
                instances.push(Instance {
                    rule: id,
                    arguments,
                    run,
                });
            });
        }
        let number = |instance: &Instance<'_>| self.program.rules[instance.rule].priority;
        let least = instances.iter().map(number).min();
        let first = instances
            .into_iter()
            .filter(|instance| Some(number(instance)) == least);
        first.filter_map(|instance| self.fire(instance)).collect()
    }

    /// Calls `each` for all values of the parameters of a rule, or with the fault that kept them from being bound.
    pub(crate) fn instances(
        &self,
        rule: &'p Rule,
        state: &State,
        each: &mut dyn FnMut(Vec<Value>, Result<Run<'p>, Fault>),
    ) {
        let run = Run::new(self.program, state.clone());
        self.bind_all(&rule.binders, Vec::new(), run, each);
    }

    /// Binds names one after the other, in all ways.
    pub(crate) fn bind_all(
        &self,
        binders: &'p [Binder],
        arguments: Vec<Value>,
        mut run: Run<'p>,
        each: &mut dyn FnMut(Vec<Value>, Result<Run<'p>, Fault>),
    ) {
        let Some((binder, rest)) = binders.split_first() else {
            return each(arguments, Ok(run));
        };
        let bound = match binder {
            Binder::Parameter { local, domain } => match run.domain(*domain) {
                Ok(values) => {
                    for value in values {
                        let mut run = run.fork();
                        run.bind(*local, Bound::Value(Value::Int(value)));
                        let mut arguments = arguments.clone();
                        arguments.push(Value::Int(value));
                        self.bind_all(rest, arguments, run, each);
                    }
                    return;
                }
                Err(stop) => Err(stop),
            },
            Binder::Alias { local, place } => run
                .resolve(*place)
                .map(|target| run.bind(*local, Bound::Place(target))),
            Binder::Value { local, value } => run
                .value(*value)
                .map(|value| run.bind(*local, Bound::Value(value))),
        };
        match bound {
            Ok(()) => self.bind_all(rest, arguments, run, each),
            Err(Stop::Fault(fault)) => each(arguments, Err(fault)),
            Err(Stop::Discarded) => {}
        }
    }

    /// What firing an instance leads to; nothing if an assumption in its body does not hold.
    fn fire(&self, instance: Instance<'p>) -> Option<Step> {
        let mut step = Step {
            parts: vec![Part {
                what: What::Rule {
                    rule: instance.rule,
                    arguments: instance.arguments,
                },
                printed: String::new(),
                after: None,
            }],
            end: End::Discarded,
            failures: Vec::new(),
            covered: Vec::new(),
        };
        let finished = match instance.run {
            Ok(run) => self.finish(run, &self.program.rules[instance.rule]),
            Err(fault) => Err(Stop::Fault(fault)),
        };
        match finished {
            Err(Stop::Discarded) => return None,
            Err(Stop::Fault(fault)) => step.end = End::Fault(fault),
            Ok(run) => {
                step.parts[0].printed = run.printed;
                step.parts[0].after = Some(run.state.clone());
                step.failures = run.failures;
                step.covered = run.covered;
                match self.is_assumed(&run.state) {
                    Ok(true) => step.end = End::State(run.state),
                    Ok(false) => {}
                    Err(fault) => step.end = End::Fault(fault),
                }
            }
        }
        Some(step)
    }

    /// Runs the body of a rule whose names are bound.
    pub(crate) fn finish(&self, mut run: Run<'p>, rule: &Rule) -> Result<Run<'p>, Stop> {
        run.declare(&rule.locals);
        run.exec(rule.body)?;
        run.state.globals.iter_mut().for_each(settle);
        Ok(run)
    }

    /// Whether all assumptions hold in a state.
    pub(crate) fn is_assumed(&self, state: &State) -> Result<bool, Fault> {
        for property in &self.program.properties {
            if property.kind == PropertyKind::Assumption && !self.property(state, property)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl<'p> Run<'p> {
    /// A second computation from here.
    fn fork(&self) -> Run<'p> {
        Run {
            program: self.program,
            state: self.state.clone(),
            me: self.me,
            frames: self.frames.clone(),
            timeout: self.timeout,
            failures: self.failures.clone(),
            covered: self.covered.clone(),
            printed: self.printed.clone(),
        }
    }
}
