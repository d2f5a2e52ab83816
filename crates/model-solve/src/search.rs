//! Finds solutions by trying values, fewest possibilities first.
//!
//! Technique: depth-first search with propagation at every node; the next variable is the one with the least
//! ratio of values to failures it took part in (dom/wdeg: Boussemart and others 2004), ties by number; the first
//! search for a solution starts anew after growing numbers of failures and keeps what it learned of weights.
//! Invariant: every solution of the decided variables is given exactly once: what else is chosen at a leaf only
//! shows that the rest can be completed.

use crate::flat::{Lit, Var};
use crate::propagate::{Checker, Engine};
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
}

struct Frame {
    mark: usize,
    /// What to try when the first try is done.
    other: Lit,
    /// Whether it only completes a solution.
    completing: bool,
}

/// How much a search may do.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How many dead ends before it gives up.
    pub failures: u64,
    /// Dead ends before the first new start.
    pub restart: u64,
}

/// Searches for all values of `decided`; `give` gets the domains when all have one value and says whether to go on.
/// `poll` is asked now and then and ends the search when it says so.
pub fn search(
    engine: &mut Engine,
    decided: &[Var],
    effort: Effort,
    check: &mut Checker<'_>,
    poll: &mut dyn FnMut() -> bool,
    give: &mut dyn FnMut(&Store) -> bool,
) -> End {
    let root = engine.store.mark();
    if engine.propagate(check).is_err() {
        return End::Exhausted;
    }
    let base = engine.store.mark();
    let mut frames: Vec<Frame> = Vec::new();
    let (mut failures, mut since, mut limit) = (0u64, 0u64, effort.restart);
    let mut found = false;
    let mut ticks = 0u32;
    let mut failed = false;
    let end = loop {
        ticks += 1;
        if ticks.is_multiple_of(64) && poll() {
            break End::Stopped;
        }
        if !failed {
            failed = engine.propagate(check).is_err();
            if failed {
                failures += 1;
                since += 1;
            }
        }
        if failed {
            if failures >= effort.failures {
                break End::Budget;
            }
            if !found && since >= limit {
                engine.store.undo(base);
                frames.clear();
                since = 0;
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
        let (choice, completing) = match pick(engine, decided) {
            Some(x) => (Some(x), false),
            None => (rest(engine), true),
        };
        let Some(x) = choice else {
            found = true;
            if !give(&engine.store) {
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
        let (lo, hi) = (engine.store.lo(x), engine.store.hi(x));
        let lit = if engine.store.is_listed(x) || hi - lo < 16 {
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

/// Any other variable without a value.
fn rest(engine: &Engine) -> Option<Var> {
    (0..engine.weights.len() as Var).find(|x| engine.store.fixed(*x).is_none())
}
