//! What judges of processes and of rules share: how a fault of the reference evaluator is told, and the state of a moment.

use pins::{Fault, FaultKind};
use program::{Reason, State};
use subject::Moment;

/// A fault of the reference evaluator for those above.
pub(crate) fn fault(found: &program::Fault) -> Fault {
    let kind = match found.reason {
        Reason::Assertion(_) | Reason::Error(_) => FaultKind::Assertion,
        Reason::Observed => FaultKind::Observed,
        _ => FaultKind::Undefined,
    };
    Fault {
        kind,
        span: Some(found.span),
        message: found.reason.sentence(),
    }
}

/// There is no answer.
pub(crate) fn none(message: &str) -> Fault {
    Fault {
        kind: FaultKind::Unsupported,
        span: None,
        message: message.to_owned(),
    }
}

/// A step is none of the model.
pub(crate) fn misfit(message: &str) -> Fault {
    Fault {
        kind: FaultKind::Violated,
        span: None,
        message: message.to_owned(),
    }
}

/// The state of a moment; none before the beginning.
pub(crate) fn state(at: &Moment) -> Result<&State, Fault> {
    at.state::<Option<State>>()
        .as_ref()
        .ok_or_else(|| none("nothing has a value yet"))
}
