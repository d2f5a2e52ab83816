//! Classical B to the model: structuring flattened, scopes fixed, substitutions normalised.
//!
//! A machine that is included, seen or used is an *instance*: its unit together with the prefix of its
//! names. Instances without a prefix exist once, however often they are reached. A refinement is lowered at
//! its concrete level: constants, sets and properties of all levels, variables and operations of the last.

mod expr;
mod instance;
mod sizes;
mod stmt;

use base::{Arena, Class, Code, Diagnostic, Diagnostics, Name, Sources, Span};
use lang_b::check::{Checked, DeclId, DeclKind, World};
use lang_b::expand::Definitions;
use lang_b::load::UnitId;
use lang_b::preferences::{self, Setting};
use lang_b::syntax::{ClauseBody, MacroBody, SetKind};
use lang_math::{ExprKind, Exprs, Op, TypeId};
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashMap;

use super::Formula;
use crate::scope::{DEFAULT_MAX_INT, DEFAULT_MIN_INT, DEFAULT_SET_SIZE, MAX_SET_SIZE, Scopes};
use crate::ty::{FreeType, Sort, SortOrigin, Ty, TyId, Tys};
use crate::{
    Action, Assertion, Conjunct, Expr, ExprId, FreeId, Kind, LocalId, Model, SortId, Stmt, VarId,
    Variable,
};
use expr::Typed;
use instance::{InstanceId, Instances};
use sizes::Facts;

/// Something a model needs cannot be lowered.
pub static UNSUPPORTED: Code = Code {
    id: "M0001",
    class: Class::Unsupported,
    title: "a construct cannot be run",
    explain: "The construct is understood and typed, but Burnside cannot run it. `docs/warts.md` lists such constructs with what to write instead.",
};

/// A scope that contradicts itself or is too large.
pub static BAD_SCOPE: Code = Code {
    id: "M0002",
    class: Class::Usage,
    title: "a scope cannot be used",
    explain: "`--card S=N` and `scope_S == N` give a deferred set at least one and at most 100,000 elements; preferences such as MAXINT are integers.",
};

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
enum Ref {
    Var(VarId),
    Element(SortId, u32),
    Carrier(SortId),
    FreeSet(FreeId),
    Constructor(FreeId, u32),
    /// An actual parameter.
    Expr(ExprId),
}

/// The declaration that an imported one is an instance of.
fn root(world: &World, mut decl: DeclId) -> DeclId {
    while let Some(origin) = world.decls[decl].instance_of {
        decl = origin;
    }
    decl
}

struct Lower<'a> {
    checked: &'a Checked,
    world: &'a World,
    model: Model,
    diagnostics: Diagnostics,
    sorts: FxHashMap<Name, SortId>,
    frees: FxHashMap<Name, FreeId>,
    /// Constants that became element names, and constants with their state component.
    constants: FxHashMap<DeclId, Ref>,
    instances: Instances,
    /// The locals that stand for bound names, parameters and results at the moment.
    locals: FxHashMap<DeclId, LocalId>,
    /// What `x` means inside `x : (P)`, and `x$0` there and in loop invariants.
    now: FxHashMap<DeclId, Kind>,
    before: FxHashMap<DeclId, Kind>,
    /// Operations being inlined, to refuse recursion.
    inlining: Vec<(InstanceId, usize)>,
    inlined: usize,
    instance: InstanceId,
}

pub(super) fn lower(checked: &Checked, scopes: &Scopes) -> Result<Model, Diagnostics> {
    let Some(main) = checked.project.main else {
        return Err(checked.diagnostics.clone());
    };
    let mut lower = Lower::new(checked, main);
    lower.preferences(main, scopes);
    lower.sorts(main, scopes);
    lower.free_types();
    lower.instance = lower.instantiate(main, None);
    lower.actual_parameters();
    lower.properties();
    lower.invariants();
    lower.initialisation();
    lower.actions();
    lower.not_checked(main);
    lower.strings();
    if lower.diagnostics.has_errors() {
        Err(lower.diagnostics)
    } else {
        Ok(lower.model)
    }
}

pub(super) fn formula(
    checked: &mut Checked,
    model: &mut Model,
    text: &str,
    sources: &mut Sources,
) -> Result<Formula, Diagnostics> {
    let (typed, diagnostics) = checked.type_formula(text, sources);
    let Ok(typed) = typed else {
        return Err(diagnostics);
    };
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let Some(main) = checked.project.main else {
        return Err(diagnostics);
    };
    let mut lower = Lower::new(checked, main);
    std::mem::swap(&mut lower.model, model);
    lower.adopt(main);
    let view = Typed {
        exprs: &typed.tree.exprs,
        types: &typed.types,
        meanings: &typed.meanings,
        binders: &typed.binders,
    };
    let expr = lower.expr(&view, typed.root);
    std::mem::swap(&mut lower.model, model);
    if lower.diagnostics.has_errors() {
        return Err(lower.diagnostics);
    }
    match expr {
        Some(expr) => Ok(Formula {
            expr,
            is_predicate: typed.is_predicate,
        }),
        None => Err(lower.diagnostics),
    }
}

impl<'a> Lower<'a> {
    fn new(checked: &'a Checked, main: UnitId) -> Lower<'a> {
        let component = &checked.project.units[main].component;
        let mut stmts = Arena::new();
        let initialisation = stmts.push(Stmt::Skip);
        Lower {
            checked,
            world: &checked.world,
            model: Model {
                name: component.name,
                tys: Tys::default(),
                variables: Arena::new(),
                locals: Arena::new(),
                exprs: Arena::new(),
                stmts,
                properties: Vec::new(),
                has_setup: false,
                invariants: Vec::new(),
                assertions: Vec::new(),
                initialisation,
                actions: Vec::new(),
                min_int: DEFAULT_MIN_INT,
                max_int: DEFAULT_MAX_INT,
                strings: Vec::new(),
                not_checked: Vec::new(),
                scopes: Vec::new(),
                warnings: Vec::new(),
            },
            diagnostics: Diagnostics::new(),
            sorts: FxHashMap::default(),
            frees: FxHashMap::default(),
            constants: FxHashMap::default(),
            instances: Instances::default(),
            locals: FxHashMap::default(),
            now: FxHashMap::default(),
            before: FxHashMap::default(),
            inlining: Vec::new(),
            inlined: 0,
            instance: InstanceId::new(0),
        }
    }

    fn unsupported(&mut self, span: Span, what: impl std::fmt::Display) {
        self.diagnostics.push(Diagnostic::error(
            &UNSUPPORTED,
            span,
            format!("{what} cannot be run"),
        ));
    }

    fn push(&mut self, kind: Kind, ty: Option<TyId>, span: Span) -> ExprId {
        self.model.exprs.push(Expr { kind, ty, span })
    }

    fn stmt(&mut self, stmt: Stmt) -> crate::StmtId {
        self.model.stmts.push(stmt)
    }

    /// The value of an integer setting in the definitions of the main machine.
    fn setting(&self, definitions: &Definitions<'_>, name: &str) -> Option<i64> {
        let entry = definitions.get(Name::new(name))?;
        let MacroBody::Formula(body) = entry.definition.body else {
            return None;
        };
        integer(&entry.tree.exprs, body)
    }

    fn preferences(&mut self, main: UnitId, scopes: &Scopes) {
        let unit = &self.checked.project.units[main];
        let definitions =
            Definitions::collect(&self.checked.project, unit, &mut Diagnostics::new());
        for (name, default) in [("MININT", DEFAULT_MIN_INT), ("MAXINT", DEFAULT_MAX_INT)] {
            let given = match scopes.preferences.get(&Name::new(name)) {
                Some(text) => match text.trim().parse() {
                    Ok(value) => Some(value),
                    Err(_) => {
                        self.diagnostics.push(Diagnostic::global(
                            &BAD_SCOPE,
                            format!("{name} is {text}, which is not an integer"),
                        ));
                        None
                    }
                },
                None => self.setting(&definitions, &format!("SET_PREF_{name}")),
            };
            let value = given.unwrap_or(default);
            if name == "MININT" {
                self.model.min_int = value;
            } else {
                self.model.max_int = value;
            }
        }
        self.model
            .scopes
            .push(format!("MININT = {}", self.model.min_int));
        self.model
            .scopes
            .push(format!("MAXINT = {}", self.model.max_int));
        for definition in &definitions.own {
            let name = definition.name.as_str();
            if [
                "SET_PREF_MAX_OPERATIONS",
                "SET_PREF_MAX_INITIALISATIONS",
                "SET_PREF_TIME_OUT",
                "SET_PREF_SYMMETRY_MODE",
            ]
            .contains(&name)
            {
                self.model
                    .warnings
                    .push(format!("{name} is ignored: everything is explored"));
            }
        }
    }

    /// Declares all carrier sets of all components: sets are never renamed.
    fn sorts(&mut self, main: UnitId, scopes: &Scopes) {
        let facts = Facts::collect(self.world);
        let unit = &self.checked.project.units[main];
        let definitions =
            Definitions::collect(&self.checked.project, unit, &mut Diagnostics::new());
        let default = scopes
            .preferences
            .get(&Name::new("DEFAULT_SETSIZE"))
            .and_then(|text| text.trim().parse().ok())
            .or_else(|| {
                self.setting(&definitions, "SET_PREF_DEFAULT_SETSIZE")
                    .and_then(|value| usize::try_from(value).ok())
            })
            .unwrap_or(DEFAULT_SET_SIZE);
        let mut known_cards: Vec<Name> = Vec::new();
        for (id, unit) in self.checked.project.units.iter() {
            let machine = &self.world.machines[id.index()];
            for clause in &machine.component.clauses {
                let ClauseBody::Sets(sets) = &clause.body else {
                    continue;
                };
                for set in sets {
                    match &set.kind {
                        SetKind::Enumerated(elements) => {
                            let names = elements.iter().map(|element| element.name).collect();
                            self.sort(set.name, names, SortOrigin::Enumerated, set.span);
                        }
                        SetKind::Deferred | SetKind::FromDefinition(_) => {
                            let fixed =
                                self.fixed_size(set.name, scopes, &definitions, &mut known_cards);
                            self.deferred(
                                set.name,
                                fixed,
                                default,
                                &facts,
                                SortOrigin::Deferred,
                                set.span,
                            );
                        }
                    }
                }
            }
            for decl in &machine.own {
                let declared = &self.world.decls[*decl];
                if declared.kind == DeclKind::SetParameter
                    && !self.sorts.contains_key(&declared.name)
                {
                    let fixed =
                        self.fixed_size(declared.name, scopes, &definitions, &mut known_cards);
                    self.deferred(
                        declared.name,
                        fixed,
                        default,
                        &facts,
                        SortOrigin::Parameter,
                        declared.span,
                    );
                }
            }
            let _ = unit;
        }
        for name in scopes.cards.keys() {
            if !known_cards.contains(name) {
                self.diagnostics.push(Diagnostic::global(
                    &BAD_SCOPE,
                    format!("--card {name}: the model has no deferred set of this name"),
                ));
            }
        }
    }

    /// The size of a set given by the user or by `scope_S` in the main machine.
    fn fixed_size(
        &mut self,
        name: Name,
        scopes: &Scopes,
        definitions: &Definitions<'_>,
        known: &mut Vec<Name>,
    ) -> Option<usize> {
        if let Some(size) = scopes.cards.get(&name) {
            known.push(name);
            return Some(*size);
        }
        let entry = definitions.get(Name::new(&format!("scope_{name}")))?;
        let MacroBody::Formula(body) = entry.definition.body else {
            return None;
        };
        let exprs = &entry.tree.exprs;
        let size = match exprs.kind(body) {
            ExprKind::Op(Op::Interval, args) => {
                integer(exprs, args[1])? - integer(exprs, args[0])? + 1
            }
            _ => integer(exprs, body)?,
        };
        usize::try_from(size).ok()
    }

    fn deferred(
        &mut self,
        name: Name,
        fixed: Option<usize>,
        default: usize,
        facts: &Facts,
        origin: SortOrigin,
        span: Span,
    ) {
        let size = facts.size(name, fixed, default);
        if size.size == 0 || size.size > MAX_SET_SIZE {
            self.diagnostics.push(Diagnostic::error(
                &BAD_SCOPE,
                span,
                format!("{name} would have {} elements", size.size),
            ));
            return;
        }
        self.model
            .scopes
            .push(format!("card({name}) = {} ({})", size.size, size.because));
        let named = size.names.len() == size.size;
        let elements = if named {
            size.names
                .iter()
                .map(|decl| self.world.decls[*decl].name)
                .collect()
        } else {
            (1..=size.size)
                .map(|i| Name::new(&format!("{name}{i}")))
                .collect()
        };
        let origin = if named { SortOrigin::Named } else { origin };
        let sort = self.sort(name, elements, origin, span);
        if named {
            for (i, decl) in size.names.iter().enumerate() {
                self.constants.insert(*decl, Ref::Element(sort, i as u32));
            }
        }
    }

    fn sort(&mut self, name: Name, elements: Vec<Name>, origin: SortOrigin, span: Span) -> SortId {
        let sort = self.model.tys.sorts.push(Sort {
            name,
            elements,
            origin,
            span,
        });
        self.sorts.insert(name, sort);
        sort
    }

    fn free_types(&mut self) {
        let mut declared = Vec::new();
        for (id, _) in self.checked.project.units.iter() {
            let machine = &self.world.machines[id.index()];
            for clause in &machine.component.clauses {
                let ClauseBody::FreeTypes(types) = &clause.body else {
                    continue;
                };
                for free in types {
                    if let Some(parameter) = free.parameters.first() {
                        self.unsupported(parameter.span, "a free type with parameters");
                        continue;
                    }
                    let free_id = self.model.tys.free.push(FreeType {
                        name: free.name,
                        constructors: Vec::new(),
                    });
                    self.frees.insert(free.name, free_id);
                    declared.push((free_id, free, machine));
                }
            }
        }
        for (free_id, free, machine) in declared {
            let constructors = free
                .constructors
                .iter()
                .map(|constructor| {
                    let argument = constructor.argument.and_then(|_| {
                        let decl = machine.global(constructor.name)?;
                        let ty = self.ty(self.world.decls[decl].ty)?;
                        let Ty::Pow(pair) = self.model.tys[ty] else {
                            return None;
                        };
                        match self.model.tys[pair] {
                            Ty::Prod(argument, _) => Some(argument),
                            _ => None,
                        }
                    });
                    (constructor.name, argument)
                })
                .collect();
            self.model.tys.free[free_id].constructors = constructors;
        }
    }

    /// Finds again what `lower` declared, to lower a formula into a finished model.
    fn adopt(&mut self, main: UnitId) {
        for (id, sort) in self.model.tys.sorts.iter() {
            self.sorts.insert(sort.name, id);
        }
        for (id, free) in self.model.tys.free.iter() {
            self.frees.insert(free.name, id);
        }
        let by_name: FxHashMap<Name, VarId> = self
            .model
            .variables
            .iter()
            .map(|(id, variable)| (variable.name, id))
            .collect();
        self.instance = self.instances.adopt(main);
        let machine = &self.world.machines[main.index()];
        let decls: Vec<(Name, DeclId)> = machine.globals().collect();
        for (name, decl) in decls {
            if let Some(found) = self.known(name, decl, &by_name) {
                self.instances.bind(self.instance, decl, found);
            }
        }
    }

    fn known(&self, name: Name, decl: DeclId, variables: &FxHashMap<Name, VarId>) -> Option<Ref> {
        let declared = &self.world.decls[decl];
        match declared.kind {
            DeclKind::Variable(_) | DeclKind::Parameter => {
                variables.get(&name).map(|id| Ref::Var(*id))
            }
            DeclKind::Constant(_) => variables
                .get(&name)
                .map(|id| Ref::Var(*id))
                .or_else(|| self.element(name)),
            _ => self.set_like(decl),
        }
    }

    /// The element of a carrier set with this name.
    fn element(&self, name: Name) -> Option<Ref> {
        self.model.tys.sorts.iter().find_map(|(id, sort)| {
            let position = sort.elements.iter().position(|element| *element == name)?;
            Some(Ref::Element(id, position as u32))
        })
    }

    /// What a set, element, free type or constructor stands for.
    fn set_like(&self, decl: DeclId) -> Option<Ref> {
        let declared = &self.world.decls[root(self.world, decl)];
        match declared.kind {
            DeclKind::DeferredSet | DeclKind::EnumeratedSet | DeclKind::SetParameter => self
                .sorts
                .get(&declared.name)
                .map(|sort| Ref::Carrier(*sort)),
            DeclKind::Element => self.element(declared.name),
            DeclKind::FreeType => self
                .frees
                .get(&declared.name)
                .map(|free| Ref::FreeSet(*free)),
            DeclKind::Constructor => self.model.tys.free.iter().find_map(|(id, free)| {
                let position = free
                    .constructors
                    .iter()
                    .position(|(name, _)| *name == declared.name)?;
                Some(Ref::Constructor(id, position as u32))
            }),
            _ => None,
        }
    }

    /// The type of the model for a type of the checker, in the current instance.
    fn ty(&mut self, ty: TypeId) -> Option<TyId> {
        use lang_math::Type;
        let lowered = match self.world.types.get(ty).clone() {
            Type::Bool => Ty::Bool,
            Type::Int => Ty::Int,
            Type::Real => Ty::Real,
            Type::Str => Ty::Str,
            Type::Given(name) => {
                if let Some(actual) = self.instances.actual_type(self.instance, name) {
                    return Some(actual);
                }
                match (self.sorts.get(&name), self.frees.get(&name)) {
                    (Some(sort), _) => Ty::Sort(*sort),
                    (_, Some(free)) => Ty::Free(*free),
                    _ => return None,
                }
            }
            Type::Pow(element) => Ty::Pow(base::deep::recurse(|| self.ty(element))?),
            Type::Prod(left, right) => {
                let left = base::deep::recurse(|| self.ty(left))?;
                Ty::Prod(left, base::deep::recurse(|| self.ty(right))?)
            }
            Type::Record(fields) => {
                let mut lowered = Vec::new();
                for (name, ty) in fields {
                    lowered.push((name, base::deep::recurse(|| self.ty(ty))?));
                }
                Ty::Record(lowered)
            }
            Type::Var(_) | Type::Error => return None,
        };
        Some(self.model.tys.intern(lowered))
    }

    fn variable(&mut self, name: Name, decl: DeclId, is_constant: bool) -> Option<VarId> {
        let declared = self.world.decls[decl].clone();
        let Some(ty) = self.ty(declared.ty) else {
            self.unsupported(declared.span, format!("the type of `{name}`"));
            return None;
        };
        Some(self.model.variables.push(Variable {
            name,
            ty,
            is_constant,
            span: declared.span,
        }))
    }

    /// What the model asks for and `check` does not look at by itself.
    fn not_checked(&mut self, main: UnitId) {
        let unit = &self.checked.project.units[main];
        let definitions =
            Definitions::collect(&self.checked.project, unit, &mut Diagnostics::new());
        for definition in &definitions.own {
            match preferences::setting(definition.name.as_str()) {
                Some(Setting::Goal) => self
                    .model
                    .not_checked
                    .push("GOAL (use --goal GOAL)".to_owned()),
                Some(Setting::AssertLtl(_) | Setting::AssertCtl(_)) => {
                    self.model.not_checked.push(definition.name.to_string());
                }
                _ => {}
            }
        }
    }

    fn strings(&mut self) {
        let mut strings: Vec<Name> = self
            .model
            .exprs
            .iter()
            .filter_map(|(_, expr)| match expr.kind {
                Kind::Str(text) => Some(text),
                _ => None,
            })
            .collect();
        strings.sort();
        strings.dedup();
        self.model.strings = strings;
    }

    fn properties(&mut self) {
        let units: Vec<InstanceId> = self.instances.all().collect();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut has_properties = false;
        let main = self.instance;
        for id in units {
            let unit = self.instances.unit(id);
            // Properties belong to the machine, not to its instances.
            if !seen.insert(unit) {
                continue;
            }
            self.instance = id;
            let machine = &self.world.machines[unit.index()];
            let view = Typed::of(machine);
            for clause in &machine.component.clauses {
                match &clause.body {
                    ClauseBody::Properties(predicate) => {
                        has_properties = true;
                        let conjuncts = self.conjuncts(&view, *predicate, false);
                        self.model.properties.extend(conjuncts);
                    }
                    ClauseBody::Constraints(predicate) if id == main => {
                        let conjuncts = self.conjuncts(&view, *predicate, false);
                        self.model.properties.extend(conjuncts);
                    }
                    ClauseBody::Values(values) => {
                        for value in values {
                            self.value(&view, machine, value);
                        }
                    }
                    _ => {}
                }
            }
        }
        self.instance = main;
        let constants = self
            .model
            .variables
            .iter()
            .any(|(_, variable)| variable.is_constant);
        // A machine all of whose constants became names of elements has nothing to set up.
        let named = !self.constants.is_empty()
            && self
                .constants
                .values()
                .all(|found| matches!(found, Ref::Element(..)));
        self.model.has_setup = constants || (has_properties && !named);
    }

    fn value(
        &mut self,
        view: &Typed<'_>,
        machine: &lang_b::check::Machine,
        value: &lang_b::syntax::Value,
    ) {
        let Some(decl) = machine.global(value.name.name) else {
            return;
        };
        let declared = &self.world.decls[decl];
        if !matches!(declared.kind, DeclKind::Constant(_)) {
            self.model.warnings.push(format!(
                "VALUES of the set {} is ignored: its size comes from the scopes",
                value.name.name
            ));
            return;
        }
        let span = value.name.span;
        let Some(found) = self.reference(decl) else {
            return;
        };
        let Some(ty) = self.ty(declared.ty) else {
            return;
        };
        let left = self.referred(found, ty, span);
        let Some(right) = self.expr(view, value.value) else {
            return;
        };
        let predicate = self.push(
            Kind::Op(Op::Equal, smallvec::smallvec![left, right]),
            None,
            span,
        );
        self.model.properties.push(Conjunct {
            predicate,
            label: None,
            span,
        });
    }

    fn invariants(&mut self) {
        let main = self.instance;
        for id in self.instances.all().collect::<Vec<_>>() {
            if self.instances.is_abstract(id) {
                continue;
            }
            self.instance = id;
            let unit = self.instances.unit(id);
            let machine = &self.world.machines[unit.index()];
            let view = Typed::of(machine);
            for clause in &machine.component.clauses {
                match &clause.body {
                    ClauseBody::Invariant(predicate) => {
                        let conjuncts = self.conjuncts(&view, *predicate, true);
                        self.model.invariants.extend(conjuncts);
                    }
                    ClauseBody::Assertions(list) if id == main => {
                        for predicate in list {
                            for conjunct in self.conjuncts(&view, *predicate, true) {
                                let is_static = !self.mentions_variable(conjunct.predicate);
                                self.model.assertions.push(Assertion {
                                    conjunct,
                                    is_static,
                                });
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        self.instance = main;
    }

    /// The conjuncts of a clause. With `gluing`, those that mention abstract variables are left out and
    /// reported as not checked.
    fn conjuncts(
        &mut self,
        view: &Typed<'_>,
        predicate: lang_math::ExprId,
        gluing: bool,
    ) -> Vec<Conjunct> {
        let mut found = Vec::new();
        for mut conjunct in view.exprs.conjuncts(predicate) {
            let mut label = None;
            let span = view.exprs.span(conjunct);
            loop {
                match view.exprs.kind(conjunct) {
                    ExprKind::Labelled(name, inner) => {
                        label = label.or(Some(*name));
                        conjunct = *inner;
                    }
                    ExprKind::Described(inner, _) => conjunct = *inner,
                    _ => break,
                }
            }
            // A label or description may stand around several conjuncts.
            if let ExprKind::Op(Op::And, _) = view.exprs.kind(conjunct) {
                let inner = base::deep::recurse(|| self.conjuncts(view, conjunct, gluing));
                found.extend(inner.into_iter().map(|part| Conjunct {
                    label: part.label.or(label),
                    ..part
                }));
                continue;
            }
            if gluing && self.mentions_abstract(view, conjunct) {
                let text = lang_math::print::to_string(view.exprs, conjunct, &Default::default());
                self.model
                    .not_checked
                    .push(format!("gluing invariant over abstract variables: {text}"));
                continue;
            }
            if let Some(predicate) = self.expr(view, conjunct) {
                found.push(Conjunct {
                    predicate,
                    label,
                    span,
                });
            }
        }
        found
    }

    fn mentions_abstract(&self, view: &Typed<'_>, id: lang_math::ExprId) -> bool {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if let ExprKind::Name(_) | ExprKind::Before(_) = view.exprs.kind(id)
                && let Some(decl) = view.meanings[id.index()]
                && matches!(self.world.decls[decl].kind, DeclKind::Variable(_))
                && self.reference(decl).is_none()
            {
                return true;
            }
            lang_math::expr::for_each_child(view.exprs.kind(id), |child| pending.push(child));
        }
        false
    }

    fn mentions_variable(&self, id: ExprId) -> bool {
        let mut found = false;
        self.model.walk(id, &mut |expr| {
            if let Kind::Var(var) = expr.kind {
                found |= !self.model.variables[var].is_constant;
            }
        });
        found
    }

    fn actions(&mut self) {
        let main = self.instance;
        for (instance, operation, name) in self.instances.transitions(main, self.checked) {
            self.instance = instance;
            if let Some(action) = self.action(instance, operation, name) {
                self.model.actions.push(action);
            }
        }
        self.instance = main;
    }

    fn action(&mut self, instance: InstanceId, operation: usize, name: Name) -> Option<Action> {
        let machine = &self.world.machines[self.instances.unit(instance).index()];
        let typed = &machine.operations[operation];
        let signature = &self.world.signatures[typed.signature];
        let parameters = self.fresh_locals(&typed.inputs)?;
        let results = self.fresh_locals(&typed.outputs)?;
        let mut guard = Vec::new();
        let body = self.guarded_body(machine, typed.body, &mut guard)?;
        Some(Action {
            name,
            parameters,
            results,
            guard,
            body,
            span: signature.span,
        })
    }
}

/// The value of an integer literal with an optional sign.
fn integer(exprs: &Exprs, id: lang_math::ExprId) -> Option<i64> {
    match exprs.kind(id) {
        ExprKind::Int(value) => value.to_i64(),
        ExprKind::Op(Op::Negate, args) => integer(exprs, args[0])?.checked_neg(),
        _ => None,
    }
}
