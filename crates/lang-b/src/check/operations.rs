//! Checks operations: their headers, their bodies, and which are offered to other components.

use base::{Diagnostic, Name, Span};
use lang_math::{Binding, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::interface::{Signature, SignatureId};
use super::machine::{Callable, Checker, TypedOperation};
use super::scope::{Decl, DeclId, DeclKind, Region, Via};
use crate::codes::scope as codes;
use crate::load::Unit;
use crate::syntax::{Clause, ClauseBody, Operation};
use base::counted;

impl Checker<'_> {
    /// Declares the headers of all operations, so that they can call each other where that is allowed.
    pub(super) fn signatures(&mut self, unit: &Unit, clauses: &[Clause]) {
        let refined = self.refined_operations(unit);
        // A local operation may be specified under LOCAL_OPERATIONS and implemented under OPERATIONS.
        for local in [true, false] {
            for clause in clauses {
                let operations = match (&clause.body, local) {
                    (ClauseBody::LocalOperations(list), true)
                    | (ClauseBody::Operations(list), false) => list,
                    _ => continue,
                };
                for operation in operations {
                    self.signature(operation, local, unit, &refined);
                }
            }
        }
    }

    pub(super) fn signature(
        &mut self,
        operation: &Operation,
        local: bool,
        unit: &Unit,
        refined: &FxHashMap<Name, SignatureId>,
    ) {
        let inputs = self.headers(&operation.parameters, DeclKind::Input);
        let outputs = self.headers(&operation.results, DeclKind::Output);
        let typed = |checker: &Self, list: &[DeclId]| -> Vec<(Name, TypeId)> {
            list.iter()
                .map(|decl| {
                    let decl = &checker.world.decls[*decl];
                    (decl.name, decl.ty)
                })
                .collect()
        };
        let signature = Signature {
            name: operation.name,
            span: operation.span,
            unit: self.unit,
            inputs: typed(self, &inputs),
            outputs: typed(self, &outputs),
            instance_of: None,
        };
        let id = self.world.signatures.push(signature);
        let specified = self
            .operations
            .get(&operation.name)
            .copied()
            .filter(|known| known.via == Via::Own);
        if let Some(known) = specified {
            if known.local && !local {
                self.agree(operation, id, known.signature);
            } else {
                let first = self.world.signatures[known.signature].span;
                self.diagnostics.push(
                    Diagnostic::error(
                        &codes::DUPLICATE,
                        operation.span,
                        format!("operation `{}` is declared twice", operation.name),
                    )
                    .also(first, "first declared here"),
                );
            }
        } else {
            self.operations.insert(
                operation.name,
                Callable {
                    signature: id,
                    via: Via::Own,
                    local,
                },
            );
        }
        let abstract_name = operation
            .refines
            .map_or(operation.name, |refined| refined.name);
        if let Some(known) = refined.get(&abstract_name).copied() {
            self.agree(operation, id, known);
        } else if unit.refines.is_some()
            && !local
            && specified.is_none()
            && !self.preferences.new_operations
            && !unit.incomplete
        {
            self.new_operation(operation.span, abstract_name, refined);
        }
        if !local && specified.is_none() {
            self.offered.push((operation.name, id));
        }
        self.typed_operations.push(TypedOperation {
            signature: id,
            inputs,
            outputs,
            body: operation.body,
            local,
        });
    }

    /// Declares parameters or results.
    fn headers(&mut self, list: &[Binding], kind: DeclKind) -> Vec<DeclId> {
        list.iter()
            .map(|binding| {
                let ty = self.world.types.fresh();
                self.world.decls.push(Decl {
                    name: binding.name,
                    kind,
                    ty,
                    span: binding.span,
                    unit: self.unit,
                    instance_of: None,
                })
            })
            .collect()
    }

    /// Reports an operation that the refined machine does not have.
    fn new_operation(
        &mut self,
        span: Span,
        abstract_name: Name,
        refined: &FxHashMap<Name, SignatureId>,
    ) {
        let mut error = Diagnostic::error(
            &codes::NEW_OPERATION,
            span,
            format!("operation `{abstract_name}` does not exist in the refined machine"),
        );
        if let Some(near) = base::near::nearest(
            abstract_name.as_str(),
            refined.keys().map(|name| name.as_str()),
        ) {
            error = error.help(format!("did you mean `{near}`?")).fix(near);
        } else {
            error = error.help(
                    "SET_PREF_ALLOW_NEW_OPERATIONS_IN_REFINEMENT == TRUE under DEFINITIONS allows new operations",
                );
        }
        self.diagnostics.push(error);
    }

    /// Makes the parameters of an operation agree with those of its specification.
    pub(super) fn agree(
        &mut self,
        operation: &Operation,
        id: SignatureId,
        specification: SignatureId,
    ) {
        let new = self.world.signatures[id].clone();
        let old = self.world.signatures[specification].clone();
        if new.inputs.len() != old.inputs.len() || new.outputs.len() != old.outputs.len() {
            self.diagnostics.push(
                Diagnostic::error(
                    &codes::PARAMETERS_DIFFER,
                    operation.span,
                    if new.inputs.len() != old.inputs.len() {
                        format!(
                            "operation `{}` has {}, but its specification has {}",
                            operation.name,
                            counted(new.inputs.len(), "parameter"),
                            counted(old.inputs.len(), "parameter")
                        )
                    } else {
                        format!(
                            "operation `{}` has {}, but its specification has {}",
                            operation.name,
                            counted(new.outputs.len(), "result"),
                            counted(old.outputs.len(), "result")
                        )
                    },
                )
                .also(old.span, "specified here"),
            );
            return;
        }
        let pairs = new
            .inputs
            .iter()
            .zip(&old.inputs)
            .chain(new.outputs.iter().zip(&old.outputs));
        for ((_, new), (_, old)) in pairs {
            // Fresh types meet known ones: this cannot fail.
            let _ = self.world.types.unify(*new, *old, operation.span);
        }
    }

    /// The operations of all components that this one refines.
    pub(super) fn refined_operations(&self, unit: &Unit) -> FxHashMap<Name, SignatureId> {
        let mut found = FxHashMap::default();
        let mut next = unit.refines;
        while let Some(refined) = next {
            for (name, signature) in &self.world.machines[refined.index()].operations_offered {
                found.entry(*name).or_insert(*signature);
            }
            next = self.project.units[refined].refines;
        }
        found
    }

    pub(super) fn bodies(&mut self) {
        self.region = Region::Operations;
        for operation in self.typed_operations.clone() {
            let mut names: Vec<Name> = Vec::new();
            let mut seen: FxHashSet<Name> = FxHashSet::default();
            for decl in operation.inputs.iter().chain(&operation.outputs) {
                let declared = &self.world.decls[*decl];
                if !seen.insert(declared.name) {
                    self.diagnostics.push(Diagnostic::error(
                        &codes::BOUND_TWICE,
                        declared.span,
                        format!("`{}` occurs twice in the header", declared.name),
                    ));
                }
                names.push(declared.name);
                self.scope.bind(declared.name, *decl);
            }
            self.substitution(operation.body);
            for name in names {
                self.scope.unbind(name);
            }
            self.to_ground
                .extend(operation.inputs.iter().chain(&operation.outputs));
        }
    }

    pub(super) fn promotions(&mut self, unit: &Unit, clauses: &[Clause]) {
        for clause in clauses {
            let ClauseBody::Promotes(names) = &clause.body else {
                continue;
            };
            for name in names {
                match self.operations.get(&name.name) {
                    Some(callable) if matches!(callable.via, Via::Link(_)) => {
                        self.offered.push((name.name, callable.signature));
                    }
                    _ if unit.incomplete => {}
                    _ => self.diagnostics.push(Diagnostic::error(
                        &codes::PROMOTED_UNKNOWN,
                        name.span,
                        format!(
                            "promoted operation `{}` does not exist in an included machine",
                            name.name
                        ),
                    )),
                }
            }
        }
    }
}
