//! Why an evaluation ended without a value, and what it noticed on the way.
//!
//! Invariant: every stop says what happened in one sentence; the innermost formula gives it its place.

use base::{Name, Span};

/// What kind of end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopKind {
    /// An expression has no value: division by zero, application outside the domain, …
    Undefined,
    /// An ASSERT, a precondition of a called operation, a loop invariant or variant does not hold.
    Violated,
    /// A step of a refinement is none of the machine it refines.
    Refinement,
    /// More steps than the budget allows.
    Budget,
    /// The answer is an infinite set, or would need a look at infinitely many values.
    Open,
    /// The construct cannot be evaluated at all: an unknown host function, the outside world.
    Unsupported,
}

/// An evaluation that ended without a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// What kind.
    pub kind: StopKind,
    /// Where.
    pub span: Option<Span>,
    /// What happened, in one sentence without a final stop.
    pub reason: String,
    /// What it depends on, with values in canonical notation: arguments, and names of the formula, as far as they are known.
    pub values: Vec<(Name, String)>,
}

/// The result of an evaluation.
pub(crate) type Run<T> = Result<T, Stop>;

impl Stop {
    pub(crate) fn new(kind: StopKind, reason: impl Into<String>) -> Stop {
        Stop {
            kind,
            span: None,
            reason: reason.into(),
            values: Vec::new(),
        }
    }

    pub(crate) fn undefined(reason: impl Into<String>) -> Stop {
        Stop::new(StopKind::Undefined, reason)
    }

    pub(crate) fn violated(reason: impl Into<String>) -> Stop {
        Stop::new(StopKind::Violated, reason)
    }

    pub(crate) fn open(reason: impl Into<String>) -> Stop {
        Stop::new(StopKind::Open, reason)
    }

    pub(crate) fn unsupported(reason: impl Into<String>) -> Stop {
        Stop::new(StopKind::Unsupported, reason)
    }

    /// The same, with this place unless it has one.
    pub(crate) fn at(mut self, span: Span) -> Stop {
        self.span.get_or_insert(span);
        self
    }

    /// The same, with these values in front of those that it has.
    pub(crate) fn depending_on(mut self, mut values: Vec<(Name, String)>) -> Stop {
        self.values.retain(|known| !values.contains(known));
        values.append(&mut self.values);
        self.values = values;
        self
    }

    pub(crate) fn is_undefined(&self) -> bool {
        self.kind == StopKind::Undefined
    }

    /// Whether the model is at fault: an expression without a value, or a condition that does not hold. `--wd lenient` drops
    /// such a branch instead of reporting it.
    pub fn is_fault(&self) -> bool {
        matches!(self.kind, StopKind::Undefined | StopKind::Violated)
    }
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Stop {}

/// What an evaluator noticed on the way; a report must tell it.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// How many guards, parameter or choice predicates were undefined and counted as false.
    pub undefined_guards: u64,
    /// The first of them.
    pub first_undefined: Option<Stop>,
    /// How many branches were dropped because of a fault (`--wd lenient`).
    pub dropped_faults: u64,
    /// The first of them.
    pub first_dropped: Option<Stop>,
    /// Enumerations that had to be cut: where and how, one entry for each.
    pub cuts: Vec<(Option<Span>, String)>,
    /// What output predicates and substitutions printed.
    pub output: Vec<String>,
}

impl Notes {
    pub(crate) fn undefined_guard(&mut self, stop: Stop) {
        self.undefined_guards += 1;
        self.first_undefined.get_or_insert(stop);
    }

    pub(crate) fn dropped(&mut self, stop: Stop) {
        self.dropped_faults += 1;
        self.first_dropped.get_or_insert(stop);
    }

    pub(crate) fn cut(&mut self, span: Option<Span>, text: String) {
        if !self
            .cuts
            .iter()
            .any(|known| known.0 == span && known.1 == text)
        {
            self.cuts.push((span, text));
        }
    }
}
