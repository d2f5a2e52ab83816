//! Never claims as automata, temporal formulas as trees.

use base::{Name, deep};
use lang_promela::syntax::{self, ExprId, ExprKind, Unit};
use program::{Claim, ClaimBody, Formula, FormulaId, FormulaKind};

use crate::Lowering;
use crate::flow::{Flow, Kind};

impl Lowering<'_> {
    /// Every formula and never claim, in the order of the text.
    pub(crate) fn claims(&mut self) {
        let syntax = self.syntax;
        let mut formulas = 0;
        let mut nevers = 0;
        for (index, unit) in syntax.units.iter().enumerate() {
            match unit {
                Unit::Ltl(formula) => {
                    let name = match formula.name {
                        Some(name) => name.name,
                        None => {
                            formulas += 1;
                            Name::new(&format!("ltl_{}", formulas - 1))
                        }
                    };
                    let body = ClaimBody::Formula(self.formula(formula.formula));
                    self.out.claims.push(Claim {
                        name,
                        body,
                        span: formula.span,
                    });
                }
                Unit::Never(claim) => {
                    let name = match claim.name {
                        Some(name) => name.name,
                        None => Name::new(&format!("never_{nevers}")),
                    };
                    nevers += 1;
                    let mut flow = Flow::new(syntax, self.facts, Kind::Claim);
                    flow.body(&claim.body, claim.end);
                    self.variables_of(index);
                    let graph = self.graph(&mut flow);
                    self.out.claims.push(Claim {
                        name,
                        body: ClaimBody::Never(Box::new(graph)),
                        span: claim.span,
                    });
                }
                _ => {}
            }
        }
    }

    /// A formula; what holds no temporal operator is one question about a state.
    pub(crate) fn formula(&mut self, id: ExprId) -> FormulaId {
        let program = self.syntax;
        let span = program.exprs[id].span;
        let kind = deep::recurse(|| match &program.exprs[id].kind {
            _ if !is_temporal(program, id) => FormulaKind::Now(self.expression(id)),
            ExprKind::Unary(operator, a) => {
                let a = self.formula(*a);
                match operator {
                    syntax::Unary::Always => FormulaKind::Always(a),
                    syntax::Unary::Eventually => FormulaKind::Eventually(a),
                    syntax::Unary::Next => FormulaKind::Next(a),
                    _ => FormulaKind::Not(a),
                }
            }
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                match operator {
                    syntax::Binary::Until => FormulaKind::Until(a, b),
                    syntax::Binary::WeakUntil => FormulaKind::WeakUntil(a, b),
                    syntax::Binary::Release => FormulaKind::Release(a, b),
                    syntax::Binary::Or => FormulaKind::Or(a, b),
                    syntax::Binary::Implies => FormulaKind::Implies(a, b),
                    syntax::Binary::Equivalent => FormulaKind::Equivalent(a, b),
                    _ => FormulaKind::And(a, b),
                }
            }
            _ => FormulaKind::Now(self.expression(id)),
        });
        self.out.formulas.push(Formula { kind, span })
    }
}

/// Whether a formula speaks of more than one state, or joins such by words of formulas.
fn is_temporal(program: &syntax::Program, id: ExprId) -> bool {
    deep::recurse(|| match &program.exprs[id].kind {
        ExprKind::Unary(operator, a) => match operator {
            syntax::Unary::Always | syntax::Unary::Eventually | syntax::Unary::Next => true,
            syntax::Unary::Not => is_temporal(program, *a),
            _ => false,
        },
        ExprKind::Binary(operator, a, b) => {
            operator.is_temporal()
                || match operator {
                    syntax::Binary::Implies | syntax::Binary::Equivalent => true,
                    syntax::Binary::And | syntax::Binary::Or => {
                        is_temporal(program, *a) || is_temporal(program, *b)
                    }
                    _ => false,
                }
        }
        _ => false,
    })
}
