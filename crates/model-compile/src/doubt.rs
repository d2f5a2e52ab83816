//! What follows when a part of a formula is not known: three-valued logic in which the third value has a reason.
//!
//! Paper: Kleene, Introduction to Metamathematics, section 64 (the strong tables).
//! An enumeration that was cut leaves a doubt. What it gave counts; when it ends without an answer, the doubt is the
//! answer: a trap ([`Cause::Cut`]) in a formula, a note and a fault after all steps in a choice. A part of a formula that
//! is known decides where it would decide whatever the other part is. What is unknown may be undefined as well, so next
//! to an undefined part it stays unknown.
//! Invariant: what is known costs nothing here; only a trap is looked at.

use std::sync::Arc;

use pins::Notes;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cx::{Cx, F, R};
use crate::trap::{Cause, Trap};

/// The place of a set that is not written anywhere: who asked for it knows where that was.
pub(crate) const NOWHERE: u32 = u32::MAX;

/// What was not looked at.
#[derive(Clone, Default)]
pub(crate) struct Doubts {
    /// Why the enumeration under way is not complete, as far as it is known.
    pub pending: Option<Trap>,
    /// What was cut, by place.
    texts: FxHashMap<u32, Arc<str>>,
    /// What was noted: a place, and what is unknown because of it.
    told: FxHashSet<(u32, Option<u32>)>,
}

impl Doubts {
    /// What was cut, if that is what a trap is about.
    pub(crate) fn text(&self, trap: Trap) -> Option<&str> {
        match trap {
            Trap::Fault {
                cause: Cause::Cut,
                at,
            } => {
                let place = at.checked_sub(1).and_then(|at| self.texts.get(&at));
                place
                    .or_else(|| self.texts.get(&NOWHERE))
                    .map(|text| &**text)
            }
            _ => None,
        }
    }
}

impl Cx<'_> {
    /// Remembers that the enumeration under way was cut.
    pub(crate) fn cut(&mut self, place: u32, what: impl FnOnce() -> String) -> R<()> {
        if self.uncut == Some(place) {
            return Err(Trap::Endless);
        }
        let texts = &mut self.doubts.texts;
        texts.entry(place).or_insert_with(|| what().into());
        let trap = Cause::Cut.trap();
        self.doubt(if place == NOWHERE {
            trap
        } else {
            trap.at(place)
        });
        Ok(())
    }

    /// Remembers that the enumeration under way has a candidate that may be a solution or not.
    pub(crate) fn doubt(&mut self, trap: Trap) {
        self.doubts.pending.get_or_insert(trap);
    }

    /// An enumeration of its own: what it leaves in doubt when it ends by itself is its answer.
    pub(crate) fn enumeration<T>(&mut self, body: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        let outer = self.doubts.pending.take();
        let result = body(self);
        let doubt = std::mem::replace(&mut self.doubts.pending, outer);
        match (result, doubt) {
            (Ok(_), Some(trap)) => Err(trap),
            (result, _) => result,
        }
    }

    /// Whether something is cut by what `body` does; the doubt stays.
    pub(crate) fn is_cut_by<T>(&mut self, body: impl FnOnce(&mut Self) -> R<T>) -> R<(T, bool)> {
        let outer = self.doubts.pending.take();
        let result = body(self);
        let is_cut = self.doubts.pending.is_some();
        self.doubts.pending = outer.or(self.doubts.pending);
        Ok((result?, is_cut))
    }

    /// Remembers that an answer about steps is not complete: it ends with a fault after all that are known.
    pub(crate) fn incomplete(&mut self, trap: Trap) {
        self.tell_unknown(trap, None, "");
        self.passed.get_or_insert(trap);
    }

    /// Notes what was cut and the name of what is unknown because of it, once.
    pub(crate) fn tell_unknown(&mut self, trap: Trap, label: Option<u32>, name: &str) {
        let Trap::Fault { at, cause } = trap else {
            return;
        };
        if cause != Cause::Cut || !self.doubts.told.insert((at, label)) {
            return;
        }
        let fault = self.fault(trap);
        let text = match label {
            Some(_) => format!("{name} is unknown: {}", fault.message),
            None => fault.message,
        };
        self.notes.merge(Notes {
            cuts: vec![(fault.span, text)],
            ..Notes::default()
        });
    }

    /// What a chain of one connective is after a part without an answer: `decisive` in a later part decides, if the trap
    /// only says that the part is unknown.
    #[cold]
    pub(crate) fn unless_decided(
        &mut self,
        trap: Trap,
        later: &[F<bool>],
        decisive: bool,
    ) -> R<bool> {
        if !trap.is_unknown() {
            return Err(trap);
        }
        for part in later {
            match part(self) {
                Ok(truth) if truth == decisive => return Ok(truth),
                Err(other) if other.is_final() => return Err(other),
                _ => {}
            }
        }
        Err(trap)
    }

    /// `first & second()`
    pub(crate) fn and(
        &mut self,
        first: R<bool>,
        second: impl FnOnce(&mut Self) -> R<bool>,
    ) -> R<bool> {
        self.connect(first, second, false)
    }

    /// `first or second()`
    pub(crate) fn or(
        &mut self,
        first: R<bool>,
        second: impl FnOnce(&mut Self) -> R<bool>,
    ) -> R<bool> {
        self.connect(first, second, true)
    }

    #[inline]
    fn connect(
        &mut self,
        first: R<bool>,
        second: impl FnOnce(&mut Self) -> R<bool>,
        decisive: bool,
    ) -> R<bool> {
        match first {
            Ok(truth) if truth == decisive => Ok(truth),
            Ok(_) => second(self),
            Err(trap) if trap.is_unknown() => match second(self) {
                Ok(truth) if truth == decisive => Ok(truth),
                Err(other) if other.is_final() => Err(other),
                _ => Err(trap),
            },
            Err(trap) => Err(trap),
        }
    }
}
