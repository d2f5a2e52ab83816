//! Steps: what happens from one state of the state space to the next.
//!
//! A step of processes is a sequence of moves without a state of the state space in between: an atomic sequence, the two
//! halves of a handshake, a `d_step`. A sequence that comes back to where it was would never end: that is a fault.

use program::{EdgeId, Fault, ProctypeId, Reason, RuleId, SEQUENCE_LIMIT, Then, Value};

use crate::Machine;
use crate::moves::Outcome;
use crate::run::{Run, Stop};
use program::State;

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What happens, one thing after the other.
    pub parts: Vec<Part>,
    /// Where it leads.
    pub end: End,
    /// What did not hold on the way although the step goes on.
    pub failures: Vec<Failure>,
    /// Numbers of properties that it covers.
    pub covered: Vec<u32>,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// To a state.
    State(State),
    /// To a state that an assumption leaves out.
    Discarded,
    /// Nowhere.
    Fault(Fault),
}

/// One thing that happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// What.
    pub what: What,
    /// What it prints.
    pub printed: String,
    /// The values after it; none after a fault.
    pub after: Option<State>,
}

/// What happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A process takes an edge.
    Edge {
        /// Who.
        pid: usize,
        /// Of which kind.
        proctype: ProctypeId,
        /// Which edge of its graph.
        edge: EdgeId,
    },
    /// A rule fires.
    Rule {
        /// Which.
        rule: RuleId,
        /// The values of its parameters.
        arguments: Vec<Value>,
    },
}

/// Something that must hold and did not, while the step went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What and where.
    pub fault: Fault,
    /// Whose statement it is.
    pub pid: Option<usize>,
}

/// A sequence under way.
struct Sequence {
    parts: Vec<Part>,
    failures: Vec<Failure>,
    state: State,
    who: usize,
    /// States that were passed, with who went on there.
    passed: Vec<(usize, State)>,
}

impl Machine<'_> {
    /// All steps of a state.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        if self.program.proctypes.is_empty() {
            return self.rule_steps(state);
        }
        for timeout in [false, true] {
            let steps = self.process_steps(state, timeout);
            if !steps.is_empty() {
                return steps;
            }
        }
        Vec::new()
    }

    /// The steps of all processes, when nobody waits for a timeout or everybody does.
    fn process_steps(&self, state: &State, timeout: bool) -> Vec<Step> {
        let mut steps = Vec::new();
        for pid in 0..state.processes.len() {
            let mut open = Vec::new();
            for outcome in self.moves(state, pid, timeout) {
                let start = Sequence {
                    parts: Vec::new(),
                    failures: Vec::new(),
                    state: state.clone(),
                    who: pid,
                    passed: Vec::new(),
                };
                self.extend(start, outcome, timeout, &mut open, &mut steps);
            }
            while let Some(sequence) = open.pop() {
                let outcomes = self.moves(&sequence.state, sequence.who, false);
                if outcomes.is_empty() {
                    steps.push(self.finished(sequence));
                    continue;
                }
                for outcome in outcomes.into_iter().rev() {
                    let sequence = Sequence {
                        parts: sequence.parts.clone(),
                        failures: sequence.failures.clone(),
                        state: sequence.state.clone(),
                        who: sequence.who,
                        passed: sequence.passed.clone(),
                    };
                    self.extend(sequence, outcome, false, &mut open, &mut steps);
                }
            }
        }
        steps
    }

    /// Adds what an edge led to, with the `d_step` behind it, to a sequence.
    fn extend(
        &self,
        mut sequence: Sequence,
        mut outcome: Outcome,
        timeout: bool,
        open: &mut Vec<Sequence>,
        steps: &mut Vec<Step>,
    ) {
        let mut rounds = 0;
        loop {
            sequence.parts.append(&mut outcome.parts);
            sequence.failures.append(&mut outcome.failures);
            let (state, who, then) = match outcome.then {
                Ok(after) => after,
                Err(fault) => return steps.push(faulted(sequence, fault)),
            };
            (sequence.state, sequence.who) = (state, who);
            match then {
                Then::Anybody => return steps.push(self.finished(sequence)),
                Then::Same => {
                    let here = (sequence.who, sequence.state.clone());
                    if sequence.passed.contains(&here) || sequence.passed.len() >= SEQUENCE_LIMIT {
                        let fault = self.at_last_edge(&sequence, Reason::EndlessSequence);
                        return steps.push(faulted(sequence, fault));
                    }
                    sequence.passed.push(here);
                    return open.push(sequence);
                }
                Then::First => {}
            }
            rounds += 1;
            let next = self.first_move(&sequence.state, sequence.who, timeout);
            let reason = match next {
                Some(next) if rounds < self.program.semantics.loop_limit => {
                    outcome = next;
                    continue;
                }
                Some(_) => Reason::EndlessLoop,
                None => Reason::Blocked,
            };
            let fault = self.at_last_edge(&sequence, reason);
            return steps.push(faulted(sequence, fault));
        }
    }

    fn at_last_edge(&self, sequence: &Sequence, reason: Reason) -> Fault {
        let Some(What::Edge { proctype, edge, .. }) = sequence.parts.last().map(|part| &part.what)
        else {
            unreachable!("a sequence of processes has an edge");
        };
        let span = self.program.proctypes[*proctype].graph.edges[*edge].span;
        Fault { reason, span }
    }

    fn finished(&self, sequence: Sequence) -> Step {
        let mut state = sequence.state;
        self.reset_hidden(&mut state);
        Step {
            parts: sequence.parts,
            end: End::State(state),
            failures: sequence.failures,
            covered: Vec::new(),
        }
    }

    /// Hidden variables have their first value between steps.
    pub(crate) fn reset_hidden(&self, state: &mut State) {
        for (variable, value) in &self.hidden {
            state.globals[*variable] = value.clone();
        }
    }
}

impl Run<'_> {
    /// Whether somebody can make a step without waiting for a timeout.
    pub fn can_anybody(&mut self) -> Result<bool, Stop> {
        let machine = Machine {
            program: self.program,
            hidden: Vec::new(),
        };
        let mut pids = 0..self.state.processes.len();
        Ok(pids.any(|pid| !machine.moves(&self.state, pid, false).is_empty()))
    }
}

fn faulted(sequence: Sequence, fault: Fault) -> Step {
    Step {
        parts: sequence.parts,
        end: End::Fault(fault),
        failures: sequence.failures,
        covered: Vec::new(),
    }
}
