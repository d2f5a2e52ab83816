//! What follows when a part of a formula is not known: three-valued logic in which the third value has a reason.
//!
//! Paper: Kleene, Introduction to Metamathematics, section 64 (the strong tables).
//! An enumeration that was cut, or a set that cannot be listed, makes what depends on it unknown: a stop of kind
//! `Open`. A part that is known decides where it would decide whatever the other part is. What is unknown may be
//! undefined as well, so next to an undefined part it stays unknown.
//! Invariant: what is known costs nothing here; only a stop is looked at.

use crate::Interp;
use crate::stop::{Run, Stop, StopKind};

/// `first & second()`
pub(crate) fn and(first: Run<bool>, second: impl FnOnce() -> Run<bool>) -> Run<bool> {
    combine(first, second, false)
}

/// `first or second()`
pub(crate) fn or(first: Run<bool>, second: impl FnOnce() -> Run<bool>) -> Run<bool> {
    combine(first, second, true)
}

/// The connective in which `decisive` on either side decides.
fn combine(first: Run<bool>, second: impl FnOnce() -> Run<bool>, decisive: bool) -> Run<bool> {
    match first {
        Ok(truth) if truth == decisive => Ok(truth),
        Ok(_) => second(),
        Err(stop) if stop.is_open() => match second() {
            Ok(truth) if truth == decisive => Ok(truth),
            Err(other) if !other.is_open() && !other.is_fault() => Err(other),
            _ => Err(stop),
        },
        Err(stop) => Err(stop),
    }
}

impl Interp<'_> {
    /// Whether some question is answered yes; one that is unknown counts only if no other decides.
    pub(crate) fn any<T>(
        &mut self,
        of: impl IntoIterator<Item = T>,
        mut ask: impl FnMut(&mut Self, T) -> Run<bool>,
    ) -> Run<bool> {
        let mut doubt = None;
        for one in of {
            match ask(self, one) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(stop) if stop.is_open() => doubt = doubt.or(Some(stop)),
                Err(stop) => return Err(stop),
            }
        }
        doubt.map_or(Ok(false), Err)
    }

    /// Remembers that the search under way has a candidate that may be a solution or not, or looked at a part of the
    /// candidates only.
    pub(crate) fn doubts(&mut self, stop: Stop) {
        self.doubt.get_or_insert(stop);
    }

    /// Remembers that an answer about a statement is not complete: other outcomes are given all the same.
    pub(crate) fn incomplete(&mut self, stop: Stop) {
        self.notes.cut(stop.span, stop.reason.clone());
        self.unknown.get_or_insert(stop);
    }
}

impl Stop {
    /// Whether the answer is unknown because something was not looked at.
    pub fn is_open(&self) -> bool {
        self.kind == StopKind::Open
    }
}
