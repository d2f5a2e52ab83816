//! The scratch space of one worker, and what all workers of a compiled model share.
//!
//! Code reads variables from `state` (a copy of the slots) and locals from `frame`. A variable whose value
//! has no slot form yet (between the parts of a sequence, while constants are sought) stands in `over`,
//! marked in `state`.
//! Invariant: between two questions `writes` is empty and `over` is not consulted.

mod trial;

use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use base::Span;
use model::{LocalId, TyId};
use pins::{Fault, Halt, Notes, Numbers};
use rustc_hash::FxHashMap;

pub(crate) use self::trial::Trial;
use crate::rep::{Info, Rep, Reps};
use crate::table::Table;
use crate::trap::{Cause, Trap};
use crate::value::{Elements, V};

/// The result of an evaluation.
pub(crate) type R<T> = Result<T, Trap>;

/// Compiled code.
pub(crate) type F<T> = Arc<dyn Fn(&mut Cx<'_>) -> R<T> + Send + Sync>;

/// What receives the candidates of an enumeration.
pub(crate) type K<'k> = &'k mut dyn FnMut(&mut Cx<'_>) -> R<()>;

/// A slot whose value stands in `over`.
pub(crate) const OVER: u32 = u32::MAX;
/// An integer that is a number of the table.
const NUMBERED: u32 = 1 << 31;

/// Which words of a slot of this representation are numbers of the table. The others of a tree are rows in the slot itself.
pub(crate) fn numbers(info: &Info) -> Option<Numbers> {
    match info.rep {
        Rep::Word if info.is_direct() => None,
        Rep::Int => Some(Numbers {
            first: NUMBERED,
            last: OVER - 1,
        }),
        _ => Some(Numbers {
            first: 0,
            last: NUMBERED - 1,
        }),
    }
}

/// The slot form of a value.
#[inline]
pub(crate) fn store(info: &Info, table: &Table, value: V) -> u32 {
    match value {
        V::Word(word) if info.is_direct() => word as u32,
        V::Int(small) => match shorten(small) {
            Some(word) => word,
            None => table.number(V::Int(small)) | NUMBERED,
        },
        V::Big(_) => table.number(value) | NUMBERED,
        value => table.write(value),
    }
}

/// The value of a slot form.
pub(crate) fn load(info: &Info, table: &Table, word: u32) -> V {
    match info.rep {
        Rep::Word if info.is_direct() => V::Word(u64::from(word)),
        Rep::Int => match lengthen(word) {
            Some(small) => V::Int(small),
            None => table.value(word & !NUMBERED),
        },
        _ => table.read(info, word),
    }
}

/// What does not change after compilation.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub reps: Reps,
    pub min_int: i64,
    pub max_int: i64,
    /// Where integers without bounds are cut.
    pub cut: (i64, i64),
    pub strings: Vec<Arc<str>>,
    /// The type of every slot.
    pub slots: Vec<TyId>,
    pub locals: usize,
    /// The types, to show values.
    pub tys: model::Tys,
    /// Where every expression stands.
    pub spans: Vec<Span>,
    /// What to add to the sentence of a fault at an expression.
    pub details: FxHashMap<u32, String>,
    pub max_set: usize,
    pub max_turns: u64,
    pub solver: model_solve::Solver,
    /// Which layers found values, see [`crate::solving`].
    pub layers: Arc<AtomicU8>,
}

impl Program {
    /// A trap as a fault for the outside.
    fn fault(&self, trap: Trap, values: &str) -> Fault {
        let (cause, at) = match trap {
            Trap::Fault { cause, at } => (cause, at),
            Trap::Overflow | Trap::Stop | Trap::Endless => (Cause::TooLarge, 0),
        };
        let mut message = cause.sentence().to_owned();
        message.push_str(values);
        if let Some(detail) = at.checked_sub(1).and_then(|at| self.details.get(&at)) {
            message.push_str(": ");
            message.push_str(detail);
        }
        Fault {
            kind: cause.kind(),
            span: at
                .checked_sub(1)
                .and_then(|at| self.spans.get(at as usize))
                .copied(),
            message,
        }
    }
}

/// The fuel when there is no trial: it does not get less.
pub(crate) const NO_TRIAL: u64 = u64::MAX;

/// A worker's scratch space.
pub(crate) struct Cx<'a> {
    pub program: &'a Program,
    pub table: &'a Table,
    pub state: Vec<u32>,
    pub over: Vec<V>,
    pub frame: Vec<V>,
    /// What binders under way keep ([`crate::code`]).
    pub memo: Vec<V>,
    /// Pending writes: a slot, or a local with [`LOCAL`] set.
    pub writes: Vec<(u32, V)>,
    pub notes: Notes,
    /// Whether a test is evaluated on a part of a function ([`crate::pointwise`]).
    pub pruning: bool,
    /// Whether the enumeration under way passes over undefined candidates.
    pub skipping: bool,
    /// Whether it did.
    pub unsure: bool,
    /// How much work the solver may do before a question is left undecided; as much as it takes when absent.
    pub decisive: Option<u64>,
    /// How many more candidates may be looked at in a trial; [`NO_TRIAL`] outside of one.
    pub fuel: u64,
    /// Whether a quantifier that was cut takes its second look ([`crate::code`]).
    pub is_near: bool,
    /// How many closures are being asked inside one another.
    pub calls: u32,
    /// Set when nobody waits for the answer any more.
    pub halt: Halt,
    /// The place whose enumeration must not be cut: it ends with [`Trap::Endless`] instead.
    pub uncut: Option<u32>,
    /// How deep values of free types are nested that are listed inside others.
    pub nested: Option<usize>,
    /// Whether the other outcomes of a group are given although one of them faults.
    pub past_faults: bool,
    /// The first fault of this question that others were given in spite of: a step that is none of the refined machine,
    /// or any when `past_faults`.
    pub passed: Option<Trap>,
    pub blame: crate::blame::Blame,
    /// Solutions of components of the constants ([`crate::apart`]).
    pub parts: crate::apart::Kept,
    pub doubts: crate::doubt::Doubts,
    /// What parts of formulas were worth before ([`crate::code`]).
    pub recalls: crate::code::Recalls,
}

/// Marks a write to a local.
pub(crate) const LOCAL: u32 = 1 << 31;

impl<'a> Cx<'a> {
    pub(crate) fn new(program: &'a Program, table: &'a Table) -> Cx<'a> {
        Cx {
            program,
            table,
            state: vec![0; program.slots.len()],
            over: vec![V::None; program.slots.len()],
            frame: vec![V::None; program.locals],
            memo: Vec::new(),
            writes: Vec::new(),
            notes: Notes::default(),
            pruning: false,
            skipping: false,
            unsure: false,
            decisive: None,
            fuel: NO_TRIAL,
            is_near: false,
            calls: 0,
            halt: Halt::default(),
            uncut: None,
            nested: None,
            past_faults: false,
            passed: None,
            blame: crate::blame::Blame::default(),
            parts: Vec::new(),
            doubts: crate::doubt::Doubts::default(),
            recalls: crate::code::Recalls::default(),
        }
    }

    pub(crate) fn reps(&self) -> &'a Reps {
        &self.program.reps
    }

    /// Makes `state` the one that code reads.
    #[inline]
    pub(crate) fn load_state(&mut self, state: &[u32]) {
        if self.state.len() == state.len() {
            self.state.copy_from_slice(state);
        } else {
            self.state.clear();
            self.state.extend_from_slice(state);
        }
        self.writes.clear();
        self.pruning = false;
        self.skipping = false;
        self.uncut = None;
        self.passed = None;
        self.doubts.pending = None;
    }

    /// Ends an evaluation that nobody waits for. Every loop over candidates asks; answers are given only after
    /// asking, so it does no harm when the trap is taken for an undecided test on the way.
    #[inline]
    pub(crate) fn go_on(&self) -> R<()> {
        if self.halt.is_set() {
            return Err(Cause::Halted.trap());
        }
        Ok(())
    }

    /// The value of a slot.
    pub(crate) fn slot(&self, slot: usize) -> V {
        let info = &self.program.reps[self.program.slots[slot]];
        let word = self.state[slot];
        match info.rep {
            Rep::Word if info.is_direct() => V::Word(u64::from(word)),
            Rep::Int => match lengthen(word) {
                Some(small) => V::Int(small),
                None if word == OVER => self.over[slot].clone(),
                None => self.table.value(word & !NUMBERED),
            },
            _ => self.numbered(slot),
        }
    }

    /// The value of a slot that holds a number of the table, or a small row.
    pub(crate) fn numbered(&self, slot: usize) -> V {
        match self.state[slot] {
            OVER => self.over[slot].clone(),
            word => {
                let info = &self.program.reps[self.program.slots[slot]];
                self.table.read(info, word)
            }
        }
    }

    /// Looks at the value of a slot that holds a number of the table and no row.
    #[inline]
    pub(crate) fn with_numbered<T>(&self, slot: usize, look: impl FnOnce(&V) -> T) -> T {
        match self.lying(slot) {
            Some(value) => look(value),
            None => look(&self.over[slot]),
        }
    }

    /// The value of a slot that holds a number of the table, where it lies; `None` while it stands in `over`.
    #[inline]
    pub(crate) fn lying(&self, slot: usize) -> Option<&'a V> {
        self.table.get(self.state[slot])
    }

    /// The integer in a slot.
    #[inline]
    pub(crate) fn int(&self, slot: usize) -> R<i64> {
        let word = self.state[slot];
        match lengthen(word) {
            Some(small) => Ok(small),
            None => match self.slot(slot) {
                V::Int(value) => Ok(value),
                _ => Err(Trap::Overflow),
            },
        }
    }

    /// Changes what code reads from a slot; gives back what stood there.
    pub(crate) fn set_slot(&mut self, slot: usize, value: V) -> Old {
        let info = &self.program.reps[self.program.slots[slot]];
        let word = match (&value, info.rep) {
            (V::Word(word), _) if info.is_direct() => *word as u32,
            (V::Int(value), Rep::Int) => shorten(*value).unwrap_or(OVER),
            _ => OVER,
        };
        let over = if word == OVER && !info.is_direct() {
            value
        } else {
            V::None
        };
        Old {
            word: std::mem::replace(&mut self.state[slot], word),
            over: std::mem::replace(&mut self.over[slot], over),
        }
    }

    /// Undoes [`Cx::set_slot`]; what stood there since is in the result.
    pub(crate) fn restore_slot(&mut self, slot: usize, old: Old) -> Old {
        Old {
            word: std::mem::replace(&mut self.state[slot], old.word),
            over: std::mem::replace(&mut self.over[slot], old.over),
        }
    }

    /// The slot form of a value.
    #[inline]
    pub(crate) fn store(&self, ty: TyId, value: V) -> u32 {
        store(&self.program.reps[ty], self.table, value)
    }

    /// The same of a value that stays.
    #[inline]
    pub(crate) fn stored(&self, ty: TyId, value: &V) -> u32 {
        let info = &self.program.reps[ty];
        match value {
            V::Word(word) if info.is_direct() => *word as u32,
            V::Int(small) if let Some(word) = shorten(*small) => word,
            value => store(info, self.table, value.clone()),
        }
    }

    /// The value of a slot form.
    pub(crate) fn load(&self, ty: TyId, word: u32) -> V {
        load(&self.program.reps[ty], self.table, word)
    }

    pub(crate) fn bind(&mut self, local: LocalId, value: V) {
        self.frame[local.index()] = value;
    }

    /// A trap as a fault for the outside, with the values it was about where they are known.
    pub(crate) fn fault(&self, trap: Trap) -> Fault {
        let mut fault = self.program.fault(trap, &self.blamed(trap));
        if let Some(text) = self.doubts.text(trap) {
            fault.message = text.to_owned();
        }
        fault
    }

    /// Remembers that a guard was undefined and counts as false.
    pub(crate) fn note_undefined(&mut self, trap: Trap) {
        self.notes.undefined_guards += 1;
        if self.notes.first_undefined.is_none() {
            self.notes.first_undefined = Some(self.fault(trap));
        }
    }

    /// Remembers that a branch was dropped because of a fault.
    pub(crate) fn note_dropped(&mut self, trap: Trap) {
        self.notes.dropped_faults += 1;
        if self.notes.first_dropped.is_none() {
            self.notes.first_dropped = Some(self.fault(trap));
        }
    }

    /// Counts a candidate; ends a trial that has looked at enough of them.
    #[inline]
    pub(crate) fn spend(&mut self) -> R<()> {
        self.go_on()?;
        match self.fuel {
            NO_TRIAL => Ok(()),
            0 => Err(Cause::Halted.trap()),
            _ => {
                self.fuel -= 1;
                Ok(())
            }
        }
    }

    /// Counts work of another kind like so many candidates, in a trial.
    pub(crate) fn charge(&mut self, work: u64) {
        if self.fuel != NO_TRIAL {
            self.fuel = self.fuel.saturating_sub(work);
        }
    }

    /// Evaluates something whose notes and cuts do not count.
    pub(crate) fn quietly<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let notes = std::mem::take(&mut self.notes);
        let doubts = self.doubts.clone();
        let result = body(self);
        self.notes = notes;
        self.doubts = doubts;
        result
    }

    /// What was noted since the last call.
    pub(crate) fn take_notes(&mut self) -> Notes {
        std::mem::take(&mut self.notes)
    }

    /// The elements of a set, listed.
    pub(crate) fn elements(&mut self, set: &V) -> R<Elements> {
        match self.program.reps.listed(set) {
            Some(elements) => Ok(elements),
            None => self.list_symbolic(set),
        }
    }
}

/// What a slot held.
#[derive(Debug)]
pub(crate) struct Old {
    word: u32,
    over: V,
}

impl Default for Old {
    fn default() -> Old {
        Old {
            word: 0,
            over: V::None,
        }
    }
}

/// A small integer as a slot: 31 bits in two's complement, so that neighbours stay neighbours.
pub(crate) fn shorten(value: i64) -> Option<u32> {
    (-(1 << 30)..1 << 30)
        .contains(&value)
        .then_some(value as u32 & !NUMBERED)
}

#[inline]
fn lengthen(word: u32) -> Option<i64> {
    (word & NUMBERED == 0).then_some(i64::from((word << 1) as i32 >> 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_integers_are_their_own_slots() {
        for value in [0, 1, -1, 5, -7, (1 << 30) - 1, -(1 << 30)] {
            assert_eq!(shorten(value).and_then(lengthen), Some(value));
        }
        assert_eq!(shorten(1 << 30), None);
        assert_eq!(shorten(i64::MIN), None);
    }
}
