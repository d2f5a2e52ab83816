//! Functions that pick from sets, sort them, or look at relations as graphs.

use model::{TyId, Value};

use crate::cx::{Cx, R};
use crate::ops::OpTy;
use crate::trap::{Cause, Trap};
use crate::value::V;

fn undefined() -> Trap {
    Cause::Argument.trap()
}

pub(super) fn call(cx: &mut Cx<'_>, name: &str, ty: &OpTy, args: &[V]) -> Option<R<V>> {
    Some(match (name, args) {
        ("CHOOSE", [set]) => sorted(cx, ty.args[0], set)
            .and_then(|list| list.into_iter().next().ok_or_else(undefined)),
        ("MU", [set]) => cx.elements(set).and_then(|elements| match &*elements {
            [only] => Ok(only.clone()),
            _ => Err(undefined()),
        }),
        ("MAXIMIZE", [set]) => {
            sorted(cx, ty.args[0], set).and_then(|mut list| list.pop().ok_or_else(undefined))
        }
        ("SORT", [set]) => sorted(cx, ty.args[0], set).map(|list| cx.sequence(ty.result, list)),
        ("SQUASH", [function]) => squash(cx, ty, function),
        ("REPLACE", [old, new, list]) => replace(cx, ty, old, new, list),
        ("CLOSURE1", [relation]) => {
            let ty = OpTy {
                args: ty.args.clone(),
                result: ty.result,
            };
            cx.op(lang_math::Op::Closure1, &ty, std::slice::from_ref(relation))
        }
        ("SCCS", [relation]) => components(cx, ty, relation),
        ("LESS", [a, b]) => compare(cx, ty.args[0], a, b).map(|order| V::bool(order.is_lt())),
        ("TO_INT", [V::Int(value)]) => Ok(V::Int(*value)),
        ("TO_INT", [V::Word(code)]) => Ok(V::Int(*code as i64 + 1)),
        ("INT_TO_ENUM", [set, number]) => sorted(cx, ty.args[0], set).and_then(|list| {
            number
                .small()
                .and_then(|n| usize::try_from(n - 1).ok())
                .and_then(|n| list.get(n).cloned())
                .ok_or_else(undefined)
        }),
        ("RMAXIMUM", [set]) => cx.op(lang_math::Op::Max, ty, std::slice::from_ref(set)),
        ("RMINIMUM", [set]) => cx.op(lang_math::Op::Min, ty, std::slice::from_ref(set)),
        _ => return None,
    })
}

/// The elements of a set in the order of the notation.
pub(super) fn sorted(cx: &mut Cx<'_>, ty: TyId, set: &V) -> R<Vec<V>> {
    let reps = cx.reps();
    let element = reps.element(ty);
    let elements = cx.elements(set)?;
    let mut keyed: Vec<(Value, V)> = elements
        .iter()
        .map(|e| {
            reps.to_value(element, e)
                .map(|key| (key, e.clone()))
                .ok_or_else(|| Cause::Infinite.trap())
        })
        .collect::<R<_>>()?;
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(keyed.into_iter().map(|(_, e)| e).collect())
}

fn compare(cx: &Cx<'_>, ty: TyId, a: &V, b: &V) -> R<std::cmp::Ordering> {
    let reps = cx.reps();
    match (reps.to_value(ty, a), reps.to_value(ty, b)) {
        (Some(a), Some(b)) => Ok(a.cmp(&b)),
        _ => Err(Cause::Infinite.trap()),
    }
}

fn squash(cx: &mut Cx<'_>, ty: &OpTy, function: &V) -> R<V> {
    let reps = cx.reps();
    let pair = reps.element(ty.args[0]);
    let elements = cx.elements(function)?;
    let mut entries: Vec<(V, V)> = elements.iter().map(|e| reps.split(pair, e)).collect();
    entries.sort_by(|a, b| a.0.cmp_number(&b.0));
    if entries.windows(2).any(|w| w[0].0 == w[1].0) {
        return Err(undefined());
    }
    let values = entries.into_iter().map(|(_, value)| value).collect();
    Ok(cx.sequence(ty.result, values))
}

fn replace(cx: &mut Cx<'_>, ty: &OpTy, old: &V, new: &V, list: &V) -> R<V> {
    let old = cx.items(ty.args[0], old)?;
    let new = cx.items(ty.args[1], new)?;
    let list = cx.items(ty.args[2], list)?;
    let mut result = Vec::new();
    let mut i = 0;
    while i < list.len() {
        if !old.is_empty() && list[i..].starts_with(&old) {
            result.extend_from_slice(&new);
            i += old.len();
        } else {
            result.push(list[i].clone());
            i += 1;
        }
    }
    Ok(cx.sequence(ty.result, result))
}

/// The strongly connected components that contain a cycle: classes of `x` reachable from itself.
fn components(cx: &mut Cx<'_>, ty: &OpTy, relation: &V) -> R<V> {
    let reps = cx.reps();
    let pair = reps.element(ty.args[0]);
    let class_ty = reps.element(ty.result);
    let closure_ty = OpTy {
        args: ty.args.clone(),
        result: ty.args[0],
    };
    let closure = cx.op(
        lang_math::Op::Closure1,
        &closure_ty,
        std::slice::from_ref(relation),
    )?;
    let elements = cx.elements(&closure)?;
    let mut classes = Vec::new();
    for element in elements.iter() {
        let (a, b) = reps.split(pair, element);
        if a != b {
            continue;
        }
        let mut class = Vec::new();
        for other in cx.image_of(ty.args[0], &closure, &a)? {
            let back = reps.join(pair, other.clone(), a.clone());
            if cx.member(&back, &closure)? {
                class.push(other);
            }
        }
        classes.push(reps.set(class_ty, class));
    }
    Ok(reps.set(ty.result, classes))
}
