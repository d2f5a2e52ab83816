//! Finds for each unknown what it can be: from an equation, a set it is in, bounds, or its type.

use lang_math::Op;
use model::{ExprId, Kind, Model, Ty};

use crate::Unknown;
use crate::flat::FAR;
use crate::flatten::{Flatten, Giveup, Res};

/// A conjunct that says what an unknown is or may be.
#[derive(Clone, Copy)]
enum Says {
    Equal(ExprId),
    Member(ExprId),
    Subset(ExprId),
}

/// Gives every unknown a symbolic value; the unknowns in the order in which that happened, with whether variables were
/// made for them.
pub fn assign(
    flatten: &mut Flatten<'_>,
    model: &Model,
    unknowns: &[Unknown],
    (conjuncts, may_be_wide): (&[ExprId], bool),
) -> Res<Vec<Unknown>> {
    let mut sayings: Vec<(Unknown, Says)> = Vec::new();
    for conjunct in conjuncts {
        let Kind::Op(op, args) = &model.exprs[*conjunct].kind else {
            continue;
        };
        let [a, b] = args.as_slice() else {
            continue;
        };
        let mut note = |name: ExprId, says: Says, flatten: &Flatten<'_>| {
            if let Some(unknown) = flatten.as_unknown(name)
                && unknowns.contains(&unknown)
            {
                sayings.push((unknown, says));
            }
        };
        match op {
            Op::Equal => {
                note(*a, Says::Equal(*b), flatten);
                note(*b, Says::Equal(*a), flatten);
                for (union, whole) in [(*a, *b), (*b, *a)] {
                    for part in parts(model, union) {
                        note(part, Says::Subset(whole), flatten);
                    }
                }
            }
            Op::Member => note(*a, Says::Member(*b), flatten),
            Op::Subset => {
                for element in listed(model, *a) {
                    note(element, Says::Member(*b), flatten);
                }
                note(*a, Says::Subset(*b), flatten);
                for part in parts(model, *a) {
                    note(part, Says::Subset(*b), flatten);
                }
            }
            _ => {}
        }
    }
    let mut left: Vec<Unknown> = unknowns.to_vec();
    let mut made = Vec::new();
    let mut reason = None;
    while !left.is_empty() {
        if let Some(unknown) = by_equation(flatten, &sayings, &left)? {
            left.retain(|other| *other != unknown);
            continue;
        }
        let found = match by_set(flatten, &sayings, &left, &mut reason)? {
            Some(unknown) => Some(unknown),
            None => match by_bounds(flatten, model, conjuncts, (&left, &left))? {
                Some(unknown) => Some(unknown),
                // What is known of others may be bounded further by what they say of this one.
                None => match by_bounds(flatten, model, conjuncts, (&left, unknowns))? {
                    Some(unknown) => Some(unknown),
                    None => by_type(flatten, model, &left, &mut reason)?,
                },
            },
        };
        let Some(unknown) = found else {
            if may_be_wide && !flatten.makes_wide {
                flatten.makes_wide = true;
                continue;
            }
            let name = match left[0] {
                Unknown::Var(var) => model.variables[var].name,
                Unknown::Local(local) => model.locals[local].name,
            };
            return Err(reason.unwrap_or(Giveup::Endless(name.to_string())));
        };
        // The next one may have bounds by what is known of this one.
        flatten.makes_wide = false;
        made.push(unknown);
        left.retain(|other| *other != unknown);
    }
    Ok(made)
}

/// The elements of a set that is listed.
fn listed(model: &Model, set: ExprId) -> Vec<ExprId> {
    match &model.exprs[set].kind {
        Kind::Op(Op::SetExtension, elements) => elements.to_vec(),
        _ => Vec::new(),
    }
}

/// The sets that a union is made of; none when it is no union.
fn parts(model: &Model, union: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut todo = vec![union];
    while let Some(expr) = todo.pop() {
        match &model.exprs[expr].kind {
            Kind::Op(Op::Union, args) => todo.extend(args.iter().rev()),
            _ if expr != union => found.push(expr),
            _ => {}
        }
    }
    found
}

fn is_open(flatten: &mut Flatten<'_>, expr: ExprId, left: &[Unknown]) -> bool {
    let mentioned = flatten.mentioned(expr);
    mentioned.iter().any(|unknown| left.contains(unknown))
}

fn by_equation(
    flatten: &mut Flatten<'_>,
    sayings: &[(Unknown, Says)],
    left: &[Unknown],
) -> Res<Option<Unknown>> {
    for (unknown, says) in sayings {
        if let Says::Equal(value) = says
            && left.contains(unknown)
            && !is_open(flatten, *value, left)
            && let Some(value) = flatten.total_value(*value)?
        {
            flatten.bind(*unknown, value);
            return Ok(Some(*unknown));
        }
    }
    Ok(None)
}

fn by_set(
    flatten: &mut Flatten<'_>,
    sayings: &[(Unknown, Says)],
    left: &[Unknown],
    reason: &mut Option<Giveup>,
) -> Res<Option<Unknown>> {
    for (unknown, says) in sayings {
        if !left.contains(unknown) {
            continue;
        }
        flatten.is_doubtful = false;
        let made = match says {
            Says::Member(set) if !is_open(flatten, *set, left) => flatten.in_set(*set),
            Says::Subset(set) if !is_open(flatten, *set, left) => flatten.subset_of(*set),
            _ => continue,
        };
        // A set that is undefined is not empty: whoever takes it for that never finds out.
        let made = match made {
            Ok(_) if flatten.is_doubtful && flatten.problem.failed => {
                flatten.problem.failed = false;
                Err(Giveup::Doubtful)
            }
            made => made,
        };
        match made {
            Ok(value) => {
                flatten.bind(*unknown, value);
                return Ok(Some(*unknown));
            }
            Err(giveup) => *reason = Some(giveup),
        }
    }
    Ok(None)
}

fn by_bounds(
    flatten: &mut Flatten<'_>,
    model: &Model,
    conjuncts: &[ExprId],
    (left, among): (&[Unknown], &[Unknown]),
) -> Res<Option<Unknown>> {
    let integers: Vec<Unknown> = among
        .iter()
        .filter(|unknown| match model.tys[ty_of(model, **unknown)] {
            Ty::Int => true,
            Ty::Pow(of) => matches!(model.tys[of], Ty::Int),
            _ => false,
        })
        .copied()
        .collect();
    // A comparison with something that is not known yet says nothing.
    let mut usable = Vec::new();
    for conjunct in conjuncts {
        let mentioned = flatten.mentioned(*conjunct);
        let known = mentioned
            .iter()
            .all(|unknown| integers.contains(unknown) || !left.contains(unknown));
        if known {
            usable.push(*conjunct);
        }
    }
    let ranges = flatten.ranges(&integers, &usable);
    for unknown in left {
        if let Some(range) = ranges.get(unknown)
            && let (Some(lo), Some(hi)) = (range.lo, range.hi)
            && lo >= -FAR
            && hi <= FAR
        {
            let value = match model.tys[ty_of(model, *unknown)] {
                Ty::Pow(_) => match flatten.subset_between(lo, hi) {
                    Ok(set) => set,
                    Err(_) => continue,
                },
                _ => {
                    flatten.problem.failed |= lo > hi;
                    flatten.integer(lo, hi.max(lo))
                }
            };
            flatten.bind(*unknown, value);
            return Ok(Some(*unknown));
        }
    }
    Ok(None)
}

fn by_type(
    flatten: &mut Flatten<'_>,
    model: &Model,
    left: &[Unknown],
    reason: &mut Option<Giveup>,
) -> Res<Option<Unknown>> {
    for unknown in left {
        match flatten.of_type(ty_of(model, *unknown)) {
            Ok(value) => {
                flatten.bind(*unknown, value);
                return Ok(Some(*unknown));
            }
            Err(giveup) => *reason = Some(giveup),
        }
    }
    Ok(None)
}

fn ty_of(model: &Model, unknown: Unknown) -> model::TyId {
    match unknown {
        Unknown::Var(var) => model.variables[var].ty,
        Unknown::Local(local) => model.locals[local].ty,
    }
}
