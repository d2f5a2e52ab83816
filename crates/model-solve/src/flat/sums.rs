//! Sums: their bounds, and how they compare with numbers, as literals and constraints.
//!
//! Invariant: a comparison that the bounds decide makes no variable and no constraint; one that was met before is not made again.

use super::{Con, FAR, Lin, Lit, Problem, Rel, Var, WIDE};

/// What stands for the end of a sum that has none.
const NEVER: i64 = i64::MAX / 4;

impl Problem {
    /// The bounds of a sum.
    pub fn bounds(&self, lin: &Lin) -> (i64, i64) {
        let (mut lo, mut hi) = (i128::from(lin.k), i128::from(lin.k));
        for (c, x) in &lin.terms {
            let domain = &self.domains[*x as usize];
            let times = |bound: i64| match bound.abs() >= WIDE {
                // Far beyond all sums of what has ends.
                true => i128::from(bound.signum() * c.signum()) << 100,
                false => i128::from(*c) * i128::from(bound),
            };
            let (a, b) = (times(domain.lo), times(domain.hi));
            lo += a.min(b);
            hi += a.max(b);
        }
        let clamp = |value: i128| value.clamp(-i128::from(NEVER), i128::from(NEVER));
        (clamp(lo) as i64, clamp(hi) as i64)
    }

    /// The bounds of a new variable for what lies between two numbers; `None` for numbers that are not handled. Where
    /// integers may have no bounds, such numbers are none.
    pub fn span(&self, lo: i128, hi: i128) -> Option<(i64, i64)> {
        let far = i128::from(FAR);
        if lo >= -far && hi <= far {
            return Some((lo as i64, hi as i64));
        }
        let end = |value: i128| match (-far..=far).contains(&value) {
            true => value as i64,
            false => WIDE * value.signum() as i64,
        };
        self.wide.then(|| (end(lo), end(hi)))
    }

    /// A number between two bounds: the least, where there is one.
    pub fn least(lo: i64, hi: i64) -> i64 {
        match (lo > -WIDE, hi < WIDE) {
            (true, _) => lo,
            (false, true) => hi,
            (false, false) => 0,
        }
    }

    /// Takes fixed variables out of a sum.
    fn simplify(&self, lin: &Lin) -> Lin {
        let mut simple = Lin::number(lin.k);
        for (c, x) in &lin.terms {
            let domain = &self.domains[*x as usize];
            if domain.lo == domain.hi {
                simple.k = simple.k.saturating_add(c.saturating_mul(domain.lo));
            } else {
                simple.terms.push((*c, *x));
            }
        }
        simple
    }

    /// Whether `lin` compares with 0, as a literal.
    pub fn compare(&mut self, lin: &Lin, rel: Rel) -> Lit {
        let (terms, bound) = match self.reduced(lin, rel) {
            Reduced::Lit(lit) => return lit,
            Reduced::Sum(terms, bound) => (terms, bound),
        };
        if rel == Rel::Ne {
            return !self.compare(lin, Rel::Eq);
        }
        let key = (terms, rel, bound);
        if let Some(known) = self.sums.get(&key) {
            return self.norm(*known);
        }
        let holds = self.bool();
        let (terms, rel, bound) = key.clone();
        self.constraints.push(Con::Linear {
            half: holds,
            terms: terms.clone(),
            rel,
            bound,
        });
        let opposite = match rel {
            Rel::Le => Con::Linear {
                half: !holds,
                terms: terms.iter().map(|(c, x)| (-c, *x)).collect(),
                rel: Rel::Le,
                bound: -bound - 1,
            },
            _ => Con::Linear {
                half: !holds,
                terms,
                rel: Rel::Ne,
                bound,
            },
        };
        self.constraints.push(opposite);
        self.sums.insert(key, holds);
        holds
    }

    /// When `half` holds, `lin` compares with 0.
    pub fn imply(&mut self, half: Lit, lin: &Lin, rel: Rel) {
        match self.reduced(lin, rel) {
            Reduced::Lit(lit) => self.clause([!half, lit]),
            Reduced::Sum(terms, bound) => match self.norm(half) {
                Lit::False => {}
                half => self.constraints.push(Con::Linear {
                    half,
                    terms,
                    rel,
                    bound,
                }),
            },
        }
    }

    fn reduced(&mut self, lin: &Lin, rel: Rel) -> Reduced {
        let mut lin = self.simplify(lin);
        self.is_beyond |= self.wide && lin.k.abs() > FAR;
        let (lo, hi) = self.bounds(&lin);
        let decided = match rel {
            Rel::Le if hi <= 0 => Some(true),
            Rel::Le if lo > 0 => Some(false),
            Rel::Eq if lo > 0 || hi < 0 => Some(false),
            Rel::Ne if lo > 0 || hi < 0 => Some(true),
            Rel::Eq if lo == 0 && hi == 0 => Some(true),
            Rel::Ne if lo == 0 && hi == 0 => Some(false),
            _ => None,
        };
        if let Some(decided) = decided {
            return Reduced::Lit(decided.into());
        }
        let divisor = lin.terms.iter().fold(0, |d, (c, _)| gcd(d, c.abs()));
        let mut bound = -lin.k;
        if divisor > 1 {
            if bound % divisor != 0 {
                match rel {
                    Rel::Eq => return Reduced::Lit(Lit::False),
                    Rel::Ne => return Reduced::Lit(Lit::True),
                    Rel::Le => {}
                }
            }
            bound = bound.div_euclid(divisor);
            for (c, _) in &mut lin.terms {
                *c /= divisor;
            }
        }
        if rel != Rel::Le && lin.terms.first().is_some_and(|(c, _)| *c < 0) {
            bound = -bound;
            for (c, _) in &mut lin.terms {
                *c = -*c;
            }
        }
        // A number where integers without bounds were cut decides nothing.
        self.is_beyond |= self.wide && bound.abs() > FAR;
        if let [(c, x)] = lin.terms.as_slice() {
            let lit = match (rel, *c > 0) {
                (Rel::Le, true) => Lit::Le(*x, bound),
                (Rel::Le, false) => Lit::Ge(*x, -bound),
                (Rel::Eq, _) => Lit::Eq(*x, bound),
                (Rel::Ne, _) => Lit::Ne(*x, bound),
            };
            return Reduced::Lit(self.norm(lit));
        }
        Reduced::Sum(lin.terms, bound)
    }
}

enum Reduced {
    Lit(Lit),
    Sum(Vec<(i64, Var)>, i64),
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
