//! Typed trees to models, one file per language.

use base::{Diagnostics, Sources};
use lang_b::check::Checked;

use crate::scope::Scopes;
use crate::{ExprId, Model};

mod b;
mod eventb;
mod sizes;

pub use eventb::Levels;

/// A formula from outside, lowered into a model.
#[derive(Debug)]
pub struct Formula {
    /// The expression or predicate.
    pub expr: ExprId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
}

/// Lowers a checked B machine. Errors are constructs that cannot be lowered (class Unsupported).
pub fn classical_b(checked: &Checked, scopes: &Scopes) -> Result<Model, Diagnostics> {
    b::lower(checked, scopes)
}

/// Lowers a machine, with the machines it refines, or a context of a checked Event-B project.
pub fn event_b(
    checked: &lang_eventb::check::Checked,
    levels: Levels,
    scopes: &Scopes,
) -> Result<Model, Diagnostics> {
    eventb::lower(checked, levels, scopes)
}

/// Parses, checks and lowers a formula in the context of a component of a lowered Event-B project.
pub fn event_b_formula(
    checked: &mut lang_eventb::check::Checked,
    component: lang_eventb::check::Component,
    model: &mut Model,
    text: &str,
    sources: &mut Sources,
) -> Result<Formula, Diagnostics> {
    eventb::formula(checked, component, model, text, sources)
}

/// Parses, checks and lowers a formula in the context of a lowered machine, adding it to `model`.
pub fn formula(
    checked: &mut Checked,
    model: &mut Model,
    text: &str,
    sources: &mut Sources,
) -> Result<Formula, Diagnostics> {
    b::formula(checked, model, text, sources)
}
