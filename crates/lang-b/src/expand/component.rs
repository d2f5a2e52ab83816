//! Expands all clauses of a component.

use base::{Diagnostic, Diagnostics};
use lang_math::{Binding, ExprKind, Op};

use super::{Env, Expander, Origins};
use crate::codes::definitions as codes;
use crate::syntax::{
    Clause, ClauseBody, Component, Constructor, FreeType, MachineRef, MacroBody, Operation,
    SetDecl, SetKind, Tree, Value,
};

impl<'p> Expander<'p, '_> {
    /// The expansion of a whole component: the same clauses over the expanded tree, without DEFINITIONS.
    pub fn component(mut self, component: &'p Component) -> (Component, Origins, Diagnostics) {
        let tree = &component.tree;
        let clauses = component
            .clauses
            .iter()
            .filter_map(|clause| {
                Some(Clause {
                    keyword: clause.keyword,
                    body: self.clause(tree, &clause.body)?,
                })
            })
            .collect();
        let expanded = Component {
            kind: component.kind,
            name: component.name,
            name_span: component.name_span,
            parameters: component.parameters.clone(),
            clauses,
            pragmas: component.pragmas.clone(),
            tree: self.tree,
            span: component.span,
        };
        (expanded, self.origins, self.diagnostics)
    }

    pub(super) fn clause(&mut self, tree: &'p Tree, body: &ClauseBody) -> Option<ClauseBody> {
        let top = Env::top(tree);
        let reference = |this: &mut Self, reference: &MachineRef| MachineRef {
            arguments: this.exprs(&top, &reference.arguments),
            ..reference.clone()
        };
        Some(match body {
            ClauseBody::Definitions(_) => return None,
            ClauseBody::Refines(machine) => ClauseBody::Refines(reference(self, machine)),
            ClauseBody::References(link, list) => ClauseBody::References(
                *link,
                list.iter()
                    .map(|machine| reference(self, machine))
                    .collect(),
            ),
            ClauseBody::Constraints(id) => ClauseBody::Constraints(self.expr(&top, *id)),
            ClauseBody::Properties(id) => ClauseBody::Properties(self.expr(&top, *id)),
            ClauseBody::Invariant(id) => ClauseBody::Invariant(self.expr(&top, *id)),
            ClauseBody::Variant(id) => ClauseBody::Variant(self.expr(&top, *id)),
            ClauseBody::Assertions(list) => ClauseBody::Assertions(self.exprs(&top, list)),
            ClauseBody::Sets(sets) => {
                ClauseBody::Sets(sets.iter().map(|set| self.set(&top, set)).collect())
            }
            ClauseBody::FreeTypes(types) => ClauseBody::FreeTypes(
                types
                    .iter()
                    .map(|free| FreeType {
                        constructors: free
                            .constructors
                            .iter()
                            .map(|constructor| Constructor {
                                argument: constructor.argument.map(|id| self.expr(&top, id)),
                                ..constructor.clone()
                            })
                            .collect(),
                        ..free.clone()
                    })
                    .collect(),
            ),
            ClauseBody::Values(values) => ClauseBody::Values(
                values
                    .iter()
                    .map(|value| Value {
                        name: value.name,
                        value: self.expr(&top, value.value),
                    })
                    .collect(),
            ),
            ClauseBody::Initialisation(id) => ClauseBody::Initialisation(self.subst(&top, *id)),
            ClauseBody::Operations(list) => ClauseBody::Operations(self.operations(&top, list)),
            ClauseBody::LocalOperations(list) => {
                ClauseBody::LocalOperations(self.operations(&top, list))
            }
            ClauseBody::Promotes(_)
            | ClauseBody::Constants(..)
            | ClauseBody::Variables(..)
            | ClauseBody::Unsupported(_) => body.clone(),
        })
    }

    pub(super) fn operations(&mut self, top: &Env<'_, 'p>, list: &[Operation]) -> Vec<Operation> {
        list.iter()
            .map(|operation| {
                top.enter(&operation.parameters);
                top.enter(&operation.results);
                let body = self.subst(top, operation.body);
                top.leave(&operation.parameters);
                top.leave(&operation.results);
                Operation {
                    body,
                    ..operation.clone()
                }
            })
            .collect()
    }

    /// A set whose elements a definition lists gets them.
    pub(super) fn set(&mut self, top: &Env<'_, 'p>, set: &SetDecl) -> SetDecl {
        let SetKind::FromDefinition(written) = &set.kind else {
            return set.clone();
        };
        let listed = self.definition(top, written.name).and_then(|entry| {
            self.definitions.used.borrow_mut().insert(written.name);
            let MacroBody::Formula(body) = entry.definition.body else {
                return None;
            };
            let ExprKind::Op(Op::SetExtension, args) = entry.tree.exprs.kind(body) else {
                return None;
            };
            args.iter()
                .map(|arg| match entry.tree.exprs.kind(*arg) {
                    ExprKind::Name(name) => Some(Binding {
                        name: *name,
                        span: entry.tree.exprs.span(*arg),
                    }),
                    _ => None,
                })
                .collect::<Option<Vec<_>>>()
        });
        let kind = listed.map(SetKind::Enumerated).unwrap_or_else(|| {
            self.diagnostics.push(
                Diagnostic::error(
                    &codes::WRONG_SORT,
                    written.span,
                    format!("`{}` is not a definition that lists elements", written.name),
                )
                .help(format!("write `{} = {{a, b, c}}`", set.name)),
            );
            SetKind::Deferred
        });
        SetDecl {
            kind,
            ..set.clone()
        }
    }
}
