//! A worker of a system of processes: answers questions about one state with an engine.

use pins::{Fault, Flow, GroupId, Halt, LabelId, Notes, Step, Truth, Worker};

use super::super::engine::{Engine, Out, Trap, no_room};
use super::super::groups::Condition;
use super::super::layout::at;
use super::super::tables::Act;
use super::System;

/// A worker.
pub(super) struct Answering<'s> {
    pub(super) system: &'s System,
    pub(super) engine: Engine<'s>,
}

impl Answering<'_> {
    fn is_halted(&self) -> bool {
        self.engine.halt.as_ref().is_some_and(Halt::is_set)
    }

    /// The steps of one group from the state that is loaded; whether there is anything.
    fn only(&mut self, group: GroupId, out: &mut Out<'_>) -> bool {
        let start = &self.system.starts[group.index()];
        let engine = &mut self.engine;
        let Some(location) = engine.location(start.pid) else {
            return false;
        };
        engine.group = group.index() as u32;
        match engine.may_run(start.pid) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(Trap) => {
                if start.is_first {
                    engine.note_trap();
                }
                return start.is_first;
            }
        }
        let edge = &location.levels[start.level][start.position];
        for other in location.levels[..start.level].iter().flatten() {
            let is_possible = engine.probe(start.pid, other, false);
            engine.restore(true);
            if is_possible {
                return false;
            }
        }
        let is_deterministic = engine.is_deterministic(start.pid);
        let mut is_late = false;
        if is_deterministic || matches!(edge.act, Act::Else) {
            for other in &location.levels[start.level][..start.position] {
                is_late |= engine.probe(start.pid, other, is_late);
                engine.restore(true);
            }
        }
        if is_deterministic && is_late {
            return engine.one_too_many(start.pid, edge, true);
        }
        engine.only = start.taker;
        let is_possible = engine.attempt(start.pid, edge, is_late, out);
        engine.only = None;
        engine.restore(true);
        is_possible
    }
}

impl Worker for Answering<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.system.shape.slots.len()]);
        Ok(())
    }

    fn initial(
        &mut self,
        _setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        match &self.system.initial {
            Ok(state) => {
                emit(state);
                Ok(())
            }
            Err(fault) => Err(fault.clone()),
        }
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        if self.is_halted() {
            return Err(Halt::fault());
        }
        if self.system.is_outgrown() {
            return Err(no_room(None));
        }
        let start = &self.system.starts[group.index()];
        let (pid, control, asks_timeout) = (start.pid, start.control, start.asks_timeout);
        if self.system.control(state, pid) != control {
            return Ok(());
        }
        let mut out = Out {
            emit: &mut |_, step| emit(step),
            fault: &mut |_, _| {},
        };
        self.engine.load(state);
        self.engine.found = None;
        self.engine.timeout = Some(false);
        if !self.only(group, &mut out) && asks_timeout && !self.engine.can_anybody() {
            self.engine.timeout = Some(true);
            self.only(group, &mut out);
        }
        self.engine.found.take().map_or(Ok(()), Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        if self.is_halted() {
            return fault(GroupId::new(0), Halt::fault());
        }
        if self.system.is_outgrown() {
            return fault(GroupId::new(0), no_room(None));
        }
        let mut out = Out { emit, fault };
        self.system.all(&mut self.engine, state, &mut out);
    }

    fn may_happen(&mut self, state: &[u32], group: GroupId) -> bool {
        let start = &self.system.starts[group.index()];
        self.system.control(state, start.pid) == start.control
    }

    fn guard(&mut self, state: &[u32], guard: usize) -> bool {
        let group = self.system.shape.guards[guard].group;
        let start = &self.system.starts[group.index()];
        match self.system.conditions[guard] {
            Condition::Control => self.may_happen(state, group),
            Condition::Taker => {
                let taker = start.taker;
                taker.is_some_and(|(pid, word)| self.system.control(state, pid as usize) == word)
            }
            Condition::Edge => {
                let bodies = &self.system.tables.bodies[start.pid];
                let body = bodies[start.proctype.index()].as_ref();
                let body = body.expect("a group belongs to a body");
                let location = &body.locations[at(start.control).1];
                let edge = &location.levels[start.level][start.position];
                self.engine.load(state);
                self.engine.timeout = Some(false);
                self.engine.only = start.taker;
                self.engine.probe(start.pid, edge, false)
            }
        }
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        if self.is_halted() {
            return Truth::Undefined(Halt::fault());
        }
        self.engine.load(state);
        let asked = &self.system.asked[label.index()];
        self.engine.answer(asked, &self.system.marks)
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, halt: Halt) {
        self.engine.halt = Some(halt);
    }

    fn go_past_faults(&mut self) -> bool {
        true
    }
}
