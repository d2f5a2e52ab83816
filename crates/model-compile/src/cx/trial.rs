//! Work that is given up when it takes too long: a trial has fuel for so many candidates.
//!
//! Invariant: of a trial that was given up nothing is noted but what its receiver did.

use super::{Cx, K, R};
use crate::trap::Trap;

/// How a trial ended.
pub(crate) enum Trial {
    /// By itself, or its receiver ended it.
    Done(R<()>),
    /// It failed before the receiver did.
    Failed(Trap),
    /// The fuel did not suffice.
    Unfinished,
}

impl Cx<'_> {
    /// Runs a trial with so much fuel; `None` when that did not suffice, and then nothing of it is noted.
    pub(crate) fn trial<T>(&mut self, fuel: u64, body: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let (notes, doubts) = (self.notes.clone(), self.doubts.clone());
        let outer = std::mem::replace(&mut self.fuel, fuel);
        let result = body(self);
        let finished = std::mem::replace(&mut self.fuel, outer) > 0;
        if finished {
            return Some(result);
        }
        self.notes = notes;
        self.doubts = doubts;
        None
    }

    /// Runs a trial whose answers go to `k` at once: what `k` does counts whatever becomes of the trial.
    pub(crate) fn streaming_trial(
        &mut self,
        fuel: u64,
        body: impl FnOnce(&mut Self, K<'_>) -> R<()>,
        k: K<'_>,
    ) -> Trial {
        let doubts = self.doubts.clone();
        let mut outside = std::mem::take(&mut self.notes);
        let outer = std::mem::replace(&mut self.fuel, fuel);
        let mut ended = false;
        let result = body(self, &mut |cx| {
            let fuel = std::mem::replace(&mut cx.fuel, outer);
            let inside = std::mem::replace(&mut cx.notes, std::mem::take(&mut outside));
            let result = k(cx);
            outside = std::mem::replace(&mut cx.notes, inside);
            cx.fuel = fuel;
            ended |= result.is_err();
            result
        });
        let is_over = std::mem::replace(&mut self.fuel, outer) == 0;
        let inside = std::mem::replace(&mut self.notes, outside);
        match result {
            result if ended => {
                self.notes.merge(inside);
                Trial::Done(result)
            }
            _ if is_over => {
                self.doubts = doubts;
                Trial::Unfinished
            }
            Err(trap) => {
                if trap.is_undefined() {
                    self.notes.merge(inside);
                } else {
                    self.doubts = doubts;
                }
                Trial::Failed(trap)
            }
            Ok(()) => {
                self.notes.merge(inside);
                Trial::Done(Ok(()))
            }
        }
    }
}
