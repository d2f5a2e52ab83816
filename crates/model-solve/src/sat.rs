//! Solves a flat problem with a SAT solver: for what is combinatorial and defeats propagation.
//!
//! Technique: order encoding (Tamura and others 2009): `x >= k` is a variable, `x = k` one more where it is needed.
//! Sums become chains of partial sums in the same encoding; products are tables; all-different gets "every value is
//! taken" where there are as many values as variables. Solver: BatSat, a MiniSat [Eén, Sörensson 2003] in Rust, incremental.
//! Invariant: the clauses have the solutions of the problem, projected to its variables; a solution that was given is
//! blocked on the decided variables before the next one is looked for.

mod constraints;
mod solver;

pub(crate) use solver::{Sat, Sink};

use rustc_hash::FxHashMap;

use crate::decode::Numbers;
use crate::flat::{Lit, Problem, Var};
use crate::search::End;

/// The most literals and clauses that are built.
const MOST: usize = 6_000_000;

/// What was encoded.
pub struct Encoding<S = Sat> {
    /// Who took the clauses.
    pub(crate) solver: S,
    domains: Vec<(i64, i64)>,
    /// The literal of `x >= lo + 1`, the others follow; 0 for a fixed variable.
    order: Vec<i32>,
    equal: FxHashMap<(Var, i64), i32>,
    next: i32,
    clauses: usize,
    checks: Vec<(usize, Vec<Var>)>,
}

/// The problem is too large, or holds what has no encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl<S: Sink> Encoding<S> {
    /// Encodes a problem.
    pub fn new(problem: &Problem) -> Result<Encoding<S>, TooLarge> {
        let mut encoding = Encoding {
            solver: S::default(),
            domains: problem.domains.iter().map(|d| (d.lo, d.hi)).collect(),
            order: Vec::with_capacity(problem.domains.len()),
            equal: FxHashMap::default(),
            next: 1,
            clauses: 0,
            checks: Vec::new(),
        };
        encoding.clause(&[1])?;
        for domain in &problem.domains {
            encoding.variable(domain.lo, domain.hi)?;
        }
        for (x, domain) in problem.domains.iter().enumerate() {
            if domain.bits.is_some() {
                for value in domain.lo..=domain.hi {
                    if !domain.contains(value) {
                        let gone = encoding.lit(Lit::Ne(x as Var, value));
                        encoding.clause(&[gone])?;
                    }
                }
            }
        }
        for con in &problem.constraints {
            encoding.constraint(con, problem)?;
        }
        Ok(encoding)
    }

    fn variable(&mut self, lo: i64, hi: i64) -> Result<(), TooLarge> {
        let width = hi.checked_sub(lo).filter(|w| (0..MOST as i64).contains(w));
        let width = width.ok_or(TooLarge)? as usize;
        if self.next as usize + width > MOST {
            return Err(TooLarge);
        }
        if width == 0 {
            self.order.push(0);
            return Ok(());
        }
        let first = self.next + 1;
        self.order.push(first);
        self.next += width as i32;
        for i in 1..width as i32 {
            self.clause(&[-(first + i), first + i - 1])?;
        }
        Ok(())
    }

    fn fresh(&mut self) -> i32 {
        self.next += 1;
        self.next
    }

    fn clause(&mut self, lits: &[i32]) -> Result<(), TooLarge> {
        if lits.contains(&1) && lits.len() > 1 {
            return Ok(());
        }
        self.clauses += 1;
        if self.clauses > MOST {
            return Err(TooLarge);
        }
        self.solver.clause(lits);
        Ok(())
    }

    /// `x >= k`
    fn at_least(&self, x: Var, k: i64) -> i32 {
        let (lo, hi) = self.domains[x as usize];
        if k <= lo {
            1
        } else if k > hi {
            -1
        } else {
            self.order[x as usize] + (k - lo - 1) as i32
        }
    }

    fn lit(&mut self, lit: Lit) -> i32 {
        match lit {
            Lit::True => 1,
            Lit::False => -1,
            Lit::Ge(x, k) => self.at_least(x, k),
            Lit::Le(x, k) => -self.at_least(x, k + 1),
            Lit::Ne(x, k) => -self.lit(Lit::Eq(x, k)),
            Lit::Eq(x, k) => {
                let (from, beyond) = (self.at_least(x, k), self.at_least(x, k + 1));
                match (from, beyond) {
                    (-1, _) | (_, 1) => return -1,
                    (1, other) => return -other,
                    (other, -1) => return other,
                    _ => {}
                }
                if let Some(known) = self.equal.get(&(x, k)) {
                    return *known;
                }
                let equal = self.fresh();
                self.equal.insert((x, k), equal);
                // Three short clauses: the limit is checked with the next longer one.
                self.clauses += 3;
                self.solver.clause(&[-equal, from]);
                self.solver.clause(&[-equal, -beyond]);
                self.solver.clause(&[equal, -from, beyond]);
                equal
            }
        }
    }
}

impl Encoding {
    /// Gives every solution of the decided variables; like `search::search`. The work allowed is counted in
    /// conflicts since the last solution.
    pub fn search(
        &mut self,
        (decided, allowed): (&[Var], u64),
        probe: Box<dyn Fn() -> bool>,
        check: &mut dyn FnMut(usize, &dyn Numbers) -> bool,
        poll: &mut dyn FnMut() -> bool,
        give: &mut dyn FnMut(&dyn Numbers) -> bool,
    ) -> End {
        self.solver.allow(allowed, Some(probe));
        loop {
            match self.solver.solve() {
                None if poll() || self.solver.was_stopped() => return End::Stopped,
                None => return End::Budget,
                Some(false) => return End::Exhausted,
                Some(true) => {}
            }
            let found = self.read();
            let wrong = self
                .checks
                .iter()
                .find(|(number, _)| !check(*number, &found))
                .map(|(_, vars)| vars.clone());
            let blocked = match &wrong {
                Some(vars) => vars.as_slice(),
                None => decided,
            };
            if wrong.is_none() {
                self.solver.start_over();
                if !give(&found) {
                    return End::Stopped;
                }
            } else {
                // Many wrong guesses are work as well.
                self.solver.charge();
            }
            let clause: Vec<i32> = blocked
                .iter()
                .map(|x| self.lit(Lit::Ne(*x, found.number(*x))))
                .filter(|lit| *lit != -1)
                .collect();
            if clause.is_empty() {
                return End::Exhausted;
            }
            self.solver.clause(&clause);
            if poll() {
                return End::Stopped;
            }
        }
    }

    /// Excludes a valuation of variables.
    pub fn block(&mut self, values: &[(Var, i64)]) {
        let clause: Vec<i32> = values
            .iter()
            .map(|(x, value)| self.lit(Lit::Ne(*x, *value)))
            .filter(|lit| *lit != -1)
            .collect();
        self.solver.clause(&clause);
    }

    fn read(&mut self) -> Found {
        let mut numbers = Vec::with_capacity(self.domains.len());
        for x in 0..self.domains.len() {
            let (mut low, mut high) = self.domains[x];
            while low < high {
                let middle = low + (high - low + 1) / 2;
                let lit = self.at_least(x as Var, middle);
                if self.solver.is_true(lit) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            numbers.push(low);
        }
        Found(numbers)
    }
}

struct Found(Vec<i64>);

impl Numbers for Found {
    fn number(&self, x: Var) -> i64 {
        self.0[x as usize]
    }
}
