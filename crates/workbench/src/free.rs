//! The free names of a formula: the unknowns that `solve` looks for.

use base::{Diagnostics, Name, Sources};
use lang_eventb::math::parse;
use lang_math::expr::{ExprId, ExprKind, Exprs, for_each_child};

use crate::loaded::Loaded;

/// The names of a formula that neither it binds nor the file declares, in the order of the text.
pub(crate) fn free_names(loaded: &mut Loaded, formula: &str, sources: &mut Sources) -> Vec<Name> {
    let mut exprs = Exprs::new();
    let file = sources.add("<predicate>", formula.to_owned());
    let (root, diagnostics) = match loaded {
        Loaded::B(_) => lang_b::parse::formula(file, formula, &mut exprs),
        Loaded::EventB(_) => {
            let mut diagnostics = Diagnostics::new();
            let place = parse::Place::whole(file, formula);
            let root = parse::formula(place, &mut exprs, &mut diagnostics);
            (root, diagnostics)
        }
    };
    if diagnostics.has_errors() {
        return Vec::new();
    }
    let mut names = Vec::new();
    collect(&exprs, root, &mut Vec::new(), &mut names);
    names.retain(|name| is_unknown(loaded, *name, sources));
    names
}

fn collect(exprs: &Exprs, id: ExprId, bound: &mut Vec<Name>, names: &mut Vec<Name>) {
    let before = bound.len();
    match exprs.kind(id) {
        ExprKind::Name(name) => {
            if !bound.contains(name) && !names.contains(name) {
                names.push(*name);
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

/// Whether the file gives the name no meaning.
fn is_unknown(loaded: &mut Loaded, name: Name, sources: &mut Sources) -> bool {
    if matches!(loaded, Loaded::B(_)) && lang_b::stdlib::external(name.as_str()).is_some() {
        return false;
    }
    let trial = loaded.check_formula(&format!("{name} = {name}"), sources);
    let unknown = [
        lang_b::codes::scope::UNKNOWN_NAME.id,
        lang_eventb::codes::UNKNOWN_NAME.id,
    ];
    let mut found = trial.diagnostics.iter();
    found.any(|found| unknown.contains(&found.code.id))
}
