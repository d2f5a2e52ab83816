//! Set-ups: the values that the constants may have, solved once for all forms in which a model is compiled.
//!
//! A run compiles a model several times (as a whole, in parts, with guards, for a trial), and each form asks for set-ups more
//! than once; constants may be what takes longest. All forms have the same constants in the same order.
//! Invariant: only a complete answer without doubt is remembered: no fault, nothing cut, no guard without a value, no set that is
//! kept as a rule. Everything else is asked again, and told again.

use std::sync::{Arc, OnceLock};

use model::Value;
use pins::{Fault, Flow};

use super::Compiled;
use super::answering::Answering;
use crate::trap::Trap;

/// More set-ups than these are solved again, which takes no longer than to list them.
const MOST: usize = 64;

/// The set-ups of a model: the values of its constants in their order.
#[derive(Clone, Debug, Default)]
pub struct Setups(Arc<OnceLock<Vec<Vec<Value>>>>);

impl Compiled {
    /// From now on, set-ups are those that are known there, or will be.
    pub fn share_setups(&mut self, known: &Setups) {
        self.known = known.clone();
    }
}

impl Answering<'_> {
    /// Every set-up.
    pub(super) fn each_setup(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let system = self.system;
        let blank = vec![0; system.program.slots.len()];
        // Without a set-up step there may be properties all the same: of constants that became names of elements.
        if system.constants.is_empty() && system.setup.steps.is_empty() {
            emit(&blank);
            return Ok(());
        }
        if let Some(known) = system.known.0.get() {
            self.repeat(known, blank, emit);
            return Ok(());
        }
        self.cx.load_state(&blank);
        self.cx.recalls.end();
        self.cx.parts.clear();
        let before = self.cx.notes.clone();
        let mut found = Some(Vec::new());
        let target = &mut self.next.target;
        let mut is_stopped = false;
        let result = system.setup.run(&mut self.cx, &mut |cx| {
            target.clear();
            target.resize(cx.state.len(), 0);
            let mut values = Vec::new();
            for slot in &system.constants {
                let value = cx.slot(*slot);
                let value = cx.canonical(value)?;
                let ty = cx.program.slots[*slot];
                values.extend(found.as_ref().and_then(|_| cx.reps().to_value(ty, &value)));
                target[*slot] = cx.store(ty, value);
            }
            cx.go_on()?;
            found = found
                .take()
                .filter(|found| found.len() < MOST && values.len() == system.constants.len());
            if let Some(found) = &mut found {
                found.push(values);
            }
            match emit(target) {
                Flow::Continue => Ok(()),
                Flow::Stop => {
                    is_stopped = true;
                    Err(Trap::Stop)
                }
            }
        });
        match (result, self.cx.passed.take()) {
            _ if is_stopped => Ok(()),
            (Ok(()), None) => {
                if let Some(found) = found.filter(|_| self.cx.notes == before) {
                    // Another form may have been faster; it found the same.
                    let _ = system.known.0.set(found);
                }
                Ok(())
            }
            (Ok(()) | Err(Trap::Stop), passed) => {
                passed.map_or(Ok(()), |trap| Err(self.fault(trap)))
            }
            (Err(trap), _) => Err(self.fault(trap)),
        }
    }

    /// Gives the set-ups that are known.
    fn repeat(
        &mut self,
        known: &[Vec<Value>],
        mut vector: Vec<u32>,
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) {
        for values in known {
            for (slot, value) in self.system.constants.iter().zip(values) {
                let ty = self.cx.program.slots[*slot];
                vector[*slot] = self.cx.store(ty, self.cx.reps().of_value(ty, value));
            }
            if matches!(emit(&vector), Flow::Stop) {
                return;
            }
        }
    }
}
