//! Checks branching formulas (CTL) on the whole graph of a system.
//!
//! Each part of a formula becomes the set of states where it holds: least fixed points by search backwards, greatest
//! ones by removing states that lost their last successor [Clarke, Emerson, Sistla 1986]; each part is linear in the
//! graph. At a deadlock paths end: `EX φ` is false there, and `EG φ` is true if φ is.
//! An atom without a value is read both ways (Bruns, Godefroid 1999): where both readings agree there is a verdict,
//! otherwise the atom is a fault.
//! Invariant: evidence is a path; where no single path shows why, the marks say so.

pub(crate) mod evidence;
mod fixed_points;
mod formula;
mod in_graph;

pub use formula::Ctl;

use crate::liveness::space::{Edge, Space, Trouble};
use crate::liveness::{Effort, Outcome, Verdict};
use evidence::Why;
use fixed_points::{Graph, Sets};
use in_graph::InGraph;

impl Space<'_> {
    /// Checks a branching formula: it must hold in every initial state.
    pub fn check_branching(&mut self, formula: &Ctl) -> Outcome {
        let mut effort = Effort::default();
        let verdict = self.judge(formula, &mut effort).unwrap_or_else(|end| end);
        self.busy_bytes = 0;
        Outcome { verdict, effort }
    }

    fn judge(&mut self, formula: &Ctl, effort: &mut Effort) -> Result<Verdict, Verdict> {
        self.start()?;
        let explored = self.explore_all();
        explored.map_err(|trouble| self.explain(trouble))?;
        // What is not known in full has no answer here: a cut may hide a successor.
        let open = self.reasons();
        if !open.is_empty() {
            return Ok(Verdict::Open(open));
        }
        let graph = Graph::new(self);
        self.busy_bytes = graph.bytes();
        let accounted = self.account();
        accounted.map_err(|stopped| self.explain(stopped.into()))?;
        effort.product_states = self.len() as u64;
        effort.faults = self.passed_faults();
        let sets = Sets::new(self, &graph, formula);
        let sets = sets.map_err(|stopped| self.explain(stopped.into()))?;
        let initial: Vec<u32> = self.initial.iter().map(|(state, _)| *state).collect();
        if let Some(state) = initial.iter().find(|state| !sets.may_hold(0, **state)) {
            let why = why(self, &sets, formula, *state, false);
            return Ok(Verdict::Violated(why.evidence(self)));
        }
        if let Some(state) = initial.iter().find(|state| !sets.must_hold(0, **state)) {
            let trouble = sets.undefined(self, formula, *state);
            return Ok(self.explain(trouble));
        }
        let witness = initial.first().map(|state| {
            let why = why(self, &sets, formula, *state, true);
            why.is_telling().then(|| why.evidence(self))
        });
        Ok(Verdict::Holds(witness.flatten()))
    }

    /// Expands every reachable state.
    fn explore_all(&mut self) -> Result<(), Trouble> {
        let mut at = 0;
        while at < self.len() {
            self.expand(at as u32)?;
            at += 1;
        }
        Ok(())
    }
}

fn why(space: &Space<'_>, sets: &Sets, formula: &Ctl, state: u32, holds: bool) -> Why<u32, Edge> {
    Why::new(&mut InGraph { space, sets }, formula, state, holds)
}
