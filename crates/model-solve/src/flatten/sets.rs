//! Set operators on sets that are not known: algebra, cardinality, extrema, intervals.

use lang_math::Op;
use model::{ExprId, Value};

use super::{Flatten, Giveup, Res};
use crate::flat::{Lin, Lit, Problem, Rel};
use crate::sym::{Sym, small};

impl Flatten<'_> {
    pub(super) fn set_operator(&mut self, expr: ExprId, op: Op, args: &[ExprId]) -> Res<Sym> {
        use Op::*;
        match (op, args) {
            (Union | Intersection | SetMinus, [a, b]) => {
                // `S - T` and `S /\ T` only need to know of each element of S whether T has it.
                let left = self.eval(*a)?;
                if op == Union {
                    let right = self.eval(*b)?;
                    return self.union(&left, &right);
                }
                let mut kept = Vec::new();
                for (lit, member) in self.members(&left)? {
                    let inside = self.member_of(&member, *b)?;
                    let wanted = if op == Intersection { inside } else { !inside };
                    kept.push((self.problem.and([lit, wanted]), member));
                }
                Ok(self.bag(kept))
            }
            (Cartesian, [a, b]) => {
                let left = self.eval(*a)?;
                let right = self.eval(*b)?;
                let left = self.members(&left)?;
                let right = self.members(&right)?;
                self.tick(left.len() * right.len())?;
                let mut pairs = Vec::new();
                for (p, a) in &left {
                    for (q, b) in &right {
                        let lit = self.problem.and([*p, *q]);
                        pairs.push((lit, Sym::pair(a.clone(), b.clone())));
                    }
                }
                Ok(self.bag(pairs))
            }
            (Card, [a]) => {
                let set = self.eval(*a)?;
                self.cardinality(&set)
            }
            (Size, [a]) => {
                let sequence = self.eval(*a)?;
                let length = fixed_length(&sequence).ok_or(Giveup::Unknown(expr))?;
                Ok(Sym::Known(Value::int(length)))
            }
            (First | Last, [a]) => {
                let sequence = self.eval(*a)?;
                let length = fixed_length(&sequence)
                    .filter(|length| *length > 0)
                    .ok_or(Giveup::Unknown(expr))?;
                let at = if op == First { 1 } else { length };
                self.apply_to(expr, &sequence, &Sym::Known(Value::int(at)))
            }
            (Max | Min, [a]) => {
                let set = self.eval(*a)?;
                self.extremum(expr, op == Max, &set)
            }
            (Interval, [a, b]) => {
                let low = self.eval(*a)?;
                let high = self.eval(*b)?;
                let (low, high) = (self.lin(&low)?, self.lin(&high)?);
                let (from, _) = self.problem.bounds(&low);
                let (_, to) = self.problem.bounds(&high);
                self.tick((to - from + 1).max(0) as usize)?;
                let mut set = Vec::new();
                for value in from..=to {
                    let number = Lin::number(value);
                    let above = low.plus(-1, &number).ok_or(Giveup::TooLarge)?;
                    let below = number.plus(-1, &high).ok_or(Giveup::TooLarge)?;
                    let above = self.problem.compare(&above, Rel::Le);
                    let below = self.problem.compare(&below, Rel::Le);
                    let lit = self.problem.and([above, below]);
                    if lit != Lit::False {
                        set.push((Value::int(value), lit));
                    }
                }
                Ok(Sym::set(set))
            }
            (GeneralUnion, [a]) => {
                let sets = self.eval(*a)?;
                let mut found = Vec::new();
                for (outer, set) in self.members(&sets)? {
                    for (inner, member) in self.members(&set)? {
                        found.push((self.problem.and([outer, inner]), member));
                    }
                }
                Ok(self.bag(found))
            }
            _ => self.relation_operator(expr, op, args),
        }
    }

    fn union(&mut self, left: &Sym, right: &Sym) -> Res<Sym> {
        let mut all = self.members(left)?;
        all.extend(self.members(right)?);
        Ok(self.bag(all))
    }

    /// How many elements a set has.
    pub(super) fn cardinality(&mut self, set: &Sym) -> Res<Sym> {
        let lits: Vec<Lit> = match set {
            Sym::Function(entries) => entries.iter().map(|(_, lit, _)| *lit).collect(),
            _ => self.as_set(set)?.iter().map(|(_, lit)| *lit).collect(),
        };
        let lin = self.total(&lits)?;
        Ok(Sym::int(lin))
    }

    /// How many of the literals hold.
    pub(super) fn total(&mut self, lits: &[Lit]) -> Res<Lin> {
        self.tick(lits.len())?;
        let mut terms: Vec<(i64, crate::flat::Var)> = Vec::new();
        let mut k = 0;
        for lit in lits {
            let one = self.problem.count(*lit);
            k += one.k;
            terms.extend(one.terms);
        }
        terms.sort_by_key(|term| term.1);
        let mut merged: Vec<(i64, crate::flat::Var)> = Vec::new();
        for (c, x) in terms {
            match merged.last_mut() {
                Some((last, y)) if *y == x => *last += c,
                _ => merged.push((c, x)),
            }
        }
        merged.retain(|(c, _)| *c != 0);
        Ok(Lin { terms: merged, k })
    }

    fn extremum(&mut self, expr: ExprId, greatest: bool, set: &Sym) -> Res<Sym> {
        if let Sym::Bag(members) = set {
            return self.extremum_of(greatest, &members.clone());
        }
        let mut set = self.as_set(set)?.to_vec();
        let some: Vec<Lit> = set.iter().map(|(_, lit)| *lit).collect();
        let some = self.problem.or(some);
        self.defs.push(some);
        if set.is_empty() {
            return Ok(Sym::Known(Value::int(0)));
        }
        if set.iter().any(|(value, _)| small(value).is_none()) {
            return Err(Giveup::Unknown(expr));
        }
        if greatest {
            set.reverse();
        }
        let mut cases = Vec::new();
        let mut before = Lit::True;
        for (value, lit) in set {
            cases.push((self.problem.and([before, lit]), Sym::Known(value)));
            before = self.problem.and([before, !lit]);
            if before == Lit::False {
                break;
            }
        }
        self.select(cases)
    }

    /// The extremum of elements that are not known: not beyond any of them, and one of them.
    fn extremum_of(&mut self, greatest: bool, members: &[(Lit, Sym)]) -> Res<Sym> {
        let some = self.problem.or(members.iter().map(|(lit, _)| *lit));
        self.defs.push(some);
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        for (_, member) in members {
            let member = self.lin(member)?;
            let (a, b) = self.problem.bounds(&member);
            (lo, hi) = (lo.min(a), hi.max(b));
        }
        if members.is_empty() {
            return Ok(Sym::Known(Value::int(0)));
        }
        let ends = self.problem.span(i128::from(lo), i128::from(hi));
        let (lo, hi) = ends.ok_or(Giveup::TooLarge)?;
        let found = Sym::Int(Lin::var(self.problem.var(lo, hi)));
        let target = self.lin(&found)?;
        let mut cases = vec![!some];
        for (lit, member) in members {
            let value = self.lin(member)?;
            let (less, more) = if greatest {
                (&value, &target)
            } else {
                (&target, &value)
            };
            let excess = less.plus(-1, more).ok_or(Giveup::TooLarge)?;
            self.problem.imply(*lit, &excess, Rel::Le);
            let difference = value.plus(-1, &target).ok_or(Giveup::TooLarge)?;
            let same = self.problem.compare(&difference, Rel::Eq);
            cases.push(self.problem.and([*lit, same]));
        }
        self.problem.clause(cases);
        let idle = target.plus(-1, &Lin::number(Problem::least(lo, hi)));
        self.problem
            .imply(!some, &idle.ok_or(Giveup::TooLarge)?, Rel::Eq);
        Ok(found)
    }
}

/// The length of what is a sequence of one length, whatever the unknowns are.
fn fixed_length(sequence: &Sym) -> Option<i64> {
    match sequence {
        Sym::Function(entries) => {
            let right = entries.iter().enumerate().all(|(i, (argument, lit, _))| {
                *lit == Lit::True && small(argument) == Some(i as i64 + 1)
            });
            right.then_some(entries.len() as i64)
        }
        _ => None,
    }
}
