//! Why no values of the constants satisfy the properties: a smallest set of conjuncts that contradict each other.
//!
//! Technique: deletion in chunks (Zeller's delta debugging, for a monotone property): a chunk of conjuncts is left out
//! for good when the rest has no solution either; chunks shrink to single conjuncts, and the last round is repeated
//! until nothing more can be left out. A constant counts only while a conjunct mentions it, so the types of others
//! drop out as well.
//! Invariant: the conjuncts that remain were shown to have no solution together; `is_minimal` is claimed only when
//! each of them was shown to be needed.

use lang_math::Op;
use model::{ExprId, Model};

use super::{Compiled, build};
use crate::Options;
use crate::code::Compiler;
use crate::cx::Cx;
use crate::plan::Unknown;
use crate::planner::{Manner, Undefined};
use crate::solving::{BRIEF, inner};

/// Conjuncts that contradict each other.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The conjuncts, in the order of the text.
    pub conjuncts: Vec<ExprId>,
    /// Whether leaving out any of them leaves a solution.
    pub is_minimal: bool,
}

impl Compiled {
    /// Conjuncts of the properties without a common solution; `None` when that could not be shown.
    pub fn conflict(&self, model: &Model) -> Option<Conflict> {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            ..Options::default()
        };
        let program = build::program(model, &options);
        let compiler = Compiler::new(model, &program);
        compiler.patience.set(0.0);
        let trial = |conjuncts: &[ExprId]| {
            let unknowns = constants_of(&compiler, conjuncts);
            self.has_solution(&compiler, &unknowns, conjuncts, BRIEF)
        };
        let mut left: Vec<ExprId> = model
            .properties
            .iter()
            .flat_map(|property| compiler.chain(Op::And, property.predicate))
            .collect();
        if trial(&left) != Some(false) {
            return None;
        }
        let mut size = left.len().div_ceil(2);
        let mut is_minimal;
        loop {
            let before = left.len();
            is_minimal = true;
            let mut at = left.len();
            while at > 0 {
                // Later conjuncts first: types come first in most texts and are needed longest.
                let from = at.saturating_sub(size);
                let rest: Vec<ExprId> = left[..from].iter().chain(&left[at..]).copied().collect();
                match trial(&rest) {
                    Some(false) => left = rest,
                    Some(true) => {}
                    None => is_minimal = false,
                }
                at = from;
            }
            if size == 1 && left.len() == before {
                break;
            }
            size = size.div_ceil(2);
        }
        Some(Conflict {
            conjuncts: left,
            is_minimal,
        })
    }

    /// Whether conjuncts over typed unknowns (constants, variables and locals alike) have a common solution; `None`
    /// when that was not found out with so much work, in units of some nanoseconds. Whatever else they mention has no
    /// value. `model` is the compiled one, possibly with formulas added since.
    pub fn satisfiable(
        &self,
        model: &Model,
        unknowns: &[model_solve::Unknown],
        conjuncts: &[ExprId],
        work: u64,
    ) -> Option<bool> {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            ..Options::default()
        };
        let program = build::program(model, &options);
        let compiler = Compiler::new(model, &program);
        compiler.patience.set(0.0);
        let unknowns: Vec<Unknown> = unknowns.iter().map(|u| inner(*u)).collect();
        let conjuncts: Vec<ExprId> = conjuncts
            .iter()
            .flat_map(|conjunct| compiler.chain(Op::And, *conjunct))
            .collect();
        self.has_solution(&compiler, &unknowns, &conjuncts, work)
    }

    fn has_solution(
        &self,
        compiler: &Compiler<'_>,
        unknowns: &[Unknown],
        conjuncts: &[ExprId],
        work: u64,
    ) -> Option<bool> {
        let manner = Manner {
            undefined: Undefined::Fault,
            chooses: false,
            relaxed: true,
            place: 0,
        };
        let plan = compiler.plan(unknowns, conjuncts, manner);
        let mut cx = Cx::new(compiler.program, &self.table);
        cx.load_state(&vec![0; compiler.program.slots.len()]);
        plan.has_solution(&mut cx, work)
    }
}

/// The constants that conjuncts mention.
fn constants_of(compiler: &Compiler<'_>, conjuncts: &[ExprId]) -> Vec<Unknown> {
    let mut unknowns: Vec<Unknown> = conjuncts
        .iter()
        .flat_map(|conjunct| compiler.facts.of(*conjunct).vars.clone())
        .map(|var| Unknown::Slot(var.index()))
        .collect();
    unknowns.sort_unstable();
    unknowns.dedup();
    unknowns
}
