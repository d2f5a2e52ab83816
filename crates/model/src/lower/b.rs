//! Classical B to the model.

use base::{Diagnostics, Sources};
use lang_b::check::Checked;

use super::Formula;
use crate::Model;
use crate::scope::Scopes;

pub(super) fn lower(_checked: &Checked, _scopes: &Scopes) -> Result<Model, Diagnostics> {
    Err(Diagnostics::new())
}

pub(super) fn formula(
    _checked: &mut Checked,
    _model: &mut Model,
    _text: &str,
    _sources: &mut Sources,
) -> Result<Formula, Diagnostics> {
    Err(Diagnostics::new())
}
