//! The flat problem that every back end solves: bounded integers, and constraints over literals about them.
//!
//! Technique: the atomic constraints of lazy clause generation (Ohrimenko, Stuckey, Codish 2009): a truth value
//! is a literal `x <= k`, `x >= k`, `x = k` or `x /= k` over a bounded integer, so a boolean is an integer
//! between 0 and 1, and "the function has value v at a" needs no variable of its own.
//! Invariant: a literal is in normal form for the domain that its variable has when it is made: what the domain
//! decides is `True` or `False`, and a literal of a boolean is a bound.

mod domain;
mod linear;
mod sums;

pub use domain::Domain;
pub use linear::Lin;

use rustc_hash::FxHashMap;

/// Names a bounded integer.
pub type Var = u32;

/// The widest domain whose values are kept one by one.
pub const LISTED: i64 = 4096;

/// Numbers beyond this are not handled: sums of a few of them still fit a machine word.
pub const FAR: i64 = 1 << 40;

/// A bound beyond this is none. So far from [`FAR`] that no sum of handled numbers comes near.
pub const WIDE: i64 = 1 << 50;

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lit {
    /// Holds.
    True,
    /// Does not hold.
    False,
    /// `x <= k`
    Le(Var, i64),
    /// `x >= k`
    Ge(Var, i64),
    /// `x = k`
    Eq(Var, i64),
    /// `x /= k`
    Ne(Var, i64),
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        match self {
            Lit::True => Lit::False,
            Lit::False => Lit::True,
            Lit::Le(x, k) => Lit::Ge(x, k + 1),
            Lit::Ge(x, k) => Lit::Le(x, k - 1),
            Lit::Eq(x, k) => Lit::Ne(x, k),
            Lit::Ne(x, k) => Lit::Eq(x, k),
        }
    }
}

impl Lit {
    /// The variable it is about.
    pub fn var(self) -> Option<Var> {
        match self {
            Lit::True | Lit::False => None,
            Lit::Le(x, _) | Lit::Ge(x, _) | Lit::Eq(x, _) | Lit::Ne(x, _) => Some(x),
        }
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        if value { Lit::True } else { Lit::False }
    }
}

/// How a sum compares with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rel {
    /// At most.
    Le,
    /// Equal.
    Eq,
    /// Different.
    Ne,
}

/// A constraint.
#[derive(Clone, Debug)]
pub enum Con {
    /// One of the literals holds.
    Clause(Vec<Lit>),
    /// When `half` holds, the sum of the terms compares with the bound.
    Linear {
        /// When it counts.
        half: Lit,
        /// Factors and variables.
        terms: Vec<(i64, Var)>,
        /// How it compares.
        rel: Rel,
        /// With what.
        bound: i64,
    },
    /// The variables have different values.
    Different(Vec<Var>),
    /// `z = x * y`
    Times(Var, Var, Var),
    /// `z = x / y`, cut towards zero; `y` is never 0.
    Divide(Var, Var, Var),
    /// `z = x mod y`; `x` is never negative and `y` always positive.
    Modulo(Var, Var, Var),
    /// The conjunct of this number holds, to be asked when all variables have a value.
    Check(usize, Vec<Var>),
}

/// A sum, how it compares, and with what.
type Comparison = (Vec<(i64, Var)>, Rel, i64);

/// A problem, and what builds it.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The domains of the variables.
    pub domains: Vec<Domain>,
    /// What they satisfy.
    pub constraints: Vec<Con>,
    /// Whether integers may have no bounds: then a search may come to no end, and says so.
    pub wide: bool,
    /// Whether some of them stand for values that have no form here: nobody may choose these.
    pub opaque: bool,
    /// Whether a number came up that is not handled, so that what was built says nothing.
    pub is_beyond: bool,
    /// Whether it has no solution for a reason found while building it.
    pub failed: bool,
    ands: FxHashMap<Vec<Lit>, Lit>,
    sums: FxHashMap<Comparison, Lit>,
    bools: FxHashMap<Lit, Var>,
    /// Old domains, while changes may have to be undone.
    log: Option<Vec<(Var, Domain)>>,
}

/// A place to come back to.
#[derive(Debug)]
pub struct Mark {
    vars: usize,
    constraints: usize,
    failed: bool,
}

impl Problem {
    /// A new variable.
    pub fn var(&mut self, lo: i64, hi: i64) -> Var {
        self.failed |= lo > hi;
        let domain = Domain::range(lo.max(-WIDE), hi.min(WIDE));
        self.domains.push(domain);
        (self.domains.len() - 1) as Var
    }

    /// Where building stands now.
    pub fn mark(&mut self) -> Mark {
        self.log = Some(Vec::new());
        Mark {
            vars: self.domains.len(),
            constraints: self.constraints.len(),
            failed: self.failed,
        }
    }

    /// Takes back everything since a mark.
    pub fn roll_back(&mut self, mark: Mark) {
        for (x, domain) in self.log.take().unwrap_or_default().into_iter().rev() {
            self.domains[x as usize] = domain;
        }
        self.domains.truncate(mark.vars);
        self.constraints.truncate(mark.constraints);
        self.failed = mark.failed;
        // What was remembered may speak of variables that are gone.
        self.ands.clear();
        self.sums.clear();
        self.bools.clear();
    }

    /// Changes need not be undone any more.
    pub fn forget(&mut self) {
        self.log = None;
    }

    /// A new boolean.
    pub fn bool(&mut self) -> Lit {
        Lit::Ge(self.var(0, 1), 1)
    }

    /// The literal in normal form.
    pub fn norm(&self, lit: Lit) -> Lit {
        let Some(x) = lit.var() else {
            return lit;
        };
        let domain = &self.domains[x as usize];
        let (lo, hi) = (domain.lo, domain.hi);
        match lit {
            Lit::Le(_, k) if k >= hi => Lit::True,
            Lit::Le(_, k) if k < lo => Lit::False,
            Lit::Ge(_, k) if k <= lo => Lit::True,
            Lit::Ge(_, k) if k > hi => Lit::False,
            Lit::Eq(_, k) if !domain.contains(k) => Lit::False,
            Lit::Ne(_, k) if !domain.contains(k) => Lit::True,
            Lit::Eq(_, _) if lo == hi => Lit::True,
            Lit::Ne(_, _) if lo == hi => Lit::False,
            Lit::Eq(x, k) if k == lo => Lit::Le(x, k),
            Lit::Eq(x, k) if k == hi => Lit::Ge(x, k),
            Lit::Ne(x, k) if k == lo => Lit::Ge(x, k + 1),
            Lit::Ne(x, k) if k == hi => Lit::Le(x, k - 1),
            lit => lit,
        }
    }

    /// The literal holds in every solution.
    pub fn post(&mut self, lit: Lit) {
        let lit = self.norm(lit);
        if let (Some(log), Some(x)) = (&mut self.log, lit.var()) {
            log.push((x, self.domains[x as usize].clone()));
        }
        match lit {
            Lit::True => return,
            Lit::False => {
                self.failed = true;
                return;
            }
            Lit::Le(x, k) => self.domains[x as usize].hi = k,
            Lit::Ge(x, k) => self.domains[x as usize].lo = k,
            Lit::Eq(x, k) => {
                let domain = &mut self.domains[x as usize];
                domain.lo = k;
                domain.hi = k;
            }
            Lit::Ne(x, k) => {
                let domain = &mut self.domains[x as usize];
                if domain.hi - domain.lo < LISTED {
                    domain.remove(k);
                } else {
                    self.constraints.push(Con::Clause(vec![Lit::Ne(x, k)]));
                }
                return;
            }
        }
        if let Some(x) = lit.var() {
            self.domains[x as usize].tighten();
        }
    }

    /// One of the literals holds.
    pub fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = Vec::new();
        for lit in lits {
            match self.norm(lit) {
                Lit::True => return,
                Lit::False => {}
                lit => clause.push(lit),
            }
        }
        clause.sort_unstable();
        clause.dedup();
        if clause
            .iter()
            .any(|lit| clause.binary_search(&self.norm(!*lit)).is_ok())
        {
            return;
        }
        match clause.as_slice() {
            [] => self.failed = true,
            [lit] => self.post(*lit),
            _ => self.constraints.push(Con::Clause(clause)),
        }
    }

    /// All of them.
    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut parts: Vec<Lit> = Vec::new();
        for lit in lits {
            match self.norm(lit) {
                Lit::True => {}
                Lit::False => return Lit::False,
                lit => parts.push(lit),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        match parts.as_slice() {
            [] => return Lit::True,
            [lit] => return *lit,
            _ => {}
        }
        if parts
            .iter()
            .any(|lit| parts.binary_search(&self.norm(!*lit)).is_ok())
        {
            return Lit::False;
        }
        if let [Lit::Ge(x, a), Lit::Le(y, b)] | [Lit::Le(y, b), Lit::Ge(x, a)] = parts.as_slice()
            && x == y
        {
            if a > b {
                return Lit::False;
            }
            if a == b {
                return self.norm(Lit::Eq(*x, *a));
            }
        }
        if let Some(known) = self.ands.get(&parts) {
            return self.norm(*known);
        }
        let all = self.bool();
        for part in &parts {
            self.clause([!all, *part]);
        }
        let other: Vec<Lit> = parts.iter().map(|part| !*part).chain([all]).collect();
        self.clause(other);
        self.ands.insert(parts, all);
        all
    }

    /// One of them.
    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let parts: Vec<Lit> = lits.into_iter().map(|lit| !lit).collect();
        !self.and(parts)
    }

    /// Both or neither.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (self.norm(a), self.norm(b));
        if a == b {
            return Lit::True;
        }
        if a == self.norm(!b) {
            return Lit::False;
        }
        match (a, b) {
            (Lit::True, other) | (other, Lit::True) => other,
            (Lit::False, other) | (other, Lit::False) => !other,
            _ => {
                let both = self.and([a, b]);
                let none = self.and([!a, !b]);
                self.or([both, none])
            }
        }
    }

    /// A variable that is 1 when the literal holds and 0 otherwise, as a sum.
    pub fn count(&mut self, lit: Lit) -> Lin {
        let lit = self.norm(lit);
        match lit {
            Lit::True => return Lin::number(1),
            Lit::False => return Lin::number(0),
            Lit::Ge(x, 1) if self.is_bool(x) => return Lin::var(x),
            Lit::Le(x, 0) if self.is_bool(x) => {
                return Lin {
                    terms: vec![(-1, x)],
                    k: 1,
                };
            }
            _ => {}
        }
        if let Some(known) = self.bools.get(&lit) {
            return Lin::var(*known);
        }
        let x = self.var(0, 1);
        self.clause([Lit::Le(x, 0), lit]);
        self.clause([Lit::Ge(x, 1), !lit]);
        self.bools.insert(lit, x);
        Lin::var(x)
    }

    fn is_bool(&self, x: Var) -> bool {
        let domain = &self.domains[x as usize];
        domain.lo >= 0 && domain.hi <= 1
    }
}
