//! The instances of machines that make up a model, and what names mean in each.

use base::{Arena, Id, Name};
use lang_b::check::{Checked, DeclId, DeclKind};
use lang_b::load::UnitId;
use lang_b::syntax::{Link, Visibility};
use lang_math::ExprId as SourceId;
use rustc_hash::FxHashMap;

use super::expr::Typed;
use super::{Lower, Ref, root};
use model::TyId;

/// Names an instance.
pub(super) type InstanceId = Id<Instance>;

/// A machine under a prefix.
#[derive(Debug)]
pub(super) struct Instance {
    unit: UnitId,
    /// What the names visible in the machine stand for.
    refs: FxHashMap<DeclId, Ref>,
    /// What its set parameters stand for.
    actual_types: FxHashMap<Name, TyId>,
    /// The instances behind its references, with the prefix the machine itself uses.
    children: Vec<(Link, Option<Name>, InstanceId)>,
    /// Only its sets and constants count: a level above the one that is run.
    is_abstract: bool,
    /// Formal parameters with the actual ones, which are formulas of the including instance.
    arguments: Vec<(DeclId, SourceId, InstanceId)>,
}

/// All instances.
#[derive(Debug, Default)]
pub(super) struct Instances {
    instances: Arena<Instance>,
    known: FxHashMap<(UnitId, Option<Name>, bool), InstanceId>,
}

impl Instances {
    /// All instances; those that a machine refers to come before it.
    pub fn all(&self) -> impl Iterator<Item = InstanceId> {
        (0..self.instances.len()).map(InstanceId::new)
    }

    /// The machine of an instance.
    pub fn unit(&self, id: InstanceId) -> UnitId {
        self.instances[id].unit
    }

    /// Whether only the sets and constants of an instance count.
    pub fn is_abstract(&self, id: InstanceId) -> bool {
        self.instances[id].is_abstract
    }

    /// Whether a machine was given actual parameters.
    pub fn has_arguments(&self, id: InstanceId) -> bool {
        !self.instances[id].arguments.is_empty()
    }

    /// The type that a set parameter stands for.
    pub fn actual_type(&self, id: InstanceId, name: Name) -> Option<TyId> {
        if self.instances.is_empty() {
            return None;
        }
        self.instances[id].actual_types.get(&name).copied()
    }

    /// An instance whose names are found again in a finished model.
    pub fn adopt(&mut self, unit: UnitId) -> InstanceId {
        self.instances.push(Instance::new(unit, false))
    }

    /// Gives a name a meaning.
    pub fn bind(&mut self, id: InstanceId, decl: DeclId, found: Ref) {
        self.instances[id].refs.insert(decl, found);
    }

    /// What a name means in an instance.
    pub fn get(&self, id: InstanceId, decl: DeclId) -> Option<Ref> {
        self.instances[id].refs.get(&decl).copied()
    }

    /// The instances that a machine refers to.
    pub fn children(&self, id: InstanceId) -> &[(Link, Option<Name>, InstanceId)] {
        &self.instances[id].children
    }

    /// The operations that are transitions: own and promoted ones, and those of seen and used machines.
    pub fn transitions(
        &self,
        main: InstanceId,
        checked: &Checked,
    ) -> Vec<(InstanceId, usize, Name)> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        self.offered(main, checked, None, &mut found);
        self.seen_operations(main, checked, &mut seen, &mut found);
        found
    }

    /// What a machine offers, under a prefix.
    fn offered(
        &self,
        id: InstanceId,
        checked: &Checked,
        prefix: Option<Name>,
        found: &mut Vec<(InstanceId, usize, Name)>,
    ) {
        let machine = &checked.world.machines[self.unit(id).index()];
        for (name, _) in &machine.operations_offered {
            if let Some((instance, operation)) = self.operation(id, checked, *name) {
                let shown = match prefix {
                    Some(prefix) => Name::new(&format!("{prefix}.{name}")),
                    None => *name,
                };
                if !found
                    .iter()
                    .any(|(i, o, _)| (*i, *o) == (instance, operation))
                {
                    found.push((instance, operation, shown));
                }
            }
        }
    }

    fn seen_operations(
        &self,
        id: InstanceId,
        checked: &Checked,
        seen: &mut Vec<InstanceId>,
        found: &mut Vec<(InstanceId, usize, Name)>,
    ) {
        for (link, prefix, child) in self.children(id) {
            if seen.contains(child) {
                continue;
            }
            seen.push(*child);
            // A machine that is part of the model has an owner, who decides what it offers.
            if matches!(link, Link::Sees | Link::Uses) && !self.is_owned(*child) {
                self.offered(*child, checked, *prefix, found);
            }
            self.seen_operations(*child, checked, seen, found);
        }
    }

    /// Whether some machine includes or imports an instance.
    fn is_owned(&self, id: InstanceId) -> bool {
        self.all().any(|owner| {
            self.children(owner)
                .iter()
                .any(|(link, _, child)| !matches!(link, Link::Sees | Link::Uses) && *child == id)
        })
    }

    /// The operation behind a name used in an instance.
    pub fn operation(
        &self,
        id: InstanceId,
        checked: &Checked,
        name: Name,
    ) -> Option<(InstanceId, usize)> {
        let machine = &checked.world.machines[self.unit(id).index()];
        // An operation implemented under OPERATIONS counts before its specification as a local one.
        let own = machine
            .operations
            .iter()
            .enumerate()
            .filter(|(_, typed)| checked.world.signatures[typed.signature].name == name)
            .min_by_key(|(_, typed)| typed.local);
        if let Some((operation, _)) = own {
            return Some((id, operation));
        }
        for (_, prefix, child) in self.children(id) {
            let inner = match prefix {
                Some(prefix) => match name
                    .as_str()
                    .strip_prefix(prefix.as_str())
                    .and_then(|rest| rest.strip_prefix('.'))
                {
                    Some(rest) => Name::new(rest),
                    None => continue,
                },
                None => name,
            };
            let offers = checked.world.machines[self.unit(*child).index()]
                .operations_offered
                .iter()
                .any(|(known, _)| *known == inner);
            if offers {
                return self.operation(*child, checked, inner);
            }
        }
        None
    }
}

impl Instance {
    fn new(unit: UnitId, is_abstract: bool) -> Instance {
        Instance {
            unit,
            refs: FxHashMap::default(),
            actual_types: FxHashMap::default(),
            children: Vec::new(),
            is_abstract,
            arguments: Vec::new(),
        }
    }
}

impl Lower<'_> {
    /// What a name means in the current instance.
    pub(super) fn reference(&self, decl: DeclId) -> Option<Ref> {
        self.instances.get(self.instance, decl)
    }

    /// Declares the state of a machine and of everything it refers to.
    pub(super) fn instantiate(&mut self, unit: UnitId, prefix: Option<Name>) -> InstanceId {
        self.instantiate_at(unit, prefix, false, None)
    }

    fn instantiate_at(
        &mut self,
        unit: UnitId,
        prefix: Option<Name>,
        is_abstract: bool,
        actual_types: Option<FxHashMap<Name, TyId>>,
    ) -> InstanceId {
        if let Some(known) = self.instances.known.get(&(unit, prefix, false)) {
            return *known;
        }
        if is_abstract && let Some(known) = self.instances.known.get(&(unit, prefix, true)) {
            return *known;
        }
        let loaded = &self.checked.project.units[unit];
        let machine = &self.world.machines[unit.index()];
        let mut instance = Instance::new(unit, is_abstract);
        instance.actual_types = actual_types.unwrap_or_default();

        // Types of actual parameters are lowered in the context of this machine.
        let outer = self.instance;
        let mut children = Vec::new();
        let mut passed = Vec::new();
        for reference in &loaded.references {
            let inner = match (prefix, reference.written.instance, reference.link) {
                // What a machine sees is shared, whatever its own prefix.
                (_, own, Link::Sees | Link::Uses) => own,
                (None, own, _) => own,
                (Some(outer), Some(own), _) => Some(Name::new(&format!("{outer}.{own}"))),
                (Some(outer), None, _) => Some(outer),
            };
            let written = machine
                .component
                .clauses
                .iter()
                .filter_map(|clause| match &clause.body {
                    lang_b::syntax::ClauseBody::References(_, list) => Some(list),
                    _ => None,
                })
                .flatten()
                .find(|written| written.span == reference.written.span);
            let formals = self.world.parameters(reference.unit);
            let arguments: Vec<SourceId> = written
                .map(|written| written.arguments.clone())
                .unwrap_or_default();
            let mut types = FxHashMap::default();
            for (formal, actual) in formals.iter().zip(&arguments) {
                let declared = &self.world.decls[*formal];
                if declared.kind == DeclKind::SetParameter
                    && let Some(ty) = machine.types[actual.index()]
                    && let lang_math::Type::Pow(element) = *self.world.types.get(ty)
                {
                    // A parameter passed on from this machine's own parameters.
                    let given = match self.world.types.get(element) {
                        lang_math::Type::Given(name) => instance.actual_types.get(name).copied(),
                        _ => None,
                    };
                    if let Some(ty) = given.or_else(|| self.ty(element)) {
                        types.insert(declared.name, ty);
                    }
                }
            }
            let child = base::deep::recurse(|| {
                self.instantiate_at(reference.unit, inner, is_abstract, Some(types))
            });
            children.push((reference.link, reference.written.instance, child));
            passed.push((
                child,
                formals.into_iter().zip(arguments).collect::<Vec<_>>(),
            ));
        }
        let refined = loaded.refines.map(|refined| {
            base::deep::recurse(|| self.instantiate_at(refined, prefix, true, None))
        });
        self.instance = outer;

        instance.children = children;
        let id = self.instances.instances.push(instance);
        self.instances.known.insert((unit, prefix, is_abstract), id);
        for (child, arguments) in passed {
            let known = &mut self.instances.instances[child].arguments;
            if known.is_empty() {
                known.extend(
                    arguments
                        .into_iter()
                        .map(|(formal, actual)| (formal, actual, id)),
                );
            }
        }
        self.instance = id;
        self.inherited(id, refined);
        self.own_state(id, prefix);
        self.instance = outer;
        id
    }

    /// Names that come from other machines mean there what they mean here.
    fn inherited(&mut self, id: InstanceId, refined: Option<InstanceId>) {
        let machine = &self.world.machines[self.instances.unit(id).index()];
        let children: Vec<(Option<Name>, InstanceId)> = refined
            .map(|refined| (None, refined))
            .into_iter()
            .chain(
                self.instances
                    .children(id)
                    .iter()
                    .map(|(_, prefix, child)| (*prefix, *child)),
            )
            .collect();
        for (prefix, child) in children {
            let exporting = &self.world.machines[self.instances.unit(child).index()];
            for export in &exporting.exports {
                let variable = matches!(self.world.decls[export.decl].kind, DeclKind::Variable(_));
                let name = match prefix {
                    Some(prefix) if variable => Name::new(&format!("{prefix}.{}", export.name)),
                    _ => export.name,
                };
                let Some(found) = self.instances.get(child, export.decl) else {
                    continue;
                };
                self.instances.bind(id, export.decl, found);
                if let Some(decl) = machine.global(name)
                    && root(self.world, decl) == root(self.world, export.decl)
                {
                    self.instances.bind(id, decl, found);
                }
            }
            // Parameters of a refined machine are those of its refinement.
            for decl in &exporting.own {
                if let Some(found) = self.instances.get(child, *decl)
                    && matches!(
                        self.world.decls[*decl].kind,
                        DeclKind::Parameter | DeclKind::SetParameter
                    )
                    && machine.global(self.world.decls[*decl].name) == Some(*decl)
                {
                    self.instances.bind(id, *decl, found);
                }
            }
        }
    }

    /// Declares constants and variables of a machine.
    fn own_state(&mut self, id: InstanceId, prefix: Option<Name>) {
        let unit = self.instances.unit(id);
        let is_abstract = self.instances.is_abstract(id);
        let is_main = Some(unit) == self.checked.project.main;
        let machine = &self.world.machines[unit.index()];
        for decl in machine.own.clone() {
            let declared = &self.world.decls[decl];
            let (name, kind) = (declared.name, declared.kind);
            let found = match kind {
                DeclKind::Constant(_) => match self.constants.get(&decl).copied() {
                    Some(known) => Some(known),
                    None => {
                        // A constant of an abstract level that this level declares again is the same one.
                        let again = self
                            .model
                            .variables
                            .iter()
                            .find(|(_, variable)| variable.is_constant && variable.name == name)
                            .map(|(id, _)| id);
                        let var = again
                            .or_else(|| self.variable(name, decl, true))
                            .map(Ref::Var);
                        if let Some(var) = var {
                            self.constants.insert(decl, var);
                        }
                        var
                    }
                },
                DeclKind::Parameter if is_main || is_abstract => {
                    self.variable(name, decl, true).map(Ref::Var)
                }
                // Bound when actual parameters are lowered.
                DeclKind::Parameter => None,
                DeclKind::SetParameter if self.instances.actual_type(id, name).is_some() => None,
                DeclKind::Variable(visibility) => {
                    if is_abstract && visibility == Visibility::Abstract {
                        None
                    } else {
                        let shown = match prefix {
                            Some(prefix) => Name::new(&format!("{prefix}.{name}")),
                            None => name,
                        };
                        let again = self
                            .model
                            .variables
                            .iter()
                            .find(|(_, variable)| !variable.is_constant && variable.name == shown)
                            .map(|(id, _)| id);
                        again
                            .or_else(|| self.variable(shown, decl, false))
                            .map(Ref::Var)
                    }
                }
                _ => self.set_like(decl),
            };
            if let Some(found) = found {
                self.instances.bind(id, decl, found);
            }
        }
    }

    /// Gives formal parameters of included machines their actual values.
    pub(super) fn actual_parameters(&mut self) {
        let main = self.instance;
        // Including machines first: a parameter may be passed on.
        for id in self.instances.all().collect::<Vec<_>>().into_iter().rev() {
            for (formal, actual, includer) in self.instances.instances[id].arguments.clone() {
                self.instance = includer;
                let machine = &self.world.machines[self.instances.unit(includer).index()];
                let view = Typed::of(machine);
                if let Some(expr) = self.expr(&view, actual) {
                    self.instances.bind(id, formal, Ref::Expr(expr));
                }
            }
        }
        self.instance = main;
    }
}
