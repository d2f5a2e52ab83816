//! A second look at a quantifier over numbers that was cut: numbers near those that its formula is about.
//!
//! What a formula says of large numbers mostly changes near a number that it names, or that stands in a value it reads:
//! `#m.(m : NATURAL & !x.(x : v => x <= m))` is true near the largest element of v. A witness or counterexample that is met
//! there is one, so the quantifier is decided. A formula that says nothing new beyond some number is decided by those up to
//! it ([`super::tails`]); otherwise the quantifier stays unknown.
//! Invariant: the numbers are those that the reference evaluator tries, so that both know the same.

use std::collections::BTreeSet;

use model::{ExprId, Kind, LocalId, Ty};
use num_traits::ToPrimitive as _;

use super::tails::Tails;
use super::{Compiler, f};
use crate::cx::{Cx, F};
use crate::value::{Real, Row, V};

/// So many numbers are tried at each end of those that there are.
const MOST: usize = 24;
/// So many candidates of inner names may be looked at: a large number may make an inner range large.
const FUEL: u64 = 20_000;
/// Numbers that few formulas speak of, in case that large is all that is needed.
const FAR: [i64; 2] = [-1_000_000, 1_000_000];
/// So many numbers are tried where they decide.
const ALL: i64 = 20_000;

impl Compiler<'_> {
    /// The code of a quantifier that may be cut, with a second look: `decisive` is the truth of the formula that decides.
    pub(super) fn looking_near(
        &self,
        names: &[LocalId],
        formula: ExprId,
        decisive: bool,
        code: F<bool>,
    ) -> F<bool> {
        let [name] = *names else {
            return code;
        };
        let is_real = match self.model.tys[self.model.locals[name].ty] {
            Ty::Int => false,
            Ty::Real => true,
            _ => return code,
        };
        let mut literals: BTreeSet<i64> = FAR.into();
        self.model.walk(formula, &mut |part| {
            if let Kind::Int(value) = &part.kind {
                literals.extend(value.to_i64());
            }
        });
        let fact = self.facts.of(formula);
        let slots: Vec<usize> = fact.vars.iter().map(|var| var.index()).collect();
        let locals: Vec<LocalId> = fact.locals.iter().copied().filter(|n| *n != name).collect();
        let test = self.without_kept(|| self.predicate(formula));
        let tails = match is_real {
            true => None,
            false => self.tails(name, formula),
        };
        f(move |cx| {
            let trap = match code(cx) {
                Err(trap) if trap.is_unknown() && !cx.pruning && !cx.is_near => trap,
                answer => return answer,
            };
            let mut known = literals.clone();
            for slot in &slots {
                collect(&cx.slot(*slot), &mut known);
            }
            for local in &locals {
                collect(&cx.frame[local.index()], &mut known);
            }
            cx.is_near = true;
            let fuel = FUEL.min(cx.fuel);
            let decided = cx.quietly(|cx| {
                cx.trial(fuel, |cx| {
                    near(&known).any(|number| {
                        let number = match is_real {
                            true => V::Real(Real(number as f64)),
                            false => V::Int(number),
                        };
                        decides(cx, name, number, &test, decisive)
                    })
                })
            });
            let truth = match (decided, &tails) {
                (Some(true), _) => Some(decisive),
                (_, Some(tails)) => cx.quietly(|cx| whole(cx, tails, name, &test, decisive)),
                _ => None,
            };
            cx.is_near = false;
            cx.go_on()?;
            truth.ok_or(trap)
        })
    }
}

fn decides(cx: &mut Cx<'_>, name: LocalId, number: V, test: &F<bool>, decisive: bool) -> bool {
    cx.bind(name, number);
    matches!(test(cx), Ok(truth) if truth == decisive)
}

/// The truth of the quantifier by all numbers that can tell; `None` where that is too many, or some of them do not.
fn whole(
    cx: &mut Cx<'_>,
    tails: &Tails,
    name: LocalId,
    test: &F<bool>,
    decisive: bool,
) -> Option<bool> {
    let reach = tails.reach(cx)?;
    let end = reach.turn.checked_add(reach.period)?;
    if end > ALL / 2 {
        return None;
    }
    let fuel = FUEL.min(cx.fuel);
    cx.trial(fuel, |cx| {
        let mut is_known = true;
        for number in -end..=end {
            cx.bind(name, V::Int(number));
            match test(cx) {
                Ok(truth) if truth == decisive => return Some(truth),
                Ok(_) => {}
                Err(_) => is_known = false,
            }
        }
        is_known.then_some(!decisive)
    })?
}

/// The numbers beside known ones, from the ends towards the middle.
fn near(known: &BTreeSet<i64>) -> impl Iterator<Item = i64> {
    let ends = known.iter().rev().take(MOST).chain(known.iter().take(MOST));
    ends.flat_map(|known| [*known, known.saturating_add(1), known.saturating_sub(1)])
}

/// The numbers in a value.
fn collect(value: &V, found: &mut BTreeSet<i64>) {
    match value {
        V::Int(number) => {
            found.insert(*number);
        }
        V::Real(number) => {
            found.insert(number.0 as i64);
        }
        V::Duo(..) | V::Trio(..) | V::Pair(_) => {
            if let Some((first, second)) = value.components() {
                collect(&first, found);
                collect(&second, found);
            }
        }
        V::Set(parts) | V::Rec(parts) => {
            for part in parts.iter() {
                collect(part, found);
            }
        }
        V::Row(shape, bits) => {
            // A code is taken for a number, which only makes more of them.
            let row = Row::from_parts(*shape, *bits);
            row.each_number(|number| _ = found.insert(number));
        }
        V::Free(_, Some(argument)) => collect(argument, found),
        _ => {}
    }
}
