//! Variables, invariants, the initialisation and the events of the machine that runs.

use lang_eventb::check::{DeclId, DeclKind};
use lang_eventb::syntax::Labelled;
use lang_math::ExprKind;

use super::Lower;
use model::{Action, Assertion, Conjunct, Kind};

impl Lower<'_> {
    /// Declares the variables of all levels: those of the chosen machine first.
    pub(super) fn variables(&mut self) {
        for machine in self.chain() {
            for decl in &self.world.machines[machine].variables {
                if !self.refs.contains_key(decl) {
                    self.component(*decl, false);
                }
            }
        }
    }

    /// The invariants of all levels, the most abstract first.
    pub(super) fn invariants(&mut self) {
        for machine in self.chain().into_iter().rev() {
            for invariant in &self.checked.project.machines[machine].invariants {
                self.invariant(invariant);
            }
        }
    }

    fn invariant(&mut self, invariant: &Labelled) {
        let exprs = &self.checked.project.exprs;
        let label = (!invariant.label.as_str().is_empty()).then_some(invariant.label);
        for part in exprs.conjuncts(invariant.formula) {
            if self.mentions_absent(part) {
                let text = lang_eventb::print::formula(exprs, part, Default::default()).text;
                self.model
                    .not_checked
                    .push(format!("gluing invariant over abstract variables: {text}"));
                continue;
            }
            let Some(predicate) = self.expr(part) else {
                continue;
            };
            let conjunct = Conjunct {
                predicate,
                label,
                span: self.model.exprs[predicate].span,
            };
            if invariant.is_theorem {
                let mut is_static = true;
                self.model.walk(predicate, &mut |expr| {
                    if let Kind::Var(var) = expr.kind {
                        is_static &= self.model.variables[var].is_constant;
                    }
                });
                self.model.assertions.push(Assertion {
                    conjunct,
                    is_static,
                });
            } else {
                self.model.invariants.push(conjunct);
            }
        }
    }

    /// Whether a formula mentions a variable of a level that does not run.
    fn mentions_absent(&self, formula: lang_math::ExprId) -> bool {
        let exprs = &self.checked.project.exprs;
        let mut pending = vec![formula];
        while let Some(id) = pending.pop() {
            if let Some(decl) = self.world.meanings[id.index()]
                && self.world.decls[decl].kind == DeclKind::Variable
                && !self.refs.contains_key(&decl)
            {
                return true;
            }
            lang_math::expr::for_each_child(exprs.kind(id), |child| pending.push(child));
        }
        false
    }

    pub(super) fn events(&mut self) {
        let Some(&machine) = self.chain().first() else {
            return;
        };
        for (position, event) in self.checked.project.machines[machine]
            .events
            .iter()
            .enumerate()
        {
            if event.is_initialisation() {
                continue;
            }
            let decls: Vec<DeclId> = self.world.machines[machine].events[position]
                .parameters
                .clone();
            let Some(parameters) = self.fresh_locals(&decls) else {
                continue;
            };
            let mut guard = Vec::new();
            for labelled in &event.guards {
                if labelled.is_theorem && self.levels.theorems {
                    // Part of the body: it decides nothing.
                } else if labelled.is_theorem {
                    self.model.not_checked.push(format!(
                        "theorem {} in the guards of {}",
                        labelled.label, event.name
                    ));
                } else if !self.is_truth(labelled.formula)
                    && let Some(predicate) = self.expr(labelled.formula)
                {
                    guard.push(predicate);
                }
            }
            if let Some(body) = self.body(position) {
                self.model.actions.push(Action {
                    name: event.name,
                    parameters,
                    results: Vec::new(),
                    guard,
                    body,
                    span: event.span,
                });
            }
        }
    }

    fn is_truth(&self, id: lang_math::ExprId) -> bool {
        matches!(
            self.checked.project.exprs.kind(id),
            ExprKind::Op(lang_math::Op::Truth, _)
        )
    }
}
