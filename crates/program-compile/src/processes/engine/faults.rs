//! What went wrong in code: kept for whoever asked about the group, as engines above know it.

use base::Span;
use pins::FaultKind;
use program::{Fault, Reason};

use super::super::size::Outgrown;
use super::{Engine, Trap};

impl Engine<'_> {
    /// Ends code with a fault.
    #[cold]
    pub fn trap<T>(&mut self, reason: Reason, span: Span) -> Result<T, Trap> {
        self.fault = Some(Fault { reason, span });
        Err(Trap)
    }

    /// Ends code because the layout has no room.
    #[cold]
    pub fn outgrown<T>(&mut self, what: Outgrown, span: Span) -> Result<T, Trap> {
        self.tables.room.wanted.note(what);
        if !self.is_probing && self.found.is_none() {
            self.found = Some(no_room(Some(span)));
        }
        self.fault = None;
        Err(Trap)
    }

    /// The fault that code ended with.
    pub fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }

    /// Something does not hold while the step goes on.
    #[cold]
    pub fn failed(&mut self, reason: &Reason, span: Span) -> Result<(), Trap> {
        self.note(reason, span);
        Ok(())
    }

    /// Notes the first thing that is wrong with a group.
    #[cold]
    pub fn note(&mut self, reason: &Reason, span: Span) {
        if !self.is_probing && self.found.is_none() {
            self.found = Some(to_pins(&Fault {
                reason: reason.clone(),
                span,
            }));
        }
    }

    #[cold]
    pub fn note_trap(&mut self) {
        if let Some(fault) = self.fault.take() {
            self.note(&fault.reason, fault.span);
        }
    }

    pub(super) fn note_here(&mut self, reason: &Reason) {
        if let Some(span) = self.span {
            self.note(reason, span);
        }
    }
}

/// A fault as engines above know it.
pub fn to_pins(fault: &Fault) -> pins::Fault {
    let kind = match fault.reason {
        Reason::Assertion(_) | Reason::Error(_) => FaultKind::Assertion,
        Reason::Observed => FaultKind::Observed,
        _ => FaultKind::Undefined,
    };
    pins::Fault {
        kind,
        span: Some(fault.span),
        message: fault.reason.sentence(),
    }
}

/// The layout has no room; whoever asked starts again with a larger one.
#[cold]
pub fn no_room(span: Option<Span>) -> pins::Fault {
    pins::Fault {
        kind: FaultKind::Budget,
        span,
        message: "more processes or channels than there is room for".to_string(),
    }
}
