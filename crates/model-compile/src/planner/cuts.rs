//! Which integer without bounds is cut first: the others get their bounds from it.
//!
//! Follows ProB. What others range over comes before all others (`size : NATURAL & f : 1..size --> S`), and a number between
//! one that is known and an open one before that: with `rth : 1..m & m > 3` it cuts `rth`, and `m` lies between bounds
//! then. Where neither tells, the cheapest candidate is taken.

use lang_math::Op;
use model::Kind;

use super::{Candidate, Planning};
use crate::plan::Unknown;
use crate::rep::Rep;

impl Planning<'_, '_> {
    /// A candidate that is not cut, or the one that is cut first.
    pub(super) fn in_order_of_cuts(&self, best: Candidate) -> Candidate {
        let is_integer =
            |unknown: &Unknown| self.compiler.program.reps[self.ty_of(*unknown)].rep == Rep::Int;
        if !self.is_once || !best.unbounded || !best.binds.iter().all(is_integer) {
            return best;
        }
        let open = self.unknowns.iter().filter(|unknown| {
            !self.bound.contains(unknown) && is_integer(unknown) && !self.waits(**unknown)
        });
        let cut = open.map(|unknown| (self.is_first(*unknown), self.by_type(*unknown)));
        let mut cut: Vec<(bool, Candidate)> = cut.filter(|(_, cut)| cut.unbounded).collect();
        let first = cut
            .iter()
            .position(|(_, candidate)| self.is_shape(candidate));
        match first.or_else(|| cut.iter().position(|(is_first, _)| *is_first)) {
            Some(at) => cut.swap_remove(at).1,
            None => best,
        }
    }

    /// Whether a number lies between one that is known and an open one.
    fn is_first(&self, unknown: Unknown) -> bool {
        self.conjuncts.iter().any(|conjunct| {
            let Some((Op::Member, element, set)) = self.relation(conjunct) else {
                return false;
            };
            let Kind::Op(Op::Interval, ends) = self.kind(set) else {
                return false;
            };
            !conjunct.done
                && self.open(element) == Some(unknown)
                && self.known(ends[0]) != self.known(ends[1])
        })
    }

    /// Whether an equation of integers with other open unknowns may give the value.
    fn waits(&self, unknown: Unknown) -> bool {
        self.conjuncts.iter().any(|conjunct| {
            let is_open = |other: &&Unknown| !self.bound.contains(*other);
            let is_equation = match self.relation(conjunct) {
                Some((Op::Equal, side, _)) => self.compiler.rep(side) == Rep::Int,
                _ => false,
            };
            !conjunct.done
                && is_equation
                && conjunct.unknowns.contains(&unknown)
                && conjunct.unknowns.iter().filter(is_open).count() > 1
        })
    }
}
