//! `xr` and `xs`: promises that one process alone receives from a channel or sends to it, held to the text.
//!
//! SPIN's partial order reduction believes them and stops when a run breaks one. Here nothing depends on them, so a wrong one is a
//! warning: another proctype uses the channel in the same direction.
//! Invariant: only channels with a name of their own are compared; elements of arrays and parameters can be anything.

use base::{Diagnostic, Span};

use super::{Body, Checker};
use crate::codes::structure as code;
use crate::syntax::{ExprId, VarId};

/// A channel that is sent to, or received from, in a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    unit: usize,
    is_receive: bool,
    channel: VarId,
    span: Span,
}

impl Checker<'_> {
    /// Remembers a promise.
    pub(super) fn promised(&mut self, channel: ExprId, is_receive: bool) {
        let promise = self.use_of(channel, is_receive);
        self.promises.extend(promise);
    }

    /// Remembers that a channel is used.
    pub(super) fn used(&mut self, channel: ExprId, is_receive: bool) {
        if self.context.body == Body::Process {
            let known = self.use_of(channel, is_receive);
            self.uses.extend(known);
        }
    }

    fn use_of(&self, channel: ExprId, is_receive: bool) -> Option<Use> {
        let variable = self.last_variable(channel)?;
        let is_single = self.elements(variable) == 1;
        is_single.then(|| Use {
            unit: self.context.unit,
            is_receive,
            channel: variable,
            span: self.program.exprs[channel].span,
        })
    }

    /// Warns about promises that another proctype breaks.
    pub(super) fn broken_promises(&mut self) {
        for promise in std::mem::take(&mut self.promises) {
            let broken = self.uses.iter().find(|used| {
                used.channel == promise.channel
                    && used.is_receive == promise.is_receive
                    && used.unit != promise.unit
            });
            let Some(broken) = broken.copied() else {
                continue;
            };
            let (word, does) = match promise.is_receive {
                true => ("xr", "receives from it"),
                false => ("xs", "sends to it"),
            };
            let name = self.program.vars[promise.channel].name.name;
            let message = format!("{word} {name}: another proctype {does}, too");
            let diagnostic = Diagnostic::warning(&code::NOT_EXCLUSIVE, promise.span, message);
            self.report(diagnostic.also(broken.span, "here"));
        }
    }
}
