//! What SPIN does to a proctype unless it is told not to: dead variables are set to 0, and steps that concern nobody else are
//! merged with the step before.
//!
//! `automaton` is the graph that both look at, `dead` and `merging` decide, `uses` says what a step reads, writes and shares.
//! Reference: SPIN 6.5.2, pangen5.c. Differs: nothing that shows; SPIN's numbers are wanted, with all that is odd about them.

mod automaton;
mod dead;
mod merging;
mod uses;

use lang_promela::syntax::{ExprKind, VarId};
use rustc_hash::FxHashMap;

use crate::Lowering;
use crate::flow::{ElementId, Flow};

/// What becomes of the elements of one body.
#[derive(Debug, Default)]
pub(crate) struct Optimised {
    /// Variables that are set to 0 after a step.
    pub(crate) dead: FxHashMap<ElementId, Vec<VarId>>,
    /// Where the merged steps after a step lead.
    pub(crate) merged: FxHashMap<ElementId, ElementId>,
    /// Steps that may follow in a merged sequence.
    pub(crate) followers: FxHashMap<ElementId, ElementId>,
}

impl Lowering<'_> {
    /// SPIN's optimisations of one body; nothing unless they are asked for.
    pub(crate) fn optimised(&self, flow: &Flow<'_>) -> Optimised {
        let mut optimised = Optimised::default();
        let looked_at = |expr: &lang_promela::syntax::Expr| {
            matches!(expr.kind, ExprKind::RemoteVariable { .. })
        };
        // SPIN leaves programs alone in which one process looks at the variables of another.
        if !self.options.spin_counts || self.syntax.exprs.iter().any(|(_, expr)| looked_at(expr)) {
            return optimised;
        }
        let automaton = self.automaton(flow);
        self.dead(flow, &automaton, &mut optimised);
        if !self.facts.mentions.provided {
            self.merging(flow, &automaton, &mut optimised);
        }
        optimised
    }
}
