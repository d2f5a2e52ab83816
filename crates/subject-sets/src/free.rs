//! The free names of a formula: the unknowns that `solve` looks for.

use base::{Diagnostics, Name};
use lang_eventb::math::parse;
use lang_math::expr::{ExprId, ExprKind, Exprs, for_each_child};
use lang_math::{Binding, Place};
use subject::setting::Part;

use crate::loaded::Loaded;

/// The names of a formula that neither it binds nor the file declares, in the order of the text, each with its first place.
pub(crate) fn free_names(loaded: &Loaded, part: &Part, place: Place<'_>) -> Vec<Binding> {
    let mut exprs = Exprs::new();
    let (root, diagnostics) = match loaded {
        Loaded::B(_) => lang_b::parse::formula_at(place, &mut exprs),
        Loaded::EventB(_) => {
            let mut diagnostics = Diagnostics::new();
            let root = parse::formula(place, &mut exprs, &mut diagnostics);
            (root, diagnostics)
        }
    };
    if diagnostics.has_errors() {
        return Vec::new();
    }
    let mut names = Vec::new();
    collect(&exprs, root, &mut Vec::new(), &mut names);
    names.retain(|binding| !loaded.is_known(part, binding.name));
    names
}

fn collect(exprs: &Exprs, id: ExprId, bound: &mut Vec<Name>, names: &mut Vec<Binding>) {
    let before = bound.len();
    match exprs.kind(id) {
        ExprKind::Name(name) => {
            let is_new = !names.iter().any(|known| known.name == *name);
            if is_new && !bound.contains(name) {
                names.push(Binding {
                    name: *name,
                    span: exprs.span(id),
                });
            }
            return;
        }
        ExprKind::Bind { names: new, .. } | ExprKind::Let { names: new, .. } => {
            bound.extend(new.iter().map(|binding| binding.name));
        }
        _ => {}
    }
    let mut children = Vec::new();
    for_each_child(exprs.kind(id), |child| children.push(child));
    for child in children {
        base::deep::recurse(|| collect(exprs, child, bound, names));
    }
    bound.truncate(before);
}
