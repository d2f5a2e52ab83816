//! The instances of machines that make up a model, and what names mean in each.

use base::{Arena, Id, Name};
use lang_b::check::{Checked, DeclId, DeclKind, Machine};
use lang_b::load::UnitId;
use lang_b::syntax::{ClauseBody, Link, MachineRef, Visibility};
use lang_math::ExprId as SourceId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::expr::Typed;
use super::{Lower, Ref, root};
use model::{TyId, VarId};

/// Names an instance.
pub(super) type InstanceId = Id<Instance>;

/// A machine under a prefix.
#[derive(Debug)]
pub(super) struct Instance {
    unit: UnitId,
    prefix: Option<Name>,
    /// What the names visible in the machine stand for.
    refs: FxHashMap<DeclId, Ref>,
    /// What its set parameters stand for.
    actual_types: FxHashMap<Name, TyId>,
    /// The instances behind its references, with the prefix the machine itself uses.
    children: Vec<(Link, Option<Name>, InstanceId)>,
    /// How many refinements lie between it and the machine that is run.
    level: usize,
    /// Whether it is the machine that is run, or one that it refines.
    is_main: bool,
    /// What it refines.
    refined: Option<InstanceId>,
    /// Formal parameters with the actual ones, which are formulas of the including instance.
    arguments: Vec<(DeclId, SourceId, InstanceId)>,
}

/// Where a machine takes part.
#[derive(Clone, Copy)]
struct Seat {
    prefix: Option<Name>,
    level: usize,
    /// Whether it is the machine that is run, or one that it refines.
    is_main: bool,
}

impl Seat {
    /// The machine that is run.
    const MAIN: Seat = Seat {
        prefix: None,
        level: 0,
        is_main: true,
    };
}

/// All instances.
#[derive(Debug, Default)]
pub(super) struct Instances {
    instances: Arena<Instance>,
    known: FxHashMap<(UnitId, Option<Name>, usize), InstanceId>,
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

    /// How many refinements lie between an instance and the machine that is run.
    pub fn level(&self, id: InstanceId) -> usize {
        self.instances[id].level
    }

    /// Whether an instance is the machine that is run, or one that it refines.
    pub fn is_main(&self, id: InstanceId) -> bool {
        self.instances[id].is_main
    }

    /// Whether a level below has the same machine, whose variables are those of this one.
    pub fn is_below(&self, id: InstanceId) -> bool {
        let Instance {
            unit,
            prefix,
            level,
            ..
        } = &self.instances[id];
        (0..*level).any(|below| self.known.contains_key(&(*unit, *prefix, below)))
    }

    /// A machine and those that it refines.
    pub fn chain(&self, main: InstanceId) -> Vec<InstanceId> {
        std::iter::successors(Some(main), |id| self.instances[*id].refined).collect()
    }

    /// What the machines above see and the machine that is run does not reach.
    pub fn seen_above(&self, main: InstanceId) -> Vec<InstanceId> {
        let above = self.all().filter(|id| self.level(*id) > 0 && *id != main);
        let seen = above.flat_map(|id| self.children(id));
        seen.filter(|(.., child)| self.level(*child) == 0)
            .map(|(.., child)| *child)
            .collect()
    }

    /// Whether a machine was given actual parameters.
    pub fn has_arguments(&self, id: InstanceId) -> bool {
        !self.instances[id].arguments.is_empty()
    }

    /// Whether some machine was given an actual parameter that is no set.
    pub fn has_scalar_arguments(&self, is_scalar: impl Fn(DeclId) -> bool) -> bool {
        let mut given = self.all().flat_map(|id| &self.instances[id].arguments);
        given.any(|(formal, ..)| is_scalar(*formal))
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
        self.instances.push(Instance::new(unit, Seat::MAIN))
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
    fn new(unit: UnitId, seat: Seat) -> Instance {
        Instance {
            unit,
            prefix: seat.prefix,
            refs: FxHashMap::default(),
            actual_types: FxHashMap::default(),
            children: Vec::new(),
            level: seat.level,
            is_main: seat.is_main,
            refined: None,
            arguments: Vec::new(),
        }
    }
}

/// The references of a machine to others, with definitions replaced.
pub(super) fn references(machine: &Machine) -> impl Iterator<Item = &MachineRef> {
    let clauses = machine.component.clauses.iter();
    let lists = clauses.filter_map(|clause| match &clause.body {
        ClauseBody::References(_, list) => Some(list),
        _ => None,
    });
    lists.flatten()
}

impl Lower<'_> {
    /// What a name means in the current instance.
    pub(super) fn reference(&self, decl: DeclId) -> Option<Ref> {
        match self.instances.get(self.instance, decl)? {
            Ref::Var(var) => Some(match self.copies.get(&var) {
                Some(copy) => Ref::Copy(*copy),
                None => Ref::Var(var),
            }),
            found => Some(found),
        }
    }

    /// Declares the state of a machine and of everything it refers to.
    pub(super) fn instantiate(&mut self, unit: UnitId) -> InstanceId {
        self.instantiate_at(unit, Seat::MAIN, FxHashMap::default())
    }

    fn instantiate_at(
        &mut self,
        unit: UnitId,
        seat: Seat,
        actual_types: FxHashMap<Name, TyId>,
    ) -> InstanceId {
        let Seat { prefix, level, .. } = seat;
        // Alone, a machine below serves the levels above as well.
        for level in if self.is_alone {
            0..level + 1
        } else {
            level..level + 1
        } {
            if let Some(known) = self.instances.known.get(&(unit, prefix, level)) {
                return *known;
            }
        }
        let loaded = &self.checked.project.units[unit];
        let machine = &self.world.machines[unit.index()];
        let mut instance = Instance::new(unit, seat);
        instance.actual_types = actual_types;

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
            let written = references(machine).find(|known| known.span == reference.written.span);
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
            // What is seen belongs to no level; alone, what only an abstract level sees does not run.
            let is_shared = matches!(reference.link, Link::Sees | Link::Uses) && !self.is_alone;
            let below = Seat {
                prefix: inner,
                level: if is_shared { 0 } else { level },
                is_main: false,
            };
            let child = base::deep::recurse(|| self.instantiate_at(reference.unit, below, types));
            children.push((reference.link, reference.written.instance, child));
            passed.push((
                child,
                formals.into_iter().zip(arguments).collect::<Vec<_>>(),
            ));
        }
        let refined = loaded.refines.map(|refined| {
            let above = Seat {
                level: level + 1,
                ..seat
            };
            base::deep::recurse(|| self.instantiate_at(refined, above, FxHashMap::default()))
        });
        self.instance = outer;

        instance.children = children;
        instance.refined = refined;
        let id = self.instances.instances.push(instance);
        self.instances.known.insert((unit, prefix, level), id);
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
                // Concrete variables live on in refinements.
                if let (Some(_), Ref::Var(var)) = (refined.filter(|r| *r == child), found)
                    && self.world.decls[export.decl].kind
                        == DeclKind::Variable(Visibility::Concrete)
                {
                    self.belongs(var, self.instances.level(id));
                }
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
        let level = self.instances.level(id);
        let machine = &self.world.machines[unit.index()];
        for decl in machine.own.clone() {
            let declared = &self.world.decls[decl];
            let (name, kind) = (declared.name, declared.kind);
            let found = match kind {
                DeclKind::Constant(_) => match self.constants.get(&decl).copied() {
                    Some(known) => Some(known),
                    None => {
                        // A constant of an abstract level that this level declares again is the same one.
                        let var = self
                            .named(name, true)
                            .or_else(|| self.variable(name, decl, true))
                            .map(Ref::Var);
                        if let Some(var) = var {
                            self.constants.insert(decl, var);
                        }
                        var
                    }
                },
                DeclKind::Parameter if self.instances.is_main(id) => self
                    .named(name, true)
                    .or_else(|| self.variable(name, decl, true))
                    .map(Ref::Var),
                // Bound when actual parameters are lowered.
                DeclKind::Parameter => None,
                DeclKind::SetParameter if self.instances.actual_type(id, name).is_some() => None,
                DeclKind::Variable(visibility) => {
                    if level > 0 && self.is_alone && visibility == Visibility::Abstract {
                        None
                    } else {
                        let shown = match prefix {
                            Some(prefix) => Name::new(&format!("{prefix}.{name}")),
                            None => name,
                        };
                        let var = self
                            .named(shown, false)
                            .or_else(|| self.variable(shown, decl, false));
                        if let Some(var) = var {
                            self.belongs(var, level);
                        }
                        var.map(Ref::Var)
                    }
                }
                _ => self.set_like(decl),
            };
            if let Some(found) = found {
                self.instances.bind(id, decl, found);
            }
        }
    }

    /// The constant or variable that has this name already: a level of refinement may declare it again.
    fn named(&self, name: Name, is_constant: bool) -> Option<VarId> {
        let mut variables = self.model.variables.iter();
        variables
            .find(|(_, known)| known.is_constant == is_constant && known.name == name)
            .map(|(id, _)| id)
    }

    fn belongs(&mut self, var: VarId, level: usize) {
        if self.level_variables.len() <= level {
            self.level_variables.resize(level + 1, FxHashSet::default());
        }
        self.level_variables[level].insert(var);
    }

    /// Gives formal parameters of included machines their actual values. Those that nobody gives one, of a machine that is
    /// only seen, are constants.
    pub(super) fn actual_parameters(&mut self) {
        let main = self.instance;
        for id in self.instances.all().collect::<Vec<_>>() {
            if self.instances.is_main(id) || self.instances.has_arguments(id) {
                continue;
            }
            self.instance = id;
            for decl in &self.world.machines[self.instances.unit(id).index()].own {
                let declared = &self.world.decls[*decl];
                if declared.kind == DeclKind::Parameter
                    && let Some(var) = self.variable(declared.name, *decl, true)
                {
                    self.instances.bind(id, *decl, Ref::Var(var));
                }
            }
        }
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
