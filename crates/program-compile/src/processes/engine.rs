//! Walks the code: which edges are possible, what each leads to, and by `sequences` whole sequences up to the next state.
//!
//! Technique: the words are changed in place and taken back from a copy; copies live on a stack that is kept between
//! states, so nothing is allocated once it is warm.

mod faults;
mod sequences;

use base::Span;
use pins::{Flow, GroupId, Halt, Step};
use program::{Fault, ProctypeId, Reason, Then};

pub(super) use faults::{no_room, to_pins};

use super::layout::at;
use super::pairs::is_somebody;
use super::size::{Outgrown, Size};
use super::tables::{Act, Edge, Location, Tables};

/// Code ended with a fault, which is in [`Engine::fault`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Trap;

/// What became of one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is not possible.
    Impossible,
    /// It happened.
    Done,
    /// It offers a message, in [`Engine::message`], on a channel without buffer.
    Offer(usize),
}

/// Who hears of steps and faults.
pub(super) struct Out<'o> {
    pub emit: &'o mut dyn FnMut(GroupId, Step<'_>) -> Flow,
    pub fault: &'o mut dyn FnMut(GroupId, pins::Fault),
}

/// Calls `ask` with somebody who hears nothing.
pub(super) fn unheard<T>(ask: impl FnOnce(&mut Out<'_>) -> T) -> T {
    ask(&mut Out {
        emit: &mut |_, _| Flow::Stop,
        fault: &mut |_, _| {},
    })
}

/// A copy of the words, and who went on from there; nobody for what lies between the halves of a handshake.
#[derive(Debug, Default)]
struct Saved {
    words: Vec<u32>,
    who: Option<usize>,
    /// Where whoever went on was.
    control: u32,
}

/// Means of answering questions about one state.
pub(super) struct Engine<'t> {
    pub tables: &'t Tables,
    /// The state that is worked on, then hidden variables.
    pub words: Vec<u32>,
    /// The words that the state was loaded to.
    base: Vec<u32>,
    /// The state as it was given, and the last target; only where vectors are packed.
    given: Vec<u32>,
    target: Vec<u32>,
    /// Whether the words are those of the state that was given last.
    is_settled: bool,
    /// The message that is sent, offered or received.
    pub message: Vec<i32>,
    /// Why code ended.
    fault: Option<Fault>,
    /// Whether nothing can happen without it; `None` where it has to be found out.
    pub timeout: Option<bool>,
    /// Whether edges are only tried, not followed.
    pub is_probing: bool,
    /// Whether nobody wants more.
    pub is_stopped: bool,
    /// Set by others to end everything.
    pub halt: Option<Halt>,
    /// The first fault of the group that is asked about.
    pub found: Option<pins::Fault>,
    /// The group that is asked about.
    pub group: u32,
    /// Who alone may take what is offered next: process number and control word.
    pub only: Option<(u32, u32)>,
    /// The groups of all parts of the sequence but the first.
    pub label: Vec<u32>,
    /// Where the last edge stands.
    span: Option<Span>,
    saved: Vec<Saved>,
    depth: usize,
    /// Parts of the sequence before which no copy was kept.
    straight: usize,
    /// During a trial, the processes and channels that were created.
    pub met: Option<Size>,
}

impl<'t> Engine<'t> {
    /// An engine.
    pub fn new(tables: &'t Tables) -> Engine<'t> {
        Engine {
            tables,
            words: vec![0; tables.layout.words],
            base: vec![0; tables.layout.words],
            given: vec![0; tables.packed.as_ref().map_or(0, |packed| packed.words)],
            target: vec![0; tables.packed.as_ref().map_or(0, |packed| packed.words)],
            is_settled: false,
            message: Vec::new(),
            fault: None,
            timeout: None,
            is_probing: false,
            is_stopped: false,
            halt: None,
            found: None,
            group: 0,
            only: None,
            label: Vec::new(),
            span: None,
            saved: Vec::new(),
            depth: 0,
            straight: 0,
            met: None,
        }
    }

    /// Starts from a state.
    pub fn load(&mut self, state: &[u32]) {
        let slots = self.tables.layout.slots;
        let is_settled = std::mem::take(&mut self.is_settled);
        match &self.tables.packed {
            // States that are asked about one after the other have most words in common.
            Some(packed) if is_settled => {
                let (base, words) = (&mut self.base, &mut self.words);
                packed.unpack_again(state, &mut self.given, |slot, word| {
                    base[slot] = word;
                    words[slot] = word;
                });
            }
            packed => {
                match packed {
                    None => self.base[..slots].copy_from_slice(state),
                    Some(packed) => {
                        packed.unpack(state, &mut self.base[..slots]);
                        self.given.copy_from_slice(state);
                    }
                }
                self.base[slots..].copy_from_slice(&self.tables.hidden);
                self.words.copy_from_slice(&self.base);
            }
        }
        self.is_stopped = false;
        self.only = None;
        self.depth = 0;
        self.straight = 0;
        self.label.clear();
    }

    /// All steps were taken and taken back.
    #[inline]
    pub fn settle(&mut self) {
        self.is_settled = !self.is_stopped;
        debug_assert!(self.is_stopped || self.words == self.base);
    }

    /// The control word of a process.
    #[inline]
    pub fn control(&self, pid: usize) -> u32 {
        self.words[self.tables.layout.processes[pid].control]
    }

    /// How many processes live.
    pub fn alive(&self) -> usize {
        let processes = &self.tables.layout.processes;
        let dead = processes.iter().position(|p| self.words[p.control] == 0);
        dead.unwrap_or(processes.len())
    }

    /// The code of the location where a process is.
    #[inline]
    pub fn location(&self, pid: usize) -> Option<&'t Location> {
        let (kind, location) = at(self.control(pid));
        let body = self.tables.bodies[pid].get(kind)?.as_ref()?;
        body.locations.get(location)
    }

    /// All steps of all processes, when nobody waits for a timeout or everybody does; whether there is anything.
    pub fn everybody(&mut self, out: &mut Out<'_>) -> bool {
        let mut any = false;
        for pid in 0..self.tables.layout.processes.len() {
            if self.control(pid) == 0 {
                break;
            }
            any |= self.process(pid, true, out);
            if self.is_stopped {
                return true;
            }
        }
        any
    }

    /// What a process can do: as the first part of steps from the state, or as a further part from the last copy.
    pub fn process(&mut self, pid: usize, is_first: bool, out: &mut Out<'_>) -> bool {
        let Some(location) = self.location(pid) else {
            return false;
        };
        match self.may_run(pid) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(Trap) => {
                if let Some(edge) = location.levels.iter().flatten().next() {
                    self.begin(edge, is_first);
                    self.note_trap();
                    self.end(is_first, out);
                }
                return true;
            }
        }
        let is_deterministic = self.tables.has_deterministic && self.is_deterministic(pid);
        for level in &location.levels {
            let mut any = false;
            for (at, edge) in level.iter().enumerate() {
                if edge.needed.is_some_and(|test| !test.holds(&self.words)) {
                    continue;
                }
                self.begin(edge, is_first);
                let is_possible = if is_deterministic && any {
                    self.one_too_many(pid, edge, is_first)
                } else {
                    self.attempt(pid, edge, any, out)
                };
                // After the last one of a further part whoever began it takes everything back.
                let is_last = !is_first && at + 1 == level.len() && is_possible;
                if (is_possible || matches!(edge.act, Act::Creating(_))) && !is_last {
                    self.undo(edge, is_first);
                }
                self.end(is_first, out);
                any |= is_possible;
                if self.is_stopped || (any && self.is_probing) {
                    return true;
                }
            }
            if any {
                return true;
            }
        }
        false
    }

    /// An edge is asked about: it starts a group, or it is a part of one.
    #[inline]
    fn begin(&mut self, edge: &Edge, is_first: bool) {
        if self.is_probing {
            return;
        }
        if is_first {
            self.group = edge.group;
            self.found = None;
        } else {
            self.label.push(edge.group);
        }
    }

    #[inline]
    fn end(&mut self, is_first: bool, out: &mut Out<'_>) {
        if self.is_probing {
            return;
        }
        if !is_first {
            self.label.pop();
        } else if let Some(fault) = self.found.take() {
            (out.fault)(GroupId::new(self.group as usize), fault);
        }
    }

    /// A second possible edge of a process that must have one only.
    pub(super) fn one_too_many(&mut self, pid: usize, edge: &Edge, is_first: bool) -> bool {
        let is_possible = self.probe(pid, edge, true);
        if is_possible {
            self.undo(edge, is_first);
            self.note(&Reason::Nondeterminism, edge.span);
        }
        is_possible
    }

    /// Whether an edge is possible; the words are as they were only if it is not.
    pub(super) fn probe(&mut self, pid: usize, edge: &Edge, is_late: bool) -> bool {
        let was = std::mem::replace(&mut self.is_probing, true);
        let is_possible = unheard(|out| self.attempt(pid, edge, is_late, out));
        self.is_probing = was;
        is_possible
    }

    /// The words as they were before an edge: in the state, or in the last copy.
    pub(super) fn restore(&mut self, is_first: bool) {
        let from = match is_first {
            true => &self.base,
            false => &self.saved[self.depth - 1].words,
        };
        self.words.copy_from_slice(from);
    }

    /// The words as they were before an edge and what followed it.
    #[inline]
    pub(super) fn undo(&mut self, edge: &Edge, is_first: bool) {
        let Some(touched) = &self.tables.touched[edge.group as usize] else {
            return self.restore(is_first);
        };
        let from = match is_first {
            true => &self.base,
            false => &self.saved[self.depth - 1].words,
        };
        for slot in touched {
            self.words[*slot as usize] = from[*slot as usize];
        }
        let slots = self.tables.layout.slots;
        if slots < self.words.len() {
            self.words[slots..].copy_from_slice(&from[slots..]);
        }
    }

    /// Tries an edge and follows what comes after it; whether it was possible.
    #[inline]
    pub fn attempt(&mut self, pid: usize, edge: &Edge, is_late: bool, out: &mut Out<'_>) -> bool {
        match self.act(pid, edge, is_late) {
            Ok(Outcome::Impossible) => false,
            // What is asked is a handshake with somebody; this is none.
            Ok(Outcome::Done) | Err(Trap) if self.only.is_some_and(is_somebody) => {
                self.fault = None;
                false
            }
            Ok(Outcome::Done) => {
                self.only = None;
                self.arrive(pid, edge);
                self.go_on(pid, edge.then, out);
                true
            }
            Ok(Outcome::Offer(channel)) => self.hand_over(pid, edge, channel, out),
            Err(Trap) => {
                self.note_trap();
                true
            }
        }
    }

    /// Does what an edge does, if it is possible.
    #[inline]
    fn act(&mut self, pid: usize, edge: &Edge, is_late: bool) -> Result<Outcome, Trap> {
        let is_possible = match &edge.act {
            Act::Guard(condition) => condition.get(self)? != 0,
            Act::Creating(condition) => condition(self)? != 0,
            Act::Do(_) if self.is_probing => true,
            Act::Do(action) => {
                action(self)?;
                true
            }
            Act::Send(send) => return self.send(send),
            Act::Receive(receive) => return self.receive(receive),
            Act::Else => !is_late,
            Act::End => self.is_youngest(pid),
        };
        Ok(if is_possible {
            Outcome::Done
        } else {
            Outcome::Impossible
        })
    }

    #[inline]
    fn is_youngest(&self, pid: usize) -> bool {
        let next = self.tables.layout.processes.get(pid + 1);
        next.is_none_or(|next| self.words[next.control] == 0)
    }

    /// A process is where an edge leads.
    #[inline]
    pub(super) fn arrive(&mut self, pid: usize, edge: &Edge) {
        self.span = Some(edge.span);
        if matches!(edge.act, Act::End) {
            self.die(pid);
        } else {
            self.words[self.tables.layout.processes[pid].control] = edge.to;
        }
        // A d_step is one step: inside of it others moved last.
        if let Some(last) = self.tables.layout.last
            && edge.then != Then::First
        {
            self.words[last] = pid as u32;
        }
    }

    fn die(&mut self, pid: usize) {
        let region = &self.tables.layout.processes[pid];
        self.words[region.control] = 0;
        if let Some(priority) = region.priority {
            self.words[priority] = 0;
        }
        self.words[region.variables..region.variables + region.size].fill(0);
        self.drop_channels(pid);
    }

    /// Goes on after an edge.
    #[inline]
    pub(super) fn go_on(&mut self, pid: usize, then: Then, out: &mut Out<'_>) {
        if self.is_probing {
            return;
        }
        match then {
            Then::Anybody => self.emit(out),
            Then::Same => base::deep::recurse(|| self.sequence(pid, out)),
            Then::First => self.d_step(pid, out),
        }
    }

    #[inline]
    fn emit(&mut self, out: &mut Out<'_>) {
        let slots = self.tables.layout.slots;
        let target = match &self.tables.packed {
            None => &self.words[..slots],
            Some(packed) => {
                self.target.copy_from_slice(&self.given);
                let (from, to) = (&self.base[..slots], &self.words[..slots]);
                match &self.tables.touched[self.group as usize] {
                    Some(touched) => packed.update_some(touched, (from, to), &mut self.target),
                    None => packed.update(from, to, &mut self.target),
                }
                &self.target
            }
        };
        let step = Step {
            label: &self.label,
            target,
        };
        if (out.emit)(GroupId::new(self.group as usize), step) == Flow::Stop {
            self.is_stopped = true;
        }
    }

    /// Creates a process; its number.
    pub fn create(
        &mut self,
        proctype: ProctypeId,
        arguments: &[i32],
        priority: u32,
        span: Span,
    ) -> Result<i32, Trap> {
        let tables = self.tables;
        let pid = self.alive();
        if pid >= program::MOST_PROCESSES {
            return self.trap(Reason::TooManyProcesses, span);
        }
        let bodies = tables.bodies.get(pid);
        let body = bodies.and_then(|bodies| bodies.get(proctype.index())?.as_ref());
        let Some(body) = body else {
            return self.outgrown(Outgrown::Process(pid, proctype), span);
        };
        if let Some(met) = &mut self.met {
            met.add_process(pid, proctype);
            let held = body.parameters.iter().zip(arguments);
            let held: Vec<i32> = held.map(|(p, value)| p.cut.apply(*value)).collect();
            met.add_arguments(pid, proctype, &held);
        }
        let region = &tables.layout.processes[pid];
        self.words[region.control] = body.start;
        if let Some(slot) = region.priority {
            self.words[slot] = priority;
        }
        // Where nobody lived everything should be 0; a state that a law makes up may hold anything.
        self.words[region.variables..region.variables + region.size].fill(0);
        for (at, (parameter, argument)) in body.parameters.iter().zip(arguments).enumerate() {
            let value = parameter.cut.apply(*argument);
            if parameter.known.is_some_and(|known| known != value) {
                return self.outgrown(Outgrown::Argument(pid, proctype, at), span);
            }
            self.words[parameter.slot] = value as u32;
        }
        if let Some(prologue) = &body.prologue {
            prologue(self)?;
        }
        Ok(pid as i32)
    }
}
