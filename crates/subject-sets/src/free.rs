//! The free names of a formula: the unknowns that `solve` looks for.

use base::{Diagnostics, Name};
use lang_eventb::math::parse;
use lang_math::expr::{ExprId, ExprKind, Exprs, for_each_child};
use lang_math::{Binding, Place};
use subject::setting::Part;

use crate::loaded::{Loaded, schemas};

/// The names of a formula that neither it binds nor the file declares, in the order of the text, each with its first place.
pub(crate) fn free_names(loaded: &mut Loaded, part: &Part, place: Place<'_>) -> Vec<Binding> {
    if let Loaded::Z(checked, _) = loaded {
        let machine = lower_z::machine(checked, &schemas(part));
        let scope = machine.map_or(Vec::new(), |(machine, _)| machine.scope(checked));
        let names = lang_z::free_names(checked, place, &scope).into_iter();
        let binding = |name: lang_z::tree::Ident| Binding {
            name: name.name,
            span: name.span,
        };
        return names.map(binding).collect();
    }
    let mut exprs = Exprs::new();
    let (root, diagnostics) = match loaded {
        Loaded::B(_) => lang_b::parse::formula_at(place, &mut exprs),
        Loaded::EventB(_) => {
            let mut diagnostics = Diagnostics::new();
            let root = parse::formula(place, &mut exprs, &mut diagnostics);
            (root, diagnostics)
        }
        Loaded::Z(..) => return Vec::new(),
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
