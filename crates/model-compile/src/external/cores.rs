//! Minimal sets for which a function says FALSE, and maximal ones for which it says TRUE.
//!
//! Technique: elements are taken out, or put in, one after the other in the order of the notation; where the function is
//! monotone, that ends at a minimal or maximal set.

use crate::cx::{Cx, R};
use crate::ops::OpTy;
use crate::trap::Cause;
use crate::value::V;

pub(super) fn call(cx: &mut Cx<'_>, name: &str, ty: &OpTy, args: &[V]) -> Option<R<V>> {
    Some(match (name, args) {
        ("UNSAT_CORE", [function, set]) => core(cx, ty, function, set, None),
        ("UNSAT_CORE_ACC", [function, set, kept]) => core(cx, ty, function, set, Some(kept)),
        ("MAX_SAT", [function, set]) => most(cx, ty, function, set),
        _ => return None,
    })
}

/// Whether the function says TRUE for these elements.
fn accepts(cx: &mut Cx<'_>, ty: &OpTy, function: &V, elements: &[V]) -> R<bool> {
    cx.spend()?;
    let set = cx.reps().set(ty.result, elements.to_vec());
    Ok(cx.apply(ty.args[0], function, &set)?.word() != 0)
}

fn core(cx: &mut Cx<'_>, ty: &OpTy, function: &V, set: &V, kept: Option<&V>) -> R<V> {
    let mut elements = match kept {
        Some(kept) => super::order::sorted(cx, ty.args[2], kept)?,
        None => Vec::new(),
    };
    let fixed = elements.len();
    for element in super::order::sorted(cx, ty.args[1], set)? {
        if !elements[..fixed].contains(&element) {
            elements.push(element);
        }
    }
    if accepts(cx, ty, function, &elements)? {
        return Err(Cause::Argument.trap());
    }
    let mut at = fixed;
    while at < elements.len() {
        let element = elements.remove(at);
        if accepts(cx, ty, function, &elements)? {
            elements.insert(at, element);
            at += 1;
        }
    }
    Ok(cx.reps().set(ty.result, elements))
}

fn most(cx: &mut Cx<'_>, ty: &OpTy, function: &V, set: &V) -> R<V> {
    let mut elements = Vec::new();
    if !accepts(cx, ty, function, &elements)? {
        return Err(Cause::Argument.trap());
    }
    for element in super::order::sorted(cx, ty.args[1], set)? {
        elements.push(element);
        if !accepts(cx, ty, function, &elements)? {
            elements.pop();
        }
    }
    Ok(cx.reps().set(ty.result, elements))
}
