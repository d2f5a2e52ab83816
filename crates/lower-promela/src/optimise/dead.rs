//! Local variables that are set to 0 where they are used for the last time.
//!
//! After a read or write of a scalar local, if no path reads it before writing it. SPIN looks at the first edge of a state that
//! mentions the variable and not at those behind it; so does this.

use lang_promela::syntax::{StmtKind, Type, VarId};
use rustc_hash::FxHashSet;

use super::Optimised;
use super::automaton::Automaton;
use crate::Lowering;
use crate::flow::{ElementId, Flow, Node};

impl Lowering<'_> {
    pub(super) fn dead(&self, flow: &Flow<'_>, automaton: &Automaton, out: &mut Optimised) {
        for state in &automaton.order {
            for way in &automaton.edges[state] {
                let Some(step) = way.step else {
                    continue;
                };
                let reads = way.reads.iter().map(|var| (*var, true));
                let writes = way.writes.iter().map(|var| (*var, false));
                for (var, is_read) in reads.chain(writes) {
                    if self.can_die(var)
                        && is_dead(automaton, way.to, var)
                        && self.is_reset(flow, step, is_read)
                    {
                        let dead = out.dead.entry(step).or_default();
                        if !dead.contains(&var) {
                            dead.push(var);
                        }
                    }
                }
            }
        }
    }

    /// Scalars of processes only.
    fn can_die(&self, var: VarId) -> bool {
        matches!(self.homes.get(&var), Some(crate::Home::Local(_)))
            && !matches!(self.syntax.vars[var].ty, Type::Chan | Type::Named(_))
    }

    /// After a read only guards and receives set a variable to 0; after a write all steps that do not do so anyway.
    fn is_reset(&self, flow: &Flow<'_>, step: ElementId, is_read: bool) -> bool {
        let node = flow.elements[step].node;
        if is_read {
            return match node {
                Node::Until(..) | Node::AtMost(..) => true,
                Node::Statement(id) => {
                    matches!(
                        self.syntax.stmts[id].kind,
                        StmtKind::Expression(_) | StmtKind::Receive { .. }
                    )
                }
                _ => false,
            };
        }
        !self.sets_zero(node)
    }
}

/// Whether no path from a state reads a variable before writing it.
fn is_dead(automaton: &Automaton, from: Option<ElementId>, var: VarId) -> bool {
    let mut seen = FxHashSet::default();
    search(automaton, from, var, &mut seen)
}

fn search(
    automaton: &Automaton,
    from: Option<ElementId>,
    var: VarId,
    seen: &mut FxHashSet<ElementId>,
) -> bool {
    let Some(from) = from else {
        return true;
    };
    if !seen.insert(from) {
        return true;
    }
    let Some(ways) = automaton.edges.get(&from) else {
        return true;
    };
    for way in ways {
        if way.reads.contains(&var) {
            return false;
        }
        if way.writes.contains(&var) {
            return true;
        }
        if !base::deep::recurse(|| search(automaton, way.to, var, seen)) {
            return false;
        }
    }
    true
}
