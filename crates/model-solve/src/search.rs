//! Finds solutions by trying values, fewest possibilities first.
//!
//! Technique: depth-first search with propagation at every node; the next variable is the one with the least
//! ratio of values to failures it took part in (dom/wdeg: Boussemart and others 2004), ties by number; the first
//! search for a solution starts anew after growing numbers of failures and keeps what it learned of weights; every
//! other start takes values in a scrambled order, which finds one of many solutions sooner.
//! Invariant: every solution of the decided variables is given exactly once: what else is chosen at a leaf only
//! shows that the rest can be completed.

use crate::flat::{Lit, Var};
use crate::propagate::Engine;
use crate::store::Store;

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every solution was given.
    Exhausted,
    /// The receiver wanted no more.
    Stopped,
    /// The work allowed was done.
    Budget,
    /// A variable without bounds was not given its value by the others: what was found is not all.
    Endless,
}

struct Frame {
    mark: usize,
    /// What to try when the first try is done.
    other: Lit,
    /// Whether it only completes a solution.
    completing: bool,
}

/// Dead ends before the first new start.
const RESTART: u64 = 100;

/// The other side of a search.
pub trait Watcher {
    /// Whether a conjunct holds on values.
    fn check(&mut self, conjunct: usize, store: &Store) -> bool;
    /// A solution; `false` to end the search.
    fn give(&mut self, store: &Store) -> bool;
    /// Asked now and then: whether to end.
    fn stop(&mut self) -> bool;
    /// So many decided variables have values, more than ever before.
    fn advance(&mut self, store: &Store);
    /// Whether so many dead ends and so many looks at constraints are a reason to think of giving up.
    fn is_spent(&self, failures: u64, steps: u64) -> bool;
    /// Whether so much work, looks at variables included, is more than was allowed, dead ends or not.
    fn is_over(&self, work: u64) -> bool;
    /// Asked once, when it is: whether to give up.
    fn give_up(&mut self) -> bool;
    /// Only variables without bounds are left: which is cut, and where; `None` to end the search.
    fn cut(&mut self, store: &Store) -> Option<(Var, i64, i64)>;
    /// The same for what else of the unknown that was cut last has no bounds by now; `None` when all of it has.
    fn cut_more(&mut self, store: &Store) -> Option<(Var, i64, i64)>;
}

/// Searches for all values of `decided`.
pub fn search(engine: &mut Engine, decided: &[Var], watcher: &mut dyn Watcher) -> End {
    let root = engine.store.mark();
    let propagate = |engine: &mut Engine, watcher: &mut dyn Watcher| {
        engine.propagate(&mut |number, store| watcher.check(number, store))
    };
    // A range may be empty from the start, which no propagation changes.
    let is_empty = |x| engine.store.lo(x) > engine.store.hi(x);
    if (0..engine.weights.len() as Var).any(is_empty) || propagate(engine, watcher).is_err() {
        return match engine.store.is_beyond {
            true => End::Endless,
            false => End::Exhausted,
        };
    }
    let base = engine.store.mark();
    let mut frames: Vec<Frame> = Vec::new();
    let (mut failures, mut since, mut limit) = (0u64, 0u64, RESTART);
    let mut round = 0u64;
    let mut scramble = 0x9E37_79B9_7F4A_7C15u64;
    let mut found = false;
    let mut deepest = 0;
    let (mut ticks, mut looked) = (0u32, 0u64);
    let mut failed = false;
    let mut settled = false;
    // All parts of an unknown are cut before any of them is chosen, each with the bounds that those before it leave.
    let mut is_cutting = false;
    let end = loop {
        ticks += 1;
        if ticks.is_multiple_of(64) && watcher.stop() {
            break End::Stopped;
        }
        if !failed {
            failed = propagate(engine, watcher).is_err();
            if failed {
                failures += 1;
                since += 1;
            }
        }
        if failed && engine.store.is_beyond {
            break End::Endless;
        }
        if failed {
            is_cutting = false;
            if !settled && watcher.is_spent(failures, engine.steps) {
                if watcher.give_up() {
                    break End::Budget;
                }
                settled = true;
            }
            if !found && since >= limit {
                engine.store.undo(base);
                frames.clear();
                since = 0;
                round += 1;
                limit += limit / 2;
                failed = false;
                continue;
            }
            match frames.pop() {
                None => break End::Exhausted,
                Some(frame) => {
                    engine.store.undo(frame.mark);
                    failed = engine.store.set(frame.other).is_err();
                }
            }
            continue;
        }
        if is_cutting {
            if let Some(cut) = watcher.cut_more(&engine.store) {
                failed = bound(engine, cut);
                continue;
            }
            is_cutting = false;
        }
        looked += decided.len() as u64;
        if watcher.is_over(engine.steps.saturating_add(looked)) {
            break End::Budget;
        }
        let (choice, completing) = match pick(engine, decided) {
            Some(x) => (Some(x), false),
            None => (rest(engine), true),
        };
        if !found && frames.len() > deepest {
            deepest = frames.len();
            watcher.advance(&engine.store);
        }
        let Some(x) = choice else {
            found = true;
            if !watcher.give(&engine.store) {
                break End::Stopped;
            }
            while frames.last().is_some_and(|frame| frame.completing) {
                frames.pop();
            }
            match frames.pop() {
                None => break End::Exhausted,
                Some(frame) => {
                    engine.store.undo(frame.mark);
                    failed = engine.store.set(frame.other).is_err();
                }
            }
            continue;
        };
        let x = match engine.store.is_endless(x) {
            true => match bounded(engine) {
                Some(other) => other,
                None => {
                    let Some(cut) = watcher.cut(&engine.store) else {
                        break End::Endless;
                    };
                    failed = bound(engine, cut);
                    is_cutting = true;
                    continue;
                }
            },
            false => x,
        };
        let (lo, hi) = (engine.store.lo(x), engine.store.hi(x));
        let lit = if round % 2 == 1 && engine.store.is_listed(x) {
            scramble ^= scramble << 13;
            scramble ^= scramble >> 7;
            scramble ^= scramble << 17;
            let size = engine.store.size(x).max(1);
            Lit::Eq(x, nth(&engine.store, x, scramble % size))
        } else if engine.store.is_listed(x) || hi - lo < 16 {
            Lit::Le(x, lo)
        } else {
            Lit::Le(x, lo + (hi - lo) / 2)
        };
        frames.push(Frame {
            mark: engine.store.mark(),
            other: !lit,
            completing,
        });
        failed = engine.store.set(lit).is_err();
    };
    engine.store.undo(root);
    end
}

/// Gives a variable its bounds; whether that is a conflict.
fn bound(engine: &mut Engine, (x, low, high): (Var, i64, i64)) -> bool {
    let cut = engine.store.at_least(x, low);
    cut.and_then(|()| engine.store.at_most(x, high)).is_err()
}

/// The decided variable to try next.
fn pick(engine: &Engine, decided: &[Var]) -> Option<Var> {
    let mut best: Option<(u64, u64, Var)> = None;
    for x in decided {
        if engine.store.fixed(*x).is_some() {
            continue;
        }
        let size = engine.store.size(*x);
        let weight = u64::from(engine.weights[*x as usize]);
        let better = best.is_none_or(|(best_size, best_weight, _)| {
            size.saturating_mul(best_weight) < best_size.saturating_mul(weight)
        });
        if better {
            best = Some((size, weight, *x));
        }
    }
    best.map(|(_, _, x)| x)
}

/// A possible value by its place.
fn nth(store: &Store, x: Var, mut place: u64) -> i64 {
    for value in store.lo(x)..store.hi(x) {
        if store.contains(x, value) {
            if place == 0 {
                return value;
            }
            place -= 1;
        }
    }
    store.hi(x)
}

/// A variable with bounds that has no value: it may give one to those without bounds. The one with the fewest values, because
/// a part of something without bounds may have bounds that are as good as none.
fn bounded(engine: &Engine) -> Option<Var> {
    let is_open = |x: &Var| engine.store.fixed(*x).is_none() && !engine.store.is_endless(*x);
    let open = (0..engine.weights.len() as Var).filter(is_open);
    open.min_by_key(|x| engine.store.size(*x))
}

/// Any other variable without a value.
fn rest(engine: &Engine) -> Option<Var> {
    (0..engine.weights.len() as Var).find(|x| engine.store.fixed(*x).is_none())
}
