//! Constraints as clauses.
//!
//! Invariant: what has no encoding of a bearable size is refused, never approximated.

use super::{Encoding, Sink, TooLarge};
use crate::flat::{Con, Lit, Problem, Rel, Var};

impl<S: Sink> Encoding<S> {
    pub(super) fn constraint(&mut self, con: &Con, problem: &Problem) -> Result<(), TooLarge> {
        match con {
            Con::Clause(lits) => {
                let lits: Vec<i32> = lits.iter().map(|lit| self.lit(*lit)).collect();
                if !lits.contains(&1) {
                    self.clause(&lits)?;
                }
                Ok(())
            }
            Con::Linear {
                half,
                terms,
                rel,
                bound,
            } => {
                let half = self.lit(*half);
                match rel {
                    Rel::Le => self.at_most(half, terms, *bound),
                    Rel::Eq => {
                        if let [(a, x), (b, y)] = terms.as_slice() {
                            return self.equation(half, (*a, *x), (*b, *y), *bound, problem);
                        }
                        let negated: Vec<(i64, Var)> =
                            terms.iter().map(|(c, x)| (-c, *x)).collect();
                        self.at_most(half, terms, *bound)?;
                        self.at_most(half, &negated, -bound)
                    }
                    Rel::Ne => self.different(half, terms, *bound, problem),
                }
            }
            Con::Different(vars) => {
                let mut values: Vec<i64> = Vec::new();
                for x in vars {
                    let domain = &problem.domains[*x as usize];
                    if domain.hi - domain.lo > 1024 {
                        return Ok(());
                    }
                    values.extend(domain.values());
                }
                values.sort_unstable();
                values.dedup();
                if values.len() == vars.len() {
                    for value in values {
                        let taken: Vec<i32> =
                            vars.iter().map(|x| self.lit(Lit::Eq(*x, value))).collect();
                        self.clause(&taken)?;
                    }
                }
                Ok(())
            }
            Con::Times(z, x, y) => self.table(*z, *x, *y, problem, |a, b| a.checked_mul(b)),
            Con::Divide(z, x, y) => self.table(*z, *x, *y, problem, |a, b| a.checked_div(b)),
            Con::Modulo(z, x, y) => {
                self.table(*z, *x, *y, problem, |a, b| (a >= 0 && b > 0).then(|| a % b))
            }
            Con::Check(number, vars) => {
                self.checks.push((*number, vars.clone()));
                Ok(())
            }
        }
    }

    /// `half` implies `a*x + b*y = bound`, value by value.
    fn equation(
        &mut self,
        half: i32,
        (a, x): (i64, Var),
        (b, y): (i64, Var),
        bound: i64,
        problem: &Problem,
    ) -> Result<(), TooLarge> {
        for ((a, x), (b, y)) in [((a, x), (b, y)), ((b, y), (a, x))] {
            let domain = problem.domains[x as usize].clone();
            if domain.hi - domain.lo > 100_000 {
                return Err(TooLarge);
            }
            for value in domain.values() {
                let rest = bound - a * value;
                let here = self.lit(Lit::Eq(x, value));
                let there = if rest % b == 0 {
                    self.lit(Lit::Eq(y, rest / b))
                } else {
                    -1
                };
                self.clause(&[-half, -here, there])?;
            }
        }
        Ok(())
    }

    fn different(
        &mut self,
        half: i32,
        terms: &[(i64, Var)],
        bound: i64,
        problem: &Problem,
    ) -> Result<(), TooLarge> {
        if let [(a, x), (b, y)] = terms {
            let domain = problem.domains[*x as usize].clone();
            if domain.hi - domain.lo > 100_000 {
                return Err(TooLarge);
            }
            for value in domain.values() {
                let rest = bound - a * value;
                if rest % b != 0 {
                    continue;
                }
                let there = self.lit(Lit::Eq(*y, rest / b));
                if there != -1 {
                    let here = self.lit(Lit::Eq(*x, value));
                    self.clause(&[-half, -here, -there])?;
                }
            }
            return Ok(());
        }
        // Below or above.
        let below = self.fresh();
        let negated: Vec<(i64, Var)> = terms.iter().map(|(c, x)| (-c, *x)).collect();
        let above = self.fresh();
        self.clause(&[-half, below, above])?;
        self.at_most(below, terms, bound - 1)?;
        self.at_most(above, &negated, -bound - 1)
    }

    /// `half` implies that the sum is at most `bound`.
    fn at_most(&mut self, half: i32, terms: &[(i64, Var)], bound: i64) -> Result<(), TooLarge> {
        // Sums are counted from their least value on.
        let mut least = 0i64;
        let mut parts: Vec<(i64, Var, i64)> = Vec::new();
        for (c, x) in terms {
            let (lo, hi) = self.domains[*x as usize];
            least += if *c > 0 { c * lo } else { c * hi };
            parts.push((*c, *x, hi - lo));
        }
        let room = bound - least;
        if room < 0 {
            return self.clause(&[-half]);
        }
        // Narrow parts first keep the partial sums short.
        parts.sort_by_key(|(c, _, width)| c.abs() * width);
        // `sum[i]`: a value that the sum may reach, and the literal that it is at least that.
        let mut sum: Vec<(i64, i32)> = Vec::new();
        let last = parts.len().saturating_sub(1);
        for (i, (c, x, width)) in parts.iter().enumerate() {
            let steps: Vec<(i64, i32)> = (1..=*width)
                .map(|step| {
                    let (lo, hi) = self.domains[*x as usize];
                    let lit = if *c > 0 {
                        self.at_least(*x, lo + step)
                    } else {
                        -self.at_least(*x, hi - step + 1)
                    };
                    (c.abs() * step, lit)
                })
                .collect();
            if sum.len() * steps.len() > 400_000 {
                return Err(TooLarge);
            }
            if i == last {
                // What the sum so far leaves is the bound of the last part.
                let mut all = vec![(0, 1)];
                all.extend(&sum);
                for (value, lit) in &all {
                    let rest = room - value;
                    if rest < 0 {
                        self.clause(&[-half, -*lit])?;
                        break;
                    }
                    let allowed = rest / c.abs();
                    if allowed < *width {
                        self.clause(&[-half, -*lit, -steps[allowed as usize].1])?;
                    }
                }
                return Ok(());
            }
            let mut values: Vec<i64> = Vec::new();
            for (step, _) in [(0, 1)].iter().chain(&steps) {
                for (value, _) in [(0, 1)].iter().chain(&sum) {
                    // Everything above the room is one value: too much.
                    values.push((step + value).min(room + 1));
                }
            }
            values.sort_unstable();
            values.dedup();
            values.retain(|value| *value > 0);
            let next: Vec<(i64, i32)> = values.iter().map(|v| (*v, self.fresh())).collect();
            for pair in next.windows(2) {
                self.clause(&[-pair[1].1, pair[0].1])?;
            }
            for (step, a) in [(0, 1)].iter().chain(&steps) {
                for (value, b) in [(0, 1)].iter().chain(&sum) {
                    let total = (step + value).min(room + 1);
                    if total == 0 {
                        continue;
                    }
                    if let Ok(at) = next.binary_search_by_key(&total, |entry| entry.0) {
                        self.implied(&[*a, *b], next[at].1)?;
                    }
                }
            }
            sum = next;
        }
        Ok(())
    }

    /// All of `causes` imply `effect`; a cause that is always true is left out.
    fn implied(&mut self, causes: &[i32], effect: i32) -> Result<(), TooLarge> {
        let mut clause: Vec<i32> = Vec::with_capacity(3);
        for cause in causes {
            match cause {
                1 => {}
                cause => clause.push(-cause),
            }
        }
        clause.push(effect);
        if clause.contains(&1) {
            return Ok(());
        }
        self.clause(&clause)
    }

    fn table(
        &mut self,
        z: Var,
        x: Var,
        y: Var,
        problem: &Problem,
        result: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<(), TooLarge> {
        let (lefts, rights) = (
            problem.domains[x as usize].clone(),
            problem.domains[y as usize].clone(),
        );
        let size = (lefts.hi - lefts.lo + 1).checked_mul(rights.hi - rights.lo + 1);
        if size.is_none_or(|size| size > 200_000) {
            return Err(TooLarge);
        }
        for a in lefts.values() {
            let left = self.lit(Lit::Eq(x, a));
            for b in rights.values() {
                let right = self.lit(Lit::Eq(y, b));
                match result(a, b) {
                    Some(value) => {
                        let is = self.lit(Lit::Eq(z, value));
                        self.clause(&[-left, -right, is])?;
                    }
                    None => self.clause(&[-left, -right])?,
                }
            }
        }
        Ok(())
    }
}
