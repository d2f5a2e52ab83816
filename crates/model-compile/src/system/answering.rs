//! One thread's means of answering: guards and bodies run on slots, and what they write becomes a successor.
//!
//! Invariant: a question leaves nothing behind that the next one sees, but what is remembered of costly parts.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use pins::{Fault, Flow, GroupId, Halt, LabelId, Notes, Step, Truth, Worker};
use rustc_hash::FxHashSet;

use super::{Compiled, GroupCode, UNASSIGNED};
use crate::Wd;
use crate::cx::{Cx, F, R};
use crate::stmt::{self, written};
use crate::trap::Trap;
use crate::value::V;

/// What a thread has to itself.
pub(super) struct Answering<'a> {
    pub(super) system: &'a Compiled,
    pub(super) cx: Cx<'a>,
    pub(super) next: Successor,
}

/// A successor under way, and those that were given for the same question.
#[derive(Default)]
pub(super) struct Successor {
    pub(super) target: Vec<u32>,
    label: Vec<u32>,
    seen: FxHashSet<Arc<[u32]>>,
}

impl<'a> Answering<'a> {
    /// A thread that has answered nothing yet.
    pub(super) fn new(system: &'a Compiled) -> Answering<'a> {
        Answering {
            system,
            cx: Cx::new(&system.program, &system.table),
            next: Successor::default(),
        }
    }
}

impl Answering<'_> {
    pub(super) fn fault(&self, trap: Trap) -> Fault {
        self.cx.fault(trap)
    }

    /// Makes `state` the one that code reads.
    fn load(&mut self, state: &[u32]) {
        self.cx.load_state(state);
        self.cx
            .recalls
            .begin(&state[..self.system.recalled_constants]);
    }

    /// The successors of the loaded state for one group.
    fn group(&mut self, group: usize, emit: &mut dyn FnMut(Step<'_>) -> Flow) -> Result<(), Trap> {
        let system = self.system;
        let code = &system.groups[group];
        for (slot, word) in &code.fixed {
            if self.cx.state[*slot] != *word {
                return Ok(());
            }
        }
        let next = &mut self.next;
        if code.repeats {
            next.seen.clear();
        }
        let wd = system.wd;
        let each = &mut |cx: &mut Cx<'_>| {
            let mut follows = false;
            let result = match &code.assignments {
                Some(assignments) => next.assign(cx, assignments).and_then(|()| {
                    follows = true;
                    cx.go_on()?;
                    next.give(cx, code, emit)
                }),
                None => code.body.run(cx, wd, &mut |cx| {
                    follows = true;
                    cx.go_on()?;
                    next.begin(cx);
                    write(cx, &mut next.target);
                    next.give(cx, code, emit)
                }),
            };
            if !follows
                && !cx.passed.is_some_and(Trap::is_unknown)
                && !result.is_err_and(Trap::is_unknown)
            {
                code.blocked.fetch_add(1, Ordering::Relaxed);
            }
            stmt::forgive(cx, wd, result)
        };
        let result = match &code.solutions {
            Some(solutions) => self.cx.recall_solutions(solutions, &code.plan, each),
            None => code.plan.run(&mut self.cx, each),
        };
        self.cx.writes.clear();
        let passed = self.cx.passed.take();
        match result {
            Ok(()) => passed.map_or(Ok(()), Err),
            Err(Trap::Stop) => result,
            // A guard that faults under the default manner was noted already; what is left is a fault.
            Err(trap) => Err(trap),
        }
    }
}

impl Successor {
    /// Begins with the state itself.
    #[inline]
    fn begin(&mut self, cx: &Cx<'_>) {
        if self.target.len() == cx.state.len() {
            self.target.copy_from_slice(&cx.state);
        } else {
            self.target.clone_from(&cx.state);
        }
    }

    /// The state with these words in its slots.
    #[inline]
    fn assign(&mut self, cx: &mut Cx<'_>, assignments: &[(usize, F<u32>)]) -> R<()> {
        self.begin(cx);
        for (slot, word) in assignments {
            self.target[*slot] = word(cx)?;
        }
        Ok(())
    }

    /// Gives it with its label, unless it was given before.
    #[inline]
    fn give(
        &mut self,
        cx: &Cx<'_>,
        code: &GroupCode,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> R<()> {
        let Successor {
            target,
            label,
            seen,
        } = self;
        label.clear();
        for (local, ty) in &code.parameters {
            label.push(cx.stored(*ty, &cx.frame[local.index()]));
        }
        for (local, ty) in &code.results {
            label.push(match written(cx, *local) {
                V::None => UNASSIGNED,
                value => cx.store(*ty, value),
            });
        }
        if code.repeats {
            let key: Vec<u32> = label.iter().chain(target.iter()).copied().collect();
            if !seen.insert(key.into()) {
                return Ok(());
            }
        }
        match emit(Step { label, target }) {
            Flow::Continue => Ok(()),
            Flow::Stop => Err(Trap::Stop),
        }
    }
}

/// Puts pending writes into a state vector.
fn write(cx: &Cx<'_>, target: &mut [u32]) {
    for (place, value) in &cx.writes {
        if let Some(word) = target.get_mut(*place as usize) {
            *word = cx.stored(cx.program.slots[*place as usize], value);
        }
    }
}

impl Worker for Answering<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        self.each_setup(emit)
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let system = self.system;
        self.cx.load_state(setup);
        self.cx.recalls.end();
        let Successor { target, seen, .. } = &mut self.next;
        seen.clear();
        let result = system
            .initialisation
            .run(&mut self.cx, system.wd, &mut |cx| {
                cx.go_on()?;
                target.clear();
                target.extend_from_slice(&cx.state);
                write(cx, target);
                if !seen.insert(target.as_slice().into()) {
                    return Ok(());
                }
                match emit(target) {
                    Flow::Continue => Ok(()),
                    Flow::Stop => Err(Trap::Stop),
                }
            });
        let result = stmt::forgive(&mut self.cx, system.wd, result);
        self.cx.writes.clear();
        let passed = self.cx.passed.take();
        match result {
            Ok(()) => passed.map_or(Ok(()), |trap| Err(self.fault(trap))),
            Err(Trap::Stop) => Ok(()),
            Err(trap) => Err(self.fault(trap)),
        }
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        self.load(state);
        match self.group(group.index(), emit) {
            Ok(()) | Err(Trap::Stop) => Ok(()),
            Err(trap) => Err(self.fault(trap)),
        }
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        self.load(state);
        let system = self.system;
        for group in system.index.groups(state) {
            let group = *group as usize;
            let id = GroupId::new(group);
            match self.group(group, &mut |step| emit(id, step)) {
                Ok(()) => {}
                Err(Trap::Stop) => return,
                Err(trap) => {
                    fault(id, self.fault(trap));
                    if self.cx.halt.is_set() {
                        return;
                    }
                    // A fault may leave what code reads half changed.
                    self.load(state);
                }
            }
        }
    }

    fn may_happen(&mut self, state: &[u32], group: GroupId) -> bool {
        let code = &self.system.groups[group.index()];
        let is_fixed = |(slot, word): &(usize, u32)| state[*slot] == *word;
        if !code.fixed.iter().all(is_fixed) {
            return false;
        }
        self.load(state);
        let answer = code.plan.run(&mut self.cx, &mut |_| Err(Trap::Stop));
        self.cx.writes.clear();
        answer.is_err() || self.cx.passed.take().is_some()
    }

    fn guard(&mut self, state: &[u32], guard: usize) -> bool {
        if let Some((slot, word)) = self.system.shape.guards[guard].equals {
            return state[slot] == word;
        }
        self.load(state);
        let (code, wd) = (&self.system.guards[guard].code, self.system.wd);
        match self.cx.quietly(|cx| code(cx)) {
            Ok(truth) => truth,
            Err(trap) => wd == Wd::Strict || !trap.is_undefined(),
        }
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.load(state);
        let answer = self.system.labels[label.index()](&mut self.cx);
        match self.cx.go_on().and(answer) {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(trap) => {
                let name = self.system.shape.labels[label.index()].name;
                let number = label.index() as u32;
                self.cx.tell_unknown(trap, Some(number), name.as_str());
                Truth::of(Err(self.fault(trap)))
            }
        }
    }

    fn take_notes(&mut self) -> Notes {
        self.cx.take_notes()
    }

    fn heed(&mut self, halt: Halt) {
        self.cx.halt = halt;
    }

    fn go_past_faults(&mut self) -> bool {
        // Under the strict manner a guard ends the enumeration of parameters.
        self.cx.past_faults = self.system.wd != Wd::Strict;
        self.cx.past_faults
    }
}
