//! What a conjunct is about: its operator, the unknowns that it mentions, and which of them have values by now.

use lang_math::Op;
use model::{ExprId, Kind, TyId, VarId};

use super::{Conjunct, Planning};
use crate::plan::{Source, Step, Unknown};

impl Planning<'_, '_> {
    pub(super) fn kind(&self, expr: ExprId) -> &Kind {
        &self.compiler.model.exprs[expr].kind
    }

    /// The operator and operands of a conjunct, with its negation taken into the operator.
    pub(super) fn relation(&self, conjunct: &Conjunct) -> Option<(Op, ExprId, ExprId)> {
        let Kind::Op(op, args) = self.kind(conjunct.expr) else {
            return None;
        };
        let [a, b] = args.as_slice() else {
            return None;
        };
        let op = if conjunct.negated {
            opposite(*op)?
        } else {
            *op
        };
        // Opposites of opposites: `x /: S` is never a generator, its negation is.
        Some((op, *a, *b))
    }

    /// The unknowns that an expression mentions.
    pub(super) fn mentioned(&self, expr: ExprId) -> Vec<Unknown> {
        let fact = self.compiler.facts.of(expr);
        self.unknowns
            .iter()
            .filter(|unknown| match unknown {
                Unknown::Local(local) => fact.locals.binary_search(local).is_ok(),
                Unknown::Slot(slot) => {
                    let read = |var: &VarId| var.index() == *slot;
                    fact.vars
                        .iter()
                        .any(|var| read(var) || self.compiler.spaces.reads(*var).iter().any(read))
                }
            })
            .copied()
            .collect()
    }

    /// Whether everything that an expression mentions is bound.
    pub(super) fn known(&self, expr: ExprId) -> bool {
        let fact = self.compiler.facts.of(expr);
        let is_open =
            |unknown: Unknown| self.unknowns.contains(&unknown) && !self.bound.contains(&unknown);
        let is_open_slot = |var: &VarId| is_open(Unknown::Slot(var.index()));
        let reads_open = |var: &VarId| self.compiler.spaces.reads(*var).iter().any(is_open_slot);
        !fact
            .locals
            .iter()
            .any(|local| is_open(Unknown::Local(*local)))
            && !fact
                .vars
                .iter()
                .any(|var| is_open_slot(var) || reads_open(var))
    }

    /// The unknown that an expression is, if it is not bound yet.
    pub(super) fn open(&self, expr: ExprId) -> Option<Unknown> {
        let unknown = match self.kind(expr) {
            Kind::Local(local) => Unknown::Local(*local),
            Kind::Var(var) => Unknown::Slot(var.index()),
            _ => return None,
        };
        (self.unknowns.contains(&unknown) && !self.bound.contains(&unknown)).then_some(unknown)
    }

    pub(super) fn ty_of(&self, unknown: Unknown) -> TyId {
        match unknown {
            Unknown::Local(local) => self.compiler.model.locals[local].ty,
            Unknown::Slot(slot) => self.compiler.program.slots[slot],
        }
    }

    /// Whether a conjunct holds by typing.
    pub(super) fn is_trivial(&self, conjunct: ExprId) -> bool {
        match self.kind(conjunct) {
            Kind::Op(Op::Truth, _) => true,
            Kind::Op(Op::Member, args) => {
                let element = self.open(args[0]).is_some();
                element
                    && matches!(
                        self.kind(args[1]),
                        Kind::Carrier(_)
                            | Kind::Op(
                                Op::Integers | Op::Strings | Op::Reals | Op::Floats | Op::Booleans,
                                _
                            )
                    )
            }
            _ => false,
        }
    }

    /// The unknown of a conjunct that only says its type.
    pub(super) fn typed(&self, conjunct: ExprId) -> Option<Unknown> {
        match self.kind(conjunct) {
            Kind::Op(Op::Member, args) => self.open(args[0]),
            _ => None,
        }
    }

    /// Whether a step enumerates a set that may turn out to have no end.
    pub(super) fn is_open_ended(&self, step: &Step) -> bool {
        match step {
            Step::Each(unknown, source) | Step::Cases(unknown, _, source) => {
                matches!(
                    source,
                    Source::Set(_)
                        | Source::Subsets(..)
                        | Source::Chosen { .. }
                        | Source::Pointwise(_)
                ) && !self.compiler.program.reps[self.ty_of(*unknown)].finite
            }
            Step::Match(_, source) => matches!(source, Source::Set(_) | Source::Image(..)),
            Step::Solve(plans, _) => plans.iter().any(|plan| plan.may_be_endless),
            Step::Test(_)
            | Step::One(..)
            | Step::Split { .. }
            | Step::Search(_)
            | Step::Apart(_)
            | Step::Careful(_) => false,
            Step::Finite(both) => self.is_open_ended(&both.0),
        }
    }
}

/// The operator of the negation.
pub(super) fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Equal => Op::NotEqual,
        Op::NotEqual => Op::Equal,
        Op::Member => Op::NotMember,
        Op::NotMember => Op::Member,
        Op::Subset => Op::NotSubset,
        Op::NotSubset => Op::Subset,
        Op::Less => Op::GreaterEqual,
        Op::GreaterEqual => Op::Less,
        Op::Greater => Op::LessEqual,
        Op::LessEqual => Op::Greater,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
pub(super) fn flip(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}
