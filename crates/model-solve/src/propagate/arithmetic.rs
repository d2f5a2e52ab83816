//! Products, quotients and remainders: bounds from the corners of the box, exact once the operands are known.
//!
//! What has no bound counts as a number so large that nothing it bounds has an end; a dividend as one that is
//! larger still.

use crate::flat::{Var, WIDE};
use crate::store::{Conflict, Store};

/// `z = x * y`
pub(super) fn times(store: &mut Store, z: Var, x: Var, y: Var) -> Result<(), Conflict> {
    within(store, z, corners(store, (x, FACTOR), y, |a, b| a * b))?;
    for (a, b) in [(x, y), (y, x)] {
        if let Some(factor) = store.fixed(a) {
            let factor = i128::from(factor);
            if factor == 0 {
                return store.fix(z, 0);
            }
            let (lo, hi) = reach(store, z, DIVIDEND);
            let (lo, hi) = if factor > 0 {
                (ceil(lo, factor), floor(hi, factor))
            } else {
                (ceil(hi, factor), floor(lo, factor))
            };
            within(store, b, (lo, hi))?;
        } else if !(store.lo(a) <= 0 && store.hi(a) >= 0) {
            // The other factor lies within the quotients at the corners.
            let ((z_lo, z_hi), (a_lo, a_hi)) = (reach(store, z, DIVIDEND), reach(store, a, FACTOR));
            let quotients = [z_lo, z_hi].map(|z| {
                [a_lo, a_hi].map(|a| (floor(z, a).min(ceil(z, a)), ceil(z, a).max(floor(z, a))))
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
        corners(store, (x, DIVIDEND), y, |a, b| a / b)
    } else {
        let (least, most) = reach(store, x, DIVIDEND);
        let most = least.abs().max(most.abs());
        (-most, most)
    };
    within(store, z, (lo, hi))?;
    if let Some(b) = store.fixed(y) {
        let (b, (lo, hi)) = (i128::from(b), reach(store, z, FACTOR));
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
    if store.hi(y) < WIDE {
        store.at_most(z, store.hi(y) - 1)?;
    }
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

/// A factor without a bound.
const FACTOR: i128 = 1 << 61;
/// A dividend without a bound: beyond [`WIDE`] also when it is divided.
const DIVIDEND: i128 = 1 << 120;

/// The bounds of a variable, with what stands for none.
fn reach(store: &Store, x: Var, endless: i128) -> (i128, i128) {
    let [lo, hi] = [store.lo(x), store.hi(x)].map(|bound| match bound.abs() >= WIDE {
        true => endless * i128::from(bound.signum()),
        false => i128::from(bound),
    });
    (lo, hi)
}

fn corners(
    store: &Store,
    (x, endless): (Var, i128),
    y: Var,
    f: impl Fn(i128, i128) -> i128,
) -> (i128, i128) {
    let mut lo = i128::MAX;
    let mut hi = i128::MIN;
    let ((x_lo, x_hi), (y_lo, y_hi)) = (reach(store, x, endless), reach(store, y, FACTOR));
    for a in [x_lo, x_hi] {
        for b in [y_lo, y_hi] {
            let value = f(a, b);
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
        Err(_) => Err(store.outside(z, value > 0)),
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
