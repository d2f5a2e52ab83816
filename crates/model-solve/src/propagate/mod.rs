//! Propagation to a fixed point: what every constraint says of the domains, until nothing changes.
//!
//! Technique: event-driven queue with two priorities (Schulte and Stuckey 2008); clauses by two watched
//! literals; the other constraints are woken by the events that matter to them.
//! Invariant: a value that is removed is in no solution below the current node; when all variables have one
//! value, every constraint was checked on them.

mod arithmetic;
mod different;
mod endless;
mod linear;

use crate::flat::{Con, Lit, Problem, Rel, Var};
use crate::store::{BOUND, CHANGED, Conflict, FIXED, Store};

/// Work at one node after which bounds are taken to climb for ever (`x < y & y < x` without bounds).
const CLIMB: u64 = 20_000_000;

/// What a check of a conjunct on values says.
pub type Checker<'c> = dyn FnMut(usize, &Store) -> bool + 'c;

struct Watch {
    clause: u32,
    lit: Lit,
}

/// Domains and the constraints over them.
pub struct Engine {
    /// The domains.
    pub store: Store,
    constraints: Vec<Con>,
    watches: Vec<Vec<Watch>>,
    wakes: Vec<Vec<(u32, u8)>>,
    queued: Vec<bool>,
    fast: Vec<u32>,
    slow: Vec<u32>,
    /// How often a constraint over each variable failed.
    pub weights: Vec<u32>,
    scratch: different::Scratch,
    /// How many constraints were looked at: the measure of work.
    pub steps: u64,
}

impl Engine {
    /// The constraints of a problem, not yet propagated.
    pub fn new(problem: &Problem) -> Engine {
        let vars = problem.domains.len();
        let mut engine = Engine {
            store: Store::new(&problem.domains),
            constraints: problem.constraints.clone(),
            watches: (0..vars).map(|_| Vec::new()).collect(),
            wakes: vec![Vec::new(); vars],
            queued: vec![false; problem.constraints.len()],
            fast: Vec::new(),
            slow: Vec::new(),
            weights: vec![1; vars],
            scratch: different::Scratch::default(),
            steps: 0,
        };
        for i in 0..engine.constraints.len() {
            engine.attach(i as u32);
        }
        engine
    }

    fn attach(&mut self, i: u32) {
        let con = &mut self.constraints[i as usize];
        match con {
            Con::Clause(lits) => {
                // Literals that are false from the start are never watched while others are left.
                lits.sort_by_key(|lit| self.store.truth(*lit) == Some(false));
                for lit in lits.iter().take(2) {
                    if let Some(x) = lit.var() {
                        self.watches[x as usize].push(Watch {
                            clause: i,
                            lit: *lit,
                        });
                    }
                }
            }
            Con::Linear {
                half, terms, rel, ..
            } => {
                let event = if *rel == Rel::Ne { FIXED } else { BOUND };
                for (_, x) in terms {
                    self.wakes[*x as usize].push((i, event));
                }
                if let Some(x) = half.var() {
                    self.wakes[x as usize].push((i, CHANGED));
                }
            }
            Con::Different(vars) => {
                for x in vars {
                    self.wakes[*x as usize].push((i, CHANGED));
                }
            }
            Con::Times(z, x, y) | Con::Divide(z, x, y) | Con::Modulo(z, x, y) => {
                for v in [z, x, y] {
                    self.wakes[*v as usize].push((i, BOUND));
                }
            }
            Con::Check(_, vars) => {
                for x in vars {
                    self.wakes[*x as usize].push((i, FIXED));
                }
            }
        }
        self.schedule(i);
    }

    fn schedule(&mut self, i: u32) {
        if std::mem::replace(&mut self.queued[i as usize], true) {
            return;
        }
        match self.constraints[i as usize] {
            Con::Different(_) | Con::Check(..) => self.slow.push(i),
            _ => self.fast.push(i),
        }
    }

    /// Propagates until nothing changes.
    pub fn propagate(&mut self, check: &mut Checker<'_>) -> Result<(), Conflict> {
        let result = self.run(check);
        if result.is_err() {
            for i in self.fast.drain(..).chain(self.slow.drain(..)) {
                self.queued[i as usize] = false;
            }
            for x in self.store.dirty.drain(..) {
                self.store.events[x as usize] = 0;
            }
        }
        result
    }

    fn run(&mut self, check: &mut Checker<'_>) -> Result<(), Conflict> {
        let most = self.steps.saturating_add(CLIMB);
        loop {
            while let Some(x) = self.store.dirty.pop() {
                let event = std::mem::take(&mut self.store.events[x as usize]);
                self.clauses_of(x)?;
                let wakes = std::mem::take(&mut self.wakes[x as usize]);
                for (i, wanted) in &wakes {
                    if event & wanted != 0 {
                        self.schedule(*i);
                    }
                }
                self.wakes[x as usize] = wakes;
            }
            let next = self.fast.pop().or_else(|| {
                // Oldest first, so that none starves.
                (!self.slow.is_empty()).then(|| self.slow.remove(0))
            });
            let Some(i) = next else {
                return Ok(());
            };
            self.queued[i as usize] = false;
            self.steps += 1;
            if self.store.is_wide && self.steps > most {
                self.store.is_beyond = true;
                return Err(Conflict);
            }
            let con = &self.constraints[i as usize];
            let store = &mut self.store;
            let result = match con {
                Con::Clause(lits) => all_but_one(lits, store),
                Con::Linear {
                    half,
                    terms,
                    rel,
                    bound,
                } => {
                    self.steps += terms.len() as u64;
                    let is_wide = store.is_wide && *rel != Rel::Ne;
                    let propagate = match is_wide {
                        true => endless::propagate,
                        false => linear::propagate,
                    };
                    propagate(store, *half, terms, *rel, *bound)
                }
                Con::Different(vars) => {
                    self.steps += vars.len() as u64;
                    let result = different::propagate(store, vars, &mut self.scratch);
                    self.steps += std::mem::take(&mut self.scratch.edges);
                    result
                }
                Con::Times(z, x, y) => arithmetic::times(store, *z, *x, *y),
                Con::Divide(z, x, y) => arithmetic::divide(store, *z, *x, *y),
                Con::Modulo(z, x, y) => arithmetic::modulo(store, *z, *x, *y),
                Con::Check(number, vars) => {
                    if vars.iter().all(|x| store.fixed(*x).is_some()) && !check(*number, store) {
                        Err(Conflict)
                    } else {
                        Ok(())
                    }
                }
            };
            if result.is_err() {
                self.blame(i);
                return result;
            }
        }
    }

    /// Remembers that a constraint failed.
    fn blame(&mut self, i: u32) {
        let weights = &mut self.weights;
        let mut add = |x: Var| weights[x as usize] = weights[x as usize].saturating_add(1);
        match &self.constraints[i as usize] {
            Con::Clause(lits) => lits.iter().filter_map(|lit| lit.var()).for_each(add),
            Con::Linear { half, terms, .. } => {
                terms.iter().for_each(|(_, x)| add(*x));
                half.var().into_iter().for_each(add);
            }
            Con::Different(vars) | Con::Check(_, vars) => vars.iter().copied().for_each(add),
            Con::Times(z, x, y) | Con::Divide(z, x, y) | Con::Modulo(z, x, y) => {
                [*z, *x, *y].into_iter().for_each(add);
            }
        }
    }

    /// Looks at the clauses that watch a literal of `x`.
    fn clauses_of(&mut self, x: Var) -> Result<(), Conflict> {
        let mut watches = std::mem::take(&mut self.watches[x as usize]);
        let mut result = Ok(());
        let mut kept = 0;
        let mut at = 0;
        while at < watches.len() {
            let watch = &watches[at];
            let (clause, lit) = (watch.clause, watch.lit);
            at += 1;
            let moved = result.is_ok()
                && self.store.truth(lit) == Some(false)
                && match self.rewatch(clause, lit) {
                    Ok(moved) => moved,
                    Err(conflict) => {
                        self.blame(clause);
                        result = Err(conflict);
                        false
                    }
                };
            if !moved {
                watches.swap(kept, at - 1);
                kept += 1;
            }
        }
        watches.truncate(kept);
        // A clause never comes to watch another literal of a variable while that variable is looked at,
        // unless it has several about it.
        watches.append(&mut self.watches[x as usize]);
        self.watches[x as usize] = watches;
        result
    }

    /// Finds another literal to watch; `false` when the clause still watches `lit`.
    fn rewatch(&mut self, clause: u32, lit: Lit) -> Result<bool, Conflict> {
        self.steps += 1;
        let Con::Clause(lits) = &mut self.constraints[clause as usize] else {
            return Ok(false);
        };
        let slot = usize::from(lits[0] != lit);
        let other = lits[1 - slot];
        if self.store.truth(other) == Some(true) {
            return Ok(false);
        }
        for k in 2..lits.len() {
            let candidate = lits[k];
            if self.store.truth(candidate) != Some(false) {
                lits.swap(slot, k);
                if let Some(x) = candidate.var() {
                    self.watches[x as usize].push(Watch {
                        clause,
                        lit: candidate,
                    });
                }
                return Ok(true);
            }
        }
        self.store.set(other).map(|()| false)
    }
}

/// Sets the last literal that is not false.
fn all_but_one(lits: &[Lit], store: &mut Store) -> Result<(), Conflict> {
    let mut open = None;
    for lit in lits {
        match store.truth(*lit) {
            Some(true) => return Ok(()),
            Some(false) => {}
            None if open.is_some() => return Ok(()),
            None => open = Some(*lit),
        }
    }
    store.set(open.unwrap_or(Lit::False))
}
