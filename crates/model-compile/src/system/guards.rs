//! Tells the shape when groups happen: guards that can be asked one by one, what decides, what can fault.
//!
//! A conjunct of a guard that mentions no parameter is about the state alone: while it is false, its group does
//! nothing. Partial order reduction asks which of them keeps a group from happening.
//! Invariant: in the strict manner a conjunct counts only if those before it always have a truth value, because an
//! undefined one is a fault even when a later one is false.

use lang_math::Op;
use model::ExprId;
use pins::{Enabling, GroupId, Guard, LabelId, LabelKind, Shape};

use super::build::{fixed_slot, label_predicates, slot_set};
use crate::certain::Certain;
use crate::code::Compiler;
use crate::cx::F;
use crate::facts::merge;
use crate::{Options, Wd};

/// A guard that can be asked.
pub(crate) struct GuardCode {
    pub(super) expr: ExprId,
    pub(super) code: F<bool>,
}

/// Fills in guards, what decides, and labels that types make true; the code of the guards in order.
pub(super) fn describe(
    compiler: &Compiler<'_>,
    options: &Options,
    constants: &[usize],
    shape: &mut Shape,
) -> Vec<GuardCode> {
    let (model, wd) = (compiler.model, options.wd);
    let certain = Certain::new(compiler, wd);
    let mut codes = Vec::new();
    for (at, action) in model.actions.iter().enumerate() {
        let conjuncts: Vec<ExprId> = action
            .guard
            .iter()
            .flat_map(|conjunct| compiler.chain(Op::And, *conjunct))
            .collect();
        let mut deciding = certain.deciding(action.body);
        let mut may_fault = certain.may_fault(action.body);
        let mut is_reached = true;
        for conjunct in conjuncts {
            let fact = compiler.facts.of(conjunct);
            merge(&mut deciding, &fact.vars);
            if fact.locals.is_empty() && fact.pure && is_reached {
                codes.push(GuardCode {
                    expr: conjunct,
                    code: compiler.predicate(conjunct),
                });
                shape.guards.push(Guard {
                    group: GroupId::new(at),
                    reads: slot_set(compiler, &fact.vars, constants),
                    is_total: fact.total,
                    equals: fixed_slot(compiler, conjunct),
                });
            }
            may_fault |= certain.guard_may_fault(conjunct);
            is_reached &= wd != Wd::Strict || certain.is_defined(conjunct);
        }
        shape.enabling.push(Enabling {
            reads: slot_set(compiler, &deciding, constants),
            may_fault,
        });
    }
    for (at, (kind, _, predicate, _)) in label_predicates(model, options).iter().enumerate() {
        if *kind != LabelKind::Goal && certain.is_about_types(*predicate) {
            shape.always_true.push(LabelId::new(at));
        }
    }
    codes
}
