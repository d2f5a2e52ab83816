//! Products, quotients and remainders: bounds from the corners of the box, exact once the operands are known.

use crate::flat::Var;
use crate::store::{Conflict, Store};

/// `z = x * y`
pub(super) fn times(store: &mut Store, z: Var, x: Var, y: Var) -> Result<(), Conflict> {
    within(store, z, corners(store, x, y, |a, b| a * b))?;
    for (a, b) in [(x, y), (y, x)] {
        if let Some(factor) = store.fixed(a) {
            let factor = i128::from(factor);
            if factor == 0 {
                return store.fix(z, 0);
            }
            let (lo, hi) = (i128::from(store.lo(z)), i128::from(store.hi(z)));
            let (lo, hi) = if factor > 0 {
                (ceil(lo, factor), floor(hi, factor))
            } else {
                (ceil(hi, factor), floor(lo, factor))
            };
            within(store, b, (lo, hi))?;
        } else if !(store.lo(a) <= 0 && store.hi(a) >= 0) {
            // The other factor lies within the quotients at the corners.
            let quotients = [store.lo(z), store.hi(z)].map(|z| {
                [store.lo(a), store.hi(a)].map(|a| {
                    let (z, a) = (i128::from(z), i128::from(a));
                    (floor(z, a).min(ceil(z, a)), ceil(z, a).max(floor(z, a)))
                })
            });
            let all = quotients.iter().flatten();
            let lo = all.clone().map(|q| q.0).min().unwrap_or(0);
            let hi = all.map(|q| q.1).max().unwrap_or(0);
            within(store, b, (lo, hi))?;
        }
    }
    if let (Some(a), Some(b)) = (store.fixed(x), store.fixed(y)) {
        exactly(store, z, i128::from(a) * i128::from(b))?;
    }
    Ok(())
}

/// `z = x / y`
pub(super) fn divide(store: &mut Store, z: Var, x: Var, y: Var) -> Result<(), Conflict> {
    store.remove(y, 0)?;
    if let (Some(a), Some(b)) = (store.fixed(x), store.fixed(y)) {
        return exactly(store, z, i128::from(a) / i128::from(b));
    }
    let y_sign_known = store.lo(y) > 0 || store.hi(y) < 0;
    let (lo, hi) = if y_sign_known {
        corners(store, x, y, |a, b| a / b)
    } else {
        let most = i128::from(store.lo(x).abs().max(store.hi(x).abs()));
        (-most, most)
    };
    within(store, z, (lo, hi))?;
    if let Some(b) = store.fixed(y) {
        let (b, lo, hi) = (
            i128::from(b),
            i128::from(store.lo(z)),
            i128::from(store.hi(z)),
        );
        if b > 0 {
            let low = if lo > 0 { lo * b } else { lo * b - (b - 1) };
            let high = if hi < 0 { hi * b } else { hi * b + (b - 1) };
            within(store, x, (low, high))?;
        }
    }
    Ok(())
}

/// `z = x mod y`
pub(super) fn modulo(store: &mut Store, z: Var, x: Var, y: Var) -> Result<(), Conflict> {
    store.at_least(x, 0)?;
    store.at_least(y, 1)?;
    store.at_least(z, 0)?;
    store.at_most(z, store.hi(y) - 1)?;
    store.at_most(z, store.hi(x))?;
    if let Some(m) = store.fixed(y) {
        if let Some(a) = store.fixed(x) {
            return store.fix(z, a % m);
        }
        if store.is_listed(x) {
            let mut gone = Vec::new();
            store.for_each(x, |value| {
                if !store.contains(z, value % m) {
                    gone.push(value);
                }
            });
            for value in gone {
                store.remove(x, value)?;
            }
        }
    }
    Ok(())
}

fn corners(store: &Store, x: Var, y: Var, f: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let mut lo = i128::MAX;
    let mut hi = i128::MIN;
    for a in [store.lo(x), store.hi(x)] {
        for b in [store.lo(y), store.hi(y)] {
            let value = f(i128::from(a), i128::from(b));
            lo = lo.min(value);
            hi = hi.max(value);
        }
    }
    (lo, hi)
}

fn within(store: &mut Store, x: Var, (lo, hi): (i128, i128)) -> Result<(), Conflict> {
    let clamp =
        |value: i128| value.clamp(i128::from(i64::MIN / 2), i128::from(i64::MAX / 2)) as i64;
    store.at_least(x, clamp(lo))?;
    store.at_most(x, clamp(hi))
}

fn exactly(store: &mut Store, z: Var, value: i128) -> Result<(), Conflict> {
    match i64::try_from(value) {
        Ok(value) => store.fix(z, value),
        Err(_) => Err(Conflict),
    }
}

fn floor(a: i128, b: i128) -> i128 {
    let (q, r) = (a / b, a % b);
    if r != 0 && (r < 0) != (b < 0) {
        q - 1
    } else {
        q
    }
}

fn ceil(a: i128, b: i128) -> i128 {
    -floor(-a, b)
}
