//! The value of the case that holds.

use model::Value;

use super::equality::{Shape, shape_of, split};
use super::{Flatten, Giveup, Res};
use crate::flat::{Lin, Lit, Problem, Rel};
use crate::sym::Sym;
impl Flatten<'_> {
    /// The value of the case that holds. At most one case holds; where none does, the result is some value that
    /// depends on nothing else.
    pub(super) fn select(&mut self, cases: Vec<(Lit, Sym)>) -> Res<Sym> {
        let mut cases: Vec<(Lit, Sym)> = cases
            .into_iter()
            .map(|(lit, sym)| (self.problem.norm(lit), sym))
            .filter(|(lit, _)| *lit != Lit::False)
            .collect();
        if let Some(at) = cases.iter().position(|(lit, _)| *lit == Lit::True) {
            return Ok(cases.swap_remove(at).1);
        }
        let Some((_, first)) = cases.first().cloned() else {
            return Err(Giveup::TooLarge);
        };
        if let Sym::Known(value) = &first
            && cases.iter().all(|(_, sym)| sym.known() == Some(value))
        {
            return Ok(first);
        }
        let conditions: Vec<Lit> = cases.iter().map(|(lit, _)| *lit).collect();
        let some = self.problem.or(conditions);
        match shape_of(&first) {
            Shape::Int => self.select_int(cases, some),
            Shape::Bool => {
                let mut parts = Vec::new();
                for (lit, sym) in &cases {
                    let is = self.is(sym, &Value::Bool(true))?;
                    parts.push(self.problem.and([*lit, is]));
                }
                Ok(Sym::bool(self.problem.or(parts)))
            }
            Shape::Pair => {
                let (mut lefts, mut rights) = (Vec::new(), Vec::new());
                for (lit, sym) in cases {
                    let (left, right) = split(&sym).ok_or(Giveup::TooLarge)?;
                    lefts.push((lit, left));
                    rights.push((lit, right));
                }
                let left = self.select(lefts)?;
                let right = self.select(rights)?;
                Ok(Sym::pair(left, right))
            }
            Shape::Set => {
                let mut found = Vec::new();
                for (case, sym) in cases {
                    for (value, lit) in self.as_set(&sym)?.iter() {
                        found.push((value.clone(), self.problem.and([case, *lit])));
                    }
                }
                Ok(Sym::set(self.merged(found)))
            }
            Shape::Scalar => {
                let mut values = Vec::new();
                for (_, sym) in &cases {
                    values.extend(self.possible(sym)?);
                }
                values.sort();
                values.dedup();
                if values.len() < 2 {
                    return Ok(first);
                }
                let x = self.problem.var(0, values.len() as i64 - 1);
                let result = Sym::Choice(values.into(), x);
                self.choose(&cases, some, &result)?;
                self.problem.clause([some, Lit::Le(x, 0)]);
                Ok(result)
            }
        }
    }

    pub(super) fn select_int(&mut self, cases: Vec<(Lit, Sym)>, some: Lit) -> Res<Sym> {
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        for (_, sym) in &cases {
            let lin = self.lin(sym)?;
            let (a, b) = self.problem.bounds(&lin);
            lo = lo.min(a);
            hi = hi.max(b);
        }
        let x = self.problem.var(lo, hi);
        let result = Sym::Int(Lin::var(x));
        let narrow = (hi - lo) as u64 <= 512;
        if narrow {
            self.choose(&cases, some, &result)?;
        } else {
            for (lit, sym) in &cases {
                let lin = self.lin(sym)?;
                let difference = lin.plus(-1, &Lin::var(x)).ok_or(Giveup::TooLarge)?;
                self.problem.imply(*lit, &difference, Rel::Eq);
            }
        }
        self.problem
            .clause([some, Lit::Eq(x, Problem::least(lo, hi))]);
        Ok(result)
    }

    /// Under each case the result is its value; and a value of the result needs a case that gives it.
    fn choose(&mut self, cases: &[(Lit, Sym)], some: Lit, result: &Sym) -> Res<()> {
        let mut support: Vec<(Value, Lit)> = Vec::new();
        for (case, sym) in cases {
            let possible = self.possible(sym)?;
            if let (Sym::Int(lin), Sym::Int(target)) = (sym, result) {
                let difference = lin.plus(-1, target).ok_or(Giveup::TooLarge)?;
                self.problem.imply(*case, &difference, Rel::Eq);
                support.extend(possible.into_iter().map(|value| (value, *case)));
                continue;
            }
            for value in possible {
                let is = self.is(sym, &value)?;
                let becomes = self.is(result, &value)?;
                self.problem.clause([!*case, !is, becomes]);
                support.push((value, *case));
            }
        }
        support.sort();
        let mut at = 0;
        let values = self.possible(result)?;
        for value in values {
            let mut clause = vec![!some];
            let is = self.is(result, &value)?;
            clause.push(!is);
            while at < support.len() && support[at].0 < value {
                at += 1;
            }
            while at < support.len() && support[at].0 == value {
                clause.push(support[at].1);
                at += 1;
            }
            self.problem.clause(clause);
        }
        Ok(())
    }
}
