//! Sums with factors, as far as their condition holds: bounds for `<=` and `=`, the last value for `/=`.
//!
//! Technique: bounds propagation (Harvey and Schimpf 2002); an equation of two variables with factors 1 and -1
//! also passes on single values.

use crate::flat::{Lit, Rel, Var};
use crate::store::{Conflict, Store};

pub(super) fn propagate(
    store: &mut Store,
    half: Lit,
    terms: &[(i64, Var)],
    rel: Rel,
    bound: i64,
) -> Result<(), Conflict> {
    let active = match store.truth(half) {
        Some(false) => return Ok(()),
        Some(true) => true,
        None => false,
    };
    match rel {
        Rel::Ne => different(store, half, active, terms, bound),
        Rel::Le => {
            let (lo, _) = bounds(store, terms);
            if lo > i128::from(bound) {
                return store.set(!half);
            }
            if active {
                at_most(store, terms, bound, lo, 1)?;
            }
            Ok(())
        }
        Rel::Eq => {
            let (lo, hi) = bounds(store, terms);
            let bound_wide = i128::from(bound);
            if lo > bound_wide || hi < bound_wide {
                return store.set(!half);
            }
            if !active {
                if let [(1, x), (c, y)] = terms
                    && c.abs() == 1
                    && disjoint(store, *x, *y, *c, bound)
                {
                    return store.set(!half);
                }
                return Ok(());
            }
            at_most(store, terms, bound, lo, 1)?;
            let (_, hi) = bounds(store, terms);
            at_most(store, terms, -bound, -hi, -1)?;
            if let [(1, x), (-1, y)] = terms {
                same(store, *x, *y, bound)?;
            }
            Ok(())
        }
    }
}

fn bounds(store: &Store, terms: &[(i64, Var)]) -> (i128, i128) {
    let (mut lo, mut hi) = (0, 0);
    for (c, x) in terms {
        let (a, b) = (
            i128::from(*c) * i128::from(store.lo(*x)),
            i128::from(*c) * i128::from(store.hi(*x)),
        );
        lo += a.min(b);
        hi += a.max(b);
    }
    (lo, hi)
}

/// `sign * terms <= bound`, with the least value of that sum.
fn at_most(
    store: &mut Store,
    terms: &[(i64, Var)],
    bound: i64,
    lo: i128,
    sign: i64,
) -> Result<(), Conflict> {
    let slack = i128::from(bound) - lo;
    if slack < 0 {
        return Err(Conflict);
    }
    for (c, x) in terms {
        let c = c * sign;
        let (least, most) = (store.lo(*x), store.hi(*x));
        if i128::from(c.abs()) * i128::from(most - least) <= slack {
            continue;
        }
        let step = (slack / i128::from(c.abs())) as i64;
        if c > 0 {
            store.at_most(*x, least + step)?;
        } else {
            store.at_least(*x, most - step)?;
        }
    }
    Ok(())
}

fn different(
    store: &mut Store,
    half: Lit,
    active: bool,
    terms: &[(i64, Var)],
    bound: i64,
) -> Result<(), Conflict> {
    let mut open = None;
    let mut sum = 0i128;
    for (c, x) in terms {
        match store.fixed(*x) {
            Some(value) => sum += i128::from(*c) * i128::from(value),
            None if open.is_some() => return Ok(()),
            None => open = Some((*c, *x)),
        }
    }
    let rest = i128::from(bound) - sum;
    match open {
        None if rest == 0 => store.set(!half),
        None => Ok(()),
        Some((c, x)) if active && rest % i128::from(c) == 0 => {
            match i64::try_from(rest / i128::from(c)) {
                Ok(value) => store.remove(x, value),
                Err(_) => Ok(()),
            }
        }
        Some(_) => Ok(()),
    }
}

/// `x = y + bound`, value by value.
fn same(store: &mut Store, x: Var, y: Var, bound: i64) -> Result<(), Conflict> {
    if !store.is_listed(x) || !store.is_listed(y) {
        return Ok(());
    }
    // Without holes the bounds say everything.
    let is_whole = |x: Var| store.size(x) as i64 == store.hi(x) - store.lo(x) + 1;
    if is_whole(x) && is_whole(y) {
        return Ok(());
    }
    let mut gone = Vec::new();
    store.for_each(x, |value| {
        if !store.contains(y, value - bound) {
            gone.push(value);
        }
    });
    for value in gone {
        store.remove(x, value)?;
    }
    let mut gone = Vec::new();
    store.for_each(y, |value| {
        if !store.contains(x, value + bound) {
            gone.push(value);
        }
    });
    for value in gone {
        store.remove(y, value)?;
    }
    Ok(())
}

/// Whether no values satisfy `x + c*y = bound`.
fn disjoint(store: &Store, x: Var, y: Var, c: i64, bound: i64) -> bool {
    let mut found = !store.is_listed(x) || store.size(x) > 64;
    if !found {
        store.for_each(x, |value| found |= store.contains(y, (bound - value) * c));
    }
    !found
}
