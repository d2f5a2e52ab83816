//! Checks one component, clause by clause.

use base::{Class, Diagnostic, Diagnostics, Name, Severity, Span};
use lang_math::{ExprId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::World;
use super::interface::{Export, SignatureId};
use super::pending::Pending;
use super::report::Because;
use super::scope::{DeclId, DeclKind, Region, Scope, Via};
use crate::codes::definitions::TOO_LARGE;
use crate::codes::{scope as codes, structure, typing};
use crate::expand::{Definitions, Expander, Origins};
use crate::load::{Project, Unit, UnitId};
use crate::syntax::{Clause, ClauseBody, Component, SubstId, Visibility};

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
    pub(super) fn of(definitions: &Definitions<'_>) -> Preferences {
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
    pub own: Vec<DeclId>,
    pub exports: Vec<Export>,
    pub offered: Vec<(Name, SignatureId)>,
    pub typed_operations: Vec<TypedOperation>,
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

impl Machine {
    /// Whether formulas from outside may use this name for something that is no definition.
    pub(super) fn names(&self, name: Name, world: &World, definitions: &Definitions<'_>) -> bool {
        let called = Preferences::of(definitions).operation_calls_in_expressions;
        self.scope.globals.contains_key(&name)
            || self.scope.unnamed_element(name, world).is_some()
            || called && self.callable.contains_key(&name)
    }

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
    pub(super) fn new(
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

    pub(super) fn component(&mut self, unit: &Unit) {
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
    pub(super) fn unsupported(&mut self, clauses: &[Clause]) {
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

    /// Checks the predicates of one kind of clause.
    pub(super) fn predicates(&mut self, clauses: &[Clause], region: Region) {
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

    pub(super) fn values(&mut self, clauses: &[Clause]) {
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
    pub(super) fn ground(&mut self, kinds: &[DeclKind]) {
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

    /// Chooses a type for expressions whose type stayed open, with a warning for each open type.
    pub(super) fn open_types(&mut self) {
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

    pub(super) fn below(&self, roots: &[ExprId]) -> FxHashSet<ExprId> {
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
