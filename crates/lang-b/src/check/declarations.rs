//! Declares what a component brings itself and what its references bring in.

use base::{Diagnostic, Name, Span};
use lang_math::{Binding, ExprId, Type, TypeId};
use rustc_hash::FxHashMap;

use super::interface::{Export, Import};
use super::machine::{Callable, Checker};
use super::report::Because;
use super::scope::{Decl, DeclId, DeclKind, Global, Region, Via};
use crate::codes::{given, scope as codes, structure};
use crate::load::{Unit, UnitId};
use crate::syntax::{Clause, ClauseBody, Link, MachineRef, SetKind, Visibility};
use base::counted;

impl Checker<'_> {
    /// Declares something of this component; it is offered to others unless it is a parameter.
    pub(super) fn declare(&mut self, name: Name, span: Span, kind: DeclKind, ty: TypeId) -> DeclId {
        let decl = self.world.decls.push(Decl {
            name,
            kind,
            ty,
            span,
            unit: self.unit,
            instance_of: None,
        });
        self.own.push(decl);
        let entered = self.enter(name, decl, Via::Own, span);
        if entered && !matches!(kind, DeclKind::Parameter | DeclKind::SetParameter) {
            self.exports.push(Export { name, decl });
        }
        decl
    }

    /// Makes a global name visible. `at` is the place that does so. The answer is `false` when the name has
    /// another meaning already.
    pub(super) fn enter(&mut self, name: Name, decl: DeclId, via: Via, at: Span) -> bool {
        let Some(old) = self.scope.globals.get(&name).copied() else {
            self.scope.globals.insert(name, Global { decl, via });
            return true;
        };
        if self.root(old.decl) == self.root(decl) {
            // Reached twice, through two references. The closest one counts.
            if via == Via::Own || (old.via == Via::Refined && via != Via::Refined) {
                self.scope.globals.insert(name, Global { decl, via });
            }
            return true;
        }
        let (old_decl, new_decl) = (&self.world.decls[old.decl], &self.world.decls[decl]);
        // A refinement may keep a constant or variable of the refined component, or an element of a set it
        // sees under another prefix; then both have one type.
        let kept = match (old_decl.kind, new_decl.kind) {
            (DeclKind::Variable(_), DeclKind::Variable(_))
            | (DeclKind::Constant(_), DeclKind::Constant(_))
            | (DeclKind::SetParameter, DeclKind::SetParameter)
            | (DeclKind::Parameter, DeclKind::Parameter) => old.via == Via::Refined,
            _ => false,
        };
        let (old_type, new_type, old_span) = (old_decl.ty, new_decl.ty, old_decl.span);
        if kept {
            // The types agree or the clauses that use the name will say why not.
            let _ = self.world.types.unify(new_type, old_type, at);
            self.scope.globals.insert(name, Global { decl, via });
            return true;
        }
        self.diagnostics.push(
            Diagnostic::error(&codes::DUPLICATE, at, format!("`{name}` is declared twice"))
                .also(old_span, "first declared here"),
        );
        if via == Via::Own {
            // Whatever is meant by the name from here on fits everywhere.
            self.world.decls[decl].ty = self.world.types.error();
            self.world.types.close(old_type);
            self.scope.globals.insert(name, Global { decl, via });
        }
        false
    }

    pub(super) fn root(&self, mut decl: DeclId) -> DeclId {
        while let Some(origin) = self.world.decls[decl].instance_of {
            // Two instances of one variable under different names are different variables.
            if matches!(self.world.decls[decl].kind, DeclKind::Variable(_)) {
                break;
            }
            decl = origin;
        }
        decl
    }

    /// The names of the component that this one refines.
    pub(super) fn refined_names(&mut self, unit: &Unit) {
        let Some(refined) = unit.refines else { return };
        let import = self.world.import(refined, None, &FxHashMap::default());
        let at = unit.component.name_span;
        for export in import.exports {
            self.enter(export.name, export.decl, Via::Refined, at);
            // Abstract variables are passed on only when they are declared again.
            if self.world.decls[export.decl].kind != DeclKind::Variable(Visibility::Abstract) {
                self.exports.push(export);
            }
        }
        let parameters = self.world.parameters(refined);
        for decl in parameters {
            self.enter(self.world.decls[decl].name, decl, Via::Refined, at);
        }
    }

    pub(super) fn parameters(&mut self) {
        for parameter in &self.component.parameters {
            let name = parameter.name;
            if is_set_parameter(name) {
                let element = self.world.types.given(name);
                let ty = self.world.types.pow(element);
                self.declare(name, parameter.span, DeclKind::SetParameter, ty);
            } else {
                let ty = self.world.types.fresh();
                self.declare(name, parameter.span, DeclKind::Parameter, ty);
            }
        }
    }

    /// A parameter that is not written in capitals is a set all the same when it is used as one and nothing
    /// gives its elements a type.
    pub(super) fn set_parameters(&mut self) {
        for decl in self.own.clone() {
            let declared = &self.world.decls[decl];
            let (name, ty, span) = (declared.name, declared.ty, declared.span);
            if declared.kind != DeclKind::Parameter {
                continue;
            }
            if let Type::Pow(element) = *self.world.types.get(ty)
                && matches!(self.world.types.get(element), Type::Var(_))
            {
                let given = self.world.types.given(name);
                if self.world.types.unify(element, given, span).is_ok() {
                    self.world.decls[decl].kind = DeclKind::SetParameter;
                }
            }
        }
    }

    pub(super) fn sets(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            let ClauseBody::Sets(sets) = &clause.body else {
                continue;
            };
            for set in sets {
                let element = self.world.types.given(set.name);
                let ty = self.world.types.pow(element);
                match &set.kind {
                    SetKind::Enumerated(elements) => {
                        self.declare(set.name, set.span, DeclKind::EnumeratedSet, ty);
                        for name in elements {
                            self.declare(name.name, name.span, DeclKind::Element, element);
                        }
                    }
                    SetKind::Deferred | SetKind::FromDefinition(_) => {
                        self.declare(set.name, set.span, DeclKind::DeferredSet, ty);
                    }
                }
            }
        }
        for clause in clauses {
            let ClauseBody::FreeTypes(types) = &clause.body else {
                continue;
            };
            for free in types {
                let element = self.world.types.given(free.name);
                let ty = self.world.types.pow(element);
                self.declare(free.name, free.span, DeclKind::FreeType, ty);
                for constructor in &free.constructors {
                    let ty = match constructor.argument {
                        None => element,
                        Some(_) => {
                            let argument = self.world.types.fresh();
                            self.world.types.relation(argument, element)
                        }
                    };
                    self.declare(
                        constructor.name,
                        constructor.span,
                        DeclKind::Constructor,
                        ty,
                    );
                }
            }
        }
    }

    pub(super) fn free_types(&mut self, clauses: &[Clause]) {
        self.region = Region::Properties;
        for clause in clauses {
            let ClauseBody::FreeTypes(types) = &clause.body else {
                continue;
            };
            for free in types {
                let bound = self.bind_type_parameters(&free.parameters);
                for constructor in &free.constructors {
                    let (Some(argument), Some(global)) = (
                        constructor.argument,
                        self.scope.globals.get(&constructor.name).copied(),
                    ) else {
                        continue;
                    };
                    let element = self.world.types.fresh();
                    let expected = self.world.types.pow(element);
                    let found = self.infer(argument);
                    self.fit(argument, found, expected, None);
                    let target = self.world.types.given(free.name);
                    let ty = self.world.types.relation(element, target);
                    let declared = self.world.decls[global.decl].ty;
                    // The declared type is a relation from an unknown type: this cannot fail.
                    let _ = self.world.types.unify(declared, ty, constructor.span);
                }
                if bound {
                    self.release(&free.parameters);
                }
            }
        }
    }

    pub(super) fn bind_type_parameters(&mut self, parameters: &[Binding]) -> bool {
        if parameters.is_empty() {
            return false;
        }
        for parameter in parameters {
            let element = self.world.types.given(parameter.name);
            let ty = self.world.types.pow(element);
            let decl = self.world.decls.push(Decl {
                name: parameter.name,
                kind: DeclKind::Bound,
                ty,
                span: parameter.span,
                unit: self.unit,
                instance_of: None,
            });
            self.scope.bind(parameter.name, decl);
        }
        true
    }

    pub(super) fn constants(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            if let ClauseBody::Constants(visibility, names) = &clause.body {
                for constant in names {
                    let ty = self.world.types.fresh();
                    self.declare(
                        constant.name,
                        constant.span,
                        DeclKind::Constant(*visibility),
                        ty,
                    );
                }
            }
        }
    }

    pub(super) fn variables(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            if let ClauseBody::Variables(visibility, names) = &clause.body {
                for variable in names {
                    let ty = self.world.types.fresh();
                    self.declare(
                        variable.name,
                        variable.span,
                        DeclKind::Variable(*visibility),
                        ty,
                    );
                }
            }
        }
    }

    /// What SEES, USES, INCLUDES, EXTENDS and IMPORTS bring in.
    pub(super) fn references(&mut self, unit: &Unit) {
        let written: Vec<(Link, &MachineRef)> = self
            .component
            .clauses
            .iter()
            .filter_map(|clause| match &clause.body {
                ClauseBody::References(link, list) => Some((*link, list)),
                _ => None,
            })
            .flat_map(|(link, list)| list.iter().map(move |reference| (link, reference)))
            .collect();
        // Those without parameters first: their names may stand in the parameters of the others.
        let (plain, with_arguments): (Vec<_>, Vec<_>) = written
            .into_iter()
            .partition(|(_, reference)| reference.arguments.is_empty());
        for (link, reference) in plain.into_iter().chain(with_arguments) {
            let Some(target) = unit
                .references
                .iter()
                .find(|known| known.written.span == reference.span)
                .map(|known| known.unit)
            else {
                continue;
            };
            let replaced = self.arguments(link, reference, target);
            let import = self.world.import(target, reference.instance, &replaced);
            self.bring_in(link, reference.span, import);
        }
    }

    pub(super) fn bring_in(&mut self, link: Link, at: Span, import: Import) {
        let passed_on = matches!(link, Link::Includes | Link::Extends | Link::Imports);
        for export in import.exports {
            self.enter(export.name, export.decl, Via::Link(link), at);
            if passed_on {
                self.exports.push(export);
            }
        }
        for (name, signature) in import.operations {
            self.operations.entry(name).or_insert(Callable {
                signature,
                via: Via::Link(link),
                local: false,
            });
            if link == Link::Extends {
                self.offered.push((name, signature));
            }
        }
    }

    /// Checks actual parameters; the answer says what the machine's set parameters stand for.
    pub(super) fn arguments(
        &mut self,
        link: Link,
        reference: &MachineRef,
        target: UnitId,
    ) -> FxHashMap<Name, TypeId> {
        let mut replaced = FxHashMap::default();
        let formals = self.world.parameters(target);
        let arguments = reference.arguments.len();
        let without = matches!(link, Link::Sees | Link::Uses);
        if (without && arguments > 0) || (!without && arguments != formals.len()) {
            let wanted = if without { 0 } else { formals.len() };
            let names: Vec<&str> = formals
                .iter()
                .map(|decl| self.world.decls[*decl].name.as_str())
                .collect();
            let written = match wanted {
                0 => reference.machine.to_string(),
                _ => format!("{}({})", reference.machine, names.join(", ")),
            };
            self.diagnostics.push(
                Diagnostic::error(
                    &structure::PARAMETER_COUNT,
                    reference.span,
                    format!(
                        "machine `{}` takes {} under {}, but {}",
                        reference.machine,
                        counted(wanted, "parameter"),
                        link.keyword(),
                        given(arguments)
                    ),
                )
                .also(
                    self.project.units[target].component.name_span,
                    "this machine",
                )
                .help(format!("write `{} {written}`", link.keyword())),
            );
        }
        self.region = Region::Arguments;
        // Set parameters first: scalar parameters may be elements of them.
        let pairs: Vec<(DeclId, ExprId)> = formals
            .into_iter()
            .zip(reference.arguments.iter().copied())
            .collect();
        for (formal, actual) in &pairs {
            let declared = self.world.decls[*formal].clone();
            if declared.kind == DeclKind::SetParameter {
                let element = self.world.types.fresh();
                let expected = self.world.types.pow(element);
                let found = self.infer(*actual);
                self.fit(
                    *actual,
                    found,
                    expected,
                    Some(Because::Declared(declared.span, "a set parameter")),
                );
                replaced.insert(declared.name, element);
            }
        }
        for (formal, actual) in &pairs {
            let declared = self.world.decls[*formal].clone();
            if declared.kind == DeclKind::Parameter {
                let expected = self
                    .world
                    .types
                    .substitute(declared.ty, &|name| replaced.get(&name).copied());
                let found = self.infer(*actual);
                self.fit(
                    *actual,
                    found,
                    expected,
                    Some(Because::Declared(declared.span, "this parameter")),
                );
            }
        }
        replaced
    }
}

/// A parameter without lower-case letters is a set.
fn is_set_parameter(name: Name) -> bool {
    !name.as_str().chars().any(char::is_lowercase)
}
