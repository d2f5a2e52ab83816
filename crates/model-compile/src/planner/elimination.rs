//! Solves systems of linear equations for one unknown, so that integers without bounds need not be enumerated.
//!
//! Technique: Gaussian elimination without fractions, at compile time: the factors are literals, what is known when the
//! plan runs stays code.
//! Invariant: a combination of equations that all have values has the solutions of the system among its own, so no
//! solution is lost; the equations are tested afterwards.

use lang_math::Op;

use super::bounds::{Linear, divide, positive, scale};
use super::{Candidate, Planning};
use crate::code::{IntCode, arithmetic};
use crate::plan::{Bound, Source, Step, Unknown};
use crate::rep::Rep;

/// Factors do not get larger: code multiplies by them.
const LARGEST: i64 = 1 << 30;

impl Planning<'_, '_> {
    /// An unknown that several equations fix together.
    pub(super) fn by_elimination(&self) -> Option<Candidate> {
        let rows = self.equations();
        if rows.len() < 2 {
            return None;
        }
        let mut open: Vec<Unknown> = Vec::new();
        for (unknown, _) in rows.iter().flat_map(|row| &row.terms) {
            if !open.contains(unknown) {
                open.push(*unknown);
            }
        }
        open.iter()
            .find_map(|wanted| self.solved(*wanted, &open, rows.clone()))
    }

    /// The equations between linear forms that mention open unknowns, as `terms + rest = 0`.
    fn equations(&self) -> Vec<Linear> {
        let mut rows = Vec::new();
        for conjunct in self.conjuncts.iter().filter(|one| !one.done && one.total) {
            let Some((Op::Equal, a, b)) = self.relation(conjunct) else {
                continue;
            };
            if self.compiler.rep(a) != Rep::Int {
                continue;
            }
            if let (Some(left), Some(right)) = (self.linear(a, false), self.linear(b, false))
                && let Some(row) = combined(&left, 1, &right, -1)
                && !row.terms.is_empty()
            {
                rows.push(row);
            }
        }
        rows
    }

    /// The value of an unknown when all others can be eliminated.
    fn solved(
        &self,
        wanted: Unknown,
        open: &[Unknown],
        mut rows: Vec<Linear>,
    ) -> Option<Candidate> {
        for other in open.iter().filter(|other| **other != wanted) {
            let Some(at) = rows.iter().position(|row| factor(row, *other) != 0) else {
                continue;
            };
            let pivot = rows.swap_remove(at);
            let by = factor(&pivot, *other);
            let mut next = Vec::new();
            for row in rows {
                match factor(&row, *other) {
                    0 => next.push(row),
                    times => next.push(combined(&row, by, &pivot, times.checked_neg()?)?),
                }
            }
            rows = next;
        }
        let row = rows.into_iter().find(|row| factor(row, wanted) != 0)?;
        let [(_, times)] = row.terms.as_slice() else {
            return None;
        };
        let (times, rest) = positive(*times, scale(&row.rest, -1));
        let end = |up| Bound {
            code: divide(&rest, times, up),
            optional: false,
            order: (0, false),
        };
        Some(Candidate {
            step: Step::Each(wanted, Source::Range(vec![end(true)], vec![end(false)])),
            binds: vec![wanted],
            covers: Vec::new(),
            cost: 1.0,
            space: 1.0,
            total: true,
            fallback: false,
            unbounded: false,
        })
    }
}

fn factor(row: &Linear, unknown: Unknown) -> i64 {
    let found = row.terms.iter().find(|(known, _)| *known == unknown);
    found.map_or(0, |(_, factor)| *factor)
}

/// `a*x + b*y`; nothing when factors get too large.
fn combined(x: &Linear, a: i64, y: &Linear, b: i64) -> Option<Linear> {
    let times = |factor: i64, by: i64| factor.checked_mul(by).filter(|one| one.abs() <= LARGEST);
    let mut terms = Vec::new();
    for (unknown, factor) in &x.terms {
        terms.push((*unknown, times(*factor, a)?));
    }
    for (unknown, factor) in &y.terms {
        let factor = times(*factor, b)?;
        match terms.iter_mut().find(|(known, _)| known == unknown) {
            Some((_, sum)) => *sum += factor,
            None => terms.push((*unknown, factor)),
        }
    }
    terms.retain(|(_, factor)| *factor != 0);
    let rest: IntCode = arithmetic(Op::Add, scale(&x.rest, a), scale(&y.rest, b), 0);
    Some(Linear { terms, rest })
}
