//! Single edges: which are possible for a process now, and what each does.
//!
//! A handshake is one move of two processes: for every possible send each process that can receive gives an outcome.
//! What holds between its halves is asked of a state in which the sender has moved already.

use program::{Act, Direction, Edge, EdgeId, Fault, Graph, Reason, Take, Then};

use crate::Machine;
use crate::run::{Run, Stop};
use crate::sequences::{Failure, Part, What};
use program::State;

/// What one edge, or a handshake, led to.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub parts: Vec<Part>,
    pub failures: Vec<Failure>,
    /// The state after it and who goes on how, or why there is none.
    pub then: Result<(State, usize, Then), Fault>,
}

/// A message on its way from a sender to whoever takes it.
struct Offer<'o> {
    state: &'o State,
    channel: usize,
    message: &'o [i64],
}

impl<'p> Machine<'p> {
    fn graph(&self, state: &State, pid: usize) -> &'p Graph {
        &self.program.proctypes[state.processes[pid].proctype].graph
    }

    fn run(&self, state: &State, pid: usize, timeout: bool) -> Run<'p> {
        Run {
            me: Some(pid),
            timeout: Some(timeout),
            ..Run::new(self.program, state.clone())
        }
    }

    /// The outcomes of a process that may run: of the first level with a possible edge.
    pub(crate) fn moves(&self, state: &State, pid: usize, timeout: bool) -> Vec<Outcome> {
        match self.may_run(state, pid, timeout) {
            Ok(true) => {}
            Ok(false) => return Vec::new(),
            Err(fault) => return vec![self.faulted(state, pid, None, fault)],
        }
        let graph = self.graph(state, pid);
        let location = &graph.locations[state.processes[pid].location];
        let is_deterministic =
            self.program.proctypes[state.processes[pid].proctype].is_deterministic;
        for level in &location.levels {
            let mut outcomes = Vec::new();
            for edge in level {
                let found = self.attempt(state, pid, *edge, !outcomes.is_empty(), timeout);
                if is_deterministic && !outcomes.is_empty() && !found.is_empty() {
                    let fault = Fault {
                        reason: Reason::Nondeterminism,
                        span: graph.edges[*edge].span,
                    };
                    outcomes.push(self.faulted(state, pid, Some(*edge), fault));
                } else {
                    outcomes.extend(found);
                }
            }
            if !outcomes.is_empty() {
                return outcomes;
            }
        }
        Vec::new()
    }

    /// The outcome of the first possible edge, whatever the level and the rights of the process.
    pub(crate) fn first_move(&self, state: &State, pid: usize, timeout: bool) -> Option<Outcome> {
        let location = &self.graph(state, pid).locations[state.processes[pid].location];
        let mut edges = location.levels.iter().flatten();
        edges.find_map(|edge| {
            if self.is_handshake(state, pid, *edge) {
                return None;
            }
            let mut found = self.attempt(state, pid, *edge, false, timeout);
            (!found.is_empty()).then(|| found.swap_remove(0))
        })
    }

    /// Whether an edge hands a message over, for which a `d_step` has nobody.
    fn is_handshake(&self, state: &State, pid: usize, edge: EdgeId) -> bool {
        let edge = &self.graph(state, pid).edges[edge];
        let Act::Send {
            channel, values, ..
        } = &edge.act
        else {
            return false;
        };
        let mut run = self.run(state, pid, false);
        matches!(self.offered(&mut run, *channel, values, edge), Ok(Some(_)))
    }

    /// Whether a process may run: its condition holds and nobody who can run is more important.
    fn may_run(&self, state: &State, pid: usize, timeout: bool) -> Result<bool, Fault> {
        if !self.is_provided(state, pid, timeout)? {
            return Ok(false);
        }
        if self.program.semantics.has_priorities {
            let mine = state.processes[pid].priority;
            for (other, process) in state.processes.iter().enumerate() {
                if process.priority > mine
                    && self.is_provided(state, other, timeout)?
                    && self
                        .run(state, other, timeout)
                        .is_enabled(other)
                        .map_err(to_fault)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_provided(&self, state: &State, pid: usize, timeout: bool) -> Result<bool, Fault> {
        let proctype = &self.program.proctypes[state.processes[pid].proctype];
        proctype.provided.map_or(Ok(true), |condition| {
            let mut run = self.run(state, pid, timeout);
            run.is_true(condition).map_err(to_fault)
        })
    }

    /// What an edge leads to: nothing if it is not possible.
    fn attempt(
        &self,
        state: &State,
        pid: usize,
        id: EdgeId,
        is_late: bool,
        timeout: bool,
    ) -> Vec<Outcome> {
        let edge = &self.graph(state, pid).edges[id];
        if let Act::Send {
            channel, values, ..
        } = &edge.act
        {
            let mut run = self.run(state, pid, timeout);
            match self.offered(&mut run, *channel, values, edge) {
                Ok(None) => {}
                Ok(Some((at, message))) => {
                    return self.handshakes(run, (pid, id), at, &message, timeout);
                }
                Err(stop) => return vec![self.faulted(state, pid, Some(id), to_fault(stop))],
            }
        }
        let mut run = self.run(state, pid, timeout);
        match run.take(edge, pid, is_late) {
            Ok(false) => Vec::new(),
            Ok(true) => {
                self.settle(&mut run.state, pid, edge.then);
                let part = self.part(state, pid, id, run.printed, Some(&run.state));
                vec![Outcome {
                    parts: vec![part],
                    failures: run.failures,
                    then: Ok((run.state, pid, edge.then)),
                }]
            }
            Err(stop) => vec![self.faulted(state, pid, Some(id), to_fault(stop))],
        }
    }

    /// The channel and message of a send without buffer; `None` if there is a buffer.
    fn offered(
        &self,
        run: &mut Run<'p>,
        channel: program::ExprId,
        values: &[program::ExprId],
        edge: &Edge,
    ) -> Result<Option<(usize, Vec<i64>)>, Stop> {
        let at = run.used(channel, &[Direction::Send])?;
        if run.capacity(at) > 0 {
            return Ok(None);
        }
        let message = run.message(at, values, edge.span)?;
        let message = run.cut_message(at, message, edge.span)?;
        Ok(Some((at, message)))
    }

    /// All ways to hand a message over.
    fn handshakes(
        &self,
        mut run: Run<'p>,
        (sender, id): (usize, EdgeId),
        channel: usize,
        message: &[i64],
        timeout: bool,
    ) -> Vec<Outcome> {
        let before = run.state.clone();
        let edge = &self.graph(&before, sender).edges[id];
        if let Err(stop) = run.observe(Direction::Send, channel, message, edge.span) {
            return vec![self.faulted(&before, sender, Some(id), to_fault(stop))];
        }
        run.state.processes[sender].location = edge.to;
        self.settle(&mut run.state, sender, edge.then);
        let first = self.part(&before, sender, id, String::new(), Some(&run.state));
        let offer = Offer {
            state: &run.state,
            channel,
            message,
        };
        let mut outcomes = Vec::new();
        for receiver in (0..offer.state.processes.len()).filter(|pid| *pid != sender) {
            for mut outcome in self.takers(&offer, receiver, timeout) {
                outcome.parts.insert(0, first.clone());
                outcome.failures.splice(0..0, run.failures.iter().cloned());
                outcomes.push(outcome);
            }
        }
        outcomes
    }

    /// How a process can take an offered message.
    fn takers(&self, offer: &Offer<'_>, pid: usize, timeout: bool) -> Vec<Outcome> {
        let location = &self.graph(offer.state, pid).locations[offer.state.processes[pid].location];
        for level in &location.levels {
            let outcomes: Vec<Outcome> = level
                .iter()
                .filter_map(|edge| self.taken(offer, pid, *edge, timeout))
                .collect();
            if !outcomes.is_empty() {
                return match self.may_take(offer, pid, timeout) {
                    Ok(true) => outcomes,
                    Ok(false) => Vec::new(),
                    Err(fault) => vec![self.faulted(offer.state, pid, None, fault)],
                };
            }
        }
        Vec::new()
    }

    /// Among those who could take a message only the most important may.
    fn may_take(&self, offer: &Offer<'_>, pid: usize, timeout: bool) -> Result<bool, Fault> {
        let state = offer.state;
        if !self.is_provided(state, pid, timeout)? {
            return Ok(false);
        }
        if self.program.semantics.has_priorities {
            let mine = state.processes[pid].priority;
            for (other, process) in state.processes.iter().enumerate() {
                if process.priority > mine && self.is_provided(state, other, timeout)? {
                    let location = &self.graph(state, other).locations[process.location];
                    let mut edges = location.levels.iter().flatten();
                    if edges.any(|edge| self.taken(offer, other, *edge, timeout).is_some()) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// What an edge makes of an offered message.
    fn taken(&self, offer: &Offer<'_>, pid: usize, id: EdgeId, timeout: bool) -> Option<Outcome> {
        let edge = &self.graph(offer.state, pid).edges[id];
        let Act::Receive {
            channel,
            patterns,
            take,
        } = &edge.act
        else {
            return None;
        };
        let mut run = self.run(offer.state, pid, timeout);
        let result = (|| {
            // A channel that has no value is a fault of the receiver's own, reported when it is asked by itself.
            if run.int(*channel) != Ok(offer.channel as i64 + 1) {
                return Ok(false);
            }
            if take.is_copy {
                return crate::run::fault(Reason::PollRendezvous, edge.span);
            }
            if !run.matches(offer.message, patterns, edge.span)? {
                return Ok(false);
            }
            run.keep(offer.message, patterns, edge.span)?;
            run.observe(Direction::Receive, offer.channel, offer.message, edge.span)?;
            run.state.processes[pid].location = edge.to;
            Ok(true)
        })();
        match result {
            Ok(false) => None,
            Ok(true) => {
                self.settle(&mut run.state, pid, edge.then);
                let part = self.part(offer.state, pid, id, run.printed, Some(&run.state));
                Some(Outcome {
                    parts: vec![part],
                    failures: run.failures,
                    then: Ok((run.state, pid, edge.then)),
                })
            }
            // A process that cannot say whether it takes a message only matters where it was asked for.
            Err(stop) => Some(self.faulted(offer.state, pid, Some(id), to_fault(stop))),
        }
    }

    /// Notes who moved last. A `d_step` is one step: inside of it others did.
    fn settle(&self, state: &mut State, pid: usize, then: Then) {
        if self.program.has_last && then != Then::First {
            state.last = pid as i64;
        }
    }

    fn part(
        &self,
        before: &State,
        pid: usize,
        edge: EdgeId,
        printed: String,
        after: Option<&State>,
    ) -> Part {
        Part {
            what: What::Edge {
                pid,
                proctype: before.processes[pid].proctype,
                edge,
            },
            printed,
            after: after.cloned(),
        }
    }

    fn faulted(&self, state: &State, pid: usize, edge: Option<EdgeId>, fault: Fault) -> Outcome {
        let part = edge.map(|edge| self.part(state, pid, edge, String::new(), None));
        Outcome {
            parts: part.into_iter().collect(),
            failures: Vec::new(),
            then: Err(fault),
        }
    }
}

impl Run<'_> {
    /// Takes an edge that is no handshake, if it is possible.
    fn take(&mut self, edge: &Edge, pid: usize, is_late: bool) -> Result<bool, Stop> {
        let is_possible = match &edge.act {
            Act::Guard(condition) => self.is_true(*condition)?,
            Act::Do(stmt) => {
                self.exec(*stmt)?;
                true
            }
            Act::Else => !is_late,
            Act::End => {
                let is_youngest = pid + 1 == self.state.processes.len();
                if is_youngest {
                    self.state.processes.pop();
                    self.state.channels.retain(|channel| channel.above <= pid);
                }
                return Ok(is_youngest);
            }
            Act::Send {
                channel,
                values,
                is_sorted,
            } => {
                let at = self.used(*channel, &[Direction::Send])?;
                let is_full = self.state.channels[at].messages.len() >= self.capacity(at);
                if is_full && !self.program.semantics.is_lossy {
                    return Ok(false);
                }
                let message = self.message(at, values, edge.span)?;
                if !is_full {
                    self.enqueue(at, message, *is_sorted, edge.span)?;
                }
                true
            }
            Act::Receive {
                channel,
                patterns,
                take,
            } => self.receive(*channel, patterns, *take, edge)?,
            Act::Observe(_) => false,
        };
        if is_possible {
            self.state.processes[pid].location = edge.to;
        }
        Ok(is_possible)
    }

    fn receive(
        &mut self,
        channel: program::ExprId,
        patterns: &[program::Pattern],
        take: Take,
        edge: &Edge,
    ) -> Result<bool, Stop> {
        let at = self.used(channel, &[Direction::Receive])?;
        if self.capacity(at) == 0 {
            return match take.is_copy {
                true => crate::run::fault(Reason::PollRendezvous, edge.span),
                false => Ok(false),
            };
        }
        match self.matching(at, take.is_any, patterns, edge.span)? {
            Some(position) => self.dequeue(at, position, patterns, take, edge.span)?,
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a process has an edge that could be possible; a send without buffer counts whoever is there.
    pub fn is_enabled(&mut self, pid: usize) -> Result<bool, Stop> {
        let process = &self.state.processes[pid];
        let graph = &self.program.proctypes[process.proctype].graph;
        let levels = graph.locations[process.location].levels.iter().flatten();
        for edge in levels {
            let edge = &graph.edges[*edge];
            let mut run = Run {
                me: Some(pid),
                timeout: self.timeout,
                ..Run::new(self.program, self.state.clone())
            };
            let is_possible = match &edge.act {
                Act::Else | Act::Do(_) => true,
                Act::Send { channel, .. } => {
                    let at = run.used(*channel, &[Direction::Send])?;
                    let capacity = run.capacity(at);
                    capacity == 0 || run.state.channels[at].messages.len() < capacity
                }
                _ => run.take(edge, pid, false)?,
            };
            if is_possible {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

pub(crate) fn to_fault(stop: Stop) -> Fault {
    match stop {
        Stop::Fault(fault) => fault,
        Stop::Discarded => unreachable!("processes have no assumptions"),
    }
}
