//! A system whose words are numbers of its own table, as those of interned values are: what wrappers and engines that move
//! states between processes are tested on.
//!
//! Invariant: two of these over one system number the same values differently when their salts differ.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::shape::{GroupId, LabelId};
use crate::system::{Fault, Flow, Halt, Numbers, Step, System, Truth, Worker};

/// A system that numbers the values of all its slots.
pub struct Numbered<'a> {
    system: &'a dyn System,
    /// For each slot the words of the system by number.
    tables: Mutex<Vec<Vec<u32>>>,
    salt: u32,
}

impl<'a> Numbered<'a> {
    /// Numbers the values of `system`; the first `salt` numbers stand for nothing.
    pub fn new(system: &'a dyn System, salt: u32) -> Numbered<'a> {
        let slots = system.shape().slots.len();
        Numbered {
            system,
            tables: Mutex::new(vec![vec![u32::MAX; salt as usize]; slots]),
            salt,
        }
    }

    fn tables(&self) -> MutexGuard<'_, Vec<Vec<u32>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The numbers of words.
    fn number(&self, vector: &[u32], out: &mut Vec<u32>) {
        let mut tables = self.tables();
        out.clear();
        for (table, word) in tables.iter_mut().zip(vector) {
            out.push(find(table, *word, self.salt));
        }
    }

    /// The words of numbers; what is no number stays what it is.
    fn word(&self, numbers: &[u32], out: &mut Vec<u32>) {
        let tables = self.tables();
        out.clear();
        for (table, number) in tables.iter().zip(numbers) {
            out.push(table.get(*number as usize).copied().unwrap_or(*number));
        }
    }
}

fn find(table: &mut Vec<u32>, word: u32, salt: u32) -> u32 {
    let known = table[salt as usize..].iter().position(|w| *w == word);
    known.map_or_else(
        || {
            table.push(word);
            table.len() as u32 - 1
        },
        |at| at as u32 + salt,
    )
}

impl System for Numbered<'_> {
    crate::forward_system!(self.system: shape);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(NumberedWorker {
            numbered: self,
            inner: self.system.worker(),
            state: Vec::new(),
            target: Vec::new(),
        })
    }

    fn numbers(&self, _slot: usize) -> Option<Numbers> {
        Some(Numbers::ALL)
    }

    fn write_value(&self, slot: usize, word: u32, out: &mut Vec<u8>) -> Result<(), String> {
        let value = self.tables()[slot].get(word as usize).copied();
        match value.filter(|_| word >= self.salt) {
            Some(value) => {
                out.extend_from_slice(&value.to_le_bytes());
                Ok(())
            }
            None => Err(format!("{word} is no number of slot {slot}")),
        }
    }

    fn read_value(&self, slot: usize, bytes: &[u8]) -> Result<u32, String> {
        let bytes = bytes.try_into().map_err(|_| "a value has four bytes")?;
        Ok(find(
            &mut self.tables()[slot],
            u32::from_le_bytes(bytes),
            self.salt,
        ))
    }
}

struct NumberedWorker<'a> {
    numbered: &'a Numbered<'a>,
    inner: Box<dyn Worker + 'a>,
    state: Vec<u32>,
    target: Vec<u32>,
}

impl Worker for NumberedWorker<'_> {
    crate::forward!(self.inner: take_notes, give_up, go_past_faults);

    fn heed(&mut self, halt: Halt) {
        self.inner.heed(halt);
    }

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let (numbered, target) = (self.numbered, &mut self.target);
        self.inner.setups(&mut |setup| {
            numbered.number(setup, target);
            emit(target)
        })
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let (numbered, target) = (self.numbered, &mut self.target);
        numbered.word(setup, &mut self.state);
        self.inner.initial(&self.state, &mut |state| {
            numbered.number(state, target);
            emit(target)
        })
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let (numbered, target) = (self.numbered, &mut self.target);
        numbered.word(state, &mut self.state);
        self.inner.successors(&self.state, group, &mut |step| {
            numbered.number(step.target, target);
            emit(Step { target, ..step })
        })
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let (numbered, target) = (self.numbered, &mut self.target);
        numbered.word(state, &mut self.state);
        let mut numbered_emit = |group: GroupId, step: Step<'_>| {
            numbered.number(step.target, target);
            emit(group, Step { target, ..step })
        };
        self.inner
            .all_successors(&self.state, &mut numbered_emit, fault);
    }

    fn stutters(&mut self, state: &[u32]) -> bool {
        self.numbered.word(state, &mut self.state);
        self.inner.stutters(&self.state)
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.numbered.word(state, &mut self.state);
        self.inner.label(&self.state, label)
    }
}
