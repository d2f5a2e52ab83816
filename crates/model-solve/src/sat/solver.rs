//! The SAT solver: BatSat, a MiniSat [Eén, Sörensson 2003] in Rust, with counted work and the clauses it learned.
//!
//! Invariant: the answer depends on nothing but the clauses and the work allowed, unless the probe says to stop. Every learned
//! clause follows by unit propagation from those before it [Goldberg, Novikov 2003].

use std::cell::Cell;

use batsat::SolverInterface as _;

/// How often the solver asks for leave before the clock is looked at.
const LOOKS: u64 = 1_000;

/// Takes clauses.
pub trait Sink: Default {
    /// Takes one.
    fn clause(&mut self, lits: &[i32]);
}

impl Sink for Vec<Vec<i32>> {
    fn clause(&mut self, lits: &[i32]) {
        self.push(lits.to_vec());
    }
}

/// Says whether to stop.
pub type Probe = Box<dyn Fn() -> bool>;

/// The SAT solver.
#[derive(Default)]
pub struct Sat(batsat::Solver<Leave>);

impl Sat {
    /// From here on so many conflicts are allowed.
    pub fn allow(&mut self, conflicts: u64, probe: Option<Probe>) {
        let leave = self.0.cb_mut();
        leave.probe = probe;
        leave.conflicts = 0;
        leave.allowed = conflicts;
        leave.stopped.set(false);
    }

    /// Counts conflicts from zero.
    pub fn start_over(&mut self) {
        self.0.cb_mut().conflicts = 0;
    }

    /// Counts a conflict that the solver does not know of.
    pub fn charge(&mut self) {
        self.0.cb_mut().conflicts += 1;
    }

    /// Whether the clauses have a solution; `None` when the work allowed is done, or it was stopped.
    pub fn solve(&mut self) -> Option<bool> {
        let answer = self.0.solve_limited(&[]);
        (answer != batsat::lbool::UNDEF).then_some(answer == batsat::lbool::TRUE)
    }

    /// The probe said to stop.
    pub fn was_stopped(&self) -> bool {
        self.0.cb().stopped.get()
    }

    /// Whether a literal is true in the solution found last.
    pub fn is_true(&mut self, lit: i32) -> bool {
        let lit = self.lit(lit);
        self.0.value_lit(lit) == batsat::lbool::TRUE
    }

    /// Remembers the clauses that are learned.
    pub fn remember(&mut self) {
        self.0.cb_mut().learned = Some(Vec::new());
    }

    /// The clauses that were learned, in order, if they were to be remembered.
    pub fn learned(&mut self) -> Vec<Vec<i32>> {
        self.0.cb_mut().learned.take().unwrap_or_default()
    }

    fn lit(&mut self, lit: i32) -> batsat::Lit {
        batsat::Lit::new(self.0.var_of_int(lit.unsigned_abs()), lit > 0)
    }
}

impl Sink for Sat {
    fn clause(&mut self, lits: &[i32]) {
        let mut clause: Vec<batsat::Lit> = lits.iter().map(|lit| self.lit(*lit)).collect();
        self.0.add_clause_reuse(&mut clause);
    }
}

/// What the solver asks whether to go on, and tells what it learned.
#[derive(Default)]
struct Leave {
    probe: Option<Probe>,
    conflicts: u64,
    allowed: u64,
    asked: Cell<u64>,
    stopped: Cell<bool>,
    learned: Option<Vec<Vec<i32>>>,
}

impl batsat::Callbacks for Leave {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], _: batsat::clause::Kind) {
        self.conflicts += 1;
        if let Some(learned) = &mut self.learned {
            learned.push(clause.iter().map(number).collect());
        }
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get().is_multiple_of(LOOKS)
            && self.probe.as_ref().is_some_and(|probe| probe())
        {
            self.stopped.set(true);
        }
        self.stopped.get() || self.conflicts >= self.allowed
    }
}

/// A literal as a number, negative where it is negated.
fn number(lit: &batsat::Lit) -> i32 {
    let variable = lit.var().idx() as i32;
    if lit.sign() { variable } else { -variable }
}
