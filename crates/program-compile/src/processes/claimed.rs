//! What stands in formulas and claims alone: processes never compute it, so it matters only where a run asks for it.

use program::{
    Act, ClaimBody, ExprId, FormulaKind, Kind, Pattern, PlaceId, Program, Root, Selector,
};
use rustc_hash::FxHashSet;

/// Expressions and places that no process computes.
#[derive(Default)]
pub(super) struct Claimed {
    pub exprs: FxHashSet<ExprId>,
    pub places: FxHashSet<PlaceId>,
}

impl Claimed {
    /// Those of a program's formulas and claims.
    pub fn new(program: &Program) -> Claimed {
        let mut claimed = Claimed::default();
        for (_, formula) in program.formulas.iter() {
            if let FormulaKind::Now(condition) = formula.kind {
                claimed.expr(program, condition);
            }
        }
        for claim in &program.claims {
            let ClaimBody::Never(graph) = &claim.body else {
                continue;
            };
            for (_, edge) in graph.edges.iter() {
                if let Act::Guard(condition) = edge.act {
                    claimed.expr(program, condition);
                }
            }
        }
        claimed
    }

    /// An expression with all that it is made of; kinds that are not looked into count as computed by processes.
    fn expr(&mut self, program: &Program, id: ExprId) {
        self.exprs.insert(id);
        match &program.exprs[id].kind {
            Kind::Read(place) | Kind::Copy(place) => self.place(program, *place),
            Kind::Unary(_, operand)
            | Kind::Ask(_, operand)
            | Kind::Enabled(operand)
            | Kind::LocationOf(operand)
            | Kind::PriorityOf(operand) => self.expr(program, *operand),
            Kind::Binary(_, a, b) => {
                self.expr(program, *a);
                self.expr(program, *b);
            }
            Kind::Choice(condition, a, b) => {
                let parts = [condition, a, b];
                parts.into_iter().for_each(|part| self.expr(program, *part));
            }
            Kind::At { pid: Some(pid), .. } => self.expr(program, *pid),
            Kind::Poll {
                channel, patterns, ..
            } => {
                self.expr(program, *channel);
                for pattern in patterns {
                    if let Pattern::Equal(value) = pattern {
                        self.expr(program, *value);
                    }
                }
            }
            _ => {}
        }
    }

    fn place(&mut self, program: &Program, id: PlaceId) {
        self.places.insert(id);
        let place = &program.places[id];
        if let Root::Remote { pid: Some(pid), .. } = place.root {
            self.expr(program, pid);
        }
        for selector in &place.path {
            if let Selector::Index(index) = selector {
                self.expr(program, *index);
            }
        }
    }
}
