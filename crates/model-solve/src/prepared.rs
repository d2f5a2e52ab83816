//! Writes a task down as a flat problem: shapes first, then conjunct after conjunct, then what propagation alone finds.
//!
//! Where integers have no bounds and no other unknown gives them their values, the caller may cut them, one after the other:
//! each gets its bounds from those before it ([`Cut`]).

use model::ExprId;

use crate::decode::variables;
use crate::flat::{Con, Lit, Problem, Var, WIDE};
use crate::flatten::{Flatten, Giveup};
use crate::propagate::Engine;
use crate::solve::{Options, Task};
use crate::store::Store;
use crate::sym::Sym;
use crate::{Ground, Unknown, cliques, shapes};

/// A variable that may be cut where nothing bounds it.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// Whose it is.
    pub unknown: Unknown,
    /// Which.
    pub var: Var,
    /// Whether the unknown is a number, not a set or function of such.
    pub is_number: bool,
}

/// What the back ends are given.
pub struct Prepared {
    /// The flat problem.
    pub problem: Problem,
    /// The values of the unknowns.
    pub values: Vec<Sym>,
    /// The variables that make a solution.
    pub decided: Vec<Var>,
    /// The variables that may be cut; those of sets and functions come first.
    pub cuts: Vec<Cut>,
    /// Whether a solution may come several times.
    pub repeats: bool,
}

/// The flat problem, with what propagation alone finds; `None` when it has no solution at all.
pub fn prepare(
    task: &Task<'_>,
    ground: &mut dyn Ground,
    options: Options,
) -> Result<Option<Prepared>, Giveup> {
    let Some(mut prepared) = flat(task, ground, options)? else {
        return Ok(None);
    };
    let mut engine = Engine::new(&prepared.problem);
    // What is not decided by propagation alone is asked later.
    if engine.propagate(&mut |_, _| true).is_err() {
        return match engine.store.is_beyond {
            true => Err(Giveup::Endless("an integer".to_owned())),
            false => Ok(None),
        };
    }
    engine.store.write_back(&mut prepared.problem.domains);
    Ok(Some(prepared))
}

/// The flat problem; `None` when it has no solution by its form.
pub fn flat(
    task: &Task<'_>,
    ground: &mut dyn Ground,
    options: Options,
) -> Result<Option<Prepared>, Giveup> {
    let mut flatten = Flatten::new(task.model, ground, task.unknowns);
    if let Some(work) = options.work {
        flatten.allow(work);
    }
    let positive: Vec<ExprId> = task
        .conjuncts
        .iter()
        .filter(|(_, negated)| !negated)
        .map(|(expr, _)| *expr)
        .collect();
    let made = shapes::assign(
        &mut flatten,
        task.model,
        task.unknowns,
        (&positive, options.wide),
    )?;
    let (mut decided, cuts) = chosen(&flatten, &made);
    decided.sort_unstable();
    decided.dedup();
    let mut reached = Lit::True;
    for (i, (conjunct, negated)) in task.conjuncts.iter().enumerate() {
        match flatten.add(*conjunct, *negated, reached) {
            Ok(def) if task.strict => flatten.problem.clause([def]),
            Ok(_) if task.relaxed => {}
            Ok(def) => reached = flatten.problem.and([reached, def]),
            Err(Giveup::TooLarge) if flatten.is_spent() => return Err(Giveup::TooLarge),
            Err(_) => {
                let mut vars = Vec::new();
                for unknown in flatten.mentioned(*conjunct) {
                    if let Some(sym) = flatten.unknown(unknown) {
                        variables(sym, &mut vars);
                    }
                }
                vars.sort_unstable();
                vars.dedup();
                flatten.problem.constraints.push(Con::Check(i, vars));
            }
        }
        if flatten.problem.is_beyond {
            return Err(Giveup::TooLarge);
        }
        if flatten.problem.failed {
            return Ok(None);
        }
    }
    if flatten.problem.failed {
        return Ok(None);
    }
    let values = task
        .unknowns
        .iter()
        .filter_map(|unknown| flatten.unknown(*unknown).cloned())
        .collect();
    let repeats = flatten.repeats;
    let mut problem = std::mem::take(&mut flatten.problem);
    cliques::add(&mut problem);
    Ok(Some(Prepared {
        problem,
        values,
        decided,
        cuts,
        repeats,
    }))
}

/// The variables of unknowns, and all of them in the order in which they are cut.
fn chosen(flatten: &Flatten<'_>, unknowns: &[Unknown]) -> (Vec<Var>, Vec<Cut>) {
    let (mut decided, mut cuts) = (Vec::new(), Vec::new());
    for unknown in unknowns {
        let Some(sym) = flatten.unknown(*unknown) else {
            continue;
        };
        let start = decided.len();
        variables(sym, &mut decided);
        cuts.extend(decided[start..].iter().map(|x| Cut {
            unknown: *unknown,
            var: *x,
            is_number: matches!(sym, Sym::Int(_)),
        }));
    }
    cuts.sort_by_key(|cut| cut.is_number);
    // Numbers alone are enumerated as well as here, one after the other. What stands for a value without a form is no number:
    // no choice of it is a value, and without one the question is refused.
    if flatten.problem.opaque || cuts.iter().all(|cut| cut.is_number) {
        cuts.clear();
    }
    (decided, cuts)
}

/// What is cut, and the bounds that it has.
pub type Bounded = (Cut, Option<i64>, Option<i64>);

impl Cut {
    /// Which of these comes next, of one unknown only where that is said.
    pub fn next(cuts: &[Cut], store: &Store, of: Option<Unknown>) -> Option<Bounded> {
        let is_open = |cut: &&Cut| {
            store.fixed(cut.var).is_none()
                && store.is_endless(cut.var)
                && of.is_none_or(|unknown| cut.unknown == unknown)
        };
        let cut = *cuts.iter().find(is_open)?;
        let low = Some(store.lo(cut.var)).filter(|low| *low > -WIDE);
        let high = Some(store.hi(cut.var)).filter(|high| *high < WIDE);
        Some((cut, low, high))
    }
}
