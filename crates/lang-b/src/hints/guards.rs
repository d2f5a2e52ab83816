//! Finds operations that can never happen because their guard is false in every state.
//!
//! An operation is blocked when every way through its body meets a condition that is constantly false, as
//! `constants.rs` evaluates it.

use base::{Diagnostic, deep};
use lang_math::{ExprId, Sort};

use super::Model;
use crate::codes::hints as codes;
use crate::syntax::{SubstId, SubstKind};

impl Model<'_> {
    /// Warns of operations that can never happen.
    pub(super) fn guards(&mut self) {
        for operation in &self.machine.operations {
            let Some(reason) = self.blocked(operation.body) else {
                continue;
            };
            let signature = &self.world.signatures[operation.signature];
            let mut warning = Diagnostic::warning(
                &codes::FALSE_GUARD,
                self.tree().exprs.span(reason),
                format!(
                    "operation `{}` can never happen: its guard is constantly false",
                    signature.name
                ),
            )
            .label(match self.tree().exprs.sort(reason) {
                Some(Sort::Predicate) => "this makes it false",
                _ => "there is nothing to choose from",
            })
            .also(signature.span, "this operation");
            if let Some(used) = self.machine.origins.uses_of(reason).next() {
                warning = warning.also(
                    used.span,
                    format!("in this use of definition `{}`", used.name),
                );
            }
            self.found.push(warning);
        }
    }

    /// The condition that stops every way through a substitution.
    fn blocked(&self, id: SubstId) -> Option<ExprId> {
        deep::recurse(|| self.blocked_here(id))
    }

    fn blocked_here(&self, id: SubstId) -> Option<ExprId> {
        match &self.tree().substs[id].kind {
            SubstKind::Block(body)
            | SubstKind::Var { body, .. }
            | SubstKind::Let { body, .. }
            | SubstKind::Witness(_, body)
            | SubstKind::Assert(_, body) => self.blocked(*body),
            SubstKind::Pre(predicate, body)
            | SubstKind::Any {
                predicate, body, ..
            } => self.falsity(*predicate).or_else(|| self.blocked(*body)),
            SubstKind::BecomesSuch { predicate, .. } => self.falsity(*predicate),
            SubstKind::BecomesElement { set, .. } => self.is_empty(*set).then_some(*set),
            SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
                parts.iter().find_map(|part| self.blocked(*part))
            }
            SubstKind::Choice(parts) => self.all_blocked(parts),
            SubstKind::Select {
                branches,
                otherwise,
            } => {
                let mut reason = None;
                for (guard, body) in branches {
                    let stopped = self.falsity(*guard).or_else(|| self.blocked(*body))?;
                    reason = reason.or(Some(stopped));
                }
                if let Some(body) = otherwise {
                    let stopped = self.blocked(*body)?;
                    reason = reason.or(Some(stopped));
                }
                reason
            }
            SubstKind::If {
                branches,
                otherwise,
            } => {
                let last = self.blocked((*otherwise)?)?;
                for (condition, body) in branches {
                    if self.falsity(*condition).is_none() {
                        self.blocked(*body)?;
                    }
                }
                Some(last)
            }
            SubstKind::Case {
                branches,
                otherwise,
                ..
            } => {
                let last = self.blocked((*otherwise)?)?;
                for (_, body) in branches {
                    self.blocked(*body)?;
                }
                Some(last)
            }
            SubstKind::Error
            | SubstKind::Skip
            | SubstKind::Assign { .. }
            | SubstKind::Call { .. }
            | SubstKind::External(..)
            | SubstKind::While { .. } => None,
        }
    }

    fn all_blocked(&self, parts: &[SubstId]) -> Option<ExprId> {
        let mut reason = None;
        for part in parts {
            let stopped = self.blocked(*part)?;
            reason = reason.or(Some(stopped));
        }
        reason
    }
}
