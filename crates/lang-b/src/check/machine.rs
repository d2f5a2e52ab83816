//! Checks one component, clause by clause.

use base::{Class, Diagnostic, Diagnostics, Name, Severity, Span};
use lang_math::{Binding, ExprId, ExprKind, Exprs, Sort, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::World;
use super::formula::Pending;
use super::interface::{Export, Import, Signature, SignatureId};
use super::report::Because;
use super::scope::{Decl, DeclId, DeclKind, Global, Region, Scope, Via};
use crate::codes::definitions::TOO_LARGE;
use crate::codes::{counted, given, scope as codes, structure, typing};
use crate::expand::{Definitions, Expander, ExternalKind, Origins};
use crate::load::{Project, Unit, UnitId};
use crate::syntax::{
    Clause, ClauseBody, Component, Link, MachineRef, Operation, SetKind, SubstId, Tree, Visibility,
};

/// A checked component: its expanded tree, with the meaning of every name and the type of every expression.
#[derive(Debug)]
pub struct Machine {
    /// The component with all definitions replaced.
    pub component: Component,
    /// Where the nodes of its tree come from.
    pub origins: Origins,
    /// The type of each expression; `None` for predicates.
    pub types: Vec<Option<TypeId>>,
    /// The declaration of each name.
    pub meanings: Vec<Option<DeclId>>,
    /// The declarations of each binder's names.
    pub binders: FxHashMap<ExprId, Vec<DeclId>>,
    /// The declarations of the names that substitutions introduce.
    pub subst_binders: FxHashMap<SubstId, Vec<DeclId>>,
    /// What the component declares itself.
    pub own: Vec<DeclId>,
    /// The names it offers to others.
    pub exports: Vec<Export>,
    /// The operations it offers to others.
    pub operations_offered: Vec<(Name, SignatureId)>,
    /// Its own operations with their parameters.
    pub operations: Vec<TypedOperation>,
    pub(crate) scope: Scope,
    pub(super) callable: FxHashMap<Name, Callable>,
}

/// An operation of the component itself.
#[derive(Clone, Debug)]
pub struct TypedOperation {
    /// Its header.
    pub signature: SignatureId,
    /// Its parameters.
    pub inputs: Vec<DeclId>,
    /// Its results.
    pub outputs: Vec<DeclId>,
    /// What it does.
    pub body: SubstId,
    /// Whether it stands under LOCAL_OPERATIONS.
    pub local: bool,
}

/// An operation that may be called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Callable {
    pub signature: SignatureId,
    pub via: Via,
    /// Declared under LOCAL_OPERATIONS.
    pub local: bool,
}

/// ProB's switches that make the language more liberal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Preferences {
    pub local_calls: bool,
    pub operation_calls_in_expressions: bool,
    pub new_operations: bool,
    pub complex_lets: bool,
    pub simultaneous_assignments: bool,
}

impl Preferences {
    fn of(definitions: &Definitions<'_>) -> Preferences {
        let on = |name| definitions.preference(name).unwrap_or(false);
        Preferences {
            local_calls: on("ALLOW_LOCAL_OPERATION_CALLS"),
            operation_calls_in_expressions: on("ALLOW_OPERATION_CALLS_IN_EXPRESSIONS"),
            new_operations: on("ALLOW_NEW_OPERATIONS_IN_REFINEMENT"),
            complex_lets: on("ALLOW_COMPLEX_LETS"),
            simultaneous_assignments: on("ALLOW_SIMULTANEOUS_ASSIGNMENTS"),
        }
    }
}

/// The state of checking one component.
pub(super) struct Checker<'a> {
    pub project: &'a Project,
    pub unit: UnitId,
    pub world: &'a mut World,
    pub component: &'a Component,
    pub origins: &'a Origins,
    pub scope: Scope,
    pub operations: FxHashMap<Name, Callable>,
    pub definition_names: Vec<Name>,
    pub preferences: Preferences,
    pub region: Region,
    /// The operators around the current operand, outermost first.
    pub around: Vec<ExprId>,
    /// How many constructs around the current place give `x$0` a meaning.
    pub before: usize,
    pub types: Vec<Option<TypeId>>,
    pub meanings: Vec<Option<DeclId>>,
    pub binders: FxHashMap<ExprId, Vec<DeclId>>,
    pub subst_binders: FxHashMap<SubstId, Vec<DeclId>>,
    pub pending: Vec<Pending>,
    /// Names that must have a type at the end of the group.
    pub to_ground: Vec<DeclId>,
    /// Declared types of host functions: polymorphic, so their nodes need no ground type.
    pub declared_sets: Vec<ExprId>,
    /// Places of syntax errors: what stands there was reported.
    pub reported: Vec<Span>,
    pub diagnostics: &'a mut Diagnostics,
    /// The places of formulas that this check reported.
    pub told: FxHashSet<(Severity, Option<Span>)>,
    own: Vec<DeclId>,
    exports: Vec<Export>,
    offered: Vec<(Name, SignatureId)>,
    typed_operations: Vec<TypedOperation>,
}

/// Checks one component; those it refers to were checked before.
pub(super) fn check(
    project: &Project,
    unit: UnitId,
    world: &mut World,
    diagnostics: &mut Diagnostics,
) -> Machine {
    let loaded = &project.units[unit];
    let definitions = Definitions::collect(project, loaded, diagnostics);
    let (mut component, origins, found) = Expander::new(&definitions).component(&loaded.component);
    if found.iter().any(|found| *found.code == TOO_LARGE) {
        // Half of an expansion says nothing about the whole.
        component.clauses.clear();
    }
    diagnostics.extend(found);
    let mut checker = Checker::new(project, unit, world, &component, &origins, diagnostics);
    checker.preferences = Preferences::of(&definitions);
    checker.definition_names = definitions.names().collect();
    checker.component(loaded);
    let Checker {
        scope,
        operations,
        types,
        meanings,
        binders,
        subst_binders,
        own,
        exports,
        offered,
        typed_operations,
        ..
    } = checker;
    Machine {
        origins,
        types,
        meanings,
        binders,
        subst_binders,
        own,
        exports,
        operations_offered: offered,
        operations: typed_operations,
        scope,
        callable: operations,
        component,
    }
}

/// A formula with the meaning of its names and the types of its parts.
#[derive(Debug)]
pub struct TypedFormula {
    /// Its tree, definitions replaced.
    pub tree: Tree,
    /// The formula itself.
    pub root: ExprId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
    /// Its type in B notation as it was inferred, with `?` where nothing decides it.
    pub type_text: Option<String>,
    /// The type of each expression; `None` for predicates.
    pub types: Vec<Option<TypeId>>,
    /// The declaration of each name.
    pub meanings: Vec<Option<DeclId>>,
    /// The declarations of each binder's names.
    pub binders: FxHashMap<ExprId, Vec<DeclId>>,
}

/// Checks a formula in the context of a checked component.
pub(super) fn check_formula(
    project: &Project,
    main: UnitId,
    world: &mut World,
    exprs: Exprs,
    root: ExprId,
    diagnostics: &mut Diagnostics,
) -> TypedFormula {
    let definitions = Definitions::collect(project, &project.units[main], &mut Diagnostics::new());
    let tree = Tree {
        exprs,
        ..Tree::default()
    };
    let mut expander = Expander::new(&definitions);
    let root = expander.formula(&tree, root);
    diagnostics.extend(std::mem::take(&mut expander.diagnostics));
    let span = expander.tree.exprs.span(root);
    let component = Component {
        kind: project.units[main].component.kind,
        name: project.units[main].component.name,
        name_span: span,
        parameters: Vec::new(),
        clauses: Vec::new(),
        pragmas: Vec::new(),
        tree: expander.tree,
        span,
    };
    let machine = &world.machines[main.index()];
    let (scope, operations) = (machine.scope.clone(), machine.callable.clone());
    let origins = expander.origins;
    let mut checker = Checker::new(project, main, world, &component, &origins, diagnostics);
    checker.scope = scope;
    checker.operations = operations;
    checker.preferences = Preferences::of(&definitions);
    checker.definition_names = definitions.names().collect();
    checker.region = Region::Query;
    let is_predicate = match component.tree.exprs.kind(root) {
        ExprKind::External(name, _) => checker
            .origins
            .externals
            .get(name)
            .is_some_and(|external| external.kind == ExternalKind::Predicate),
        _ => component.tree.exprs.sort(root) == Some(Sort::Predicate),
    };
    if is_predicate {
        checker.predicate(root);
    } else {
        checker.infer(root);
    }
    checker.finish_group();
    let type_text = checker.types[root.index()].map(|ty| {
        checker.world.types.default_classes(ty);
        checker.world.types.show(ty)
    });
    checker.open_types();
    let Checker {
        types,
        meanings,
        binders,
        ..
    } = checker;
    TypedFormula {
        tree: component.tree,
        root,
        is_predicate,
        type_text,
        types,
        meanings,
        binders,
    }
}

impl Machine {
    /// What a global name means in this component.
    pub fn global(&self, name: Name) -> Option<DeclId> {
        self.scope.globals.get(&name).map(|global| global.decl)
    }

    /// The global names of this component with their meanings.
    pub fn globals(&self) -> impl Iterator<Item = (Name, DeclId)> {
        self.scope
            .globals
            .iter()
            .map(|(name, global)| (*name, global.decl))
    }
}

impl<'a> Checker<'a> {
    fn new(
        project: &'a Project,
        unit: UnitId,
        world: &'a mut World,
        component: &'a Component,
        origins: &'a Origins,
        diagnostics: &'a mut Diagnostics,
    ) -> Checker<'a> {
        let size = component.tree.exprs.len();
        Checker {
            project,
            unit,
            world,
            component,
            origins,
            scope: Scope::default(),
            operations: FxHashMap::default(),
            definition_names: Vec::new(),
            preferences: Preferences::default(),
            region: Region::Query,
            around: Vec::new(),
            before: 0,
            types: vec![None; size],
            meanings: vec![None; size],
            binders: FxHashMap::default(),
            subst_binders: FxHashMap::default(),
            pending: Vec::new(),
            to_ground: Vec::new(),
            declared_sets: Vec::new(),
            reported: reported_places(diagnostics),
            diagnostics,
            told: FxHashSet::default(),
            own: Vec::new(),
            exports: Vec::new(),
            offered: Vec::new(),
            typed_operations: Vec::new(),
        }
    }

    fn component(&mut self, unit: &Unit) {
        let clauses = &self.component.clauses;
        self.unsupported(clauses);
        self.refined_names(unit);
        self.parameters();
        self.sets(clauses);
        self.constants(clauses);
        self.variables(clauses);
        self.predicates(clauses, Region::Constraints);
        self.finish_group();

        self.references(unit);
        self.free_types(clauses);
        self.predicates(clauses, Region::Properties);
        self.values(clauses);
        self.finish_group();
        self.ground(&[
            DeclKind::Constant(Visibility::Abstract),
            DeclKind::Constant(Visibility::Concrete),
        ]);

        self.predicates(clauses, Region::Invariant);
        self.settle();
        self.set_parameters();
        self.finish_group();
        self.ground(&[
            DeclKind::Parameter,
            DeclKind::Variable(Visibility::Abstract),
            DeclKind::Variable(Visibility::Concrete),
        ]);

        self.predicates(clauses, Region::Assertions);
        self.finish_group();

        self.signatures(unit, clauses);
        self.region = Region::Initialisation;
        for clause in clauses {
            if let ClauseBody::Initialisation(body) = clause.body {
                self.substitution(body);
            }
        }
        self.finish_group();
        self.bodies();
        self.finish_group();
        self.promotions(unit, clauses);
        self.open_types();
    }

    /// Refuses clauses that have no meaning here.
    fn unsupported(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            if let ClauseBody::Unsupported(name) = clause.body {
                self.diagnostics.push(
                    Diagnostic::error(
                        &structure::UNSUPPORTED_CLAUSE,
                        clause.keyword,
                        format!("the clause {name} is not supported"),
                    )
                    .help(match name.as_str() {
                        "REFERENCES" => "name the machines under SEES or INCLUDES",
                        _ => "write its formulas as DEFINITIONS",
                    }),
                );
            }
        }
    }

    /// Declares something of this component; it is offered to others unless it is a parameter.
    fn declare(&mut self, name: Name, span: Span, kind: DeclKind, ty: TypeId) -> DeclId {
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
    fn enter(&mut self, name: Name, decl: DeclId, via: Via, at: Span) -> bool {
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

    fn root(&self, mut decl: DeclId) -> DeclId {
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
    fn refined_names(&mut self, unit: &Unit) {
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
        let parameters: Vec<DeclId> = self.world.machines[refined.index()]
            .own
            .iter()
            .copied()
            .filter(|decl| {
                matches!(
                    self.world.decls[*decl].kind,
                    DeclKind::Parameter | DeclKind::SetParameter
                )
            })
            .collect();
        for decl in parameters {
            self.enter(self.world.decls[decl].name, decl, Via::Refined, at);
        }
    }

    fn parameters(&mut self) {
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
    fn set_parameters(&mut self) {
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

    fn sets(&mut self, clauses: &[Clause]) {
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

    fn free_types(&mut self, clauses: &[Clause]) {
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

    fn bind_type_parameters(&mut self, parameters: &[Binding]) -> bool {
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

    fn constants(&mut self, clauses: &[Clause]) {
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

    fn variables(&mut self, clauses: &[Clause]) {
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
    fn references(&mut self, unit: &Unit) {
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

    fn bring_in(&mut self, link: Link, at: Span, import: Import) {
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
    fn arguments(
        &mut self,
        link: Link,
        reference: &MachineRef,
        target: UnitId,
    ) -> FxHashMap<Name, TypeId> {
        let mut replaced = FxHashMap::default();
        let formals: Vec<DeclId> = self.world.machines[target.index()]
            .own
            .iter()
            .copied()
            .filter(|decl| {
                matches!(
                    self.world.decls[*decl].kind,
                    DeclKind::Parameter | DeclKind::SetParameter
                )
            })
            .collect();
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

    /// Checks the predicates of one kind of clause.
    fn predicates(&mut self, clauses: &[Clause], region: Region) {
        self.region = region;
        for clause in clauses {
            match (&clause.body, region) {
                (ClauseBody::Constraints(id), Region::Constraints)
                | (ClauseBody::Properties(id), Region::Properties)
                | (ClauseBody::Invariant(id), Region::Invariant) => self.predicate(*id),
                (ClauseBody::Assertions(list), Region::Assertions) => {
                    for id in list {
                        self.predicate(*id);
                    }
                }
                (ClauseBody::Variant(id), Region::Assertions) => {
                    self.infer(*id);
                }
                _ => {}
            }
        }
    }

    fn values(&mut self, clauses: &[Clause]) {
        self.region = Region::Values;
        for clause in clauses {
            let ClauseBody::Values(values) = &clause.body else {
                continue;
            };
            for value in values {
                let found = self.infer(value.value);
                let declared = self
                    .scope
                    .globals
                    .get(&value.name.name)
                    .map(|global| self.world.decls[global.decl].clone());
                match declared {
                    Some(decl) if matches!(decl.kind, DeclKind::Constant(_)) => {
                        let because = Because::Type(value.name.span, decl.ty);
                        self.fit(value.value, found, decl.ty, Some(because));
                    }
                    Some(decl) if decl.kind == DeclKind::DeferredSet => {
                        // The set is given other elements: any set will do.
                        let element = self.world.types.fresh();
                        let set = self.world.types.pow(element);
                        self.fit(value.value, found, set, None);
                    }
                    None if self.is_incomplete() => {}
                    _ => self.diagnostics.push(Diagnostic::error(
                        &codes::VALUE_TARGET,
                        value.name.span,
                        format!(
                            "`{}` is neither a constant nor a deferred set",
                            value.name.name
                        ),
                    )),
                }
            }
        }
    }

    /// Checks that declarations of these kinds have a type by now.
    fn ground(&mut self, kinds: &[DeclKind]) {
        for decl in self.own.clone() {
            let declared = &self.world.decls[decl];
            let ty = declared.ty;
            if !kinds.contains(&declared.kind) {
                continue;
            }
            self.world.types.default_classes(ty);
            if !self.world.types.is_ground(ty) {
                self.no_type(decl);
            }
        }
    }

    /// Declares the headers of all operations, so that they can call each other where that is allowed.
    fn signatures(&mut self, unit: &Unit, clauses: &[Clause]) {
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

    fn signature(
        &mut self,
        operation: &Operation,
        local: bool,
        unit: &Unit,
        refined: &FxHashMap<Name, SignatureId>,
    ) {
        let headers = |checker: &mut Self, list: &[Binding], kind| -> Vec<DeclId> {
            list.iter()
                .map(|binding| {
                    let ty = checker.world.types.fresh();
                    checker.world.decls.push(Decl {
                        name: binding.name,
                        kind,
                        ty,
                        span: binding.span,
                        unit: checker.unit,
                        instance_of: None,
                    })
                })
                .collect()
        };
        let inputs = headers(self, &operation.parameters, DeclKind::Input);
        let outputs = headers(self, &operation.results, DeclKind::Output);
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
            let mut error = Diagnostic::error(
                &codes::NEW_OPERATION,
                operation.span,
                format!("operation `{abstract_name}` does not exist in the refined machine"),
            );
            if let Some(near) = base::near::nearest(
                abstract_name.as_str(),
                refined.keys().map(|name| name.as_str()),
            ) {
                error = error.help(format!("did you mean `{near}`?"));
            } else {
                error = error.help(
                    "SET_PREF_ALLOW_NEW_OPERATIONS_IN_REFINEMENT == TRUE under DEFINITIONS allows new operations",
                );
            }
            self.diagnostics.push(error);
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

    /// Makes the parameters of an operation agree with those of its specification.
    fn agree(&mut self, operation: &Operation, id: SignatureId, specification: SignatureId) {
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
    fn refined_operations(&self, unit: &Unit) -> FxHashMap<Name, SignatureId> {
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

    fn bodies(&mut self) {
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

    fn promotions(&mut self, unit: &Unit, clauses: &[Clause]) {
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

    /// Chooses a type for expressions whose type stayed open, with a warning for each open type.
    fn open_types(&mut self) {
        let polymorphic: FxHashSet<ExprId> = self.below(&self.declared_sets);
        for index in 0..self.types.len() {
            let id = ExprId::new(index);
            let Some(ty) = self.types[index] else {
                continue;
            };
            if polymorphic.contains(&id) {
                continue;
            }
            self.world.types.default_classes(ty);
            if self.world.types.is_ground(ty) {
                continue;
            }
            if self.is_unsure() {
                self.world.types.choose(ty);
                continue;
            }
            let shown = self.world.types.show(ty);
            let span = self.span(id);
            let warning = Diagnostic::warning(
                &typing::OPEN_TYPE,
                span,
                format!("nothing decides the type of this expression: {shown}"),
            );
            self.report(id, warning);
            self.world.types.choose(ty);
        }
    }

    fn below(&self, roots: &[ExprId]) -> FxHashSet<ExprId> {
        let mut found = FxHashSet::default();
        let mut pending = roots.to_vec();
        while let Some(id) = pending.pop() {
            if found.insert(id) {
                lang_math::expr::for_each_child(self.kind(id), |child| pending.push(child));
            }
        }
        found
    }
}

/// The places where syntax errors were found: nothing more is said about them.
fn reported_places(diagnostics: &Diagnostics) -> Vec<Span> {
    diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error && found.code.class == Class::Syntax)
        .flat_map(|found| found.primary.iter().chain(&found.secondary))
        .map(|label| label.span)
        .collect()
}

/// A parameter without lower-case letters is a set.
fn is_set_parameter(name: Name) -> bool {
    !name.as_str().chars().any(char::is_lowercase)
}
