//! Decides whether formulas may be checked with fewer interleavings.
//!
//! Ample sets keep formulas of linear time that cannot count steps: without `X` and `Y`, over predicates. A group
//! that can change an atom is visible, and never put before others. What is about steps, about branching or about fairness
//! is refused: a path that stands for others has its steps in another order.

use base::Diagnostic;
use buchi::Ltl;
use model::{Kind, Model};
use pins::Shape;
use reduce::por::GroupSet;

use super::atoms::{Asks, Atoms};
use super::lower::Lowered;
use super::{Formulas, Prepared};
use crate::check::Ended;
use crate::choice::{Por, Symmetry};
use crate::codes;
use crate::plan::Options;

/// Whether ample sets are used; an error says why they cannot be.
pub(super) fn decide(options: &Options, formulas: &Formulas) -> Result<bool, Ended> {
    let refused = |why: String| {
        let message = format!("--por {}: {why}", options.por.word());
        Err(Diagnostic::global(&codes::MISFIT_OPTION, message).into())
    };
    match options.por {
        Por::Auto | Por::Off => return Ok(false),
        Por::Stubborn | Por::Deletion => {
            return refused("stubborn sets keep deadlocks and labels, not formulas".to_owned());
        }
        Por::Ample => {}
    }
    if !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off) {
        return refused("with temporal formulas it is not used together with symmetry".to_owned());
    }
    for atom in &formulas.atoms.atoms {
        if atom.is_step() {
            return refused(format!(
                "{} is about a step, and steps are put in another order",
                atom.text
            ));
        }
        if !matches!(atom.asks, Asks::Holds(_)) {
            return refused(format!(
                "{} is about the steps that are possible, and some of them are left out",
                atom.text
            ));
        }
    }
    for prepared in &formulas.formulas {
        if let Some(why) = obstacle(prepared) {
            return refused(format!("{}: {why}", prepared.text));
        }
    }
    Ok(true)
}

fn obstacle(prepared: &Prepared) -> Option<&'static str> {
    match &prepared.lowered {
        Err(_) => None,
        Ok((_, Lowered::Ctl(_))) => Some("ample sets do not keep formulas of branching time"),
        Ok((_, Lowered::Ltl(linear))) => {
            if !linear.fairness.is_empty() {
                return Some("ample sets do not keep fairness");
            }
            counts_steps(&linear.formula).then_some("X and Y count steps")
        }
    }
}

fn counts_steps(formula: &Ltl) -> bool {
    matches!(formula, Ltl::Next(_) | Ltl::Yesterday(_))
        || formula
            .parts()
            .into_iter()
            .any(|part| base::deep::recurse(|| counts_steps(part)))
}

/// The groups that can change an atom.
pub(super) fn visible(model: &Model, shape: &Shape, atoms: &Atoms) -> GroupSet {
    let mut is_read = vec![false; shape.slots.len()];
    for question in &atoms.questions {
        model.walk(question.expr, &mut |expr| {
            if let Kind::Var(variable) = expr.kind {
                is_read[variable.index()] = true;
            }
        });
    }
    let mut visible = GroupSet::new(shape.groups.len());
    for (at, group) in shape.groups.iter().enumerate() {
        if !group.is_pure || group.may_write.iter().any(|slot| is_read[slot]) {
            visible.insert(at);
        }
    }
    visible
}
